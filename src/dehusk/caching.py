"""Values computed once per object, without a lock: columns of pages and blocks, formats of documents, tables of sites.

`functools.cached_property` takes one lock per class in Python 3.11. A process forked while another thread computes such
a property inherits the lock locked, and hangs at its first use. No lock is needed here: a cached value follows from an
object that does not change, so two threads that compute it at the same time get equal values, and either may stay.

Values are kept in the object's `__dict__`; `dataclasses.replace` starts without them.
"""

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, Generic, Self, TypeVar, TypeVarTuple, overload

Owner = TypeVar("Owner")
Value = TypeVar("Value")
Others = TypeVarTuple("Others")


class CachedProperty(Generic[Value]):
    """A property computed at its first use; also for frozen dataclasses."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Self | Value:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.compute(instance)  # found there before the class from now on
        return value


cached_property = CachedProperty
"""The decorator, under the name it has in `functools`."""


def cached_per_object(compute: Callable[[Owner, *Others], Value]) -> Callable[[Owner, *Others], Value]:
    """Decorate a function of an object, so that its result is kept with the object.

    For what a module above the object's own derives from it, such as the words that `site` finds in `Blocks`. With
    further arguments, the result for the latest ones is kept; they are compared by identity. The result must not refer
    to the object, or only the garbage collector would free the two.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def cached(owner: Owner, *others: *Others) -> Value:
        entry: tuple[tuple[object, ...], Value] | None = owner.__dict__.get(name)
        if entry is not None and all(map(is_, entry[0], others)):
            return entry[1]
        value = compute(owner, *others)
        owner.__dict__[name] = others, value
        return value

    return cached

"""Values computed once per object, without a lock: columns of pages and blocks, formats of documents, tables of sites.

In Python 3.11, `functools.cached_property` takes one lock per class. If a process forks while another thread computes
such a property, the lock stays locked in the child, which hangs at its first use of the property. No lock is needed
here: the value depends only on an object that does not change, so threads that compute it at the same time get equal
values.

Values are stored in the object's `__dict__`; `dataclasses.replace` does not copy them.
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
        value = instance.__dict__[self.name] = self.compute(instance)  # from now on, Python finds the value there
        return value


cached_property = CachedProperty
"""The decorator, named as in `functools`."""


def state_without_cache(instance: Any, /) -> dict[str, Any]:
    """Return the fields of a dataclass instance, without the values that are cached with it: its `__getstate__`."""
    return {name: instance.__dict__[name] for name in instance.__dataclass_fields__}


def cached_per_object(compute: Callable[[Owner, *Others], Value]) -> Callable[[Owner, *Others], Value]:
    """Decorate a function of an object, so that the object stores the result.

    Use it for values that a module derives from objects of a lower layer, such as the words that `site` finds in
    `Blocks`. If the function has further arguments, only the result for the latest ones is stored; they are compared by
    identity. The result must not refer to the object, because that would make a cycle that only the garbage collector
    can free.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def cached(owner: Owner, *others: *Others) -> Value:
        entry: tuple[tuple[object, ...], Value] | None = owner.__dict__.get(name)
        if entry is not None and (not others or all(map(is_, entry[0], others))):
            return entry[1]
        value = compute(owner, *others)
        owner.__dict__[name] = others, value
        return value

    return cached

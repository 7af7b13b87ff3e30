"""Values computed once per object, without a lock: columns of pages and blocks, formats of documents, tables of sites.

In Python 3.11, `functools.cached_property` takes one lock per class. If a process forks while another thread computes
such a property, the lock stays locked in the child, which hangs at its first use of the property. No lock is needed
here: the value depends only on an object that does not change, so threads that compute it at the same time get equal
values.

Values are stored in the object's `__dict__`; `dataclasses.replace` does not copy them.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, Generic, Self, TypeVar, TypeVarTuple, overload

Key = TypeVar("Key")
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


class Latest(Generic[Key, Value]):
    """The values that were used last; safe to use from several threads.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; one that is made meanwhile, which may take long, keeps no other thread waiting."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        return self.put(key, make())

    def once(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, the same one in all threads; others wait while it is made."""
        with self._lock:
            value = self._values.pop(key) if key in self._values else make()
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def put(self, key: Key, value: Value) -> Value:
        """Store a value and return it."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()

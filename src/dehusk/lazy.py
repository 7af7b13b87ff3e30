"""Classes and patterns whose machinery is made when it is first used, so that importing a module stays cheap.

Half the time of `import dehusk` was `dataclasses` writing methods that most runs never call, and `re` compiling
patterns that most pages never need. What a first page imports takes both from here:

    from dehusk.lazy import dataclass, pattern

`dataclass` is `dataclasses.dataclass`, without its rarer parameters; `fields`, `replace`, `asdict` and `field` of
`dataclasses` work as usual. `pattern` is `re.compile`.

Threads may come at the same time, so there are two locks. Modules that are imported at a first use are imported under
`IMPORTING`: threads that import a package and one of its modules wait for each other, and Python then gives one of them
half a module. Classes get their methods under a lock of their own, because a module that is being imported may make
instances.
"""

from __future__ import annotations

import dataclasses
import os
import re
from _thread import RLock  # as `threading.RLock`, without the millisecond that importing it takes
from collections.abc import Callable
from typing import Any, AnyStr, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")

_FIELDS = "__dataclass_fields__"

IMPORTING = RLock()
"""Held while modules are imported that are not needed by every use of dehusk, and while a compiled module takes what it
needs from modules of Python. No module may take it, or call a kernel, while it is imported itself: another thread may
hold this lock and wait for that import."""
_CLASSES = RLock()


def _acquire() -> None:
    IMPORTING.acquire()
    _CLASSES.acquire()


def _release() -> None:
    _CLASSES.release()
    IMPORTING.release()


if hasattr(os, "register_at_fork"):  # a child must not begin with a lock that another thread of its parent holds
    os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)


@overload
def dataclass(cls: type[T], /) -> type[T]: ...
@overload
def dataclass(
    *, frozen: bool = False, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    cls: type[T] | None = None,
    /,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002 (named as in `dataclasses`)
    kw_only: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a dataclass; its `__init__` is written when it gets its first instance.

    Args:
        cls: the class, if the decorator has no arguments.
        frozen: whether its attributes cannot be assigned; then it is hashable if it has `eq`.
        eq: whether instances with equal fields are equal.
        repr: whether its repr shows its fields.
        kw_only: whether `__init__` takes keyword arguments alone.
    """

    def declare(cls: type[T]) -> type[T]:
        own: dict[str, Any] = {_FIELDS: _LateFields(cls, kw_only=kw_only), "__init__": _first_init(cls)}
        if frozen:
            own |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        if repr:
            own["__repr__"] = _repr
        if eq:
            own |= {"__eq__": _equal, "__hash__": _hash if frozen else None}
        for name, value in own.items():
            if name == "__hash__" or name not in cls.__dict__:
                setattr(cls, name, value)
        return cls

    return declare if cls is None else declare(cls)


class _LateFields:
    """Stands for `__dataclass_fields__` of a class until somebody reads it."""

    def __init__(self, owner: type, *, kw_only: bool) -> None:
        self.owner, self.kw_only = owner, kw_only

    def __get__(self, instance: object, owner: type | None = None) -> dict[str, dataclasses.Field[Any]]:
        with _CLASSES:
            if self.owner.__dict__[_FIELDS] is self:  # then this replaces it
                dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=self.kw_only)(self.owner)
        found: dict[str, dataclasses.Field[Any]] = self.owner.__dict__[_FIELDS]
        return found


def _first_init(owner: Any) -> Callable[..., None]:
    """Return `__init__` of a class without instances: it writes the method that takes its place, and runs it."""

    def first_init(self: Any, /, *args: Any, **options: Any) -> None:
        with _CLASSES:
            if owner.__dict__["__init__"] is first_init:  # no other thread was faster
                owner.__init__ = _init(owner)
        owner.__init__(self, *args, **options)

    return first_init


def _init(owner: Any) -> Callable[..., None]:
    """Return `__init__` for the fields of a class."""
    known: dict[str, Any] = {"assign": object.__setattr__, "missing": dataclasses.MISSING}
    parameters, values = ["self"], []
    for name, field in owner.__dataclass_fields__.items():
        value = name
        if field.default_factory is not dataclasses.MISSING:
            known[f"make_{name}"] = field.default_factory
            value = f"make_{name}()" if not field.init else f"make_{name}() if {name} is missing else {name}"
        if field.init:
            if field.kw_only and "*" not in parameters:
                parameters.append("*")
            parameters.append(_parameter(field, known))
        elif value == name:
            continue  # `__post_init__` sets it
        values.append((name, value))
    frozen = owner.__setattr__ is _refuse_to_set
    lines = [f"self.{name} = {value}" for name, value in values]
    if frozen:  # one assignment for all
        lines = ["assign(self, '__dict__', {" + ", ".join(f"{name!r}: {value}" for name, value in values) + "})"]
    if hasattr(owner, "__post_init__"):
        lines.append("self.__post_init__()")
    source = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"])
    exec(source, known)  # noqa: S102 (of names of fields, which are identifiers)
    method: Callable[..., None] = known["__init__"]
    method.__qualname__ = f"{owner.__qualname__}.__init__"
    return method


def _parameter(field: dataclasses.Field[Any], known: dict[str, Any]) -> str:
    """Return the parameter of a field as source text; its default is added to the known names."""
    if field.default is not dataclasses.MISSING:
        known[f"default_{field.name}"] = field.default
        return f"{field.name}=default_{field.name}"
    return field.name if field.default_factory is dataclasses.MISSING else f"{field.name}=missing"


def _refuse_to_set(_self: object, name: str, _value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({shown})"


def _equal(self: object, other: object) -> bool:
    return _compared(self) == _compared(other) if type(other) is type(self) else NotImplemented


def _hash(self: object) -> int:
    return hash(_compared(self))


def _compared(value: Any) -> tuple[object, ...]:
    """Return the values of the fields that two instances compare."""
    return tuple([getattr(value, field.name) for field in dataclasses.fields(value) if field.compare])


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a stand-in for `re.compile(source, flags)`, which compiles the pattern when a method is first called.

    The stand-in has the methods and attributes of a pattern. It is no `re.Pattern`: the functions of `re` do not take
    it, and a match's `re` is the pattern behind it.
    """
    return cast("re.Pattern[AnyStr]", LatePattern(source, flags))


class LatePattern:
    """Stands for a pattern; keeps each of its methods once it was asked for, so that later calls cost nothing."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self.source, self.wanted = source, flags

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(re.compile(self.source, self.wanted), name)
        return value

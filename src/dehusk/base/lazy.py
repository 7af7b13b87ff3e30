"""Patterns that are compiled when they are first used, and the lock under which modules are imported late.

Compiling patterns that most pages never need was a good part of the time of `import dehusk`. `pattern` is `re.compile`
without that time:

    from dehusk.base.lazy import pattern

Threads may come at the same time. Modules that are imported at a first use are imported under `IMPORTING`: threads that
import a package and one of its modules wait for each other, and Python then gives one of them half a module.
"""

import os
import re
from _thread import RLock  # as `threading.RLock`, without the millisecond that importing it takes
from typing import Any, AnyStr, cast

IMPORTING = RLock()
"""Held while modules are imported that are not needed by every use of dehusk, and while a compiled module takes what it
needs from modules of Python. No module may take it, or call a kernel, while it is imported itself: another thread may
hold this lock and wait for that import."""


if hasattr(os, "register_at_fork"):  # a child must not begin with a lock that another thread of its parent holds
    os.register_at_fork(before=IMPORTING.acquire, after_in_parent=IMPORTING.release, after_in_child=IMPORTING.release)


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a stand-in for `re.compile(source, flags)`, which compiles the pattern when a method is first called.

    A group is repeated without backtracking as `(?>(?:…)*)`, never as `(?:…)*+`, which Python 3.11.2 matches wrongly.

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

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle it by its source: an instance that is still empty has no attributes to look up."""
        return LatePattern, (self.source, self.wanted)

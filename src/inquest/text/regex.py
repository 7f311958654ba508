"""Regular expressions that are compiled when they are first used.

Compiling the thousand patterns of the package takes a third of a second before the first question outside is asked,
and a case uses some of them. So patterns of modules are written with `regex` in place of `re.compile`.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

__all__ = ["regex"]


class _Uncompiled:
    """A pattern not compiled yet. What is asked of it is fetched from the compiled one, and from then on its own."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self.pattern, self._flags), name)
        # Found without `__getattr__` next time, at the speed of the compiled pattern.
        setattr(self, name, value)
        return value


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but compiled at its first use, where a faulty one raises re.error. It is no instance of
    `re.Pattern`, and the functions of `re` do not take it: call its methods."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(pattern, flags))

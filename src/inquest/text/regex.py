"""Regular expressions that are compiled on first use.

Compiling the thousand patterns of the package would delay the first request by a third of a second, and a case uses
only some of them. Module-level patterns therefore use `regex` instead of `re.compile`."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Uncompiled:
    """A pattern that is compiled on first access; attributes of the compiled pattern are then cached."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but compiled on first use, when an invalid pattern raises re.error. The result is not an
    `re.Pattern` and cannot be passed to the functions of `re`: call its methods."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(pattern, flags))

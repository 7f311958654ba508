"""A cache of what was made of cases that have ended: pages, reports and JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from inquest.domain.case import Case

_MOST = 128
T = TypeVar("T")


class Kept:
    """The contents made last, by the case as it was read and everything else that they depend on. Whoever asks reads
    these first, so a change of any of them shows at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Case, Any]] = OrderedDict()

    def get(self, case: Case, rest: Hashable, make: Callable[[], T], *, anew: bool = False) -> T:
        """Return the content, made by `make` if it is not cached, if the case is still running, or if `anew`."""
        if not case.status.ended:
            return make()
        key = id(case), rest  # the entry holds the case, so that no other can have its id
        known = None if anew else self._kept.get(key)
        self._kept[key] = found = known or (case, make())
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        made: T = found[1]
        return made

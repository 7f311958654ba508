"""Cases that were read lately and have ended: whoever looks at a case looks at several of its parts."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from inquest.domain.case import Case

_MOST = 8
"""Cases; a large one takes some megabytes."""


class KnownCases:
    """By id, each with the version of the row that it was read from: another version is another case."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[int, Case]] = OrderedDict()
        self._lock = Lock()
        """Readers are threads."""

    def find(self, case_id: str, version: int) -> Case | None:
        """The case as of this version; None: it is to be read."""
        with self._lock:
            kept = self._known.get(case_id)
            if kept is None or kept[0] != version:
                return None
            self._known.move_to_end(case_id)
            return kept[1]

    def keep(self, case: Case, version: int) -> None:
        """Remember it, if it has ended: one that is at work changes with every step."""
        if case.status.ended:
            with self._lock:
                self._known[case.id] = version, case
                self._known.move_to_end(case.id)
                while len(self._known) > _MOST:
                    self._known.popitem(last=False)

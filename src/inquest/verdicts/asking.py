"""What should have been asked and could not be: 'not found' is never 'could not ask'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquest.domain.english import count, listed
from inquest.domain.report import OutageNote
from inquest.domain.source import Source

__all__ = ["Unasked", "unasked"]

_NAMED = 3
_ANSWERED = frozenset(("page", "storage", "registry", "reranker", "desk"))
"""Kinds of outage that leave no question of a claim unasked: a page that could not be read is one hit fewer, and a desk
that is not installed is said of the claims that it was for."""


@dataclass(frozen=True)
class Unasked:
    """Names of what could not be asked; `all`: nothing else was asked either, so that nothing could be found."""

    names: tuple[str, ...] = ()
    pages: int = 0
    """Pages that search brought and that could not be read."""
    all: bool = False

    @property
    def words(self) -> str:
        """'gdelt and brave could not be asked and two pages could not be read'; '' where nothing is missing."""
        shown = [*self.names[:_NAMED], *([f"{len(self.names) - _NAMED} more"] if len(self.names) > _NAMED else [])]
        said = [f"{listed(shown)} could not be asked"] if shown else []
        said += [f"{count(self.pages, 'page')} could not be read"] if self.pages else []
        return listed(said)


def unasked(
    engines: Sequence[str], sources: Iterable[Source], outages: Iterable[OutageNote], *, searches: int | None = None
) -> Unasked:
    """What the outages of a case leave unasked. `engines`: those of the plan; `searches`: how many were made, where
    that is known. An engine that brought a source was asked, whatever failed later."""
    notes = list(outages)
    names = dict.fromkeys(name for note in notes if note.what not in _ANSWERED for name in note.names or (note.where,))
    pages = len({note.where for note in notes if note.what == "page"})
    found = list(sources)
    answered = {name for source in found for name in source.engines}
    none_answered = bool(names) and not answered and all(name in names for name in engines)
    nobody = searches == 0 and not answered and not any(source.user_provided for source in found)
    return Unasked(tuple(names), pages, none_answered or nobody)

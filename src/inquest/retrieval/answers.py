"""What engines gave for the searches of a plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inquest.domain.errors import EngineError
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit, Query
from inquest.retrieval.failover import Failed
from inquest.retrieval.reading import PageRead


@dataclass(frozen=True)
class Search:
    """A query that the plan puts to an engine."""

    engine: str
    query: Query


@dataclass(frozen=True)
class Attempt:
    """What one engine gave for a query, or why it gave nothing."""

    engine: str
    query: Query
    hits: list[Hit]
    outages: tuple[OutageNote, ...] = ()
    """That it could not be asked, or that the article behind a link of its could not be looked for."""
    added: tuple[str, ...] = ()
    """Queries that were not in the plan, in words."""
    answered: bool = True
    error: EngineError | None = None


@dataclass(frozen=True)
class Answer:
    """What a search came to: the engine that the plan has for it, then those that were asked in its place."""

    attempts: tuple[Attempt, ...]
    beside: tuple[str, ...] = ()
    """Who is asked the same query anyway and searches what the engine searches."""

    @property
    def hits(self) -> list[Hit]:
        return self.attempts[-1].hits

    @property
    def answered(self) -> bool:
        return self.attempts[-1].answered

    @property
    def outages(self) -> list[OutageNote]:
        return [note for each in self.attempts for note in each.outages]

    @property
    def failed(self) -> list[Failed]:
        """Those that could not answer, with who was asked next."""
        following = [*(each.engine for each in self.attempts[1:]), None]
        return [
            Failed(each.engine, each.error, after, self.beside)
            for each, after in zip(self.attempts, following, strict=True)
            if each.error is not None
        ]


@dataclass(frozen=True)
class AskedAll:
    """Every answer in the order of the plan, and the engines that were not asked before the case ended."""

    answers: list[Answer]
    unasked: list[OutageNote]

    @property
    def attempts(self) -> list[Attempt]:
        """What every engine gave for every query, each once."""
        each_once = {(each.engine, each.query): each for answer in self.answers for each in answer.attempts}
        return list(each_once.values())

    @property
    def failed(self) -> list[Failed]:
        return [each for answer in self.answers for each in answer.failed]

    @property
    def outages(self) -> list[OutageNote]:
        return [*self.unasked, *(note for each in self.attempts for note in each.outages)]


@dataclass(frozen=True)
class Found:
    """What was found and read for one claim."""

    answers: list[Answer]
    """In the order of its searches."""
    pages: list[PageRead]
    """Those that were chosen, read or not, each with what led to it for this claim."""

    @property
    def hits(self) -> list[Hit]:
        return [hit for answer in self.answers for hit in answer.hits]

    @property
    def read(self) -> list[PageRead]:
        return [page for page in self.pages if page.document is not None]

    @property
    def outages(self) -> tuple[OutageNote, ...]:
        """What could not be asked or read, the same trouble once."""
        once: dict[tuple[str, str, str], OutageNote] = {}
        for note in (*_notes(self.answers), *(note for page in self.pages for note in page.outages)):
            once.setdefault(note.trouble, note)
        return tuple(once.values())

    @property
    def coverage(self) -> Coverage:
        """How far engines answered and pages could be read."""
        out = dict.fromkeys(name for note in _notes(self.answers) for name in (note.names or (note.where,)))
        return Coverage(
            answered=sum(answer.answered for answer in self.answers),
            out=tuple(out),
            unread=sum(page.document is None and bool(page.outages) for page in self.pages),
            read=sum(not page.outages for page in self.pages),
        )


def _notes(answers: Iterable[Answer]) -> list[OutageNote]:
    return [note for answer in answers for note in answer.outages]

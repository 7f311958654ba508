"""Answers of engines to the searches of a plan, and the pages read for a claim."""

from __future__ import annotations

from dataclasses import dataclass

from inquest.domain.errors import EngineError
from inquest.domain.reasons import Reason
from inquest.domain.report import Coverage, OutageNote
from inquest.domain.search import Hit, Query
from inquest.domain.value import firsts
from inquest.retrieval.failover import Failed
from inquest.retrieval.reading import PageRead


@dataclass(frozen=True)
class Search:
    """A query that the plan assigns to an engine."""

    engine: str
    query: Query


@dataclass(frozen=True)
class Attempt:
    """The hits of one engine for a query, or the reason why there are none."""

    engine: str
    query: Query
    hits: list[Hit]
    outages: tuple[OutageNote, ...] = ()
    """Outages of the engine, or of the search for an article behind one of its links."""
    added: tuple[Reason, ...] = ()
    """Queries that were not in the plan."""
    answered: bool = True
    error: EngineError | None = None


@dataclass(frozen=True)
class Answer:
    """The attempts of one search: by the planned engine, then by those that replaced it."""

    attempts: tuple[Attempt, ...]
    beside: tuple[str, ...] = ()
    """Engines of the same kind that get the same query anyway."""

    @property
    def hits(self) -> list[Hit]:
        return self.attempts[-1].hits

    @property
    def answered(self) -> bool:
        return self.attempts[-1].answered

    @property
    def outages(self) -> list[OutageNote]:
        return [note for attempt in self.attempts for note in attempt.outages]

    @property
    def failed(self) -> list[Failed]:
        """Engines that could not answer, with the engine that was asked next."""
        following = [*(attempt.engine for attempt in self.attempts[1:]), None]
        return [
            Failed(attempt.engine, attempt.error, after, self.beside)
            for attempt, after in zip(self.attempts, following, strict=True)
            if attempt.error is not None
        ]


@dataclass(frozen=True)
class AskedAll:
    """Every answer in the order of the plan, and the engines that were not asked before the case ended."""

    answers: list[Answer]
    unasked: list[OutageNote]

    @property
    def attempts(self) -> list[Attempt]:
        """Attempts without repetitions of an engine and query."""
        return list({(each.engine, each.query): each for answer in self.answers for each in answer.attempts}.values())

    @property
    def failed(self) -> list[Failed]:
        return [failed for answer in self.answers for failed in answer.failed]

    @property
    def outages(self) -> list[OutageNote]:
        return [*self.unasked, *(note for attempt in self.attempts for note in attempt.outages)]


@dataclass(frozen=True)
class Found:
    """Answers and pages for one claim."""

    answers: list[Answer]
    """In the order of its searches."""
    pages: list[PageRead]
    """The chosen pages, read or not, each with the lead to it for this claim."""

    @property
    def hits(self) -> list[Hit]:
        return [hit for answer in self.answers for hit in answer.hits]

    @property
    def read(self) -> list[PageRead]:
        return [page for page in self.pages if page.document is not None]

    @property
    def outages(self) -> tuple[OutageNote, ...]:
        """Outages of engines and pages, without repetitions."""
        notes = (*self._engine_outages, *(note for page in self.pages for note in page.outages))
        return tuple(firsts((note.trouble, note) for note in notes).values())

    @property
    def coverage(self) -> Coverage:
        """The share of engines that answered and of pages that could be read."""
        return Coverage(
            answered=sum(answer.answered for answer in self.answers),
            out=tuple(dict.fromkeys(name for note in self._engine_outages for name in (note.names or (note.title,)))),
            unread=tuple(note.where for page in self.pages if page.document is None for note in page.outages[:1]),
            read=sum(not page.outages for page in self.pages),
        )

    @property
    def _engine_outages(self) -> list[OutageNote]:
        return [note for answer in self.answers for note in answer.outages]

"""A desk behind a guard: an exception or a wrong return value of its code becomes a reported failure.

Desks may be third-party code. A defect in one loses only the result of that call: the other desks continue, and the
report names the failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from inquest.domain.check import DeskQuery, DeskStatus, InfoRequest, InfoResponse, Progress, Reinvestigation
from inquest.domain.claim import Claim
from inquest.domain.errors import Outage
from inquest.domain.event import Stage
from inquest.domain.finding import Finding
from inquest.domain.report import OutageNote
from inquest.flow.services import Services
from inquest.kit.desk import Desk, DeskEvent, DeskSpec, Drafted, FindingDraft, Results, Subject, Taken
from inquest.text.sentences import shorten

T = TypeVar("T")

_RESERVED = frozenset(("type", "text", "stage", "agent_name", "marker"))
"""Keys that the flow sets on every event; a desk must not use them in its data."""


class GuardedDesk:
    """One desk for one piece of work. Its methods are those of `Desk`; all but `findings` return an empty value if the
    desk fails, and `failed` describes the failures."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._failures: dict[str, None] = {}

    @property
    def spec(self) -> DeskSpec:
        """The declaration of the desk."""
        return self._desk.spec

    @property
    def failed(self) -> str:
        """The failures in sentences, each once; '': none."""
        return " ".join(self._failures)

    async def outages(self, services: Services, stage: Stage) -> tuple[OutageNote, ...]:
        """Report each failure and return the notes to keep with the case."""
        return tuple(
            [await services.outage("investigation", self.spec.name, Outage(why), stage) for why in self._failures]
        )

    def statuses(self) -> tuple[DeskStatus, ...]:
        """The error status of a desk that failed, to be added to those of its other work; else ()."""
        status = DeskStatus(desk=self.spec.name, status=Progress.ERROR, error=self.failed)
        return (status,) if self._failures else ()

    def attempt(self, failing: str, call: Callable[[], T], otherwise: T) -> T:
        """Return the result of the call; if it raises, `otherwise`, and record a failure that begins with `failing`."""
        try:
            return call()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - third-party code can raise anything at all
            message, name = shorten(str(error), 200), type(error).__name__
            self._failures[f"{failing} ({name}: {message})." if message else f"{failing} ({name})."] = None
            return otherwise

    def takes(self, claim: Claim, subject: Subject) -> Taken | None:
        """`Desk.takes`; None if it fails."""
        failing = "It could not decide whether to take a claim"
        return self.attempt(failing, lambda: _maybe(self._desk.takes(claim, subject), Taken), None)

    def queries(
        self, claims: Sequence[Claim], subject: Subject, *, drafted: Drafted, again: Mapping[str, Reinvestigation]
    ) -> tuple[DeskQuery, ...]:
        """`Desk.queries`; () if it fails."""
        call = partial(self._desk.queries, claims, subject, drafted=drafted, again=again)
        return self.attempt("It could not plan its queries", lambda: self._own(call()), ())

    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """`Desk.findings`, with its exceptions: call it inside `attempt`, together with the use of the drafts."""
        return _all(self._desk.findings(claim, subject, results), FindingDraft)

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """`Desk.requests`; () if it fails."""
        failing = f"It could not say what to ask other desks about claim {claim.id}"
        return self.attempt(failing, lambda: _all(self._desk.requests(claim, subject, findings), InfoRequest), ())

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """`Desk.queries_for`; () if it fails."""
        failing = f"It could not plan its queries for {request.asked_by}"
        return self.attempt(failing, lambda: self._own(self._desk.queries_for(request, claim, subject)), ())

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """`Desk.respond`; None if it fails."""
        call = partial(self._desk.respond, request, claim, subject, found)
        return self.attempt(f"The answer to {request.asked_by} failed", lambda: _maybe(call(), InfoResponse), None)

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """`Desk.events`; () if it fails."""

        def sendable() -> tuple[DeskEvent, ...]:
            events = _all(self._desk.events(claim, findings, results), DeskEvent)
            for event in events:
                if taken := _RESERVED & set(event.data):
                    raise ValueError(f"its data contain {', '.join(sorted(taken))}, which the event itself sets")
            return events

        return self.attempt(f"The events on claim {claim.id} could not be reported", sendable, ())

    def _own(self, value: Any) -> tuple[DeskQuery, ...]:
        """Check that the queries carry the name of this desk: others would be attributed to another desk."""
        queries = _all(value, DeskQuery)
        for query in queries:
            if query.desk != self.spec.name:
                raise ValueError(f"a query carries the name of another desk: {query.desk}")
        return queries


def _all(value: Any, kind: type[T]) -> tuple[T, ...]:
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"it returned {_kind(value)}; expected a tuple of {kind.__name__}")
    for item in value:
        if not isinstance(item, kind):
            raise TypeError(f"its result contains {_kind(item)}; expected {kind.__name__}")
    return tuple(value)


def _maybe(value: Any, kind: type[T]) -> T | None:
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"it returned {_kind(value)}; expected {kind.__name__} or None")
    return value


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"

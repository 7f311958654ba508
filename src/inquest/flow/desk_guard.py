"""A desk as the flow asks it: whatever its own code raises, or gives back of a wrong kind, is a sentence and no end.

Desks may be anybody's. A defect of one costs what it was asked for and nothing else: the other desks go on, and the
report says what this one failed at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

_OURS = frozenset(("type", "text", "stage", "agent_name", "marker"))
"""What the flow says of every event; a desk's own data have other names."""


class GuardedDesk:
    """One desk for one piece of work. Its methods are the desk's and never raise; `failures` says what it failed at."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._failures: dict[str, None] = {}

    @property
    def spec(self) -> DeskSpec:
        """What the desk declares."""
        return self._desk.spec

    @property
    def failed(self) -> str:
        """What the desk failed at, each defect once; '': at nothing."""
        return " ".join(self._failures)

    async def outages(self, services: Services, stage: Stage) -> tuple[OutageNote, ...]:
        """The defects, each reported and to be kept with the case."""
        return tuple(
            [await services.outage("investigation", self.spec.name, Outage(why), stage) for why in self._failures]
        )

    def statuses(self) -> tuple[DeskStatus, ...]:
        """The state of the desk after a defect, to be added up with its other work; () where there was none."""
        if not self._failures:
            return ()
        return (DeskStatus(desk=self.spec.name, status=Progress.ERROR, error=self.failed),)

    def attempt(self, failing: str, call: Callable[[], T], otherwise: T) -> T:
        """What the call gives; where the desk's code fails in it, `otherwise`, and a failure beginning with these
        words ("The work on claim C1 failed")."""
        try:
            return call()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code can raise anything at all
            said = shorten(str(error), 200)
            name = type(error).__name__
            self._failures[f"{failing} ({name}: {said})." if said else f"{failing} ({name})."] = None
            return otherwise

    def takes(self, claim: Claim, subject: Subject) -> Taken | None:
        """As the desk's; None where it fails."""
        return self.attempt(
            "It could not say whether it takes a claim",
            lambda: _maybe(self._desk.takes(claim, subject), Taken),
            None,
        )

    def queries(
        self, claims: Sequence[Claim], subject: Subject, *, drafted: Drafted, again: Mapping[str, Reinvestigation]
    ) -> tuple[DeskQuery, ...]:
        """As the desk's; () where it fails."""
        return self.attempt(
            "It could not say what to ask",
            lambda: self._own(self._desk.queries(claims, subject, drafted=drafted, again=again)),
            (),
        )

    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """As the desk's, and raises what it raises: call it in an `attempt`, with what is made of the drafts."""
        return _all(self._desk.findings(claim, subject, results), FindingDraft)

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """As the desk's; () where it fails."""
        return self.attempt(
            f"What others should find out on claim {claim.id} could not be said",
            lambda: _all(self._desk.requests(claim, subject, findings), InfoRequest),
            (),
        )

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """As the desk's; () where it fails."""
        return self.attempt(
            f"It could not say what to ask for {request.asked_by}",
            lambda: self._own(self._desk.queries_for(request, claim, subject)),
            (),
        )

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """As the desk's; None where it fails."""
        return self.attempt(
            f"The answer to {request.asked_by} failed",
            lambda: _maybe(self._desk.respond(request, claim, subject, found), InfoResponse),
            None,
        )

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """As the desk's; () where it fails."""
        return self.attempt(
            f"What happened on claim {claim.id} could not be reported",
            lambda: _sendable(_all(self._desk.events(claim, findings, results), DeskEvent)),
            (),
        )

    def _own(self, given: Any) -> tuple[DeskQuery, ...]:
        """The queries, which a desk asks in its own name alone: another's would be taken for that one's."""
        queries = _all(given, DeskQuery)
        for query in queries:
            if query.desk != self.spec.name:
                raise ValueError(f"a query is in the name of the desk {query.desk}")
        return queries


def _all(given: Any, kind: type[T]) -> tuple[T, ...]:
    if not isinstance(given, (tuple, list)):
        raise TypeError(f"it gave {_kind(given)}, where a tuple of {kind.__name__} is due")
    for each in given:
        if not isinstance(each, kind):
            raise TypeError(f"among what it gave is {_kind(each)}, where {kind.__name__} is due")
    return tuple(given)


def _maybe(given: Any, kind: type[T]) -> T | None:
    if given is not None and not isinstance(given, kind):
        raise TypeError(f"it gave {_kind(given)}, where {kind.__name__} or None is due")
    return given


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _sendable(events: tuple[DeskEvent, ...]) -> tuple[DeskEvent, ...]:
    for each in events:
        if taken := _OURS & set(each.data):
            raise ValueError(f"its data name {', '.join(sorted(taken))}, which the event itself says")
    return events

"""A further round of a case that ended with a report: a new plan is made, and the earlier results are kept until the
round has a result of its own."""

from __future__ import annotations

from collections.abc import Iterator

from inquest.domain.case import Case, CaseStatus, EarlierVerdict, as_before, in_force, is_further
from inquest.domain.drafts import PlanDraft
from inquest.domain.errors import BudgetMet
from inquest.domain.finding import Assessment
from inquest.domain.plan import Approval, Decision, Plan
from inquest.domain.search import Query
from inquest.flow.state import CaseState
from inquest.text.sentences import content_words

MORE_SOURCES = 5
"""Sources that a further round may add."""
_MOST_WORDS = 14
"""Engines drop further words of a query, or find nothing."""


class Further:
    """The further round that a runner is executing. In the first round of a case it has no effect."""

    def __init__(self, case: Case) -> None:
        self._round = case.rounds[-1] if is_further(case) else None
        self._history = case.approvals
        self._in_force = in_force(case.approvals, case.rounds)
        self._failed = False

    @property
    def revisions(self) -> tuple[Approval, ...]:
        """The changes of the plan that were asked for and are not yet approved."""
        return tuple(each for each in self._in_force if each.decision is Decision.REVISE) if self._round else ()

    def approvals(self, state: CaseState) -> tuple[Approval, ...]:
        """Return all decisions on plans of the case, those of earlier rounds first."""
        if self._round is None:
            return state.approvals
        return (*self._history, *state.approvals[len(self._in_force) :])

    def kept(self, case: Case, state: CaseState, status: CaseStatus) -> Case | None:
        """Return the case with its earlier results if the round still runs or has failed, else None."""
        if self._round is None or (status.ended and not self._failed):
            return None
        plan = case.plan if self._failed else state.plan or case.plan
        return case.model_copy(update={"status": status, "plan": plan, "approvals": self.approvals(state)})

    def has_failed(self, status: CaseStatus, met: BudgetMet | None) -> bool:
        """True if the round ended without a result that could replace the earlier one."""
        stopped = met is not None and met.kind == "cancelled"
        return self._round is not None and (stopped or status in (CaseStatus.CANCELLED, CaseStatus.FAILED))

    def as_before(self, case: Case, why: str) -> Case:
        """Return the case as it was before the round, which failed for the reason `why`."""
        self._failed = True
        return as_before(case, why)

    def changes(self, case: Case) -> Iterator[tuple[EarlierVerdict, Assessment]]:
        """Yield each verdict that the round has changed, before and after."""
        if self._round is None:
            return
        by_id: dict[str, Assessment] = {each.claim_id: each for each in case.assessments}
        by_claim = {claim.text: by_id[claim.id] for claim in case.claims if claim.id in by_id}
        for before in self._round.verdicts:
            after = by_claim.get(before.claim)
            if after is not None and after.verdict is not before.verdict:
                yield before, after


def more_asked(state: CaseState) -> tuple[Approval, ...]:
    """Return the requests for further rounds, oldest first."""
    return tuple(each for each in state.approvals if each.about)


def queries_for(asked: Approval, topic: str) -> tuple[Query, ...]:
    """Return the queries of a further round: the request with the words of the claim, and with the topic."""
    queries: dict[str, Query] = {}
    for about in (asked.about, topic):
        words = dict.fromkeys((*content_words(asked.text), *content_words(about)))
        text = " ".join(list(words)[:_MOST_WORDS]) or asked.text
        queries.setdefault(text, Query(text=text, purpose=f"{asked.text} ({asked.about})"))
    return tuple(queries.values())


def further_draft(before: Plan, asked: Approval) -> PlanDraft:
    """Return the earlier plan with the question and queries of a further round added."""
    return PlanDraft(
        topic=before.topic,
        questions=(*before.questions, asked.text),
        queries=(*before.queries, *queries_for(asked, before.topic)),
        source_kinds=before.source_kinds,
    )

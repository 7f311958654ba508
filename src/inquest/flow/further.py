"""A further round of a case that had ended with a report: its plan is made anew, and what was found before stands until
the round has a result of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from inquest.domain.assessment import Assessment
from inquest.domain.case import Case, CaseStatus, EarlierVerdict, as_before, in_force, is_further
from inquest.domain.drafts import PlanDraft
from inquest.domain.errors import BudgetMet
from inquest.domain.plan import Approval, Decision, Plan
from inquest.domain.search import Query
from inquest.flow.state import CaseState
from inquest.text.sentences import content_words

MORE_SOURCES = 5
"""Sources that a further round may add to those of the rounds before."""
_MOST_WORDS = 14
"""Words of a query: engines drop what is longer, or find nothing."""


class Moved(NamedTuple):
    """A verdict that a further round has changed."""

    round: int
    before: EarlierVerdict
    after: Assessment

    @property
    def text(self) -> str:
        """The change in a line."""
        was, now = self.before.verdict.value, self.after.verdict.value
        return f"Round {self.round}: {self.after.claim_id} was {was}, is {now}"


class Further:
    """What a runner has to know of the round that it runs; of a case in its first round it changes nothing."""

    def __init__(self, case: Case) -> None:
        self._round = case.rounds[-1] if is_further(case) else None
        self._history = case.approvals
        self._in_force = in_force(case.approvals, case.rounds)
        self._nothing = False

    @property
    def revisions(self) -> tuple[Approval, ...]:
        """What the plan is asked to change until it is the one to be approved of."""
        return tuple(each for each in self._in_force if each.decision is Decision.REVISE) if self._round else ()

    def approvals(self, state: CaseState) -> tuple[Approval, ...]:
        """All decisions on plans of the case, those of earlier rounds first."""
        if self._round is None:
            return state.approvals
        return (*self._history, *state.approvals[len(self._in_force) :])

    def kept(self, case: Case, state: CaseState, status: CaseStatus) -> Case | None:
        """The case while the round is under way, or when it came to nothing: with all that was found before. None: the
        case is what the state holds."""
        if self._round is None or (status.ended and not self._nothing):
            return None
        plan = case.plan if self._nothing else state.plan or case.plan
        return case.model_copy(update={"status": status, "plan": plan, "approvals": self.approvals(state)})

    def came_to_nothing(self, status: CaseStatus, met: BudgetMet | None) -> bool:
        """Whether the round ended without a result that could stand for the case."""
        stopped = met is not None and met.kind == "cancelled"
        return self._round is not None and (stopped or status in (CaseStatus.CANCELLED, CaseStatus.FAILED))

    def as_before(self, case: Case, why: str) -> Case:
        """The case as it stood before the round, which came to nothing for this reason."""
        self._nothing = True
        return as_before(case, why)

    def changes(self, case: Case) -> Iterator[Moved]:
        """Each verdict that the round has changed."""
        if self._round is None:
            return
        now: dict[str, Assessment] = {each.claim_id: each for each in case.assessments}
        found = {claim.text: now[claim.id] for claim in case.claims if claim.id in now}
        for before in self._round.verdicts:
            after = found.get(before.claim)
            if after is not None and after.verdict is not before.verdict:
                yield Moved(self._round.number, before, after)


def more_asked(state: CaseState) -> tuple[Approval, ...]:
    """What further rounds are asked to find, oldest first."""
    return tuple(each for each in state.approvals if each.about)


def queries_for(asked: Approval, topic: str) -> tuple[Query, ...]:
    """The questions of a further round: what is wanted with what the claim says, and with what the case is about."""
    found: dict[str, Query] = {}
    for about in (asked.about, topic):
        words = dict.fromkeys((*content_words(asked.text), *content_words(about)))
        text = " ".join(list(words)[:_MOST_WORDS]) or asked.text
        found.setdefault(text, Query(text=text, purpose=f"{asked.text} ({asked.about})"))
    return tuple(found.values())


def further_draft(before: Plan, asked: Approval) -> PlanDraft:
    """The plan with what a further round is asked to find, and all that it had."""
    return PlanDraft(
        topic=before.topic,
        questions=(*before.questions, asked.text),
        queries=(*before.queries, *queries_for(asked, before.topic)),
        source_kinds=before.source_kinds,
    )

"""A case as it stood before a further round that came to nothing."""

from __future__ import annotations

from inquest.domain.case import Case, CaseStatus


def is_further(case: Case) -> bool:
    """True while a further round is under way."""
    return bool(case.rounds) and not case.rounds[-1].result and not case.status.ended


def as_before(case: Case, why: str) -> Case:
    """The case with the plan and the end that it had before its last round, which came to nothing for this reason."""
    ended = case.rounds[-1].model_copy(update={"result": why})
    return case.model_copy(
        update={
            "status": CaseStatus(ended.status),
            "why": ended.why,
            "plan": ended.plan,
            "rounds": (*case.rounds[:-1], ended),
        }
    )

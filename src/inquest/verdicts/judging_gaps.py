"""What is missing for a verdict that holds, and whom to send out for what (spec 000 §8.2, 002 §12; `gaps.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from inquest.claims.press_words import called, claim_words, plain_query, years_of
from inquest.domain.assessment import Assessment, PartVerdict, Verdict
from inquest.domain.check import Gap, Reinvestigation, Subject
from inquest.domain.claim import Claim
from inquest.domain.finding import Stance
from inquest.text.phrases import listed, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.judging_checks import failed_checks, passed_checks
from inquest.verdicts.judging_evidence import ClaimEvidence
from inquest.verdicts.judging_parts import open_parts
from inquest.verdicts.votes import Vote

_FIRM, _SURE = 0.7, 0.5
"""Confidence from which a verdict of two independent sources needs nothing more, and from which a vote weighs."""
_LONGEST_QUERY = 120
"""Characters."""
_ACADEMIC = "academic"


@lru_cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files("inquest.verdicts") / "gaps.toml").read_text("utf-8"))


def gap_of(
    claim: Claim,
    assessment: Assessment,
    evidence: ClaimEvidence,
    subject: Subject,
    *,
    desks: Sequence[str],
    iteration: int,
) -> Reinvestigation | None:
    """What the judge asks for in the next round; None where the verdict is firm, nobody is there to be sent, or the
    round that has just ended brought nothing on this claim although it was asked for more. `desks`: those that looked
    at the claim and can be sent again; `iteration`: the round that has ended, from 1."""
    if not desks or (iteration > 1 and not _added(evidence, iteration)):
        return None
    left = open_parts(assessment)
    gap = Gap.NOTHING_FOUND if left else _gap(assessment, evidence, desks)
    if gap is None:
        return None
    # What is open in the claim is searched for, and not again what is decided.
    about = claim.model_copy(update={"text": left[0].words, "dates": ()}) if left else claim
    row = _table()[gap.value]
    year = evidence.period.year
    words = {
        "who": subject.company or "those whom it is about",
        "since": f" of {year} or later" if year else "",
        "period": f"what it says of {year}" if year else "its time",
    }
    return Reinvestigation(
        claim_id=claim.id,
        desks=_sent(row["desks"], desks),
        gap=gap,
        evidence_gap=_of_parts(left) if left else row[_case(gap, assessment, evidence)].format_map(words),
        refined_queries=_queries(row["queries"], about, evidence, subject),
        required_evidence=row["required"].format_map(words),
        iteration=iteration + 1,
    )


def would_change(assessment: Assessment, evidence: ClaimEvidence, company: str) -> tuple[str, ...]:
    """One to three sentences: what evidence would change the verdict."""
    verdict, year, failed = assessment.verdict, evidence.period.year, failed_checks(evidence.checks)
    said: list[str] = [verdict.value]
    left = open_parts(assessment)
    if verdict is Verdict.UNVERIFIED:
        said += ["too_old"] if evidence.too_old and year else ["criterion_met"] if failed else []
    elif left:
        said = ["open_parts"]
    elif verdict is Verdict.PARTIALLY_TRUE and set(assessment.contradicting) <= {each.id for each in failed}:
        said = ["partially_true_by_check"]
    if not evidence.cast and verdict is Verdict.CONTRADICTED:
        said = ["contradicted_by_check"]
    elif assessment.single_source and verdict is not Verdict.UNVERIFIED:
        said.append("single_part" if assessment.parts else "single")
    if evidence.aged and year and verdict is not Verdict.UNVERIFIED:
        said.append("aged")
    words = {"who": company or "those whom it is about", "year": str(year), "parts": _named(left)}
    return tuple(_table()["would_change"][each].format_map(words) for each in said)


def _added(evidence: ClaimEvidence, iteration: int) -> bool:
    decided = (Stance.SUPPORTS, Stance.CONTRADICTS)
    return any(
        each.iteration == iteration and each.stance in decided for each in (*evidence.witnesses, *evidence.checks)
    )


def _gap(assessment: Assessment, evidence: ClaimEvidence, desks: Sequence[str]) -> Gap | None:
    if _is_firm(assessment, evidence):
        return None
    decided = [vote for vote in evidence.cast if not vote.party and vote.stance is not Stance.NEUTRAL]
    if not decided:
        return _nothing_independent(evidence, desks)
    aged = bool(evidence.aged) and all({each.id for each in vote.findings} <= set(evidence.aged) for vote in decided)
    best = min((vote.tier for vote in decided if _weighs(vote)), default=9)
    disputed = assessment.verdict is Verdict.DISPUTED
    rules = (
        (disputed and best == 1, None),
        (disputed, Gap.QUALITY),
        (aged, Gap.RECENCY),
        (best > 2, Gap.QUALITY),
        (assessment.single_source, Gap.INDEPENDENCE),
        (assessment.verdict is Verdict.UNVERIFIED, Gap.OTHER_SIDE),
        (_lacks_literature(evidence, desks), Gap.TECHNICAL),
    )
    return next((gap for holds, gap in rules if holds), None)


def _nothing_independent(evidence: ClaimEvidence, desks: Sequence[str]) -> Gap:
    if evidence.too_old:
        return Gap.RECENCY
    if evidence.cast:
        return Gap.OTHER_SIDE
    read = [each for each in evidence.witnesses if each.stance is Stance.NEUTRAL]
    return Gap.TECHNICAL if read and _lacks_literature(evidence, desks) else Gap.NOTHING_FOUND


def _is_firm(assessment: Assessment, evidence: ClaimEvidence) -> bool:
    """Two independent sources that are sure, one of them credible, or one official document: nothing more is to be
    expected."""
    if assessment.verdict in (Verdict.UNVERIFIED, Verdict.DISPUTED) or assessment.confidence < _FIRM:
        return False
    credible = any(vote.tier <= 2 and _weighs(vote) for vote in evidence.cast)
    return (credible and assessment.independent_sources >= 2) or any(vote.official for vote in evidence.cast)


def _lacks_literature(evidence: ClaimEvidence, desks: Sequence[str]) -> bool:
    if _ACADEMIC not in desks:
        return False
    literature = [each for each in evidence.witnesses if each.evidence_type == "academic_source"]
    return not (literature or evidence.general or passed_checks(evidence.checks) or failed_checks(evidence.checks))


def _weighs(vote: Vote) -> bool:
    return vote.confidence >= _SURE and not vote.hearsay


def _case(gap: Gap, assessment: Assessment, evidence: ClaimEvidence) -> str:
    """Which of a gap's sentences fits."""
    if gap is Gap.QUALITY and assessment.verdict is Verdict.DISPUTED:
        return "disputed"
    if gap is Gap.OTHER_SIDE and evidence.cast and all(vote.party for vote in evidence.cast):
        return "only_party"
    return "said"


def _sent(able: Sequence[str], desks: Sequence[str]) -> tuple[str, ...]:
    """Those that can close the gap; all of them, where none of those looked at the claim."""
    return tuple(name for name in desks if name in able) or tuple(dict.fromkeys(desks))


def _of_parts(parts: Sequence[PartVerdict]) -> str:
    verb = "was found, or too little," if any(each.supporting or each.contradicting for each in parts) else "was found"
    return f"Nothing {verb} on {_named(parts)}, which the claim states too."


def _named(parts: Sequence[PartVerdict]) -> str:
    return listed([quoted(each.words) for each in parts])


def _queries(written: Sequence[str], claim: Claim, evidence: ClaimEvidence, subject: Subject) -> tuple[str, ...]:
    """Two or three, in plain words that every engine takes, with the claim's own year or the report's; for an aim, the
    year that is aimed at."""
    spoken = claim_words(claim, subject.company)
    terms = " ".join(spoken.terms)
    words = {
        "name": called(subject.company, subject.industry),
        "terms": terms,
        "topic": " ".join(spoken.topic) or terms,
        "core": " ".join(spoken.core) or terms,
        "apart": " ".join(dict.fromkeys((*spoken.places, *(spoken.core or spoken.terms)))),
        "year": str(evidence.period.year or max(years_of(claim), default="")),
        "industry": subject.industry,
    }
    plain = [plain_query(shorten(each.format_map(words), _LONGEST_QUERY).rstrip("…")) for each in written]
    return tuple(dict.fromkeys(each for each in plain if each))[:3]

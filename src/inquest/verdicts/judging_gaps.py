"""Obstacles to a firm verdict: gaps in the evidence with the desks that can search for it (spec 000 §8.2, 002
§12), and engines and pages that could not be read, which are not to be mistaken for absence of evidence."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.press_words import called, claim_words, plain_query, years_of
from inquest.domain.check import Gap, Reinvestigation, Subject
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, PartVerdict, Stance, Verdict
from inquest.domain.reasons import Reason, as_written, in_words, sentence, worded
from inquest.domain.report import Coverage
from inquest.text.lexicon import table
from inquest.text.phrases import quoted
from inquest.text.sentences import shorten
from inquest.verdicts.judging_evidence import ClaimEvidence, failed_checks, passed_checks
from inquest.verdicts.votes import Vote
from inquest.verdicts.weighing_reasons import reason, reasoned

_FIRM, _SURE = 0.7, 0.5
"""Confidence from which a verdict of two independent sources needs nothing more, and from which a vote counts."""
_LONGEST_QUERY = 120
_NOTHING_FOUND = frozenset(("verdicts.nothing_found", "verdicts.none_bears", "verdicts.one_bears_not"))
_NAMED = 4
"""Engines that a sentence names before 'and n others'."""


def gap_of(
    claim: Claim,
    assessment: Assessment,
    evidence: ClaimEvidence,
    subject: Subject,
    *,
    desks: Sequence[str],
    iteration: int,
) -> Reinvestigation | None:
    """Return what the judge requests for the next round.

    None if the verdict is firm, no desk can search again, or the round that has ended was requested too and added
    nothing on this claim. `desks`: those that looked at the claim and can search again; `iteration`: the round that has
    ended, from 1.
    """
    decides = (each.stance.decides for each in (*evidence.witnesses, *evidence.checks) if each.iteration == iteration)
    if not desks or (iteration > 1 and not any(decides)):
        return None
    undecided = open_parts(assessment)
    gap = Gap.NOTHING_FOUND if undecided else _gap(assessment, evidence, desks)
    if gap is None:
        return None
    # Search only for the part of the claim that is undecided.
    about = claim.model_copy(update={"text": undecided[0].words, "dates": ()}) if undecided else claim
    row = table("inquest.verdicts", "gaps")[gap.value]
    year = evidence.period.year
    said = f"gap_{gap.value}{_case(gap, assessment, evidence, year)}"
    little = any(part.supporting or part.contradicting for part in undecided)
    parts = reason(f"gap_parts{'_little' if little else ''}", parts=[quoted(part.words) for part in undecided])
    missing = sentence(parts if undecided else _gap_reason(said, subject.company, year))
    dated = gap in (Gap.NOTHING_FOUND, Gap.RECENCY) and year
    needed = sentence(_gap_reason(f"need_{gap.value}{'_of_year' if dated else ''}", subject.company, year))
    able = tuple(name for name in desks if name in row["desks"])
    return Reinvestigation(
        claim_id=claim.id,
        desks=able or tuple(dict.fromkeys(desks)),
        gap=gap,
        evidence_gap=in_words(missing),
        evidence_gap_code=missing,
        refined_queries=_queries(row["queries"], about, evidence, subject),
        required_evidence=in_words(needed),
        required_evidence_code=needed,
        iteration=iteration + 1,
    )


def open_parts(assessment: Assessment) -> tuple[PartVerdict, ...]:
    """Return the parts without a verdict."""
    return tuple(part for part in assessment.parts if part.verdict is Verdict.UNVERIFIED)


def would_change(assessment: Assessment, evidence: ClaimEvidence, company: str) -> tuple[Reason, ...]:
    """Return one to three sentences on the evidence that would change the verdict."""
    verdict, year, failed = assessment.verdict, evidence.period.year, failed_checks(evidence.checks)
    unverified = verdict is Verdict.UNVERIFIED
    undecided = open_parts(assessment)
    in_general = verdict is Verdict.PARTIALLY_TRUE and evidence.general and not assessment.contradicting
    open_key = "unverified" if company else "unverified_unnamed"
    keys: list[str] = [open_key if unverified or in_general else verdict.value]
    if unverified:
        keys += ["too_old"] if evidence.too_old and year else ["criterion_met"] if failed else []
    elif undecided:
        keys = ["open_parts"]
    elif verdict is Verdict.PARTIALLY_TRUE and failed and {*assessment.contradicting} <= {each.id for each in failed}:
        keys = ["partially_true_by_check"]
    if not evidence.cast and verdict is Verdict.CONTRADICTED:
        keys = ["contradicted_by_check"]
    elif assessment.single_source and not unverified:
        keys.append("single_part" if assessment.parts else "single")
    if evidence.aged and year and not unverified:
        keys.append("aged")
    parts = [quoted(part.words) for part in undecided]
    return tuple(reason(f"change_{key}", who=company, year=str(year), parts=parts) for key in keys)


def _gap(assessment: Assessment, evidence: ClaimEvidence, desks: Sequence[str]) -> Gap | None:
    if _is_firm(assessment, evidence):
        return None
    decided = [vote for vote in evidence.cast if not vote.party and vote.stance is not Stance.NEUTRAL]
    if not decided:
        return _nothing_independent(evidence, desks)
    aged = bool(evidence.aged) and all({each.id for each in vote.findings} <= set(evidence.aged) for vote in decided)
    best = min((vote.tier for vote in decided if _counts(vote)), default=9)
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
    neutral = any(finding.stance is Stance.NEUTRAL for finding in evidence.witnesses)
    return Gap.TECHNICAL if neutral and _lacks_literature(evidence, desks) else Gap.NOTHING_FOUND


def _is_firm(assessment: Assessment, evidence: ClaimEvidence) -> bool:
    """True for a confident verdict with two independent sources, one of them credible, or with an official document."""
    if assessment.verdict in (Verdict.UNVERIFIED, Verdict.DISPUTED) or assessment.confidence < _FIRM:
        return False
    credible = any(vote.tier <= 2 and _counts(vote) for vote in evidence.cast)
    return (credible and assessment.independent_sources >= 2) or any(vote.official for vote in evidence.cast)


def _lacks_literature(evidence: ClaimEvidence, desks: Sequence[str]) -> bool:
    literature = any(finding.evidence_type == "academic_source" for finding in evidence.witnesses) or evidence.general
    return "academic" in desks and not (literature or passed_checks(evidence.checks) or failed_checks(evidence.checks))


def _counts(vote: Vote) -> bool:
    return vote.confidence >= _SURE and not vote.hearsay


def _case(gap: Gap, assessment: Assessment, evidence: ClaimEvidence, year: int | None) -> str:
    """Return the case that selects the sentence for the gap."""
    if gap is Gap.QUALITY and assessment.verdict is Verdict.DISPUTED:
        return "_disputed"
    if gap is Gap.OTHER_SIDE and evidence.cast and all(vote.party for vote in evidence.cast):
        return "_only_party"
    return "_of_year" if gap is Gap.RECENCY and year else ""


def _gap_reason(name: str, company: str, year: int | None) -> Reason:
    return reason(name, who=company or reason("those_concerned"), year=str(year))


def _queries(templates: Sequence[str], claim: Claim, evidence: ClaimEvidence, subject: Subject) -> tuple[str, ...]:
    """At most three queries in plain words, with the year of the claim, the report or the target."""
    parsed = claim_words(claim, subject.company)
    terms = " ".join(parsed.terms)
    words = {
        "name": called(subject.company, subject.industry),
        "terms": terms,
        "topic": " ".join(parsed.topic) or terms,
        "core": " ".join(parsed.core) or terms,
        "apart": " ".join(dict.fromkeys((*parsed.places, *(parsed.core or parsed.terms)))),
        "year": str(evidence.period.year or max(years_of(claim), default="")),
        "industry": subject.industry,
    }
    queries = [plain_query(shorten(each.format_map(words), _LONGEST_QUERY).rstrip("…")) for each in templates]
    return tuple(dict.fromkeys(filter(None, queries)))[:3]


def lacking(coverage: Coverage) -> Reason | None:
    """Return what could not be queried or read as the end of a sentence: 'brave and serper could not be queried'."""
    parts = []
    if coverage.out:
        rest = len(coverage.out) - _NAMED
        others = [reason("other_engines", number=rest)] if rest > 0 else []
        engines = [*map(as_written, coverage.out[:_NAMED]), *others]
        parts.append(reason("did_not_answer" if coverage.answered else "could_not_be_asked", engines=engines))
    if coverage.unread:
        parts.append(reason("could_not_be_read", number=len(coverage.unread)))
    return reason("lacking", parts=parts) if parts else None


def could_not_check(claim_id: str, why: Reason) -> Assessment:
    """Return the assessment of a claim that was not checked at all, which differs from one without evidence."""
    return Assessment(
        claim_id=claim_id,
        verdict=Verdict.UNVERIFIED,
        confidence=0.0,
        independent_sources=0,
        **worded((why,)),
        checked=False,
    )


def with_coverage(assessment: Assessment, coverage: Coverage, *, unaided: bool = False) -> Assessment:
    """Return the assessment with what could not be queried or read added to its reasons.

    Without any evidence on the claim, and with no engine that answered or no page that could be read, the claim counts
    as not checked. `unaided`: only the small local model has read the pages, and it misses most paraphrases.
    """
    if not assessment.checked:
        return assessment
    lacks = lacking(coverage)
    decided = assessment.supporting or assessment.contradicting or assessment.verdict is not Verdict.UNVERIFIED
    if lacks and not decided and coverage.nothing_to_judge:
        return could_not_check(assessment.claim_id, reason("could_not_check", lacks=lacks))
    codes = list(assessment.reason_codes)
    suffix = f"{'_unaided' if unaided else ''}{'_and' if lacks else ''}"
    qualified = [
        Reason.of(code.code + suffix, **code.data | ({"lacks": lacks} if lacks else {}))
        if suffix and code.code in _NOTHING_FOUND
        else code
        for code in codes
    ]
    if lacks and assessment.verdict is Verdict.UNVERIFIED and qualified == codes:
        qualified.append(reason("incomplete", lacks=lacks))
    if qualified == codes and not lacks:
        return assessment
    lacking_too = {"lacks": in_words(lacks) if lacks else "", "lacks_code": lacks}
    return reasoned(assessment, qualified).model_copy(update=lacking_too)


def gap_with_coverage(gap: Reinvestigation | None, coverage: Coverage) -> Reinvestigation | None:
    """Return the gap; where nothing was found, its text includes what could not be queried or read."""
    lacks = lacking(coverage)
    if gap is None or gap.evidence_gap_code is None or gap.gap is not Gap.NOTHING_FOUND or not lacks:
        return gap
    (found,) = gap.evidence_gap_code.parts["what"]
    code = sentence(reason("gap_and", gap=found, lacks=lacks) if coverage.answered else lacks)
    return gap.model_copy(update={"evidence_gap": in_words(code), "evidence_gap_code": code})

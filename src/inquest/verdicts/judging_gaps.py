"""What is missing for a verdict that holds, and whom to send out for what (spec 000 §8.2, 002 §12)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from inquest.claims.plan_queries import CONTROVERSY, OFFICIAL
from inquest.claims.press_words import called, claim_words, plain_query, years_of
from inquest.claims.report.words import STANDARDS
from inquest.domain.assessment import Assessment, PartVerdict, Verdict
from inquest.domain.check import Gap, Reinvestigation
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.text.phrases import listed, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.judging_checks import failed_checks, passed_checks
from inquest.verdicts.judging_evidence import Heard
from inquest.verdicts.judging_parts import open_parts
from inquest.verdicts.votes import Vote

__all__ = ["gap_of", "would_change"]

_FIRM = 0.7
"""Confidence from which a verdict of two independent sources needs nothing more."""
_SURE = 0.5
_LONGEST_QUERY = 120
"""Characters."""
_ACADEMIC, _NEWS = "academic", "news"
_TECHNICAL = re.compile(
    r"\b(?:scopes?\s*[123]|CO[2₂]e?|GHG|greenhouse|emissions?|intensity|net[- ]zero|science[- ]based|offsets?|"
    r"credits?|certificates?|guarantees?\s+of\s+origin|renewab\w+|recycl\w+|life[- ]?cycle|efficien\w+|kWh|MWh|GWh|"
    r"technolog\w+)\b",
    re.I,
)
_STRONGER = {
    Verdict.VERIFIED: "A document of a regulator or a court, or independently checked data, that gives another result "
    "would turn it.",
    Verdict.CONTRADICTED: "Independently checked data, or a correction by those who contradict it, would turn it.",
    Verdict.DISPUTED: "An official document or independently checked data on one side would decide it.",
    Verdict.PARTIALLY_TRUE: "It would be verified if a source of the first two tiers bore out the part that is off; "
    "more against it of equal weight would make it contradicted.",
}


def gap_of(
    claim: Claim,
    assessment: Assessment,
    heard: Heard,
    *,
    company: str,
    industry: str,
    desks: Sequence[str],
    iteration: int,
) -> Reinvestigation | None:
    """What the judge asks for in the next round; None where the verdict is firm, nobody is there to be sent, or the
    round that has just ended brought nothing on this claim although it was asked for more.

    `desks`: those that looked at the claim. `iteration`: the round that has ended, from 1.
    """
    if not desks or (iteration > 1 and not _added(heard, iteration)):
        return None
    left = open_parts(assessment)
    gap = Gap.NOTHING_FOUND if left else _gap(claim, assessment, heard, desks)
    if gap is None:
        return None
    # What is open in the claim is searched for, and not again what is decided.
    about = claim.model_copy(update={"text": left[0].words, "dates": ()}) if left else claim
    return Reinvestigation(
        claim_id=claim.id,
        desks=_sent(gap, claim, desks),
        gap=gap,
        evidence_gap=_of_parts(left) if left else _in_words(gap, assessment, heard, company),
        refined_queries=_queries(gap, about, _years(about, heard), company, industry),
        required_evidence=_required(gap, heard, company),
        iteration=iteration + 1,
    )


def would_change(assessment: Assessment, heard: Heard, company: str) -> tuple[str, ...]:
    """One to three sentences: what evidence would change the verdict."""
    verdict = assessment.verdict
    who = company or "the company"
    if verdict is Verdict.UNVERIFIED:
        said = [
            f"One source of the first two tiers, or two independent ones of the third, that says so of {who} would "
            "verify it; the same weight against it would contradict it."
        ]
        if heard.too_old and heard.period.year:
            said.append(f"They must be of {heard.period.year} or later.")
        elif failed_checks(heard.checks):
            said.append("Data that show the published criterion to be met would take away what speaks against it.")
        return tuple(said)
    said = [_STRONGER[verdict]]
    if left := open_parts(assessment):
        said = [f"A source of the first two tiers on {_named(left)} would change it."]
    elif verdict is Verdict.PARTIALLY_TRUE and _by_checks_alone(assessment, heard):
        said = [
            "Data that show the published criterion to be met would verify it; a source against it would weigh more."
        ]
    if not heard.cast and verdict is Verdict.CONTRADICTED:
        said = [
            "An independent source that bears the claim out, or data that meet the published criterion, would turn it."
        ]
    elif assessment.single_source:
        what = "A part of it" if assessment.parts else "It"
        said.append(f"{what} rests on one source: if that is withdrawn or corrected, nothing carries the verdict.")
    if heard.aged and heard.period.year:
        said.append(f"Sources of {heard.period.year} or later would weigh more than the older ones found.")
    return tuple(said)


def _by_checks_alone(assessment: Assessment, heard: Heard) -> bool:
    """Whether nothing but failed checks stands against it."""
    return set(assessment.contradicting) <= {each.id for each in failed_checks(heard.checks)}


def _added(heard: Heard, iteration: int) -> bool:
    return any(each.iteration == iteration and _bears(each) for each in (*heard.witnesses, *heard.checks))


def _bears(finding: Finding) -> bool:
    return finding.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)


def _gap(claim: Claim, assessment: Assessment, heard: Heard, desks: Sequence[str]) -> Gap | None:
    verdict = assessment.verdict
    independent = [vote for vote in heard.cast if not vote.party]
    decided = [vote for vote in independent if vote.stance is not Stance.NEUTRAL]
    if _is_firm(assessment, heard):
        return None
    if not decided:
        return _nothing_independent(claim, heard, desks)
    if verdict is Verdict.DISPUTED:
        return None if any(_weighs(vote, 1) for vote in decided) else Gap.QUALITY
    if decided and heard.aged and all(set(_ids(vote)) <= set(heard.aged) for vote in decided):
        return Gap.RECENCY
    if not any(_weighs(vote, 2) for vote in decided):
        return Gap.QUALITY
    if assessment.single_source:
        return Gap.INDEPENDENCE
    if verdict is Verdict.UNVERIFIED:
        return Gap.OTHER_SIDE
    return Gap.TECHNICAL if _lacks_literature(claim, heard, desks) else None


def _nothing_independent(claim: Claim, heard: Heard, desks: Sequence[str]) -> Gap:
    if heard.too_old:
        return Gap.RECENCY
    if heard.cast:
        return Gap.OTHER_SIDE
    read = [each for each in heard.witnesses if each.stance is Stance.NEUTRAL]
    return Gap.TECHNICAL if read and _lacks_literature(claim, heard, desks) else Gap.NOTHING_FOUND


def _is_firm(assessment: Assessment, heard: Heard) -> bool:
    """Two independent sources that are sure, or one official document: nothing more is to be expected."""
    if assessment.verdict not in (Verdict.VERIFIED, Verdict.CONTRADICTED, Verdict.PARTIALLY_TRUE):
        return False
    if assessment.confidence < _FIRM:
        return False
    # An official document is firm without a second.
    credible = any(_weighs(vote, 2) for vote in heard.cast)
    return (credible and assessment.independent_sources >= 2) or any(vote.official for vote in heard.cast)


def _lacks_literature(claim: Claim, heard: Heard, desks: Sequence[str]) -> bool:
    if _ACADEMIC not in desks or not _is_technical(claim):
        return False
    literature = [each for each in heard.witnesses if each.evidence_type == "academic_source"]
    return not (literature or heard.general or passed_checks(heard.checks) or failed_checks(heard.checks))


def _is_technical(claim: Claim) -> bool:
    return bool(STANDARDS.search(claim.text) or (_TECHNICAL.search(claim.text) and claim.quantities))


def _weighs(vote: Vote, tier: int) -> bool:
    return vote.tier <= tier and vote.confidence >= _SURE and not vote.hearsay


def _ids(vote: Vote) -> list[str]:
    return [each.id for each in vote.findings]


def _sent(gap: Gap, claim: Claim, desks: Sequence[str]) -> tuple[str, ...]:
    """Those that can close the gap; all of them, where none of those looked at the claim."""
    wanted = {
        Gap.TECHNICAL: (_ACADEMIC,),
        Gap.RECENCY: (_NEWS,),
        Gap.OTHER_SIDE: (_NEWS,),
        Gap.QUALITY: (_NEWS, _ACADEMIC) if _is_technical(claim) else (_NEWS,),
        Gap.INDEPENDENCE: (_NEWS, _ACADEMIC) if _is_technical(claim) else (_NEWS,),
    }.get(gap, tuple(desks))
    return tuple(name for name in desks if name in wanted) or tuple(dict.fromkeys(desks))


def _of_parts(parts: Sequence[PartVerdict]) -> str:
    verb = "was found, or too little," if any(each.supporting or each.contradicting for each in parts) else "was found"
    return f"Nothing {verb} on {_named(parts)}, which the claim states too."


def _named(parts: Sequence[PartVerdict]) -> str:
    return listed([quoted(each.words) for each in parts])


def _in_words(gap: Gap, assessment: Assessment, heard: Heard, company: str) -> str:
    year, who = heard.period.year, company or "the company"
    match gap:
        case Gap.NOTHING_FOUND:
            if heard.general:
                return f"Literature bears out the matter in general; nothing was found that says it of {who}."
            return "Nothing was found that bears on the claim."
        case Gap.RECENCY:
            about = f"what it says of {year}" if year else "its time"
            return f"More recent sources are needed: those found are older than {about}."
        case Gap.QUALITY:
            if assessment.verdict is Verdict.DISPUTED:
                return "Credible sources stand on both sides: one of tier 1, an official document above all, is needed."
            return "Better sources are needed: none of those that bear on it and carry weight is of tier 1 or 2."
        case Gap.OTHER_SIDE:
            if heard.cast and all(vote.party for vote in heard.cast):
                return f"Only {who} itself was heard: independent sources that confirm or contradict it are needed."
            return "What was found is one-sided or too weak: evidence of the other side is needed."
        case Gap.INDEPENDENCE:
            return "One witness alone carries it: a second, independent one is needed."
        case Gap.TECHNICAL:
            return "No literature, standard or benchmark was found for a technical claim."


def _required(gap: Gap, heard: Heard, company: str) -> str:
    year, who = heard.period.year, company or "the company"
    since = f" of {year} or later" if year else ""
    page = f"A page{since}, by somebody other than {who}, that speaks of what is claimed."
    required: Mapping[Gap, str] = {
        Gap.NOTHING_FOUND: page,
        Gap.RECENCY: f"Reports or data{since} on what is claimed.",
        Gap.QUALITY: "A regulator's, court's or public body's document, or the report of an established newsroom.",
        Gap.OTHER_SIDE: "What critics, regulators, auditors or investigative reporters say of it.",
        Gap.INDEPENDENCE: "A second report with evidence of its own, not a copy of the first.",
        Gap.TECHNICAL: "Peer-reviewed research, a published standard or a sector benchmark on the matter.",
    }
    return required[gap]


def _years(claim: Claim, heard: Heard) -> str:
    """The year to search for: the claim's own or the report's; for an aim, the year that is aimed at."""
    return str(heard.period.year or max(years_of(claim), default=""))


def _queries(gap: Gap, claim: Claim, year: str, company: str, industry: str) -> tuple[str, ...]:
    """Two or three, in plain words that every engine takes."""
    spoken = claim_words(claim, company)
    name, terms = called(company, industry), " ".join(spoken.terms)
    topic, core = " ".join(spoken.topic) or terms, " ".join(spoken.core) or terms
    written = {
        Gap.NOTHING_FOUND: (f"{name} {terms} {year}", f"{name} {core} {OFFICIAL}", f"{name} {topic} news"),
        Gap.RECENCY: (f"{name} {terms} {year}", f"{name} {topic} report {year}", f"{name} {core} news {year}"),
        Gap.QUALITY: (f"{name} {core} {OFFICIAL}", f"{name} {topic} {year} audited data register"),
        Gap.OTHER_SIDE: (
            f"{name} {core} {CONTROVERSY}",
            f"{name} {topic} NGO regulator greenwashing",
            f"{name} {topic} independent analysis {year}",
        ),
        Gap.INDEPENDENCE: (
            f"{name} {terms} {year}",
            f"{name} {topic} independent analysis",
            f"{name} {core} {OFFICIAL}",
        ),
        Gap.TECHNICAL: (
            f"{terms} peer-reviewed study",
            f"{topic} standard guidance criteria",
            f"{industry} {topic} sector benchmark {year}",
        ),
    }[gap]
    plain = [plain_query(shorten(each, _LONGEST_QUERY).rstrip("…")) for each in written]
    return tuple(dict.fromkeys(each for each in plain if each))[:3]

"""What the news desk asks of other desks, and what it looks for when they ask (spec 000, §7)."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.brief_reading import key_terms
from inquest.claims.environmental import GROUPS
from inquest.claims.press_words import called, claim_words, figures_of, places_of, plain_query
from inquest.desks.news.queries import DESK, query_for
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding, Stance
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft, Subject
from inquest.sources.standards import named_standards
from inquest.text.phrases import count, listed, numeral, quoted
from inquest.text.sentences import shorten
from inquest.text.units import Dimension

_TECHNICAL = ("climate", "low_carbon", "renewable", "certificate", "pollution", "efficiency")
"""The groups of words of environmental reporting of which literature and standards know more than the press."""
_NOT_VISIBLE = (ClaimType.STRATEGIC, ClaimType.LEGAL_GOVERNANCE)
"""Claims that no map or image could show."""
_FIGURES = 3
"""Figures of a claim from which on they should fit together."""
_SOURCES = 10


def requests_on(claim: Claim, company: str, found: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
    """At most one question to each desk: geography on places, legal on what a rule asks for, data on figures that
    should fit together, academic on a technical claim that the press contradicts. `found`: findings of sources."""
    against = [each for each in found if each.stance is Stance.CONTRADICTS]
    text, figures = quoted(shorten(claim.text, 160)), [each.text for each in figures_of(claim)]
    reported = f" {against[0].details['source_domain']} reports otherwise." if against else ""
    asked: list[tuple[str, str, JsonObject]] = []
    if places := _places(claim, company, against):
        noun = agreeing(len(places), "place", "places")
        words = f"Does {text} fit what maps or images show of the {noun} {listed(places)}?{reported}"
        asked.append(("geography", words, {"places": [*places]}))
    if claim.type is ClaimType.LEGAL_GOVERNANCE and (claim.disclosures or against):
        paragraphs = [f"{each.standard} {each.paragraph}" for each in claim.disclosures]
        rule = f"What do {listed(paragraphs[:3])} ask for" if paragraphs else "Which disclosure duties apply"
        asked.append(("legal", f"{rule}, and does {text} meet it?{reported}", {"paragraphs": [*paragraphs]}))
    # The cells of a table's row are one measure over years: they need not fit together.
    if len(figures) >= _FIGURES and "|" not in claim.quote:
        words = f"Do the figures of the claim fit together: {listed(figures[:5])}?{reported}"
        asked.append(("data", words, {"figures": [*figures]}))
    standards = list(dict.fromkeys(each.standard.name for each in named_standards(claim.text)))
    if against and (standards or _is_technical(claim)):
        by = f" under {listed(standards[:2])}" if standards else ""
        words = f"Does {text} hold{by}, by the literature?{reported}"
        asked.append(("academic", words, {"standards": [*standards]}))
    cited: JsonObject = {"source_url": against[0].details["source_url"]} if against else {}
    return tuple(
        InfoRequest(
            asked_by=DESK, to=to, claim_id=claim.id, description=words, context={"claim_id": claim.id, **cited, **more}
        )
        for to, words, more in asked
    )


def _places(claim: Claim, company: str, against: Sequence[FindingDraft]) -> tuple[str, ...]:
    """The places that a contradiction reports from; those of a claim on places."""
    if claim.type in _NOT_VISIBLE or _is_of_money(claim):
        return ()
    reported = (places_of(str(each.details["snippet"]), company) for each in against)
    own = claim_words(claim, company).places if claim.type is ClaimType.GEOGRAPHIC else ()
    return tuple(next(filter(None, reported), own)[:3])


def _is_technical(claim: Claim) -> bool:
    return not _is_of_money(claim) and any(GROUPS[each].search(claim.text) for each in _TECHNICAL)


def _is_of_money(claim: Claim) -> bool:
    figures = figures_of(claim)
    return bool(figures) and all(each.dimension is Dimension.MONEY for each in figures)


def queries_to_answer(request: InfoRequest, claim: Claim, about: Subject) -> tuple[DeskQuery, ...]:
    """The query that answers another desk: the terms of its question, else those of the claim."""
    terms = key_terms(request.description, (about.company,), limit=6) or claim_words(claim, about.company).terms[:6]
    text = plain_query(" ".join((called(about.company, about.industry), *terms)))
    if not text:
        return ()
    return (query_for(text, "company", claim).model_copy(update={"request_id": request.id}),)


def response_to(request: InfoRequest, found: Sequence[Finding]) -> InfoResponse | None:
    """The answer from findings of sources; None where there is none."""
    sources = [each for each in found if each.details.get("source_url")]
    if not sources:
        return None
    sources.sort(key=lambda each: (each.stance in (Stance.NEUTRAL, Stance.UNASSESSED), -each.confidence, each.id))
    used = list({str(each.details["source_url"]): each for each in sources}.values())[:_SOURCES]
    sides = [sum(each.stance is side for each in used) for side in (Stance.CONTRADICTS, Stance.SUPPORTS)]
    against, support = (numeral(number) if number else "none" for number in sides)
    summary = (
        f"Found {count(len(used), 'news source')} related to the question {quoted(shorten(request.description, 120))}: "
        f"{against} against the claim, {support} for it."
    )
    return InfoResponse(
        request_id=request.id,
        answered_by=DESK,
        asked_by=request.asked_by,
        summary=summary,
        finding_ids=tuple(each.id for each in used),
        details={
            "sources": [each.details for each in used],
            "key_findings": " ".join(str(each.details.get("relevance_summary", each.summary)) for each in used[:3]),
        },
    )

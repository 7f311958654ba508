"""News and public bodies: what is reported of a company's claims, by whom, and what speaks against them (spec 000), and
what the desk asks other desks and answers them (section 7).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from inquest.claims.brief_reading import key_terms
from inquest.claims.environmental import GROUPS
from inquest.claims.own_pages import is_own_word
from inquest.claims.press_words import called, claim_words, figures_of, places_of, plain_query
from inquest.desks.news.findings import NewsEvidence, details_of, overview, speaks_of, summary_of
from inquest.desks.news.queries import ANGLES, DESK, first_queries, further_queries, merged, query_for
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse, Reinvestigation
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.english import agreeing
from inquest.domain.event import EventType
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason, sentences
from inquest.domain.search import EngineKind
from inquest.domain.value import JsonObject
from inquest.kit.desk import (
    Desk,
    DeskEvent,
    DeskSpec,
    Drafted,
    FindingDraft,
    JudgedPassage,
    Results,
    Subject,
    Taken,
    outage_findings,
)
from inquest.sources.standards import named_standards
from inquest.text.passages import best_sentence
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


SOURCE, CONTRADICTION = "news_source", "news_contradiction"
_NEUTRAL_AT_MOST = 3
"""Findings of sources that are on the subject and say neither yes nor no."""
_GROUPS = {
    ClaimType.QUANTITATIVE: "figures",
    ClaimType.STRATEGIC: "commitments",
    ClaimType.ENVIRONMENTAL: "environment",
    ClaimType.GEOGRAPHIC: "places",
    ClaimType.LEGAL_GOVERNANCE: "governance",
    ClaimType.EVENT: "events",
    ClaimType.STATEMENT: "statements",
}


class NewsDesk(Desk):
    """Asks news and web engines about the company, its industry and its controversies."""

    spec: ClassVar[DeskSpec] = DeskSpec(
        name=DESK,
        agent="news_media",
        title="News and public sources",
        kinds=(EngineKind.NEWS, EngineKind.WEB, EngineKind.FACT_CHECK),
        angles=ANGLES,
        results_per_claim=30,
        pages_per_claim=12,
        topics=(
            "news coverage", "controversies", "incidents", "enforcement", "lawsuits", "press releases",
            "public statements",
        ),
    )  # fmt: skip

    def takes(self, claim: Claim, subject: Subject) -> Taken | None:
        """Every claim that has words to search for."""
        if not re.search(r"\w", claim.text):
            return None
        group = _GROUPS[claim.type]
        checkable = 0.5 if claim.checkability is None else claim.checkability
        priority = 0.6 * claim.importance + 0.4 * checkable
        reason = f"News: {'; '.join(sentences([Reason(code=f'news.{group}')]))}."
        return Taken(priority=round(min(1.0, priority), 3), reason=reason, group=group)

    def queries(
        self,
        claims: Sequence[Claim],
        subject: Subject,
        *,
        drafted: Drafted,
        again: Mapping[str, Reinvestigation],
    ) -> tuple[DeskQuery, ...]:
        """Three kinds of query per claim, or what the judge asks for; those that several claims share once."""
        made = [
            query
            for claim in claims
            for query in (
                further_queries(claim, subject, again[claim.id])
                if claim.id in again
                else first_queries(claim, subject, drafted.get(claim.id, {}))
            )
        ]
        return merged(made, {claim.id: claim.importance for claim in claims})

    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """One for each source that bears on the claim, a few on its subject, the outages, and the summary."""
        drafted_findings = _drafts(claim, subject, results)
        lost = "The search is incomplete" if results.hits or results.evidence else "The press could not be searched"
        errors = outage_findings(results, lambda note: f"{lost}: {note.why}")
        last = overview(claim, subject.company, [found for found, _ in drafted_findings], results)
        return (*(draft for _, draft in drafted_findings), *errors, last)

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """Few and specific questions, from the claim and what was found."""
        return requests_on(claim, subject.company, [each for each in findings if each.passage_id])

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """The subject of the question."""
        return queries_to_answer(request, claim, subject)

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """From the findings of sources, this desk's own and those made for the request."""
        return response_to(request, [each for each in found if each.evidence_type in (SOURCE, CONTRADICTION)])

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """The tier of each source, and each contradiction (spec 000, §9.2)."""
        events: list[DeskEvent] = []
        for each in findings:
            if not each.passage_id:
                continue
            url, tier, domain = (each.details[name] for name in ("source_url", "source_tier", "source_domain"))
            data: JsonObject = {"claim_id": claim.id, "source_url": url, "tier": tier}
            rated = data | {"relevance": each.details["relevance_summary"]}
            events.append(DeskEvent(type=EventType.SOURCE_EVALUATED, text=f"{domain} is of tier {tier}.", data=rated))
            if each.stance is Stance.CONTRADICTS:
                kind = each.details["contradiction_type"]
                text = f"{domain} contradicts claim {claim.id}{f' ({kind})' if kind else ''}."
                data = data | {"contradiction_type": kind}
                events.append(DeskEvent(type=EventType.CONTRADICTION_DETECTED, text=text, data=data))
        return tuple(events)


def _drafts(claim: Claim, subject: Subject, results: Results) -> list[tuple[NewsEvidence, FindingDraft]]:
    """What each source says, once for each side it takes on the claim or a part of it: those that bear on it, the
    surest first, then those that could not be assessed, then a few on the subject, best publishers first."""
    own = {mention.snapshot for mention in claim.mentions} if subject.report_source else set()
    judged = [
        each
        for each in results.evidence
        if not each.source.excluded and each.source.id != subject.report_source and each.source.snapshot not in own
    ]
    drafts: list[tuple[NewsEvidence, FindingDraft]] = []
    taken: set[tuple[tuple[str, str], Stance]] = set()
    for each in sorted(judged, key=lambda each: _rank(each, claim)):
        key, stance = (each.source.snapshot, each.part), each.judgement.stance
        bears = stance in (Stance.SUPPORTS, Stance.CONTRADICTS)
        if (key, stance) in taken or (not bears and any(known[0] == key[0] for known, _ in taken)):
            continue
        if stance is Stance.NEUTRAL and sum(side is stance for _, side in taken) >= _NEUTRAL_AT_MOST:
            break
        made = _finding(each, claim, subject)
        if made is not None:
            taken.add((key, stance))
            drafts.append(made)
    return drafts


def _rank(evidence: JudgedPassage, claim: Claim) -> tuple[int, float, float]:
    judged = evidence.judgement
    match judged.stance:
        case Stance.NEUTRAL:
            return 2, evidence.source.rating.tier, -best_sentence(claim.text, evidence.passage.text).score
        case Stance.UNASSESSED:
            return 1, evidence.source.rating.tier, 0.0
        case _:
            return 0, 0.0 if judged.against_self else 1.0, -judged.confidence


def _finding(evidence: JudgedPassage, claim: Claim, subject: Subject) -> tuple[NewsEvidence, FindingDraft] | None:
    judged, passage, source = evidence.judgement, evidence.passage, evidence.source
    start, end = judged.start, judged.end
    if judged.stance in (Stance.NEUTRAL, Stance.UNASSESSED):
        nearest = speaks_of(claim.text, passage.text, subject.company, f"{passage.title}\n{passage.lead}")
        if nearest is not None:
            start, end = nearest
        elif judged.stance is Stance.NEUTRAL:
            return None
    found = NewsEvidence(
        **{**dict(judged), "quote": passage.text[start:end]},
        source=source,
        around=passage.text,
        angles=evidence.angles,
        own_word=is_own_word(source, subject.company, subject.own_domains),
    )
    return found, FindingDraft(
        evidence_type=CONTRADICTION if judged.stance is Stance.CONTRADICTS else SOURCE,
        passage_id=passage.id,
        start=start,
        end=end,
        stance=judged.stance,
        contradiction_type=judged.contradiction_type,
        confidence=judged.confidence,
        summary=summary_of(found),
        details=details_of(found),
        reasons=judged.reasons,
        reason_codes=judged.reason_codes,
    )

"""The news desk (spec 000): press and public bodies on a company's claims, and its exchange with other desks (§7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from inquest.claims.brief_reading import key_terms
from inquest.claims.claim_detection import GROUPS
from inquest.claims.press_words import called, claim_words, figures_of, places_of, plain_query
from inquest.claims.report.company import is_own_word
from inquest.desks.news.findings import NewsEvidence, details_of, overview, speaks_of, summary_code
from inquest.desks.news.queries import ANGLES, DESK, first_queries, further_queries, query_for
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse, Reinvestigation
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.event import EventType
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Catalogue, Reason, in_words
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
    shared_queries,
)
from inquest.sources.standards import named_standards
from inquest.text.phrases import quoted
from inquest.text.sentences import shorten
from inquest.text.similarity import best_sentence
from inquest.text.units import Dimension

_says = Catalogue("news")
_TECHNICAL = ("climate", "low_carbon", "renewable", "certificate", "pollution", "efficiency")
"""Word groups of environmental reporting on which literature and standards are more informative than the press."""
_NOT_VISIBLE = (ClaimType.STRATEGIC, ClaimType.LEGAL_GOVERNANCE)
"""Types of claim that no map or image can show."""
_FIGURES = 3
"""Minimum figures of a claim whose consistency is checked."""
_SOURCES = 10
SOURCE, CONTRADICTION = "news_source", "news_contradiction"
_NEUTRAL_AT_MOST = 3
"""Maximum findings of neutral sources on the subject."""
_GROUPS = {
    ClaimType.QUANTITATIVE: "figures",
    ClaimType.STRATEGIC: "commitments",
    ClaimType.ENVIRONMENTAL: "environment",
    ClaimType.GEOGRAPHIC: "places",
    ClaimType.LEGAL_GOVERNANCE: "governance",
    ClaimType.EVENT: "events",
    ClaimType.STATEMENT: "statements",
}


def _places(claim: Claim, company: str, against: Sequence[FindingDraft]) -> tuple[str, ...]:
    """The places in the first contradiction that names any, else those of a geographic claim."""
    if claim.type in _NOT_VISIBLE or _is_of_money(claim):
        return ()
    reported = (places_of(str(each.details["snippet"]), company) for each in against)
    claimed = claim_words(claim, company).places if claim.type is ClaimType.GEOGRAPHIC else ()
    return next(filter(None, reported), claimed)[:3]


def _is_of_money(claim: Claim) -> bool:
    figures = figures_of(claim)
    return bool(figures) and all(each.dimension is Dimension.MONEY for each in figures)


class NewsDesk(Desk):
    """Search news and web engines for the company, its industry and its controversies."""

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
        """Accept every claim that has words to search for."""
        if not re.search(r"\w", claim.text):
            return None
        group = _GROUPS[claim.type]
        checkable = 0.5 if claim.checkability is None else claim.checkability
        priority = round(min(1.0, 0.6 * claim.importance + 0.4 * checkable), 3)
        return Taken(priority=priority, reason=f"News: {in_words(Reason(code=f'news.{group}'))}.", group=group)

    def queries(
        self, claims: Sequence[Claim], subject: Subject, *, drafted: Drafted, again: Mapping[str, Reinvestigation]
    ) -> tuple[DeskQuery, ...]:
        """Three kinds of query per claim, or those that the judge asks for, by kind and then by the importance of the
        claim; a query that claims share is made once."""
        queries: list[DeskQuery] = []
        for claim in claims:
            if claim.id in again:
                queries += further_queries(claim, subject, again[claim.id])
            else:
                queries += first_queries(claim, subject, drafted.get(claim.id, {}))
        order, weight = list(ANGLES), {claim.id: claim.importance for claim in claims}
        return shared_queries(sorted(queries, key=lambda each: (order.index(each.angle), -weight[each.claim_ids[0]])))

    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """One finding for each source that supports or contradicts the claim, a few neutral ones, the outages, and the
        summary last."""
        drafts = _drafts(claim, subject, results)
        lost = "The search is incomplete" if results.hits or results.evidence else "The press could not be searched"
        errors = outage_findings(results, lambda note: f"{lost}: {note.why}")
        last = overview(claim, subject.company, [evidence for evidence, _ in drafts], results)
        return (*(draft for _, draft in drafts), *errors, last)

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """At most one question to each desk: places to geography, duties of disclosure to legal, figures to data, and a
        technical claim that the press contradicts to academic."""
        company = subject.company
        against = [each for each in findings if each.passage_id and each.stance is Stance.CONTRADICTS]
        figures = [each.text for each in figures_of(claim)]
        text = quoted(shorten(claim.text, 160))
        asked: list[tuple[str, Reason, JsonObject]] = []
        if places := _places(claim, company, against):
            asked.append(("geography", _says("ask_maps", names=[*places], text=text), {"places": [*places]}))
        if company and claim.type is ClaimType.LEGAL_GOVERNANCE and (claim.disclosures or against):
            paragraphs = [f"{each.standard} {each.paragraph}" for each in claim.disclosures]
            question = _says("ask_paragraphs" if paragraphs else "ask_duties", names=paragraphs[:3], text=text)
            asked.append(("legal", question, {"paragraphs": [*paragraphs]}))
        # The cells of a table row are one measure over years, which need not be consistent.
        if len(figures) >= _FIGURES and "|" not in claim.quote:
            asked.append(("data", _says("ask_figures", names=figures[:5]), {"figures": [*figures]}))
        standards = list(dict.fromkeys(each.standard.name for each in named_standards(claim.text)))
        technical = not _is_of_money(claim) and any(GROUPS[each].search(claim.text) for each in _TECHNICAL)
        if against and (standards or technical):
            code, name = f"ask_literature{'_under' if standards else ''}", str(against[0].details["source_domain"])
            asked.append(
                ("academic", _says(code, names=standards[:2], text=text, name=name), {"standards": [*standards]})
            )
        cited: JsonObject = {"source_url": against[0].details["source_url"]} if against else {}
        return tuple(
            InfoRequest.of(question, DESK, to, claim.id, {"claim_id": claim.id, **cited, **more})
            for to, question, more in asked
        )

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """The query that answers another desk: the terms of its question, else those of the claim."""
        company = subject.company
        terms = key_terms(request.description, (company,), limit=6) or claim_words(claim, company).terms[:6]
        text = plain_query(" ".join((called(company, subject.industry), *terms)))
        return (query_for(text, "company", claim).model_copy(update={"request_id": request.id}),) if text else ()

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """The answer from the findings of sources, this desk's own and those made for the request; None if there are
        none."""
        sources = [e for e in found if e.evidence_type in (SOURCE, CONTRADICTION) and e.details.get("source_url")]
        if not sources:
            return None
        sources.sort(key=lambda each: (each.stance in (Stance.NEUTRAL, Stance.UNASSESSED), -each.confidence, each.id))
        used = list({str(each.details["source_url"]): each for each in sources}.values())[:_SOURCES]
        sides = [sum(each.stance is side for each in used) for side in (Stance.CONTRADICTS, Stance.SUPPORTS)]
        against, support = (_says(f"sources_{'some' if number else 'none'}", number=number) for number in sides)
        question = quoted(shorten(request.description, 120))
        summary = _says("answer", number=len(used), question=question, against=against, support=support)
        return InfoResponse(
            request_id=request.id,
            answered_by=DESK,
            asked_by=request.asked_by,
            summary=in_words(summary),
            summary_codes=(summary,),
            finding_ids=tuple(each.id for each in used),
            details={
                "sources": [each.details for each in used],
                "key_findings": " ".join(str(each.details.get("relevance_summary", each.summary)) for each in used[:3]),
            },
        )

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """Events for the tier of each source and for each contradiction (spec 000, §9.2)."""
        events: list[DeskEvent] = []
        for each in findings:
            if not each.passage_id:
                continue
            url, tier, domain = (each.details[name] for name in ("source_url", "source_tier", "source_domain"))
            data: JsonObject = {"claim_id": claim.id, "source_url": url, "tier": tier}
            rated = data | {"relevance": each.details["relevance_summary"]}
            events.append(DeskEvent(type=EventType.SOURCE_EVALUATED, text=f"{domain} is in tier {tier}.", data=rated))
            if each.stance is Stance.CONTRADICTS:
                kind = each.details["contradiction_type"]
                text = f"{domain} contradicts the claim {quoted(shorten(claim.text, 200))}."
                data = data | {"contradiction_type": kind}
                events.append(DeskEvent(type=EventType.CONTRADICTION_DETECTED, text=text, data=data))
        return tuple(events)


def _drafts(claim: Claim, subject: Subject, results: Results) -> list[tuple[NewsEvidence, FindingDraft]]:
    """The findings of sources, one for each side on the claim or a part: most certain first, then unassessed, then a
    few neutral ones."""
    own = {mention.snapshot for mention in claim.mentions} if subject.report_source else set()
    judged = [
        each
        for each in results.evidence
        if not each.source.excluded and each.source.id != subject.report_source and each.source.snapshot not in own
    ]
    drafts: list[tuple[NewsEvidence, FindingDraft]] = []
    taken: set[tuple[str, str, Stance]] = set()
    for each in sorted(judged, key=lambda each: _rank(each, claim)):
        page, stance = each.source.snapshot, each.judgement.stance
        key, on_a_side = (page, each.part, stance), stance.decides
        if key in taken or (not on_a_side and any(known == page for known, _, _ in taken)):
            continue
        if stance is Stance.NEUTRAL and sum(side is stance for _, _, side in taken) >= _NEUTRAL_AT_MOST:
            break
        if draft := _finding(each, claim, subject):
            taken.add(key)
            drafts.append(draft)
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
        if nearest is None and judged.stance is Stance.NEUTRAL:
            return None
        start, end = nearest or (start, end)
    news = NewsEvidence(
        **{**dict(judged), "quote": passage.text[start:end]},
        source=source,
        around=passage.text,
        angles=evidence.angles,
        own_word=is_own_word(source, subject.company, subject.own_domains),
    )
    return news, FindingDraft(
        evidence_type=CONTRADICTION if judged.stance is Stance.CONTRADICTS else SOURCE,
        passage_id=passage.id,
        start=start,
        end=end,
        stance=judged.stance,
        contradiction_type=judged.contradiction_type,
        confidence=judged.confidence,
        summary=in_words(summary := summary_code(news)),
        summary_codes=(summary,),
        details=details_of(news),
        reasons=judged.reasons,
        reason_codes=judged.reason_codes,
    )

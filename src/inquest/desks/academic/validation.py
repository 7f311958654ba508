"""The findings of the desk (spec 002, section 10): checks, sources and the summary, with their references (10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import NamedTuple, cast

from inquest.desks.academic.benchmark_figures import benchmark_figures
from inquest.desks.academic.terms import official_domains, reason
from inquest.desks.academic.witnesses import (
    MOST_CONFIDENCE,
    AcademicEvidence,
    Bearing,
    RegisterRow,
    best_of_each_source,
)
from inquest.domain.check import RequestStatus
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, in_words, once, sentences, worded
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft, Results, Subject
from inquest.sources.standards import Criticism, Edition, Rule, Standard, named_standards, standards_book
from inquest.text.phrases import quoted
from inquest.text.sentences import Span, shorten
from inquest.text.urls import registrable_domain
from inquest.verdicts.weighing import together

_SNIPPET = 300
"""Characters of a snippet in a reference."""
_QUOTED = 120
"""Characters of a statement in a sentence."""
_OF_MANY = ("average", "median", "low percentile", "high percentile", "range")
"""Kinds of figure that make a page a benchmark report: they cover several companies or plants."""
BY_RULE = 0.7
"""Maximum confidence of a check based on the claim's own words and a published rule: enough to qualify a verdict
(`verdicts/judging_evidence.py`), less than any judged passage of tier 1."""


class TechnicalClaim(Subject):
    """The text of a claim with its subject."""

    text: str
    unregistered: dict[str, Reason] = {}
    """Registers without a row, each with the reason."""

    @property
    def day(self) -> date:
        """The day of the check: anything issued later is neither criterion nor reference."""
        return self.now.date()

    @property
    def day_of_claim(self) -> date:
        """The last day of the report's year, else the day of the check. A year in the claim may be a target's."""
        return date(self.report_year, 12, 31) if self.report_year else self.day


def reference_to(witness: AcademicEvidence) -> JsonObject:
    """Return the reference to a page that was read. Authors and dates that are in no index stay empty (14.3)."""
    source, work = witness.source, witness.work
    hit = max(witness.hits, key=lambda each: (bool(each.author), each.work is not None), default=None)
    published = source.published or (hit.published if hit else None)
    reference: JsonObject = {
        "type": _type_of(witness),
        "title": source.title or (hit.title if hit else "") or source.url,
        "authors": source.author or (hit.author if hit else None),
        "publication_date": published.iso[:10] if published else None,
        "url": source.url,
        "snippet": shorten(witness.quote or (hit.snippet if hit else "") or witness.text, _SNIPPET),
        "source_credibility": witness.credibility,
        "source_id": source.id,
    }
    if work is not None:
        known = {"peer_reviewed": work.peer_reviewed, "retracted": work.retracted, "venue": work.venue, "doi": work.doi}
        reference |= known
    if witness.left_out:
        reference["not_counted"] = in_words(witness.left_out)
    return reference


def witness_references(
    witnesses: Sequence[AcademicEvidence], used: Sequence[AcademicEvidence] = ()
) -> tuple[JsonObject, ...]:
    """One reference for each page that is used, has a stance or is about the claim's subject, the most credible
    first."""
    best = {each.source.id: each for each in used}
    for each in sorted(witnesses, key=lambda each: not each.quote):
        if each.stance is not Stance.NEUTRAL or each.is_on_subject or each.official:
            best.setdefault(each.source.id, each)
    ordered = sorted(best.values(), key=lambda each: (each.credibility, not each.quote, each.source.id))
    return tuple(map(reference_to, ordered))


def standard_reference(
    standard: Standard, *, rule: Rule | None = None, edition: Edition | None = None, until: date | None = None
) -> JsonObject:
    """Return the reference to a standard, or to one rule of it. The default edition is that of the rule, else the
    latest in force on the day `until`, or the first one if all are later."""
    of_rule = (each for each in standard.editions if rule is not None and each.source == rule.source)
    days = [(each.in_force_from or each.published, each) for each in standard.editions]
    begun = [each for day, each in days if until is None or day is None or day <= until]
    edition = edition or next(iter((*of_rule, *reversed(begun), *standard.editions)), None)
    source = rule.source if rule else edition.source if edition else None
    if source is None and standard.rules:
        source = standard.rules[0].source
    published = edition.published if edition is not None and edition.source == source else None
    title = source.title if source else standard.name
    return {
        "type": "standard_document",
        "title": title,
        "authors": source.publisher if source else standard.publisher,
        "publication_date": published.isoformat() if published else str(source.year) if source else None,
        "url": source.url if source else "".join(f"https://{site}/" for site in official_domains(standard.id)[:1]),
        "snippet": shorten(rule.text if rule else standard.about, _SNIPPET),
        "source_credibility": 1,
        "standard_name": standard.name,
        "document_title": title,
        "section": (rule.place or rule.id) if rule else None,
        "edition": edition.version if edition else None,
        "checked": source.checked if source else None,
    }


def editions_named(claim: TechnicalClaim) -> list[tuple[Reason, JsonObject]]:
    """Return the editions of named standards in force on the day of the claim, else the nearest, with references."""
    found, day = [], claim.day_of_claim
    for standard in {each.standard.id: each.standard for each in named_standards(claim.text)}.values():
        dated = [each for each in standard.editions if each.in_force_from]
        ended = [each for each in dated if each.in_force_until and each.in_force_until < day]
        for each in standard.editions_on(day) or ended[-1:] or dated[:1]:
            state = "in_force" if each.in_force(day, day) else "ended" if each in ended else "ahead"
            named = {"standard": standard.name, "edition": each.version, "day": str(day), "note": each.note}
            days = {"since": str(each.in_force_from), "until": str(each.in_force_until)}
            found.append((reason(f"edition_{state}", **named, **days), standard_reference(standard, edition=each)))
    return found


def criticism_reference(criticism: Criticism) -> JsonObject:
    """Return the reference to research or reporting against a scheme, from the book of standards."""
    source = criticism.source
    paper = "doi.org" in source.url or "pmc.ncbi" in source.url
    return {
        "type": "academic_paper" if paper else "benchmark_report",
        "title": source.title,
        "authors": source.publisher,
        "publication_date": str(source.year),
        "url": source.url,
        "snippet": shorten(criticism.text, _SNIPPET),
        "source_credibility": 1 if paper else 2,
        "checked": source.checked,
        "from_the_book_of_standards": True,
    }


@cache
def _standard_sites() -> frozenset[str]:
    """The sites of the publishers of standards; a law's also publishes what companies file."""
    standards = [each for each in standards_book() if each.kind != "law"]
    return frozenset(site for each in standards for site in official_domains(each.id))


def _type_of(witness: AcademicEvidence) -> str | None:
    """Return the type of a page (10.3); None if it is none of the four."""
    if registrable_domain(witness.source.url) in official_domains("cdp"):
        return "cdp_disclosure"
    if witness.scholarly:
        return "academic_paper"
    if witness.official and registrable_domain(witness.source.url) in _standard_sites():
        return "standard_document"
    compared = not witness.left_out and any(each.kind in _OF_MANY for each in benchmark_figures(witness.text))
    return "benchmark_report" if compared else None


class Rest(NamedTuple):
    """The words on which a check is based: `passage.text[start:end]`; without a passage, the claim's own words."""

    passage_id: str = ""
    start: int = 0
    end: int = 0


class Ruling(NamedTuple):
    """The stance of a check and its reason. Without `rest`, it is based on the claim's own words."""

    stance: Stance
    confidence: float
    why: Reason
    rest: Rest | None = None
    contradiction: ContradictionType = ContradictionType.DIRECT


def by_evidence(bearing: Bearing, rule: Ruling) -> Ruling:
    """Return the ruling of the judged passages if there are any, else `rule`; if there are passages on both sides,
    nothing is decided."""
    if side := bearing.one_side:
        kind = side[0].contradiction_type or ContradictionType.DIRECT
        return Ruling(
            side[0].stance, together(each.weight for each in side), reason("judged_passages"), rest_on(side[0]), kind
        )
    return Ruling(Stance.NEUTRAL, 0.5, reason("both_sides")) if bearing.support else rule


def rest_on(witness: AcademicEvidence, span: Span | None = None) -> Rest | None:
    """Return the place of a span, by default of the witness's quote; None if there are no words."""
    chosen = span or Span(witness.start, witness.end)
    return Rest(witness.passage_id, *chosen) if chosen.of(witness.text).strip() else None


def conclude(
    kind: str,
    ruling: Ruling,
    bearing: Bearing | None,
    *,
    summary: Sequence[Reason],
    references: Sequence[JsonObject],
    reasons: Sequence[Reason] = (),
    **details: object,
) -> FindingDraft:
    """Return the finding of a check. `details` may set any other field of section 10.2, `limitations` as reasons, and
    `rows` of registers."""
    rows = cast(Sequence[RegisterRow], details.pop("rows", ()))
    terms = [each for row in rows for hit in row.witness.hits if (each := hit.details.get("attribution"))]
    consensus = bearing.consensus if bearing else None
    limitations = once(cast(Sequence[Reason], details.pop("limitations", ())))
    found = {
        "research_consensus": in_words(consensus) if consensus else None,
        "limitations": [*sentences(limitations)],
        "academic_references": [each for each in references if each["type"] == "academic_paper"],
        "finding_sources": bearing.source_ids if bearing else [],
        "supports_claim": ruling.stance.supports_claim,
        "rests_on": "evidence" if ruling.rest else "rule",
        "register_rows": [row.shown for row in rows],
        "attribution": list(dict.fromkeys(terms)),
        **details,
    }
    return FindingDraft(
        evidence_type=kind,
        **(ruling.rest or Rest())._asdict(),
        stance=ruling.stance,
        contradiction_type=ruling.contradiction if ruling.stance is Stance.CONTRADICTS else None,
        confidence=round(min(MOST_CONFIDENCE, ruling.confidence), 3),
        summary=" ".join(sentences(summary)),
        summary_codes=tuple(summary),
        details=details_of(kind, **found),
        detail_codes={"limitations": limitations} | ({"research_consensus": (consensus,)} if consensus else {}),
        references=tuple(references),
        **worded(once((ruling.why, *reasons))),
    )


def details_of(investigation: str, **given: object) -> JsonObject:
    """Return the details with every field of section 10.2; those not given are None, 'unknown' or empty."""
    empty: dict[str, object] = {
        "investigation_type": investigation,
        "methodology_name": None,
        "standard_alignment": "unknown",
        "certification_type": None,
        "legitimacy_assessment": "unknown",
        **dict.fromkeys(("sbti_validation_status", "benchmark_range", "plausibility", "research_consensus")),
        **{name: [] for name in ("limitations", "academic_references", "standard_references", "finding_sources")},
    }
    return cast(JsonObject, empty | given)


def source_finding(witness: AcademicEvidence) -> FindingDraft:
    """Return the finding of a source with a stance; one that does not count is listed for the judge."""
    stance = Stance.NEUTRAL if witness.barred else witness.stance
    reference = reference_to(witness)
    paper = reference["type"] == "academic_paper"
    details = details_of(
        "academic_source",
        # A company's statement about itself is not support in the sense of the spec.
        supports_claim=None if witness.left_out else stance.supports_claim,
        rests_on="evidence",
        source_credibility=witness.credibility,
        peer_reviewed=witness.work.peer_reviewed if witness.work else None,
        angles=list(witness.angles),
        not_counted=in_words(witness.left_out) if witness.left_out else None,
        academic_references=[reference] if paper else [],
        standard_references=[] if paper else [reference],
        registered_as=witness.registered_as,
        **witness.details,
    )
    side = f"source_{witness.stance.value}" + ("_a_part" if witness.part else "")
    parts = [reason(side, name=witness.name, part=quoted(shorten(witness.part, _QUOTED))), *witness.reason_codes[:1]]
    if witness.left_out:
        parts += [reason("not_counted_in_checks"), witness.left_out]
    credible = reason("credibility", tier=witness.credibility)
    return FindingDraft(
        evidence_type="academic_source",
        **(rest_on(witness) or Rest())._asdict(),
        stance=stance,
        contradiction_type=witness.contradiction_type if stance is Stance.CONTRADICTS else None,
        confidence=round(witness.confidence, 3),
        summary=" ".join(sentences(parts)),
        summary_codes=tuple(parts),
        details=details,
        references=(reference,),
        reasons=(in_words(credible), *witness.reasons),
        reason_codes=(credible, *witness.reason_codes),
    )


def summary_finding(
    claim: TechnicalClaim, checks: Sequence[FindingDraft], witnesses: Sequence[AcademicEvidence], results: Results
) -> FindingDraft:
    """Return the results of all checks on a claim in plain words, with the editions of the standards that it names."""
    speaking = best_of_each_source(witnesses)
    left_out = {each.source.id for each in speaking if each.left_out}
    used = {str(name) for each in checks for name in cast(list[object], each.details["finding_sources"])}
    used |= {each.source.id for each in speaking if not each.left_out}
    counted = [*{each.source.id: each for each in witnesses if each.source.id in used}.values()]
    stances = {each.stance for each in checks} - {Stance.NEUTRAL}
    stance = stances.pop() if len(stances) == 1 else Stance.NEUTRAL
    unassessed = sum(each.stance is Stance.UNASSESSED for each in witnesses)
    where = list(dict.fromkeys(each.where for each in results.outages))
    parts = [reason(f"check_{each.stance.value}", check=in_words(reason(each.evidence_type))) for each in checks]
    if counted:
        parts.append(reason("counted", number=len(counted), reviewed=sum(each.peer_reviewed for each in counted)))
    elif not witnesses and any(each.what == "page" for each in results.outages):
        parts.append(reason("none_read"))
    else:
        parts.append(reason("none_counts" if results.hits or results.outages else "nothing_found"))
    if left_out:
        parts.append(reason("some_left_out", number=len(left_out)))
    if where:
        parts.append(reason("some_not_asked", where=where))
    if unassessed:
        parts.append(reason("some_unassessed", number=unassessed))
    editions = editions_named(claim)
    parts += [why for why, _ in editions]
    answered = [each for each in results.responses if each.status is RequestStatus.ANSWERED]
    parts += [reason("another_desk", answer=each.summary) for each in answered]
    cited = [each for check in checks for each in check.references]
    return FindingDraft(
        evidence_type="academic_investigation_summary",
        stance=Stance.NEUTRAL,
        confidence=max((each.confidence for each in checks if each.stance is stance), default=0.0),
        summary=" ".join(sentences(parts)),
        summary_codes=tuple(parts),
        details={
            "investigation_type": "academic_investigation_summary",
            "supports_claim": stance.supports_claim,
            "hits": results.hits,
            "queries": sum(each.engines != () for each in results.queries),
            "outages": [{"where": each.where, "why": each.why} for each in results.outages],
            "unassessed": unassessed,
            "insufficient_evidence": not counted,
        },
        references=tuple({str(each.get("url")): each for each in (*cited, *(found for _, found in editions))}.values()),
        reasons=tuple(each.summary for each in checks),
    )

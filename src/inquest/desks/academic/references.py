"""References of a finding: papers, standards, disclosures and reports (spec 002, 10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from inquest.desks.academic.benchmark_figures import benchmark_figures
from inquest.desks.academic.terms import official_domains
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import Stance
from inquest.domain.reasons import in_words
from inquest.domain.value import JsonObject
from inquest.sources.standards_book import Criticism, Edition, Rule, Standard
from inquest.text.sentences import shorten
from inquest.text.urls import registrable_domain

_SNIPPET = 300
"""Characters of a snippet, in a reference."""


def reference_to(witness: AcademicEvidence) -> JsonObject:
    """The reference to a page that was read. Where no index gives its authors or date, address and words must do
    (section 14.3): nothing is made up."""
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


def witness_references(witnesses: Sequence[AcademicEvidence]) -> tuple[JsonObject, ...]:
    """One reference for each page, the most credible first, those that bear on the claim before the others. What a
    search brought and neither bears on the claim nor is on its subject is no reference."""
    best: dict[str, AcademicEvidence] = {}
    for each in sorted(witnesses, key=lambda each: not each.quote):
        if each.stance is not Stance.NEUTRAL or each.is_on_subject or each.official:
            best.setdefault(each.source.id, each)
    ordered = sorted(best.values(), key=lambda each: (each.credibility, not each.quote, each.source.id))
    return tuple(reference_to(each) for each in ordered)


def standard_reference(
    standard: Standard, *, rule: Rule | None = None, edition: Edition | None = None, until: date | None = None
) -> JsonObject:
    """The reference to a standard: its public source and edition, the rule and its place where one is meant. Without
    an edition it is the one that a rule is from, else the latest that was in force by the day `until`."""
    of_rule = (each for each in standard.editions if rule is not None and each.source == rule.source)
    edition = edition or next(of_rule, None) or _latest(standard, until)
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


def criticism_reference(criticism: Criticism) -> JsonObject:
    """The reference to what research or reporting says against a scheme, from the book of standards."""
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


def _latest(standard: Standard, until: date | None) -> Edition | None:
    """What was issued after the day of the check is no reference for it; the first edition where all were."""
    begun = [
        each
        for each in standard.editions
        if until is None or (begins := each.in_force_from or each.published) is None or begins <= until
    ]
    return begun[-1] if begun else next(iter(standard.editions), None)


def _type_of(witness: AcademicEvidence) -> str:
    if registrable_domain(witness.source.url) in official_domains("cdp"):
        return "cdp_disclosure"
    if witness.scholarly:
        return "academic_paper"
    if witness.official:
        return "standard_document"
    compared = not witness.left_out and "benchmark" in witness.angles and benchmark_figures(witness.text)
    return "benchmark_report" if compared else "web_page"

"""References of a finding: papers, standards, disclosures and reports, each with what it is worth (spec 002, 10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from inquest.desks.academic.benchmark_figures import benchmark_figures
from inquest.desks.academic.terms import official_domains
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import Stance
from inquest.domain.reasons import in_words
from inquest.domain.value import JsonObject
from inquest.sources.standards_book import Criticism, Edition, PublicSource, Rule, Standard
from inquest.text.sentences import shorten
from inquest.text.urls import registrable_domain

_SNIPPET = 300
"""Characters of a snippet, in a reference."""
_CREDIBLE = "source_credibility"


def reference_to(witness: AcademicEvidence) -> JsonObject:
    """The reference to a page that was read. Where no index gives its authors or date, address and words must do
    (section 14.3): nothing is made up."""
    hit = max(
        witness.hits, key=lambda each: (bool(each.author), each.work is not None, bool(each.snippet)), default=None
    )
    source, work = witness.source, witness.work
    published = source.published or (hit.published if hit else None)
    reference: JsonObject = {
        "type": _type_of(witness),
        "title": source.title or (hit.title if hit else "") or source.url,
        "authors": source.author or (hit.author if hit else None),
        "publication_date": published.iso[:10] if published else None,
        "url": source.url,
        "snippet": shorten(witness.quote or (hit.snippet if hit else "") or witness.text, _SNIPPET),
        _CREDIBLE: witness.credibility,
        "source_id": source.id,
    }
    if work is not None:
        reference |= {
            "peer_reviewed": work.peer_reviewed,
            "peer_review_reason": work.peer_review_reason,
            "retracted": work.retracted,
            "venue": work.venue,
            "doi": work.doi,
        }
    if witness.left_out:
        reference["not_counted"] = in_words(witness.left_out)
    return reference


def witness_references(witnesses: Sequence[AcademicEvidence]) -> tuple[JsonObject, ...]:
    """One reference for each page, the most credible first, those that bear on the claim before the others. What a
    search brought and neither bears on the claim nor is on its subject is no reference."""
    best: dict[str, AcademicEvidence] = {}
    for each in witnesses:
        if each.stance is Stance.NEUTRAL and not (each.is_on_subject or each.official):
            continue
        known = best.get(each.source.id)
        if known is None or (not known.quote and each.quote):
            best[each.source.id] = each
    ordered = sorted(best.values(), key=lambda each: (each.credibility, not each.quote, each.source.id))
    return tuple(reference_to(each) for each in ordered)


def standard_reference(
    standard: Standard, *, rule: Rule | None = None, edition: Edition | None = None, until: date | None = None
) -> JsonObject:
    """The reference to a standard: its public source and edition, the rule and its place where one is meant. Without
    an edition it is the one that a rule is from, else the latest that was in force by the day `until`."""
    edition = edition or _edition_of(standard, rule) or _latest(standard, until)
    source = rule.source if rule is not None else edition.source if edition is not None else _any_source(standard)
    if source is None:
        domains = official_domains(standard.id)
        source = PublicSource(
            title=standard.name,
            publisher=standard.publisher,
            year=0,
            url=f"https://{domains[0]}/" if domains else "",
            checked="",
        )
    when = _when(edition, source)
    return {
        "type": "standard_document",
        "title": source.title,
        "authors": source.publisher,
        "publication_date": when,
        "url": source.url,
        "snippet": shorten(rule.text if rule is not None else standard.about, _SNIPPET),
        _CREDIBLE: 1,
        "standard_name": standard.name,
        "document_title": source.title,
        "section": (rule.place or rule.id) if rule is not None else None,
        "edition": edition.version if edition is not None else None,
        "checked": source.checked,
    }


def criticism_reference(criticism: Criticism) -> JsonObject:
    """The reference to what research or reporting holds against a scheme: the book says it, with its public source."""
    source = criticism.source
    paper = "doi.org" in source.url or "pmc.ncbi" in source.url
    return {
        "type": "academic_paper" if paper else "benchmark_report",
        "title": source.title,
        "authors": source.publisher,
        "publication_date": str(source.year),
        "url": source.url,
        "snippet": shorten(criticism.text, _SNIPPET),
        _CREDIBLE: 1 if paper else 2,
        "checked": source.checked,
        "from_the_book_of_standards": True,
    }


def _edition_of(standard: Standard, rule: Rule | None) -> Edition | None:
    return next((each for each in standard.editions if rule is not None and each.source == rule.source), None)


def _latest(standard: Standard, until: date | None) -> Edition | None:
    """What was issued after the day of the check is no reference for it; the first edition where all were."""
    begun = [
        each
        for each in standard.editions
        if until is None or (begins := each.in_force_from or each.published) is None or begins <= until
    ]
    return begun[-1] if begun else next(iter(standard.editions), None)


def _any_source(standard: Standard) -> PublicSource | None:
    return standard.rules[0].source if standard.rules else None


def _when(edition: Edition | None, source: PublicSource) -> str | None:
    published: date | None = edition.published if edition is not None and edition.source == source else None
    return published.isoformat() if published else str(source.year) if source.year else None


def _type_of(witness: AcademicEvidence) -> str:
    domain = registrable_domain(witness.source.url)
    if domain in official_domains("cdp"):
        return "cdp_disclosure"
    if witness.scholarly:
        return "academic_paper"
    if witness.official:
        return "standard_document"
    compared = not witness.left_out and "benchmark" in witness.angles and benchmark_figures(witness.text)
    return "benchmark_report" if compared else "web_page"

"""What of a claim goes into a scholarly query: technologies and practices, the sector, the metric, official sites."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from inquest.desks.academic.phrases import phrase_table
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.sources.standards import named_standards
from inquest.sources.standards_book import Standard, standards_book
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, sentences
from inquest.text.urls import registrable_domain

SCHEME_KINDS = frozenset(("certificate", "offset", "label", "energy"))
"""Kinds of standard in the book that certify something, or stand for it."""
_TERMS = phrase_table("terms")
CERTIFIED = _TERMS["certified"]
_KNOWN = phrase_table("technologies")
_OWN_NAME = regex(
    r"(?:\b(?:our|its|their|the|an?|this)\s+|['’]s?\s+)(?P<what>(?:[a-z][\w-]*\s+){1,6}?(?:technolog(?:y|ies)|"
    r"process(?:es)?|systems?|techniques?|membranes?|catalysts?|coatings?|reactors?|furnaces?|kilns?|burners?))\b",
    re.I,
)
_BY_DOING = regex(
    r"\b(?:by|through)\s+(?:adopting|switching\s+to|installing|introducing|using|converting\s+to|deploying)\s+"
    r"(?P<what>(?:[a-z][\w-]*\s*){1,4})",
    re.I,
)
_SECTORS = phrase_table("sectors")
_BARE = phrase_table("bare_sectors")
"""Words that name an industry where they are all of its name, and are anything else in a sentence ('this paper')."""
_METRICS = phrase_table("metrics")
_BODIES = frozenset(
    (Category.STANDARDS, Category.REGULATOR, Category.GOVERNMENT, Category.INTERGOVERNMENTAL, Category.STATISTICS)
)


def technologies_in(text: str) -> tuple[str, ...]:
    """The technologies and practices that a text names, by their usual names, in order; else in its own words."""
    found = {match.start(): name for name, words in _KNOWN.items() if (match := words.search(text))}
    if found:
        return tuple(dict.fromkeys(found[place] for place in sorted(found)))
    for form in (_OWN_NAME, _BY_DOING):
        for match in form.finditer(text):
            words = match["what"].lower().split()
            kept = [word for word in words if not _TERMS["empty"].fullmatch(word) and word not in STOP_WORDS]
            if len(kept) > 1 and not _TERMS["no_technology"].search(match["what"]):
                return (" ".join(kept),)
    return ()


def certifications_in(text: str) -> tuple[str, ...]:
    """The certificates, labels and certifications that a text names, as written, each once."""
    named = [each.text for each in named_standards(text) if each.standard.kind in SCHEME_KINDS]
    return tuple(dict.fromkeys([*named, *(match.group() for match in CERTIFIED.finditer(text))]))


def sector_of(text: str) -> str:
    """The one sector that a text names, by our name for it; '' where it names none or several."""
    found = {name for name, words in _SECTORS.items() if words.search(text)}
    return found.pop() if len(found) == 1 else ""


def company_sector(industry: str, claim: str) -> str:
    """The sector of a company, by the name of its industry, else by its claim."""
    bare = next((name for name, words in _BARE.items() if words.fullmatch(industry.strip())), "")
    return bare or sector_of(industry) or sector_of(claim)


def metric_in(text: str) -> str:
    """What a claim's figure is of, as a query says it; '' where that is not known."""
    return next((name for name, words in _METRICS.items() if words.search(text)), "")


@lru_cache(maxsize=128)
def official_domains(standard_id: str) -> tuple[str, ...]:
    """Where a standard's publisher, or the body that runs it, speaks itself; of a family, where its members' do.

    From the book's public sources. Where the table of publishers knows some of them as public or standards bodies,
    only those count: a copy that somebody else hosts is not the publisher's site.
    """
    book = standards_book()
    own = _sites(book[standard_id])
    if not own:
        own = [site for each in book if each.family == standard_id for site in _sites(each)]
    rows = built_in_ratings().rows
    known = [site for site in own if site in rows and rows[site].category in _BODIES]
    return tuple(site for site, _ in Counter(known or own).most_common(2))


def _sites(standard: Standard) -> list[str]:
    published = [*(each.source for each in standard.editions), *(each.source for each in standard.rules)]
    own = [each for each in published if each.publisher == standard.publisher] or published
    return [registrable_domain(each.url) for each in own]


def sentence_with(text: str, words: re.Pattern[str]) -> Span | None:
    """The first sentence in which the words occur; None where none has them."""
    return next((span for span in sentences(text) if words.search(text, span.start, span.end)), None)

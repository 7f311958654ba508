"""Terms of a technical claim: technologies, sector, metric, certifications, official sites; the desk's phrase lists."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache

from inquest.domain.reasons import Reason, ReasonData
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.sources.standards import named_standards
from inquest.sources.standards_book import Standard, standards_book
from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, sentences
from inquest.text.urls import registrable_domain

SCHEME_KINDS = frozenset(("certificate", "offset", "label", "energy"))
"""Kinds of standard in the book that certify something, or stand for it."""
_OWN_TECHNOLOGY = regex(
    r"(?:\b(?:our|its|their|the|an?|this)\s+|['’]s?\s+)(?P<what>(?:[a-z][\w-]*\s+){1,6}?(?:technolog(?:y|ies)|"
    r"process(?:es)?|systems?|techniques?|membranes?|catalysts?|coatings?|reactors?|furnaces?|kilns?|burners?))\b",
    re.I,
)
_ADOPTED = regex(
    r"\b(?:by|through)\s+(?:adopting|switching\s+to|installing|introducing|using|converting\s+to|deploying)\s+"
    r"(?P<what>(?:[a-z][\w-]*\s*){1,4})",
    re.I,
)
_BODIES = frozenset(
    (Category.STANDARDS, Category.REGULATOR, Category.GOVERNMENT, Category.INTERGOVERNMENTAL, Category.STATISTICS)
)


def reason(name: str, /, **data: ReasonData) -> Reason:
    """The reason `academic.NAME`, worded in `domain/wording/academic.toml`."""
    return Reason(code=f"academic.{name}", data=data)


def phrases(listed: str) -> re.Pattern[str]:
    """A pattern of whole words for any phrase of a list that is parted by `|`, whatever their case.

    In a phrase `*` is any ending, `#` a digit, a blank also a hyphen, and ` … ` up to 60 characters of one clause.
    """
    parts = sorted((" ".join(each.split()) for each in listed.split("|") if each.strip()), key=len, reverse=True)
    forms = []
    for each in map(re.escape, parts):
        anywhere = each.replace(r"\ …\ ", r"\b[^.;]{0,60}?\b").replace(r"\*", r"\w*").replace(r"\#", r"\d")
        forms.append(anywhere.replace(r"\ ", r"[\s-]+"))
    return regex(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.I)


@cache
def phrase_table(section: str) -> dict[str, re.Pattern[str]]:
    """The lists of a section of `words.toml`, by name, in order. Raises KeyError where there is no such section."""
    return {name: phrases(listed) for name, listed in entries(__name__, section).items()}


CERTIFIED = phrase_table("terms")["certified"]


def first_named(section: str, text: str) -> str:
    """The name of the first list of a section that a text has a phrase of; ''."""
    return next((name for name, words in phrase_table(section).items() if words.search(text)), "")


def technologies_in(text: str) -> tuple[str, ...]:
    """The technologies and practices that a text names, by their usual names, in order; else in its own words."""
    matches = {name: words.search(text) for name, words in phrase_table("technologies").items()}
    found = {match.start(): name for name, match in matches.items() if match}
    if found:
        return tuple(found[place] for place in sorted(found))
    terms = phrase_table("terms")
    for form in (_OWN_TECHNOLOGY, _ADOPTED):
        for match in form.finditer(text):
            words = match["what"].lower().split()
            kept = [word for word in words if not terms["empty"].fullmatch(word) and word not in STOP_WORDS]
            if len(kept) > 1 and not terms["no_technology"].search(match["what"]):
                return (" ".join(kept),)
    return ()


def certifications_in(text: str) -> tuple[str, ...]:
    """The certificates, labels and certifications that a text names, as written, each once."""
    named = [each.text for each in named_standards(text) if each.standard.kind in SCHEME_KINDS]
    return tuple(dict.fromkeys([*named, *(match.group() for match in CERTIFIED.finditer(text))]))


def sector_of(text: str) -> str:
    """The one sector that a text names, by its name in the table; '' where it names none or several."""
    found = {name for name, words in phrase_table("sectors").items() if words.search(text)}
    return found.pop() if len(found) == 1 else ""


def company_sector(industry: str, claim: str) -> str:
    """The sector of a company, by the name of its industry, else by its claim."""
    named = industry.strip().lower()
    return (named if named in phrase_table("sectors") else sector_of(industry)) or sector_of(claim)


def metric_in(text: str) -> str:
    """What a claim's figure is of, as a query says it; '' where that is not known."""
    return first_named("metrics", text)


@lru_cache(maxsize=128)
def official_domains(standard_id: str) -> tuple[str, ...]:
    """The sites of a standard's publisher, from the book's public sources; of a family, those of its members. Where the
    table of publishers knows some of them as public or standards bodies, only those count: a copy is not official."""
    book, rows = standards_book(), built_in_ratings().rows
    members = [each for each in book if each.family == standard_id]
    own = _sites(book[standard_id]) or [site for each in members for site in _sites(each)]
    known = [site for site in own if site in rows and rows[site].category in _BODIES]
    return tuple(site for site, _ in Counter(known or own).most_common(2))


def _sites(standard: Standard) -> list[str]:
    published = [*(each.source for each in standard.editions), *(each.source for each in standard.rules)]
    own = [each for each in published if each.publisher == standard.publisher] or published
    return [registrable_domain(each.url) for each in own]


def sentence_with(text: str, words: re.Pattern[str]) -> Span | None:
    """The first sentence in which the words occur; None where none has them."""
    return next((span for span in sentences(text) if words.search(text, span.start, span.end)), None)

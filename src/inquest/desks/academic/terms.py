"""Terms of technical claims and the rule book of the checks: which published criteria a statement meets or breaks.

The rules are in the book of standards (`sources/data/standards`), the phrases by which a statement meets or breaks one
in `criteria.toml`. A requirement that a short statement does not mention is open, never broken.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Literal, NamedTuple

from inquest.domain.reasons import Catalogue, Reason
from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.sources.standards import Rule, Standard, named_standards, standards_book
from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, sentences
from inquest.text.urls import registrable_domain

reason = Catalogue("academic")
SCHEME_KINDS = frozenset(("certificate", "offset", "label", "energy"))
"""Kinds of standard in the book that certify something or are traded as proof of it."""
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
PUBLIC_BODIES = (Category.INTERGOVERNMENTAL, Category.STATISTICS, Category.GOVERNMENT, Category.REGULATOR)


def phrases(listed: str) -> re.Pattern[str]:
    """Return a pattern of whole words for any of the phrases separated by `|`, ignoring case.

    In a phrase `*` matches any ending, `#` a digit, a space also a hyphen, and ` … ` up to 60 characters of a clause.
    """
    parts = sorted((" ".join(each.split()) for each in listed.split("|") if each.strip()), key=len, reverse=True)
    forms = "|".join(map(re.escape, parts))
    for written, meant in ((r"\ …\ ", r"\b[^.;]{0,60}?\b"), (r"\*", r"\w*"), (r"\#", r"\d"), (r"\ ", r"[\s-]+")):
        forms = forms.replace(written, meant)
    return regex(rf"(?<!\w)(?:{forms})(?!\w)", re.I)


@cache
def phrase_table(section: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a section of `words.toml` by name, in order. Raises KeyError if there is no section."""
    return {name: phrases(listed) for name, listed in entries(__name__, section).items()}


FACILITY = phrases(
    "plant|plants|facilit*|site|sites|factor*|mill|mills|works|refiner*|smelter*|mine|mines|farm|farms|office|offices"
)
CERTIFIED = phrase_table("terms")["certified"]


def first_named(section: str, text: str) -> str:
    """Return the name of the first list of a section with a phrase in the text, or ''."""
    return next((name for name, words in phrase_table(section).items() if words.search(text)), "")


def technologies_in(text: str) -> tuple[str, ...]:
    """Return the usual names of the technologies and practices in a text, in order, else one in the text's words."""
    found = {
        match.start(): name for name, words in phrase_table("technologies").items() if (match := words.search(text))
    }
    if found:
        return tuple(found[place] for place in sorted(found))
    terms = phrase_table("terms")
    for form in (_OWN_TECHNOLOGY, _ADOPTED):
        for match in form.finditer(text):
            # 'the energy of our furnaces' is not an energy furnace.
            runs = groupby(match["what"].split(), key=lambda word: word.lower() in STOP_WORDS)
            named = [list(run) for is_stop, run in runs if not is_stop] or [[]]
            kept = [word for word in named[0 if form is _ADOPTED else -1] if not terms["empty"].fullmatch(word)]
            if len(kept) > 1 and not terms["no_technology"].search(match["what"]):
                return (" ".join(kept),)
    return ()


def certifications_in(text: str) -> tuple[str, ...]:
    """Return the certificates, labels and certifications in a text, as written, each once."""
    named = [each.text for each in named_standards(text) if each.standard.kind in SCHEME_KINDS]
    return tuple(dict.fromkeys([*named, *(match.group() for match in CERTIFIED.finditer(text))]))


def sector_of(text: str) -> str:
    """Return the name of the sector in a text, or '' if it names none or several."""
    found = {name for name, words in phrase_table("sectors").items() if words.search(text)}
    return found.pop() if len(found) == 1 else ""


def company_sector(industry: str, claim: str) -> str:
    """Return the sector of a company from its industry, else from its claim, else ''."""
    named = industry.strip().lower()
    return (named if named in phrase_table("sectors") else sector_of(industry)) or sector_of(claim)


@lru_cache(maxsize=128)
def official_domains(standard_id: str) -> tuple[str, ...]:
    """Return the sites of a standard's publisher, or of the members of a family, from the book's public sources.

    If the ratings list some of them as public or standards bodies, only those count: a copy is not official.
    """
    book, rows = standards_book(), built_in_ratings().rows

    def sites(standard: Standard) -> list[str]:
        published = [*(each.source for each in standard.editions), *(each.source for each in standard.rules)]
        own = [each for each in published if each.publisher == standard.publisher] or published
        return [registrable_domain(each.url) for each in own]

    own = sites(book[standard_id]) or [site for each in book if each.family == standard_id for site in sites(each)]
    known = [site for site in own if site in rows and rows[site].category in (Category.STANDARDS, *PUBLIC_BODIES)]
    return tuple(site for site, _ in Counter(known or own).most_common(2))


def sentence_with(text: str, words: re.Pattern[str]) -> Span | None:
    """Return the first sentence with the words."""
    return next((span for span in sentences(text) if words.search(text, span.start, span.end)), None)


Standing = Literal["met", "not met", "open"]
"""The result of one rule for a statement; open if the statement does not decide it."""
Alignment = Literal["aligned", "partially_aligned", "not_aligned", "unknown"]
"""The result of a whole standard for a statement (spec 002, 10.2)."""


class Point(NamedTuple):
    """One rule with its result and the reason."""

    asks: str
    rule: Rule
    standing: Standing
    reason: Reason
    standard: Standard | None = None

    @property
    def lacking(self) -> bool:
        """True for a requirement that the statement does not mention."""
        return self.standing == "open" and not self.rule.optional


class Aspect(NamedTuple):
    """A requirement of rules: the phrases that meet it, and those that break it with the reason."""

    name: str
    stated: re.Pattern[str]
    broken: tuple[tuple[re.Pattern[str], str], ...]


class Method(NamedTuple):
    """A calculation method that standards name. `limit`: its note is a limitation."""

    name: str
    words: re.Pattern[str]
    note: str
    """The name of its reason."""
    limit: bool


class Instrument(NamedTuple):
    """A kind of certificate or credit: its general entry in the book, and its phrases in claims and passages."""

    name: str
    general: str
    claim: re.Pattern[str]
    passage: re.Pattern[str]


_TABLE = tomllib.loads((files(__package__) / "criteria.toml").read_text("utf-8"))
ASPECTS = {
    asks: Aspect(
        name, phrases(stated), tuple((phrases(words), why) for of, why, words in _TABLE["broken"] if of == asks)
    )
    for asks, (name, stated) in _TABLE["aspects"].items()
}
"""Aspects by the `asks` of the rules, and by the risks of certificates and credits."""
METHODS = tuple(
    Method(name, phrases(words), note, bool(limit)) for name, (words, note, limit) in _TABLE["methods"].items()
)
INSTRUMENTS = tuple(
    Instrument(name, row["general"], phrases(row["claim"]), phrases(row["passage"]))
    for name, row in _TABLE["instruments"].items()
)
MISUSED = {code: phrases(words) for code, words in _TABLE["misused"].items()}
"""Uses of a scheme for something it does not certify, by the code of the reason."""


def judged(text: str, standard: Standard, rule: Rule) -> Point:
    """Judge a statement by the phrases of a rule whose `asks` is in `ASPECTS`."""
    aspect = ASPECTS[rule.asks]
    breach = next((why for words, why in aspect.broken if words.search(text)), None)
    if breach is not None:
        broken = reason("requirement_broken", standard=standard.name, rule=rule.text, why=breach)
        return Point(rule.asks, rule, "not met", broken, standard)
    met = aspect.stated.search(text) is not None
    why = reason("requirement_stated" if met else "requirement_missing", standard=standard.name, aspect=aspect.name)
    return Point(rule.asks, rule, "met" if met else "open", why, standard)

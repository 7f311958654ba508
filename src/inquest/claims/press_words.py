"""Search terms of a claim for the press: measure, topic, place, standard and year.

Never the sentence itself, since an engine that must match all of its words finds only the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquest.claims.brief_reading import key_terms
from inquest.claims.claim_detection import CONDUCT, TOPIC
from inquest.domain.claim import Claim, ClaimType
from inquest.sources.standards import named_standards
from inquest.text.company_names import without_legal_form
from inquest.text.entities import NameKind, names, same_name
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern, word_set
from inquest.text.moments import moments
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, fold, shorten, stem, words
from inquest.text.units import UNITS
from inquest.text.vocabulary import rarity

_READ = 2_000  # Characters of a claim that are read
_LONGEST = 40  # Characters of a search term
_LONGEST_QUERY = 200
_TERMS, _TOPIC_TERMS = 6, 4
_OPERATORS = pattern(__name__, "operators")
_SCOPE = regex(r"\bscopes?\s+[123](?:\s*(?:,|and|&|\+|to|-|–)\s*(?:scopes?\s+)?[123])*", re.I)
_NOISE = regex(r".*[\d/²³₂].*|GHGs?|[kMGT]?W[hp]?['’]?", re.I)
"""Terms that only look like names or words: periods, substances, units."""
_EMPTY = frozenset(stem(word) for word in word_set(__name__, "empty"))
"""Stems of words of reports that do not describe a subject."""
_EVERYDAY = word_set(__name__, "everyday")
"""Company names that are everyday words, chosen by hand in addition to common stems."""
_COMMON = 7.0  # Rarity below which a stem is common (`text.vocabulary.rarity`)
_WEIGHTS = {"measure": 4.0, "place": 3.0, "standard": 2.8, "topic": 2.5, "name": 2.2, "word": 1.0, "action": 0.5}
VERB_FORM = regex(r"\w{2,}(?:ed|ing|ly|ise|ize|izes|ises)$")  # The form of a verb or adverb, ranked below nouns
_ENOUGH = 3  # Topic terms; with fewer, the next best terms are added


@dataclass(frozen=True)
class ClaimWords:
    """Search terms of a claim, verbatim and in the claim's order."""

    terms: tuple[str, ...]  # The heaviest of all kinds, at most six
    topic: tuple[str, ...]  # Terms for the subject: 'Scope 1', 'emissions'; at most four
    core: tuple[str, ...]  # A place or name, the two heaviest terms for the subject and the next word, if it has them
    places: tuple[str, ...]
    figure: str  # The first figure; '' for none
    years: tuple[int, ...]  # Ascending


@dataclass(frozen=True)
class _Term:
    span: Span
    text: str
    kind: str


def claim_words(claim: Claim, company: str) -> ClaimWords:
    """Extract the search terms of a claim."""
    text = claim.text[:_READ]
    figures = figures_of(claim)
    # 'net-zero' has a number in words; only those in digits are searched for by themselves.
    taken = [each.span for each in quantities(text) if not each.spelled] + [each.span for each in moments(text)]
    for word in re.findall(r"\w[\w&.'’-]+", company):
        taken += [Span(*match.span()) for match in re.finditer(rf"(?<!\w){re.escape(word)}(?:['’]s)?(?!\w)", text)]
    terms: list[_Term] = []
    for term in sorted(_candidates(text, company), key=lambda each: (-_WEIGHTS[each.kind], each.span)):
        overlaps = any(term.span.start < other.end and other.start < term.span.end for other in taken)
        if len(term.text) <= _LONGEST and not overlaps:
            keys = {stem(word) for word in re.findall(r"\w+", term.text)}
            if any(keys <= {stem(word) for word in re.findall(r"\w+", other.text)} for other in terms):
                continue
            terms.append(term)
            taken.append(term.span)
    # The names in a claim about land or sites are mostly places.
    placed = ("place", "name") if claim.type is ClaimType.GEOGRAPHIC else ("place",)
    topic = [term for term in terms if term.kind in ("measure", "topic", "standard")]
    others = [term for term in terms if term not in topic and term.kind not in placed]
    named = [term for term in terms if term.kind in ("place", "name")]
    plain = [term for term in others if term not in named]
    core = {term.span: term for term in (*named[:1], *(*topic, *plain)[:2], *plain[:1])}
    topic += others[: max(0, _ENOUGH - len(topic))]
    return ClaimWords(
        terms=_in_order(terms[:_TERMS]),
        topic=_in_order(topic[:_TOPIC_TERMS]),
        core=_in_order([*core.values()]),
        places=tuple(term.text for term in terms if term.kind in placed)[:2],
        figure=figures[0].text if figures else "",
        years=years_of(claim),
    )


def figures_of(claim: Claim) -> tuple[Quantity, ...]:
    """Return the quantities with a unit and the counts from 100, in the claim's order."""
    return tuple(
        figure
        for figure in quantities(claim.text[:_READ])
        if not figure.spelled and (figure.dimension is not Dimension.COUNT or abs(figure.value) >= 100)
    )


def years_of(claim: Claim) -> tuple[int, ...]:
    """Return the years in the claim's text, or else in its dates, ascending."""
    named = {moment.start.year for moment in moments(claim.text[:_READ]) if not moment.relative}
    return tuple(sorted(named or {int(date[:4]) for date in claim.dates if date[:4].isdigit()}))


def places_of(text: str, company: str = "") -> tuple[str, ...]:
    """Return the names in an English text that have the form of places; () for other languages."""
    if detect_language(text) not in ("en", None):
        return ()
    return tuple(
        name.text
        for name in names(text)
        if name.kind is NameKind.PLACE and name.sure and not _is_noise(name.text) and not _is_of(name.text, company)
    )


def without_form(company: str) -> str:
    """Return the name as the press writes it, without legal form: 'Norvane Chemicals plc' -> 'Norvane Chemicals'."""
    return without_legal_form(company.replace('"', " "))


def called(company: str, industry: str = "") -> str:
    """Return the company's name for a query. A name of everyday words ('Shell', 'Target Corporation') becomes an exact
    phrase with the industry; if that is unknown, with its legal form or else the word 'company'."""
    full = shorten(company.replace('"', " "), 80).rstrip("…")
    name = without_form(full)
    spelled = [fold(word.of(name)) for word in words(name)][:2]
    everyday = _EVERYDAY | STOP_WORDS
    common = (word in everyday or (word.isalpha() and rarity(stem(word)) < _COMMON) for word in spelled)
    if not spelled or not all(common):
        return name
    if industry:
        return f'"{name}" {industry}'
    return f'"{full}"' if full != name else f'"{name}" company'


def plain_query(text: str) -> str:
    """Return a query for any engine: one line, without operators and brackets, shortened between words."""
    flat = _OPERATORS.sub(" ", text[: 10 * _LONGEST_QUERY])
    return shorten(" ".join(flat.split()), _LONGEST_QUERY).rstrip("…")


def joined(*parts: str) -> str:
    """Join the parts, leaving out those without a new word."""
    kept: list[str] = []
    used: set[str] = set()
    for part in parts:
        spelled = set(re.findall(r"[^\W_]+", fold(part)))
        if not spelled <= used:
            kept.append(" ".join(part.split()))
            used |= spelled
    return " ".join(kept)


def query_of(*parts: str) -> str:
    """Join the parts into one query, leaving out those without a new word."""
    return plain_query(joined(*parts))


def _candidates(text: str, company: str) -> Iterable[_Term]:
    yield from (_term(text, Span(*match.span()), "measure") for match in _SCOPE.finditer(text))
    yield from (_term(text, named.span, "standard") for named in named_standards(text))
    for name in names(text):
        if name.sure and not _is_noise(name.text) and not _is_of(name.text, company):
            yield _term(text, name.span, "place" if name.kind is NameKind.PLACE else "name")
    for topics in (CONDUCT, TOPIC):
        yield from (
            _term(text, Span(*match.span()), "topic")
            for match in topics.finditer(text)
            if stem(match.group()) not in _EMPTY and not _is_noise(match.group())
        )
    for word in key_terms(text, limit=24):
        if stem(word) not in _EMPTY and not _is_noise(word):
            place = text.find(word)
            yield _term(text, Span(place, place + len(word)), "action" if VERB_FORM.fullmatch(word) else "word")


def _term(text: str, span: Span, kind: str) -> _Term:
    return _Term(span, " ".join(span.of(text).split()), kind)


def _is_noise(name: str) -> bool:
    return name in UNITS or _NOISE.fullmatch(name) is not None


def _is_of(name: str, company: str) -> bool:
    return bool(company) and same_name(name, company)


def _in_order(terms: Sequence[_Term]) -> tuple[str, ...]:
    return tuple(term.text for term in sorted(terms, key=lambda each: each.span))

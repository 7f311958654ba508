"""Filings among the pages: their form, measures, statements to compare with news, and exhibits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.claims.claim_detection import BOILERPLATE
from inquest.desks.market.events import forms
from inquest.domain.document import Document
from inquest.domain.leads import Filing
from inquest.domain.market import FilingStatement, MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.entailment.changes import is_change
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.numerals import Bound
from inquest.text.polarity import poles
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.securities import forms_in
from inquest.text.sentences import STOP_WORDS, Span, content_words, fold, sentences

_SHARES = frozenset(("gross margin", "operating margin"))
_THINGS = frozenset(("deliveries", "production", "orders"))
_TIME = "cash runway"
DEPENDS_ON = {"deliveries": ("production", "orders"), "revenue": ("deliveries", "production", "orders")}
"""The quantities on which a quantity depends: less produced is less delivered."""
_YEAR = regex(r"(?<![\w$€£.,-])(?:fiscal(?: year)?\s|fy\s?['’]?)?(?P<year>20\d\d)(?![\w%]|[.,]\d)", re.I)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_QUARTER, _SPOKEN, _CALENDAR, _COMPARED, _WHOLE, _FROM, _NO_PLACE = (
    pattern(__name__, name) for name in ("quarter", "spoken", "calendar", "compared", "whole", "from", "no_place")
)
AHEAD = pattern(__name__, "ahead")
"""The words of a sentence on what is expected or planned."""
_AS_OF = regex(rf"\b(?:at|as of|on)\s+(?:the end of\s+)?({_CALENDAR.pattern})", re.I)
_TO = regex(r"\s*(?:to|and|-|–)\s*")
_GLUED = regex(r"(?<=\d)\s?(?P<scale>M|mn|B|bn)\b(?=\s+[a-z]|[.,;)]|$)")
_PER_SHARE = regex(r"\s+(?:per|a|each)\s+(?:common |ordinary )?share\b", re.I)
_CLAUSE = regex(r"[;:]|, (?:and|while|but|with|representing)\b| while | but ")
_LESS_THAN = regex(r"^\s*(?:\w+\s+){0,2}(?:more|less|fewer|higher|lower|above|below|short of)\b")
_AXES = frozenset(("amount", "begin", "success"))
_FAR = 80
"""Maximum number of characters between a figure and its measure."""
_CUTS = regex(r"\b(?:cut|cuts|cutting|shed|add(?:s|ed)?|lay(?:s|ing)? off|laid off|hir\w+)\s+(?:about\s+|another\s+)?$")


class Measured(NamedTuple):
    """A quantity with its measure."""

    measure: str
    quantity: Quantity
    change: bool
    """A growth or cut, in percent or by an amount, not a level."""
    basis: frozenset[str]
    scope: frozenset[str] = frozenset()
    """The part of the business; empty for the whole."""


def measures_named(text: str) -> frozenset[str]:
    """The names of the measures in a sentence."""
    plain = fold(text)
    return frozenset(name for name, form in forms("quantities").items() if form.search(plain))


def measured_in(text: str, company: str = "") -> tuple[Measured, ...]:
    """The quantities in a sentence that have a measure, each with the nearest one. `company`: the one they are of."""
    text = _GLUED.sub(lambda match: " million" if match["scale"][0].lower() == "m" else " billion", text)
    plain = fold(text) if len(fold(text)) == len(text) else text.lower()
    places = [
        (Span(*match.span()), name) for name, form in forms("quantities").items() for match in form.finditer(plain)
    ]
    basis = frozenset(name for name, form in forms("bases").items() if form.search(plain))
    found = []
    for quantity in _ranged(text, quantities(text)):
        span = quantity.span
        fitting = [place for place in places if _fits(place[1], quantity)]
        near = [each for each in fitting if not _CLAUSE.search(plain[slice(*_gap(each[0], span))])] or fitting
        place, measure = min(near, key=lambda each: _distance(each[0], span), default=(span, ""))
        if measure and _distance(place, span) <= _FAR:
            before, after = text[: quantity.span.start], text[quantity.span.end :]
            percent = quantity.dimension in (Dimension.SHARE, Dimension.POINTS) and measure not in _SHARES
            change = percent or is_change(text, quantity) or bool(_LESS_THAN.match(after[:40]) or _CUTS.search(before))
            if quantity.bound is Bound.EXACT and re.search(r"\bexceed(?:s|ed|ing)?\s+(?:about\s+)?[$€£¥]?$", before):
                quantity = replace(quantity, bound=Bound.AT_LEAST)
            name = f"{measure} per share" if _PER_SHARE.match(after) and "per share" not in measure else measure
            found.append(Measured(name, quantity, change, basis, _scope_of(text, place, quantity.span, company)))
    return tuple(found)


def _gap(one: Span, other: Span) -> tuple[int, int]:
    """The start and the end of the text between two spans."""
    return min(one.end, other.end), max(one.start, other.start)


def _distance(one: Span, other: Span) -> int:
    start, end = _gap(one, other)
    return max(0, end - start)


def periods_in(text: str, written: date | None) -> frozenset[str]:
    """The periods of accounts in a sentence: '2026', '2026-Q1'; else the day of a level. `written`: its day."""
    days = {match[1] for match in _AS_OF.finditer(text)}
    plain = _COMPARED.sub(" ", _CALENDAR.sub(" ", text))
    years = [each["year"] for each in _YEAR.finditer(plain)]
    quarters = set()
    for match in _QUARTER.finditer(plain):
        number = match["q"] or _ORDINALS[match["w"].lower()]
        quarters.add(f"{match['y'] or next(iter(years), '?')}-Q{number}")
    if quarters or years or written is None:
        return frozenset(quarters or years or days)
    found = set()
    for match in _SPOKEN.finditer(plain):
        step = {"next": 1, "last": -1}.get((match["which"] or "").lower(), 0)
        place = written.year * 4 + (written.month - 1) // 3 + step
        of_year = bool(match["annual"]) or match["unit"].lower() == "year"
        found.add(str(written.year + step) if of_year else f"{place // 4}-Q{place % 4 + 1}")
    return frozenset(found or days)


def direction_of(text: str) -> int:
    """+1 if a sentence reports more of something, -1 if less; 0 for neither or both."""
    signs = {pole.sign for pole in poles(text) if pole.axis in _AXES}
    return signs.pop() if len(signs) == 1 else 0


def _scope_of(text: str, place: Span, quantity: Span, company: str) -> frozenset[str]:
    """The part of the business of a figure: the word before its measure ('gaming revenue') or after 'from' or 'in'."""
    own = {fold(word).strip(".,") for word in company.split()}
    found: set[str] = set()
    before = re.search(r"([\w&-]+)(?:['’]s)?\s*$", text[max(0, place.start - 40) : place.start])
    if before is not None and not re.search(r"\d", before[1]) and (company or before[1][:1].islower()):
        found.add(fold(before[1]))
    for end in (place.end, quantity.end):
        after = re.sub(r"^\s+(?:revenue|sales|vehicles|units|cars)\b", "", text[end : end + 60])
        match = _FROM.match(after)
        if match and not _NO_PLACE.match(match["name"]) and not re.search(r"\d", match["name"]):
            found.add(fold(match["name"]))
    return frozenset(each for each in found - own - STOP_WORDS if not _WHOLE.fullmatch(each))


def _ranged(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """Join the ends of ranges such as '$24 billion to $26 billion' and '12% to 14%'; 'from 22 to 24' is a change."""
    merged: list[Quantity] = []
    for quantity in found:
        last = merged[-1] if merged else quantity
        before, between = text[: last.span.start], text[last.span.end : quantity.span.start]
        alike = (last.dimension, last.bound) == (quantity.dimension, Bound.EXACT) and last.unit in (quantity.unit, "")
        rises = last.low < quantity.high and not re.search(r"\bfrom\s+$", before, re.I)
        if merged and alike and rises and _TO.fullmatch(between):
            span = Span(last.span.start, quantity.span.end)
            merged[-1] = replace(quantity, span=span, text=span.of(text), low=last.low, bound=Bound.RANGE)
        else:
            merged.append(quantity)
    return merged


def _fits(measure: str, quantity: Quantity) -> bool:
    dimension = quantity.dimension
    if measure == _TIME or dimension is Dimension.DURATION:
        return measure == _TIME and dimension is Dimension.DURATION
    if measure in _THINGS:
        return dimension is not Dimension.FACTOR
    if dimension in (Dimension.SHARE, Dimension.POINTS):
        return True
    return measure not in _SHARES and dimension is Dimension.MONEY


_MOST, _MOST_OF_STRATEGY, _MOST_EXHIBITS = 12, 5, 2
_MOST_TEXT = 1_500_000
"""Characters; a large annual report has about a million."""
_HEAD = 5_000
_SHORTEST, _LONGEST = 30, 600
_PERIODIC = frozenset(("10-K", "10-Q", "20-F", "40-F"))
_CURRENT = ("8-K", "6-K")
_STRATEGY = pattern(__name__, "strategy")
_ITEM = regex(r"(?:^|\n)\s*(?:part\s+[iv]+,?\s+)?item\s+(?P<number>\d{1,2}[ABC]?)\s*[.:—–-]", re.I)
_REFERS = regex(r"\b(?:Exhibits?|Ex\.)\s+99(?:\.\d+)?\b", re.I)
_EXHIBIT = regex(r"(?:^|[^a-z])(?:[a-z0-9]*?[a-z])?(?:ex|exhibit)[-_.]?99", re.I)
"""File names of filers: 'ex99-1.htm', 'a8-kex991q42026.htm', 'd123456dex991.htm', 'exhibit_99-1.htm'."""


class FilingNamed(NamedTuple):
    """The data on a filing apart from its text."""

    form: str = ""
    filed: datetime | None = None
    source_id: str = ""


def is_periodic(filing: Filing) -> bool:
    """True for annual and quarterly reports, which have statements to compare with news."""
    return filing.form.removesuffix("/A") in _PERIODIC


def latest_reports(hits: Iterable[Hit], now: datetime) -> tuple[Hit, ...]:
    """The newest report of each periodic form that registers list, filed by `now`."""
    newest: dict[str, tuple[datetime, Hit]] = {}
    for hit in hits:
        filing = hit.filing
        if filing is None or filing.filed is None or not is_periodic(filing) or utc(filing.filed.at) > utc(now):
            continue
        form, at = filing.form.removesuffix("/A"), utc(filing.filed.at)
        if form not in newest or at > newest[form][0]:
            newest[form] = (at, hit)
    return tuple(hit for _, (_, hit) in sorted(newest.items()))


def form_of(document: Document) -> str:
    """The form that a filing names: '10-K'; '' if it names none."""
    return next(iter(forms_in(f"{document.title}\n{document.text[:_HEAD]}")), "")


def filing_statements(question: MarketQuestion, document: Document, named: FilingNamed) -> tuple[FilingStatement, ...]:
    """The sentences of a filing to compare with news, at most twelve, in the order of the text: goals are preferred,
    then figures that the question asks about; for a question on strategy also sentences on strategy."""
    text, form = document.text[:_MOST_TEXT], named.form or form_of(document)
    items = [(match.start(), match["number"].upper()) for match in _ITEM.finditer(text)]
    found: list[tuple[float, bool, FilingStatement]] = []
    for span in sentences(text):
        sentence = span.of(text)
        on_strategy = question.kind is QuestionKind.STRATEGY and bool(_STRATEGY.search(sentence))
        weight = _weight(question, sentence, on_strategy)
        if weight is None:
            continue
        section = next((f"Item {number}" for start, number in reversed(items) if start <= span.start), "")
        statement = FilingStatement(
            form=form, filed=named.filed, quote=sentence, snapshot=document.snapshot, start=span.start, end=span.end,
            source_id=named.source_id, section=section,
        )  # fmt: skip
        found.append((weight, on_strategy, statement))
    best = sorted(found, key=lambda each: (-each[0], each[2].start))
    strategy = [each for each in best if each[1]][:_MOST_OF_STRATEGY]
    chosen = [*strategy, *(each for each in best if each not in strategy)][:_MOST]
    return tuple(sorted((statement for _, _, statement in chosen), key=lambda each: each.start))


def _weight(question: MarketQuestion, sentence: str, on_strategy: bool) -> float | None:
    """The weight of a sentence of a filing; None if it cannot be compared with news. Cheap tests come first."""
    if not _SHORTEST <= len(sentence) <= _LONGEST or not (on_strategy or any(char.isdigit() for char in sentence)):
        return None
    named = measures_named(sentence)
    if BOILERPLATE.search(sentence) or not (on_strategy or (named and measured_in(sentence))):
        return None
    words = set(content_words(question.text)) & set(content_words(sentence))
    asked = bool(named & measures_named(question.text))
    goal, dated = bool(AHEAD.search(sentence)), bool(periods_in(sentence, None))
    return 2.0 * goal + 1.0 * dated + 1.5 * asked + 0.5 * min(3, len(words))


def exhibits_of(document: Document) -> tuple[str, ...]:
    """The addresses of the exhibits 99 (most often the press release) that a current report (8-K, 6-K) refers to and
    links, at most two, and only files in its own folder, so that no link leads elsewhere."""
    if not _REFERS.search(document.text) or not form_of(document).startswith(_CURRENT):
        return ()
    folder, file = _parted(document.url)
    parted = {url: _parted(url) for url in document.links}
    found = [url for url, (at, name) in parted.items() if at == folder and name != file and _EXHIBIT.search(name)]
    return tuple(found)[:_MOST_EXHIBITS]


def _parted(url: str) -> tuple[tuple[str, str, str], str]:
    """The folder and the file of an address."""
    parts = urlsplit(url)
    folder, _, file = parts.path.rpartition("/")
    return (parts.scheme, parts.netloc, folder), file

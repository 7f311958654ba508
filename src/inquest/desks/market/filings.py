"""Filings among the pages: their form, statements to compare with news, and exhibits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urlsplit

from inquest.claims.claim_detection import BOILERPLATE
from inquest.desks.market.events import forms
from inquest.desks.market.questions import focus_of
from inquest.domain.document import Document
from inquest.domain.leads import Filing
from inquest.domain.market import FilingStatement, MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.quantities import quantities
from inquest.text.regex import regex
from inquest.text.securities import forms_in
from inquest.text.sentences import content_words, fold, sentences

_AHEAD = pattern(__name__, "ahead")
"""Words of a sentence about expectations or plans."""


def measures_named(text: str) -> frozenset[str]:
    """The names of the measures in a sentence."""
    plain = fold(text)
    return frozenset(name for name, form in forms("quantities").items() if form.search(plain))


_MOST, _MOST_EXHIBITS = 12, 2
_MOST_TEXT = 1_500_000
"""Characters; a large annual report has about a million."""
_HEAD = 5_000
_SHORTEST, _LONGEST = 30, 600
_PERIODIC = frozenset(("10-K", "10-Q", "20-F", "40-F"))
_CURRENT = ("8-K", "6-K")
_ITEM = regex(r"(?:^|\n)\s*(?:part\s+[iv]+,?\s+)?item\s+(?P<number>\d{1,2}[ABC]?)\s*[.:—–-]", re.I)
_REFERS = regex(r"\b(?:Exhibits?|Ex\.)\s+99(?:\.\d+)?\b", re.I)
_EXHIBIT = regex(r"(?:^|[^a-z])(?:[a-z0-9]*?[a-z])?(?:ex|exhibit)[-_.]?99", re.I)
"""File names of filers: 'ex99-1.htm', 'a8-kex991q42026.htm', 'd123456dex991.htm', 'exhibit_99-1.htm'."""


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


def filing_statements(
    question: MarketQuestion, document: Document, form: str, filed: datetime | None, source_id: str
) -> tuple[FilingStatement, ...]:
    """The sentences of a filing on the question or to compare with news, at most twelve, in the order of the text:
    goals are preferred, then figures that the question asks about."""
    text = document.text[:_MOST_TEXT]
    items = [(match.start(), match["number"].upper()) for match in _ITEM.finditer(text)]
    found: list[tuple[float, FilingStatement]] = []
    for span in sentences(text):
        sentence = span.of(text)
        if weight := _weight(question, sentence):
            section = next((f"Item {number}" for start, number in reversed(items) if start <= span.start), "")
            statement = FilingStatement(
                form=form or form_of(document), filed=filed, quote=sentence, snapshot=document.snapshot,
                start=span.start, end=span.end, source_id=source_id, section=section,
            )  # fmt: skip
            found.append((weight, statement))
    best = sorted(found, key=lambda each: (-each[0], each[1].start))[:_MOST]
    return tuple(sorted((statement for _, statement in best), key=lambda each: each.start))


def _weight(question: MarketQuestion, sentence: str) -> float:
    """The weight of a sentence of a filing; 0 if it has no figure of a measure and is not about the strategy that the
    question asks about. Cheap tests come first."""
    if not _SHORTEST <= len(sentence) <= _LONGEST:
        return 0.0
    named, ahead = measures_named(sentence), bool(_AHEAD.search(sentence))
    words = focus_of(question) & set(content_words(sentence))
    on_strategy = question.kind is QuestionKind.STRATEGY and bool(words)
    if not (on_strategy or (named and quantities(sentence))) or BOILERPLATE.search(sentence):
        return 0.0
    asked = bool(named & measures_named(question.text))
    return 0.5 + 2.0 * ahead + 1.0 * bool(moments(sentence)) + 1.5 * asked + 0.5 * min(3, len(words))


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

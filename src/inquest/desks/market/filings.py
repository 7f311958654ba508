"""Filings among the pages: their form, what of them news can be held against, and the exhibits they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.desks.market.measures import looks_ahead, measured_in, measures_named, periods_in
from inquest.domain.document import Document
from inquest.domain.leads import Filing
from inquest.domain.market import FilingStatement, MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.securities import forms_in
from inquest.text.sentences import content_words, sentences

_MOST, _MOST_OF_STRATEGY, _MOST_EXHIBITS = 12, 5, 2
_MOST_TEXT = 1_500_000
"""Characters; a large annual report has about a million."""
_HEAD = 5_000
_SHORTEST, _LONGEST = 30, 600
_PERIODIC = frozenset(("10-K", "10-Q", "20-F", "40-F"))
_CURRENT = ("8-K", "6-K")
_NO_STATEMENT, _STRATEGY = pattern(__name__, "no_statement"), pattern(__name__, "strategy")
_ITEM = regex(r"(?:^|\n)\s*(?:part\s+[iv]+,?\s+)?item\s+(?P<number>\d{1,2}[ABC]?)\s*[.:—–-]", re.I)
_REFERS = regex(r"\b(?:Exhibits?|Ex\.)\s+99(?:\.\d+)?\b", re.I)
_EXHIBIT = regex(r"(?:^|[^a-z])(?:[a-z0-9]*?[a-z])?(?:ex|exhibit)[-_.]?99", re.I)
"""How filers call the file: 'ex99-1.htm', 'a8-kex991q42026.htm', 'd123456dex991.htm', 'exhibit_99-1.htm'."""


class FilingNamed(NamedTuple):
    """What is known of a filing beside its text."""

    form: str = ""
    filed: datetime | None = None
    source_id: str = ""


def is_periodic(filing: Filing) -> bool:
    """Whether it is an annual or quarterly report, which says what news can be held against."""
    return filing.form.removesuffix("/A") in _PERIODIC


def latest_reports(hits: Iterable[Hit], now: datetime) -> tuple[Hit, ...]:
    """Of each kind of periodic report the newest that registers list and that was filed by `now`."""
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
    """The form that a filing says it is of: '10-K'; '' where it does not."""
    return next(iter(forms_in(f"{document.title}\n{document.text[:_HEAD]}")), "")


def filing_statements(question: MarketQuestion, document: Document, named: FilingNamed) -> tuple[FilingStatement, ...]:
    """The sentences of a filing with figures that news may confirm or contradict, at most twelve, in the order of the
    text; goals first, then what the question speaks of. Asked about its strategy, what the company says of that too."""
    text, form = document.text[:_MOST_TEXT], named.form or form_of(document)
    items = [(match.start(), match["number"].upper()) for match in _ITEM.finditer(text)]
    of_course = question.kind is QuestionKind.STRATEGY
    found: list[tuple[float, bool, FilingStatement]] = []
    for span in sentences(text):
        sentence = span.of(text)
        worth = _worth(question, sentence, of_course)
        if worth is None:
            continue
        section = next((f"Item {number}" for start, number in reversed(items) if start <= span.start), "")
        statement = FilingStatement(
            form=form, filed=named.filed, quote=sentence, snapshot=document.snapshot, start=span.start, end=span.end,
            source_id=named.source_id, section=section,
        )  # fmt: skip
        found.append((worth, of_course and bool(_STRATEGY.search(sentence)), statement))
    best = sorted(found, key=lambda each: (-each[0], each[2].start))
    course = [each for each in best if each[1]][:_MOST_OF_STRATEGY]
    chosen = [*course, *(each for each in best if each not in course)][:_MOST]
    return tuple(sorted((statement for _, _, statement in chosen), key=lambda each: each.start))


def _worth(question: MarketQuestion, sentence: str, of_course: bool) -> float | None:
    """What a sentence of a filing is worth beside the others; None where news cannot be held against it. What is cheap
    is looked for first: an annual report has ten thousand sentences."""
    if not _SHORTEST <= len(sentence) <= _LONGEST:
        return None
    on_course = of_course and bool(_STRATEGY.search(sentence))
    if not on_course and not any(char.isdigit() for char in sentence):
        return None
    named = measures_named(sentence)
    if _NO_STATEMENT.search(sentence) or not (on_course or (named and measured_in(sentence))):
        return None
    words = set(content_words(question.text)) & set(content_words(sentence))
    asked = bool(named & measures_named(question.text))
    return 2.0 * looks_ahead(sentence) + 1.0 * bool(periods_in(sentence, None)) + 1.5 * asked + 0.5 * min(3, len(words))


def exhibits_of(document: Document) -> tuple[str, ...]:
    """The addresses of the exhibits 99 (the press release, most often) that a current report (8-K, 6-K) refers to and
    links, at most two: files of its own folder, so that no link of a page leads anywhere else."""
    if not _REFERS.search(document.text) or not form_of(document).startswith(_CURRENT):
        return ()
    found = [url for url in document.links if _is_beside(url, document.url) and _EXHIBIT.search(_file(url))]
    return tuple(dict.fromkeys(found))[:_MOST_EXHIBITS]


def _is_beside(url: str, main: str) -> bool:
    one, other = urlsplit(url), urlsplit(main)
    same_folder = one.path.rpartition("/")[0] == other.path.rpartition("/")[0]
    return (one.scheme, one.netloc) == (other.scheme, other.netloc) and same_folder and one.path != other.path


def _file(url: str) -> str:
    return urlsplit(url).path.rpartition("/")[2]

"""Filings among the pages (form, statements, exhibits), and later news compared with their statements (spec 003).

A statement of a filing is judged like a claim, but only by news on the same measure that was published after the
filing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.claims.claim_detection import BOILERPLATE
from inquest.desks.market.developments import quote_of, says_party
from inquest.desks.market.events import forms
from inquest.desks.market.questions import focus_of
from inquest.domain.document import Document
from inquest.domain.finding import ContradictionType, Finding, Mode, Reading, SpeakerKind, Stance
from inquest.domain.market import AgainstFiling, FilingStatement, MarketQuestion, QuestionKind
from inquest.domain.search import Filing, Hit
from inquest.domain.source import Source
from inquest.domain.value import firsts
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.phrases import listed
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


def filing_statements(
    question: MarketQuestion, document: Document, form: str, filed: datetime | None, source_id: str
) -> tuple[FilingStatement, ...]:
    """The sentences of a filing on the question or to compare with news, at most twelve, in the order of the text:
    goals are preferred, then figures that the question asks about."""
    text, form = document.text[:_MOST_TEXT], form or _form_of(document)
    items = [(match.start(), match["number"].upper()) for match in _ITEM.finditer(text)]
    found: list[tuple[float, FilingStatement]] = []
    for span in sentences(text):
        sentence = span.of(text)
        if weight := _weight(question, sentence):
            section = next((f"Item {number}" for start, number in reversed(items) if start <= span.start), "")
            statement = FilingStatement(
                form=form, filed=filed, quote=sentence, snapshot=document.snapshot,
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


def _form_of(document: Document) -> str:
    return next(iter(forms_in(f"{document.title}\n{document.text[:_HEAD]}")), "")


def exhibits_of(document: Document) -> tuple[str, ...]:
    """The addresses of the exhibits 99 (most often the press release) that a current report (8-K, 6-K) refers to and
    links, at most two, and only files in its own folder, so that no link leads elsewhere."""
    if not _REFERS.search(document.text) or not _form_of(document).startswith(_CURRENT):
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


_MOST_COMPARED, _MOST_NEWS = 4, 6
"""Maximum statements compared, and maximum news items for each."""
_OWN = (SpeakerKind.PARTY, SpeakerKind.DOCUMENT)
_PARTIAL = (ContradictionType.CONTEXTUAL, ContradictionType.OMISSION)
_ORDER = ("contradicts", "points the other way", "agrees")


class Comparison(NamedTuple):
    """A statement of a filing, and the later news on the same measures, most similar first."""

    statement: FilingStatement
    news: tuple[Finding, ...]


def comparisons(
    statements: Sequence[FilingStatement], findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[Comparison, ...]:
    """The statements that later news may support or contradict, those with the most similar news first. `sources`: by
    id, those that count."""
    found: list[tuple[int, Comparison]] = []
    for statement in statements:
        measures, words = measures_named(statement.quote), set(content_words(statement.quote))
        shared = {
            each.id: len(words & set(content_words(each.quote)))
            for each in findings
            if measures & measures_named(each.quote) and _is_later(each, statement, sources)
        }
        news = sorted((each for each in findings if each.id in shared), key=lambda each: -shared[each.id])[:_MOST_NEWS]
        if news:
            found.append((shared[news[0].id], Comparison(statement, tuple(news))))
    return tuple(each for _, each in sorted(found, key=lambda one: -one[0])[:_MOST_COMPARED])


def _is_later(finding: Finding, statement: FilingStatement, sources: Mapping[str, Source]) -> bool:
    source = sources.get(finding.source_id)
    if source is None or source.id == statement.source_id:
        return False
    return not (source.published and statement.filed and utc(source.published.at) < utc(statement.filed))


def against_filings(
    comparison: Comparison, readings: Sequence[Reading], sources: Mapping[str, Source], now: datetime
) -> tuple[AgainstFiling, ...]:
    """The decisive news, contradictions first, one item for each source. `readings`: one for each news item."""
    statement = comparison.statement
    found: list[AgainstFiling] = []
    for finding, reading in zip(comparison.news, readings, strict=True):
        if not reading.stance.decides or (reading.mode and reading.mode.is_open):
            continue
        source = sources[finding.source_id]
        own = says_party(finding) or (reading.speaker is not None and reading.speaker.kind in _OWN)
        by_others = reading.mode is Mode.EXPECTED and not own
        against = "points the other way" if by_others or reading.contradiction_type in _PARTIAL else "contradicts"
        found.append(
            AgainstFiling(
                relation="agrees" if reading.stance is Stance.SUPPORTS else against,
                what=listed(sorted(measures_named(statement.quote) & measures_named(finding.quote))),
                filing=statement,
                news=quote_of(finding, source, now),
                days_between=(source.published.at.date() - statement.filed.date()).days
                if source.published and statement.filed
                else None,
                reason=" ".join(reading.reasons[:1]),
                reason_codes=reading.reason_codes[:1],
                forecast_by_others=by_others,
            )
        )
    found.sort(key=lambda each: _ORDER.index(each.relation))
    return tuple(firsts(((each.relation, each.news.source_id), each) for each in found).values())

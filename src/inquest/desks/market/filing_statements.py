"""What a filing says that news can be held against: its sentences with figures of the accounts or goals, in place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from inquest.desks.market.filing_terms import measured_in, measures_named, periods_in
from inquest.domain.document import Document
from inquest.domain.leads import Filing
from inquest.domain.market import FilingStatement, MarketQuestion, QuestionKind
from inquest.domain.search import Hit
from inquest.text.dates import utc
from inquest.text.securities import forms_in
from inquest.text.sentences import content_words, sentences

__all__ = ["FilingNamed", "filing_statements", "form_of", "is_periodic", "latest_reports"]

_MOST = 12
_PERIODIC = frozenset(("10-K", "10-Q", "20-F", "40-F"))
_MOST_TEXT = 1_500_000
"""Characters; a large annual report has about a million."""
_HEAD = 5_000
_SHORTEST, _LONGEST = 30, 600
_AHEAD = re.compile(
    r"\b(?:expects?|expected|projects?|projected|plans?|targets?|guidance|outlook|forecasts?|anticipates?|aims?|"
    r"intends?|estimates?|will)\b",
    re.I,
)
_STRATEGY = re.compile(
    r"\b(?:our|the company['’]s|its|the group['’]s)\s+(?:[\w-]+\s+){0,3}?(?:strateg(?:y|ies)|priorit(?:y|ies)|"
    r"growth drivers?|business model)\b|\bstrategy (?:is|focuses|includes|leverages|relies|rests)\b|"
    r"\b(?:we|the company|the group) (?:believes?|continues? to|intends? to|plans? to|aims? to|will)\s+"
    r"(?:[\w-]+\s+){0,4}?(?:focus|invest|expand|prioriti[sz]e|differentiat\w+|transition|grow)\b",
    re.I,
)
"""What a company says of its course: of a question about its strategy the foundation, though it has no figure."""
_MOST_OF_STRATEGY = 5
_NO_STATEMENT = re.compile(
    r"forward-looking statements?|no assurance|could cause|risks? and uncertainties|see note|table of contents", re.I
)
_ITEM = re.compile(r"(?:^|\n)\s*(?:part\s+[iv]+,?\s+)?item\s+(?P<number>\d{1,2}[ABC]?)\s*[.:—–-]", re.I)


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


def filing_statements(
    question: MarketQuestion, document: Document, named: FilingNamed, *, most: int = _MOST
) -> tuple[FilingStatement, ...]:
    """The sentences of a filing with figures that news may bear out or belie, at most `most`, in the order of the text;
    goals first, then what the question speaks of. Asked about its strategy, what the company says of that as well."""
    text = document.text[:_MOST_TEXT]
    items = [(match.start(), match["number"].upper()) for match in _ITEM.finditer(text)]
    asked, measures = set(content_words(question.text)), measures_named(question.text)
    found: list[tuple[float, int, FilingStatement]] = []
    for span in sentences(text):
        sentence = span.of(text)
        if not _SHORTEST <= len(sentence) <= _LONGEST:
            continue
        on_course = question.kind is QuestionKind.STRATEGY and bool(_STRATEGY.search(sentence))
        # Looked for in the cheap way first: an annual report has ten thousand sentences.
        if not on_course and not any(char.isdigit() for char in sentence):
            continue
        spoken = measures_named(sentence)
        if _NO_STATEMENT.search(sentence) or not (on_course or (spoken and measured_in(sentence))):
            continue
        ahead, period = bool(_AHEAD.search(sentence)), bool(periods_in(sentence, None))
        words = asked & set(content_words(sentence))
        worth = 2.0 * ahead + 1.0 * period + 1.5 * bool(spoken & measures) + 0.5 * min(3, len(words))
        section = next((f"Item {number}" for start, number in reversed(items) if start <= span.start), "")
        statement = FilingStatement(
            form=named.form or form_of(document), filed=named.filed, quote=sentence, snapshot=document.snapshot,
            start=span.start, end=span.end, source_id=named.source_id, section=section,
        )  # fmt: skip
        found.append((worth, span.start, statement))
    best = sorted(found, key=lambda each: (-each[0], each[1]))
    if question.kind is QuestionKind.STRATEGY:
        course = [each for each in best if _STRATEGY.search(each[2].quote)][:_MOST_OF_STRATEGY]
        best = [*course, *(each for each in best if each not in course)]
    best = best[: max(0, most)]
    return tuple(statement for _, _, statement in sorted(best, key=lambda each: each[1]))

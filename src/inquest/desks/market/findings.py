"""What a page says that bears on a question to the market desk: its telling sentences, word for word and in place."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.desks.market.advice import instructs, urges
from inquest.desks.market.analysts import actions_in
from inquest.desks.market.critical import critical_in, moves_in
from inquest.desks.market.sectors import sector_in
from inquest.domain.document import Document
from inquest.domain.finding import Finding, Stance
from inquest.domain.market import Critical, MarketQuestion, QuestionKind
from inquest.domain.source import Source
from inquest.sources.economic_releases import same_statistic
from inquest.text.blocks import evidence_sentences
from inquest.text.grounding import check_grounded
from inquest.text.quantities import quantities
from inquest.text.securities import parse_ticker
from inquest.text.sentences import Span, content_words, fold

__all__ = ["TOO_SHORT", "about_company", "market_findings", "too_short"]

TOO_SHORT = 200
"""Characters; a page with less is no article (spec 003, noise filters)."""
_SHORTEST, _LONGEST = 30, 450
_MOST = 6
_MOST_TEXT = 60_000
_BOILERPLATE = re.compile(
    r"\b(?:forward-looking statements?|all rights reserved|subscribe|newsletter|cookies?|sign up|click here|read more|"
    r"terms of (?:use|service)|privacy policy|not (?:investment|financial) advice|the (?:author|writer) (?:has|"
    r"holds|owns)|"
    r"disclosure:|disclaimer|sponsored|advertisement|copyright|"
    # The cover and the list of exhibits of a filing.
    r"exhibit (?:number|description|index)|incorporated (?:herein )?by reference|"
    r"(?:furnished|attached|filed)(?: herewith)? as exhibit|\d{3}-\d{5}|"
    r"issued an? (?:press|news|earnings) release (?:regarding|relating to|announcing (?:its|the)[\w ]{0,40}results)|"
    r"(?:commission|employer|i\.?r\.?s\.?) (?:file|identification) (?:number|no)|pursuant to the requirements)\b",
    re.I,
)
_CAUSE = re.compile(
    r"\b(?:after|because|amid|following|due to|as (?:a result|investors)|on (?:news|reports|concerns?|fears|hopes)|"
    r"driven by|"
    r"citing|weighed on|caus(?:es|ed)|prompt(?:s|ed)|sparked|triggered)\b",
    re.I,
)
_EVENT = re.compile(
    r"\b(?:announc\w+|report(?:s|ed)|said|says|launch\w*|acquir\w+|merg\w+|agree[sd]?|sign(?:s|ed)|fil(?:es|ed)|"
    r"approv\w+|"
    r"guidance|results|forecast|expects?|plans?|releas\w+|opens?|opened|cuts?|rais(?:es|ed)|will)\b",
    re.I,
)
_GOES_ON = re.compile(
    r"^(?:the (?:company|firm|group|stock|shares|chipmaker|carmaker|bank|maker|drugmaker)|its?|shares|they|he|she|"
    r"management|(?:(?:total|net|quarterly|adjusted|(?:first|second|third|fourth)-quarter|full-year|[a-z]+-?[a-z]*)\s)?"
    r"(?:revenues?|sales|net income|profit|earnings(?: per share)?|eps|deliveries|(?:gross |operating )?margins?)|"
    r"(?:the )?(?:consensus|street)|(?:the )?average (?:analyst )?estimate|analysts)\b",
    re.I,
)
"""How a sentence begins that goes on about the company of the one before: a pronoun, its kind, a line of accounts."""
_POINTS_BACK = re.compile(
    r"(?:This|These|That|Those|It|They|He|She|Its|Their|His|Her)\b|"
    r"The\s+[a-z]+\s+(?:is|was|are|were|will|would|could|can|may|has|had|costs?|said|says|includes?|values|comes|came|"
    r"follows|followed|marks|allows|offers|runs|takes|took)\b"
)
"""How a sentence begins that is understood with the one before it only: 'The service costs ...'."""
_ESTIMATE = re.compile(
    r"\b(?:cuts?|lower(?:s|ed)|trim(?:s|med)|slash(?:es|ed)|reduc(?:es|ed)|rais(?:es|ed)|lift(?:s|ed)|boost(?:s|ed)|"
    r"increas(?:es|ed)|keeps|kept|maintain(?:s|ed))\s+(?:its|their|his|her)\s+(?:[\w-]+\s+){0,4}?estimates?\b",
    re.I,
)
"""What analysts do and companies do not: a company has a forecast or a guidance."""
_OF_ANOTHER = re.compile(
    r"\b(?:on|for|of|at)\s+(?!(?:January|February|March|April|May|June|July|August|September|October|"
    r"November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Wall|LSEG|FactSet)\b)[A-Z]\w"
)
_THE_MARKET = re.compile(
    r"\b(?:s&p 500|nasdaq|dow(?: jones)?|ftse|dax|nikkei|stoxx|wall street|stocks|stock markets?|equities|"
    r"(?:benchmark|stock|share) index(?:es)?|treasur(?:y|ies)|bond yields?)\b"
)


class _Telling(NamedTuple):
    span: Span
    worth: float
    kinds: tuple[str, ...]
    named: bool
    """Whether it names whom it is about, and does not go on from the sentence before."""


def market_findings(
    question: MarketQuestion, source: Source, document: Document, *, most: int = _MOST
) -> tuple[Finding, ...]:
    """The telling sentences of a page as findings (neutral: they bear on no claim), in the order of the text.

    `details.kinds` names what a sentence is about: move, cause, critical, analyst, figure, event. What urges to trade,
    what speaks to a machine, questions and boilerplate are left out. Raises Ungrounded where a sentence does not stand
    in its snapshot, which would be a defect.
    """
    text = document.text
    told: list[_Telling] = []
    named_before = False
    for span in evidence_sentences(document, _MOST_TEXT):
        sentence = span.of(text)
        named = about_company(question, sentence)
        goes_on = named_before and not named and _continues(sentence, question.company)
        named_before = named or goes_on
        if not _SHORTEST <= len(sentence) <= _LONGEST or sentence.endswith("?") or "\n\n" in sentence:
            continue
        if urges(sentence) or instructs(sentence) or _BOILERPLATE.search(sentence):
            continue
        if telling := _telling(question, span, sentence, named=named, goes_on=goes_on):
            told.append(telling)
    best = sorted(told, key=lambda each: (-each.worth, each.span.start))[: max(0, most)]
    found = []
    for number, each in enumerate(sorted(best, key=lambda one: one.span), 1):
        finding = Finding(
            id=f"M-{source.id}-{number}",
            claim_id=None,
            source_id=source.id,
            agent="market",
            evidence_type="market_news",
            stance=Stance.NEUTRAL,
            confidence=round(min(0.95, 0.4 + 0.1 * each.worth), 4),
            quote=each.span.of(text),
            snapshot=source.snapshot,
            start=each.span.start,
            end=each.span.end,
            page=document.page_of(each.span.start),
            details={
                "kinds": list(each.kinds),
                "goes_on": not each.named or bool(_POINTS_BACK.match(each.span.of(text))),
            },
            reasons=(f"It tells of {', '.join(each.kinds)}.",),
        )
        found.append(check_grounded(finding, document.text))
    return tuple(found)


def too_short(document: Document) -> bool:
    """Whether a page that was read is too short to be an article; a release, a feed's or a register's entry may be
    short."""
    return document.kind in ("html", "pdf") and len(document.text.strip()) < TOO_SHORT


def about_company(question: MarketQuestion, sentence: str) -> bool:
    """Whether a sentence names the company or a ticker of the question; for a question about none, its sector or
    matter."""
    for each in question.tickers:
        symbol = (parsed.symbol if (parsed := parse_ticker(each.symbol)) else each.symbol).replace("-", "[.-]?")
        if re.search(rf"(?<![\w.]){symbol}(?![\w])", sentence):
            return True
    plain = fold(sentence)
    company = _said(question.company)
    if company:
        found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(company)}(?!\w)", plain)]
        # 'Target' is a company and 'target' is not, wherever letters can be told apart.
        written = question.company[:1].isupper() and len(plain) == len(sentence)
        return any(not written or not sentence[start].islower() for start in found)
    if question.tickers:
        return False
    if question.kind is QuestionKind.ECONOMIC_RELEASE:
        return same_statistic(sentence, question.text)
    if question.sector:
        return sector_in(sentence) == question.sector or bool(
            set(content_words(question.sector)) & set(content_words(sentence))
        )
    return bool(set(content_words(question.text)) & set(content_words(sentence))) or bool(_THE_MARKET.search(plain))


def _continues(sentence: str, company: str) -> bool:
    """Whether a sentence that names nobody goes on about the company of the one before: by its beginning, or with
    another analyst's action that is about nobody else."""
    if _GOES_ON.match(sentence):
        return True
    of_analysts = bool(actions_in(sentence, company)) or bool(_ESTIMATE.search(sentence))
    return of_analysts and not _OF_ANOTHER.search(sentence)


def _said(company: str) -> str:
    """The first word of a company's name that is no article, or both of a two-word name whose first is common."""
    words = [word for word in fold(company).replace(",", " ").split() if word not in ("the",)]
    if not words:
        return ""
    return words[0] if len(words[0]) > 3 or len(words) == 1 else " ".join(words[:2])


def _telling(question: MarketQuestion, span: Span, sentence: str, *, named: bool, goes_on: bool) -> _Telling | None:
    company = question.company
    kinds: list[str] = []
    if moves_in(sentence):
        kinds.append("move")
    if critical_in(sentence):
        kinds.append("critical")
    if actions_in(sentence, company):
        kinds.append("analyst")
    if _CAUSE.search(sentence):
        kinds.append("cause")
    if quantities(sentence):
        kinds.append("figure")
    if _EVENT.search(sentence):
        kinds.append("event")
    if not kinds or not (named or goes_on):
        return None
    asked = set(content_words(question.text)) & set(content_words(sentence))
    counted = len(kinds)
    if question.kind is not QuestionKind.STOCK_MOVEMENT:  # what was asked about comes before what shares made of it
        counted -= ("move" in kinds) + (critical_in(sentence) == (Critical.BIG_MOVE,))
    worth = (1.5 if named else 0.5) + 0.8 * counted + 0.3 * min(3, len(asked)) - (0.3 if span.start > 4_000 else 0)
    return _Telling(span, worth, tuple(kinds), named)

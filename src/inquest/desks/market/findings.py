"""What a page says that bears on a question to the market desk: its best sentences, word for word and in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.claim_detection import BOILERPLATE
from inquest.desks.market.advice import instructs, urges
from inquest.desks.market.analysts import actions_in
from inquest.desks.market.events import MOVE, WEAK, events_in
from inquest.desks.market.questions import focus_of
from inquest.desks.market.speakers import credits_company, speaker_in
from inquest.desks.market.subjects import MarketSubject, subject_of
from inquest.domain.document import Document
from inquest.domain.finding import Finding, Stance
from inquest.domain.market import Asks, MarketQuestion, QuestionKind
from inquest.domain.source import Source
from inquest.text.blocks import evidence_sentences, without_mark
from inquest.text.entities import names
from inquest.text.grounding import check_grounded, place_of
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, fold

TOO_SHORT = 200
"""Characters; a page with less is no article (spec 003, noise filters)."""
_SHORTEST, _LONGEST = 25, 450
_MOST = 6
_MOST_TEXT = 60_000
_SHARE_OF_PAGE = 0.1
_LEAD = 600
"""Characters of a text that say what it is about."""
_PREFIX = 60
"""Characters: a description that begins like a sentence of the text and breaks off repeats it."""
_OF_FILINGS = pattern(__name__, "of_filings")
_CAUSE = pattern(__name__, "cause")
_GOES_ON = pattern(__name__, "goes_on")
"""How a sentence begins that goes on about the company of its page: a pronoun, its kind, a line of accounts."""
_OF_ITSELF = regex(r"^[^\"“]*\b(?:[Ww]e|[Oo]ur|[Tt]he [Cc]ompany)\b")
"""A company that speaks of itself, in a release or a filing."""
_TIMES = pattern(__name__, "times")


_OF_KIND = {QuestionKind.ANALYST_ACTION: ("rating",), QuestionKind.EARNINGS: ("results",)}
"""Kinds of event that a kind of question asks about, whatever its words."""


class QuestionFocus(NamedTuple):
    """What a question looks for in a sentence."""

    question: MarketQuestion
    subject: MarketSubject
    focus: frozenset[str]
    """Stems of what is asked about."""
    events: frozenset[str]
    """Kinds of event that are asked about; of a share's movement, none and so all."""


class _Candidate(NamedTuple):
    span: Span
    worth: float
    fit: float
    kinds: tuple[str, ...]
    named: bool


def asked_of(question: MarketQuestion) -> QuestionFocus:
    """What the question looks for."""
    asked = () if question.kind is QuestionKind.STOCK_MOVEMENT else events_in(question.text)
    events = frozenset((*asked, *_OF_KIND.get(question.kind, ())))
    return QuestionFocus(question, subject_of(question), focus_of(question), events)


def market_findings(question: MarketQuestion, source: Source, document: Document) -> tuple[Finding, ...]:
    """The informative sentences of a page as findings (neutral: they bear on no claim), in the order of the text.

    `details.kinds` names the kinds of event a sentence is of, `details.fit` (0 to 1) how well it answers the question.
    What urges to trade, what speaks to a machine, questions and boilerplate are left out, and so is what is of another
    company. Raises Ungrounded where a sentence does not stand in its snapshot, which would be a defect.
    """
    asked, text = asked_of(question), document.text
    if asked.subject.is_about_another(document.title, text):
        return ()
    about = asked.subject.is_about(document.title, text)
    spans = _readable(document)
    page = frozenset(events_in(f"{document.title}. {text[:_LEAD]}")) if about else None
    found = [each for span in spans if (each := _candidate(asked, span, span.of(text), page))]
    best = sorted(found, key=lambda each: (-each.worth, each.span.start))[:_MOST]
    company = question.company
    credited = [said for span in spans if credits_company(said := span.of(text), company)]
    made = []
    for number, each in enumerate(sorted(best, key=lambda one: one.span), 1):
        speaker = speaker_in(each.span.of(text), credited, company)
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
            place=place_of(document, each.span.start, each.span.end),
            details={
                "kinds": list(each.kinds),
                "fit": round(each.fit, 3),
                "goes_on": not each.named,
                **({"speaker": speaker.model_dump(mode="json")} if speaker else {}),
            },
            reasons=(f"It speaks of {', '.join(each.kinds) or 'what was asked'}.",),
        )
        made.append(check_grounded(finding, document.text))
    return tuple(made)


def promotes(document: Document) -> bool:
    """Whether a page is there to sell shares or a list of picks: its title urges to trade, or what it says itself does
    more than once or in a good part of a short text."""
    said = [span.of(document.text) for span in evidence_sentences(document, _MOST_TEXT)]
    own = [each for each in said if each[:1] not in "\"“”'‘«"]
    urging = sum(urges(each) for each in own)
    return urges(document.title) or urging > 1 or (urging == 1 and urging >= _SHARE_OF_PAGE * len(own))


def too_short(document: Document) -> bool:
    """Whether a page that was read is too short to be an article; a release, a feed's or a register's entry may be
    short."""
    return document.kind in ("html", "pdf") and len(document.text.strip()) < TOO_SHORT


def _readable(document: Document) -> list[Span]:
    """The sentences that may be quoted: without title, boilerplate, datelines, and what a later sentence repeats."""
    text = document.text
    spans = [without_mark(text, span) for span in evidence_sentences(document, _MOST_TEXT)]
    said = [fold(span.of(text)) for span in spans]
    heading = fold(document.title)
    kept = []
    for place, (span, plain) in enumerate(zip(spans, said, strict=True)):
        sentence = span.of(text)
        if not _SHORTEST <= len(sentence) <= _LONGEST or sentence.endswith("?") or "\n\n" in sentence:
            continue
        again = any(other.startswith(plain[:_PREFIX]) and len(other) > len(plain) for other in said[place + 1 :])
        if again or (heading and plain.strip(" .") in heading):
            continue
        if not (urges(sentence) or instructs(sentence) or BOILERPLATE.search(sentence) or _OF_FILINGS.search(sentence)):
            kept.append(span)
    return kept


def _candidate(asked: QuestionFocus, span: Span, sentence: str, page: frozenset[str] | None) -> _Candidate | None:
    """A sentence as a candidate; None where it says nothing. `page`: the kinds of event that the page opens with; None:
    the page is not about the company."""
    if asked.subject.names_other(sentence):
        return None
    named = asked.subject.is_named(sentence)
    if not (named or page is not None):
        return None
    kinds = events_in(sentence)
    rated = bool(actions_in(sentence, asked.question.company))
    kinds = tuple(each for each in kinds if each != "rating" or named)
    kinds = (*kinds, "rating") if rated and "rating" not in kinds else kinds
    # On a page on what is asked about, a sentence that names the company speaks of that, unless it is of another kind.
    of_page = named and page and not kinds
    fit = _fit(asked, sentence, (*kinds, *(page & asked.events)) if page and of_page else kinds)
    figure = bool(quantities(sentence))
    strong = [name for name in kinds if name not in WEAK]
    goes_on = rated or bool(_GOES_ON.match(sentence) or _OF_ITSELF.search(sentence)) or (figure and bool(strong))
    enough = named or goes_on or fit >= _ANSWERS_ALONE
    if not (named and (kinds or figure)) and not (goes_on and strong) and not (enough and fit >= _ANSWERS):
        return None
    cause = bool(_CAUSE.search(fold(sentence)))
    worth = (1.5 if named else 0.7) + 3.0 * fit + 0.5 * min(2, len(strong)) + 0.4 * cause + 0.4 * figure
    if MOVE in kinds and asked.question.kind is not QuestionKind.STOCK_MOVEMENT:
        worth -= 1.0  # what was asked about comes before what shares made of it
    return _Candidate(span, worth, fit, kinds, named)


_ANSWERS, _ANSWERS_ALONE = 0.45, 0.6
"""From this fit on a sentence says something to what is asked, whatever kind of event it is of; and from this on one
that neither names the company nor goes on about it."""


_OF_FORM = (Asks.WHEN, Asks.HOW_MUCH)
"""What is asked for can be known by its form: a time, an amount."""


def _fit(asked: QuestionFocus, sentence: str, kinds: Sequence[str]) -> float:
    """Fit of a sentence, 0 to 1: the words asked about, the kind of event, and the form of answer."""
    stems = set(content_words(sentence))
    share = len(asked.focus & stems) / len(asked.focus) if asked.focus else 0.0
    met = asked.events & set(kinds)
    form = _has_form(asked.question.asks, sentence, kinds)
    strong = bool(met - WEAK)
    event = bool(met) and (bool(share) or strong or (form and asked.question.asks in _OF_FORM))
    if not (share or event):
        return 0.0
    return min(1.0, 0.45 * share + 0.35 * event + 0.2 * form)


def _has_form(asks: Asks, sentence: str, kinds: Sequence[str]) -> bool:
    """Whether a sentence has what a question of this form wants: a time, an amount, a name, a cause."""
    plain = fold(sentence)
    match asks:
        case Asks.WHEN:
            lasts = any(each.dimension is Dimension.DURATION for each in quantities(sentence))
            return lasts or bool(_TIMES.search(plain)) or bool(moments(sentence, None))
        case Asks.HOW_MUCH:
            return bool(quantities(sentence))
        case Asks.WHO:
            return "rating" in kinds or any(each.sure for each in names(sentence))
        case Asks.WHY:
            return bool(_CAUSE.search(plain))
        case _:
            return True

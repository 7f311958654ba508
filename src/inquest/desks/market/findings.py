"""The best sentences of a page on a question to the market desk, verbatim and with their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.claim_detection import BOILERPLATE
from inquest.desks.market.developments import credits_company, speaker_in
from inquest.desks.market.events import MOVE, WEAK, events_in, is_unfit, urges
from inquest.desks.market.questions import focus_of
from inquest.desks.market.subjects import MarketSubject, subject_of
from inquest.domain.document import Document
from inquest.domain.drafts import AnswerQuote
from inquest.domain.finding import Finding, Stance
from inquest.domain.market import Asks, MarketQuestion, QuestionKind
from inquest.domain.source import Source
from inquest.domain.value import JsonObject
from inquest.text.blocks import evidence_sentences, without_mark
from inquest.text.entities import names
from inquest.text.grounding import check_grounded, place_of
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, fold

TOO_SHORT = 200
"""Characters below which a page is not an article (spec 003, noise filters)."""
_SHORTEST, _LONGEST = 25, 450
_MOST = 6
_MOST_TEXT = 60_000
_SHARE_OF_PAGE = 0.1
_LEAD = 600
"""Characters of a text that show its subject."""
_PREFIX = 60
"""Characters compared: a description that begins like a longer sentence of the text repeats it."""
_OF_FILINGS = pattern(__name__, "of_filings")
_CAUSE = pattern(__name__, "cause")
_GOES_ON = pattern(__name__, "goes_on")
"""Beginnings of sentences about the company of the page: a pronoun, its kind, a line of accounts."""
_OF_ITSELF = regex(r"^[^\"“]*\b(?:[Ww]e|[Oo]ur|[Tt]he [Cc]ompany)\b")
"""Words of a company about itself, in a release or a filing."""
_OF_ANOTHER = regex(r"\b(?:on|of|for)\s+(?!\w+day\b|Wall\b|Q[1-4]\b)[A-Z]")
"""The subject of a rating, if it is not the company of the page."""
_ANSWERS, _ANSWERS_ALONE = 0.45, 0.6
"""Fit from which a sentence answers whatever its kind of event; from the second value, even without naming the
company."""
_ANSWERING = 0.9
"""Confidence of a sentence that a model gives as the answer."""
_OF_FORM = (Asks.WHEN, Asks.HOW_MUCH)
"""Answers recognised by their form: a time, an amount."""
_OF_KIND = {
    QuestionKind.ANALYST_ACTION: ("rating",),
    QuestionKind.EARNINGS: ("results",),
    QuestionKind.GUIDANCE: ("guidance",),
}
"""Kinds of event that a kind of question asks about, whatever its words."""


class _Focus(NamedTuple):
    question: MarketQuestion
    subject: MarketSubject
    focus: frozenset[str]
    """Stems of the words asked about."""
    events: frozenset[str]
    """Kinds of event asked about; none, which means all, for a move of the share."""


class _Candidate(NamedTuple):
    span: Span
    weight: float
    fit: float
    kinds: tuple[str, ...]
    named: bool


def market_findings(question: MarketQuestion, source: Source, document: Document) -> tuple[Finding, ...]:
    """The informative sentences of a page as findings (neutral, without a claim), in the order of the text.

    `details.kinds`: the kinds of event; `details.fit`: the fit to the question, 0 to 1. Sentences that urge to trade or
    address a machine, questions, boilerplate and sentences on another company are left out. Raises Ungrounded if a
    sentence is not in its snapshot, which would be a defect.
    """
    events = () if question.kind is QuestionKind.STOCK_MOVEMENT else events_in(question.text)
    asked = _Focus(
        question, subject_of(question), focus_of(question), frozenset((*events, *_OF_KIND.get(question.kind, ())))
    )
    text = document.text
    if asked.subject.is_about_another(document.title, text):
        return ()
    about = asked.subject.is_about(document.title, text)
    spans = _readable(document)
    page = frozenset(events_in(f"{document.title}. {text[:_LEAD]}")) if about else None
    found = [each for span in spans if (each := _candidate(asked, span, span.of(text), page))]
    best = sorted(found, key=lambda each: (-each.weight, each.span.start))[:_MOST]
    company = question.company
    credited = [sentence for span in spans if credits_company(sentence := span.of(text), company)]
    made = []
    for number, each in enumerate(sorted(best, key=lambda one: one.span), 1):
        speaker = speaker_in(each.span.of(text), credited, company)
        details: JsonObject = {"kinds": list(each.kinds), "fit": round(each.fit, 3), "goes_on": not each.named}
        finding = _finding(f"M-{source.id}-{number}", each.span.start, each.span.of(text), source, document).model_copy(
            update={
                "confidence": round(min(0.95, 0.4 + 0.1 * each.weight), 4),
                "details": details | ({"speaker": speaker.model_dump(mode="json")} if speaker else {}),
                "reasons": (f"It mentions {', '.join(each.kinds) or 'what was asked about'}.",),
            }
        )
        made.append(finding)
    return tuple(made)


def answering_finding(number: int, answer: AnswerQuote, source: Source, document: Document) -> Finding:
    """A sentence by which a model answers the question. Raises Ungrounded if it is not in its snapshot."""
    return _finding(f"A{number}", answer.start, answer.quote, source, document).model_copy(
        update={
            "details": {"kinds": list(events_in(answer.quote)), "fit": 1.0, "answers": True},
            "reasons": ("It answers the question, as the model reads it.",),
        }
    )


def _finding(id: str, start: int, quote: str, source: Source, document: Document) -> Finding:
    """A sentence as a neutral finding without a claim. Raises Ungrounded if it is not in its snapshot."""
    finding = Finding(
        id=id,
        claim_id=None,
        source_id=source.id,
        agent="market",
        evidence_type="market_news",
        stance=Stance.NEUTRAL,
        confidence=_ANSWERING,
        quote=quote,
        snapshot=source.snapshot,
        start=start,
        end=start + len(quote),
        page=document.page_of(start),
        place=place_of(document, start, start + len(quote)),
    )
    return check_grounded(finding, document.text)


def promotes(document: Document) -> bool:
    """True for a page that sells shares: its title urges to trade, or several of its own sentences or a tenth do."""
    spoken = [span.of(document.text) for span in evidence_sentences(document, _MOST_TEXT)]
    own = [each for each in spoken if each[:1] not in "\"“”'‘«"]
    urging = sum(urges(each) for each in own)
    return urges(document.title) or urging > 1 or (urging == 1 and urging >= _SHARE_OF_PAGE * len(own))


def too_short(document: Document) -> bool:
    """True for a page that is too short for an article; releases and entries of feeds and registers may be short."""
    return document.kind in ("html", "pdf") and len(document.text.strip()) < TOO_SHORT


def _readable(document: Document) -> list[Span]:
    """The sentences that may be quoted: not the title, boilerplate, datelines, or what a later sentence repeats."""
    text = document.text
    spans = [without_mark(text, span) for span in evidence_sentences(document, _MOST_TEXT)]
    folded = [fold(span.of(text)) for span in spans]
    heading = fold(document.title)
    kept = []
    for place, (span, plain) in enumerate(zip(spans, folded, strict=True)):
        sentence = span.of(text)
        if not _SHORTEST <= len(sentence) <= _LONGEST or sentence.endswith("?") or "\n\n" in sentence:
            continue
        again = any(other.startswith(plain[:_PREFIX]) and len(other) >= len(plain) for other in folded[place + 1 :])
        if again or (heading and plain.strip(" .") in heading):
            continue
        if not (is_unfit(sentence) or BOILERPLATE.search(sentence) or _OF_FILINGS.search(sentence)):
            kept.append(span)
    return kept


def _candidate(asked: _Focus, span: Span, sentence: str, page: frozenset[str] | None) -> _Candidate | None:
    """A sentence as a candidate; None if not informative. `page`: kinds of its opening, None if on another subject."""
    if asked.subject.names_other(sentence):
        return None
    named = asked.subject.is_named(sentence)
    if not (named or page is not None):
        return None
    # A page about the company need not name it in each sentence on a rating.
    rated = named or not _OF_ANOTHER.search(sentence)
    kinds = tuple(each for each in events_in(sentence) if each != "rating" or rated)
    # A sentence without a kind of its own that names the company is about the subject of the page.
    of_page = named and page and not kinds
    fit = _fit(asked, sentence, (*kinds, *(page & asked.events)) if page and of_page else kinds)
    figure = bool(quantities(sentence))
    strong = [name for name in kinds if name not in WEAK]
    continues = "rating" in kinds or _GOES_ON.match(sentence) or _OF_ITSELF.search(sentence)
    goes_on = bool(continues or (figure and strong))
    enough = named or goes_on or fit >= _ANSWERS_ALONE
    informs = (named and (kinds or figure)) or (goes_on and strong)
    if not informs and not (enough and fit >= _ANSWERS):
        return None
    cause = bool(_CAUSE.search(fold(sentence)))
    weight = (1.5 if named else 0.7) + 3.0 * fit + 0.5 * min(2, len(strong)) + 0.4 * cause + 0.4 * figure
    if MOVE in kinds and asked.question.kind is not QuestionKind.STOCK_MOVEMENT:
        weight -= 1.0  # the reaction of the share comes after the event
    return _Candidate(span, weight, fit, kinds, named)


def _fit(asked: _Focus, sentence: str, kinds: Sequence[str]) -> float:
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
    """True if a sentence has what such a question asks for: a time, an amount, a name, a cause."""
    plain = fold(sentence)
    match asks:
        case Asks.WHEN:
            lasts = any(each.dimension is Dimension.DURATION for each in quantities(sentence))
            return lasts or bool(moments(sentence, None))
        case Asks.HOW_MUCH:
            return bool(quantities(sentence))
        case Asks.WHO:
            return "rating" in kinds or any(each.sure for each in names(sentence))
        case Asks.WHY:
            return bool(_CAUSE.search(plain))
        case _:
            return True

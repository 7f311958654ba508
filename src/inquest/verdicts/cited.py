"""What a source that was read comes to for the statement that cites it: the outcome of an audit. Pure.

Quoted words are compared to the letter and figures with their units, whoever read the source; the rest rests on its
readings. Nothing holds without a quote of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from inquest.domain.audit import Outcome
from inquest.domain.document import Document
from inquest.domain.finding import Stance
from inquest.domain.reading import Mode, Reading, SpeakerKind
from inquest.sources.credits import press_credited
from inquest.sources.publisher_names import name_key
from inquest.text.blocks import evidence_sentences
from inquest.text.grounding import ground
from inquest.text.phrases import listed
from inquest.text.quantities import Dimension, Quantity, Relation, compare, quantities, shown
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, fold, shorten, words

NOT_JUDGED = "Not judged without a language model"

_QUOTED = regex(r"“([^“”]{8,1500})”|(?<!\w)\"([^\"]{8,1500})\"(?!\w)|«\s?([^«»]{8,1500})\s?»|„([^„“”]{8,1500})[“”]")
_INSERTED = regex(r"\[[^\]]*\]|…|\.\.\.")
_YEAR = regex(r"\b(?:1[89]|20)\d\d\b")
_LEAST_WORDS = 4
"""Words: fewer in quotation marks may be a name or a title."""
_ALTERED = 0.6
"""Share of the quoted words from which a sentence is the one that was altered."""
_SAID_BY_QUOTE = 0.7
"""Share of the statement's content that its exact quote says, from which the quote shows all of it."""
_SURE = 0.7
"""Confidence from which what was found without a language model counts."""
_SHARED = 0.7
"""Share of the statement's content that supporting words have, where no language model reads them."""
_WHOLE_MODES = (Mode.FACT, Mode.MEASURED, Mode.RULED_TRUE)


class Found(NamedTuple):
    """An outcome with its reason and the place of the words that it rests on in the document."""

    outcome: Outcome
    reason: str
    span: Span | None = None


class Judged(NamedTuple):
    """A reading with the place of its quote in the document."""

    reading: Reading
    span: Span


def quotes_in(statement: str) -> list[str]:
    """What the statement gives as the words of its source."""
    found = (next(filter(None, match.groups())) for match in _QUOTED.finditer(statement))
    return [quote for quote in (each.strip(" ,.;:") for each in found) if len(words(quote)) >= _LEAST_WORDS]


def exact(quote: str, text: str) -> list[Span] | None:
    """Where the quote is in the text to the letter, its omissions and insertions aside; None: it is not there."""
    pieces = [piece.strip(" ,.;:") for piece in _INSERTED.split(quote)]
    spans: list[Span] = []
    for piece in filter(None, pieces):
        span = ground(text, piece, spans[-1].end if spans else None)
        if span is None:
            return None
        spans.append(span)
    return spans or None


def outcome(
    statement: str, document: Document, judged: Sequence[Judged], *, parts: Sequence[str] = (), by_model: bool
) -> Found:
    """The outcome of a source that was read. `judged`: its readings; `parts`: the statements that the statement makes,
    where there are several."""
    support = _best(judged, Stance.SUPPORTS)
    against = _best(judged, Stance.CONTRADICTS)
    shown_by_quote: Span | None = None
    for quote in quotes_in(statement):
        spans = exact(quote, document.text)
        if spans is None:
            return _inexact(quote, document, support)
        shown_by_quote = shown_by_quote or Span(spans[0].start, max(each.end for each in spans))
    if shown_by_quote is not None and not (by_model and (support or against)):
        return _quoted(statement, document, shown_by_quote, against=against is not None, by_model=by_model)
    if support and (not against or support.reading.confidence >= against.reading.confidence):
        return _supported(statement, document, support, parts, by_model=by_model)
    if against and (by_model or against.reading.confidence >= _SURE):
        return Found(Outcome.SAYS_OTHERWISE, _why(against.reading) or "The source contradicts it.", against.span)
    if by_model:
        return Found(Outcome.NOT_THERE, "Nothing in the passages nearest to the statement bears on it.")
    return Found(Outcome.NOT_THERE, f"{NOT_JUDGED}: no sentence was found that says it.")


def _quoted(statement: str, document: Document, span: Span, *, against: bool, by_model: bool) -> Found:
    """A statement of which the exact quote, and nothing else, is known to be in the source."""
    said, wanted = set(content_words(span.of(document.text))), set(content_words(statement))
    if not against and len(said & wanted) >= _SAID_BY_QUOTE * len(wanted):
        held = Found(Outcome.HOLDS, "The quoted words are in the source to the letter.", span)
        return _figures(statement, document, span) or held
    rest = "the source does not say the rest" if by_model else f"{NOT_JUDGED}: the rest of the sentence"
    return Found(Outcome.PARTLY, f"The quoted words are in the source to the letter; {rest}.", span)


def _best(judged: Sequence[Judged], stance: Stance) -> Judged | None:
    of_stance = [each for each in judged if each.reading.stance is stance and each.reading.quote]
    return max(of_stance, key=lambda each: each.reading.confidence, default=None)


def _why(reading: Reading) -> str:
    return " ".join(f"{each.rstrip('.')}." for each in reading.reasons[:2])


def _inexact(quote: str, document: Document, support: Judged | None) -> Found:
    """A quote that is not in the source to the letter: altered, or of other words."""
    wanted = [fold(span.of(quote)) for span in words(quote)]
    nearest, share = None, 0.0
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for span in evidence_sentences(document):
        sentence = span.of(document.text)
        matcher.set_seq1([fold(each.of(sentence)) for each in words(sentence)])
        same = sum(block.size for block in matcher.get_matching_blocks()) / len(wanted)
        if same > share:
            nearest, share = span, same
    if nearest is not None and share >= _ALTERED:
        difference = _difference(nearest.of(document.text), quote)
        return Found(Outcome.SAYS_OTHERWISE, f"The quote is altered: {difference}.", nearest)
    missing = f"The words “{shorten(quote, 120)}” are not in the source"
    if support:
        return Found(Outcome.PARTLY, f"{missing}, which supports the statement in other words.", support.span)
    return Found(Outcome.NOT_THERE, f"{missing}.")


def _difference(source: str, quote: str) -> str:
    """The words that differ, from the first quoted word to the last: '“fell sharply” for “fell”'."""
    said, given = ([span.of(each) for span in words(each)] for each in (source, quote))
    matcher = SequenceMatcher(None, [fold(each) for each in said], [fold(each) for each in given], autojunk=False)
    blocks = [each for each in matcher.get_matching_blocks() if each.size]
    low, high = blocks[0].a, blocks[-1].a + blocks[-1].size
    changes = []
    for tag, a, b, c, d in matcher.get_opcodes():
        in_source = " ".join(said[a:b]) if low <= a <= high and b <= high else ""
        in_quote = " ".join(given[c:d])
        if tag == "equal" or not (in_source or in_quote):
            continue
        if in_source and in_quote:
            changes.append(f"it has “{in_quote}” for “{in_source}”")
        else:
            changes.append(f"it adds “{in_quote}”" if in_quote else f"it leaves out “{in_source}”")
    return listed(changes[:4]) or "the words differ in their punctuation or case"


def _supported(statement: str, document: Document, support: Judged, parts: Sequence[str], *, by_model: bool) -> Found:
    reading, span = support
    if (found := _figures(statement, document, span)) is not None:
        return found
    if reading.covers and parts and len(set(reading.covers)) < len(parts):
        missing = [part for number, part in enumerate(parts, 1) if number not in reading.covers]
        return Found(Outcome.PARTLY, f"The source does not say: {'; '.join(missing)}.", span)
    if reading.mode and reading.mode not in _WHOLE_MODES and reading.mode.is_open:
        return Found(Outcome.PARTLY, f"The source has it as {reading.mode.value} and not as a fact.", span)
    said, wanted = set(content_words(span.of(document.text))), set(content_words(statement))
    if not by_model and (reading.confidence < _SURE or len(said & wanted) < _SHARED * len(wanted)):
        return Found(Outcome.PARTLY, f"{NOT_JUDGED}: these words say part of it or all of it.", span)
    credited = _credited(reading, span.of(document.text), document)
    if credited and name_key(credited) not in name_key(statement):
        return Found(Outcome.SECOND_HAND, f"The source has it from {credited}.", span)
    return Found(Outcome.HOLDS, _why(reading) or "The source says it.", span)


def _credited(reading: Reading, quote: str, document: Document) -> str:
    """The medium that the words are credited to; '' for a source's own words and its own name."""
    by_reading = reading.speaker is not None and reading.speaker.kind is SpeakerKind.MEDIA
    name = reading.speaker.name if by_reading and reading.speaker else press_credited(quote)
    own = name_key(f"{document.publisher or ''} {document.title}")
    return "" if not name or name_key(name) in own else name


def _figures(statement: str, document: Document, span: Span) -> Found | None:
    """Where a figure or year of the statement is not in the words that support it, or near them."""
    start, end = max(0, span.start - 600), span.end + 600
    said = quantities(document.text[start:end])
    for figure in quantities(statement):
        if figure.dimension is Dimension.LIMIT or (figure.spelled and figure.value < 3) or _met(figure, said):
            continue
        others = [each for each in quantities(span.of(document.text)) if each.dimension is figure.dimension]
        has = f"; the source has {listed([shown(each) for each in others[:3]])}" if others else ""
        return Found(Outcome.PARTLY, f"The figure “{shown(figure)}” is not in the words that support it{has}.", span)
    dated = str(document.published.at.year) if document.published else ""
    for year in _YEAR.findall(statement):
        if year not in document.text and year != dated:
            return Found(Outcome.PARTLY, f"The year {year} is not in the source.", span)
    return None


def _met(figure: Quantity, said: Sequence[Quantity]) -> bool:
    return any(compare(figure, each).relation is Relation.SAME for each in said) or any(
        each.text == figure.text for each in said
    )

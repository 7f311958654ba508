"""The sentences of a claim's passages by nearness to it in words, figures and meaning, and the passages that hold the
nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from inquest.entailment.windows import Likeness
from inquest.kit.analyst import Passage
from inquest.retrieval.passages import PASSAGE_SIZE, PASSAGES_PER_CLAIM
from inquest.text.languages import detect_language
from inquest.text.quantities import has_figure
from inquest.text.sentences import Span, content_words, sentences
from inquest.text.vocabulary import rarity

_OF_WORDS, _OF_FIGURES = 0.5, 0.15
"""Added to a sentence's similarity for the share of the claim's words, and for a figure if the claim has one."""
_OF_THE_ONE_BEFORE, _OF_LENGTH, _LONG = 0.2, 0.3, 300
"""Added to a sentence's rank: a share of the score of the sentence before it in the passage, because a subject often
continues in the next sentence, and a bonus for its length, in units of so many characters."""
_OF_A_LABEL = 2
"""Words up to which a sentence is a label of the next."""
_OF_THE_PAGE = 0.3
"""Added to a sentence's rank when passages are chosen: a share of the best score on its page."""
_ALL = PASSAGES_PER_CLAIM * PASSAGE_SIZE
"""Total characters of passages up to which all of them are judged."""
ROOM, ROOM_HERE = 9_500, 3_500
"""Total characters of the nearest sentences whose passages are chosen, for a model service and for the local analyst,
which reads a sentence in 10 to 30 ms: with 9,500 it reads a quarter more in the demo, and finds nothing more."""
_OF_ANOTHER_LANGUAGE, _AS_LONG_AS = 5, 300
"""Passages in other languages among them, and the characters that one of these counts for."""


@dataclass(frozen=True)
class NearSentence:
    """A sentence of a passage; `page`: its snapshot. `score`: similarity to the claim in words, figures and meaning;
    `rank`: the score with what is added for its place and length."""

    page: str
    passage: str
    span: Span
    score: float
    rank: float


def scored_sentences(claim: str, passages: Sequence[Passage], likeness: Likeness | None) -> list[NearSentence]:
    """Return all sentences, in order. `likeness`: None if no encoder is available; it is called once, so that the
    encoder reads on all cores."""
    places = [(passage, span) for passage in passages for span in _with_labels(passage.text)]
    texts = [span.of(passage.text) for passage, span in places]
    wanted, figured = terms_of(claim), has_figure(claim)
    alike = likeness(claim, texts) if likeness is not None else [0.0 for _ in texts]
    found: list[NearSentence] = []
    for (passage, span), text, near in zip(places, texts, alike, strict=True):
        score = near + _OF_WORDS * len(wanted & terms_of(text)) / max(1, len(wanted))
        score += _OF_FIGURES if figured and has_figure(text) else 0.0
        before = found[-1].score if found and found[-1].passage == passage.id else 0.0
        rank = score + _OF_THE_ONE_BEFORE * before + _OF_LENGTH * min(1.0, len(text) / _LONG)
        found.append(NearSentence(passage.snapshot, passage.id, span, score, rank))
    return found


def near_passages(
    claim: str, passages: Sequence[Passage], likeness: Likeness | None, room: int = ROOM
) -> list[Passage]:
    """Return the passages that hold the sentences nearest to the claim, in the order given, and of those in another
    language the ones that share most names and figures with it; all of them if they are not many.

    Of 235 sentences of a simulated world that decide a claim, with 86 pages read for each, a model is shown 209 in this
    way, and 192 if the passages are those that share most words, in 8 % less text; with 30 pages 216 either way.
    """
    if sum(len(each.text) for each in passages) <= _ALL:
        return [*passages]
    spoken = language_of(claim)
    readable = [each for each in passages if spoken is None or language_of(each.text) in (None, spoken)]
    foreign = [each for each in passages if each not in readable]
    foreign = sorted(foreign, key=lambda each: -_shared(claim, each))[:_OF_ANOTHER_LANGUAGE]
    every = scored_sentences(claim, readable, likeness)
    of_page: dict[str, float] = {}
    for each in every:
        of_page[each.page] = max(each.score, of_page.get(each.page, 0.0))
    chosen = {each.id for each in foreign}
    room -= _AS_LONG_AS * len(foreign)
    for each in sorted(every, key=lambda each: -each.rank - _OF_THE_PAGE * of_page[each.page]):
        if room <= 0:
            break
        chosen.add(each.passage)
        room -= each.span.end - each.span.start
    return [each for each in passages if each.id in chosen]


def _shared(claim: str, passage: Passage) -> float:
    """The claim's words in the passage, by rarity, twice, and those in the title and opening of its page."""
    wanted, there = terms_of(claim), terms_of(passage.text)
    beside = there | terms_of(f"{passage.title} {passage.lead}")
    return sum(rarity(term) * ((term in there) + (term in beside)) for term in sorted(wanted))


def _with_labels(text: str) -> list[Span]:
    """The sentences of a text. One of a word or two belongs to the next of its paragraph, the last to the one before:
    'Assessment. Upheld. We concluded ...', 'Funding. Norvane plc.', 'Reinstated in June. Status: active.'"""
    found: list[Span] = []
    for span in sentences(text):
        goes_on = bool(found) and "\n" not in text[found[-1].end : span.start]
        if goes_on and (_is_label(found[-1], text) or (_is_label(span, text) and _ends_block(span, text))):
            span = Span(found.pop().start, span.end)
        found.append(span)
    return found


def _is_label(span: Span, text: str) -> bool:
    return len(span.of(text).split()) <= _OF_A_LABEL


def _ends_block(span: Span, text: str) -> bool:
    rest = text[span.end :].lstrip(" ")
    return not rest or rest.startswith("\n")


@lru_cache(maxsize=8_192)
def terms_of(sentence: str) -> frozenset[str]:
    """Return the stems of a sentence. Cached, because the same sentences are compared with one claim after another."""
    return frozenset(content_words(sentence))


@lru_cache(maxsize=512)
def language_of(text: str) -> str | None:
    """Return the language of a text. Cached, because the same passages are compared with one claim after another."""
    return detect_language(text)

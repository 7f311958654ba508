"""The local judgment of claims against passages: many passages of one claim, or one pair as a use case of its own."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.document import Precision
from inquest.domain.errors import InputError
from inquest.domain.finding import Stance
from inquest.kit.analyst import Judgement, Passage
from inquest.logic.languages import detect_language
from inquest.logic.passages import best_passages
from inquest.logic.stance import StanceFound, stance_of
from inquest.logic.stance_found import Page, voice_at
from inquest.logic.stance_voice import Teller
from inquest.logic.text import Span, words

__all__ = ["assess_pair", "assess_passages", "with_whose_word"]

# Longer passages are judged by their best stretches: a sentence somewhere in fifty pages would drown otherwise.
_WHOLE = 6_000
_STRETCH = 1_200
_STRETCHES = 4
# A claim is a sentence or two. Of something longer its beginning is judged, and that is said.
_CLAIM_LIMIT = 2_000
# Of fewer words no language can be told; they are read as English.
_TELLING = 8
_ORDER = {Stance.CONTRADICTS: 2, Stance.SUPPORTS: 2, Stance.NEUTRAL: 1, Stance.UNASSESSED: 0}


def assess_passages(claim: str, passages: Sequence[Passage], *, language: str | None = None) -> tuple[Judgement, ...]:
    """How each passage bears on the claim: one judgement per passage, in their order.

    `language` (ISO 639-1) is that of the passages, where it is known; otherwise it is told from each text. The rules
    read English: a passage in another language is neutral, with that as its reason. An empty claim or passage is
    neutral with confidence 0. The quote of a judgement is `passage.text[start:end]`. The passages are taken to be what
    a search found: likeness alone then decides less than in `assess_pair`.
    """
    return tuple(_judged(claim, passage, language, searched=True) for passage in passages)


def assess_pair(claim: str, passage: str, *, language: str | None = None) -> Judgement:
    """How a passage bears on a claim. Raises InputError where either is empty. Either may have any length; of a claim
    longer than 2,000 characters the beginning is judged, and the reasons say so."""
    for name, text in (("claim", claim), ("passage", passage)):
        if not text.strip():
            raise InputError(f"The {name} is empty.", advice=f"Give the {name} as text.")
    return _judged(claim, Passage(id="1", source_id="", snapshot="", text=passage), language)


def with_whose_word(claim: str, passage: Passage, judgement: Judgement) -> Judgement:
    """A judgement that a model made, with whose word its quote is; one that decides nothing is left as it is."""
    if judgement.stance not in (Stance.SUPPORTS, Stance.CONTRADICTS) or judgement.party is not None:
        return judgement
    voice = voice_at(claim[:_CLAIM_LIMIT], passage.text, Span(judgement.start, judgement.end), _page(passage))
    party = voice.teller is Teller.PARTY
    return judgement.model_copy(
        update={
            "attributed_to": voice.name or None,
            "party": party,
            "admission": voice.admits,
            "hearsay": voice.teller is Teller.WITNESS,
        }
    )


def _judged(claim: str, passage: Passage, language: str | None, *, searched: bool = False) -> Judgement:
    spoken = language or _language(passage.text)
    if spoken is not None and not spoken.lower().startswith("en"):
        return Judgement(
            passage_id=passage.id,
            stance=Stance.NEUTRAL,
            confidence=0.0,
            reasons=(
                f"Language not supported: the passage is not in English ({spoken}), and the rules read English only.",
            ),
        )
    found, start = _best(claim[:_CLAIM_LIMIT], passage, searched=searched)
    span = Span(found.span.start + start, found.span.end + start)
    reasons = found.reasons
    if len(claim) > _CLAIM_LIMIT:
        reasons = (*reasons, f"The claim is long: its first {_CLAIM_LIMIT:,} characters were judged.")
    judgement = Judgement(
        passage_id=passage.id,
        stance=found.stance,
        contradiction_type=found.contradiction_type,
        confidence=found.confidence,
        quote=span.of(passage.text),
        start=span.start,
        end=span.end,
        reasons=reasons,
    )
    if not searched or found.stance is Stance.NEUTRAL:
        return judgement
    return judgement.model_copy(
        update={
            "attributed_to": found.attributed_to,
            "party": found.party,
            "admission": found.admission,
            "hearsay": found.hearsay,
        }
    )


def _best(claim: str, passage: Passage, *, searched: bool) -> tuple[StanceFound, int]:
    """The judgment of the passage, or of the stretch of a long one that says most, and where that stretch begins."""
    if len(passage.text) <= _WHOLE:
        return _stance(claim, passage, passage.text, searched=searched), 0
    stretches = best_passages(claim, passage.text, limit=_STRETCHES, size=_STRETCH)
    if not stretches:
        none = StanceFound(Stance.NEUTRAL, 0.75, None, Span(0, 0), ("The passage shares no word with the claim.",))
        return none, 0
    judged = [(_stance(claim, passage, span.of(passage.text), searched=searched), span.start) for span, _ in stretches]
    # What says something goes before what says nothing; of those, the surest; of equals, the best match.
    return max(judged, key=lambda item: (_ORDER[item[0].stance], item[0].confidence))


def _stance(claim: str, passage: Passage, text: str, *, searched: bool) -> StanceFound:
    if not searched:
        return stance_of(claim, text, title=passage.title)
    return stance_of(claim, text, page=_page(passage))


def _page(passage: Passage) -> Page:
    page = Page(passage.title, passage.lead, passage.domain)
    if passage.published:
        exact = passage.published.precision in (Precision.DAY, Precision.TIME)
        day = passage.published.at.date() if exact else None
        page = page._replace(published=passage.published.latest.date(), day=day)
    return page


def _language(text: str) -> str | None:
    sample = text[:4_000]
    return detect_language(sample) if len(words(sample)) >= _TELLING else None

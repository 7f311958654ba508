"""The local judgment of claims against passages: many passages of one claim, or one pair as a use case of its own."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.document import Precision
from inquest.domain.errors import InputError, ModelError
from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.found import Page, voice_at
from inquest.entailment.stance import StanceFound, stance_of
from inquest.entailment.voice import Teller
from inquest.entailment.windows import best_meaning, to_read, windows
from inquest.kit.analyst import Judgement, Passage
from inquest.kit.minds import PairReader
from inquest.text.languages import detect_language
from inquest.text.meaning import Meaning
from inquest.text.passages import best_passages
from inquest.text.sentences import Span, words

__all__ = ["LocalJudge", "with_whose_word"]

# Longer passages are judged by their best stretches: a sentence somewhere in fifty pages would drown otherwise.
_WHOLE = 6_000
_STRETCH = 1_200
_STRETCHES = 4
# What no rule has looked at is never sure.
_BY_MEANING_ALONE = 0.79
# A claim is a sentence or two. Of something longer its beginning is judged, and that is said.
_CLAIM_LIMIT = 2_000
# Of fewer words no language can be told; they are read as English.
_TELLING = 8
_ORDER = {Stance.CONTRADICTS: 2, Stance.SUPPORTS: 2, Stance.NEUTRAL: 1, Stance.UNASSESSED: 0}


class LocalJudge:
    """Rules, and beside them a small model of this machine where there is one.

    A model that cannot be used is left aside from then on, and `outage` says why: the rules judge alone.
    """

    def __init__(self, reader: PairReader | None = None) -> None:
        self._reader = reader
        self.outage: ModelError | None = None

    def passages(
        self, claim: str, passages: Sequence[Passage], *, language: str | None = None
    ) -> tuple[Judgement, ...]:
        """How each passage bears on the claim: one judgement per passage, in their order.

        `language` (ISO 639-1) is that of the passages, where it is known; otherwise it is told from each text. The
        rules read English: a passage in another language is neutral, with that as its reason. An empty claim or passage
        is neutral with confidence 0. The quote of a judgement is `passage.text[start:end]`. The passages are taken to
        be what a search found: likeness alone then decides less than in `pair`.
        """
        return tuple(self._judged(claim, passage, language, searched=True) for passage in passages)

    def pair(self, claim: str, passage: str, *, language: str | None = None) -> Judgement:
        """How a passage bears on a claim. Raises InputError where either is empty. Either may have any length; of a
        claim longer than 2,000 characters the beginning is judged, and the reasons say so."""
        (judged,) = self.pairs([(claim, passage)], language=language)
        return judged

    def pairs(self, pairs: Sequence[tuple[str, str]], *, language: str | None = None) -> tuple[Judgement, ...]:
        """As `pair`, for many: the model reads them side by side. Raises InputError where one is empty."""
        for each in pairs:
            for name, text in zip(("claim", "passage"), each, strict=True):
                if not text.strip():
                    raise InputError(f"The {name} is empty.", advice=f"Give the {name} as text.")
        self._read([(claim[:_CLAIM_LIMIT], text) for claim, passage in pairs for text in _texts(claim, passage)])
        return tuple(
            self._judged(claim, Passage(id="1", source_id="", snapshot="", text=passage), language)
            for claim, passage in pairs
        )

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        """What the model reads in them; nothing where there is none."""
        if self._reader is None or not pairs:
            return []
        wanted = [(claim, part) for claim, text in pairs for part in to_read(claim, text)]
        try:
            return self._reader.read(wanted)
        except ModelError as error:
            self._reader, self.outage = None, error
            return []

    def _meaning(self, claim: str, text: str) -> Meaning | None:
        read = self._read([(claim, text)])
        return read[0] if read else None

    def _judged(self, claim: str, passage: Passage, language: str | None, *, searched: bool = False) -> Judgement:
        spoken = language or _language(passage.text)
        if spoken is not None and not spoken.lower().startswith("en"):
            return self._in_another_language(claim[:_CLAIM_LIMIT], passage, spoken)
        found, start = self._best(claim[:_CLAIM_LIMIT], passage, searched=searched)
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

    def _in_another_language(self, claim: str, passage: Passage, spoken: str) -> Judgement:
        """By the model alone where it reads the language (the rules read English); otherwise neutral, and said."""
        reader = self._reader
        reads = reader is not None and (not reader.languages or spoken.lower()[:2] in reader.languages)
        read = self._read([(claim, passage.text)]) if reads else []
        if reader is None or not read:
            why = f"Language not supported: the passage is not in English ({spoken}); only English is read."
            return Judgement(passage_id=passage.id, stance=Stance.NEUTRAL, confidence=0.0, reasons=(why,))
        meaning, place = best_meaning(read)
        shares = {
            Stance.CONTRADICTS: meaning.contradicts,
            Stance.NEUTRAL: meaning.neutral,
            Stance.SUPPORTS: meaning.supports,
        }
        stance = max(shares, key=lambda one: shares[one])
        span = windows(claim, passage.text)[place]
        return Judgement(
            passage_id=passage.id,
            stance=stance,
            contradiction_type=ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
            confidence=round(min(shares[stance], _BY_MEANING_ALONE), 3),
            quote=span.of(passage.text),
            start=span.start,
            end=span.end,
            reasons=(f"Read in {spoken} by {reader.name} for its meaning alone; the rules read English only.",),
        )

    def _best(self, claim: str, passage: Passage, *, searched: bool) -> tuple[StanceFound, int]:
        """The judgment of the passage, or of the stretch of a long one that says most, and where it begins."""
        if len(passage.text) <= _WHOLE:
            return self._stance(claim, passage, passage.text, searched=searched), 0
        stretches = best_passages(claim, passage.text, limit=_STRETCHES, size=_STRETCH)
        if not stretches:
            none = StanceFound(Stance.NEUTRAL, 0.75, None, Span(0, 0), ("The passage shares no word with the claim.",))
            return none, 0
        judged = [
            (self._stance(claim, passage, span.of(passage.text), searched=searched), span.start)
            for span, _ in stretches
        ]
        # What says something goes before what says nothing; of those, the surest; of equals, the best match.
        return max(judged, key=lambda item: (_ORDER[item[0].stance], item[0].confidence))

    def _stance(self, claim: str, passage: Passage, text: str, *, searched: bool) -> StanceFound:
        if searched:
            return stance_of(claim, text, page=_page(passage), read=self._meaning if self._reader else None)
        read = self._read([(claim, text)])
        return stance_of(claim, text, title=passage.title, meaning=best_meaning(read)[0] if read else None)


def _texts(claim: str, passage: str) -> list[str]:
    """The stretches of a passage that are judged, each by itself."""
    if len(passage) <= _WHOLE:
        return [passage]
    return [span.of(passage) for span, _ in best_passages(claim, passage, limit=_STRETCHES, size=_STRETCH)]


def with_whose_word(claim: str, passage: Passage, judgement: Judgement) -> Judgement:
    """A judgement that a model made, with whose word its quote is; one that decides nothing is left as it is."""
    if judgement.stance not in (Stance.SUPPORTS, Stance.CONTRADICTS) or judgement.party is not None:
        return judgement
    voice = voice_at(claim[:_CLAIM_LIMIT], passage.text, Span(judgement.start, judgement.end), _page(passage))
    party = voice.teller is Teller.PARTY
    return judgement.model_copy(
        update={
            "attributed_to": voice.who,
            "party": party,
            "admission": voice.admits,
            "hearsay": voice.teller is Teller.WITNESS,
        }
    )


def _page(passage: Passage) -> Page:
    page = Page(
        passage.title,
        passage.lead,
        passage.domain,
        elsewhere=frozenset(passage.elsewhere),
        facilities=passage.facilities,
    )
    if passage.published:
        exact = passage.published.precision in (Precision.DAY, Precision.TIME)
        day = passage.published.at.date() if exact else None
        page = page._replace(published=passage.published.latest.date(), day=day)
    return page


def _language(text: str) -> str | None:
    sample = text[:4_000]
    return detect_language(sample) if len(words(sample)) >= _TELLING else None

"""The local assessment of claims: many passages for one claim, or single pairs."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import islice
from threading import Lock

from inquest.claims.merging import parse_statement, same_statement
from inquest.domain.document import Precision
from inquest.domain.errors import InputError, ModelError
from inquest.domain.finding import ContradictionType, Mode, Reading, Speaker, SpeakerKind, Stance, Verdict
from inquest.domain.reasons import Reason, sentences
from inquest.domain.search import ClaimReview
from inquest.entailment.attribution import WORDS_ALONE, Attribution, is_about_words
from inquest.entailment.features import Evidence
from inquest.entailment.meaning import Meaning
from inquest.entailment.parsed_text import Page
from inquest.entailment.stance import StanceFound, judge, prepare
from inquest.kit.analyst import Passage
from inquest.kit.ports import PairReader, SentenceEncoder
from inquest.text.languages import detect_language, other_than_english
from inquest.text.sentences import Span, words
from inquest.text.similarity import likeness_of_all

# Meaning alone, without features, is never certain.
_BY_MEANING_ALONE = 0.79
# A claim is a sentence or two; only the beginning of a longer text is assessed, with a reason that says so.
_CLAIM_LIMIT = 2_000
_FEW_WORDS = 16
"""Words of a text whose language often cannot be detected without the claim."""
_OWN_WORD = 0.6
"""Highest confidence for a party's statement about itself."""
_HEARSAY = 0.45
"""Highest confidence for a statement by someone without authority; too low to decide a side alone."""
_SETTLED = 0.5
"""Neutral share of a found passage's first window (its best sentences together) from which no other window changes the
stance: true for all 705 passages of an inquiry and for 795 from WiCE dev, the Fake News Challenge and passages of other
claims, in which 47, 20, 8 and 36 % of the windows, respectively, need not be read."""
_VECTORS = 20_000
"""Sentences with cached vectors, some 30 MB."""


class LocalJudge:
    """The trained combination of features, with small local models if they are available.

    A model that fails is not used again, and `outage` holds the error: the features then assess alone.
    """

    def __init__(self, reader: PairReader | None = None, encoder: SentenceEncoder | None = None) -> None:
        """`reader`: reads claim and sentence for meaning. `encoder`: selects the sentences of a long passage by
        meaning; None: by words alone."""
        self._reader = reader
        self._encoder = encoder
        self._vectors: OrderedDict[str, bytes] = OrderedDict()
        self._encoding = Lock()
        self.outage: ModelError | None = None

    def passages(self, claim: str, passages: Sequence[Passage]) -> tuple[Reading, ...]:
        """Return one assessment per passage, in order.

        The language is detected in each text. The features read English: a passage in another language is neutral, with
        that as its reason. An empty claim or passage is neutral with confidence 0. The quote is
        `passage.text[start:end]`. The passages are taken to be found by a search, and each assessment names the
        speaker.
        """
        return self._judged([(claim, passage) for passage in passages], found=True)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[Reading, ...]:
        """Return the stance of each passage towards its claim, with the model reading them in a batch. Raises
        InputError if a text is empty. Only the first 2,000 characters of a claim are assessed, and the reasons then say
        so."""
        for each in pairs:
            for name, text in zip(("claim", "passage"), each, strict=True):
                if not text.strip():
                    raise InputError(f"The {name} is empty.", advice=f"Give the {name} as text.")
        given = [(claim, Passage(id="1", source_id="", snapshot="", text=text)) for claim, text in pairs]
        return self._judged(given, found=False)

    def _judged(self, given: Sequence[tuple[str, Passage]], *, found: bool) -> tuple[Reading, ...]:
        """Assess all pairs. The windows are chosen first, so that the model reads them in one batch."""
        spoken = [_language(passage.text, claim) for claim, passage in given]
        prepared = [
            prepare(
                claim[:_CLAIM_LIMIT],
                passage.text,
                page=_page(passage) if found else None,
                likeness=self.likeness if self._encoder and _is_english(tongue) else None,
            )
            for (claim, passage), tongue in zip(given, spoken, strict=True)
        ]
        readable = [each if self._can_read(tongue) else None for each, tongue in zip(prepared, spoken, strict=True)]
        read = self._read(readable)
        return tuple(
            self._of_found(claim, passage, evidence, meanings)
            if _is_english(tongue)
            else self._in_another_language(passage, evidence, meanings, tongue or "")
            for (claim, passage), tongue, evidence, meanings in zip(given, spoken, prepared, read, strict=True)
        )

    def _can_read(self, spoken: str | None) -> bool:
        reader = self._reader
        if _is_english(spoken) or reader is None:
            return True
        return not reader.languages or (spoken or "").lower()[:2] in reader.languages

    def _read(self, prepared: Sequence[Evidence | None]) -> list[tuple[Meaning, ...]]:
        """Return the model's reading of each pair's windows and rated claims; () without a model. If the first window
        of a found passage is neutral, the others are taken to be as neutral."""
        pairs = [[(each.claim.text, window.text) for window in each.windows] if each else [] for each in prepared]
        rated = [[(each.claim.text, window.text) for window in each.rated] if each else [] for each in prepared]
        first = self._meanings([each[:1] for each in pairs])
        settled = [
            each is None or not read or (each.found and read[0].neutral >= _SETTLED)
            for each, read in zip(prepared, first, strict=True)
        ]
        rest = self._meanings([[] if done else each[1:] for done, each in zip(settled, pairs, strict=True)])
        ratings = self._meanings(rated)
        if self._reader is None:
            return [() for _ in prepared]
        return [
            (*read, *(read * (len(each) - 1) if done else more), *rating)
            for read, more, done, each, rating in zip(first, rest, settled, pairs, ratings, strict=True)
        ]

    def _meanings(self, pairs: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[Meaning, ...]]:
        """Read several lists of pairs in one batch; () for each if the model cannot be used."""
        wanted = [pair for each in pairs for pair in each]
        meanings: Iterator[Meaning] = iter(())
        if self._reader is not None and wanted:
            try:
                meanings = iter(self._reader.read(wanted))
            except ModelError as error:
                self._reader, self.outage = None, error
        return [tuple(islice(meanings, len(each))) for each in pairs]

    def likeness(self, claim: str, texts: Sequence[str]) -> list[float]:
        """Return the similarity in meaning of each text to the claim, -1 to 1, by the encoder; 0 without one. Texts are
        encoded once."""
        # Claims checked concurrently share most pages: the second finds them encoded.
        with self._encoding:
            known = self._encoded((claim, *texts))
        if known is None:
            return [0.0 for _ in texts]
        # Rounded, so that the floating-point arithmetic of another processor changes nothing.
        return [round(near, 3) for near in likeness_of_all(known[claim], [known[text] for text in texts])]

    def _encoded(self, texts: Sequence[str]) -> dict[str, bytes] | None:
        """Return the vector of each text; None without a usable encoder."""
        if self._encoder is None:
            return None
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        try:
            vectors = dict(zip(new, self._encoder.encode(new), strict=True)) if new else {}
        except ModelError as error:
            self._encoder, self.outage = None, error
            return None
        known = {text: vectors.get(text) or self._vectors[text] for text in texts}
        self._vectors.update(vectors)
        while len(self._vectors) > _VECTORS:
            self._vectors.popitem(last=False)
        return known

    def _of_found(
        self, claim: str, passage: Passage, evidence: Evidence | None, meanings: tuple[Meaning, ...]
    ) -> Reading:
        found = judge(evidence, meanings)
        reasons = found.reasons
        if len(claim) > _CLAIM_LIMIT:
            reasons = (*reasons, Reason(code="entailment.long_claim", data={"limit": f"{_CLAIM_LIMIT:,}"}))
        judgement = _judgement(passage, found, reasons)
        if evidence is not None and (ruling := _ruling_of(claim, passage, evidence)):
            return _ruled(judgement, passage, *ruling)
        if evidence is None or not evidence.found or not found.stance.decides:
            return judgement
        return _attributed(claim, judgement, found.attribution, found.mode)

    def _in_another_language(
        self, passage: Passage, evidence: Evidence | None, meanings: tuple[Meaning, ...], spoken: str
    ) -> Reading:
        """Assess by the model alone if it reads the language (the features read English); else neutral with that
        reason."""
        if self._reader is None or evidence is None or not meanings:
            why = Reason(code="entailment.language", data={"language": spoken})
            return _judgement(passage, StanceFound(Stance.NEUTRAL, 0.0), (why,))
        meaning = min(meanings[: len(evidence.windows)], key=lambda one: one.neutral)
        window = evidence.windows[meanings.index(meaning)]
        shares = {each: float(getattr(meaning, each)) for each in Stance if each is not Stance.UNASSESSED}
        stance = max(shares, key=lambda one: shares[one])
        statements = evidence.reading.statements
        found = StanceFound(
            stance=stance,
            confidence=round(min(shares[stance], _BY_MEANING_ALONE), 3),
            span=Span(statements[window.indices[0]].span.start, statements[window.indices[-1]].span.end),
            contradiction_type=ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
        )
        data: dict[str, str | int | float | bool | list[str]] = {"language": spoken, "model": self._reader.name}
        return _judgement(passage, found, (Reason(code="entailment.read_in_language", data=data),))


def _ruled(judgement: Reading, passage: Passage, stance: Stance, span: Span | None) -> Reading:
    """Apply the page's own ruling on the claim if this passage states it."""
    is_false = stance is Stance.CONTRADICTS
    reasons = (Reason(code=f"entailment.called_{'false' if is_false else 'true'}"),)
    if span is not None:
        kind = ContradictionType.DIRECT if is_false else None
        return _judgement(passage, StanceFound(stance, _RULED, span, kind), reasons)
    if judgement.stance is stance or not judgement.stance.decides:
        return judgement
    return _judgement(passage, StanceFound(Stance.NEUTRAL, 0.0), reasons)


def _judgement(passage: Passage, found: StanceFound, reasons: tuple[Reason, ...]) -> Reading:
    return Reading(
        passage_id=passage.id,
        stance=found.stance,
        contradiction_type=found.contradiction_type,
        confidence=found.confidence,
        quote=found.span.of(passage.text),
        start=found.span.start,
        end=found.span.end,
        reasons=sentences(reasons),
        reason_codes=reasons,
    )


_CAPPED = {
    SpeakerKind.PARTY: ("own_word", _OWN_WORD),
    SpeakerKind.WITNESS: ("hearsay", _HEARSAY),
    SpeakerKind.UNNAMED: ("hearsay", _HEARSAY),
    SpeakerKind.MEDIA: ("hearsay", _HEARSAY),
    SpeakerKind.AUTHORITY: ("by_authority", 1.0),
}


def _attributed(claim: str, reading: Reading, said: Attribution, mode: Mode) -> Reading:
    """Add the speaker and the mode of the statement, and limit the confidence accordingly."""
    code, most = ("admission", 1.0) if said.admission else _CAPPED.get(said.speaker, ("", 1.0))
    reasons = reading.reason_codes
    if code:
        reasons = (*reasons, Reason(code=f"entailment.{code}", data={"who": said.name or "somebody"}))
    changed = {
        "confidence": min(reading.confidence, most),
        "reason_codes": reasons,
        "reasons": sentences(reasons),
        "mode": mode,
        "speaker": Speaker(kind=said.speaker, name=said.name),
        "against_self": said.admission or None,
        "about_words": (mode in WORDS_ALONE and is_about_words(claim)) or None,
    }
    return reading.model_copy(update=changed)


def _page(passage: Passage) -> Page:
    day = None
    if passage.published and passage.published.precision in (Precision.DAY, Precision.TIME):
        day = passage.published.at.date()
    rows = tuple((Span(each.start, each.end), each.text) for each in passage.rows)
    return Page(passage.title, passage.lead, day, frozenset(passage.elsewhere), rows)


def _is_english(spoken: str | None) -> bool:
    return spoken is None or spoken.lower().startswith("en")


def _language(text: str, claim: str) -> str | None:
    """Detect the ISO 639-1 code of the text, of a few words together with the claim; None if it is unknown."""
    sample = text[:4_000]
    found = detect_language(sample)
    if found is None and len(words(sample)) < _FEW_WORDS:
        found = other_than_english(f"{claim[:_CLAIM_LIMIT]} {sample}")
    return found


_RULED = 0.85
"""Confidence of a declared ruling, equal to that of a ruling in words (`entailment.stance`)."""
_SENTENCE = 4
"""Words from which a ruling is understood without context."""
_STANCES = {Verdict.CONTRADICTED.value: Stance.CONTRADICTS, Verdict.VERIFIED.value: Stance.SUPPORTS}
"""Stances of the clear ratings; intermediate ones do not show which part of the claim is true."""


def _ruling_of(claim: str, passage: Passage, evidence: Evidence) -> tuple[Stance, Span | None] | None:
    """Return the page's rating of the same statement (`claims.merging`: same words, names, figures, days and
    direction) with the words of the passage that state it. None if the page declares no such rating, an intermediate
    one, or several that differ."""
    if not passage.reviews:
        return None
    asked = parse_statement(claim)
    same = [each for each in passage.reviews if same_statement(parse_statement(each.claim), asked)]
    stances = {_STANCES.get(each.verdict or "") for each in same}
    stance = stances.pop() if len(stances) == 1 else None
    return (stance, _stated(same[0], evidence)) if stance else None


def _stated(review: ClaimReview, evidence: Evidence) -> Span | None:
    """Return the sentence with the rating's own words and capitals ('False'). A sentence that is only the rating is
    quoted with the one before it, or the one after it if none precedes."""
    rating = review.rating.strip()
    if not rating:
        return None
    words = re.compile(rf"(?<!\w){re.escape(rating)}(?!\w)")
    statements = evidence.reading.statements
    for place, each in enumerate(statements):
        if words.search(each.text):
            beside = each
            if len(each.text.split()) < _SENTENCE:
                beside = statements[place - 1] if place else statements[min(1, len(statements) - 1)]
            return Span(min(beside.span.start, each.span.start), max(beside.span.end, each.span.end))
    return None

"""Leaning and bias (0 to 10) of a source towards the subject of a brief, by its wording (PRODUCT.md, decision 9).

Wording counts, not news: a report that a plant broke its permit is not biased. Judging words count three times as much
as stating ones, words in attributed statements half, negated words not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from inquest.claims.brief_reading import subject_of
from inquest.domain.document import Document
from inquest.domain.drafts import LeaningDraft
from inquest.domain.reasons import Catalogue, Reason, worded
from inquest.domain.report import Leaning
from inquest.domain.source import Category, Source
from inquest.text.entities import same_name
from inquest.text.lexicon import any_of, pattern
from inquest.text.phrases import quoted
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences
from inquest.text.vocabulary import is_negated, negations, speakers

_reason = Catalogue("bias")
WE = regex(r"\b(?:we|our|us|ours)\b", re.I)
_JUDGING = {"against": any_of(__name__, "loaded_critical"), "for": any_of(__name__, "loaded_favourable")}
_STATING = {"against": any_of(__name__, "critical"), "for": any_of(__name__, "favourable")}
_COMPANY_VOICE = any_of(__name__, "company_voice")
_OWN_VERDICT = pattern(__name__, "own_verdict")  # Judgements by the writer, and appeals to readers
_LOADED, _ATTRIBUTED = 3.0, 0.5
_READ = 30_000  # Characters of a document that are read
_NEEDED = 0.3  # Minimum `_Wording.lean` of a source that is not neutral
_OFFICIAL = frozenset((Category.GOVERNMENT, Category.COURT, Category.REGULATOR, Category.SCHOLARLY))
_QUOTATION = regex(r"[\"“][^\"”]{12,}[\"”]")


@dataclass
class _Wording:
    weight: dict[str, float] = field(default_factory=lambda: {"against": 0.0, "for": 0.0})
    judging: dict[str, list[str]] = field(default_factory=lambda: {"against": [], "for": []})
    """Judging words of the writer, not of a person quoted."""
    own_verdicts: int = 0
    sentences: int = 0
    subject_speaks: int = 0
    others_speak: int = 0
    we: int = 0

    @property
    def lean(self) -> float:
        """From -1 (against) to 1 (for); a few words in a long text weigh little."""
        total = sum(self.weight.values()) + max(4.0, self.sentences * 0.5)
        return (self.weight["for"] - self.weight["against"]) / total

    @property
    def loud(self) -> float:
        """Share of judgement in the writer's wording, 0 to 1."""
        judging = sum(map(len, self.judging.values())) + self.own_verdicts
        return min(1.0, judging / max(3.0, self.sentences * 0.4))

    @property
    def both_speak(self) -> bool:
        return bool(self.subject_speaks and self.others_speak)


def leaning_of(topic: str, source: Source, document: Document) -> LeaningDraft:
    """Rate the document's leaning towards the topic's subject, with reasons."""
    subject = subject_of(topic)
    wording = _wording(document.text[:_READ], subject)
    official = source.rating.category in _OFFICIAL
    # 'norvane.example' for 'Norvane Chemicals plc'
    first = next((re.sub(r"\W", "", name.split()[0]).lower() for name in subject[:1]), "")
    is_own = source.rating.press_release or (len(first) > 3 and source.domain.split(".")[0].lower() == first)
    if is_own:
        leaning = Leaning.FAVOURABLE
        bias = 7.0 + 1.5 * wording.loud + max(0.0, wording.lean)
    else:
        leaning = _side(wording, official=official)
        one_sided = not wording.both_speak and max(wording.others_speak, wording.subject_speaks) >= 2
        bias = 10 * (0.4 * abs(wording.lean) + 0.4 * wording.loud + 0.2 * one_sided)
        if official and wording.loud < 0.3:
            bias *= 0.4
        elif leaning is Leaning.NEUTRAL:
            bias *= 0.7
    return LeaningDraft(
        source_id=source.id,
        leaning=leaning,
        bias=round(min(10.0, max(0.0, bias)), 1),
        **worded(tuple(_reasons(wording, leaning, official=official, is_own=is_own)) or (_reason("no_side"),)),
    )


def _wording(text: str, subject: Sequence[str]) -> _Wording:
    wording = _Wording()
    for span in sentences(text):
        sentence = span.of(text)
        if len(sentence) < 12:
            continue
        wording.sentences += 1
        denied = negations(sentence)
        speaking = speakers(sentence)
        attributed = bool(speaking) or bool(_QUOTATION.search(sentence))
        for weight, table in ((_LOADED, _JUDGING), (1.0, _STATING)):
            for side, words in table.items():
                used = [m.group() for m in words.finditer(sentence) if not is_negated(Span(*m.span()), denied)]
                wording.weight[side] += weight * len(used) * (_ATTRIBUTED if attributed else 1.0)
                if table is _JUDGING and not attributed:
                    wording.judging[side] += used
        unquoted = _QUOTATION.sub("", sentence)
        wording.own_verdicts += not attributed and bool(
            _OWN_VERDICT.search(unquoted) or unquoted.rstrip().endswith("?")
        )
        wording.we += bool(WE.search(unquoted))
        for speaker in speaking:
            if _COMPANY_VOICE.search(speaker) or any(same_name(speaker, name) for name in subject[:1]):
                wording.subject_speaks += 1
            else:
                wording.others_speak += 1
    return wording


def _side(wording: _Wording, *, official: bool) -> Leaning:
    loud = wording.loud
    needed = _NEEDED * (1 - 0.6 * loud) + 0.25 * official + 0.2 * (wording.both_speak and loud < 0.4)
    # Without judging words, only a strongly one-sided choice of facts is a leaning.
    needed += 0.35 if loud < 0.15 else 0.0
    if wording.lean >= needed:
        return Leaning.FAVOURABLE
    return Leaning.CRITICAL if wording.lean <= -needed else Leaning.NEUTRAL


def _reasons(wording: _Wording, leaning: Leaning, *, official: bool, is_own: bool) -> Iterable[Reason]:
    if is_own:
        yield _reason("own_publication")
        if wording.we >= 3:
            yield _reason("we")
    for side, words in wording.judging.items():
        if words:
            once = list(dict.fromkeys(word.lower() for word in words))[:3]
            yield _reason(f"judging_{side}", words=[quoted(word) for word in once])
    if wording.both_speak:
        yield _reason("both_speak")
    if not is_own:
        yield from _reasons_of_others(wording, leaning, official=official)


def _reasons_of_others(wording: _Wording, leaning: Leaning, *, official: bool) -> Iterable[Reason]:
    if wording.others_speak >= 2 and not (wording.subject_speaks or official):
        yield _reason("only_others")
    elif wording.subject_speaks >= 2 and not wording.others_speak:
        yield _reason("only_subject")
    if wording.own_verdicts >= 2:
        yield _reason("own_voice")
    elif not any(wording.judging.values()):
        even = {Leaning.NEUTRAL: "even_words", Leaning.FAVOURABLE: "all_for", Leaning.CRITICAL: "all_against"}
        yield _reason(even[leaning])
    if official:
        yield _reason("record")

"""How a source stands to the subject of a brief, and how one-sided all sources are together.

What counts is the wording, not the news: a report that a works broke its permit is not biased because it says so. Words
that judge count three times those that only state; words inside somebody's attributed statement count half; negated
ones do not count, so that 'denies wrongdoing' accuses nobody. Then: who is quoted, and whether the subject speaks for
itself. Method and word lists are our own; the scale, 0 to 10 with one decimal, is spec 004's (PRODUCT.md, decision 9).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquest.claims.brief_reading import subject_of
from inquest.claims.leaning_words import (
    COMPANY_VOICE,
    CRITICAL,
    FAVOURABLE,
    LOADED_CRITICAL,
    LOADED_FAVOURABLE,
    OFFICE,
    OWN_VERDICT,
    PERSONAL,
    RALLYING,
    WE,
)
from inquest.domain.document import Document
from inquest.domain.drafts import LeaningDraft
from inquest.domain.reasons import Reason, ReasonData, worded
from inquest.domain.report import Leaning
from inquest.domain.source import Category, Source
from inquest.text.entities import same_name
from inquest.text.phrases import quoted
from inquest.text.polarity import Negation, is_negated, negations, speakers
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences

__all__ = ["leaning_of"]

_LOADED = 3.0
_ATTRIBUTED = 0.5
_READ = 30_000
"""Characters of a document that are read for its wording."""
_NEUTRAL_BELOW = 0.3
"""How far the two sides must differ, as a share of all, before a source leans."""
_OFFICIAL = frozenset((Category.GOVERNMENT, Category.COURT, Category.REGULATOR, Category.SCHOLARLY))
_SPOKEN = regex(r"[\"“][^\"”]{12,}[\"”]")


@dataclass
class _Wording:
    favourable: float = 0.0
    critical: float = 0.0
    loaded: tuple[tuple[str, str], ...] = ()
    """The judging words, each with 'for' or 'against'."""
    own_verdicts: float = 0.0
    """Sentences in which the writer judges, asks to be agreed with, or calls to something."""
    personal: int = 0
    sentences: int = 0
    subject_speaks: int = 0
    others_speak: int = 0
    we: int = 0


def leaning_of(topic: str, source: Source, document: Document) -> LeaningDraft:
    """How the document stands to the topic's subject, with the reasons."""
    subject = subject_of(topic)
    text = document.text[:_READ]
    wording = _wording(text, subject)
    is_own = source.rating.press_release or _is_subjects_own(source, subject)
    lean = _lean(wording)
    loud = min(1.0, (len(wording.loaded) + wording.own_verdicts) / max(3.0, wording.sentences * 0.4))
    if is_own:
        leaning = Leaning.FAVOURABLE
        bias = 7.0 + 1.5 * loud + 1.0 * max(0.0, lean)
    else:
        leaning = _side(lean, loud, wording, source)
        bias = 10 * (0.4 * abs(lean) + 0.4 * loud + 0.2 * _unheard(wording, leaning))
        if source.rating.category in _OFFICIAL and loud < 0.3:
            bias *= 0.4
        elif leaning is Leaning.NEUTRAL:
            bias *= 0.7
    return LeaningDraft(
        source_id=source.id,
        leaning=leaning,
        bias=round(min(10.0, max(0.0, bias)), 1),
        **worded(_reasons(wording, leaning, source, is_own=is_own)),
    )


def _wording(text: str, subject: Sequence[str]) -> _Wording:
    found = _Wording()
    speaking_for_it = [match.group(1).strip() for match in OFFICE.finditer(text)]
    loaded: list[tuple[str, str]] = []
    for span in sentences(text):
        sentence = span.of(text)
        if len(sentence) < 12:
            continue
        found.sentences += 1
        denied = negations(sentence)
        speaking = speakers(sentence)
        said = bool(speaking) or bool(_SPOKEN.search(sentence))
        factor = _ATTRIBUTED if said else 1.0
        for pattern, side, judges in (
            (LOADED_CRITICAL, "against", True),
            (LOADED_FAVOURABLE, "for", True),
            (CRITICAL, "against", False),
            (FAVOURABLE, "for", False),
        ):
            for word in _standing(pattern, sentence, denied):
                weight = factor * (_LOADED if judges else 1.0)
                if side == "for":
                    found.favourable += weight
                else:
                    found.critical += weight
                if judges and not said:
                    loaded.append((word, side))
        unquoted = _SPOKEN.sub("", sentence)
        if not said:
            found.own_verdicts += bool(OWN_VERDICT.search(unquoted)) + 1.5 * bool(RALLYING.search(unquoted))
            found.own_verdicts += unquoted.rstrip().endswith("?")
        found.personal += bool(PERSONAL.search(unquoted))
        found.we += bool(WE.search(unquoted))
        for speaker in speaking:
            if _is_subject(speaker, subject) or any(same_name(speaker, n) for n in speaking_for_it):
                found.subject_speaks += 1
            else:
                found.others_speak += 1
    if found.personal >= 0.2 * found.sentences and found.personal >= 3:
        found.own_verdicts += 0.5 * found.personal
    found.loaded = tuple(loaded)
    return found


def _standing(pattern: re.Pattern[str], sentence: str, denied: tuple[Negation, ...]) -> Iterable[str]:
    for match in pattern.finditer(sentence):
        if not is_negated(Span(*match.span()), denied):
            yield match.group()


def _is_subject(speaker: str, subject: Sequence[str]) -> bool:
    return bool(COMPANY_VOICE.search(speaker)) or any(same_name(speaker, name) for name in subject[:1])


def _is_subjects_own(source: Source, subject: Sequence[str]) -> bool:
    """Whether the domain is the subject's: 'norvane.example' for 'Norvane Chemicals plc'."""
    host = source.domain.split(".")[0].lower()
    return any(host == re.sub(r"\W", "", name.split()[0]).lower() for name in subject[:1] if len(name.split()[0]) > 3)


def _lean(wording: _Wording) -> float:
    """-1 (against) to 1 (for). A few words in a long even text make no lean."""
    total = wording.favourable + wording.critical
    return (wording.favourable - wording.critical) / (total + max(4.0, wording.sentences * 0.5))


def _side(lean: float, loud: float, wording: _Wording, source: Source) -> Leaning:
    against = sum(side == "against" for _, side in wording.loaded)
    judged = loud >= 0.4 or against != len(wording.loaded) - against or wording.own_verdicts >= 2
    heard = wording.subject_speaks > 0 and wording.others_speak > 0
    needed = (
        _NEUTRAL_BELOW * (1 - 0.6 * loud)
        + (0.2 if heard and loud < 0.4 else 0.0)
        + (0.25 if source.rating.category in _OFFICIAL else 0.0)
    )
    if loud < 0.15 or not judged:
        # Without a word that judges, only an overwhelming choice of facts is a lean.
        needed += 0.35
    elif wording.own_verdicts >= 2:
        needed -= 0.1
    if lean >= needed:
        return Leaning.FAVOURABLE
    return Leaning.CRITICAL if lean <= -needed else Leaning.NEUTRAL


def _unheard(wording: _Wording, leaning: Leaning) -> float:
    """Whether one side is quoted and the other is not: 0 or 1, half where nobody is quoted in a text that leans."""
    if wording.others_speak and wording.subject_speaks:
        return 0.0
    if wording.others_speak >= 2 or wording.subject_speaks >= 2:
        return 1.0
    return 0.0 if leaning is Leaning.NEUTRAL else 0.5


def _reasons(wording: _Wording, leaning: Leaning, source: Source, *, is_own: bool) -> tuple[Reason, ...]:
    said = _of_the_subject(wording) if is_own else []
    for side in ("against", "for"):
        words = list(dict.fromkeys(word.lower() for word, of in wording.loaded if of == side))[:3]
        if words:
            said.append(_reason(f"judging_{side}", words=[quoted(word) for word in words]))
    said += [] if is_own else _of_others(wording, source)
    if is_own and wording.others_speak and wording.subject_speaks:
        said.append(_reason("both_speak"))
    even = not wording.loaded and wording.own_verdicts < 2
    if even and leaning is Leaning.NEUTRAL:
        said.append(_reason("even_words"))
    elif even and not is_own:
        said.append(_reason("all_for" if leaning is Leaning.FAVOURABLE else "all_against"))
    if source.rating.category in _OFFICIAL and not is_own:
        said.append(_reason("record"))
    return tuple(said) or (_reason("no_side"),)


def _of_the_subject(wording: _Wording) -> list[Reason]:
    return [_reason("own_publication"), *([_reason("we")] if wording.we >= 3 else [])]


def _of_others(wording: _Wording, source: Source) -> list[Reason]:
    """How somebody else's text judges, and whom it lets speak."""
    said = [_reason("own_voice")] if wording.own_verdicts >= 2 else []
    if wording.others_speak and wording.subject_speaks:
        return [*said, _reason("both_speak")]
    if wording.others_speak >= 2 and source.rating.category not in _OFFICIAL:
        return [*said, _reason("only_others")]
    return [*said, _reason("only_subject")] if wording.subject_speaks >= 2 else said


def _reason(name: str, **data: ReasonData) -> Reason:
    return Reason(code=f"bias.{name}", data=data)

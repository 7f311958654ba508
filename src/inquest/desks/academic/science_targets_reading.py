"""Climate targets in a text: what is to fall, by how much, from when to when, in which scopes, checked by whom."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import pattern
from inquest.text.numerals import number_of
from inquest.text.sentences import Span, sentences

__all__ = ["ClimateTarget", "Pathway", "TargetKind", "Validation", "targets_in"]


class TargetKind(StrEnum):
    """What the target counts."""

    ABSOLUTE = "absolute"
    INTENSITY = "intensity"
    """Per unit of product, revenue, area or head."""
    UNSTATED = "unstated"


class Validation(StrEnum):
    """What the text says of a check by the Science Based Targets initiative. Only its own list can bear that out."""

    VALIDATED = "validated"
    SUBMITTED = "submitted"
    COMMITTED = "committed"
    ALIGNED = "called aligned"
    """'Aligned with', 'in line with', 'science-based': the company's own word."""
    REMOVED = "removed"
    NOT_VALIDATED = "not validated"
    UNSTATED = "unstated"


class Pathway(StrEnum):
    """The warming that the text says the target keeps to."""

    ONE_AND_A_HALF = "1.5 °C"
    WELL_BELOW_TWO = "well below 2 °C"
    TWO = "2 °C"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class ClimateTarget:
    """One target as a text states it; None and empty where it does not say."""

    span: Span
    text: str
    scopes: frozenset[str] = frozenset()
    reduction: float | None = None
    """Percent of the base year's emissions or intensity."""
    base_year: int | None = None
    target_year: int | None = None
    net_zero_year: int | None = None
    neutral_year: int | None = None
    """Carbon or climate neutral by: another claim than net zero, since credits may do the whole of it."""
    kind: TargetKind = TargetKind.UNSTATED
    coverage: float | None = None
    """Percent of the emissions in its scopes that it covers."""
    validation: Validation = Validation.UNSTATED
    pathway: Pathway = Pathway.UNSTATED
    set_in: int | None = None
    """The year in which the text says that it was set, submitted or validated."""
    counts_credits: bool = False
    """Whether credits or offsets are said to count towards it."""

    @property
    def annual_rate(self) -> float | None:
        """Percent of the base year's figure a year, in a straight line; None where a part is missing."""
        if self.reduction is None or self.base_year is None or self.target_year is None:
            return None
        years = self.target_year - self.base_year
        return self.reduction / years if years > 0 else None


_YEAR = r"(?:19|20)\d\d"
_PERCENT = pattern(__name__, "percent")
_FALL = pattern(__name__, "fall")
_EMISSIONS = pattern(__name__, "emissions")
_AIMED = pattern(__name__, "aimed")
_SHARE_OF = pattern(__name__, "share_of")
_COVERS = pattern(__name__, "covers")
_BY = pattern(__name__, "by")
_FROM = pattern(__name__, "from")
_SPAN = re.compile(rf"\b(?:between|from)\s+(?P<first>{_YEAR})\s+(?:and|to|until)\s+(?P<last>{_YEAR})\b", re.I)
_NET_ZERO = re.compile(r"\bnet[- ]?zero\b", re.I)
_NEUTRAL = re.compile(r"\b(?:climate|carbon|CO2)[- ]neutral(?:ity)?\b", re.I)
_SAME_TIME = pattern(__name__, "same_time")
_INTENSITY = pattern(__name__, "intensity")
_ABSOLUTE = re.compile(r"\babsolute\b", re.I)
_SBTI = r"(?:\bSBTi\b|\bscience[- ]based\s+targets?(?:\s+initiative)?\b)"
_VALIDATIONS = (
    (Validation.REMOVED, r"\b(?:commitments?\s+removed|removed\s+(?:from|by)|withdr\w+)\b"),
    (
        Validation.NOT_VALIDATED,
        r"\b(?:not\s+(?:yet\s+)?(?:been\s+)?(?:validated|approved|verified)|without\s+validation|unvalidated)\b",
    ),
    (
        Validation.SUBMITTED,
        r"\b(?:submit\w+|awaiting\s+validation|(?:under|in|pending)\s+(?:review|validation)|(?:will|to)\s+be\s+validated)\b",
    ),
    (Validation.VALIDATED, r"\b(?:validat\w+|approv\w+|verified\s+by)\b"),
    (
        Validation.COMMITTED,
        r"\bcommit\w*\s+(?:to\s+)?(?:set(?:ting)?|develop\w*|the\s+SBTi|letter)\b|\bsigned\s+(?:the\s+)?commitment",
    ),
    (Validation.ALIGNED, r"\b(?:align\w*|in\s+line|consistent|based\s+on|according\s+to|science[- ]based)\b"),
)
_PATHWAYS = (
    (Pathway.ONE_AND_A_HALF, r"\b1[.,]5\s?(?:°|º|degrees?|-degrees?|C\b)"),
    (Pathway.WELL_BELOW_TWO, r"\bwell[- ]below[- ]2\s?(?:°|º|degrees?|-degrees?|C\b)|\bWB2C\b"),
    (Pathway.TWO, r"(?<!below )(?<!below-)\b2\s?(?:°|º|degrees?|-degrees?)\s?C?\b"),
)
_SET = pattern(__name__, "set")
_CREDITS = re.compile(r"\b(?:offset\w*|carbon\s+credits?|compensat\w+|REDD\+?)\b", re.I)
_APART = pattern(__name__, "apart")


def targets_in(text: str) -> tuple[ClimateTarget, ...]:
    """The targets in a text, in order. A sentence with two cuts holds two targets; what only one of them states (years,
    validation) is taken for both, as 'within the same timeframe' means."""
    found: list[ClimateTarget] = []
    shared = _validation(text), _pathway(text), _set_in(text)
    for span in sentences(text):
        for target in _of_sentence(text, span, *shared):
            if found and _SAME_TIME.search(target.text):
                years = target.base_year or found[-1].base_year, target.target_year or found[-1].target_year
                target = replace(target, base_year=years[0], target_year=years[1])
            found.append(target)
    return tuple(found)


def _of_sentence(
    text: str, span: Span, validation: Validation, pathway: Pathway, set_in: int | None
) -> list[ClimateTarget]:
    sentence = span.of(text)
    cuts = [match for match in _PERCENT.finditer(sentence) if _is_cut(sentence, match)]
    net_zero, neutral = _zero_year(sentence, _NET_ZERO), _zero_year(sentence, _NEUTRAL)
    if not cuts and net_zero is None and neutral is None:
        return []
    base_all, by_all = _base_year(sentence), _target_year(sentence)
    targets: list[ClimateTarget] = []
    for number, cut in enumerate(cuts):
        first = 0 if number == 0 else _between(sentence, cuts[number - 1].end(), cut.start())
        last = len(sentence) if number + 1 == len(cuts) else _between(sentence, cut.end(), cuts[number + 1].start())
        clause = sentence[first:last]
        targets.append(
            ClimateTarget(
                Span(span.start + first, span.start + last),
                clause,
                scopes=scopes_named(clause),
                reduction=number_of(cut["number"], worldly=False)[0],
                base_year=_base_year(clause) or base_all,
                target_year=_target_year(clause) or by_all,
                kind=_kind(clause),
                coverage=_coverage(clause),
                validation=validation,
                pathway=pathway,
                set_in=set_in,
                counts_credits=_counts_credits(clause),
                net_zero_year=net_zero,
                neutral_year=neutral,
            )
        )
    if not targets:
        targets = [
            ClimateTarget(
                span,
                sentence,
                scopes=scopes_named(sentence),
                base_year=base_all,
                net_zero_year=net_zero,
                neutral_year=neutral,
                kind=_kind(sentence),
                coverage=_coverage(sentence),
                validation=validation,
                pathway=pathway,
                set_in=set_in,
                counts_credits=_counts_credits(sentence),
            )
        ]
    return targets


def _is_cut(sentence: str, match: re.Match[str]) -> bool:
    """Whether a percentage is a cut of emissions that is aimed at, not a share or a growth."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    if not (_EMISSIONS.search(sentence) and _AIMED.search(sentence)):
        return False
    clause_before = re.split(r"[;,](?=\s)", before)[-1]
    if _COVERS.search(before) and not _FALL.search(clause_before):
        return False
    if _SHARE_OF.match(after) and not re.search(r"\b(?:by|of|a|to)\s+(?:at\s+least\s+)?$", clause_before, re.I):
        return False
    if re.match(
        r"\s*(?:renewable|recycled|of\s+(?:electricity|suppliers|our\s+suppliers|its\s+suppliers))", after, re.I
    ):
        return False
    return bool(
        _FALL.search(before)
        or re.match(r"\s+(?:\w+\s+){0,3}(?:reduction|cut|decrease|less|lower|below)\b", after, re.I)
    )


def _between(sentence: str, start: int, end: int) -> int:
    """Where one target ends and the next begins: the last break between the two numbers."""
    breaks = list(re.finditer(r"[;,]\s|\s(?:and|while|as\s+well\s+as|plus)\s", sentence[start:end]))
    falls = [found for found in breaks if _FALL.search(sentence[start + found.end() : end]) or found.group()[0] in ";"]
    chosen = (falls or breaks)[-1] if breaks else None
    if chosen is not None and falls:
        chosen = falls[0] if len(falls) == 1 else falls[-1]
    elif chosen is not None:
        # Without a verb of its own the second target begins at its scope: '... by 30 % and Scope 3 emissions by 20 %'.
        scoped = [
            found for found in breaks if re.match(r"(?:absolute\s+)?scope", sentence[start + found.end() :], re.I)
        ]
        chosen = scoped[-1] if scoped else chosen
    return start + chosen.end() if chosen is not None else end


def _base_year(clause: str) -> int | None:
    if found := _SPAN.search(clause):
        return int(found["first"])
    for found in _FROM.finditer(clause):
        return int(found["year"] or found["base"] or found["named"])
    return None


def _target_year(clause: str) -> int | None:
    if found := _SPAN.search(clause):
        return int(found["last"])
    base = _base_year(clause)
    years = [
        int(found["year"] or found["goal"])
        for found in _BY.finditer(clause)
        if not any(zero.search(clause[max(0, found.start() - 40) : found.start()]) for zero in (_NET_ZERO, _NEUTRAL))
    ]
    later = [year for year in years if base is None or year > base]
    return later[0] if later else None


def _zero_year(sentence: str, words: re.Pattern[str]) -> int | None:
    zero = words.search(sentence)
    if zero is None or not _AIMED.search(sentence):
        return None
    after = _BY.search(sentence, zero.end())
    if after is not None and after.start() - zero.end() <= 90:
        return int(after["year"] or after["goal"])
    before = list(_BY.finditer(sentence, 0, zero.start()))
    return int(before[-1]["year"] or before[-1]["goal"]) if before and zero.start() - before[-1].end() <= 40 else None


def _kind(clause: str) -> TargetKind:
    if _INTENSITY.search(clause):
        return TargetKind.INTENSITY
    return TargetKind.ABSOLUTE if _ABSOLUTE.search(clause) else TargetKind.UNSTATED


def _coverage(clause: str) -> float | None:
    for match in _PERCENT.finditer(clause):
        if re.search(r"\b(?:cover\w*|represent\w*|account\w*\s+for)\s*(?:\w+\s+){0,3}$", clause[: match.start()], re.I):
            return number_of(match["number"], worldly=False)[0]
    return None


def _counts_credits(clause: str) -> bool:
    found = _CREDITS.search(clause)
    return found is not None and not _APART.search(clause[: found.start()])


def _validation(text: str) -> Validation:
    for sentence in (span.of(text) for span in sentences(text)):
        if not re.search(_SBTI, sentence, re.I):
            continue
        for status, words in _VALIDATIONS:
            if re.search(words, sentence, re.I):
                return status
    return Validation.UNSTATED


def _pathway(text: str) -> Pathway:
    return next((pathway for pathway, words in _PATHWAYS if re.search(words, text, re.I)), Pathway.UNSTATED)


def _set_in(text: str) -> int | None:
    found = _SET.search(text)
    return int(found["year"] or found["first"]) if found else None

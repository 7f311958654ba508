"""Climate targets in a text: what is to fall, by how much, from when to when, in which scopes, checked by whom."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from enum import StrEnum

from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.numerals import number_of
from inquest.text.sentences import Span, sentences


class TargetKind(StrEnum):
    """What the target counts."""

    ABSOLUTE = "absolute"
    INTENSITY = "intensity"
    """Per unit of product, revenue, area or head."""
    UNSTATED = "unstated"


class SaidStatus(StrEnum):
    """What the text says of a check by the Science Based Targets initiative. Only its own list can prove that."""

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
    validation: SaidStatus = SaidStatus.UNSTATED
    pathway: Pathway = Pathway.UNSTATED
    set_in: int | None = None
    """The year in which the text says that it was set, submitted or validated."""
    counts_credits: bool = False
    """Credits or offsets are said to count towards it."""

    @property
    def annual_rate(self) -> float | None:
        """Percent of the base year's figure a year, in a straight line; None where a part is missing."""
        if self.reduction is None or self.base_year is None or self.target_year is None:
            return None
        years = self.target_year - self.base_year
        return self.reduction / years if years > 0 else None


_WORDS = {name: compiled(words) for name, words in entries(__name__, "target_words").items()}
_STATUSES = {SaidStatus[name]: compiled(words) for name, words in entries(__name__, "target_statuses").items()}
"""In this order: what is pending or denied uses the words of what is done."""
_PATHWAYS = {Pathway[name]: compiled(words) for name, words in entries(__name__, "target_pathways").items()}
_INITIATIVE = pattern(__name__, "initiative")
_ZERO_AFTER, _ZERO_BEFORE = 90, 40
"""Characters between 'net zero' and its year, where that follows or goes before."""


def targets_in(text: str) -> tuple[ClimateTarget, ...]:
    """The targets in a text, in order. A sentence with two cuts holds two targets; what only one of them states (years,
    validation) is taken for both, as 'within the same timeframe' means."""
    found: list[ClimateTarget] = []
    shared = ClimateTarget(
        Span(0, 0),
        "",
        validation=_status(text),
        pathway=next((each for each, words in _PATHWAYS.items() if words.search(text)), Pathway.UNSTATED),
        set_in=_year(_WORDS["set"].search(text)),
    )
    for span in sentences(text):
        for target in _of_sentence(text, span, shared):
            if found and _WORDS["same_time"].search(target.text):
                years = target.base_year or found[-1].base_year, target.target_year or found[-1].target_year
                target = replace(target, base_year=years[0], target_year=years[1])
            found.append(target)
    return tuple(found)


def _of_sentence(text: str, around: Span, shared: ClimateTarget) -> list[ClimateTarget]:
    sentence = around.of(text)
    cuts = [match for match in _WORDS["percent"].finditer(sentence) if _is_cut(sentence, match)]
    shared = replace(
        shared, net_zero_year=_zero_year(sentence, "net_zero"), neutral_year=_zero_year(sentence, "neutral")
    )
    if not cuts and shared.net_zero_year is None and shared.neutral_year is None:
        return []
    if not cuts:
        return [replace(_stated(shared, sentence, around), base_year=_base_year(sentence))]
    bounds = [0, *(_between(sentence, one.end(), two.start()) for one, two in itertools.pairwise(cuts))]
    targets: list[ClimateTarget] = []
    for cut, first, last in zip(cuts, bounds, [*bounds[1:], len(sentence)], strict=True):
        clause = sentence[first:last]
        years = (
            _base_year(clause) or _base_year(sentence),
            _target_year(clause, shared) or _target_year(sentence, shared),
        )
        target = _stated(shared, clause, Span(around.start + first, around.start + last))
        reduction = number_of(cut["number"], worldly=False)[0]
        targets.append(replace(target, reduction=reduction, base_year=years[0], target_year=years[1]))
    return targets


def _stated(shared: ClimateTarget, clause: str, span: Span) -> ClimateTarget:
    """What a clause states of itself, with what the whole text does."""
    covered = next((each for each in _WORDS["percent"].finditer(clause) if _is_coverage(clause[: each.start()])), None)
    credits_ = _WORDS["credits"].search(clause)
    absolute = TargetKind.ABSOLUTE if _WORDS["absolute"].search(clause) else TargetKind.UNSTATED
    return replace(
        shared,
        span=span,
        text=clause,
        scopes=scopes_named(clause),
        kind=TargetKind.INTENSITY if _WORDS["intensity"].search(clause) else absolute,
        coverage=number_of(covered["number"], worldly=False)[0] if covered else None,
        counts_credits=credits_ is not None and not _WORDS["apart"].search(clause[: credits_.start()]),
    )


def _is_coverage(before: str) -> bool:
    return _WORDS["covers"].search(before) is not None


def _is_cut(sentence: str, match: re.Match[str]) -> bool:
    """True for a percentage that is a cut of emissions and aimed at, not a share or a growth."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    clause_before = re.split(r"[;,](?=\s)", before)[-1]
    falls = _WORDS["fall"].search(clause_before)
    is_share = _WORDS["share_of"].match(after) and not _WORDS["by_before"].search(clause_before)
    if not (_WORDS["emissions"].search(sentence) and _WORDS["aimed"].search(sentence)) or is_share:
        return False
    if _WORDS["other_share"].match(after) or (_is_coverage(before) and not falls):
        return False
    return bool(_WORDS["fall"].search(before) or _WORDS["fall_after"].match(after))


def _between(sentence: str, start: int, end: int) -> int:
    """Where one target ends and the next begins: the last break between the two numbers after which another fall
    stands, or a scope ('... by 30 % and Scope 3 emissions by 20 %'); else the last break."""
    breaks = list(_WORDS["break"].finditer(sentence, start, end))
    if not breaks:
        return end
    falls = [each for each in breaks if _WORDS["fall"].search(sentence, each.end(), end)]
    scoped = [each for each in breaks if _WORDS["scope"].match(sentence, each.end())]
    return (falls or scoped or breaks)[-1].end()


def _year(match: re.Match[str] | None) -> int | None:
    """The year of a match, in whichever of its groups it stands."""
    return next((int(each) for each in match.groups() if each), None) if match else None


def _base_year(clause: str) -> int | None:
    if found := _WORDS["span"].search(clause):
        return int(found["first"])
    return _year(_WORDS["from"].search(clause))


def _target_year(clause: str, shared: ClimateTarget) -> int | None:
    """The first year that is aimed at, later than the base year; not that of net zero, nor that in which it was set."""
    if found := _WORDS["span"].search(clause):
        return int(found["last"])
    base = _base_year(clause)
    for found in _WORDS["by"].finditer(clause):
        near = clause[max(0, found.start() - _ZERO_BEFORE) : found.start()]
        year = _year(found)
        of_zero = _WORDS["net_zero"].search(near) or _WORDS["neutral"].search(near)
        if year is not None and year != shared.set_in and not of_zero and (base is None or year > base):
            return year
    return None


def _zero_year(sentence: str, words: str) -> int | None:
    zero = _WORDS[words].search(sentence)
    if zero is None or not _WORDS["aimed"].search(sentence):
        return None
    after = _WORDS["by"].search(sentence, zero.end())
    if after is not None and after.start() - zero.end() <= _ZERO_AFTER:
        return _year(after)
    before = list(_WORDS["by"].finditer(sentence, 0, zero.start()))
    return _year(before[-1]) if before and zero.start() - before[-1].end() <= _ZERO_BEFORE else None


def _status(text: str) -> SaidStatus:
    for sentence in (span.of(text) for span in sentences(text)):
        if _INITIATIVE.search(sentence):
            found = next((status for status, words in _STATUSES.items() if words.search(sentence)), None)
            if found is not None:
                return found
    return SaidStatus.UNSTATED

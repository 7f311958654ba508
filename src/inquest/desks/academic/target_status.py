"""Whether somebody else than the company says that its target is validated (spec 002, 7.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from inquest.claims.report.company import named_in
from inquest.desks.academic.terms import official_domains
from inquest.desks.academic.witnesses import Witness
from inquest.domain.finding import ContradictionType, Stance
from inquest.text.entities import same_name
from inquest.text.lexicon import pattern
from inquest.text.polarity import attributions
from inquest.text.sentences import Span, sentences
from inquest.text.urls import registrable_domain

__all__ = [
    "OFFICIAL_WORD",
    "OTHERS_WORD",
    "StatusSaid",
    "ValidationStatus",
    "claims_validation",
    "status_said",
    "with_status",
]


class ValidationStatus(StrEnum):
    """By what others say (spec 002, 10.2)."""

    VALIDATED = "validated"
    NOT_VALIDATED = "not_validated"
    UNCLEAR = "status_unclear"


@dataclass(frozen=True, slots=True)
class StatusSaid:
    """What was found on a validation: the word that weighs most, and everyone who says anything on it."""

    status: ValidationStatus
    official: bool = False
    """Whether the initiative's own site says it."""
    leading: Witness | None = None
    span: Span | None = None
    witnesses: tuple[Witness, ...] = ()
    reasons: tuple[str, ...] = ()


_INITIATIVE = re.compile(r"\bSBTi?\b|\bscience[-\s]based\s+targets?\b", re.I)
_NOT = pattern(__name__, "not")
_YES = pattern(__name__, "yes")
OFFICIAL_WORD, OTHERS_WORD = 0.85, 0.6
"""Confidence in what the initiative's own site says of a target, and in what others do."""
_NEAR = 90
"""Characters between the initiative's name and the word of what it did: further apart, something else may be meant."""
_LISTED = re.compile(r"\btargets?\s+set\b", re.I)
"""How the initiative's own list says that a target is validated."""
_PENDING = pattern(__name__, "pending")
_ROW = 240
"""Characters after a company's name in a list that still belong to its row."""


def claims_validation(text: str) -> bool:
    """Whether a claim says that its target is validated by the initiative."""
    return any(
        _INITIATIVE.search(sentence) and _word(sentence, listed=False) is ValidationStatus.VALIDATED
        for sentence in (span.of(text) for span in sentences(text))
    )


def status_said(company: str, witnesses: Sequence[Witness]) -> StatusSaid:
    """What pages other than the company's say. Of the initiative's site and others the former counts; where pages of
    one rank differ, or nobody says anything, the status is unclear."""
    home = official_domains("sbti")
    found: list[tuple[bool, ValidationStatus, Witness, Span]] = []
    for each in witnesses:
        if each.left_out:
            continue
        official = registrable_domain(each.source.url) in home
        for span in _about(company, each.text, official=official):
            word = _word(span.of(each.text), listed=official)
            if word is not None:
                found.append((official, word, each, span))
                break
    ranked = [each for each in found if each[0]] or [each for each in found if each[2].credibility <= 2]
    heard = tuple(dict.fromkeys(each[2].source.id for each in found))
    witnesses_heard = tuple(next(each[2] for each in found if each[2].source.id == name) for name in heard)
    words = {each[1] for each in ranked}
    if len(words) != 1:
        why = (
            "Pages of one rank say different things of it."
            if words
            else "No page of others says whether it is validated."
        )
        return StatusSaid(ValidationStatus.UNCLEAR, witnesses=witnesses_heard, reasons=(why,))
    official, status, witness, span = ranked[0]
    who = "The initiative's own site" if official else f"{witness.source.domain}"
    reason = f"{who} says: ‘{span.of(witness.text).strip().rstrip('.')}’."
    return StatusSaid(status, official, witness, span, witnesses_heard, (reason,))


def with_status(claim: str, company: str, witnesses: Sequence[Witness]) -> tuple[Witness, ...]:
    """The witnesses to a claim that says that a target is validated: a passage that says whether it is bears on the
    claim, though its judge, who weighs words alone, took no side. Any other claim's witnesses stay as they are."""
    if not claims_validation(claim):
        return tuple(witnesses)
    home = official_domains("sbti")
    return tuple(_speaking(company, each, official=registrable_domain(each.source.url) in home) for each in witnesses)


def _speaking(company: str, witness: Witness, *, official: bool) -> Witness:
    if witness.left_out or witness.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
        return witness
    for span in _about(company, witness.text, official=official):
        word = _word(span.of(witness.text), listed=official)
        if word is None:
            continue
        denied = word is ValidationStatus.NOT_VALIDATED
        said = "it says that the target is not validated" if denied else "it says that the target is validated"
        return replace(
            witness,
            stance=Stance.CONTRADICTS if denied else Stance.SUPPORTS,
            contradiction_type=ContradictionType.DIRECT if denied else None,
            confidence=OFFICIAL_WORD if official else OTHERS_WORD,
            quote=span.of(witness.text),
            start=span.start,
            end=span.end,
            reasons=(said,),
        )
    return witness


def _about(company: str, text: str, *, official: bool) -> Iterator[Span]:
    """The sentences and rows that name the company and the initiative; on its own site the latter need not be named."""
    for sentence in sentences(text):
        place = sentence.start
        for line in sentence.of(text).split("\n"):
            span = Span(place, place + len(line))
            place = span.end + 1
            if named_in(company, line) and (official or _INITIATIVE.search(line)) and not _of_itself(company, line):
                yield span
        whole = sentence.of(text)
        if (
            "\n" in whole
            and named_in(company, whole)
            and len(whole) <= _ROW
            and (official or _INITIATIVE.search(whole))
        ):
            yield sentence


def _of_itself(company: str, sentence: str) -> bool:
    """Whether it only hands on what the company says of itself."""
    return any(each.speaker and same_name(each.speaker, company) for each in attributions(sentence))


def _word(text: str, *, listed: bool) -> ValidationStatus | None:
    """What a sentence says, or a row of the initiative's list. That somebody is committed is told by the list alone:
    in the press it may be long past."""
    if _NOT.search(text):
        return ValidationStatus.NOT_VALIDATED
    if re.search(r"\b(?:will|to)\s+be\s+(?:validated|approved)\b", text, re.I):
        return ValidationStatus.NOT_VALIDATED if listed else None
    if listed:
        yes = _YES.search(text) or _LISTED.search(text)
        return ValidationStatus.VALIDATED if yes else ValidationStatus.NOT_VALIDATED if _PENDING.search(text) else None
    return ValidationStatus.VALIDATED if _near_the_initiative(text) else None


def _near_the_initiative(text: str) -> bool:
    return any(
        max(named.start() - done.end(), done.start() - named.end()) <= _NEAR
        and ";" not in text[min(named.start(), done.start()) : max(named.end(), done.end())]
        for done in _YES.finditer(text)
        for named in _INITIATIVE.finditer(text)
    )

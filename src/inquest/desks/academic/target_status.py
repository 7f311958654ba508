"""What others than the company say of a validation of its target (spec 002, 7.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from inquest.claims.report.company import named_in
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.terms import official_domains
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, worded
from inquest.text.entities import same_name
from inquest.text.lexicon import pattern
from inquest.text.polarity import attributions
from inquest.text.sentences import Span, sentences
from inquest.text.urls import registrable_domain


class ValidationStatus(StrEnum):
    """By what others say (spec 002, 10.2)."""

    VALIDATED = "validated"
    NOT_VALIDATED = "not_validated"
    UNCLEAR = "status_unclear"


@dataclass(frozen=True, slots=True)
class StatusFound:
    """What was found on a validation: the passage that weighs most, and everyone who says anything on it."""

    status: ValidationStatus
    reason: Reason
    official: bool = False
    """The initiative's own site says it."""
    leading: AcademicEvidence | None = None
    span: Span | None = None
    witnesses: tuple[AcademicEvidence, ...] = ()


_INITIATIVE = pattern(__name__, "initiative")
_NOT = pattern(__name__, "not")
_YES = pattern(__name__, "yes")
_LISTED = pattern(__name__, "listed")
"""How the initiative's own list says that a target is validated."""
_PENDING = pattern(__name__, "pending")
_TO_BE = pattern(__name__, "to_be")
_NEAR = 90
"""Characters between the initiative's name and the word of what it did: further apart, something else may be meant."""
_ROW = 240
"""Characters after a company's name in a list that still belong to its row."""


def confidence_in(*, official: bool) -> float:
    """Confidence in what the initiative's own site says of a target, and in what others do."""
    return 0.85 if official else 0.6


def claims_validation(text: str) -> bool:
    """True where a claim says that its target is validated by the initiative."""
    in_turn = (span.of(text) for span in sentences(text))
    return any(
        _INITIATIVE.search(each) and _status(each, listed=False) is ValidationStatus.VALIDATED for each in in_turn
    )


def status_found(company: str, witnesses: Sequence[AcademicEvidence]) -> StatusFound:
    """What pages other than the company's say. Of the initiative's site and others the former counts; where pages of
    one rank differ, or nobody says anything, the status is unclear."""
    found = [(each, *said) for each in witnesses if (said := _read(company, each)) is not None]
    ranked = [each for each in found if each[3]] or [each for each in found if each[0].credibility <= 2]
    speaking = tuple({each[0].source.id: each[0] for each in reversed(found)}.values())[::-1]
    if len({each[1] for each in ranked}) != 1:
        why = reason("status_differs" if ranked else "status_nowhere")
        return StatusFound(ValidationStatus.UNCLEAR, why, witnesses=speaking)
    witness, status, span, official = ranked[0]
    quote = span.of(witness.text).strip().rstrip(".")
    why = reason("status_said", who="The initiative's own site" if official else witness.source.domain, quote=quote)
    return StatusFound(status, why, official, witness, span, speaking)


def with_status(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """The witnesses to a claim that says that a target is validated: a passage that says so or denies it bears on the
    claim, though its judge took no side. Any other claim's witnesses stay as they are."""
    if not claims_validation(claim):
        return tuple(witnesses)
    return tuple(_speaking(company, each) for each in witnesses)


def _speaking(company: str, witness: AcademicEvidence) -> AcademicEvidence:
    found = None if witness.stance in (Stance.SUPPORTS, Stance.CONTRADICTS) else _read(company, witness)
    if found is None:
        return witness
    status, span, official = found
    denied = status is ValidationStatus.NOT_VALIDATED
    why = reason("page_denies_validation" if denied else "page_says_validated")
    found_there = {
        "stance": Stance.CONTRADICTS if denied else Stance.SUPPORTS,
        "contradiction_type": ContradictionType.DIRECT if denied else None,
        "confidence": confidence_in(official=official),
        "quote": span.of(witness.text),
        "start": span.start,
        "end": span.end,
    }
    return witness.model_copy(update={**found_there, **worded([why])})


def _read(company: str, witness: AcademicEvidence) -> tuple[ValidationStatus, Span, bool] | None:
    """What a page that counts says of the company's target, where, and whether it is the initiative's own."""
    if witness.left_out:
        return None
    official = registrable_domain(witness.source.url) in official_domains("sbti")
    for span in _about(company, witness.text, official=official):
        status = _status(span.of(witness.text), listed=official)
        if status is not None:
            return status, span, official
    return None


def _about(company: str, text: str, *, official: bool) -> Iterator[Span]:
    """The sentences and rows that name the company and the initiative; on its own site the latter need not be named."""
    for sentence in sentences(text):
        place = sentence.start
        for line in sentence.of(text).split("\n"):
            span = Span(place, place + len(line))
            place = span.end + 1
            by_itself = any(each.speaker and same_name(each.speaker, company) for each in attributions(line))
            if named_in(company, line) and (official or _INITIATIVE.search(line)) and not by_itself:
                yield span
        whole = sentence.of(text)
        named = named_in(company, whole) and (official or _INITIATIVE.search(whole))
        if "\n" in whole and len(whole) <= _ROW and named:
            yield sentence


def _status(text: str, *, listed: bool) -> ValidationStatus | None:
    """What a sentence says, or a row of the initiative's list (`listed`). That somebody is committed is known from the
    list alone: in the press it may be long past."""
    if _NOT.search(text):
        return ValidationStatus.NOT_VALIDATED
    pending = _TO_BE.search(text) is not None
    if not listed:
        return ValidationStatus.VALIDATED if not pending and _near_the_initiative(text) else None
    if not pending and (_YES.search(text) or _LISTED.search(text)):
        return ValidationStatus.VALIDATED
    return ValidationStatus.NOT_VALIDATED if pending or _PENDING.search(text) else None


def _near_the_initiative(text: str) -> bool:
    return any(
        max(named.start() - done.end(), done.start() - named.end()) <= _NEAR
        and ";" not in text[min(named.start(), done.start()) : max(named.end(), done.end())]
        for done in _YES.finditer(text)
        for named in _INITIATIVE.finditer(text)
    )

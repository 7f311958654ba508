"""What others than the company say of a validation of its target (spec 002, 7.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from inquest.claims.report.company import named_in
from inquest.desks.academic.phrases import phrase_table
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.science_targets_reading import INITIATIVE, SaidStatus, said_status
from inquest.desks.academic.terms import official_domains
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reading import Mode
from inquest.domain.reasons import Reason, worded
from inquest.text.entities import names, same_name
from inquest.text.polarity import speakers
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


_TARGET, _LISTED = (phrase_table("target_status")[name] for name in ("target", "listed"))
_TARGET_KINDS = phrase_table("target_kinds")
_DENIED = (Mode.DENIED, Mode.WITHDRAWN, Mode.RULED_FALSE)
_OF_A_PAGE = {
    SaidStatus.VALIDATED: ValidationStatus.VALIDATED,
    SaidStatus.NOT_VALIDATED: ValidationStatus.NOT_VALIDATED,
    SaidStatus.REMOVED: ValidationStatus.NOT_VALIDATED,
}
_OF_THE_LIST = {
    **_OF_A_PAGE,
    SaidStatus.SUBMITTED: ValidationStatus.NOT_VALIDATED,
    SaidStatus.COMMITTED: ValidationStatus.NOT_VALIDATED,
}
"""That somebody is committed is known from the initiative's list alone: in the press it may be long past."""
_ROW_LINES = 2
"""Lines of a list after a company's name that may belong to its row; of prose, one sentence."""


def _other_target(claim: str, row: str) -> bool:
    """True where a row names kinds of target and none of those that the claim is about: a near-term target, where it
    names none."""
    named = {kind for kind, words in _TARGET_KINDS.items() if words.search(row)}
    meant = {kind for kind, words in _TARGET_KINDS.items() if words.search(claim)} or {"near_term"}
    return bool(named) and not named & meant


def confidence_in(*, official: bool) -> float:
    """Confidence in what the initiative's own site says of a target, and in what others do."""
    return 0.85 if official else 0.6


def claims_validation(text: str) -> bool:
    """True where a claim says that its target is validated by the initiative."""
    return any(said_status(span.of(text)) is SaidStatus.VALIDATED for span in sentences(text))


def status_found(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> StatusFound:
    """What pages other than the company's say. Of the initiative's site and others the former counts; where pages of
    one rank differ, or nobody says anything, the status is unclear."""
    found = [(each, *said) for each in witnesses if (said := _read(claim, company, each)) is not None]
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
    claim, though its reading took no side. Any other claim's witnesses stay as they are."""
    if not claims_validation(claim):
        return tuple(witnesses)
    return tuple(_speaking(claim, company, each) for each in witnesses)


def _speaking(claim: str, company: str, witness: AcademicEvidence) -> AcademicEvidence:
    decided = witness.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)
    found = None if decided else _read(claim, company, witness)
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


def _read(claim: str, company: str, witness: AcademicEvidence) -> tuple[ValidationStatus, Span, bool] | None:
    """What a page that counts says of the company's target, where, and whether it is the initiative's own. Prose that a
    model has read says what that reading says; rows of the list are read as rows."""
    if witness.left_out:
        return None
    official = registrable_domain(witness.source.url) in official_domains("sbti")
    if witness.mode is not None and not official and claims_validation(claim):
        typed = Span(witness.start, witness.end)
        if witness.stance is Stance.SUPPORTS:
            return ValidationStatus.VALIDATED, typed, official
        denied = witness.stance is Stance.CONTRADICTS and witness.mode in _DENIED
        return (ValidationStatus.NOT_VALIDATED, typed, official) if denied else None
    for span, named in _about(company, witness, official=official):
        words = span.of(witness.text)
        if _other_target(claim, words):
            continue
        said = said_status(words, about_it=official or named)
        if official and said in (None, SaidStatus.ALIGNED) and _LISTED.search(words):
            said = SaidStatus.VALIDATED
        status = (_OF_THE_LIST if official else _OF_A_PAGE).get(said) if said else None
        if status is not None:
            return status, span, official
    return None


def _about(company: str, witness: AcademicEvidence, *, official: bool) -> Iterator[tuple[Span, bool]]:
    """The sentences and rows on the company's target: those that name it, what follows one of these and names nobody
    else, and every one of a page whose title names it. With each, whether the initiative was named before."""
    text = witness.text
    titled = named_in(company, witness.source.title)
    before, left, initiative = False, 0, False
    for line in _lines(text):
        words = line.of(text)
        if any(same_name(speaker, company) for speaker in speakers(words)):
            left = 0
            continue
        if named_in(company, words):
            initiative = INITIATIVE.search(words) is not None
            before = official or initiative or _TARGET.search(words) is not None
            left = _ROW_LINES if official else 1
            yield line, False
        elif ((before and left > 0) or titled) and not _names_another(company, words):
            left -= 1
            yield line, initiative
        else:
            left = 0


def _lines(text: str) -> Iterator[Span]:
    for sentence in sentences(text):
        place = sentence.start
        for line in sentence.of(text).split("\n"):
            yield Span(place, place + len(line))
            place += len(line) + 1


def _names_another(company: str, words: str) -> bool:
    """True where a sentence or row names somebody beside the company and the initiative."""
    return any(
        each.sure
        and len(each.text) > len("C.")  # a unit or an initial
        and not same_name(each.text, company)
        and not INITIATIVE.search(each.text)
        for each in names(words)
    )

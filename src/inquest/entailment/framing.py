"""The frame of a statement: stated, asked, under check, or called false or true.

The claim that a fact check quotes is not evidence; the ruling is. The word lists are in `text/framing.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from inquest.domain.finding import Mode
from inquest.entailment.parsed_text import Statement
from inquest.text.quantities import quantities
from inquest.text.sentences import Span
from inquest.text.vocabulary import is_negated, negations, speakers, wordings

_BACK = 2
"""Sentences between a restated claim and its ruling."""


class Frame(StrEnum):
    """The effect of the surrounding words on a statement."""

    STATED = "stated"
    ASKED = "asked"
    UNDER_CHECK = "under check"
    RULING = "ruling"
    """A ruling on another statement: 'False.'"""
    CALLED_FALSE = "called false"
    CALLED_TRUE = "called true"


def frames(statements: Sequence[Statement]) -> tuple[Frame, ...]:
    """Return the frame of each sentence of a passage, in order."""
    found = [_own(one) for one in statements]
    for place, frame in enumerate(found):
        if frame is Frame.RULING:
            target = _ruled_on(found, place)
            if target is not None and (ruled := _ruling(statements[place].text)):
                found[target] = ruled
    return tuple(found)


def has(kind: str, text: str) -> bool:
    """True if a text has words of a kind in `framing.toml`: hedged, planned, announced, hearsay, debunks, ..."""
    return bool(words_of(kind, text))


def words_of(kind: str, text: str) -> str:
    """Return the first words of a kind in a text, or ''."""
    found = wordings()[kind].search(text)
    return found.group() if found else ""


def ruled_content(text: str) -> str:
    """Return what a sentence rules on, such as 'It is false that ...', 'The statement that ... should not have been
    made'; '' for others."""
    rulings = (wordings()[name].search(text) for name in ("false_that", "true_that", "false_claim", "falsely"))
    return next((each["content"] for each in rulings if each and each["content"]), "")


def label_of(text: str) -> str:
    """Return the label of a fact check's claim ('Claim: ...'), or ''."""
    label = words_of("under_check", text)
    return label if label.rstrip().endswith((":", "–", "—", "-")) else ""


def rated_content(text: str) -> str:
    """Return what a sentence rules on, or the claim of a fact check without its label."""
    return ruled_content(text) or text.removeprefix(label_of(text))


def mode_of(text: str, frame: Frame) -> Mode:
    """Return the mode of a statement; `frame`: the frame given by its context."""
    found = [mode for name, mode in _TAKEN_BACK if has(name, text)]
    found += [_OF_FRAME[frame]] if frame in _OF_FRAME else [mode for name, mode in _IN_ORDER if has(name, text)]
    return next(iter(found), None) or (Mode.MEASURED if quantities(text) else Mode.FACT)


_TAKEN_BACK = (("withdrawn", Mode.WITHDRAWN), ("denying", Mode.DENIED))
_OF_FRAME = {
    Frame.ASKED: Mode.ASKED,
    Frame.UNDER_CHECK: Mode.ALLEGED,
    Frame.CALLED_FALSE: Mode.RULED_FALSE,
    Frame.CALLED_TRUE: Mode.RULED_TRUE,
}
_IN_ORDER = (
    ("accused", Mode.ALLEGED),
    ("planned", Mode.PLANNED),
    ("unrealised", Mode.EXPECTED),
    ("hedged", Mode.ALLEGED),
)


def qualifies(part: str) -> bool:
    """True if a part of a sentence limits or takes back what the rest says, or attributes it."""
    return bool(speakers(part)) or any(
        has(kind, part) for kind in ("denies", "debunks", "open", "hedged", "hearsay", "imagined", "withdrawn")
    )


def only_states(around: str) -> bool:
    """True if the context leaves a statement unchanged: no denial, doubt or condition."""
    return not negations(around) and not any(
        has(kind, around)
        for kind in ("denies", "debunks", "open", "hedged", "planned", "unrealised", "accused", "imagined")
    )


def _own(statement: Statement) -> Frame:
    """Return the frame that follows from a sentence alone."""
    text = statement.text
    if _ruling(text) is not None:
        return Frame.RULING
    if statement.asks:
        return Frame.ASKED
    cues = negations(text)
    for name in ("false_that", "false_claim", "nothing_shows", "falsely", "refutes"):
        called = wordings()[name].search(text)
        if called and not is_negated(Span(*called.span()), cues):  # 'It cannot be denied that'
            return Frame.CALLED_FALSE
    if has("true_that", text):
        return Frame.CALLED_TRUE
    return Frame.UNDER_CHECK if has("under_check", text) else Frame.STATED


def _ruling(text: str) -> Frame | None:
    """Return the ruling of a sentence that contains nothing else."""
    if wordings()["rules_false"].match(text):
        return Frame.CALLED_FALSE
    return Frame.CALLED_TRUE if wordings()["rules_true"].match(text) else None


def _ruled_on(found: Sequence[Frame], place: int) -> int | None:
    """Return the statement that a ruling is about: the nearest before it that is under check or asked, else the one
    just before it; for a ruling at the beginning, the next one under check."""
    before = range(place - 1, max(-1, place - 1 - _BACK), -1)
    for wanted in ((Frame.UNDER_CHECK, Frame.ASKED), (Frame.STATED,)):
        for other in before:
            if found[other] in wanted:
                return other
    after = range(place + 1, min(len(found), place + 1 + _BACK))
    return next((other for other in after if found[other] is Frame.UNDER_CHECK), None)

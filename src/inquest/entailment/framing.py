"""How a passage puts what it says: states it, asks it, has it under check, or calls it false or true.

What a fact-check quotes as the claim it looks into is no evidence for that claim; its ruling is. The words stand in
`framing.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from inquest.domain.reading import Mode
from inquest.entailment.parsed_text import Statement
from inquest.text.polarity import negations
from inquest.text.quantities import quantities
from inquest.text.regex import regex

_BACK = 2
"""Sentences between a claim that is restated and the ruling on it."""


class Frame(StrEnum):
    """What the words around a statement do with it."""

    STATED = "stated"
    ASKED = "asked"
    UNDER_CHECK = "under check"
    RULING = "ruling"
    """It is no statement of its own, but the ruling on another one: 'False.'"""
    CALLED_FALSE = "called false"
    CALLED_TRUE = "called true"


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    loaded = tomllib.loads(files("inquest.entailment").joinpath("framing.toml").read_text("utf-8"))
    words: dict[str, str] = loaded["words"]
    return {
        name: regex(re.sub(r"<(\w+)>", lambda match: f"(?:{words[match[1]]})", pattern), re.I | re.X | re.S)
        for name, pattern in loaded["patterns"].items()
    }


def frames(statements: Sequence[Statement]) -> tuple[Frame, ...]:
    """The frame of each sentence of a passage, in order."""
    found = [_own(one) for one in statements]
    for place, frame in enumerate(found):
        if frame is Frame.RULING:
            ruled = _ruling(statements[place].text)
            target = _ruled_on(found, place)
            if ruled is not None and target is not None:
                found[target] = ruled
    return tuple(found)


def is_hedged(text: str) -> bool:
    """It says only that something may be so, or is said to be so."""
    return bool(_patterns()["hedged"].search(text))


def is_planned(text: str) -> bool:
    """It tells of what is to be, not of what is."""
    return bool(_patterns()["planned"].search(text))


def is_unrealised(text: str) -> bool:
    """It tells of what is planned, expected, possible or did not come about, and not of what is or was."""
    return any(_patterns()[name].search(text) for name in ("planned", "unrealised"))


def mode_of(text: str, frame: Frame) -> Mode:
    """In what sense a sentence says what it says; `frame`: what the words around it do with it."""
    patterns = _patterns()
    for name, mode in (("withdrawn", Mode.WITHDRAWN), ("denying", Mode.DENIED)):
        if patterns[name].search(text):
            return mode
    if frame in _OF_FRAME:
        return _OF_FRAME[frame]
    for name, mode in _IN_ORDER:
        if patterns[name].search(text):
            return mode
    return Mode.MEASURED if quantities(text) else Mode.FACT


_OF_FRAME = {
    Frame.ASKED: Mode.ASKED,
    Frame.UNDER_CHECK: Mode.ALLEGED,
    Frame.CALLED_FALSE: Mode.RULED_FALSE,
    Frame.CALLED_TRUE: Mode.RULED_TRUE,
}
_IN_ORDER = (("planned", Mode.PLANNED), ("unrealised", Mode.EXPECTED), ("hedged", Mode.ALLEGED))


def is_announced(headline: str) -> bool:
    """It tells of what is to come as headlines do: 'Orvik to buy Norn'."""
    return bool(_patterns()["announced"].search(headline))


def is_hearsay(text: str) -> bool:
    """It passes on what somebody says, or leaves it open."""
    return bool(_patterns()["hearsay"].search(text))


def debunks(text: str) -> bool:
    """It has a word with which untruths are called so."""
    return bool(_patterns()["debunks"].search(text))


def denies(text: str) -> bool:
    """It calls something wrong itself, or takes it back."""
    return bool(_patterns()["denies"].search(text))


def only_states(around: str) -> bool:
    """What stands around a statement leaves it as it is: nothing there denies it, doubts it, or makes it hang on
    something."""
    taken_back = denies(around) or debunks(around) or bool(_patterns()["open"].search(around))
    return not (taken_back or is_hedged(around) or is_planned(around) or negations(around))


def _own(statement: Statement) -> Frame:
    """The frame that a sentence gives itself."""
    patterns = _patterns()
    text = statement.text
    if _ruling(text) is not None:
        return Frame.RULING
    if statement.asks:
        return Frame.ASKED
    for name in ("false_that", "false_claim", "nothing_shows", "falsely", "refutes"):
        if patterns[name].search(text):
            return Frame.CALLED_FALSE
    if patterns["true_that"].search(text):
        return Frame.CALLED_TRUE
    return Frame.UNDER_CHECK if patterns["under_check"].search(text) else Frame.STATED


def _ruling(text: str) -> Frame | None:
    """What a sentence rules that does nothing else."""
    if _patterns()["rules_false"].match(text):
        return Frame.CALLED_FALSE
    return Frame.CALLED_TRUE if _patterns()["rules_true"].match(text) else None


def _ruled_on(found: Sequence[Frame], place: int) -> int | None:
    """The statement that a ruling is about: the nearest before it that is under check or asked, else the one just
    before it; of a ruling at the head, the next one under check."""
    before = range(place - 1, max(-1, place - 1 - _BACK), -1)
    for wanted in ((Frame.UNDER_CHECK, Frame.ASKED), (Frame.STATED,)):
        for other in before:
            if found[other] in wanted:
                return other
    after = range(place + 1, min(len(found), place + 1 + _BACK))
    return next((other for other in after if found[other] is Frame.UNDER_CHECK), None)

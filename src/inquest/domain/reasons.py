"""Reasons as values: a code with data, put into words by one function from a catalogue beside this file.

Control flow uses the code, readers see the sentence. A code is `package.name`; its sentence is in
`wording/PACKAGE.toml` under `name`, with the names of its data in braces:

    figures_differ = "The claim has {claimed}, the passage {found}."
    side = "{names:Count independent source} {names:supports/support} it: {names}."

Numbers, plurals, agreement, articles and lists are made by `inquest.domain.languages`, which describes what may follow
the colon; sentences are assembled nowhere else.

The catalogue is here and not in `reports`, because judgements and findings carry their sentences into the case and are
made in layers below `reports`. A case keeps its reasons in English; a report in another language words the codes again,
from `wording/LANGUAGE/PACKAGE.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, TypedDict, TypeGuard

from pydantic import Field

from inquest.domain.languages import filled, language, remarked
from inquest.domain.value import Value

ReasonData = str | int | float | bool | list[str]
"""Data of a reason; lists are written as lists."""


class Reason(Value):
    """A reason for a score, stance or verdict."""

    code: str = Field(pattern=r"^[a-z_]+\.[a-z0-9_]+$")
    data: dict[str, ReasonData] = {}
    parts: dict[str, tuple[Reason, ...]] = Field(default={}, exclude_if=lambda parts: not parts)
    """Data that are themselves sentences, as reasons, so that they can be worded in another language."""

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        return in_words(self)

    @classmethod
    def of(cls, code: str, /, **data: ReasonData | Reason | list[Reason]) -> Reason:
        """Build a reason whose data may be reasons."""
        parts = {name: tuple(each) for name, each in data.items() if isinstance(each, list) and _are_reasons(each)}
        parts |= {name: (each,) for name, each in data.items() if isinstance(each, Reason)}
        said = {name: _plainly(each) for name, each in data.items()}
        return cls(code=code, data=said, parts=parts)


@dataclass(frozen=True)
class Catalogue:
    """A factory of the reasons worded in `wording/PACKAGE.toml`."""

    package: str

    def __call__(self, name: str, /, **data: ReasonData | Reason | list[Reason]) -> Reason:
        return Reason.of(f"{self.package}.{name}", **data)


OptionalReason = Annotated[Reason | None, Field(exclude_if=lambda code: code is None)]
"""The code of the field with the same name less `_code`; None: it has none, or is from an earlier version."""
Reasons = Annotated[tuple[Reason, ...], Field(exclude_if=lambda codes: not codes)]
"""The codes of the sentences of another field, as `reason_codes` of `reasons`; () if a model wrote them or an earlier
version stored them. `tuple[Reason, ...]` is the same for a field that is in the JSON even if it is empty."""


def in_words(reason: Reason) -> str:
    """The sentence of a reason, in the language of the report. Raises KeyError if the catalogue has no such code or the
    data lacks a name that the sentence uses: both are defects of the code that made the reason."""
    package, name = reason.code.split(".")
    catalogue = _catalogue(package, "" if language() == "en" else language())
    if language() == "en":
        return filled(catalogue[name], reason.data)
    lists = {name: [in_words(each) for each in parts] for name, parts in reason.parts.items()}
    said = {name: each if isinstance(reason.data[name], list) else " ".join(each) for name, each in lists.items()}
    return filled(catalogue[name], {name: _in_its_marks(each) for name, each in reason.data.items()} | said)


def is_worded(reason: Reason) -> bool:
    """Return False for a reason of an earlier version whose sentence is no longer in the catalogue, or needs other
    data."""
    try:
        in_words(reason)
    except KeyError:
        return False
    return True


class Worded(TypedDict):
    """The two fields shared by every value with reasons."""

    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...]


def worded(reasons: Iterable[Reason]) -> Worded:
    """Reasons as the fields of a value: their sentences, and the same as codes and data."""
    codes = tuple(reasons)
    return {"reasons": sentences(codes), "reason_codes": codes}


class Noted(TypedDict):
    """The two fields shared by every value with notes."""

    notes: tuple[str, ...]
    note_codes: tuple[Reason, ...]


def noted(notes: Iterable[Reason | str | None]) -> Noted:
    """Notes as the fields of a value, each once; words of others, and those without a code, are kept as written."""
    codes = {plain(note): as_written(note) if isinstance(note, str) else note for note in notes if note}
    return {"notes": tuple(codes), "note_codes": tuple(codes.values())}


def coded(notes: Sequence[str], codes: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """The codes of notes; those of an earlier version have none, or codes that are no longer in a catalogue."""
    return codes if codes and all(map(is_worded, codes)) else tuple(map(as_written, notes))


def as_written(text: str) -> Reason:
    """Words that are the same in every language of the report."""
    return Reason(code="general.as_written", data={"text": text})


def sentence(what: Reason) -> Reason:
    """A part of a sentence as a sentence of its own."""
    return Reason.of("general.sentence", what=what)


def with_advice(what: Reason | str, advice: Reason | str) -> Reason:
    """A sentence, followed by another if there is one."""
    if not advice:
        return as_written(what) if isinstance(what, str) else what
    return Reason.of("general.with_advice", what=what, advice=advice)


def plain(what: Reason | str) -> str:
    """The words of a reason, or words without a code."""
    return what if isinstance(what, str) else in_words(what)


def sentences(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """The sentences of several reasons, in order."""
    return tuple(in_words(reason) for reason in reasons)


def once(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The reasons, each sentence once."""
    return tuple({in_words(reason): reason for reason in reasons}.values())


def _are_reasons(each: list[str] | list[Reason]) -> TypeGuard[list[Reason]]:
    return bool(each) and all(isinstance(part, Reason) for part in each)


def _in_its_marks(each: ReasonData) -> ReasonData:
    """Data stored with English quotation marks, with those of the language instead; marks inside a quote stay."""
    if isinstance(each, list):
        return [remarked(part) for part in each]
    return remarked(each) if isinstance(each, str) else each


def _plainly(each: ReasonData | Reason | list[Reason]) -> ReasonData:
    if isinstance(each, list) and _are_reasons(each):
        return list(sentences(each))
    return in_words(each) if isinstance(each, Reason) else each  # type: ignore[return-value]


@lru_cache
def _catalogue(package: str, code: str) -> dict[str, str]:
    path = files("inquest.domain").joinpath("wording", code, f"{package}.toml")
    if not path.is_file():
        raise KeyError(f"no wording for the reasons of {package}")
    return {name: str(sentence) for name, sentence in tomllib.loads(path.read_text("utf-8")).items()}

"""Reasons as values: a code with data, put into English by one function from a catalogue beside this file.

Control flow asks for the code, readers are given the sentence. A code is `package.name`; the sentence of it is in
`wording/PACKAGE.toml` under `name`, with the names of its data in braces:

    figures_differ = "The claim has {claimed}, the passage {found}."
    side = "{names:Count independent source} {names:supports/support} it: {names}."

Numbers, plurals, agreement, articles and lists are made by `inquest.domain.english`, which says what may stand after
the colon; no sentence is put together anywhere else.

The catalogue lies here, and not in `reports`, because judgements and findings carry their sentences into the case, and
they are made in layers below `reports`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TypedDict

from pydantic import Field

from inquest.domain.english import filled
from inquest.domain.value import Value

ReasonData = str | int | float | bool | list[str]
"""What a reason may carry; lists are written as lists."""


class Reason(Value):
    """Why a score, a stance or a verdict is what it is."""

    code: str = Field(pattern=r"^[a-z_]+\.[a-z0-9_]+$")
    data: dict[str, ReasonData] = {}


def in_words(reason: Reason) -> str:
    """The English sentence of a reason. Raises KeyError where the catalogue has no such code, or the data lacks a name
    that the sentence uses: both are errors of the code that made the reason."""
    package, name = reason.code.split(".")
    return filled(_catalogue(package)[name], reason.data)


class Worded(TypedDict):
    """The two fields that everything with reasons has."""

    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...]


def worded(reasons: Iterable[Reason]) -> Worded:
    """Reasons as the fields of a value: their sentences, and the same as codes and data."""
    codes = tuple(reasons)
    return {"reasons": sentences(codes), "reason_codes": codes}


def sentences(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """The sentences of several reasons, in order."""
    return tuple(in_words(reason) for reason in reasons)


@lru_cache
def _catalogue(package: str) -> dict[str, str]:
    path = files("inquest.domain").joinpath("wording").joinpath(f"{package}.toml")
    if not path.is_file():
        raise KeyError(f"no wording for the reasons of {package}")
    return {name: str(sentence) for name, sentence in tomllib.loads(path.read_text("utf-8")).items()}

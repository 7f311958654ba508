"""What a model answered, made into typed values or refused: the one place where a model's words are parsed."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from inquest.text.regex import regex

T = TypeVar("T", bound="AnswerPart")

_THINKING = regex(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_NEXT = regex(r"\s*,\s*")
_LONGEST = 400_000
_TRIES = 40
"""Opening braces that are tried: prose may hold a few, an attack thousands."""


class Unusable(ValueError):
    """An answer, or a part of it, that cannot be used. `str(error)` completes 'The answer could not be used: ...'."""


def _chance(value: Any) -> Any:
    """0.8, '0.8', '80 %' and 80 are one and the same; 1 is certainty."""
    if isinstance(value, str):
        value = value.strip().removesuffix("%").strip()
        try:
            value = float(value)
        except ValueError:
            return value
    if isinstance(value, int | float) and not isinstance(value, bool) and 1 < value <= 100:
        return value / 100
    return value


def _line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


Chance = Annotated[float, BeforeValidator(_chance), Field(ge=0, le=1, allow_inf_nan=False)]
Line = Annotated[str, BeforeValidator(_line)]


class AnswerPart(BaseModel):
    """The base of every part of an answer. What was not asked for is left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


def object_in(text: str, key: str) -> dict[str, Any]:
    """The JSON object of an answer: bare, in a code fence, after thinking aloud, or within prose. `key`: the field it
    must have; a bare list is taken for that field. Raises Unusable."""
    text = _THINKING.sub("", text[:_LONGEST]).strip()
    if not text:
        raise Unusable("it was empty")
    decoder = json.JSONDecoder(strict=False)
    broken = False
    starts = [match.start() for match in re.finditer(r"[{\[]", text)][:_TRIES]
    done = 0
    for start in starts:
        if start < done:
            continue
        try:
            found, done = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            broken = True
            continue
        if isinstance(found, dict) and key in found:
            return found
        if isinstance(found, list) and found and all(isinstance(item, dict) for item in found):
            return {key: found}
        # An object without the key may hold it: {"result": {...}}.
        if isinstance(found, dict):
            inner = [value for value in found.values() if isinstance(value, dict) and key in value]
            if len(inner) == 1:
                return inner[0]
    if broken and text.lstrip("`json \n").startswith(("{", "[")):
        raise Unusable("its JSON was broken off or malformed")
    raise Unusable(f"it held no JSON object with the field '{key}'")


def begun_list(text: str, key: str) -> list[Any]:
    """The whole items at the beginning of the list `key` of an answer that was broken off; [] where there are none."""
    text = _THINKING.sub("", text[:_LONGEST])
    begin = re.search(rf'"{re.escape(key)}"\s*:\s*\[\s*', text)
    found: list[Any] = []
    place = begin.end() if begin else len(text)
    decoder = json.JSONDecoder(strict=False)
    while place < len(text):
        try:
            item, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        found.append(item)
        separator = _NEXT.match(text, place)
        if separator is None:
            break
        place = separator.end()
    return found


def items(values: object, kind: type[T]) -> tuple[list[T], int]:
    """The items of a list that are of their form, and how many are not. Raises Unusable where it is no list."""
    if not isinstance(values, list):
        raise Unusable("a list was expected")
    good: list[T] = []
    bad = 0
    for value in values:
        try:
            good.append(kind.model_validate(value))
        except ValidationError:
            bad += 1
    return good, bad

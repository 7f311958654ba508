"""Parse model replies into typed values or reject them; no other module parses replies.

Each kind of call declares its answer once, as an `AnswerPart`: `parse` reads a reply into it, and `schema_of` derives
the JSON schema for services that accept one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
)
from pydantic_core import from_json

from inquest.text.regex import regex

T = TypeVar("T")
Part = TypeVar("Part", bound="AnswerPart")

_THINKING = regex(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_STRING = regex(r'"(?:[^"\\]|\\.)*"|(?<=[\[{,:])\s*\'(?:[^\'\\]|\\.|\'(?=\w))*\'(?=\s*[\]},:])', re.DOTALL)
_COMMA = regex(r",(?=\s*[\]}])")
_LONGEST = 400_000
_TRIES = 40
"""Opening braces tried: prose may contain a few, an attack may contain thousands."""
_MOST_ITEMS, _MOST_LINES = 64, 24
"""Limits in a schema for lists of objects and of lines: no call needs more (three queries for each of 20 claims, 48
assessments)."""
_MOST_CHARACTERS = 600
"""Limit for strings in a schema. llama.cpp rejects schemas with more than 2,000."""


class Unusable(ValueError):
    """An unusable answer or part of one. `str(error)` completes 'The answer could not be used: ...'."""


def _chance(value: Any) -> Any:
    """Treat 0.8, '0.8', '80 %' and 80 as the same; 1 is certainty."""
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


def _name(value: Any) -> Any:
    return "_".join(value.lower().replace("-", " ").split()) if isinstance(value, str) else value


def _list(value: Any) -> Any:
    return [value] if isinstance(value, str | dict) else value


def _none_if_malformed(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return None


Chance = Annotated[float, BeforeValidator(_chance), Field(ge=0, le=1, allow_inf_nan=False)]
Line = Annotated[str, BeforeValidator(_line)]
Named = Annotated[T, BeforeValidator(_name)]
"""A member of an enumeration in any case, with spaces or hyphens for underscores."""
Listed = Annotated[list[Annotated[T | None, WrapValidator(_none_if_malformed)]], BeforeValidator(_list)]
"""A list with None for each malformed item; a single item becomes a list."""


Lines = Annotated[list[Line], BeforeValidator(_list)]
"""A list like `Listed`, but malformed lines are errors."""


def choices(*values: str) -> Any:
    """List a field's values in the schema only; the parser also accepts close variants."""
    return Field(json_schema_extra={"type": "string", "enum": [str(value) for value in values]})


class AnswerPart(BaseModel):
    """Base of every part of an answer. Unknown fields are ignored, and malformed optional fields get their default."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True, coerce_numbers_to_str=True)

    @field_validator("*", mode="wrap")
    @classmethod
    def _default_if_malformed(cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        try:
            return handler(value)
        except ValidationError:
            field = cls.model_fields[str(info.field_name)]
            if field.is_required():
                raise
            return field.get_default(call_default_factory=True)


def parse(text: str, kind: type[Part]) -> Part:
    """Return the answer in a reply. Raises Unusable without one, or if a required field is missing or
    malformed."""
    needed = [name for name, field in kind.model_fields.items() if field.is_required()]
    try:
        return kind.model_validate(object_in(text, needed[-1]))
    except ValidationError as error:
        wrong = dict.fromkeys(str(each["loc"][0]) for each in error.errors() if each["loc"])
        raise Unusable(f"the field {' and '.join(wrong)} was missing or of another form") from error


def object_in(text: str, key: str) -> dict[str, Any]:
    """Return the JSON object of an answer: bare, in a code fence, after reasoning, or within prose; also with extra
    commas, in single quotes, or truncated (complete parts are kept). `key`: its required field; a bare list is taken as
    its value. Raises Unusable."""
    text = _THINKING.sub("", text[:_LONGEST]).strip()
    if not text:
        raise Unusable("it was empty")
    broken = -1
    done = 0
    spare: dict[str, Any] | None = None
    for start in [match.start() for match in re.finditer(r"[{\[]", text)][:_TRIES]:
        if start < done:
            continue
        try:
            found, done = json.JSONDecoder(strict=False).raw_decode(text, start)
        except (ValueError, RecursionError):
            broken = start if broken < 0 else broken
            continue
        answer = _with_key(found, key)
        if answer is not None and isinstance(found, list) and broken >= 0:
            # This may be the answer after a brace in prose, or a list inside a malformed answer.
            spare = spare or answer
        elif answer is not None:
            return answer
    mended = _with_key(_repaired(text[broken:]), key) if broken >= 0 else None
    if mended is not None or spare is not None:
        return mended or spare or {}
    if broken >= 0 and text.lstrip("`json \n").startswith(("{", "[")):
        raise Unusable("its JSON was broken off or malformed")
    raise Unusable(f"it held no JSON object with the field '{key}'")


def _with_key(found: object, key: str) -> dict[str, Any] | None:
    """Return the object with the field, also from inside another one ({"result": {...}}), or None."""
    if isinstance(found, list):
        return {key: found} if found and all(isinstance(item, dict) for item in found) else None
    if not isinstance(found, dict) or key in found:
        return found if isinstance(found, dict) else None
    inner = [value for value in found.values() if isinstance(value, dict) and key in value]
    return inner[0] if len(inner) == 1 else None


def _repaired(text: str) -> object:
    """Parse malformed JSON as far as possible. A truncated string is dropped, because half a quote may say something
    else."""
    pieces: list[str] = []
    end = 0
    for string in _STRING.finditer(text):
        pieces += [_COMMA.sub("", text[end : string.start()]), _double_quoted(string[0].strip())]
        end = string.end()
    pieces.append(_COMMA.sub("", text[end:]))
    try:
        # The decoder finds the end of a complete object; pydantic reads a truncated one.
        return json.JSONDecoder(strict=False).raw_decode("".join(pieces))[0]
    except (ValueError, RecursionError):
        pass
    try:
        return from_json("".join(pieces), allow_partial=True)
    except ValueError:
        return None


def _double_quoted(string: str) -> str:
    if string.startswith("'"):
        return json.dumps(string[1:-1].replace("\\'", "'"))
    return string.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "")


def kept(values: Sequence[T | None]) -> tuple[list[T], int]:
    """Return the well-formed items and the number of the others."""
    good = [value for value in values if value is not None]
    return good, len(values) - len(good)


@cache
def schema_of(kind: type[AnswerPart]) -> dict[str, Any]:
    """Return the JSON schema of an answer with names, types and choices only, since the instructions describe the rest.
    Lists and strings have maximum lengths, without which a small model may continue one until it is cut off."""
    whole = kind.model_json_schema()
    definitions = whole.get("$defs", {})

    def small(node: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in node:
            return small(definitions[node["$ref"].rpartition("/")[2]])
        if "anyOf" in node:  # an optional value may be left out instead of null
            return small(next(each for each in node["anyOf"] if each.get("type") != "null"))
        made: dict[str, Any] = {name: node[name] for name in ("type", "enum", "required") if name in node}
        if "properties" in node:
            made["properties"] = {name: small(each) for name, each in node["properties"].items()}
            made["additionalProperties"] = False
        if "items" in node:
            made["items"] = small(node["items"])
            made["maxItems"] = _MOST_ITEMS if "properties" in made["items"] else _MOST_LINES
        if made.get("type") == "string" and "enum" not in made:
            made["maxLength"] = _MOST_CHARACTERS
        return made

    return small(whole)

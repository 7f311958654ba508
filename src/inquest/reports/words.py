"""Labels and sentences of reports, in the report's language: the tables of `words.toml` and `words.LANGUAGE.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from inquest.domain.languages import filled, language
from inquest.domain.reasons import Reason, in_words, is_worded, sentences
from inquest.domain.value import Value
from inquest.text.lexicon import facts
from inquest.text.phrases import stated

V = TypeVar("V", bound=Value)


@dataclass(frozen=True)
class Words(Mapping[str, str]):
    """A table of words; English fills in for keys that the language lacks."""

    section: str

    def __getitem__(self, key: str) -> str:
        own = {} if language() == "en" else facts(__name__, self.section, f"words.{language()}")
        return own.get(key) or self._english[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._english)

    def __len__(self) -> int:
        return len(self._english)

    @property
    def _english(self) -> dict[str, str]:
        return facts(__name__, self.section, "words")


_FRAME = Words("frame")


def say(key: str, /, **data: Any) -> str:
    """Return a sentence of the table `frame`, filled with data. Raises KeyError."""
    return filled(_FRAME[key], data)


_CODES = {
    "reason_codes": ("reasons", "text", "reason"),
    "note_codes": ("notes",),
    "offer_codes": ("offers",),
    "meaning_codes": ("meanings",),
    "price_codes": ("prices",),
    "breaking_codes": ("breaking_note",),
    "confidence_codes": ("confidence_reasons",),
    "conflict_codes": ("conflict",),
    "recommendation_codes": ("recommendation",),
    "summary_codes": ("summary",),
    "change_codes": ("would_change",),
    "review_codes": ("review_reason",),
    "story_codes": ("story_notes",),
    "departure_codes": ("departures",),
    "question_codes": ("questions",),
}
"""Fields of codes, and the field that has them in words; `NAME_code` is the code of the field `NAME`."""


def reworded(value: V) -> V:
    """Return the value with its coded reasons, also nested ones, in the language of the report; sentences from an
    earlier version with other codes stay as written."""
    found = {name: getattr(value, name) for name in type(value).model_fields}
    changed = {name: new for name, old in found.items() if (new := _each(old)) is not old}
    found |= changed
    for name in found.keys() & _CODES.keys():
        if not all(map(is_worded, found[name])):
            continue
        said = next(each for each in _CODES[name] if each in found)
        if found[name] and isinstance(found[said], str):
            changed[said] = stated(found[name])
        elif found[name] and len(found[name]) == len(found[said]):
            changed[said] = sentences(found[name])
    changed |= {
        name.removesuffix("_code"): in_words(code)
        for name, code in found.items()
        if name.endswith("_code") and isinstance(code, Reason) and is_worded(code)
    }
    if codes := found.get("detail_codes"):
        changed["details"] = found["details"] | {
            name: list(sentences(each)) if isinstance(found["details"].get(name), list) else stated(each)
            for name, each in codes.items()
            if all(map(is_worded, each))
        }
    return value.model_copy(update=changed) if changed else value


def _each(value: Any) -> Any:
    if isinstance(value, Value):
        return reworded(value)
    if not (isinstance(value, tuple) and any(isinstance(each, Value) for each in value)):
        return value
    new = tuple(map(_each, value))
    return value if all(one is other for one, other in zip(new, value, strict=True)) else new

"""Labels and sentences of reports, in the report's language: the tables of `words.toml` and `words.LANGUAGE.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from string import Formatter
from typing import Any, TypeVar

from inquest.domain.languages import capitalised, day, filled, language, numeral, remarked
from inquest.domain.reasons import Reason, in_words, sentences
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
}
"""Fields of codes, and the field that has them in words."""


_SENTENCES = Words("sentences")
_SAID = {
    "Case": ("departures",),
    "DateEvidence": ("where",),
    "Disclosure": ("reason",),
    "CheckRecord": ("notes", "stopped"),
    "InfoRequest": ("description",),
    "InfoResponse": ("summary",),
    "OutageNote": ("why",),
    "Plan": ("questions",),
    "Reinvestigation": ("evidence_gap", "required_evidence"),
    "Source": ("excluded", "notes"),
    "Statement": ("text",),
    "VerdictChange": ("why",),
}
"""By type: fields with sentences of the program that are kept in English without a code."""


_SENTENCE = re.compile(r"((?:“[^”]*”|[^“])+?(?:(?<=[.:?])(?= [A-Z“])|$))\s*")
_NUMERALS = "no one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = "|".join((r"\d[\d,]*", *_NUMERALS))


def translated(text: str) -> str:
    """Return a sentence of the table `sentences`, as made in English, in the language of the report; others as they
    are."""
    if language() == "en":
        return text
    bare = text.rstrip(".:")
    for key, pattern, forms in _patterns():
        if match := pattern.fullmatch(bare):
            data = {name: _datum(said, forms[name]) for name, said in match.groupdict().items()}
            found = filled(_SENTENCES[key], data) + text[len(bare) :]
            return capitalised(found) if text[0].isupper() else found
    apart = _SENTENCE.findall(text)
    return " ".join(map(translated, apart)) if len(apart) > 1 else remarked(text)


@lru_cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], dict[str, str]], ...]:
    """The English sentences as patterns, those with most words of their own first, with the forms of their data."""
    found = []
    for key, template in facts(__name__, "sentences", "words").items():
        own, forms, pattern = 0, {}, ""
        for text, name, form, _ in Formatter().parse(template):
            own += len(text)
            pattern += re.escape(text).replace(r"\(s\)", "s?")
            if name:
                forms[name] = form or ""
                pattern += f"(?P<{name}>{_NUMBER if form == 'number' else '.+?'})"
        found.append((own, key, re.compile(pattern, re.S | re.I), forms))
    return tuple(each[1:] for each in sorted(found, key=lambda each: -each[0]))


def _datum(said: str, form: str) -> Any:
    """The data of a sentence: a list, a number, a date, or words that may be a sentence of the table themselves."""
    if form == "list":
        return [translated(each) for each in re.split(r", | and ", said)]
    number = _NUMERALS.index(said.lower()) if said.lower() in _NUMERALS else None
    if form == "number":
        return int(said.replace(",", "")) if number is None else number
    if re.fullmatch(r"\d{1,2} [A-Z][a-z]+ \d{4}", said):
        return day(datetime.strptime(f"{said} +0000", "%d %B %Y %z"))
    return translated(said) if number is None else numeral(number)


def reworded(value: V) -> V:
    """Return the value with its coded reasons, also nested ones, in the language of the report."""
    found = {name: getattr(value, name) for name in type(value).model_fields}
    changed = {name: new for name, old in found.items() if (new := _each(old)) is not old}
    if not found.get("reason_codes"):
        changed |= {name: _translated(found[name]) for name in _SAID.get(type(value).__name__, ())}
    changed |= {
        name.removesuffix("_code"): in_words(code)
        for name, code in found.items()
        if name.endswith("_code") and isinstance(code, Reason)
    }
    if isinstance(value, Reason):
        changed["data"] = value.data | {
            name: _datum(said, "") for name in ("date", "why") if isinstance(said := value.data.get(name), str)
        }
    found |= changed
    for name in found.keys() & _CODES.keys():
        said = next(each for each in _CODES[name] if each in found)
        if found[name] and isinstance(found[said], str):
            changed[said] = stated(found[name])
        elif found[name] and len(found[name]) == len(found[said]):
            changed[said] = sentences(found[name])
    if codes := found.get("detail_codes"):
        changed["details"] = found["details"] | {
            name: list(sentences(each)) if isinstance(found["details"].get(name), list) else stated(each)
            for name, each in codes.items()
        }
    return value.model_copy(update=changed) if changed else value


def _translated(value: Any) -> Any:
    return translated(value) if isinstance(value, str) else value and tuple(map(translated, value))


def _each(value: Any) -> Any:
    if isinstance(value, Value):
        return reworded(value)
    if not (isinstance(value, tuple) and any(isinstance(each, Value) for each in value)):
        return value
    new = tuple(map(_each, value))
    return value if all(one is other for one, other in zip(new, value, strict=True)) else new

"""The language of reports and reasons, and grammar by mechanism: numbers, plurals, agreement, articles and lists.

The language is a context variable, because every sentence of a report depends on it and no other code does; only
`speaking` sets it. Plurals and articles are English; a catalogue of another language writes its forms out.
`docs/style.md` has the rules that these functions implement.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from string import Formatter
from typing import Any, Literal, get_args

from inquest.domain.value import Precision

Language = Literal["en", "de", "fr", "es"]
"""ISO 639-1 codes of the languages that have a catalogue."""
LANGUAGES: tuple[Language, ...] = get_args(Language)

_current: ContextVar[Language] = ContextVar("language of the report", default="en")

_HISSING = re.compile(r"(?:s|x|z|ch|sh)$")
_ENDS_IN_Y = re.compile(r"(?<=[^aeiou])y$")
_FIRST_WORD = re.compile(r"[\w.]+")
_CHOICE = re.compile(r"[^/]+/[^/]+")


def language() -> Language:
    """The current language of sentences."""
    return _current.get()


@contextmanager
def speaking(code: Language) -> Iterator[None]:
    """Set the language of reports and reasons within the block."""
    token = _current.set(code)
    try:
        yield
    finally:
        _current.reset(token)


def word(name: str) -> str:
    """A word of `languages.toml` in the current language."""
    text: str = _words()[language()][name]
    return text


@lru_cache
def _words() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("inquest.domain").joinpath("languages.toml").read_text("utf-8"))


def in_quotation_marks(text: str) -> str:
    """The text in the double quotation marks of the language."""
    left, right = word("quotation_marks").split(" ")
    return f"{left}{text}{right}"


def remarked(text: str) -> str:
    """The text with the English marks of its outermost quotes replaced by those of the language."""
    if "“" not in text or language() == "en":
        return text
    said, depth = [], 0
    left, right = word("quotation_marks").split(" ")
    for char in text:
        depth += (char == "“") - (char == "”")
        outermost = depth == (char == "“")
        said.append({"“": left, "”": right}.get(char, char) if outermost else char)
    return "".join(said)


def figure(number: float, form: str = "g") -> str:
    """A number in this format, with the decimal separator of the language."""
    text = f"{number:{form}}"
    if language() == "en" or "e" in text:
        return text
    from babel.numbers import format_decimal

    places = "0" * len(text.partition(".")[2])
    return str(format_decimal(float(text.replace(",", "")), f"#,##0.{places}".rstrip("."), locale=language()))


def numeral(number: int) -> str:
    """A number up to 12 in words, as newspapers write it; above that, digits with separators."""
    words = word("numerals").split()
    return words[number] if 0 <= number < len(words) else whole(number)


def whole(number: int) -> str:
    """Digits with the separators of the language."""
    if language() == "en":
        return f"{number:,}"
    from babel.numbers import format_decimal

    return str(format_decimal(number, locale=language()))


def share(number: float) -> str:
    """'84%', '84 %'."""
    if language() == "en":
        return f"{number:.0%}"
    from babel.numbers import format_percent

    return str(format_percent(number, locale=language()))


def day(at: datetime, precision: Precision = Precision.DAY) -> str:
    """Format a date to its precision: '14 March 2024', 'March 2024', '2024'."""
    if language() != "en" and precision is not Precision.YEAR:
        from babel.dates import format_date, format_skeleton

        if precision is Precision.MONTH:
            return str(format_skeleton("yMMMM", at, locale=language()))
        return str(format_date(at, "long", locale=language()))
    match precision:
        case Precision.YEAR:
            return f"{at.year}"
        case Precision.MONTH:
            return f"{at:%B} {at.year}"
        case _:
            return f"{at.day} {at:%B} {at.year}"


def day_of(iso: str) -> str:
    """The day, month or year of an ISO 8601 date or time, in words."""
    precision = (Precision.YEAR, Precision.MONTH, Precision.DAY)[min(iso[:10].count("-"), 2)]
    return day(datetime.fromisoformat(iso[:10] if len(iso) >= 10 else f"{iso}-01-01"[:10]), precision)


def plural_of(noun: str) -> str:
    """The regular plural: 'sources', 'copies', 'searches'."""
    if _ENDS_IN_Y.search(noun):
        return noun[:-1] + "ies"
    return noun + ("es" if _HISSING.search(noun) else "s")


def count(number: int, noun: str, plural: str | None = None) -> str:
    """'no sources', 'one source', 'three sources'; `plural`: an irregular plural."""
    return f"{numeral(number)} {noun if number == 1 else plural or plural_of(noun)}"


def agreeing(number: int, one: str, many: str) -> str:
    """The form of a verb or pronoun that agrees with the number."""
    return one if number == 1 else many


def listed(items: Sequence[str], joint: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'; `joint`: 'and' or 'or', written in the language of the report."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word(joint)} {items[-1]}"


def capitalised(text: str) -> str:
    """The text with a capital first letter and otherwise unchanged."""
    return text[:1].upper() + text[1:]


def with_article(words: str) -> str:
    """'a claim', 'an energy attribute certificate', 'an SBTi target', 'a unit', 'an 8-K'."""
    return f"{'an' if _begins_with_a_vowel(words) else 'a'} {words}"


def _begins_with_a_vowel(words: str) -> bool:
    """True for a vowel sound, whatever the letter: for an initialism that of its first letter's name, for digits that
    of the number in words."""
    found = _FIRST_WORD.search(words)
    if found is None:
        return False
    first, sounds = found.group(), _words()["english"]
    if first[0].isdigit():
        digits = re.match(r"\d+", first)
        assert digits is not None
        return first[0] == "8" or (digits.group()[:2] in ("11", "18") and len(digits.group()) % 3 == 2)
    if len(first) > 1 and first[:2].isupper() and first not in sounds["spoken_as_words"]:
        return first[0] in "AEFHILMNORSX"
    low = first.lower()
    if low.startswith(tuple(sounds["vowel_sound"])):
        return True
    return low[0] in "aeiou" and not low.startswith(tuple(sounds["consonant_sound"]))


def filled(template: str, data: dict[str, Any]) -> str:
    """The template with its data in the braces; raises KeyError if the data lacks a name.

    `{names}` of a list is 'a, b and c'; `{number:count source}` 'three sources' (`count copy/copies` for an irregular
    plural); `{number:is/are}` agrees with a number or with the length of a list; `{thing:a}` has its article;
    `{names:or}` joins with 'or'; `{number:None} of them` is 'Neither of them' of two; `{share:percent}` is '84%';
    `{date:day}` writes an ISO 8601 date, `{date:weekday}` also its weekday; `{parts:apart}` puts semicolons between. A
    form with a capital (`Count`, `A`, `Cap`) begins a sentence. Data is never read as a template.

    For languages that spell out their forms: `#` in `{number:eine Quelle/# Quellen}` is the number in words, and
    `{verb:pick supports=stützt,contradicts=widerspricht}` replaces a value by other words.
    """
    return _Filler().vformat(template, (), data)


class _Filler(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        form, _, rest = format_spec.partition(" ")
        if form.lower() not in ("count", "pick") and _CHOICE.fullmatch(format_spec):
            one, many = format_spec.split("/")
            chosen = agreeing(number := _number(value), one, many).replace("#", numeral(number))
            return capitalised(chosen) if one[:1].isupper() else chosen
        said = _FORMS.get(form.lower(), _plain)(value, rest)
        if form and form.lower() not in _FORMS:
            raise ValueError(f"no form '{format_spec}'")
        return capitalised(said) if form[:1].isupper() else said


def _plain(value: Any, _: str = "") -> str:
    if isinstance(value, list | tuple):
        return listed([str(each) for each in value])
    return figure(value) if isinstance(value, float) else str(value)


def _count(value: Any, noun: str) -> str:
    one, _, many = noun.partition("/")
    return count(_number(value), one, many or None)


def _pick(value: Any, choices: str) -> str:
    """The replacement for a value; without one, the value."""
    said = _plain(value)
    return dict(each.split("=", 1) for each in choices.split(",")).get(said, said)


def _number(value: Any) -> int:
    """A number, or the length of a list; a name counts as one."""
    if isinstance(value, list | tuple):
        return len(value)
    return 1 if isinstance(value, str) else int(value)


def _weekday(value: Any, _: str) -> str:
    at = datetime.fromisoformat(value)
    if language() == "en":
        return f"{at:%A}, {day(at)}"
    from babel.dates import format_date

    return str(format_date(at, "full", locale=language()))


_FORMS: dict[str, Callable[[Any, str], str]] = {
    "": _plain,
    "cap": _plain,
    "count": _count,
    "numeral": lambda value, _: numeral(_number(value)),
    "none": lambda value, _: "neither" if _number(value) == 2 else "none",
    "a": lambda value, _: with_article(_plain(value)),
    "or": lambda value, _: listed([str(each) for each in value], "or"),
    "percent": lambda value, _: share(value),
    "pick": _pick,
    "day": lambda value, _: day_of(value),
    "weekday": _weekday,
    "apart": lambda value, _: "; ".join(value),
}

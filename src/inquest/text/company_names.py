"""Names and numbers of companies, for joining registers: names in any spelling, LEI and ISIN with check digits.

Names are equal once legal forms, case, accents and '&' are normalised (ISO 20275 lists the forms; `words.toml` has the
common ones). Legal forms of different kinds mean different companies: 'Atlas AB' is not 'Atlas GmbH'.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from inquest.text.lexicon import entries, word_set
from inquest.text.regex import regex

_ABBREVIATED = regex(r"(?<![^\W_])((?:[^\W\d_][./]){1,4}[^\W\d_])(?![^\W_])\.?")
_NOT_A_WORD = regex(r"[\W_]+")
_SPELLED = regex(r"(?<!\S)([^\W\d_]) (?=[^\W\d_](?!\S))")
"""The space between single letters: 'S A', 'S à r l'."""
_LETTERS = str.maketrans(
    dict.fromkeys("'’‘`´", "")
    | {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss"}
)
_LEI = regex(r"[0-9A-Z]{18}[0-9]{2}")
_ISIN = regex(r"[A-Z]{2}[0-9A-Z]{9}[0-9]")


def _forms(section: str) -> dict[tuple[str, ...], str]:
    listed = entries(__name__, section)
    return {tuple(form.split()): kind for kind, names in listed.items() for form in names.split("|") if form.strip()}


LEGAL_WORDS = word_set(__name__, "legal_words")
"""Common legal forms as single folded words, for names in running text."""
_BEHIND, _BEFORE = _forms("legal_forms"), _forms("legal_forms_before")
_LONGEST = dict(
    sorted([(each[-1], len(each)) for each in _BEHIND] + [(each[0], len(each)) for each in _BEFORE], key=itemgetter(1))
)
"""Words of the longest legal form that ends with a word, or begins with it."""


def without_legal_form(name: str) -> str:
    """Return a name as the press writes it: 'Norvane Chemicals plc' -> 'Norvane Chemicals'."""
    words = name.split()
    while len(words) > 1 and re.sub(r"[.,/]", "", words[-1].casefold()) in LEGAL_WORDS:
        words.pop()
        if len(words) > 1 and words[-1] in ("&", "and"):
            words.pop()
    return " ".join(words).rstrip(" ,")


class CompanyName(NamedTuple):
    """A company's name in a form for comparison."""

    core: str
    """The folded name without its legal form; '' if nothing is left."""
    forms: frozenset[str] = frozenset()
    """The kinds of its legal forms, if any."""

    def is_of(self, other: CompanyName) -> bool:
        """True if two spellings are one name: the same core, and legal forms that do not contradict each other."""
        compatible = self.forms == other.forms or not (self.forms and other.forms)
        return bool(self.core) and self.core == other.core and compatible


@lru_cache(maxsize=2**16)
def company_name(written: str) -> CompanyName:
    """Normalise a company's name."""
    words = _words(written)
    forms: set[str] = set()
    while words and (found := _form_of(words, _BEHIND, behind=True) or _form_of(words, _BEFORE, behind=False)):
        kind, words = found
        forms.add(kind)
        while len(words) > 1 and words[-1] in ("and", "und", "et", "y", "e"):
            words = words[:-1]
    return CompanyName(" ".join(words), frozenset(forms - {"any"}))


def _form_of(words: list[str], forms: dict[tuple[str, ...], str], *, behind: bool) -> tuple[str, list[str]] | None:
    for length in range(min(_LONGEST.get(words[-behind], 0), len(words) - 1), 0, -1):
        part = tuple(words[-length:] if behind else words[:length])
        if part in forms:
            return forms[part], words[:-length] if behind else words[length:]
    return None


def _words(written: str) -> list[str]:
    text = written.casefold().translate(_LETTERS)
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in decomposed if not unicodedata.combining(char))
    text = text.replace("&", " and ").replace("+", " and ")
    text = _ABBREVIATED.sub(lambda found: found[1].replace(".", "").replace("/", "") + " ", text)
    words = _SPELLED.sub(r"\1", _NOT_A_WORD.sub(" ", text)).split()
    return words[1:] if len(words) > 1 and words[0] == "the" else words


def lei_of(written: str) -> str:
    """Return a text that is a Legal Entity Identifier with valid check digits (ISO 17442) in capitals, else ''."""
    code = written.strip().upper()
    return code if _LEI.fullmatch(code) and int("".join(str(int(char, 36)) for char in code)) % 97 == 1 else ""


def isin_of(written: str) -> str:
    """Return a text that is an ISIN with a valid check digit (ISO 6166) in capitals, else ''."""
    code = written.strip().upper()
    if not _ISIN.fullmatch(code):
        return ""
    digits = "".join(str(int(char, 36)) for char in code)
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return code if sum(value // 10 + value % 10 for value in doubled) % 10 == 0 else ""


def is_wrong_lei(written: str) -> bool:
    """True if a text has the form of an LEI but wrong check digits."""
    return bool(_LEI.fullmatch(written.strip())) and not lei_of(written)

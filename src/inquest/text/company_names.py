"""Names and numbers of companies, for joining registers: names in any spelling, LEI and ISIN with check digits.

Names are equal once legal forms, scripts, case, accents, '&' and usual abbreviations are normalised (ISO 20275 lists
the forms; `words.toml` has the common ones and those that are one form in two languages). Legal forms of different
kinds mean different companies: 'Atlas AB' is not 'Atlas GmbH'. A name in brackets or after a dash is another name of
the company if it is its acronym, a group's name, or marked as one ('formerly'); otherwise the two may belong to one
company."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from operator import itemgetter
from typing import NamedTuple

from inquest.text.lexicon import entries, pattern, word_lists, word_set
from inquest.text.regex import regex
from inquest.text.sentences import LETTERS, stem
from inquest.text.vocabulary import rarity

_ABBREVIATED = regex(r"(?<![^\W_])((?:[^\W\d_][./]){1,4}[^\W\d_])(?![^\W_])\.?")
_NOT_A_WORD = regex(r"[\W_]+")
_SPELLED = regex(r"(?<!\S)([^\W\d_]) (?=[^\W\d_](?!\S))")  # The space between single letters: 'S A', 'S à r l'
_LETTERS = str.maketrans(
    dict.fromkeys("'’‘`´", "")
    | LETTERS
    | {"ß": "ss"}
    | {each[0]: each[1:] for each in word_lists(__name__, "company_letters")["latin"]}
)
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_ASIDE = regex(r"\s*[(\[（]\s*([^()\[\]（）]+?)\s*[)\]）]\s*")
_DASH = regex(r"\s+[-–—]+\s*|(?<=[\w.)])[-–—]+\s+")
_EASTERN = pattern(__name__, "eastern_form")
_LEI = regex(r"[0-9A-Z]{18}[0-9]{2}")
_ISIN = regex(r"[A-Z]{2}[0-9A-Z]{9}[0-9]")


def _forms(section: str) -> dict[tuple[str, ...], str]:
    listed = entries(__name__, section)
    return {tuple(form.split()): kind for kind, names in listed.items() for form in names.split("|") if form.strip()}


LEGAL_WORDS = word_set(__name__, "legal_words")  # Common legal forms as single folded words, for names in running text
_BEHIND, _BEFORE = _forms("legal_forms"), _forms("legal_forms_before")
_LONGEST = dict(
    sorted([(each[-1], len(each)) for each in _BEHIND] + [(each[0], len(each)) for each in _BEFORE], key=itemgetter(1))
)
"""Words of the longest legal form that ends with a word, or begins with it."""
_FORM_WORDS = {"the", *(word for form in (*_BEHIND, *_BEFORE) for word in form)}
_INSIDE = word_set(__name__, "legal_words_inside")


def _pairs(section: str) -> frozenset[frozenset[str]]:
    listed = word_lists(__name__, section).items()
    return frozenset(frozenset((kind, other)) for kind, others in listed for other in others)


_ALIKE = _pairs("legal_forms_alike")
_NEAR = _ALIKE | _pairs("legal_forms_near")
_SHORT = {word: short for short, words in word_lists(__name__, "company_words").items() for word in words}
_PHRASES = {
    tuple(long.split()): short.split()
    for short, phrases in entries(__name__, "company_phrases").items()
    for long in phrases.split("|")
}
_PHRASE_WORDS = {phrase[0] for phrase in _PHRASES}
_ALIAS = "alias"  # The replacement in `words.toml` for 'formerly' and 'trading as'
_GROUP = frozenset(("group", "holding"))
_ONE_SOUND = {"ou": "o", "oo": "o", "uu": "u", "sya": "sha", "syu": "shu", "syo": "sho", "syou": "sho", "shou": "sho"}
_ROMANISED = regex("|".join(sorted(_ONE_SOUND, key=len, reverse=True)))
_RARE = 6.0
_SHORTEST = 4


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

    core: str  # The folded name without its legal form; '' if nothing is left
    forms: frozenset[str] = frozenset()  # The kinds of its legal forms, if any
    keys: frozenset[str] = frozenset()  # The name and its other names, without spaces
    loose: frozenset[str] = frozenset()
    """Names that may be those of another company: without the word 'Group', without what is in brackets, as Japanese is
    spelled in Latin letters elsewhere."""
    short: frozenset[str] = frozenset()
    """First words of the name, by which the press may call the company."""

    def is_of(self, other: CompanyName) -> bool:
        """True if two spellings are the same name: they share a key, and their legal forms do not contradict each
        other."""
        return not self.keys.isdisjoint(other.keys) and _compatible(self.forms, other.forms, _ALIKE)

    def may_be_of(self, other: CompanyName) -> bool:
        """True if two names differ only in parts that may be left out, or in legal forms that may be the same."""
        if not self.keys.isdisjoint(other.keys):
            return _compatible(self.forms, other.forms, _NEAR)
        shared = self.loose & other.keys or self.keys & (other.loose if self.forms else other.loose | other.short)
        return bool(shared) and _compatible(self.forms, other.forms, _ALIKE)


def _compatible(one: frozenset[str], other: frozenset[str], pairs: frozenset[frozenset[str]]) -> bool:
    if not one or not other or one == other:
        return True
    return all(
        any(mine == theirs or {mine, theirs} in pairs for theirs in those)
        for these, those in ((one, other), (other, one))
        for mine in these
    )


@lru_cache(maxsize=2**16)
def company_name(written: str) -> CompanyName:
    """Normalise a company's name."""
    text = written.casefold().replace("t/a ", "trading as ")
    if not text.isascii():
        text = _EASTERN.sub(lambda found: " kk " if found["kk"] else " co ltd ", text)
    every = _words(text)
    core, forms = _without_forms(every)
    words, forms = _settled(core, forms)
    keys, loose = set[str](), set[str]()
    if ("(" in text or "[" in text or "（" in text) and (aside := _ASIDE.search(text)):
        outside, inside = _words(f"{text[: aside.start()]} {text[aside.end() :]}"), _words(aside[1])
        apart, form = _read(outside)
        if aside.end() == len(text) and form and not _FORM_WORDS.issuperset(inside):
            words, forms = apart + inside, form
        _alternatives(outside, inside, keys, loose)
    elif _ALIAS in every[1:]:
        place = every.index(_ALIAS, 1)
        forms |= _read(every[:place])[1]
        _alternatives(every[:place], every[place:], keys, loose)
    elif (" " in text and ("-" in text or not text.isascii())) and (dash := _DASH.search(text, 1)):
        outside = _words(text[: dash.start()])
        forms |= _read(outside)[1]
        _alternatives(outside, _words(text[dash.end() :]), keys, loose)
    if not text.isascii() and (spelled := text.translate(_WRITTEN_OUT)) != text:
        keys.add("".join(_read(_words(spelled))[0]))
    if len(words) > 1 and words[-1] in _GROUP:
        loose |= _distinctive(words[:-1])
    if words:
        keys.add("".join(words))
        loose.add(_ROMANISED.sub(lambda found: _ONE_SOUND[found[0]], "".join(words)))
    short = {key for place in range(1, len(words)) for key in _distinctive(words[:place])}
    return CompanyName(" ".join(core), forms, frozenset(keys), frozenset(loose - keys), frozenset(short - loose - keys))


def _alternatives(outside: list[str], inside: list[str], keys: set[str], loose: set[str]) -> None:
    """Add the two names that a name consists of, each to the company's names or to those that may be another
    company's."""
    also = inside[:1] == [_ALIAS]
    one, two = _read(outside)[0], _read(inside[also:])[0]
    short, long = "".join(two), "".join(one)
    named = {word for word in two if len(word) > 2} | {" ".join(two)}
    if len(short) < 3 or _FORM_WORDS.issuperset(two) or _FORM_WORDS.issuperset(one) or not _places().isdisjoint(named):
        return
    if also:
        keys |= {short, long}
    elif _abbreviates(short, outside) or (len(two) > 1 and two[-1] in _GROUP):
        keys.add(long)
        loose |= _distinctive(two)
    elif _abbreviates(long, inside):
        keys.add(short)
        loose |= _distinctive(one)
    else:
        loose |= _distinctive(one) | _distinctive(two)


def _distinctive(words: list[str]) -> set[str]:
    """The key of a name that can be compared: more than one short or common word."""
    alone = "".join(words)
    return {alone} if len(words) > 1 or (len(alone) >= _SHORTEST and rarity(stem(alone)) >= _RARE) else set()


def _abbreviates(short: str, words: list[str]) -> bool:
    """True if a word is made of the beginnings of several words in order, one of which may be skipped: 'singtel'."""

    def fits(rest: str, at: int, taken: int, skipped: int) -> bool:
        if not rest:
            return taken > 1
        if at == len(words) or skipped > 1:
            return False
        sizes = range(1, min(len(rest), len(words[at])) + 1)
        if any(rest[:size] == words[at][:size] and fits(rest[size:], at + 1, taken + 1, skipped) for size in sizes):
            return True
        return at > 0 and fits(rest, at + 1, taken, skipped + (len(words[at]) > 3))

    return 2 < len(short) < sum(map(len, words)) and fits(short, 0, 0, 0)


@cache
def _places() -> frozenset[str]:
    """Names of countries and world regions in the languages of most registers (CLDR), with their codes."""
    from babel import Locale

    named = [Locale(each).territories for each in ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv")]
    return frozenset(" ".join(_words(each.casefold())) for names in named for item in names.items() for each in item)


def _read(words: list[str]) -> tuple[list[str], frozenset[str]]:
    """The words of a name for its key, and the kinds of its legal forms."""
    return _settled(*_without_forms(words))


def _without_forms(words: list[str]) -> tuple[list[str], frozenset[str]]:
    forms: set[str] = set()
    while words and (found := _form_of(words, _BEHIND, behind=True) or _form_of(words, _BEFORE, behind=False)):
        kind, words = found
        forms.add(kind)
        while len(words) > 1 and words[-1] in ("and", "the"):
            words = words[:-1]
    return words, frozenset(forms - {"any"})


def _settled(words: list[str], forms: frozenset[str]) -> tuple[list[str], frozenset[str]]:
    """Remove a legal form before the last words, and put 'Group' last."""
    if not forms and not _INSIDE.isdisjoint(words):
        last = max(place for place, word in enumerate(words) if word in _INSIDE) + 1
        if last > 1 and (found := _form_of(words[:last], _BEHIND, behind=True)):
            forms, words = frozenset(found[:1]), found[1] + words[last:]
    return (words[1:] + words[:1] if words[:1] == ["group"] else words), forms


def _form_of(words: list[str], forms: dict[tuple[str, ...], str], *, behind: bool) -> tuple[str, list[str]] | None:
    for length in range(min(_LONGEST.get(words[-behind], 0), len(words) - 1), 0, -1):
        part = tuple(words[-length:] if behind else words[:length])
        if part in forms:
            return forms[part], words[:-length] if behind else words[length:]
    return None


def _words(text: str) -> list[str]:
    if text.isascii():
        text = text.replace("'", "").replace("`", "")
    else:
        decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = "".join(char for char in decomposed if not unicodedata.combining(char))
    text = text.replace("&", " and ").replace("+", " and ")
    if "." in text or "/" in text:
        text = _ABBREVIATED.sub(lambda found: found[1].replace(".", "").replace("/", "") + " ", text)
    words = _NOT_A_WORD.sub(" ", text).split()
    if 1 in map(len, words):
        words = _SPELLED.sub(r"\1", " ".join(words)).split()
    if not _SHORT.keys().isdisjoint(words):
        words = [_SHORT.get(word, word) for word in words]
    for place in () if _PHRASE_WORDS.isdisjoint(words) else range(len(words)):
        for long, short in _PHRASES.items():
            if tuple(words[place : place + len(long)]) == long:
                words[place : place + len(long)] = short
    for end in (0, -1):
        if len(words) > 1 and words[end] == "the":
            del words[end]
    return words


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

"""The names that texts use for publishers.

Names are compared by letter, without spaces and accents: 'Lincolnshire Live' is 'LincolnshireLive'. 'The Courier' may
mean the Lenn Valley Courier; 'the Harbour Courier' never does. `data/press.csv` lists by domain the publishers whose
reports others pick up.
"""

from __future__ import annotations

import csv
from collections.abc import Collection
from functools import cache, lru_cache
from importlib.resources import files

from inquest.text.lexicon import word_set
from inquest.text.sentences import fold

_PRESS_ENDINGS = tuple(word_set(__name__, "press_endings"))
_DOMAIN_ENDINGS = tuple(sorted(word_set(__name__, "domain_endings")))
_ARTICLES = word_set(__name__, "articles")
_LEAST = 3
"""Least letters of a name that is looked for."""
_LONGEST_NAME = 6
"""Words."""
_PLAIN_LETTERS = str.maketrans("łøđðı", "loddi")
"""Letters that do not decompose into a plain letter and an accent."""


@cache
def _press() -> dict[str, tuple[str, ...]]:
    with (files("inquest.sources") / "data" / "press.csv").open(encoding="utf-8") as file:
        return {row["domain"]: tuple(row["names"].split(";")) for row in csv.DictReader(file)}


@lru_cache(maxsize=65_536)
def spelt_alike(word: str) -> str:
    """Fold a word, with 'ae', 'oe' and 'ue' as the plain vowel: Mueller and Müller are one name."""
    word = fold(word).translate(_PLAIN_LETTERS)
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def name_words(text: str) -> list[str]:
    """The words of a name as they are compared, without a leading article."""
    plain = "".join(char if char.isalnum() else " " for char in text)
    words = [spelt_alike(word) for word in plain.split()]
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def folded_name(text: str) -> str:
    """A name as it is compared: 'The Müller-Post' and 'mueller post' are one."""
    return " ".join(name_words(text))


def name_key(text: str) -> str:
    """A folded name without spaces."""
    return "".join(name_words(text))


def is_press_name(name: str) -> bool:
    """Test if a name, folded or a key, ends like those of newspapers and broadcasters."""
    return name.endswith(_PRESS_ENDINGS)


def names_of(publisher: str | None, domain: str) -> frozenset[str]:
    """The keys of all names of a publisher: in full, from its domain, and the last word alone."""
    label = domain.split(".")[0]
    names = [*_press().get(domain, ()), label.replace("-", " ")]
    names += [label.removesuffix(end) for end in _DOMAIN_ENDINGS if label.endswith(end) and len(label) > len(end) + 3]
    if "-" in label:
        names.append(label.split("-", 1)[1].replace("-", " "))
    if publisher:
        # 'AFP / France 24': an agency and its customer.
        several = publisher.translate(str.maketrans("|–—", "///"))
        names += [publisher, *several.split(" / ")]
        last = name_words(publisher)[-1:]
        names += [word for word in last if is_press_name(word)]
    keys = {name_key(name) for name in names}
    return frozenset(key for key in keys if len(key) >= _LEAST or key in known_keys())


@lru_cache(maxsize=4_096)
def known_as(name: str) -> str:
    """Return the first name in `data/press.csv` of a publisher listed there, the same for 'AFP' and 'Agence
    France-Presse (AFP)'; '' for any other name."""
    parts = set(_parts(name_words(name)))
    return next((names[0] for names in _press().values() if not parts.isdisjoint(map(name_key, names))), "")


def key_within(name: str, keys: Collection[str]) -> str:
    """Return the longest part of a name that is a key: the whole name, or at least two whole words; else ''."""
    words = name_words(name)
    whole = "".join(words)
    if whole in keys:
        return whole
    parts = _parts(words, fewest=2)
    return max((part for part in parts if part in keys), key=len, default="")


def _parts(words: list[str], fewest: int = 1) -> list[str]:
    return [
        "".join(words[start:end])
        for start in range(len(words))
        for end in range(start + fewest, min(len(words), start + _LONGEST_NAME) + 1)
    ]


@cache
def known_keys() -> frozenset[str]:
    """The keys of the names in `data/press.csv`."""
    return frozenset(name_key(name) for names in _press().values() for name in names)

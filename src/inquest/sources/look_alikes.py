"""Domains that imitate another publisher's: `rеuters.com` with a Cyrillic letter, `rnicrosoft.com`, `reuters.com.co`,
`reuters-news.info`.

An imitation of Reuters is not rated as Reuters. Letters that look alike follow Unicode's confusables (UTS 39) in a
small table; other imitations are sought only for names that are worth forging (`data/forged.csv`)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files
from posixpath import commonprefix
from typing import NamedTuple

from inquest.domain.reasons import Catalogue, Reason
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.lexicon import word_set
from inquest.text.urls import host_of, in_unicode, registrable_domain

_how = Catalogue("sources")
_DRAWN_ALIKE = {pair[0]: pair[2] for pair in word_set(__name__, "drawn_alike")}
"""Letters of other alphabets that look like Latin ones in most typefaces."""
_READ_ALIKE = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("3", "e"), ("5", "s"), ("$", "s"))
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_BESIDE = word_set(__name__, "beside")
"""Words that forgers add to a name; no genuine name consists of these and another's."""
_EVERYDAY = word_set(__name__, "everyday")
"""Everyday words: a genuine name may contain one, or be a letter away from it."""
_SHORTEST_MISSPELT = 6
"""Least letters, a final 'news' not counted; too many genuine names are one letter away from shorter ones."""
_CHEAP_ENDINGS = word_set(__name__, "cheap_endings")
"""Endings under which anybody can register a name the same day, and where well-known publishers do not publish."""


class LookAlike(NamedTuple):
    """The domain that is imitated, and how."""

    original: str  # '' if only the mixture of alphabets is suspicious
    how: Reason


def shown_domain(domain: str) -> str:
    """Decode a domain as a reader sees it: `xn--ruters-2of.com` -> `rеuters.com`; invalid labels stay as they are."""
    return ".".join(in_unicode(label) for label in domain.split("."))


@lru_cache(maxsize=4_096)
def look_alike(url: str) -> LookAlike | None:
    """Return the name that an address imitates, if these rules know it. For publishers without a rating."""
    host, domain = host_of(url), registrable_domain(url)
    if "." not in domain or domain in _forged().values() or domain in built_in_ratings().rows:
        return None
    label, ending = domain.split(".", 1)
    if label.startswith("xn--"):
        return _of_other_letters(in_unicode(label))
    if (original := _forged().get(label)) is not None:
        cheap = ending in _CHEAP_ENDINGS and ending != original.split(".", 1)[1]
        return LookAlike(original, _how("same_name_under", ending=ending)) if cheap else None
    if label not in _known_labels() and (respelt := _respelt(label)):
        return respelt
    if host == domain:  # the ending is not in the public suffix list
        domain = ".".join(host.split(".")[-2:])
    # A known domain in front of the real one: `www.reuters.com.evil.example`.
    before = f".{host.removesuffix(domain)}"
    found = next((original for original in _forged().values() if f".{original}." in before), None)
    return LookAlike(found, _how("in_front", name=found, domain=domain)) if found else None


def _of_other_letters(label: str) -> LookAlike | None:
    drawn = "".join(_DRAWN_ALIKE.get(char, char) for char in label)
    plain = "".join(char for char in unicodedata.normalize("NFKD", drawn) if not unicodedata.combining(char))
    mixed = next((found for part in label.split("-") if len(found := _alphabets(part)) > 1), frozenset())
    foreign = _alphabets(label) - {"LATIN"}
    # Many honest names have an accent; those worth forging have none.
    original = _forged().get(plain) or (_known_labels().get(plain) if foreign and len(plain) > 2 else None)
    if mixed or (original and foreign):
        names = sorted(name.capitalize() for name in mixed or foreign)
        return LookAlike(original or "", _how("written_with", label=label, names=names))
    return LookAlike(original, _how("other_letters", label=label)) if original else None


def _respelt(label: str) -> LookAlike | None:
    forged, skeleton = _forged(), _skeleton(label)
    joined = forged.get(label.replace("-", ""))
    for name, original in forged.items():
        if skeleton == _skeleton(name):
            return LookAlike(original, _how("reads_the_same"))
        if original == joined or _has_common_words(label, name):
            return LookAlike(original, _how("common_words"))
    for name, original in forged.items():
        if name not in _EVERYDAY and len(name.removesuffix("news")) >= _SHORTEST_MISSPELT and _is_misspelt(label, name):
            return LookAlike(original, _how("one_letter"))
    return None


def _has_common_words(label: str, name: str) -> bool:
    """Test for a name among common words: `reuters-news`; without a hyphen, only beside a long word."""
    parts = label.split("-")
    if len(parts) > 1:
        return name in parts and all(part in _BESIDE for part in parts if part != name)
    rest = label.removeprefix(name) if label.startswith(name) else label.removesuffix(name)
    return rest != label and name not in _EVERYDAY and rest in _BESIDE and len(rest) > 3 and rest != "site"


def _is_misspelt(label: str, name: str) -> bool:
    """Test if one letter but the first is missing, added, swapped or changed; a plural or a final digit makes another
    name rather than a misspelling."""
    start = len(commonprefix((label, name)))
    end = len(commonprefix((label[start:][::-1], name[start:][::-1])))
    one, other = label[start : len(label) - end], name[start : len(name) - end]
    swapped = len(one) == 2 and one == other[::-1]
    added = label.removeprefix(name)
    other_name = added != label and (added != name[-1] or added.isdigit())
    return bool(start) and label != name and (swapped or max(len(one), len(other)) == 1) and not other_name


def _skeleton(label: str) -> str:
    for pair, letter in _READ_ALIKE:
        label = label.replace(pair, letter)
    return label


@lru_cache(maxsize=1)
def _forged() -> dict[str, str]:
    text = (files("inquest.sources") / "data" / "forged.csv").read_text(encoding="utf-8")
    domains = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {domain.split(".", 1)[0]: domain for domain in domains[1:]}


@lru_cache(maxsize=1)
def _known_labels() -> dict[str, str]:
    """Map labels to domains, of every row of the table that is a whole registrable domain."""
    rows = sorted(built_in_ratings().rows.values(), key=lambda row: row.score)
    return {row.domain.split(".", 1)[0]: row.domain for row in rows if "/" not in row.domain}


def _alphabets(text: str) -> frozenset[str]:
    """The alphabets of a text that have letters in common shapes. Latin beside Kana or Han is everyday writing."""
    names = [unicodedata.name(char, "").partition(" ")[0] for char in text]
    return frozenset(name for name in names if name in _ALPHABETS)

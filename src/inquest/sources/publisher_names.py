"""The names that texts use for publishers, and publishers that are local to a place.

Names are compared by letter, without spaces and accents: 'Lincolnshire Live' is 'LincolnshireLive'. 'The Courier' may
mean the Lenn Valley Courier; 'the Harbour Courier' never does. `data/press.csv` lists by domain the publishers whose
reports others pick up."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection
from functools import cache, lru_cache
from importlib.resources import files

from inquest.domain.source import Category, Source
from inquest.sources.economic_releases import country_in
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.lexicon import word_set
from inquest.text.sentences import fold
from inquest.text.urls import registrable_domain

_PRESS_ENDINGS = tuple(word_set(__name__, "press_endings"))
_DOMAIN_ENDINGS = tuple(sorted(word_set(__name__, "domain_endings")))
_ARTICLES = word_set(__name__, "articles")
_LEAST = 3  # Minimum letters of a name that is looked for
_LONGEST_NAME = 6  # Words
_PLAIN_LETTERS = str.maketrans("łøđðı", "loddi")  # Letters that do not decompose into a plain letter and an accent


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
def is_public_body_name(key: str) -> bool:
    """Test if a key is the domain of a rated regulator, ministry, court or statistics office: 'bafin'."""
    bodies = (Category.REGULATOR, Category.GOVERNMENT, Category.COURT, Category.STATISTICS)
    return any(
        domain.startswith(f"{key}.") and row.category in bodies for domain, row in built_in_ratings().rows.items()
    )


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


_SHORTEST = 4  # Letters of a place's name that are looked for in domains; shorter names occur in too many
_LISTED = (Category.LOCAL, Category.NEWSPAPER, Category.BROADCASTER)
_PRESS = (*_LISTED, Category.INVESTIGATIVE, Category.UNKNOWN, Category.TABLOID)
_MOST = 8


def local_domains(place: str) -> tuple[str, ...]:
    """Return up to eight domains of press in the table of ratings that contain the place's name, the best first."""
    name = _letters(place)
    rows = [
        row
        for row in built_in_ratings().rows.values()
        if row.category in _LISTED and _contains(name, row.domain) and row.domain == registrable_domain(row.domain)
    ]
    rows.sort(key=lambda row: (row.category != Category.LOCAL, -row.score, row.domain))
    return tuple(row.domain for row in rows[:_MOST])


def why_local(source: Source, place: str, text: str = "") -> str | None:
    """Return why a source counts as local to the place; None if it does not or nothing shows it. A publisher rated as
    local whose text names the place counts, unless its domain ends with the code of another country. `text`:
    the source's text."""
    if source.rating.category not in _PRESS or not place.strip():
        return None
    name = _letters(place)
    if _contains(name, source.domain):
        return f"its domain {source.domain} contains the place's name"
    # A page may call itself anything: the name alone counts only for publishers that a rule knows.
    publisher = re.sub(r"[^a-z0-9]", "", fold(source.publisher or ""))
    if source.rating.known and len(name) >= _SHORTEST and name in publisher:
        return f"the name {source.publisher} contains the place's name"
    first = re.escape(fold(place.split(",")[0].strip()))
    named = bool(first) and re.search(rf"(?<!\w){first}(?!\w)", fold(text))
    country, ending = country_in(place), source.domain.rpartition(".")[2]
    elsewhere = country and len(ending) == 2 and ending != {"GB": "uk"}.get(country, country.lower())
    if source.rating.category == Category.LOCAL and named and not elsewhere:
        return "it is rated as a local paper or station, and it writes about the place"
    return None


def _letters(place: str) -> str:
    """'Garrow Bridge, Lennshire' -> 'garrowbridge'."""
    return re.sub(r"[^a-z0-9]", "", fold(place.split(",")[0]))


def _contains(name: str, domain: str) -> bool:
    """Test for a domain that begins or ends with the name; 'newyork.example' does not count for York."""
    label = re.sub(r"[^a-z0-9]", "", domain.split(".")[0])
    before = label.removesuffix(name)
    at_the_end = before != label and not before.endswith(("new", "north", "south", "east", "west"))
    return len(name) >= _SHORTEST and (label.startswith(name) or at_the_end)

"""Names that are made to be taken for somebody else's: `rеuters.com` with a Cyrillic letter, `rnicrosoft.com`,
`reuters.com.co`, `reuters-news.info`.

What such a name borrows is only ever compared, never believed: whoever looks like Reuters is not rated as Reuters.
Letters that look alike follow the idea of Unicode's confusables (UTS 39) with a small table of our own; spelling slips
and borrowed words are looked for with names that are worth forging only (`data/forged.csv`), so that honest papers
whose names resemble one another are left alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from inquest.sources.ratings_table import built_in_ratings
from inquest.text.lexicon import word_set
from inquest.text.urls import host_of, registrable_domain

# Letters of other alphabets that are drawn like Latin ones, in most typefaces.
_DRAWN_ALIKE = dict(
    pair.split(":")
    for pair in (
        "а:a ɑ:a α:a е:e ё:e є:e ҽ:e ο:o о:o օ:o ӧ:o р:p ρ:p с:c ϲ:c ç:c у:y ү:y γ:y х:x χ:x ѕ:s і:i ї:i ι:i ı:i ɩ:i "
        "ј:j յ:j ԛ:q զ:q ԝ:w ѡ:w ω:w һ:h հ:h ӏ:l ǀ:l ł:l ԁ:d ɗ:d đ:d ɡ:g ց:g ν:v ѵ:v υ:u ս:u к:k κ:k ķ:k т:t τ:t м:m "
        "н:h п:n ո:n η:n ƅ:b ь:b в:b ø:o ð:d ħ:h ŧ:t ƒ:f"
    ).split()
)
_READ_ALIKE = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("3", "e"), ("5", "s"), ("$", "s"))
"""What the eye takes for another letter; done to both sides, so that it makes no honest name a copy of itself."""
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_ROUNDABOUT = word_set(__name__, "roundabout")
"""Words that forgers put beside the name they borrow; no honest name consists of these and another's."""
_JOINED = frozenset(word for word in _ROUNDABOUT if len(word) > 3 and not word.isdigit() and word != "site")
"""Without a hyphen, short words are often the end of an honest one."""
_NETWORKS = frozenset("abcnews cbsnews nbcnews foxnews nbc".split())
"""Their many local stations put a number beside the name, as `nbc29` does."""
_WORDS = word_set(__name__, "words")
"""Everyday words: an honest name may contain one, or be a letter away from it."""
_SPANISH = frozenset("elpais elmundo clarin infobae".split())
"""Under the ending of Colombia they may be honest papers of that country."""
_SHORTEST_MISSPELT = 6
"""Of shorter names, 'news' at the end not counted, too many honest ones are a letter away."""
_CHEAP_ENDINGS = word_set(__name__, "cheap_endings")
"""Endings under which anybody may take a name the same day and where the well-known do not publish."""


class LookAlike(NamedTuple):
    """Whose name is borrowed, and how."""

    original: str
    """The domain it may be taken for; '' where only the mixture of alphabets shows that something is wrong."""
    how: str


def shown_domain(domain: str) -> str:
    """The domain as a reader sees it: `xn--ruters-2of.com` -> `rеuters.com`. What cannot be decoded stays as it is."""
    return ".".join(_unicode(label) for label in domain.split("."))


def look_alike(url: str) -> LookAlike | None:
    """Whom the address imitates; None: nobody, as far as these rules can see. Meant for publishers no table knows."""
    host, domain = host_of(url), registrable_domain(url)
    if "." not in domain or domain in _forged().values():
        return None
    label, ending = domain.split(".", 1)
    if label.startswith("xn--"):
        return _of_other_letters(_unicode(label))
    return _of_letters(label, ending) or _in_front(host, domain)


def _of_other_letters(label: str) -> LookAlike | None:
    drawn = "".join(_DRAWN_ALIKE.get(char, char) for char in label)
    plain = "".join(char for char in unicodedata.normalize("NFKD", drawn) if not unicodedata.combining(char))
    mixed = next((found for part in label.split("-") if len(found := _alphabets(part)) > 1), frozenset())
    foreign = _alphabets(label) - {"LATIN"}
    # An accent alone is an honest spelling of many a name; of those worth forging it is not.
    original = _forged().get(plain) or (_known_labels().get(plain) if foreign and len(plain) > 2 else None)
    if mixed or (original and foreign):
        names = " and ".join(sorted(name.capitalize() for name in mixed or foreign))
        return LookAlike(original or "", f"'{label}' is written with {names} letters")
    return LookAlike(original, f"'{label}' is written with other letters") if original else None


@lru_cache(maxsize=4_096)
def _of_letters(label: str, ending: str) -> LookAlike | None:
    forged = _forged()
    if (original := forged.get(label)) is not None:
        at_home = label in _SPANISH and ending.endswith("co")
        if ending in _CHEAP_ENDINGS and ending != original.split(".", 1)[1] and not at_home:
            return LookAlike(original, f"it has the same name under .{ending}")
        return None
    return None if label in _known_labels() else _respelt(label, forged)


def _respelt(label: str, forged: Mapping[str, str]) -> LookAlike | None:
    if original := _by_skeleton().get(_skeleton(label)):
        return LookAlike(original, "it reads the same at a glance")
    if original := _with_roundabout_words(label):
        return LookAlike(original, "it puts common words beside the name")
    for name, original in forged.items():
        distinct = name not in _WORDS - {"theguardian"} and len(name.removesuffix("news")) >= _SHORTEST_MISSPELT
        if distinct and _one_slip(label, name):
            return LookAlike(original, "one letter differs")
    return None


def _with_roundabout_words(label: str) -> str | None:
    parts = label.split("-")
    forged = _forged()
    if len(parts) > 1:
        names = [part for part in parts if part in forged]
        if len(names) == 1 and all(part in _ROUNDABOUT for part in parts if part not in forged):
            return forged[names[0]]
        # `com-reuters`, `reuters-com.example`; joined, as in `abc-news`, they may make the name itself.
        return forged.get("".join(parts))
    for name, original in forged.items():
        if name in _WORDS or (not label.startswith(name) and not label.endswith(name)):
            continue
        rest = label.removeprefix(name) if label.startswith(name) else label.removesuffix(name)
        if rest in _JOINED or (rest in ("24", "247", "365") and name not in _NETWORKS):
            return original
    return None


def _in_front(host: str, domain: str) -> LookAlike | None:
    """`www.reuters.com.evil.example`: a whole known domain, written in front of the real one."""
    if host == domain:  # under an ending that nobody hands out
        domain = ".".join(host.split(".")[-2:])
    before = f".{host.removesuffix(domain)}"
    found = next((original for original in _forged().values() if f".{original}." in before), None)
    return LookAlike(found, f"'{found}' is only written in front of {domain}") if found else None


def _one_slip(label: str, name: str) -> bool:
    """Whether one letter is missing, doubled, exchanged or added, or two neighbours have changed places; the first
    letter, at which nobody slips unseen, must stand."""
    if label == name or abs(len(label) - len(name)) > 1 or label[0] != name[0]:
        return False
    at = next((i for i, (a, b) in enumerate(zip(label, name, strict=False)) if a != b), min(len(label), len(name)))
    rest, wanted = label[at:], name[at:]
    # A plural, or a digit at the end, is another name rather than a slip.
    if not rest or not wanted:
        return len(label) < len(name) or (label[-1] == label[-2] and not label[-1].isdigit())
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:] or swapped == wanted


def _skeleton(label: str) -> str:
    for pair, letter in _READ_ALIKE:
        label = label.replace(pair, letter)
    return label


@lru_cache(maxsize=1)
def _forged() -> dict[str, str]:
    """Label to domain of the names that are worth forging."""
    text = (files("inquest.sources") / "data" / "forged.csv").read_text(encoding="utf-8")
    domains = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {domain.split(".", 1)[0]: domain for domain in domains[1:]}


@lru_cache(maxsize=1)
def _by_skeleton() -> dict[str, str]:
    return {_skeleton(label): domain for label, domain in _forged().items()}


@lru_cache(maxsize=1)
def _known_labels() -> dict[str, str]:
    """Label to domain of every row of the table that is a whole registrable domain."""
    rows = sorted(built_in_ratings().rows.values(), key=lambda row: row.score)
    return {row.domain.split(".", 1)[0]: row.domain for row in rows if "/" not in row.domain}


def _alphabets(text: str) -> frozenset[str]:
    """Which of the alphabets that are drawn alike its letters are of. Latin beside Kana or Han is everyday writing."""
    names = [unicodedata.name(char, "").partition(" ")[0] for char in text]
    return frozenset(name for name in names if name in _ALPHABETS)


def _unicode(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label.encode("ascii").decode("idna")
    except UnicodeError:
        return label

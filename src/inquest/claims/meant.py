"""Whom and what a case is about, as its user names them, and pages that are about others of the same name.

A page is another's only where it is certain: it never has the name that is meant, and the name that it has in its place
goes on otherwise ('Corvane Kidney Fund' for 'Corvane Renal Care'), or lies in another region ('Ebbing, Ohio' for
'Ebbing, Kent').
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files

from inquest.claims.brief_reading import READ_AT_MOST, read_brief, running_text
from inquest.domain.plan import Meant, MeantKind
from inquest.text.company_names import LEGAL_WORDS
from inquest.text.entities import same_token
from inquest.text.lexicon import word_set
from inquest.text.moments import moments
from inquest.text.regex import regex
from inquest.text.sentences import fold, stem
from inquest.text.vocabulary import rarity

MOST_MEANT = 8
"""Names of one plan."""
_TIMES = 6
_HEAD = 4_000
"""Characters of a page that say whom it is about."""
_RARE = 7.0
"""Of stems this rare (in natural logarithms of texts per text that has it), hardly any is a common word."""
_BODIES = word_set(__name__, "bodies")
_NO_PART = word_set(__name__, "no_part")
_REGIONS = frozenset(
    each.replace("_", " ")
    for listed in tomllib.loads((files("inquest.claims") / "regions.toml").read_text("utf-8")).values()
    for each in listed.split()
)
_WORD = r"[^\W\d_][\w&.’'-]*"
_SMALL = regex(r"\b[a-zß-ÿ]{2,}")
_SENTENCE = 4
"""Words in small letters that a line of running text has."""
_OWNER = regex(r"^.*[\w]{3,}['’]s\s+(?=\S)")
_BEHIND = regex(r"(?P<more>(?:\s+(?:of\s+|for\s+|&\s+)?[A-ZÀ-Þ][\w&-]*){0,4})")


def meant_in(text: str, companies: Iterable[str] = ()) -> tuple[Meant, ...]:
    """The names of a text with what they seem to be and the region that is put behind them, first those of
    `companies`, whose claims are checked."""
    text = running_text(text)
    reading = read_brief(text)
    given = [Meant(name=name, kind=MeantKind.ORGANISATION) for name in dict.fromkeys(companies) if name]
    # In a script without capitals a run of words is no name.
    named = dict.fromkeys(name for each in reading.names if (name := _OWNER.sub("", each))[:1].isupper())
    heads = {_core(one.name)[0] for one in given}
    found = [each for each in named if heads.isdisjoint(fold(each).split())]  # 'Corvane', 'Shares of Corvane'
    within = {name: _region_behind(name, text) for name in found}
    regions = set(within.values())
    meant = [
        Meant(name=name, kind=_kind(name, reading.organisations, reading.places), within=within[name])
        for name in found
        if name not in regions
    ]
    return (*given, *meant)[:MOST_MEANT]


def times_in(text: str) -> tuple[str, ...]:
    """The days, months and years that a text names, in its own words, each once."""
    text = text[:READ_AT_MOST]
    return tuple(dict.fromkeys(" ".join(each.span.of(text).split()) for each in moments(text)))[:_TIMES]


def other_bearer(meant: Sequence[Meant], title: str, text: str) -> str:
    """Of a page that is about another of a name that is meant, who that is; '' of every page that has any of the names
    that are meant, other than a place's, or none like them."""
    return _other_bearer(tuple(meant), f"{title}\n{text[:_HEAD]}") if meant else ""


@lru_cache(maxsize=512)
def _other_bearer(meant: tuple[Meant, ...], head: str) -> str:
    """Remembered, since a page is a witness for one claim after another."""
    words = _folded(head)
    others = [_other(each, head, words) for each in meant]
    # Two of one name may well be in one place.
    if any(each is None and one.kind is not MeantKind.PLACE for one, each in zip(meant, others, strict=True)):
        return ""
    return next(filter(None, others), "")


def _kind(name: str, organisations: Sequence[str], places: Sequence[str]) -> MeantKind:
    if name in organisations:
        return MeantKind.ORGANISATION
    return MeantKind.PLACE if any(each.endswith(name) for each in places) else MeantKind.NAME


def _region_behind(name: str, text: str) -> str:
    """'Kent' of 'Ebbing, Kent' and 'Ebbing in Kent'; '' where no region stands behind the name."""
    for match in re.finditer(rf"{re.escape(name)}(?:,\s+|\s+in\s+)(?=[A-Z])", text):
        if region := _region_at(text, match.end()):
            return region
    return ""


def _region_at(text: str, place: int) -> str:
    words = re.match(rf"{_WORD}(?:\s{_WORD}){{0,2}}", text[place : place + 60])
    parts = words.group().rstrip(".,").split() if words else []
    candidates = (" ".join(parts[:size]).rstrip(".,;:’'") for size in range(len(parts), 0, -1))
    return next((each for each in candidates if fold(each) in _REGIONS), "")


@lru_cache(maxsize=256)
def _core(name: str) -> tuple[str, ...]:
    """The words of a name without legal forms, folded."""
    words = [fold(word).strip(".,’'") for word in name.split()]
    return tuple(word for word in words if word and word not in LEGAL_WORDS and word != "the") or tuple(words)


def _is_rare(word: str) -> bool:
    """Whether the word alone tells whom a page is about."""
    return len(word) > 3 and word not in _BODIES and rarity(stem(word)) >= _RARE


def _other(meant: Meant, head: str, words: str) -> str | None:
    """The other bearer that a page is about; '' where it has no such name, None where it has the name that is meant:
    the whole of it, or a rare word of it beside the first."""
    if meant.kind is MeantKind.PLACE:
        return _other_place(meant, head, words)
    core = _core(meant.name)
    if f" {' '.join(core)} " in words or any(_is_rare(word) and f" {word} " in words for word in core[1:]):
        return None
    return _longer(core, head) if len(core) > 1 and _is_rare(core[0]) else ""


def _longer(core: tuple[str, ...], head: str) -> str | None:
    """As `_other`, of a page that does not have the whole name: who has the name that it has in its place. A page whose
    first mention is bare is left: nothing tells whose name it is."""
    named = re.compile(rf"(?<!\w)(?=[A-ZÀ-Þ])(?i:{re.escape(core[0])})(?!\w)")
    found = [
        (line, match, _goes_on(line, match.end()))
        for line in head.splitlines()
        if len(_SMALL.findall(line)) >= _SENTENCE  # in a headline all words have capitals
        for match in named.finditer(line)
    ]
    if not found:
        return None if named.search(head) else ""
    turn = found[0][2][:1]
    if not turn or same_token(turn[0], core[1]):
        return None
    for line, match, more in found:
        if more[:1] == turn and more[-1] in LEGAL_WORDS | _BODIES:
            return " ".join(line[match.start() :].split()[: len(more) + 1]).strip(".,;:()’'\"")
    return None


def _goes_on(text: str, place: int) -> tuple[str, ...]:
    """The words of a name behind its first, to the one that says what kind of body it is."""
    match = _BEHIND.match(text, place)
    words = [fold(word).strip(".,") for word in match["more"].split()] if match else []
    if not words or words[0] in _NO_PART:
        return ()
    end = next((place for place, word in enumerate(words, 1) if word in LEGAL_WORDS | _BODIES), len(words))
    return tuple(words[:end])


def _other_place(meant: Meant, head: str, words: str) -> str | None:
    """The place of the same name in another region; a page that names the region that is meant is about that one."""
    if f" {' '.join(_core(meant.name))} " not in words:
        return ""
    if not meant.within or f" {fold(meant.within)} " in words:
        return None
    behind = _region_behind(meant.name, head)
    return f"{meant.name}, {behind}" if behind and fold(behind) != fold(meant.within) else None


def _folded(text: str) -> str:
    words = " ".join(re.findall(r"[^\W_]+", fold(text)))
    return f" {words} "

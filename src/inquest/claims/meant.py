"""Names that a case is about, as its user spells them, and pages about namesakes.

A page is about a namesake only if that is certain: it lacks the intended name, and has one that continues differently
('Corvane Kidney Fund' for 'Corvane Renal Care') or lies in another region ('Ebbing, Ohio' for 'Ebbing, Kent')."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from inquest.claims.brief_reading import READ_AT_MOST, read_brief, running_text
from inquest.domain.plan import Meant, MeantKind
from inquest.text.company_names import LEGAL_WORDS
from inquest.text.dates import MONTHS, WEEKDAYS
from inquest.text.entities import same_token
from inquest.text.lexicon import word_set
from inquest.text.moments import moments
from inquest.text.regex import regex
from inquest.text.sentences import fold, stem
from inquest.text.vocabulary import rarity

MOST_MEANT = 8  # Maximum number of names of one plan
_TIMES = 6
_HEAD = 4_000  # Characters of a page that are searched for names
RARE = 7.0  # Rarity (natural logarithm of texts per text with the stem) above which hardly any stem is a common word
_BODIES = word_set(__name__, "bodies")
NO_PART = word_set(__name__, "no_part") | MONTHS.keys() | set(WEEKDAYS)
_WORD = r"[^\W\d_][\w&.’'-]*"
_SMALL = regex(r"\b[a-zß-ÿ]{2,}")
_SENTENCE = 4  # Minimum number of lower-case words in a line of running text
_OWNER = regex(r"^.*[\w]{3,}['’]s\s+(?=\S)")
_BEHIND = regex(r"(?P<more>(?:\s+(?:of\s+|for\s+|&\s+)?[A-ZÀ-Þ][\w&-]*){0,4})")


def meant_in(text: str, companies: Iterable[str] = ()) -> tuple[Meant, ...]:
    """Return the names of a text with their kinds and regions, those of the `companies` being checked first."""
    text = running_text(text)
    reading = read_brief(text)
    firms = [Meant(name=name, kind=MeantKind.ORGANISATION) for name in dict.fromkeys(companies) if name]
    # In a script without capitals, a run of words is not a name.
    named = dict.fromkeys(name for each in reading.names if (name := _OWNER.sub("", each))[:1].isupper())
    heads = {_core(firm.name)[0] for firm in firms}
    others = [name for name in named if heads.isdisjoint(fold(name).split())]  # 'Corvane', 'Shares of Corvane'
    within = {name: _region_behind(name, text) for name in others}
    regions = set(within.values())
    meant = [
        Meant(name=name, kind=_kind(name, reading.organisations, reading.places), within=within[name])
        for name in others
        if name not in regions
    ]
    return (*firms, *meant)[:MOST_MEANT]


def times_in(text: str) -> tuple[str, ...]:
    """Return the days, months and years in a text, verbatim and each once."""
    text = text[:READ_AT_MOST]
    return tuple(dict.fromkeys(" ".join(each.span.of(text).split()) for each in moments(text)))[:_TIMES]


def other_bearer(meant: Sequence[Meant], title: str, text: str) -> str:
    """Return the namesake that a page is about; '' if it has an intended name (a place's aside) or no similar one."""
    return _other_bearer(tuple(meant), f"{title}\n{text[:_HEAD]}")


@lru_cache(maxsize=512)  # a page may be evidence on several claims
def _other_bearer(meant: tuple[Meant, ...], head: str) -> str:
    words = " ".join(["", *re.findall(r"[^\W_]+", fold(head)), ""])
    others = [_other(one, head, words) for one in meant]
    # Two bearers of the same name may be in the same place.
    if any(other is None and one.kind is not MeantKind.PLACE for one, other in zip(meant, others, strict=True)):
        return ""
    return next(filter(None, others), "")


def _kind(name: str, organisations: Sequence[str], places: Sequence[str]) -> MeantKind:
    if name in organisations:
        return MeantKind.ORGANISATION
    return MeantKind.PLACE if any(each.endswith(name) for each in places) else MeantKind.NAME


def _region_behind(name: str, text: str) -> str:
    """Return 'Kent' of 'Ebbing, Kent' and 'Ebbing in Kent'; '' if no region follows the name."""
    for match in re.finditer(rf"{re.escape(name)}(?:,\s+|\s+in\s+)(?=[A-Z])", text):
        words = re.match(rf"{_WORD}(?:\s{_WORD}){{0,2}}", text[match.end() : match.end() + 60])
        parts = words.group().rstrip(".,").split() if words else []
        for size in range(len(parts), 0, -1):
            if fold(region := " ".join(parts[:size]).rstrip(".,;:’'")) in _regions():
                return region
    return ""


@cache
def _regions() -> frozenset[str]:
    """Countries (CLDR), states and provinces, folded."""
    from babel import Locale

    countries = (name for code, name in Locale("en").territories.items() if len(code) == 2)
    return frozenset((*map(fold, countries), *(each.replace("_", " ") for each in word_set(__name__, "regions"))))


@lru_cache(maxsize=256)
def _core(name: str) -> tuple[str, ...]:
    """Return the folded words of a name without legal forms."""
    words = [fold(word).strip(".,’'") for word in name.split()]
    return tuple(word for word in words if word and word not in LEGAL_WORDS and word != "the") or tuple(words)


def _is_rare(word: str) -> bool:
    """Return True if the word alone identifies the subject of a page."""
    return len(word) > 3 and word not in _BODIES and rarity(stem(word)) >= RARE


def _other(meant: Meant, head: str, words: str) -> str | None:
    """Return the namesake; '' without a similar name; None if the page has the intended name, or a rare word of it."""
    if meant.kind is MeantKind.PLACE:
        return _other_place(meant, head, words)
    core = _core(meant.name)
    if f" {' '.join(core)} " in words or any(_is_rare(word) and f" {word} " in words for word in core[1:]):
        return None
    return _longer(core, head) if len(core) > 1 and _is_rare(core[0]) else ""


def _longer(core: tuple[str, ...], head: str) -> str | None:
    """Like `_other`, for a page without the whole name. A bare first mention is ambiguous and gives None."""
    named = re.compile(rf"(?<!\w)(?=[A-ZÀ-Þ])(?i:{re.escape(core[0])})(?!\w)")
    mentions = [
        (line, match, _goes_on(line, match.end()))
        for line in head.splitlines()
        if len(_SMALL.findall(line)) >= _SENTENCE  # in a headline all words have capitals
        for match in named.finditer(line)
    ]
    if not mentions:
        return None if named.search(head) else ""
    second = mentions[0][2][:1]
    if not second or same_token(second[0], core[1]):
        return None
    for line, match, more in mentions:
        if more[:1] == second and more[-1] in LEGAL_WORDS | _BODIES:
            return " ".join(line[match.start() :].split()[: len(more) + 1]).strip(".,;:()’'\"")
    return None


def _goes_on(text: str, place: int) -> tuple[str, ...]:
    """Return the words of a name after the first, up to the one that names the kind of organisation."""
    match = _BEHIND.match(text, place)
    words = [fold(word).strip(".,") for word in match["more"].split()] if match else []
    if not words or words[0] in NO_PART:
        return ()
    end = next((place for place, word in enumerate(words, 1) if word in LEGAL_WORDS | _BODIES), len(words))
    return tuple(words[:end])


def _other_place(meant: Meant, head: str, words: str) -> str | None:
    """Like `_other`, for a place: a page that names the intended region is about the intended place."""
    if f" {' '.join(_core(meant.name))} " not in words:
        return ""
    if not meant.within or f" {fold(meant.within)} " in words:
        return None
    behind = _region_behind(meant.name, head)
    return f"{meant.name}, {behind}" if behind and fold(behind) != fold(meant.within) else None

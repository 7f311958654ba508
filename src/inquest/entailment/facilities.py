"""Works that are called now by their owner, now by their place: 'the Haverley works of Norvane' in one document, 'the
Haverley works' in that of an authority, 'the Norvane works' in a paper. Who is meant is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from inquest.text.regex import regex
from inquest.text.sentences import fold

_KIND = (
    r"(?:works|plant|mill|factory|refinery|smelter|mine|quarry|colliery|foundry|shipyard|brewery|dairy|abattoir|depot|warehouse|"
    r"terminal|power\s+station|data\s+centre|data\s+center|site|facility|laborator(?:y|ies)|landfill)"
)
_WORD = r"[A-Z][\w&’'-]*[\w&]"
_PLACE = rf"{_WORD}(?:\s+{_WORD})?"
_OWNER = rf"{_WORD}(?:\s+(?:{_WORD}|&))*(?:\s+plc)?"
_RUN_BY = r"(?:of|owned\s+by|run\s+by|operated\s+by|belonging\s+to)\s+(?:the\s+)?"
_TIES = tuple(
    regex(pattern)
    for pattern in (
        rf"\b(?P<place>{_PLACE})\s+{_KIND},?\s+{_RUN_BY}(?P<owner>{_OWNER})(?=[\s.,;:)'’]|$)",
        rf"\b(?P<owner>{_OWNER})['’]s?\s+(?P<place>{_PLACE})\s+{_KIND}\b",
        rf"\b(?P<owner>{_OWNER})(?:['’]s?)?\s+{_KIND}\s+(?:at|in|near)\s+(?P<place>{_PLACE})",
        rf"\b{_KIND}\s+{_RUN_BY}(?P<owner>{_OWNER})\s+(?:at|in|near)\s+(?P<place>{_PLACE})",
    )
)
_NOT_A_NAME = frozenset(
    "the a an this that its their our his her at in of on both all january february march april may june july august "
    "september october november december monday tuesday wednesday thursday friday saturday sunday".split()
)


class Facility(NamedTuple):
    """One works: whose it is, and where."""

    owner: str
    place: str


@lru_cache(maxsize=512)
def facilities(text: str) -> tuple[Facility, ...]:
    """The works of which the text says both whose they are and where, each once, in its order."""
    found: dict[tuple[str, str], Facility] = {}
    for match in sorted((match for tie in _TIES for match in tie.finditer(text)), key=lambda one: one.span()):
        owner, place = _clean(match["owner"]), _clean(match["place"])
        if owner and place and _first(owner) != _first(place):
            found.setdefault((_first(owner), _first(place)), Facility(owner, place))
    return tuple(found.values())


def known_facilities(texts: Iterable[str]) -> tuple[Facility, ...]:
    """The works that any of the texts tells of, each once under the longest name of its owner, sorted."""
    found: dict[tuple[str, str], Facility] = {}
    for each in (each for text in texts for each in facilities(text)):
        key = (_first(each.owner), _first(each.place))
        found[key] = max(found.get(key, each), each, key=lambda one: (len(one.owner), one))
    return tuple(found[key] for key in sorted(found))


def _clean(name: str) -> str:
    words = re.sub(r"['’]s?$", "", name.strip()).split()
    while words and words[0].lower() in _NOT_A_NAME:
        words = words[1:]
    return " ".join(words)


def _first(name: str) -> str:
    """The word by which a name is told from others."""
    return fold(name.split()[0]) if name else ""

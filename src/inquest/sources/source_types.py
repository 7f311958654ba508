"""Kinds of source as the desks' specifications name them (spec 002 §4): engines that find them, and kinds of leads.

The kind of a lead follows from the engine's data (a work, a post, a filing), else from its publisher's category, else
from what the engine searches. `web` is a lead of unknown kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Rating
from inquest.text.lexicon import entries, pattern, word_lists


class SourceType(NamedTuple):
    """A kind of source that can be requested."""

    kinds: tuple[EngineKind, ...]  # The kinds of engine that find it, the best first
    fits: frozenset[str]  # The kinds of lead that satisfy the request; a lead surely of another kind does not
    engines: tuple[str, ...] = ()  # The only engines that have it; (): all of these kinds


def _type(kinds: Sequence[EngineKind], fits: str, *engines: str) -> SourceType:
    return SourceType(tuple(kinds), frozenset(fits.split()), engines)


_ANY = (
    "news press_release company academic standard benchmark government regulatory filing fact_check social blog "
    "reference ngo"
)
_WEB, _NEWS, _SCHOLARLY = EngineKind.WEB, EngineKind.NEWS, EngineKind.SCHOLARLY
SOURCE_TYPES = MappingProxyType(
    {
        "news": _type((_NEWS,), "news fact_check"),
        "press_release": _type((_NEWS, _WEB), "press_release company"),
        "company": _type((_WEB,), "company press_release filing"),
        "academic": _type((_SCHOLARLY,), "academic"),
        "research": _type((_SCHOLARLY,), "academic standard benchmark government"),
        "benchmark": _type((_WEB, _SCHOLARLY), "benchmark academic standard government regulatory ngo company"),
        "standard": _type((_WEB, _SCHOLARLY), "standard academic government regulatory ngo"),
        "government": _type((_WEB,), "government regulatory"),
        "regulatory": _type((_WEB,), "regulatory government filing"),
        "filing": _type((EngineKind.MARKET,), "filing regulatory", "edgar", "federal_register"),
        "fact_check": _type((EngineKind.FACT_CHECK,), "fact_check news"),
        "social": _type((EngineKind.SOCIAL,), "social blog"),
        "reference": _type((_WEB,), "reference"),
        "ngo": _type((_WEB,), "ngo"),
        "own": _type((EngineKind.OWN,), _ANY),
        "web": _type((_WEB,), _ANY),
    }
)
"""Kinds that can be requested. `own`: the user's documents, which are returned only on request."""

_ALSO = entries(__name__, "source_types_also")  # Synonyms

_OF_CATEGORY = {
    category: kind for kind, listed in word_lists(__name__, "source_type_of_category").items() for category in listed
}
_OF_ENGINE = {
    EngineKind.NEWS: "news",
    EngineKind.SCHOLARLY: "academic",
    EngineKind.SOCIAL: "social",
    EngineKind.FACT_CHECK: "fact_check",
}
_MAY_BE_A_BENCHMARK = frozenset(("web", "ngo", "government", "company"))
_BENCHMARK = pattern(__name__, "benchmark")


def known_type(word: str) -> str | None:
    """Return the name in `SOURCE_TYPES` for a word, in any case, singular or plural, or a synonym."""
    name = re.sub(r"[\s-]+", "_", word.strip().lower())
    for each in (name, name.removesuffix("s"), f"{name.removesuffix('ies')}y"):
        if each in SOURCE_TYPES:
            return each
        if each in _ALSO:
            return _ALSO[each]
    return None


def source_type_of(hit: Hit, rating: Rating, kinds: Sequence[EngineKind]) -> str:
    """Classify a lead. `kinds`: of its engine; several kinds imply none."""
    if hit.work is not None:
        return "standard" if hit.work.type == "standard" else "academic"
    if hit.post is not None:
        return "social"
    if hit.filing is not None:
        return "filing"
    if hit.review is not None:
        return "fact_check"
    found = "press_release" if rating.press_release else _OF_CATEGORY.get(rating.category, "web")
    if found == "web" and len(kinds) == 1:
        found = _OF_ENGINE.get(kinds[0], "web")
    if found in _MAY_BE_A_BENCHMARK and _BENCHMARK.search(hit.title):
        return "benchmark"
    return found

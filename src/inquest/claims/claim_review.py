"""Checks of claims by others: what a page's ClaimReview (schema.org/ClaimReview) says, and what its rating comes to.

What a page declares is its own word: anybody can write 'Reuters: True' into a page. It is shown with who said so, and
is never evidence. Shapes vary as wildly as publishers do, so that each field is taken in any of the forms it is met in,
and what cannot be read is left out.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib.resources import files
from itertools import islice
from typing import Any
from urllib.parse import urljoin

from inquest.domain.assessment import Verdict
from inquest.domain.leads import ClaimReview
from inquest.domain.published import Published
from inquest.text.dates import parse_date
from inquest.text.lexicon import pattern
from inquest.text.markup import plain
from inquest.text.regex import regex
from inquest.text.sentences import fold, shorten
from inquest.text.urls import is_web_url

MOST_REVIEWS = 20
"""Reviews that are taken of one page; a page that checks more claims is rare, one that floods us is not."""
_CLAIM, _RATING, _NAME, _TITLE, _URL = 500, 120, 120, 300, 2048
_PREFIXES = ("", "schema:", "http://schema.org/", "https://schema.org/")
_SEPARATOR = regex(r"\s+[-|/]\s+|[.:;,!?()\[\]|/\n\"»«“”]+")
_OPENING = pattern(__name__, "opening")
_LONGEST_PHRASE = 6
"""Words of the longest rating in the table."""


# Letters that are no other letter with an accent, as people without them on their keyboards write them.
_WHOLE_LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe"})


def folded(words: str) -> str:
    """As the table has them: `fold`ed, hyphens and underscores as spaces, on one line."""
    return " ".join(fold(words).translate(_WHOLE_LETTERS).replace("-", " ").replace("_", " ").split())


_TABLE = {
    name: frozenset(folded(each) for each in "".join(words.splitlines()).split("|"))
    for name, words in tomllib.loads((files("inquest.claims") / "ratings.toml").read_text("utf-8")).items()
}
NO_VERDICT = _TABLE.pop("no_verdict")
"""What says nothing of truth: jokes, frauds, opinions, changes of mind. A number beside such a word means nothing."""
RATINGS = {words: Verdict(name) for name, listed in _TABLE.items() for words in listed}
"""Folded rating words to verdict."""


def verdict_of(rating: str | None, *, value: object = None, best: object = None, worst: object = None) -> str | None:
    """A reviewer's rating as one of our verdicts (`Verdict`'s values), or None where that is not known.

    The words decide where they are known, alone or at the beginning ('False. The photo is from 2018'), and nothing
    that follows says otherwise ('True, but misleading'). Satire, frauds and opinions have none. A number decides only
    where both ends of its scale are given: a 1 may be the best of one scale and the worst of another.
    """
    words = folded(plain(rating)[: 4 * _RATING]) if isinstance(rating, str) else ""
    parts = [part for part in (_bare(part) for part in _SEPARATOR.split(words)) if part]
    whole = _bare(words)
    for said in (whole, " ".join(parts), parts[0] if parts else ""):
        if said in NO_VERDICT:
            return None
        if verdict := RATINGS.get(said):
            rest = parts[1:] if said == (parts[0] if parts else "") else []
            return None if any(_differs(part, verdict) for part in rest) else verdict.value
    return _of_number(value, best, worst)


def _bare(words: str) -> str:
    words = words.strip(" .:;,!?\"'*#-–()[]«»“”…")
    return _OPENING.sub("", words, count=1).strip() if words not in RATINGS else words


def _differs(words: str, verdict: Verdict) -> bool:
    """Whether a later part of a rating holds a rating of its own that says something else."""
    tokens = words.split()
    pieces = (" ".join(tokens[i : i + n]) for n in range(_LONGEST_PHRASE, 0, -1) for i in range(len(tokens) - n + 1))
    return any(RATINGS.get(piece, verdict) is not verdict for piece in pieces)


def _of_number(value: object, best: object, worst: object) -> str | None:
    """Where the number lies between the worst (0) and the best (1): Google's five steps are 0, 0.25, 0.5, 0.75, 1."""
    given, top, bottom = _number(value), _number(best), _number(worst)
    if given is None or top is None or bottom is None or top == bottom:
        return None
    share = (given - bottom) / (top - bottom)
    if not 0 <= share <= 1:
        return None
    if share > 0.95:
        return Verdict.VERIFIED.value
    return (Verdict.PARTIALLY_TRUE if share > 0.3 else Verdict.CONTRADICTED).value


def claim_reviews(nodes: Iterable[object], url: str, *, now: datetime) -> tuple[ClaimReview, ...]:
    """The reviews among the objects of a page's JSON-LD, at most 20, each once.

    `nodes`: every object, nested ones included, in any order; `url`: the page's, for addresses that are relative or
    missing; `now`: when the page was fetched, for dates. Texts are plain and short, addresses http(s).
    """
    every = [node for node in nodes if isinstance(node, dict)]
    named = {node["@id"]: node for node in every if isinstance(node.get("@id"), str) and len(node) > 1}
    found: dict[tuple[str, str, str], ClaimReview] = {}
    for node in every:
        if not _is_review(node):
            continue
        review = _review(_ReviewNode(node, named), url, now)
        if review is not None:
            found.setdefault((review.claim, review.rating, review.url), review)
        if len(found) >= MOST_REVIEWS:
            break
    return tuple(found.values())


def _is_review(node: dict[str, Any]) -> bool:
    kinds = node.get("@type")
    names = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(name, str) and re.split(r"[/:#]", name)[-1] == "ClaimReview" for name in names)


class _ReviewNode:
    """An object of JSON-LD, read without minding how it is written: prefixes, lists of one, `@value`, `@id`."""

    def __init__(self, value: object, named: dict[str, dict[str, Any]]) -> None:
        self._named = named
        node = value if isinstance(value, dict) else {}
        other = node.get("@id")
        self._node: dict[str, Any] = named.get(other, node) if isinstance(other, str) and len(node) == 1 else node

    def values(self, *names: str) -> Iterator[object]:
        """Whatever is under the names, one after another."""
        for name in names:
            found = next((x for prefix in _PREFIXES if (x := self._node.get(prefix + name)) is not None), ())
            yield from found if isinstance(found, list | tuple) else (found,)

    def nodes(self, *names: str) -> list[_ReviewNode]:
        """The objects under the names."""
        return [_ReviewNode(value, self._named) for value in self.values(*names) if isinstance(value, dict)]

    def text(self, *names: str, limit: int) -> str:
        """The first text under any of the names; a number as it is written."""
        return next((said for value in self.values(*names) if (said := _text(value, limit))), "")

    def date(self, *names: str, now: datetime) -> Published | None:
        """The first date under any of the names."""
        dates = (parse_date(_text(value, 100), now=now, how="ClaimReview") for value in self.values(*names))
        return next(filter(None, dates), None)

    def people(self, *names: str) -> str | None:
        """The names of the people or bodies under the first of the names that has any: objects, references or words."""
        for name in names:
            found = [
                _ReviewNode(value, self._named).text("name", "legalName", "alternateName", limit=_NAME)
                or _text(value, _NAME)
                for value in islice(self.values(name), 5)
            ]
            if named := dict.fromkeys(each for each in found if each and not is_web_url(each)):
                return ", ".join(named)
        return None


def _text(value: object, limit: int) -> str:
    if isinstance(value, dict):
        value = value.get("@value")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return shorten(plain(str(value)), limit)


def _review(node: _ReviewNode, url: str, now: datetime) -> ClaimReview | None:
    """The review, or None where it names no claim."""
    items = node.nodes("itemReviewed")
    claim = node.text("claimReviewed", limit=_CLAIM) or next(
        (said for item in items if (said := item.text("name", "text", "description", "headline", limit=_CLAIM))), ""
    )
    if not claim:
        return None
    # Who claims it is named with the claim, or with the work in which it appeared.
    works = [*items, *(work for item in items for work in item.nodes("firstAppearance", "appearance"))]
    rating, value, best, worst = _rating(node)
    spoken = re.match(r"([a-zA-Z]{2})(?:[-_]|$)", node.text("inLanguage", limit=20))
    return ClaimReview(
        claim=claim,
        claimant=next(filter(None, (work.people("author", "creator") for work in works)), None),
        claimed_at=next(filter(None, (work.date("datePublished", "dateCreated", now=now) for work in works)), None),
        rating=rating,
        verdict=verdict_of(rating, value=value, best=best, worst=worst),
        reviewer=node.people("author", "publisher", "creator"),
        url=_address(node, url),
        title=node.text("headline", "name", limit=_TITLE) or None,
        at=node.date("datePublished", "dateCreated", "dateModified", now=now),
        language=spoken[1].lower() if spoken else None,
    )


def _rating(node: _ReviewNode) -> tuple[str, str, str, str]:
    """The rating's words (or '2 of 5'), its number, and the best and worst of its scale; '' for what is not given."""
    for rating in node.nodes("reviewRating"):
        value = rating.text("ratingValue", limit=_RATING)
        best, worst = rating.text("bestRating", limit=20), rating.text("worstRating", limit=20)
        words = rating.text("alternateName", "name", "description", limit=_RATING)
        if not words and value:
            words = f"{value} of {best}" if best and _number(value) is not None else value
        if words:
            return words, value, best, worst
    return node.text("reviewRating", limit=_RATING), "", "", ""


def _address(node: _ReviewNode, url: str) -> str:
    for value in node.values("url", "mainEntityOfPage", "@id"):
        given = value.get("@id") if isinstance(value, dict) else value
        try:
            absolute = urljoin(url, plain(given)) if isinstance(given, str) and 0 < len(given) <= _URL else ""
        except ValueError:
            continue
        if is_web_url(absolute) and not re.search(r"[\s<>\"\\]", absolute):
            return absolute
    return url


def _number(value: object) -> float | None:
    """A finite number, written as one or as a string ('4', '4,5')."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        found = float(value.strip().replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None

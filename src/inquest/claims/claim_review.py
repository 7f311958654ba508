"""Reading of fact checks by others: a page's ClaimReview (schema.org/ClaimReview) and the verdict of its rating.

A declaration is not evidence, because any page can contain 'Reuters: True'; it is shown with its source. Fields are
accepted in every form in which publishers write them, and unreadable ones are left out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any
from urllib.parse import urljoin

from inquest.domain.finding import Verdict
from inquest.domain.search import ClaimReview
from inquest.domain.value import Published
from inquest.text.dates import parse_date
from inquest.text.lexicon import pattern, table
from inquest.text.markup import plain
from inquest.text.regex import regex
from inquest.text.sentences import fold, shorten
from inquest.text.urls import is_web_url

MOST_REVIEWS = 20  # Reviews of one page; pages with more are mostly spam
_CLAIM, _RATING, _NAME, _TITLE, _URL = 500, 120, 120, 300, 2048
_PREFIXES = ("", "schema:", "http://schema.org/", "https://schema.org/")
_SEPARATOR = regex(r"\s+[-|/]\s+|[.:;,!?()\[\]|/\n\"»«“”]+")
_OPENING = pattern(__name__, "opening")
_LONGEST_PHRASE = 6  # Maximum number of words of a rating in the table


_WHOLE_LETTERS = str.maketrans({"æ": "ae", "œ": "oe"})
"""Letters without a decomposition, with their spelling on keyboards that lack them."""


def folded(words: str) -> str:
    """Return the words as in the table: `fold`ed, with hyphens and underscores as spaces, on one line."""
    return " ".join(fold(words).translate(_WHOLE_LETTERS).replace("-", " ").replace("_", " ").split())


_TABLE = {
    name: frozenset(folded(each) for each in "".join(words.splitlines()).split("|"))
    for name, words in table("inquest.claims", "ratings").items()
}
NO_VERDICT = _TABLE.pop("no_verdict")
"""Ratings that are not about truth: jokes, frauds, opinions, changed positions. A number beside them is ignored."""
RATINGS = {words: Verdict(name) for name, listed in _TABLE.items() for words in listed}
"""Verdicts by folded rating words."""


def verdict_of(rating: str | None, *, value: object = None, best: object = None, worst: object = None) -> str | None:
    """Translate a reviewer's rating into a value of `Verdict`, or None if it has none. Known words decide, alone or at
    the beginning ('False. The photo is from 2018') unless a later part differs ('True, but misleading'). A number
    decides only with both ends of its scale, since 1 may be the best or the worst."""
    words = folded(plain(rating)[: 4 * _RATING]) if isinstance(rating, str) else ""
    parts = list(filter(None, map(_bare, _SEPARATOR.split(words))))
    first = parts[0] if parts else ""
    for phrase in (_bare(words), " ".join(parts), first):
        if phrase in NO_VERDICT:
            return None
        if verdict := RATINGS.get(phrase):
            rest = parts[1:] if phrase == first else []
            return None if any(_differs(part, verdict) for part in rest) else verdict.value
    return _of_number(value, best, worst)


def _bare(words: str) -> str:
    words = words.strip(" .:;,!?\"'*#-–()[]«»“”…")
    return _OPENING.sub("", words, count=1).strip() if words not in RATINGS else words


def _differs(words: str, verdict: Verdict) -> bool:
    """Return True if a later part of a rating contains a different rating."""
    tokens = words.split()
    pieces = (" ".join(tokens[i : i + n]) for n in range(_LONGEST_PHRASE, 0, -1) for i in range(len(tokens) - n + 1))
    return any(RATINGS.get(piece, verdict) is not verdict for piece in pieces)


def _of_number(value: object, best: object, worst: object) -> str | None:
    """Place the number between the worst (0) and the best (1): Google's five steps are 0, 0.25, 0.5, 0.75, 1."""
    number, top, bottom = _number(value), _number(best), _number(worst)
    if number is None or top is None or bottom is None or top == bottom:
        return None
    share = (number - bottom) / (top - bottom)
    if not 0 <= share <= 1:
        return None
    return (Verdict.VERIFIED if share > 0.95 else Verdict.PARTIALLY_TRUE if share > 0.3 else Verdict.CONTRADICTED).value


def claim_reviews(nodes: Iterable[object], url: str, *, now: datetime) -> tuple[ClaimReview, ...]:
    """Read the distinct reviews among the objects of a page's JSON-LD, at most 20. `nodes`: every object, nested ones
    included, in any order; `url`: the page's, for relative or missing addresses; `now`: the time of fetching, for
    dates. Texts are plain and short, addresses http(s)."""
    objects = [node for node in nodes if isinstance(node, dict)]
    by_id = {node["@id"]: node for node in objects if isinstance(node.get("@id"), str) and len(node) > 1}
    reviews: dict[tuple[str, str, str], ClaimReview] = {}
    for node in objects:
        kinds = node.get("@type")
        names = [each for each in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(each, str)]
        if "ClaimReview" not in (re.split(r"[/:#]", name)[-1] for name in names):
            continue
        if review := _review(_ReviewNode(node, by_id), url, now):
            reviews.setdefault((review.claim, review.rating, review.url), review)
        if len(reviews) >= MOST_REVIEWS:
            break
    return tuple(reviews.values())


class _ReviewNode:
    """Tolerant access to an object of JSON-LD: prefixes, lists of one, `@value`, `@id`."""

    def __init__(self, value: object, named: dict[str, dict[str, Any]]) -> None:
        self._named = named
        node = value if isinstance(value, dict) else {}
        other = node.get("@id")
        self._node: dict[str, Any] = named.get(other, node) if isinstance(other, str) and len(node) == 1 else node

    def values(self, *names: str) -> Iterator[object]:
        """Yield the values under each of the names."""
        for name in names:
            found = next((x for prefix in _PREFIXES if (x := self._node.get(prefix + name)) is not None), ())
            yield from found if isinstance(found, list | tuple) else (found,)

    def nodes(self, *names: str) -> list[_ReviewNode]:
        """Return the objects under the names."""
        return [_ReviewNode(value, self._named) for value in self.values(*names) if isinstance(value, dict)]

    def text(self, *names: str, limit: int) -> str:
        """Return the first text under any of the names; a number as it is written."""
        return next((text for value in self.values(*names) if (text := _text(value, limit))), "")

    def date(self, *names: str, now: datetime) -> Published | None:
        """Return the first date under any of the names."""
        dates = (parse_date(_text(value, 100), now=now, how="ClaimReview") for value in self.values(*names))
        return next(filter(None, dates), None)

    def people(self, *names: str) -> str | None:
        """Return the people or bodies under the first of the names that has any: objects, references or words."""
        for name in names:
            people = [
                _ReviewNode(value, self._named).text("name", "legalName", "alternateName", limit=_NAME)
                or _text(value, _NAME)
                for value in islice(self.values(name), 5)
            ]
            if named := dict.fromkeys(each for each in people if each and not is_web_url(each)):
                return ", ".join(named)
        return None


def _text(value: object, limit: int) -> str:
    if isinstance(value, dict):
        value = value.get("@value")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return shorten(plain(str(value)), limit)


def _review(node: _ReviewNode, url: str, now: datetime) -> ClaimReview | None:
    """Return the review, or None if it names no claim."""
    items = node.nodes("itemReviewed")
    texts = (item.text("name", "text", "description", "headline", limit=_CLAIM) for item in items)
    claim = node.text("claimReviewed", limit=_CLAIM) or next(filter(None, texts), "")
    if not claim:
        return None
    # The claimant is named with the claim, or with the work in which it appeared.
    works = [*items, *(work for item in items for work in item.nodes("firstAppearance", "appearance"))]
    rating, value, best, worst = _rating(node)
    language = re.match(r"([a-zA-Z]{2})(?:[-_]|$)", node.text("inLanguage", limit=20))
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
        language=language[1].lower() if language else None,
    )


def _rating(node: _ReviewNode) -> tuple[str, str, str, str]:
    """Return the rating's words (or '2 of 5'), its number, and the best and worst of its scale; '' for missing ones."""
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
        written = value.get("@id") if isinstance(value, dict) else value
        try:
            absolute = urljoin(url, plain(written)) if isinstance(written, str) and 0 < len(written) <= _URL else ""
        except ValueError:
            continue
        if is_web_url(absolute) and not re.search(r"[\s<>\"\\]", absolute):
            return absolute
    return url


def _number(value: object) -> float | None:
    """Parse a finite number, also from a string ('4', '4,5')."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value.strip().replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None

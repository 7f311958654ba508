"""Noise: the probability that a lead or page is not worth reading, with reasons. It lowers a rank and deletes nothing.

Signs of form: the address, a title that baits, walls and error pages, too little text, lists of
teasers. Every threshold lies well above the values of articles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.domain.document import Document
from inquest.domain.search import Hit
from inquest.sources.blocked import looks_paywalled, looks_walled
from inquest.sources.clickbait import clickbait_of
from inquest.text.lexicon import word_set
from inquest.text.phrases import listed

_SURE_BAIT = 0.8
"""From this score on a title counts as bait: explanations and features often read like bait a little."""
_BAIT, _BAIT_READ = 0.5, 0.3
"""The most that a baiting title takes away of a lead, and of a page that was read: a true story may stand below it."""
_LENGTHS = ((80, 0.6, "hardly any text"), (200, 0.4, "very little text"), (500, 0.2, "little text"))
"""Characters of the article, and the deduction below them. Below 200 it is no article of the press (spec 003, noise
filters), but it may be a statement, a notice or an entry in a register."""
_NOT_THE_PAGE = "not the page: "
"""How a reader's note begins that found a wall or an error page."""
_ONLY_THE_BEGINNING = "only the beginning is here"
_LIST_PATHS = word_set(__name__, "list_paths")


class Noise(NamedTuple):
    """Probability, 0 to 1, that something is not worth reading, with a reason for each part of it."""

    share: float
    reasons: tuple[str, ...] = ()
    paywalled: bool = False
    """Only the beginning is here: no noise, for quotes from it are true, but to be shown to the reader."""


_Doubt = tuple[float, str]


def noise_of(hit: Hit) -> Noise:
    """Noise of a hit, by its address, its title and what the engine says of it."""
    # The bytes of a snapshot are archived already and change no more.
    found = [] if hit.snapshot is not None else _of_address(hit.url, read=False)
    found += _of_title(hit.title, read=False)
    if hit.details.get("sponsored") is True:
        found.append((0.8, "the engine says that it is an advertisement"))
    if not hit.title.strip() and not hit.snippet.strip():
        found.append((0.3, "neither title nor snippet"))
    return _together(found)


def noise_of_page(document: Document) -> Noise:
    """Noise of a page that was read: by its title, its text and what the reader noted.

    Walls and error pages weigh most. Other forms are looked for in web pages only: a register or a feed may well have
    the same words in every line.
    """
    paywalled = any(note.startswith(_ONLY_THE_BEGINNING) for note in document.notes)
    paywalled = paywalled or bool(looks_paywalled("", document.text))
    found = _of_title(document.title, read=True) if document.language in (None, "en") else []
    if document.kind != "html":
        return _together(found)._replace(paywalled=paywalled)
    why = next((note.removeprefix(_NOT_THE_PAGE) for note in document.notes if note.startswith(_NOT_THE_PAGE)), None)
    if why := why or looks_walled(document.title, document.text):
        return _together([(0.95, f"not the page that was asked for: {why}")])
    found += _of_address(document.url, read=True)
    size = len(document.text.strip())
    short = next(((share, f"{words}: {size} characters") for bound, share, words in _LENGTHS if size < bound), None)
    if short and not paywalled:
        found.append(short)
    if _is_list(document.text):
        found.append((0.35, "a list of teasers, and no text of its own"))
    noise = _together(found)
    only = (f"{_ONLY_THE_BEGINNING}; the rest is for subscribers",) if paywalled else ()
    return Noise(noise.share, noise.reasons + only, paywalled)


def _of_address(url: str, *, read: bool) -> list[_Doubt]:
    """`read`: the page was read, so that its text counts too."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    if parts.path in ("", "/") and not parts.query:
        return [(0.3 if read else 0.5, "a front page, which changes, and no document")]
    if _LIST_PATHS & set(parts.path.lower().rstrip("/").split("/")[-2:]):
        return [(0.3 if read else 0.4, "a list or a form, and no document")]
    return []


def _of_title(title: str, *, read: bool) -> list[_Doubt]:
    bait = clickbait_of(title)
    if bait.score < _SURE_BAIT:
        return []
    return [((_BAIT_READ if read else _BAIT) * bait.score, f"its title reads like clickbait: {listed(bait.reasons)}")]


def _is_list(text: str) -> bool:
    """True for a page of short lines that end in no full stop, as headlines and teasers do."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 10:
        return False
    ended = sum(line.rstrip("\"'”’»)]").endswith((".", "!", "?", "…")) for line in lines)
    return ended / len(lines) < 0.15 and median(map(len, lines)) < 100 and max(map(len, lines)) < 400


def _together(found: Iterable[_Doubt]) -> Noise:
    """Independent doubts, combined."""
    parts = sorted(found, key=lambda part: -part[0])
    return Noise(1 - math.prod(1 - share for share, _ in parts), tuple(reason for _, reason in parts))

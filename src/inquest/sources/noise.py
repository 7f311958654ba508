"""How sure it is that a lead or a page is not worth reading, and why. Noise lowers a rank; it deletes no source."""

from __future__ import annotations

import re
from collections.abc import Iterable
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.domain.document import Document
from inquest.domain.search import Hit
from inquest.sources.blocked import looks_paywalled, looks_walled
from inquest.sources.clickbait import clickbait_of
from inquest.sources.spam import filler, link_farm, repeated, selling, stuffed
from inquest.text.lexicon import pattern
from inquest.text.phrases import listed
from inquest.text.regex import regex

_SURE_BAIT = 0.8
"""From this score on a title counts as bait: explanations and features often speak like bait a little."""
_BAIT = 0.5
"""What the surest bait takes away of a lead: a poor headline may stand over a true story."""
_BAIT_READ = 0.3
"""The same of a page that was read. A short page of questions and answers is no noise for its title."""
_BARE, _THIN = 80, 200
"""Characters of the article alone: below the first there is none; below the second it is no article of the press (spec
003, noise filters), but it may be a statement, a notice or an entry in a register."""
_SHORT = 500
_NOT_THE_PAGE = "not the page: "
"""How a reader's note begins that found a wall or an error page."""
_ONLY_THE_BEGINNING = "only the beginning is here"
_LISTS = pattern(__name__, "lists")
_MORE = regex(r"^(?:read more|continue reading|weiterlesen|lire la suite|leer más|mehr)\b", re.IGNORECASE)
_END = regex(r"[.!?…][\"'”’»)\]]*$")


class Noise(NamedTuple):
    """How sure it is, 0 to 1, that something is not worth reading, with a reason for each part of it."""

    share: float
    reasons: tuple[str, ...] = ()
    paywalled: bool = False
    """Only the beginning is here: no noise, for what is quoted from it stands, but to be said wherever it is shown."""


def noise_of(hit: Hit) -> Noise:
    """Of a hit, by its address, its title and what the engine says of it."""
    found = list(_of_address(hit.url, fixed=hit.snapshot is not None))
    found += _of_title(hit.title)
    if hit.details.get("sponsored") is True:
        found.append((0.8, "the engine says that it is an advertisement"))
    if not hit.title.strip() and not hit.snippet.strip():
        found.append((0.3, "neither title nor snippet"))
    return _together(found)


def noise_of_page(document: Document) -> Noise:
    """Of a page that was read: by its title, its text, its links and what the reader noted.

    Walls and error pages weigh most. The forms of spam are looked for in web pages only: a register or a feed may well
    say the same words in every line.
    """
    paywalled = any(note.startswith(_ONLY_THE_BEGINNING) for note in document.notes)
    paywalled = paywalled or bool(looks_paywalled("", document.text))
    reasons = () if not paywalled else ("only the beginning is here; the rest is for subscribers",)
    why = next((note.removeprefix(_NOT_THE_PAGE) for note in document.notes if note.startswith(_NOT_THE_PAGE)), None)
    if document.kind != "html":
        return _together(_of_title(document.title, read=True))._replace(paywalled=paywalled)
    why = why or looks_walled(document.title, document.text)
    if why:
        return _together([(0.95, f"not the page that was asked for: {why}")])
    baiting = _of_title(document.title, read=True) if document.language in (None, "en") else []
    found = [*baiting, *_of_address(document.url, fixed=False, read=True)]
    if not paywalled:
        found += _of_length(document.text)
    found += _of_form(document)
    noise = _together(found)
    return Noise(noise.share, noise.reasons + reasons, paywalled)


def _of_address(url: str, *, fixed: bool, read: bool = False) -> Iterable[tuple[float, str]]:
    """`fixed`: the bytes are archived already and change no more; `read`: it was read, so that its text speaks too."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if fixed:
        return
    if parts.path in ("", "/") and not parts.query:
        yield (0.3 if read else 0.5), "a front page, which changes, and no document"
    elif _LISTS.search(parts.path):
        yield (0.3 if read else 0.4), "a list or a form, and no document"


def _of_title(title: str, *, read: bool = False) -> list[tuple[float, str]]:
    """`read`: the page was read, so that its text speaks too."""
    bait = clickbait_of(title)
    if bait.score < _SURE_BAIT:
        return []
    return [((_BAIT_READ if read else _BAIT) * bait.score, f"its title reads like clickbait: {listed(bait.reasons)}")]


def _of_length(text: str) -> list[tuple[float, str]]:
    size = len(text.strip())
    if size < _BARE:
        return [(0.6, f"hardly any text: {size} characters")]
    if size < _THIN:
        return [(0.4, f"very little text: {size} characters")]
    if size < _SHORT:
        return [(0.2, f"little text: {size} characters")]
    return []


def _of_form(document: Document) -> list[tuple[float, str]]:
    text = document.text
    found: list[tuple[float, str]] = []
    if word := stuffed(text):
        found.append((0.5, f"stuffed with the word '{word}'"))
    if share := repeated(text):
        found.append((min(0.8, share), f"it says the same over and over: {share:.0%} of its runs of words come again"))
    if others := link_farm(text, document.links, document.url):
        found.append((0.6, f"hardly more than links, to {others} other sites"))
    found += [part for part in (selling(text, document.links), filler(text)) if part]
    if _is_list(text):
        found.append((0.35, "a list of teasers, and no text of its own"))
    return found


def _is_list(text: str) -> bool:
    """Whether a page is made of short lines that end in no full stop, as headlines and teasers do."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 10:
        return False
    if sum(bool(_MORE.match(line)) for line in lines) >= max(4, len(lines) / 5):
        return True
    ended = sum(bool(_END.search(line)) for line in lines)
    return ended / len(lines) < 0.15 and median(map(len, lines)) < 100 and max(map(len, lines)) < 400


def _together(found: Iterable[tuple[float, str]]) -> Noise:
    """Independent doubts: what is left after each of them."""
    parts = sorted(found, key=lambda part: -part[0])
    clean = 1.0
    for share, _ in parts:
        clean *= 1 - share
    return Noise(1 - clean, tuple(reason for _, reason in parts))

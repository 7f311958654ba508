"""How sure it is that a lead or a page is not worth reading, and why. Noise lowers a rank; it deletes no source.

Forms of text that was made for machines (stuffed, said over, filled, selling, or nothing but links) are counted. Every
threshold lies well above what articles show: in newspaper text the most frequent carrying word is 2 to 5 % of all words
and fewer than one run of four words in ten comes twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.domain.document import Document
from inquest.domain.search import Hit
from inquest.sources.blocked import looks_paywalled, looks_walled
from inquest.sources.clickbait import clickbait_of
from inquest.text.lexicon import pattern, word_set
from inquest.text.phrases import listed
from inquest.text.regex import regex
from inquest.text.sentences import content_words
from inquest.text.urls import registrable_domain

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


_READ = 60_000
"""Characters of a text that are counted; what is spam is spam from its beginning."""
_LEAST_WORDS = 80
_STUFFED = 0.13
"""Of the words that carry meaning, the share of the most frequent one."""
_RUN = 5
_REPEATED = 0.3
_TABLE = 0.12
"""Share of numbers among the words; reports of figures have half as many."""
_FAR = 60
"""Other sites that a page with little text links to."""

_AFFILIATE_HOSTS = word_set(__name__, "affiliate_hosts")
_AFFILIATE_MARK = pattern(__name__, "affiliate_mark")
_DISCLOSURE = pattern(__name__, "disclosure")
_CALL = pattern(__name__, "call")
_MACHINE = pattern(__name__, "machine")
_QUOTES = "\"“”„«»‘'"
_EMPTY = pattern(__name__, "empty")
_SOLID = regex(r"\d|[“”\"„«]")
"""What reports have and filler has not: figures and words of others."""


def stuffed(text: str) -> str | None:
    """The word a text is stuffed with; None: no word stands in it oftener than in articles."""
    found = content_words(text[:_READ])
    if len(found) < _LEAST_WORDS:
        return None
    counts = Counter(word for word in found if not word[0].isdigit())
    if not counts or _is_data(len(found) - counts.total(), len(found)):
        return None
    word, times = counts.most_common(1)[0]
    return word if times >= 12 and times / len(found) > _STUFFED else None


def repeated(text: str) -> float:
    """The share of a text's runs of five words that have stood in it before, where that is too much; else 0.0."""
    words = re.findall(r"\w+", text[:_READ].lower())
    runs = [tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)]
    if len(runs) < _LEAST_WORDS or _is_data(sum(word[0].isdigit() for word in words), len(words)):
        return 0.0
    share = 1 - len(set(runs)) / len(runs)
    return share if share > _REPEATED else 0.0


def _is_data(numbers: int, words: int) -> bool:
    """Whether so many of the words are numbers that it is a table, whose rows are alike by right."""
    return numbers > _TABLE * words


def link_farm(text: str, links: Sequence[str], url: str) -> int:
    """To how many other sites a page with little text of its own links, where that is all it does; else 0."""
    if len(links) < _FAR or len(text) > 8_000:
        return 0
    own = registrable_domain(url)
    others = {registrable_domain(link) for link in links[:2_000]} - {own}
    return len(others) if len(others) >= _FAR and len(others) * 60 > len(text) else 0


def selling(text: str, links: Sequence[str]) -> tuple[float, str] | None:
    """How much a text is there to sell, 0 to 1, and by what one sees it; None: it is not."""
    head = text[:_READ]
    calls = len(_CALL.findall(head))
    words = max(1, head.count(" "))
    affiliate = sum(1 for link in links[:2_000] if _is_affiliate(link))
    if affiliate >= 3 and (calls or _DISCLOSURE.search(head)):
        return 0.4, f"it earns by {affiliate} links to what it recommends"
    if calls >= 4 and calls / words > 0.006:
        return 0.4, "it calls on its reader to buy, again and again"
    return None


def _is_affiliate(link: str) -> bool:
    try:
        host = urlsplit(link).hostname or ""
    except ValueError:
        return False
    return bool(_AFFILIATE_MARK.search(link)) or registrable_domain(host) in _AFFILIATE_HOSTS


def filler(text: str) -> tuple[float, str] | None:
    """How sure it is, 0 to 1, that a text was filled by a machine, and by what one sees it; None: nothing says so."""
    head = text[:_READ]
    for mark in _MACHINE.finditer(head):
        before = head[max(0, mark.start() - 3) : mark.start()]
        if not any(char in _QUOTES for char in before):
            return 0.6, "it has the words of a chatbot about itself"
    phrases = len(_EMPTY.findall(head))
    words = head.count(" ") + 1
    if phrases >= 5 and phrases / words > 0.008 and len(_SOLID.findall(head)) / words < 0.01:
        return 0.5, f"it is made of set phrases ({phrases}), without a figure or anybody's words"
    return None

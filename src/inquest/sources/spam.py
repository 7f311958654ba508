"""Forms of text that was made for machines: stuffed, said over, filled, selling, or nothing but links. Pure counting.

Every threshold lies well above what articles show: in newspaper text the most frequent carrying word is 2 to 5 % of all
words and fewer than one run of four words in ten comes twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex
from inquest.text.sentences import content_words
from inquest.text.urls import registrable_domain

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

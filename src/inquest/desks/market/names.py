"""The company behind a ticker, as the question or leads write it: 'Nvidia (NVDA)', 'Nvidia Corp. (NASDAQ: NVDA)'.

For a question that gives a ticker only, where no list of companies could be had.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from inquest.domain.market import MarketQuestion
from inquest.domain.search import Hit
from inquest.text.securities import parse_ticker

__all__ = ["named_by_leads", "said_name"]

_LEGAL = re.compile(
    r",?\s+(?:incorporated|inc|corporation|corp|company|co|limited|ltd|plc|ag|sa|se|nv|group|holdings?)\.?$", re.I
)
_NAME = r"(?P<name>[A-Z][\w&'’.-]*(?:\s+(?:of|and|&|[A-Z][\w&'’.,-]*)){0,4})"
_NO_NAME = frozenset("why the is are will shares stock watch how what tech chipmaker carmaker".split())


def named_by_leads(question: MarketQuestion, hits: Iterable[Hit]) -> MarketQuestion:
    """The question with its company's name, where it has a ticker and no name, and the question itself or leads give
    one; else as it is. The order of the leads does not matter."""
    if question.company or len(question.tickers) != 1:
        return question
    symbol = parsed.symbol if (parsed := parse_ticker(question.tickers[0].symbol)) else question.tickers[0].symbol
    written = re.compile(rf"{_NAME}\s+\((?:[A-Z][A-Za-z]{{2,9}}\s?:\s?)?\$?{re.escape(symbol)}(?:\.[A-Z]+)?\)")
    if match := written.search(question.text):
        return question.model_copy(update={"company": _bare(match["name"])})
    votes: Counter[str] = Counter()
    for hit in hits:
        if hit.filing and hit.filing.filer and symbol in hit.filing.tickers:
            votes[_bare(hit.filing.filer)] += 1
        for match in written.finditer(f"{hit.title}\n{hit.snippet}"):
            votes[_bare(match["name"])] += 1
    votes.pop("", None)
    if not votes:
        return question
    most = max(votes.values())
    name = min(name for name, number in votes.items() if number == most)
    return question.model_copy(update={"company": name})


def said_name(registered: str, symbol: str = "") -> str:
    """A company's name as people say and papers print it: of 'NVIDIA CORP' 'Nvidia', of 'AT&T INC.' 'AT&T'.

    Registers write in capitals. A word that is the company's own ticker, has no vowel or at most two letters keeps
    them, as it is an abbreviation more often than not.
    """
    bare = _bare(_MARKS.sub("", registered.strip()))
    if not bare or re.search(r"[a-z]", bare):
        return bare or registered.strip()
    return " ".join(_cased(word, symbol, first=place == 0) for place, word in enumerate(bare.split()))


_MARKS = re.compile(r"\s*/\s?[A-Z]{2,4}/?\s*$|\s+(?:CL|CLASS)\s+[A-Z]$")
"""What registers add behind a name: '/DE/', '/ADR', '/NEW/', 'CL A'."""
_SMALL = frozenset(("OF", "AND", "THE", "DE", "FOR", "IN"))


def _cased(word: str, symbol: str, *, first: bool) -> str:
    if word in _SMALL and not first:
        return word.lower()
    short = (
        len(word) <= 2 or not re.search(r"[AEIOUY]", word) or word == symbol or "&" in word or re.search(r"\d", word)
    )
    return word if short else "-".join(part.capitalize() for part in word.split("-"))


def _bare(name: str) -> str:
    words = name.split()
    while words and words[0].lower() in _NO_NAME:
        words = words[1:]
    bare, before = " ".join(words), ""
    while bare != before:
        bare, before = _LEGAL.sub("", bare).strip(" ,."), bare
    return bare

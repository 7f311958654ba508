"""Which tickers and companies a question is about. A wrong company is worse than none.

A symbol that is also a word or a common abbreviation ('ALL', 'IT', 'NOW', 'CEO') counts only where something says that
it is a symbol: a dollar sign, its exchange, the user's own option, or words like 'the ticker ALL'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from inquest.desks.market.names import said_name
from inquest.domain.errors import InputError
from inquest.domain.market import QuestionTicker
from inquest.text.phrases import listed
from inquest.text.securities import Listing, Ticker, listing_named, parse_ticker, tickers_in
from inquest.text.sentences import STOP_WORDS, fold

__all__ = ["Named", "named_in"]

_MOST_LISTINGS_NAMED = 3
_WORDS = frozenset(
    (
        "a all an and any are as at be best big but by can cash cost did do does down ever fast fell find for free "
        "from fun "
        "future get go good gold great grow had has have he her here high his hope how i if in info is it its job "
        "just keep "
        "key kids land large last life like live low loan love man many may me meet money more most my near new "
        "next nice "
        "no not now of off on one only open or our out over own pay peak plan play post pro real red rise road run "
        "safe say "
        "see sell buy she shop so solo some sun tell than that the them then they this to today too true two up us "
        "very vs "
        "was we well were what when where which who why will win wise with work yes you your "
        "ai api ar arr bn ceo cfo coo cto chair cpi ppi gdp pmi fomc fed ecb boe boj doj ec esg etf etfs eps ev "
        "evs eu fda "
        "ftc faq fx fy gaap ghg gmt gpu cpu hq hr ifrs imf ipo ir it ma me ml mou nasdaq nyse amex lse nato ng nfp "
        "oecd oem "
        "ok opec pa pc pe pm am pr q qoq yoy rd roe roi roic sec sdg spac tv uk un usa usd eur gbp jpy chf cny vat "
        "vp vr wto "
        "ytd ttm utc est et edt pdf llc inc plc ag ltd corp k dcf crm erp iot"
    ).split()
)
"""Symbols that are words or abbreviations more often than shares."""
_SECTOR_WORDS = frozenset("it ai ev evs us uk eu esg etf tv vr pc".split())
"""Of those, the ones that stand before 'stock' as an adjective."""
_ACRONYM_DOTS = frozenset(("U.S", "U.K", "E.U", "U.N", "D.C", "A.I", "P.E", "R.D"))
_BARE = re.compile(r"(?<![\w$.@#/&-])([A-Z]{1,5}(?:[.-][A-Z]{1,4})?|\d{3,6}\.[A-Z]{2,5})(?!\w|-\w|\.\w|&)")
_SMALL_MARKED = re.compile(r"(?<![\w$])\$([a-z]{1,5}(?:[.-][a-z]{1,4})?)(?!\w)")
_BEFORE = re.compile(r"\b(?:ticker|symbol)s?:?\s+[\"'“(]?$", re.I)
_OF_SHARES = re.compile(r"\b(?:shares?|stock|price)\s+(?:of|in|for)\s+$", re.I)
_AFTER = re.compile(r"^(?:['’]s)?\s+(?:stock|share price|shares)\b(?!\s+(?:markets?|exchanges?))", re.I)
_ENDS = re.compile(
    r"^(?:['’]s)?\s*(?:[?.!,;)]|$|(?:is|are|was|were|has|have|fell|fall|rose|rise|drop|plunge|surge|jump|slide|"
    r"slip|move|trade|down|up|today|yesterday|this|after)\b)"
)
_IN_BRACKETS = re.compile(r"[\w.]\s\($")
_CAPITAL = re.compile(
    r"\b[A-Z][\w'’&.-]*(?:\s+(?:(?:of|and|&|de|du|von|the)\s+)?(?:[A-Z0-9][\w'’&.-]*|&))*", re.UNICODE
)
_SLOT = re.compile(
    r"\b(?:why (?:is|did|has|was|are)|news (?:on|about|for|from)|latest (?:on|for|from)|happen(?:ed|ing) (?:to|"
    r"with|at)|"
    r"developments? (?:for|at|on)|actions? on|analy[sz]e|shares? of|stock of|is|"
    r"about)\s+((?:[\w&.'’-]+\s+){0,2}[\w&.'’-]+)",
    re.I,
)
_NO_NAME = frozenset(
    (
        "why what when who how is are was were did does do has have the a an any latest recent breaking news "
        "analyze analyse "
        "tell show explain which monday tuesday wednesday thursday friday saturday sunday january february march "
        "april may "
        "june july august september october november december shares stock stocks market markets analysts earnings i"
    ).split()
)


class Named(NamedTuple):
    """What a question names."""

    tickers: tuple[QuestionTicker, ...]
    company: str
    notes: tuple[str, ...]


def named_in(text: str, given: Sequence[str] = (), listings: Sequence[Listing] = (), company: str = "") -> Named:
    """The tickers and the company of a question, those given by the user first.

    `listings`: the companies that the house knows, as a service's list has them; without any nothing can be looked up,
    and `known` stays None. Raises InputError where a given ticker is not written as one.
    """
    by_symbol = {each.ticker.symbol: each for each in reversed(listings) if each.ticker}
    notes: list[str] = []
    found: dict[Ticker, str] = {}
    for written in given:
        ticker = parse_ticker(written)
        if ticker is None:
            raise InputError(
                f"{written!r} is not written like a ticker.", advice="Write it like NVDA, BRK.B, VOD.L or NYSE:BRK.B."
            )
        found.setdefault(ticker, "as given")
    for ticker, how in _marked(text):
        found.setdefault(ticker, how)
    beside: list[str] = []
    for ticker, how in _bare(text, by_symbol, beside):
        if not any(ticker.symbol == other.symbol for other in found):
            found.setdefault(ticker, how)
    # A word that the user gave as a ticker needs no remark that it is one of both.
    notes += [note for note in beside if not any(note.startswith(f"{ticker.symbol} ") for ticker in found)]
    tickers = [_told(ticker, how, by_symbol, notes) for ticker, how in found.items()]
    name = company or next((each.name for each in tickers if each.name), "")
    if not tickers:
        named = [company] if company else list(_names(text))
        for each in named:
            match = _one_company(listings, each, exact=not company and each[:1].islower(), notes=notes)
            if match:
                name = said_name(match.name, match.ticker.symbol if match.ticker else "") or each
                if match.ticker:
                    tickers.append(
                        QuestionTicker(symbol=match.ticker.with_suffix, how="by the name", name=name, known=True)
                    )
                break
        if not name and (capitals := [each for each in named if each[:1].isupper()]):
            name = capitals[0]
            if listings:
                notes.append(f"No listing is known under the name {name!r}; it is searched for as it is written.")
    return Named(tuple(tickers), name, tuple(dict.fromkeys(notes)))


def _marked(text: str) -> Iterator[tuple[Ticker, str]]:
    alone = text.strip().rstrip("?!.")
    for ticker in tickers_in(text):
        if re.search(rf"\$\s?{re.escape(ticker.symbol[:3])}", text):
            yield ticker, "with a dollar sign"
        elif ":" in text:
            yield ticker, "with its exchange"
        elif fold(alone) not in _WORDS:
            yield ticker, "as written"
    for match in _SMALL_MARKED.finditer(text):
        if small := parse_ticker(match[1]):
            yield small, "with a dollar sign"


def _bare(text: str, by_symbol: Mapping[str, Listing], notes: list[str]) -> Iterator[tuple[Ticker, str]]:
    shouted = not re.search(r"[a-z]{2}", text)
    for match in _BARE.finditer(text):
        written, before, after = match[1], text[: match.start()], text[match.end() :]
        ticker = parse_ticker(written)
        if ticker is None or written in _ACRONYM_DOTS or _after_exchange(before):
            continue
        plain = written.lower()
        is_word = plain in _WORDS or plain in STOP_WORDS or len(written) == 1
        said_so = bool(_BEFORE.search(before))
        if plain not in _SECTOR_WORDS:
            said_so |= bool(_AFTER.search(after)) and not (
                plain == "all" and after.lstrip().lower().startswith("shares")
            )
            said_so |= bool(_OF_SHARES.search(before) and _ENDS.search(after))
            said_so |= bool(_IN_BRACKETS.search(before) and after.startswith(")"))
        if said_so and not shouted:
            yield ticker, "by the words around it"
        elif is_word:
            if not shouted and (ticker.symbol in by_symbol or plain in ("all", "now", "it")) and len(written) > 1:
                notes.append(
                    f"{written} is a word as well as a ticker and was read as a word; write ${written} for the share."
                )
        elif ticker.symbol in by_symbol or not shouted:
            yield ticker, "as written"


def _after_exchange(before: str) -> bool:
    return bool(re.search(r"[A-Z]\s?:\s?$", before))


def _told(ticker: Ticker, how: str, by_symbol: Mapping[str, Listing], notes: list[str]) -> QuestionTicker:
    written = ticker.with_suffix
    if not by_symbol:
        return QuestionTicker(symbol=written, how=how)
    listing = by_symbol.get(ticker.symbol)
    if listing is None and ticker.exchange in (None, "US"):
        unknown = QuestionTicker(symbol=written, how=how, known=False)
        notes.append(f"No listing is known for the ticker {unknown.shown}: it may not exist, or be listed elsewhere.")
        return unknown
    at_home = listing is not None and listing.ticker is not None
    same = at_home and ticker.exchange in (None, "US", listing.ticker.exchange)  # type: ignore[union-attr]
    # 'T.TO' is not 'T': what is listed here under the same letters may be another company.
    return QuestionTicker(
        symbol=written,
        how=how,
        name=said_name(listing.name, ticker.symbol) if listing and same else "",
        known=same or None,
    )


def _names(text: str) -> Iterator[str]:
    """What may be a company's name: runs of capitalised words, and what stands where a company is asked about."""
    if re.search(r"[a-z]{2}", text):
        for match in _CAPITAL.finditer(text):
            words = match.group().split()
            while words and fold(words[0]).strip("'’.") in _NO_NAME:
                words = words[1:]
            name = re.sub(r"['’]s?$", "", " ".join(words)).strip(" .,-&")
            if any(_may_name(word) for word in name.split()):
                yield name
    for match in _SLOT.finditer(text) if re.search(r"[a-z]{2}", text) else ():
        words = [re.sub(r"['’]s?$", "", word.strip("?.!,")) for word in match[1].split()]
        for size in range(len(words), 0, -1):
            name = " ".join(words[:size])
            if _may_name(words[0]) and fold(words[0]) not in STOP_WORDS:
                yield name.lower() if name[:1].islower() else name


def _may_name(word: str) -> bool:
    plain = fold(word).strip("'’.,&-")
    return (
        bool(plain) and plain not in _WORDS | _NO_NAME and word.strip(".") not in _ACRONYM_DOTS and not plain.isdigit()
    )


def _one_company(listings: Sequence[Listing], name: str, *, exact: bool, notes: list[str]) -> Listing | None:
    """The one company of that name. `exact`: the whole of its name, because nothing but its place marks it as a
    name."""
    found = listing_named(listings, name)
    if found is not None:
        whole = listing_named([found], name) if not exact else None
        if whole or fold(found.name).startswith(fold(name)):
            return found
        return None
    begins = [each for each in listings if fold(each.name).startswith(f"{fold(name)} ")]
    if begins and not exact:
        some = listed([each.name for each in begins[:_MOST_LISTINGS_NAMED]], "or")
        notes.append(f"{name!r} can be several companies ({some}); name one, or give its ticker.")
    return None

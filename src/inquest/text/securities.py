"""How markets and their regulators write things: tickers, exchanges, companies' names, forms, items, filing addresses.

Symbols are written differently by each service ('BRK.B', 'BRK-B', 'BRK-B.US', 'NYSE:BRK.B'), so that they are read
once, here, and written in the service's way by `Ticker`. A wrong company is worse than none: what could be two of them,
or is only a word of a sentence, is no ticker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from inquest.domain.search import Query
from inquest.text.company_names import LEGAL_WORDS
from inquest.text.lexicon import facts, pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

_EXCHANGES = facts(__name__, "exchanges")
_SUFFIXES = {code: suffix for suffix, code in _EXCHANGES.items()}
_NAMED = facts(__name__, "named_exchanges")
_CURRENCIES = frozenset("US USD EUR GBP CAD AUD NZD HKD SGD CHF JPY CNY".split())
"""What appears after a dollar sign, or in capitals of its own, and is money."""

_ROOT = r"[A-Z0-9]{1,10}"
_SYMBOL = regex(rf"{_ROOT}(?:-[A-Z]{{1,3}})?")
_MARKED = regex(r"(?<![\w$])\$([A-Z]{1,6}(?:[.-][A-Z]{1,4})?)(?!\w)")
_LISTED = regex(rf"\b({'|'.join(_NAMED)}|NYSE Arca|NYSE American)\s?:\s?([A-Z0-9]{{1,6}}(?:[.-][A-Z]{{1,3}})?)\b")
_ALONE = regex(r"[A-Z][A-Z0-9]{0,5}(?:[.-][A-Z]{1,5})?|\d{3,6}\.[A-Z]{2,5}")


class Ticker(NamedTuple):
    """A symbol, apart from the exchange it is listed on."""

    symbol: str
    """With a hyphen before the class of share: 'BRK-B'."""
    exchange: str | None = None
    """EODHD's code: 'US' for all of the United States, 'LSE', 'XETRA', ...; None: not said."""

    @property
    def with_suffix(self) -> str:
        """As FMP and Yahoo write it: 'BRK-B', 'VOD.L'; nothing is added for the United States."""
        suffix = _SUFFIXES.get(self.exchange or "")
        return f"{self.symbol}.{suffix}" if suffix else self.symbol

    @property
    def with_exchange(self) -> str:
        """As EODHD writes it: 'BRK-B.US', 'VOD.LSE'; where no exchange is said, the United States."""
        return f"{self.symbol}.{self.exchange or 'US'}"


def parse_ticker(text: str) -> Ticker | None:
    """The ticker that a text is, in any of the ways it is written; None where it is not one.

    What follows a full stop is an exchange where it is one's code or suffix, and else a class of share.
    """
    written = text.strip().removeprefix("$").upper().replace("/", "-")
    name, colon, rest = written.rpartition(":")
    exchange = _NAMED.get(name.replace(" ", ""))
    if colon and not exchange:
        return None
    root, dot, last = rest.strip().rpartition(".")
    if dot and not exchange and (found := _exchange(last)):
        exchange, rest = found, root
    symbol = rest.strip().replace(".", "-")
    return Ticker(symbol, exchange) if _SYMBOL.fullmatch(symbol) else None


def _exchange(code: str) -> str | None:
    return code if code == "US" or code in _SUFFIXES else _EXCHANGES.get(code)


def tickers_in(text: str) -> tuple[Ticker, ...]:
    """The tickers that a text writes as such: '$NVDA', 'NASDAQ: NVDA', or nothing but 'NVDA' or 'NVDA, AMD'.

    Capitals within a sentence ('the CEO of ING') are left alone: most of them are no ticker.
    """
    found = [
        *(parse_ticker(match[1]) for match in _MARKED.finditer(text) if match[1] not in _CURRENCIES),
        *(parse_ticker(f"{match[1]}:{match[2]}") for match in _LISTED.finditer(text)),
    ]
    alone = [part.strip() for part in re.split(r"[,;]", text.strip())] if len(text) < 200 else []
    if not found and alone and all(_ALONE.fullmatch(part) and part not in _CURRENCIES for part in alone):
        found = [parse_ticker(part) for part in alone]
    return tuple(dict.fromkeys(ticker for ticker in found if ticker))


def tickers_of(query: Query) -> tuple[Ticker, ...]:
    """The tickers that a query names, else those that its text writes as such."""
    named = (parse_ticker(text) for text in query.tickers)
    return tuple(dict.fromkeys(ticker for ticker in named if ticker)) or tickers_in(query.text)


# Companies

_LEGAL = LEGAL_WORDS | frozenset("companies the com de new cl class a b c adr ads common stock ordinary shares".split())
"""Words of a company's registered name that nobody says."""


class Listing(NamedTuple):
    """A company as a service's search for companies gives it."""

    ticker: Ticker | None
    name: str = ""
    key: str = ""
    """The service's own number for the company (a CIK)."""


def listing_named(listings: Sequence[Listing], text: str) -> Listing | None:
    """The listing of the company that the text names and does no more than name; None where that is not known.

    'Apple' is Apple Inc. and not Apple Hospitality; 'Berkshire' is the one company whose name begins so. Where the
    service gives no names, all that it gives must be one symbol. Among the listings of one company the one in the
    United States is taken, whose symbols all services know.
    """
    wanted = _core_of_name(text)
    if not wanted:
        return None
    cores = [(_core_of_name(listing.name), listing) for listing in listings]
    same = [listing for core, listing in cores if core == wanted]
    begins = [(core, listing) for core, listing in cores if core[: len(wanted)] == wanted]
    if not same and len({listing.key or " ".join(core) for core, listing in begins}) == 1:
        same = [listing for _, listing in begins]
    unnamed = not any(core for core, _ in cores)
    if unnamed and len({listing.ticker.symbol for listing in listings if listing.ticker}) == 1:
        same = list(listings)
    at_home = [listing for listing in same if listing.ticker and listing.ticker.exchange in (None, "US")]
    return next(iter(at_home or same), None)


def _core_of_name(name: str) -> tuple[str, ...]:
    words: list[str] = re.findall(r"\w+", fold(name[:300]).replace("'", "").replace("’", ""))
    core = [word for word in words if word not in _LEGAL]
    return tuple(core or words)


# Filings

_FORM = pattern(__name__, "form")
_ABOUT_FORMS = regex(r"\b(?:SEC|EDGAR|[Ll]atest|[Rr]ecent|[Cc]urrent|[Ff]ilings?|[Rr]eports?|[Ff]orms?)\b")
_FORMS = facts(__name__, "sec_forms")
_ITEMS = facts(__name__, "sec_items")
_ITEM = regex(r"(?<![\d.])([1-9]\.\d{2})(?![\d.])")
_ACCESSION = regex(r"(?<!\d)(\d{10})-?(\d{2})-?(\d{6})(?!\d)")
_FILER = regex(r"\(CIK (\d{1,10})\)")


def forms_in(text: str) -> tuple[str, ...]:
    """The forms of the SEC that a text names: '8-K', '10-K/A', 'Form 4'."""
    return tuple(dict.fromkeys((match["form"] or match["number"]).upper() for match in _FORM.finditer(text)))


def without_forms(text: str) -> str:
    """A text without the forms it names and the words that go with them: of 'Nvidia 8-K filings', 'Nvidia'."""
    return " ".join(_ABOUT_FORMS.sub(" ", _FORM.sub(" ", text)).split())


def form_title(form: str) -> str:
    """A form with what it is, in words, where that is known: '8-K (current report)'."""
    known = (_FORMS.get(form.removesuffix("/A"), ""), "amended" if form.endswith("/A") else "")
    meaning = ", ".join(filter(None, known))
    return f"{form} ({meaning})" if meaning else form


def items_in(text: str) -> tuple[str, ...]:
    """The items of an 8-K that a text names: '2.02,9.01' or 'Item 2.02: Results of ...'."""
    return tuple(dict.fromkeys(_ITEM.findall(text)))


def item_title(item: str) -> str:
    """An item of an 8-K with its name: '2.02 Results of operations and financial condition'."""
    return f"{item} {_ITEMS[item]}" if item in _ITEMS else item


def cik_of(value: object) -> str | None:
    """A CIK with its ten digits, from a number or digits with or without leading zeros; None where it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    digits = str(value).strip() if not isinstance(value, int) or 0 <= value < 10**10 else ""
    return digits.zfill(10) if re.fullmatch(r"[0-9]{1,10}", digits) and int(digits) else None


def accession_of(value: object) -> str | None:
    """The accession number in a text, with its hyphens: '0000320193-24-000067'; None where there is none."""
    match = _ACCESSION.search(value[:500]) if isinstance(value, str) else None
    return "-".join(match.groups()) if match else None


def filing_url(cik: str, accession: str, document: str = "") -> str:
    """Where EDGAR keeps a document of a filing; without one, the filing's own list of its documents."""
    folder = f"https://www.sec.gov/Archives/edgar/data/{int(cik)}/{accession.replace('-', '')}"
    name = quote(document.strip().lstrip("/"), safe="/-_.~", errors="replace")
    return f"{folder}/{name or f'{accession}-index.htm'}"


def filers_of(names: Iterable[str]) -> list[Listing]:
    """Who filed, one for each ticker, of EDGAR's way of saying it: 'Apple Inc.  (AAPL)  (CIK 0000320193)'."""
    found: list[Listing] = []
    for text in names:
        match = _FILER.search(text[:500])
        written = text[: match.start() if match else 500].strip()
        name, _, marks = written.rpartition("  (") if written.endswith(")") else (written, "", "")
        tickers = [ticker for mark in marks.rstrip(")").split(",") if (ticker := parse_ticker(mark))]
        key = (cik_of(match[1]) or "") if match else ""
        plain = " ".join((name or written).split())
        found += [Listing(ticker=ticker, name=plain, key=key) for ticker in (*tickers, *([] if tickers else [None]))]
    return found


# Time


def eastern(written: object) -> object:
    """'2026-01-14 16:05:00', a wall clock in New York, with its offset from UTC; anything else as it is."""
    if not isinstance(written, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", written.strip()):
        return written
    try:
        return datetime.fromisoformat(written.strip()).replace(tzinfo=ZoneInfo("America/New_York")).isoformat()
    except ValueError:
        return written

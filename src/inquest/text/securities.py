"""Spellings of markets and their regulators: tickers, exchanges, companies' names, forms, items, filing addresses.

Each service spells symbols differently ('BRK.B', 'BRK-B', 'BRK-B.US', 'NYSE:BRK.B'); they are parsed here, and `Ticker`
has their spellings. A wrong company is worse than none: ambiguous symbols and words of a sentence are not tickers."""

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
"""Words after a dollar sign, or in capitals, that mean money."""

_ROOT = r"[A-Z0-9]{1,10}"
_SYMBOL = regex(rf"{_ROOT}(?:-[A-Z]{{1,3}})?")
_MARKED = regex(r"(?<![\w$])\$([A-Z]{1,6}(?:[.-][A-Z]{1,4})?)(?!\w)")
_LISTED = regex(rf"\b({'|'.join(_NAMED)}|NYSE Arca|NYSE American)\s?:\s?([A-Z0-9]{{1,6}}(?:[.-][A-Z]{{1,3}})?)\b")
_ALONE = regex(r"[A-Z][A-Z0-9]{0,5}(?:[.-][A-Z]{1,5})?|\d{3,6}\.[A-Z]{2,5}")


class Ticker(NamedTuple):
    """A symbol and the exchange it is listed on."""

    symbol: str  # The symbol, with a hyphen before the class of share: 'BRK-B'
    exchange: str | None = None
    """EODHD's code: 'US' for all of the United States, 'LSE', 'XETRA', ...; None if not given."""

    @property
    def with_suffix(self) -> str:
        """The spelling of FMP and Yahoo: 'BRK-B', 'VOD.L'; no suffix for the United States."""
        suffix = _SUFFIXES.get(self.exchange or "")
        return f"{self.symbol}.{suffix}" if suffix else self.symbol

    @property
    def with_exchange(self) -> str:
        """The spelling of EODHD: 'BRK-B.US', 'VOD.LSE'; the United States by default."""
        return f"{self.symbol}.{self.exchange or 'US'}"


def parse_ticker(text: str) -> Ticker | None:
    """Parse any spelling of a ticker; None if the text is not one. Letters after a full stop are an exchange if they
    are the code or suffix of one, else a class of share."""
    written = text.strip().removeprefix("$").upper().replace("/", "-")
    name, colon, rest = written.rpartition(":")
    exchange = _NAMED.get(name.replace(" ", ""))
    if colon and not exchange:
        return None
    root, dot, last = rest.strip().rpartition(".")
    code = last if last == "US" or last in _SUFFIXES else _EXCHANGES.get(last)
    if dot and code and not exchange:
        exchange, rest = code, root
    symbol = rest.strip().replace(".", "-")
    return Ticker(symbol, exchange) if _SYMBOL.fullmatch(symbol) else None


def tickers_in(text: str) -> tuple[Ticker, ...]:
    """The tickers marked as such in a text ('$NVDA', 'NASDAQ: NVDA'), or a text of nothing but tickers ('NVDA, AMD').
    Capitals within a sentence ('the CEO of ING') are ignored: most are not tickers."""
    found = [
        *(parse_ticker(match[1]) for match in _MARKED.finditer(text) if match[1] not in _CURRENCIES),
        *(parse_ticker(f"{match[1]}:{match[2]}") for match in _LISTED.finditer(text)),
    ]
    alone = [part.strip() for part in re.split(r"[,;]", text.strip())] if len(text) < 200 else []
    if not found and alone and all(_ALONE.fullmatch(part) and part not in _CURRENCIES for part in alone):
        found = [parse_ticker(part) for part in alone]
    return tuple(dict.fromkeys(ticker for ticker in found if ticker))


def tickers_of(query: Query) -> tuple[Ticker, ...]:
    """The tickers of a query, else those in its text."""
    named = (parse_ticker(text) for text in query.tickers)
    return tuple(dict.fromkeys(ticker for ticker in named if ticker)) or tickers_in(query.text)


_LEGAL = LEGAL_WORDS | frozenset("companies the com de new cl class a b c adr ads common stock ordinary shares".split())
"""Words of a registered name that are left out in speech."""


class Listing(NamedTuple):
    """A company in the results of a service's company search."""

    ticker: Ticker | None
    name: str = ""
    key: str = ""  # The service's own number for the company (a CIK)


def listing_named(listings: Sequence[Listing], text: str) -> Listing | None:
    """Return the listing of the company whose name is the whole text, or None if that is not clear. 'Apple' is Apple
    Inc. and not Apple Hospitality; 'Berkshire' is the only company whose name begins so. If the service returns no
    names, all listings must have one symbol. Among the listings of one company, the one in the United States is
    preferred, since all services know its symbol."""
    wanted = _core_of_name(text)
    if not wanted:
        return None
    cores = [(_core_of_name(listing.name), listing) for listing in listings]
    same = [listing for core, listing in cores if core == wanted]
    begins = [(core, listing) for core, listing in cores if core[: len(wanted)] == wanted]
    if not same and len({listing.key or " ".join(core) for core, listing in begins}) == 1:
        same = [listing for _, listing in begins]
    if (
        not any(core for core, _ in cores)
        and len({listing.ticker.symbol for listing in listings if listing.ticker}) == 1
    ):
        same = list(listings)
    at_home = [listing for listing in same if listing.ticker and listing.ticker.exchange in (None, "US")]
    return next(iter(at_home or same), None)


def _core_of_name(name: str) -> tuple[str, ...]:
    words: list[str] = re.findall(r"\w+", fold(name[:300]).replace("'", "").replace("’", ""))
    core = [word for word in words if word not in _LEGAL]
    return tuple(core or words)


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
    """Remove the forms that a text names and the words around them: 'Nvidia 8-K filings' -> 'Nvidia'."""
    return " ".join(_ABOUT_FORMS.sub(" ", _FORM.sub(" ", text)).split())


def form_title(form: str) -> str:
    """A form with its meaning, if known: '8-K (current report)'."""
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
    """Return a CIK with ten digits, from a number or digits with or without leading zeros; None if it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    digits = str(value).strip() if not isinstance(value, int) or 0 <= value < 10**10 else ""
    return digits.zfill(10) if re.fullmatch(r"[0-9]{1,10}", digits) and int(digits) else None


def accession_of(value: object) -> str | None:
    """The accession number in a text, with hyphens: '0000320193-24-000067'; None if absent."""
    match = _ACCESSION.search(value[:500]) if isinstance(value, str) else None
    return "-".join(match.groups()) if match else None


def filing_url(cik: str, accession: str, document: str = "") -> str:
    """The address of a document of a filing in EDGAR; by default, of the index of the filing."""
    folder = f"https://www.sec.gov/Archives/edgar/data/{int(cik)}/{accession.replace('-', '')}"
    name = quote(document.strip().lstrip("/"), safe="/-_.~", errors="replace")
    return f"{folder}/{name or f'{accession}-index.htm'}"


def filers_of(names: Iterable[str]) -> list[Listing]:
    """Parse filers as EDGAR writes them, 'Apple Inc.  (AAPL)  (CIK 0000320193)', into a listing for each ticker."""
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


def eastern(written: object) -> object:
    """Add the offset from UTC to a local time in New York, '2026-01-14 16:05:00'; return other values unchanged."""
    if not isinstance(written, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", written.strip()):
        return written
    try:
        return datetime.fromisoformat(written.strip()).replace(tzinfo=ZoneInfo("America/New_York")).isoformat()
    except ValueError:
        return written

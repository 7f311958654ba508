"""What a user asks the market desk, as given: the question's text is the brief's."""

from __future__ import annotations

from inquest.domain.market import Upstream
from inquest.domain.value import Value


class NamedFiling(Value):
    """A filing that the user named: by an address, a file or the number that the SEC gave it."""

    given: str
    """As the user wrote it."""
    url: str = ""
    """Of a page or a file; '': only its number is known."""
    accession: str = ""
    """'0001045810-26-000021'."""
    snapshot: str = ""
    """Of a file: its bytes, archived when it was named."""


class MarketRequest(Value):
    """What stands beside the question."""

    tickers: tuple[str, ...] = ()
    """As the user wrote them."""
    company: str = ""
    sector: str = ""
    filings: tuple[NamedFiling, ...] = ()
    upstream: Upstream | None = None
    saved: bool = False
    """Whether the case is kept for longer than a day."""

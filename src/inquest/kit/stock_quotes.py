"""The figures of a quote, whichever service names them and however."""

from __future__ import annotations

from collections.abc import Mapping

from inquest.domain.leads import Figure
from inquest.domain.published import Published

QUOTED = {
    "price": "price", "close": "price", "change": "change", "changePercentage": "change_percent",
    "changesPercentage": "change_percent", "change_p": "change_percent", "previousClose": "previous_close",
    "open": "open", "dayHigh": "day_high", "high": "day_high", "dayLow": "day_low", "low": "day_low",
    "volume": "volume", "marketCap": "market_cap", "yearHigh": "year_high", "yearLow": "year_low",
}  # fmt: skip
"""The fields of FMP's (newer and older) and EODHD's quotes, to the names that figures have here."""

_UNITS = {"change_percent": "%", "volume": "shares"}
"""Of prices no service says the currency."""


def quote_figures(
    symbol: str, values: Mapping[str, float | None], by: str | None, at: Published | None
) -> tuple[Figure, ...]:
    """The figures of a quote, by the services' names of their fields, those that have no value left out.

    `values`: of the fields in `QUOTED`; `by`: the exchange, where it is stated.
    """
    found: dict[str, float] = {}
    for field, name in QUOTED.items():
        value = values.get(field)
        if value is not None:
            found.setdefault(name, value)
    previous = found.get("previous_close")
    return tuple(
        Figure(
            subject=symbol,
            name=name,
            value=value,
            unit=_UNITS.get(name),
            previous=previous if name == "price" else None,
            by=by,
            at=at,
        )
        for name, value in found.items()
    )

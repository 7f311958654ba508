"""SerpApi: Google's and Bing's result pages as JSON; needs a key, one for both.

One file with two engines, because the service, the key and the form of the reply are one: `serpapi` asks Google,
`serpapi_bing` Bing (whose own API was retired), so that a user chooses between them, or takes both, by name. A query
for news only goes to the news search of the same engine.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, country_of, secrets, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, listed, listing, mapping, web_url
from inquest.kit.refusal import refusal
from inquest.text.dates import utc

_SPEC = EngineSpec(
    name="serpapi",
    title="Google (SerpApi)",
    kinds=(EngineKind.WEB, EngineKind.NEWS),
    key="SERPAPI_API_KEY",
    homepage="https://serpapi.com/",
    documentation="https://serpapi.com/search-api",
    # A fifth of a plan's searches may be made in one hour, so of the smallest plan about one in 20 seconds; short runs
    # may be faster. $75 for 5,000 searches: serpapi.com/pricing.
    limits=Limits(per_second=2, concurrency=2),
    usd_per_call=0.015,
    filters_time=True,
    filters_domains=True,
    filters_language=True,
    from_recordings=False,
)


class SerpApi(Engine):
    """The web and news by Google."""

    spec = _SPEC
    refused_in = (("error",),)

    def request(self, query: Query) -> Request:
        parameters = self._parameters(query, news=query.kinds == (EngineKind.NEWS,))
        url = address("https://serpapi.com/search.json", parameters | {"q": spoken(query), "api_key": self.access.key})
        return Request(url=url, secrets=secrets(self.access.key))

    def _parameters(self, query: Query, *, news: bool) -> dict[str, str | int | None]:
        language, country = country_of(query.language)
        return {
            "engine": "google",
            "tbm": "nws" if news else None,
            "num": count(query, 100),
            "hl": language,
            "gl": country.lower(),
            "lr": f"lang_{language}" if query.language else None,
            "tbs": f"cdr:1,cd_min:{_american(query.since)},cd_max:{_american(query.until)}"
            if query.since or query.until
            else None,
        }

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        found = [item for name in ("organic_results", "news_results") for item in listed(data.get(name))]
        said = as_text(data.get("error"))
        if said and not found and "any results" not in said:  # "hasn't returned any results" is an answer
            raise refusal(self, said)
        if not found and not said and not {"search_metadata", "search_information", "organic_results"} & data.keys():
            raise ValueError("neither results nor a search without any")
        flat = [story for item in found for story in (listing(dig(item, "stories")) or [item])]
        return self.hits(flat, lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        return Hit(
            url=web_url(fields.get("link")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("snippet")),
            engine=self.name,
            rank=rank,
            published=dated(fields, "iso_date", "date", now=reply.at, month_first=True),
            publisher=as_text(dig(fields, "source", "name")) or as_text(fields.get("source")) or None,
        )


class SerpApiBing(SerpApi):
    """The web and news by Bing."""

    spec = _SPEC.model_copy(update={"name": "serpapi_bing", "title": "Bing (SerpApi)", "filters_time": False})

    def _parameters(self, query: Query, *, news: bool) -> dict[str, str | int | None]:
        language, country = country_of(query.language)
        return {
            "engine": "bing_news" if news else "bing",
            "count": count(query, 50),
            "mkt": f"{language}-{country}" if query.language else None,
        }


def _american(moment: datetime | None) -> str:
    return f"{utc(moment):%m/%d/%Y}" if moment else ""

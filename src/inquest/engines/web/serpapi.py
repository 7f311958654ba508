"""SerpApi: Google's and Bing's result pages as JSON; needs a key, one for both.

The two engines share service, key and format of replies: `serpapi` searches Google, `serpapi_bing` Bing (its own API
was retired). A query for news only uses the news search of the same engine.
"""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, country_of, google_range, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, first_text, listed, listing, mapping, web_url

_SPEC = EngineSpec(
    name="serpapi",
    title="Google (SerpApi)",
    kinds=(EngineKind.WEB, EngineKind.NEWS),
    key="SERPAPI_API_KEY",
    homepage="https://serpapi.com/",
    documentation="https://serpapi.com/search-api",
    # An hour allows a fifth of a plan's searches, in the smallest plan about one in 20 seconds. $75 for 5,000 searches:
    # serpapi.com/pricing.
    limits=Limits(per_second=2, concurrency=2),
    usd_per_call=0.015,
    filters_time=True,
    filters_domains=True,
    filters_language=True,
)


class SerpApi(Engine):
    """The web and news by Google."""

    spec = _SPEC
    refused_in = (("error",),)

    def request(self, query: Query) -> Request:
        parameters = self._parameters(query, news=query.kinds == (EngineKind.NEWS,))
        parameters |= {"q": spoken(query), "api_key": self.access.key}
        return self.get("https://serpapi.com/search.json", parameters)

    def _parameters(self, query: Query, *, news: bool) -> dict[str, str | int | None]:
        language, country = country_of(query.language)
        return {
            "engine": "google",
            "tbm": "nws" if news else None,
            "num": count(query, 100),
            "hl": language,
            "gl": country.lower(),
            "lr": f"lang_{language}" if query.language else None,
            "tbs": google_range(query),
        }

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        found = [item for name in ("organic_results", "news_results") for item in listed(data.get(name))]
        error = as_text(data.get("error"))
        if error and not found and "any results" not in error:  # "hasn't returned any results" is not a failure
            raise self.refusal(error)
        if not found and not error and not {"search_metadata", "search_information", "organic_results"} & data.keys():
            raise ValueError("neither results nor an empty search")
        flat = [story for item in found for story in (listing(dig(item, "stories")) or [item])]
        return self.hits(flat, lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("link")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("snippet")),
            published=dated(fields, "iso_date", "date", now=reply.at, month_first=True),
            publisher=first_text(dig(fields, "source", "name"), fields.get("source")) or None,
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

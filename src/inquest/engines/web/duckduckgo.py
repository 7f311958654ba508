"""DuckDuckGo's HTML form: no key, no script. Its client libraries do their own HTTP and are therefore not used."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from inquest.domain.errors import EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import country_of, day, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import web_url
from inquest.sources.originals import duckduckgo_target
from inquest.text.dates import parse_date
from inquest.text.markup import html_root, plain

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CHALLENGES = ("anomaly-modal", "anomaly.js", "challenge-form", "bots use duckduckgo too")


class DuckDuckGo(Engine):
    """The web by DuckDuckGo, without advertisements and redirects."""

    spec = EngineSpec(
        name="duckduckgo",
        title="DuckDuckGo",
        kinds=(EngineKind.WEB,),
        homepage="https://duckduckgo.com/",
        documentation="https://duckduckgo.com/duckduckgo-help-pages/results/syntax/",
        # No limit is published; at a higher rate it shows a CAPTCHA.
        limits=Limits(per_second=0.5, concurrency=1),
        filters_time=True,
        filters_domains=True,
    )

    def request(self, query: Query) -> Request:
        form = {"q": spoken(query)}
        if query.language:
            language, country = country_of(query.language)
            form["kl"] = f"{country}-{language}".lower()
        if query.since or query.until:
            # The form requires both ends.
            form["df"] = f"{day(query.since) or '1990-01-01'}..{day(query.until) or '2099-12-31'}"
        return Request(
            url="https://html.duckduckgo.com/html/",
            method="POST",
            headers=(("content-type", "application/x-www-form-urlencoded"),),
            body=urlencode(form, errors="replace").encode("ascii"),
        )

    def check(self, reply: Reply) -> None:
        page = reply.text().lower()
        if reply.status == 202 or (any(mark in page for mark in _CHALLENGES) and 'class="result__a"' not in page):
            advice = "Wait some minutes, or choose other engines."
            raise EngineQuota(self.name, "DuckDuckGo shows a CAPTCHA instead of results.", advice=advice)
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        page = html_root(reply.text())
        results = page.find_class("result")
        if not results and "error-lite@duckduckgo.com" in reply.text():
            raise EngineUnavailable(self.name, "DuckDuckGo shows its error page instead of results.")
        if not results and not page.find_class("no-results") and not page.xpath("//*[@id='links']"):
            raise ValueError("a page without a list of results")
        return self.hits(results, lambda result: self._hit(result, reply))

    def _hit(self, result: HtmlElement, reply: Reply) -> Hit | None:
        links, marks = result.find_class("result__a"), result.get("class", "")
        if not links or "result--ad" in marks or "result--no-result" in marks:
            return None
        if not (url := duckduckgo_target(web_url(links[0].get("href")))):
            return None
        snippets, extras = result.find_class("result__snippet"), result.find_class("result__extras__url")
        spans = (parse_date(span.text_content(), now=reply.at) for extra in extras for span in extra.iter("span"))
        return Hit(
            url=web_url(url),
            title=plain(links[0].text_content()),
            snippet=plain(snippets[0].text_content()) if snippets else "",
            published=next((date for date in spans if date), None),
        )

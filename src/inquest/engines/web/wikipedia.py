"""Wikipedia through the MediaWiki search API, in the edition of the query's language. No key."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dig, mapping, present, whole
from inquest.text.dates import parse_date


class Wikipedia(Engine):
    """Encyclopaedia articles, dated by their last revision, which is the text that readers see."""

    spec = EngineSpec(
        name="wikipedia",
        title="Wikipedia",
        kinds=(EngineKind.WEB,),
        homepage="https://www.wikipedia.org/",
        documentation="https://www.mediawiki.org/wiki/API:Search",
        # No limit is published, but sequential requests are recommended: www.mediawiki.org/wiki/API:Etiquette.
        limits=Limits(per_second=5, concurrency=2),
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        language = (query.language or "en").lower()
        edition = language if re.fullmatch(r"[a-z]{2,3}", language) else "en"
        parameters = {
            "action": "query",
            "list": "search",
            "srsearch": words(query, limit=300),
            "srlimit": count(query, 50),
            "srprop": "snippet|timestamp|wordcount",
            "format": "json",
            "formatversion": 2,
            "maxlag": 5,
        }
        return self.get(f"https://{edition}.wikipedia.org/w/api.php", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if error := data.get("error"):
            raise self.refusal(dig(error, "code"), dig(error, "info"))
        return self.hits(data["query"]["search"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        title = fields["title"]
        if not isinstance(title, str) or not title.strip():
            raise ValueError("an article without a title")
        host = urlsplit(reply.url).hostname or ""
        host = host if host.endswith(".wikipedia.org") else "en.wikipedia.org"
        page = whole(fields.get("pageid"))
        return Hit(
            url=f"https://{host}/wiki/{quote(title.strip().replace(' ', '_'), safe='/:(),!*;@~')}",
            title=as_text(title),
            snippet=as_text(fields.get("snippet")),
            published=parse_date(fields.get("timestamp"), now=reply.at, how="engine, last revision"),
            publisher="Wikipedia",
            language=host.split(".")[0],
            details=present(page_id=page, words=whole(fields.get("wordcount"))),
        )

"""Semantic Scholar: 220 million papers, with the number and influence of their citations. A key is optional.

All users without a key share one quota, which is often used up.
"""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, with_key, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, doi_of, each, first_text, listing, mapping, people, whole
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import made_work
from inquest.text.urls import arxiv_of

_FIELDS = (
    "title,abstract,externalIds,url,venue,publicationVenue,journal,year,publicationDate,publicationTypes,citationCount,"
    "influentialCitationCount,openAccessPdf,authors"
)
_NUMBERS = {"arxiv": "ArXiv", "pmid": "PubMed", "pmcid": "PubMedCentral"}


class SemanticScholar(Engine):
    """Papers of all fields, found by meaning as well as by words."""

    spec = EngineSpec(
        name="semantic_scholar",
        title="Semantic Scholar",
        kinds=(EngineKind.SCHOLARLY,),
        key="SEMANTIC_SCHOLAR_API_KEY",
        key_optional=True,
        homepage="https://www.semanticscholar.org/",
        documentation="https://api.semanticscholar.org/api-docs/graph",
        limits=Limits(per_second=1, concurrency=1),  # www.semanticscholar.org/product/api, with a key
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        since, until = day(query.since), day(query.until)
        parameters = {
            "query": words(query),
            "limit": count(query, 100),
            "fields": _FIELDS,
            "publicationDateOrYear": f"{since or ''}:{until or ''}" if since or until else None,
        }
        request = self.get("https://api.semanticscholar.org/graph/v1/paper/search", parameters)
        return with_key(request, self.access.key, "x-api-key")

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if error := data.get("error") or data.get("message"):
            raise self.refusal(error)
        # Without results, the total is 0 and the list may be missing.
        found = [data] if "paperId" in data else [] if data.get("total") == 0 and "data" not in data else data["data"]
        return self.hits(found, lambda item: self._hit(item, reply))

    def _hit(self, item: object, reply: Reply) -> Hit:
        paper, ids = mapping(item), mapping(mapping(item).get("externalIds"))
        key, title, arxiv = as_text(paper.get("paperId")), as_text(paper.get("title")), arxiv_of(ids.get("ArXiv"))
        names = (dig(paper, "publicationVenue", "name"), paper.get("venue"), dig(paper, "journal", "name"))
        described = made_work(
            *(as_text(name) for name in listing(paper.get("publicationTypes"))),
            title=title,
            doi=doi_of(ids.get("DOI")) or (f"10.48550/arxiv.{arxiv}" if arxiv else None),
            venue=first_text(*names) or None,
            citations=whole(paper.get("citationCount")),
            influential_citations=whole(paper.get("influentialCitationCount")),
            open_access_url=as_text(dig(paper, "openAccessPdf", "url")) or None,
        )
        return scholarly_hit(
            described,
            title=title,
            otherwise=paper.get("url") or (f"https://www.semanticscholar.org/paper/{key}" if key else None),
            snippet=first_text(paper.get("abstract"), dig(paper, "tldr", "text")),
            published=dated(paper, "publicationDate", "year", now=reply.at),
            author=people(each(paper.get("authors"), "name")),
            numbers={"semantic_scholar": key} | {name: as_text(ids.get(theirs)) for name, theirs in _NUMBERS.items()},
        )

"""CORE: 300 million open-access papers, reports and theses from repositories worldwide; needs a free key."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, language_of, quoted_keywords, with_key
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, doi_of, each, listing, mapping, people, whole
from inquest.kit.scholarly import scholarly_hit, year_if_new_year
from inquest.sources.works import made_work
from inquest.text.dates import utc
from inquest.text.urls import arxiv_of


class Core(Engine):
    """Open copies of papers, mostly manuscripts, and reports and theses."""

    spec = EngineSpec(
        name="core",
        title="CORE",
        kinds=(EngineKind.SCHOLARLY,),
        key="CORE_API_KEY",
        homepage="https://core.ac.uk/",
        documentation="https://api.core.ac.uk/docs/v3",
        # Registered users have 1,000 tokens a day and 10 a minute: core.ac.uk/services/api#what-is-included.
        limits=Limits(per_second=1 / 6, per_day=1000, concurrency=1),
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        terms = quoted_keywords(query, plain=False, most=8)
        terms += [f"yearPublished>={utc(query.since).year}"] if query.since else []
        terms += [f"yearPublished<={utc(query.until).year}"] if query.until else []
        parameters = {"q": " AND ".join(terms), "limit": count(query, 100)}
        # Without the final slash, the service redirects.
        return with_key(self.get("https://api.core.ac.uk/v3/search/works/", parameters), self.access.key)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "results" not in data and (error := data.get("message") or data.get("error")):
            raise self.refusal(error)
        found = [data] if "results" not in data and "outputs" in data else data["results"]
        return self.hits(found, lambda item: self._hit(mapping(item), reply))

    def _hit(self, work: Fields, reply: Reply) -> Hit:
        number, title, arxiv = as_text(work.get("id")), as_text(work.get("title")), arxiv_of(work.get("arxivId"))
        links = {as_text(dig(link, "type")): dig(link, "url") for link in listing(work.get("links"))}
        journal = as_text(dig(work, "journals", 0, "title"))
        kind = as_text(work.get("documentType"))
        described = made_work(
            "article" if kind in ("", "research") and journal else kind if kind != "research" else None,
            title=title,
            doi=doi_of(work.get("doi")) or (f"10.48550/arxiv.{arxiv}" if arxiv else None),
            venue=journal,
            citations=whole(work.get("citationCount")),
            open_access_url=as_text(work.get("downloadUrl")) or None,
        )
        return scholarly_hit(
            described,
            title=title,
            otherwise=links.get("display") or (f"https://core.ac.uk/works/{number}" if number.isdigit() else None),
            snippet=as_text(work.get("abstract")),
            published=year_if_new_year(dated(work, "publishedDate", "yearPublished", now=reply.at)),
            author=people(each(work.get("authors"), "name")),
            publisher=as_text(work.get("publisher")),
            language=language_of(dig(work, "language", "code")),
            numbers={"core": number, "arxiv": arxiv, "pmid": as_text(work.get("pubmedId"))},
        )

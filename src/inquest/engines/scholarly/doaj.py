"""DOAJ: ten million papers of open-access journals that it has vetted. No key.

It requires peer review of every journal: doaj.org/apply/guide.
"""

from __future__ import annotations

from urllib.parse import quote

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, quoted_keywords
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, doi_of, each, first_text, listing, mapping, people
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import made_work


class DOAJ(Engine):
    """Papers of the Directory of Open Access Journals, each free to read."""

    spec = EngineSpec(
        name="doaj",
        title="DOAJ",
        kinds=(EngineKind.SCHOLARLY,),
        homepage="https://doaj.org/",
        documentation="https://doaj.org/api/docs",
        limits=Limits(per_second=2, concurrency=2),  # two a second on average, with bursts: doaj.org/docs/faq
        filters_time=True,
    )
    refused_in = (("error",),)

    def request(self, query: Query) -> Request:
        terms = quoted_keywords(query) or ["*"]
        if query.since or query.until:
            since, until = query.since.year if query.since else "*", query.until.year if query.until else "*"
            terms.append(f"bibjson.year:[{since} TO {until}]")
        # The query is part of the path, in which a plus is not a space.
        path = quote(" AND ".join(terms), safe="", errors="replace")
        return self.get(f"https://doaj.org/api/search/articles/{path}", {"pageSize": count(query, 100)})

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "results" not in data and data.get("error"):
            raise self.refusal(data["error"])
        return self.hits(data["results"], lambda item: self._hit(item, reply))

    def _hit(self, item: object, reply: Reply) -> Hit:
        key, paper = as_text(dig(item, "id")), mapping(dig(item, "bibjson"))
        numbers = {as_text(dig(n, "type")).lower(): dig(n, "id") for n in listing(paper.get("identifier"))}
        journal, title = as_text(dig(paper, "journal", "title")), as_text(paper.get("title"))
        copies = [dig(link, "url") for link in listing(paper.get("link")) if dig(link, "type") == "fulltext"]
        year, month = as_text(paper.get("year")), as_text(paper.get("month"))
        printed = {"month": f"{year}-{month:0>2}" if month.isdigit() else None, "year": year}
        described = made_work(
            "journal-article",
            title=title,
            doi=doi_of(numbers.get("doi")),
            venue=journal,
            reviewed=f"in {journal}, a journal that DOAJ lists as peer-reviewed" if journal else None,
            open_access_url=first_text(*copies) or None,
        )
        return scholarly_hit(
            described,
            title=title,
            otherwise=f"https://doaj.org/article/{key}" if key.isalnum() else None,
            snippet=as_text(paper.get("abstract")),
            published=dated(printed, "month", "year", now=reply.at),
            author=people(each(paper.get("author"), "name")),
            publisher=as_text(dig(paper, "journal", "publisher")) or None,
            numbers={"doaj": key or None},
        )

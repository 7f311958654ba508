"""PubMed: 38 million medical papers, by two calls and without abstracts (europepmc has them). The key is optional."""

from __future__ import annotations

from collections.abc import Generator

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, keywords
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, doi_of, each, first_text, listed, listing, mapping, people
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import linked_notices, made_work

_TOOLS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"


class PubMed(Engine):
    """Papers indexed by the National Library of Medicine."""

    spec = EngineSpec(
        name="pubmed",
        title="PubMed",
        kinds=(EngineKind.SCHOLARLY,),
        key="NCBI_API_KEY",
        key_optional=True,
        homepage="https://pubmed.ncbi.nlm.nih.gov/",
        documentation="https://www.ncbi.nlm.nih.gov/books/NBK25501/",
        limits=Limits(per_second=3, concurrency=2),  # without a key; ten with one: NBK25497, 'Usage Guidelines'
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        span = f"{day(query.since) or '1500'}:{day(query.until) or '3000'}[dp]".replace("-", "/")
        term = " ".join(keywords(query)).lower() + (f" AND {span}" if query.since or query.until else "")
        return self._ask("esearch", {"term": term, "retmax": count(query, 100), "sort": "relevance"})

    def _ask(self, tool: str, parameters: Fields) -> Request:
        who = {"retmode": "json", "tool": "inquest", "email": self.access.contact, "api_key": self.access.key}
        return self.get(f"{_TOOLS}/{tool}.fcgi", {"db": "pubmed", **parameters, **who})

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        found = self.parsed((yield self.request(query)), self._numbers)
        if not found:
            return []
        reply = yield self._ask("esummary", {"id": ",".join(found[: count(query, 100)])})
        return self.parsed(reply, self.parse)[: query.limit]

    def _numbers(self, reply: Reply) -> list[str]:
        result = self._part(reply, "esearchresult")
        return [number for each in listed(result["idlist"]) if (number := as_text(each)).isdigit()]

    def parse(self, reply: Reply) -> list[Hit]:
        papers = self._part(reply, "result")
        return self.hits([papers.get(uid) for uid in papers["uids"]], lambda item: self._hit(mapping(item), reply))

    def _part(self, reply: Reply, name: str) -> Fields:
        data = reply.json()
        if error := data.get("error") or dig(data, name, "ERROR") or dig(data, "esummaryresult", 0):
            raise self.refusal(error)
        return dict(data[name])

    def _hit(self, paper: Fields, reply: Reply) -> Hit:
        uid, title = as_text(paper.get("uid")), as_text(paper.get("title")).removesuffix(".")
        if not uid.isdigit() or "error" in paper:
            raise ValueError("a paper that PubMed could not describe")
        ids = {as_text(dig(i, "idtype")): as_text(dig(i, "value")) for i in listing(paper.get("articleids"))}
        notices, notice_of = linked_notices(
            (as_text(dig(r, "reftype")), None) for r in listing(paper.get("references"))
        )
        journal = first_text(paper.get("fulljournalname"), paper.get("source"))
        described = made_work(
            *(as_text(kind) for kind in listing(paper.get("pubtype"))),
            title=title,
            doi=doi_of(ids.get("doi")),
            venue=journal,
            notices=notices,
            notice_of=notice_of,
            reviewed=f"in {journal}, a journal that PubMed indexes" if journal else None,
        )
        return scholarly_hit(
            described,
            title=title,
            url=f"https://pubmed.ncbi.nlm.nih.gov/{uid}/",
            published=dated(paper, "epubdate", "pubdate", "sortpubdate", now=reply.at),
            author=people(each(paper.get("authors"), "name")),
            numbers={"pmid": uid, "pmcid": ids.get("pmc")},
        )

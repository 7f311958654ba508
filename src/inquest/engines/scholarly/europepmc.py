"""Europe PMC: 45 million papers and preprints in the life sciences, including PubMed's, with abstracts. No key."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, quoted_keywords
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, doi_of, each, listing, mapping, people, whole
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import linked_notices, made_work

_VERSIONS = {"MED": "published_pmid", "PPR": "preprint_ppr"}


class EuropePmc(Engine):
    """Papers and preprints of medicine and biology, with later notices about them."""

    spec = EngineSpec(
        name="europepmc",
        title="Europe PMC",
        kinds=(EngineKind.SCHOLARLY,),
        homepage="https://europepmc.org/",
        documentation="https://europepmc.org/RestfulWebService",
        limits=Limits(per_second=5, concurrency=3),  # europepmc.org/Help: ten a second at most
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        since, until = day(query.since) or "1500-01-01", day(query.until) or "2999-12-31"
        terms = quoted_keywords(query)
        terms += [f"FIRST_PDATE:[{since} TO {until}]"] if query.since or query.until else []
        parameters = {"query": " ".join(terms), "resultType": "core", "format": "json", "pageSize": count(query, 100)}
        return self.get("https://www.ebi.ac.uk/europepmc/webservices/rest/search", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "errCode" in data or "errMsg" in data:
            raise self.refusal(data.get("errMsg") or data.get("errCode"))
        return self.hits(data["resultList"]["result"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, paper: Fields, reply: Reply) -> Hit:
        source, key = as_text(paper.get("source")), as_text(paper.get("id"))
        title = as_text(paper.get("title")).removesuffix(".")
        links = listing(dig(paper, "commentCorrectionList", "commentCorrection"))
        notices, notice_of = linked_notices((as_text(dig(link, "type")), None) for link in links)
        versions = {_VERSIONS.get(as_text(dig(link, "source")), ""): as_text(dig(link, "id")) for link in links
                    if as_text(dig(link, "type")).lower().startswith("preprint")}  # fmt: skip
        copies = listing(dig(paper, "fullTextUrlList", "fullTextUrl"))
        journal = as_text(dig(paper, "journalInfo", "journal", "title")) or as_text(paper.get("journalTitle"))
        described = made_work(
            "preprint" if source == "PPR" else None,
            *(as_text(kind) for kind in listing(dig(paper, "pubTypeList", "pubType"))),
            title=title,
            doi=doi_of(paper.get("doi")),
            venue=journal or as_text(dig(paper, "bookOrReportDetails", "publisher")),
            notices=notices,
            notice_of=notice_of,
            reviewed=f"in {journal}, a journal that PubMed indexes" if journal and source in ("MED", "PMC") else None,
            citations=whole(paper.get("citedByCount")),
            open_access_url=next((as_text(dig(c, "url")) for c in copies if dig(c, "availabilityCode") == "OA"), None),
        )
        return scholarly_hit(
            described,
            title=title,
            otherwise=f"https://europepmc.org/article/{source}/{key}" if source and key else None,
            snippet=as_text(paper.get("abstractText")),
            published=dated(paper, "firstPublicationDate", "pubYear", now=reply.at),
            author=people(each(dig(paper, "authorList", "author"), "fullName"))
            or as_text(paper.get("authorString")).rstrip(".")
            or None,
            numbers=versions
            | {name: as_text(paper.get(name)) for name in ("pmid", "pmcid")}
            | {"ppr": key if source == "PPR" else None},
        )

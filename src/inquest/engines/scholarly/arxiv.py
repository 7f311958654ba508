"""arXiv's API (Atom): preprints with abstracts. No key; one request every three seconds."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Notice, Query
from inquest.kit.dialect import count, keywords, stamp
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import doi_of, people
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import made_work
from inquest.text.dates import parse_date
from inquest.text.markup import Element, child_text, children, plain, xml_root
from inquest.text.regex import regex

_ID = regex(r"(?i)arxiv\.org/abs/(?P<id>(?:[a-z.-]+/)?\d[\d.]*\d)(?P<version>v\d+)?")

_WITHDRAWN = regex(r"(?i)(?:this \w+ )?(?:(?:has been|was|is) )?withdrawn\b")


class Arxiv(Engine):
    """Preprints in physics, mathematics, computer science, statistics, economics and quantitative biology."""

    spec = EngineSpec(
        name="arxiv",
        title="arXiv",
        kinds=(EngineKind.SCHOLARLY,),
        homepage="https://arxiv.org/",
        documentation="https://info.arxiv.org/help/api/user-manual.html",
        limits=Limits(per_second=1 / 3, concurrency=1),
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        terms = [f"all:{word}" for word in keywords(query)]
        if query.since or query.until:
            since, until = stamp(query.since) or "19910101000000", stamp(query.until) or "20991231235959"
            terms.append(f"submittedDate:[{since[:12]} TO {until[:12]}]")
        parameters = {"search_query": " AND ".join(terms), "max_results": count(query, 100), "sortBy": "relevance"}
        return self.get("https://export.arxiv.org/api/query", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        text = reply.text().strip()
        if text and not text.removeprefix("\ufeff").startswith("<"):
            raise self.refusal(text)  # 'Rate exceeded.'
        feed = xml_root(reply.body)
        if not str(feed.tag).endswith("}feed"):
            raise ValueError("not an Atom feed")
        return self.hits(children(feed, "entry"), lambda entry: self._hit(entry, reply))

    def _hit(self, entry: Element, reply: Reply) -> Hit:
        entry_url = child_text(entry, "id")
        if "/api/errors" in entry_url:
            raise self.refusal(child_text(entry, "summary"))  # an error is a feed with one entry
        known, doi = _ID.search(entry_url), doi_of(child_text(entry, "doi"))
        if not known:
            raise ValueError("an entry that is not a preprint")
        names = (child_text(author, "name") for author in children(entry, "author"))
        category = next((str(part.get("term")) for part in children(entry, "primary_category")), "")
        title, journal = plain(child_text(entry, "title")), plain(child_text(entry, "journal_ref"))
        # arXiv keeps a withdrawn paper's text; only the authors' comment says that it was withdrawn.
        gone = _WITHDRAWN.match(plain(child_text(entry, "comment")))
        described = made_work(
            "preprint",
            title=title,
            doi=f"10.48550/arxiv.{known['id'].lower()}",
            venue="arXiv",
            notices=[Notice(kind="withdrawal")] if gone else [],
            open_access_url=f"https://arxiv.org/pdf/{known['id']}",
            preprint_of=doi,
        )
        hit = scholarly_hit(
            described,
            title=title,
            url=f"https://arxiv.org/abs/{known['id']}{known['version'] or ''}",
            snippet=plain(child_text(entry, "summary")),
            published=parse_date(child_text(entry, "published"), now=reply.at, how="feed"),
            author=people(names),
            details={"category": category, "journal": journal},
        )
        # The identifiers are arXiv's number and the DOI that the authors name, that of the published version.
        return hit.model_copy(update={"identifiers": {"arxiv": known["id"]} | ({"doi": doi} if doi else {})})

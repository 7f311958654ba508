"""Special features of the engines for scholarly works and web archives: their data on a work, their requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from inquest.domain.errors import EngineFormat, EngineUnavailable
from inquest.domain.search import EngineKind, Query, Work
from inquest.sources.originals import (
    closest_of,
    earliest_capture,
    earliest_of,
    mementos_of_json,
    original_of,
)
from tests.engines.recorded_replies import ACCESS, ENGINES, asked, driven, parsed, recorded, recorded_reply, reply

SINCE, UNTIL = datetime(2023, 4, 5, tzinfo=UTC), datetime(2024, 6, 7, tzinfo=UTC)
SCHOLARLY = ("arxiv", "core", "crossref", "datacite", "europepmc", "openalex", "pubmed", "semantic_scholar")


def works(name: str) -> list[Work]:
    return [hit.work for hit in recorded(name) if hit.work]


# Works


@pytest.mark.parametrize("name", SCHOLARLY)
def test_every_scholarly_hit_is_a_work(name: str) -> None:
    hits = recorded(name)
    assert hits
    assert all(hit.work for hit in hits)
    assert all(hit.work.peer_review_reason for hit in hits if hit.work and hit.work.peer_reviewed is not None)


def crossref(**fields: Any) -> Work:
    item = {"DOI": "10.5555/A", "type": "journal-article", "title": ["Foo"], "container-title": ["J"]} | fields
    [hit] = parsed("crossref", reply({"status": "ok", "message-type": "work-list", "message": {"items": [item]}}))
    assert hit.work is not None
    return hit.work


def test_crossref_tells_the_retracted_paper_from_the_notice() -> None:
    paper = crossref(
        **{"updated-by": [{"DOI": "10.5555/N", "type": "retraction", "updated": {"date-parts": [[2024, 3, 5]]}}]}
    )
    assert paper.retracted
    assert (paper.notices[0].kind, paper.notices[0].doi) == ("retraction", "10.5555/n")
    notice = crossref(
        DOI="10.5555/N", title=["Retraction: Foo"], **{"update-to": [{"DOI": "10.5555/A", "type": "retraction"}]}
    )
    assert not notice.retracted
    assert notice.notices == ()
    assert [(each.kind, each.doi) for each in notice.notice_of] == [("retraction", "10.5555/a")]
    over_itself = crossref(**{"update-to": [{"DOI": "10.5555/a", "type": "withdrawal"}]})
    assert over_itself.retracted


@pytest.mark.parametrize("kind", ["correction", "expression_of_concern", "new_version"])
def test_a_work_with_another_notice_is_not_retracted(kind: str) -> None:
    work = crossref(**{"updated-by": [{"DOI": "10.5555/n", "type": kind}]})
    assert not work.retracted
    assert [notice.kind for notice in work.notices] == [kind]


@pytest.mark.parametrize(
    "odd", [None, "retraction", 5, [None], [[]], {"type": "retraction"}, [{"type": ["retraction"]}]]
)
def test_updates_of_another_form_lose_no_hit(odd: object) -> None:
    assert crossref(**{"updated-by": odd, "update-to": odd, "relation": odd}).doi == "10.5555/a"


def test_crossref_links_preprint_and_article_and_knows_open_reviews() -> None:
    link = [{"id-type": "doi", "id": "10.5555/Other", "asserted-by": "object"}]
    assert (
        crossref(type="posted-content", subtype="preprint", relation={"is-preprint-of": link}).preprint_of
        == "10.5555/other"
    )
    assert crossref(relation={"has-review": link}).peer_review_reason == "its review reports are published"
    assert crossref(type="posted-content", subtype="preprint").peer_reviewed is False


def openalex(**fields: Any) -> Work:
    item = {
        "id": "https://openalex.org/W1",
        "doi": "https://doi.org/10.5555/a",
        "display_name": "Foo",
        "type": "article",
    } | fields
    [hit] = parsed("openalex", reply({"results": [item]}))
    assert hit.work is not None
    return hit.work


def test_openalex_knows_where_a_work_stands() -> None:
    journal = {"source": {"display_name": "J", "type": "journal", "is_in_doaj": True}}
    assert openalex(primary_location=journal).peer_review_reason == "in J, which DOAJ lists"
    repository = {"source": {"display_name": "A Repository", "type": "repository"}}
    assert openalex(primary_location=repository).peer_reviewed is None, "a repository is no journal"
    assert openalex(is_retracted=True).retracted
    assert not openalex(is_retracted="no").retracted
    blog = openalex(type="other", primary_location={"raw_type": "posted-content", "raw_source_name": "Front Page"})
    assert (blog.type, blog.peer_reviewed) == ("blog-post", False)


def test_arxivs_preprints_know_their_article_and_whether_they_were_withdrawn() -> None:
    hits = recorded("arxiv")
    assert hits[1].work is not None
    assert (hits[1].work.preprint_of, hits[1].work.doi) == ("10.5555/vellmar.1", "10.48550/arxiv.2403.01001")
    assert hits[1].work.peer_reviewed is False
    entry = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><entry>'
        "<id>http://arxiv.org/abs/2403.01009v2</id><title>Foo</title>"
        "<arxiv:comment>This paper has been withdrawn by the author due to an error</arxiv:comment></entry></feed>"
    )
    assert [hit.work and hit.work.retracted for hit in parsed("arxiv", reply(entry))] == [True]


@pytest.mark.parametrize("name", ["europepmc", "pubmed"])
def test_medicines_indexes_tell_paper_notice_and_kind_of_piece(name: str) -> None:
    found = works(name)
    assert [place for place, work in enumerate(found) if work.retracted] == [2]
    assert [each.kind for each in found[3].notice_of] == ["retraction"]
    assert (found[4].type, found[4].peer_reviewed) == ("preprint", False)
    assert found[5].peer_reviewed is False, "an editorial"
    assert found[0].peer_reviewed is True
    assert "expression_of_concern" in [notice.kind for notice in found[8].notices]
    assert found[9].type == "erratum"


def test_pubmed_asks_which_and_then_what() -> None:
    which = {"esearchresult": {"count": "2", "idlist": ["11", 12, None, "x; y"]}}
    what = {
        "result": {"uids": ["11", "12"], "11": {"uid": "11", "title": "Foo."}, "12": {"uid": "12", "error": "none"}}
    }
    requests, hits = driven("pubmed", Query(text="dredging AND reefs", since=SINCE), reply(which), reply(what))
    first, second = (parse_qs(urlsplit(request.url).query) for request in requests)
    assert first["term"] == ["dredging reefs AND 2023/04/05:3000[dp]"]
    assert second["id"] == ["11,12"]
    assert [(hit.url, hit.title) for hit in hits] == [("https://pubmed.ncbi.nlm.nih.gov/11/", "Foo")]
    requests, hits = driven("pubmed", Query(text="qzx"), reply({"esearchresult": {"idlist": []}}))
    assert (len(requests), hits) == (1, []), "where nothing is found, nothing more is asked"


def test_pubmed_that_fails_at_the_second_call_has_not_found_nothing() -> None:
    which = reply({"esearchresult": {"idlist": ["11"]}})
    with pytest.raises(EngineUnavailable):
        driven("pubmed", Query(text="x"), which, reply("", status=503))
    with pytest.raises(EngineFormat):
        driven("pubmed", Query(text="x"), which, reply("<html>Welcome</html>"))


def test_operators_in_a_question_are_words() -> None:
    assert (
        asked("europepmc", Query(text="silt AND reefs (OR) state-of-the-art"))["query"]
        == 'silt reefs "state-of-the-art"'
    )
    assert asked("datacite", Query(text="silt* title:reefs", since=SINCE))["query"] == (
        '"silt" AND "title" AND "reefs" AND publicationYear:[2023 TO *]'
    )
    assert (
        asked("core", Query(text="silt", since=SINCE, until=UNTIL))["q"]
        == '"silt" AND yearPublished>=2023 AND yearPublished<=2024'
    )
    assert asked("semantic_scholar", Query(text="silt", until=UNTIL))["publicationDateOrYear"] == ":2024-06-07"


def test_semantic_scholar_leaves_its_list_out_where_it_finds_nothing_and_only_there() -> None:
    assert parsed("semantic_scholar", reply({"total": 0, "offset": 0})) == []
    others: list[dict[str, Any]] = [{}, {"total": 12}, {"data": None, "total": 3}, {"data": {}}]
    for other in others:
        with pytest.raises(EngineFormat):
            parsed("semantic_scholar", reply(other))


def test_semantic_scholars_numbers_and_influence() -> None:
    hits = recorded("semantic_scholar")
    assert hits[4].identifiers["arxiv"] == "2403.01004"
    assert hits[4].work is not None
    assert (hits[4].work.peer_reviewed, hits[8].work and hits[8].work.influential_citations) == (False, 8)
    assert hits[7].url.startswith("https://www.semanticscholar.org/paper/"), "without a DOI, its own page"
    assert hits[2].work is not None
    assert hits[2].work.retracted, "by its title"


def test_datacite_knows_data_from_papers_and_versions_from_works() -> None:
    hits = recorded("datacite")
    kinds = [work.type for work in works("datacite")]
    assert (kinds[4], kinds[6], kinds[8]) == ("preprint", "dataset", "dissertation")
    assert hits[4].work is not None
    assert hits[4].work.preprint_of == "10.5555/vellmar.4"
    assert hits[4].identifiers["arxiv"] == "2403.01004"
    assert hits[6].author == "Vellmar Reef Working Group"
    assert hits[1].published is not None
    assert hits[1].published.iso == "2021-03-05", "the day goes before the bare year"


# Captures

PAGE = "https://port-vellmar.example/permits"
NEAR = datetime(2014, 4, 1, tzinfo=UTC)
NEAREST = Query(text=PAGE, kinds=(EngineKind.ARCHIVE,), purpose="the closest capture", near=NEAR, limit=1)
ROW = "example,port-vellmar)/permits {stamp} https://port-vellmar.example/permits text/html 200 AAAA 1800\n"


def test_wayback_is_asked_for_the_earliest_and_for_the_closest() -> None:
    earliest = asked("wayback", earliest_capture(PAGE))
    assert (earliest["url"], earliest["limit"]) == (PAGE, "1")
    closest = ENGINES["wayback"](ACCESS).request(NEAREST)
    assert closest.url.startswith("https://archive.org/wayback/available?")
    assert parse_qs(urlsplit(closest.url).query)["timestamp"] == ["20140401000000"]


def test_where_the_quick_look_up_knows_no_capture_the_index_is_asked() -> None:
    nothing = reply({"url": PAGE, "archived_snapshots": {}})
    rows = reply(ROW.format(stamp="20140501000000") + ROW.format(stamp="20140320000000"))
    requests, hits = driven("wayback", NEAREST, nothing, rows)
    assert parse_qs(urlsplit(requests[1].url).query)["closest"] == ["20140401000000"]
    assert [hit.details["timestamp"] for hit in hits] == ["20140320000000"]
    _, hits = driven("wayback", NEAREST, nothing, reply(""))
    assert hits == []


@pytest.mark.parametrize("file", ["results", "results_by_date"])
def test_memento_gives_captures_of_many_archives_earliest_first(file: str) -> None:
    hits = recorded("memento", file)
    assert hits[0].details == {
        "timestamp": "20100305101500", "original": PAGE, "archive": "web.archive.org",
    }  # fmt: skip
    assert [hit.published for hit in hits] == sorted(
        (hit.published for hit in hits if hit.published), key=lambda date: date.at
    )
    assert earliest_of(reversed(hits)) == hits[0]
    closest = closest_of(hits, NEAR)
    assert closest is not None
    assert str(closest.details["timestamp"])[:4] == "2014"


def test_memento_answers_both_questions_with_one_capture() -> None:
    requests, hits = driven("memento", NEAREST, recorded_reply("memento", "results_by_date"))
    assert requests[0].url == f"https://timetravel.mementoweb.org/api/json/20140401000000/{PAGE}"
    assert [str(hit.details["timestamp"])[:4] for hit in hits] == ["2014"]
    _, hits = driven("memento", earliest_capture(PAGE), recorded_reply("memento", "results_by_date"))
    assert [str(hit.details["timestamp"])[:4] for hit in hits] == ["2010"]


def test_an_archives_address_holds_the_pages() -> None:
    assert (
        original_of("https://web.archive.org/web/20200102030405id_/https://a.example/x?y=1")
        == "https://a.example/x?y=1"
    )
    assert original_of("https://archive.example/abc12") is None
    with pytest.raises((TypeError, KeyError)):
        mementos_of_json({"mementos": {"list": "none"}})

"""One paper, many engines: what is the same work, what all together say of it, and whether it still stands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.leads import Notice, Work
from inquest.domain.published import Precision, Published
from inquest.domain.search import Hit
from inquest.logic.doi import arxiv_of, doi_of, preprint_server, preprint_venue, versionless
from inquest.logic.notices import crossref_notices, linked_notices, notice_kind, title_mark, typed_kind
from inquest.logic.peer_review import peer_review, work_type
from inquest.logic.works import made_work, merged_work, same_work_keys, same_works

TITLE = "Harbour dredging and the loss of reef corals at Vellmar"


def hit(
    title: str = TITLE,
    *,
    engine: str = "crossref",
    year: int | None = 2021,
    author: str | None = "Ada Example",
    **more: Any,
) -> Hit:
    published = Published(at=datetime(year, 3, 5, tzinfo=UTC), precision=Precision.DAY) if year else None
    url = more.pop("url", f"https://{engine}.example/paper")
    return Hit(url=url, title=title, engine=engine, rank=1, published=published, author=author, **more)


def with_doi(doi: str, *types: str, engine: str = "crossref", title: str = TITLE, **more: Any) -> Hit:
    fields = {name: more.pop(name) for name in list(more) if name not in ("year", "author", "url", "identifiers")}
    work = made_work(*(types or ("journal-article",)), title=title, doi=doi_of(doi), **fields)
    return hit(title, engine=engine, identifiers=more.pop("identifiers", {}) | {"doi": doi}, work=work, **more)


def one(*hits: Hit) -> bool:
    return len(same_works(hits)) == 1


# DOIs


@pytest.mark.parametrize(
    "written",
    [
        "10.5555/Vellmar.1", "https://doi.org/10.5555/vellmar.1", "http://dx.doi.org/10.5555/VELLMAR.1",
        "doi:10.5555/vellmar.1", "DOI: 10.5555/vellmar.1", "doi.org/10.5555/vellmar.1", "info:doi/10.5555/vellmar.1",
        "https://doi.org/10.5555%2Fvellmar.1", " 10.5555/vellmar.1 ",
    ],
)  # fmt: skip
def test_a_doi_is_one_however_it_is_written(written: str) -> None:
    assert doi_of(written) == "10.5555/vellmar.1"


@pytest.mark.parametrize("other", ["", "vellmar", "10.5555", "11.5555/x", "10.5555/a b", None, 10.5555, "x" * 5000])
def test_what_is_no_doi_is_none(other: object) -> None:
    assert doi_of(other) is None


@pytest.mark.parametrize(
    ("doi", "same"),
    [
        ("10.21203/rs.3.rs-123/v2", "10.21203/rs.3.rs-123"),
        ("10.20944/preprints202403.0101.v1", "10.20944/preprints202403.0101"),
        ("10.26434/chemrxiv-2024-abcd-v3", "10.26434/chemrxiv-2024-abcd"),
        ("10.12688/f1000research.1234.2", "10.12688/f1000research.1234"),
        ("10.7554/eLife.86532.2", "10.7554/elife.86532"),
        ("10.7554/elife.12345.001", "10.7554/elife.12345.001"),
        ("10.5555/vellmar.2", "10.5555/vellmar.2"),
        ("10.5555/paper-v2", "10.5555/paper-v2"),
    ],
)
def test_versions_come_off_only_where_the_server_writes_them(doi: str, same: str) -> None:
    assert versionless(doi) == same


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("2403.01004", "2403.01004"), ("2403.01004v3", "2403.01004"), ("arXiv:2403.01004", "2403.01004"),
        ("https://arxiv.org/abs/2403.01004v2", "2403.01004"), ("http://arxiv.org/pdf/2403.01004v2.pdf", "2403.01004"),
        ("10.48550/arXiv.2403.01004", "2403.01004"), ("hep-th/9901001v2", "hep-th/9901001"),
        ("math.GT/0309136", "math.gt/0309136"), ("10.5555/2403.01004", None), ("2403", None), (None, None),
    ],
)  # fmt: skip
def test_an_arxiv_number_is_one_however_it_is_written(written: object, number: str | None) -> None:
    assert arxiv_of(written) == number


def test_preprint_servers_are_known_by_doi_and_name() -> None:
    assert preprint_server("10.1101/2024.03.05.123456") == "bioRxiv or medRxiv"
    assert preprint_server("10.1101/gr.123456.120") is None, "Cold Spring Harbor's journals have the same prefix"
    assert preprint_venue("SSRN Electronic Journal"), "which calls itself a journal and is none"
    assert preprint_venue("arXiv (Cornell University)")
    assert not preprint_venue("Journal of Preprint Studies")
    assert not preprint_venue("Nature")


# The same work


def test_one_paper_of_many_engines_is_one_work() -> None:
    assert one(
        with_doi("10.5555/Vellmar.1"),
        with_doi("https://doi.org/10.5555/vellmar.1", engine="openalex", title="Another spelling of it"),
        hit("Anything", engine="brave", url="https://dx.doi.org/10.5555/VELLMAR.1", author=None),
    )


def test_a_preprint_and_its_published_version_are_one_work() -> None:
    published = with_doi("10.5555/vellmar.1")
    linked = with_doi(
        "10.1101/2020.03.05.123456", "posted-content", title="Early title", preprint_of="10.5555/vellmar.1"
    )
    assert one(published, linked)
    assert one(with_doi("10.5555/vellmar.1", identifiers={"preprint": "10.48550/arxiv.2403.01004"}),
               hit("Early", engine="arxiv", url="https://arxiv.org/abs/2403.01004v2"))  # fmt: skip
    assert one(hit(engine="europepmc", identifiers={"pmid": "99000"}, title="A"),
               hit(engine="europepmc", identifiers={"ppr": "PPR1", "published_pmid": "99000"}, title="B"))  # fmt: skip


def test_arxiv_by_number_address_and_doi_and_in_all_versions_is_one_work() -> None:
    assert one(
        hit("A", engine="arxiv", identifiers={"arxiv": "2403.01004"}),
        hit("B", engine="web", url="https://arxiv.org/pdf/2403.01004v3"),
        with_doi("10.48550/arXiv.2403.01004", "Preprint", engine="datacite", title="C"),
    )


def test_without_a_doi_title_year_and_first_author_decide() -> None:
    copy = hit(TITLE.upper() + "!", engine="core", author="Example, Ada and 3 others")
    assert one(with_doi("10.5555/vellmar.1"), copy)
    assert one(hit(engine="core", author="Example AB, Sample C"), copy)
    others: list[dict[str, Any]] = [{"year": 2015}, {"author": "Cy Sample"}, {"title": TITLE + " II"}, {"year": None}]
    for other in (hit(engine="core", **fields) for fields in [*others, {"author": None}]):
        assert not one(with_doi("10.5555/vellmar.1"), other)


def test_two_papers_with_a_title_that_many_have_are_two() -> None:
    assert not one(with_doi("10.5555/a", title="Editorial"), with_doi("10.5555/b", title="Editorial"))
    assert not one(
        with_doi("10.5555/a", title="Climate change and health"),
        with_doi("10.5555/b", title="Climate change and health"),
    )
    assert not one(hit("Editorial"), hit("Editorial"))
    assert not one(hit("", author=None), hit("", author=None))


def test_parts_of_a_series_and_data_beside_their_paper_are_works_of_their_own() -> None:
    assert not one(hit(TITLE + ", part 1"), hit(TITLE + ", part 2"))
    assert not one(with_doi("10.5555/a"), with_doi("10.5555/b", "Dataset", engine="datacite"))


def test_a_notice_is_no_copy_of_the_work_it_is_about() -> None:
    paper = with_doi("10.5555/vellmar.2", title="RETRACTED: " + TITLE)
    notice = with_doi("10.5555/vellmar.3", title="Retraction: " + TITLE)
    assert not one(paper, notice)
    assert one(paper, hit(TITLE, engine="core")), "the mark of retraction is no part of the title"


def test_a_late_preprint_is_found_by_its_title() -> None:
    preprint = with_doi("10.1101/2020.03.05.123456", "preprint", year=2020)
    assert one(preprint, with_doi("10.5555/vellmar.1", year=2021))
    assert not one(preprint, with_doi("10.5555/vellmar.1", year=2024))


@given(st.permutations([
    with_doi("10.5555/vellmar.1"), hit("A", identifiers={"pmid": "1"}),
    hit("B", identifiers={"pmid": "1", "doi": "10.5555/vellmar.1"}),
    hit("C", url="https://arxiv.org/abs/2403.01004"), with_doi("10.5555/other", title="Other"),
]))  # fmt: skip
def test_the_order_of_hits_changes_no_group(hits: list[Hit]) -> None:
    assert sorted(len(group) for group in same_works(hits)) == [1, 1, 3]


@given(
    st.text(max_size=80),
    st.text(max_size=40) | st.none(),
    st.dictionaries(st.sampled_from(["doi", "arxiv", "pmid"]), st.text(max_size=30)),
)
def test_any_hit_has_keys_or_none(title: str, author: str | None, identifiers: dict[str, str]) -> None:
    keys = same_work_keys(hit(title, author=author, identifiers=identifiers))
    assert len(keys) == len(set(keys))
    assert all(":" in key for key in keys)


# Whether it stands


@pytest.mark.parametrize(
    ("title", "kind", "is_notice"),
    [
        ("RETRACTED: Foo", "retraction", False), ("Retracted Article: Foo", "retraction", False),
        ("[Retracted] Foo", "retraction", False), ("WITHDRAWN: Foo", "withdrawal", False),
        ("Temporary removal: Foo", "removal", False), ("Retraction: Foo", "retraction", True),
        ("Retraction Note to: Foo", "retraction", True), ("Retraction notice to “Foo” [J 1]", "retraction", True),
        ("Notice of Retraction: Foo", "retraction", True), ("Partial retraction: Foo", "partial_retraction", True),
        ("Expression of Concern: Foo", "expression_of_concern", True), ("Author Correction: Foo", "correction", True),
        ('Corrigendum to "Foo"', "correction", True), ("Erratum to: Foo", "erratum", True),
        ("Erratum", "erratum", True),
    ],
)  # fmt: skip
def test_a_title_that_begins_with_a_mark_says_what_the_document_is(title: str, kind: str, is_notice: bool) -> None:
    mark = title_mark(title)
    assert mark is not None
    assert (mark.kind, mark.is_notice) == (kind, is_notice)


@pytest.mark.parametrize(
    "title",
    [
        "Retraction of the glacier", "Retracted papers: a survey", "Withdrawn from the market: drugs and why",
        "Correction for bias in surveys", "Removal of lead from water", "Withdrawal of Treatment", "Retracted Science",
        "Withdrawal of troops", "",
    ],
)  # fmt: skip
def test_a_title_that_only_speaks_of_such_things_is_no_mark(title: str) -> None:
    assert title_mark(title) is None


def test_types_of_pubmed_tell_the_work_from_the_notice() -> None:
    assert typed_kind(["Journal Article", "Retracted Publication"]) == ("retraction", False)
    assert typed_kind(["Retraction of Publication"]) == ("retraction", True)
    assert typed_kind(["Published Erratum"]) == ("erratum", True)
    assert typed_kind(["Journal Article", "Review"]) == (None, False)


def test_crossrefs_updated_by_is_on_the_work_and_update_to_on_the_notice() -> None:
    item = {
        "DOI": "10.5555/NOTICE",
        "type": "retraction",
        "updated": {"date-parts": [[2024, 3, 5]]},
        "source": "publisher",
    }
    [notice] = crossref_notices([item, None, {"type": 5}, {"type": "comment"}])
    assert (notice.kind, notice.doi, notice.at and notice.at.iso) == ("retraction", "10.5555/notice", "2024-03-05")
    work = made_work("journal-article", title="Foo", doi="10.5555/a", notices=[notice])
    assert work.retracted
    says = made_work(
        "journal-article",
        title="Retraction: Foo",
        doi="10.5555/notice",
        notice_of=[Notice(kind="retraction", doi="10.5555/a")],
    )
    assert not says.retracted, "a notice of retraction has not been retracted"
    assert says.type == "retraction"
    assert says.notice_of[0].doi == "10.5555/a"
    assert says.peer_reviewed is False


def test_a_notice_over_the_work_itself_retracts_it() -> None:
    updates = [{"DOI": "10.5555/a", "type": "withdrawal"}, {"DOI": "10.5555/b", "type": "correction"}]
    assert [each.kind for each in crossref_notices(updates, own="10.5555/a", to_self=True)] == ["withdrawal"]
    assert [each.kind for each in crossref_notices(updates, own="10.5555/a")] == ["correction"]


@pytest.mark.parametrize(
    ("kind", "stands"),
    [
        ("retraction", False), ("withdrawal", False), ("removal", False), ("expression_of_concern", True),
        ("correction", True), ("erratum", True), ("partial_retraction", True), ("new_version", True),
    ],
)  # fmt: skip
def test_only_some_notices_take_a_work_away(kind: str, stands: bool) -> None:
    work = made_work("journal-article", title="Foo", venue="J", notices=[Notice(kind=kind)])
    assert work.retracted is not stands
    assert [notice.kind for notice in work.notices] == [kind]


def test_a_new_version_is_a_work_and_no_notice() -> None:
    work = made_work("posted-content", title="Foo", notice_of=[Notice(kind="new_version", doi="10.5555/v1")])
    assert (work.type, work.notice_of) == ("preprint", ())


def test_a_reinstated_work_stands() -> None:
    assert not made_work("journal-article", notices=[Notice(kind="retraction"), Notice(kind="reinstatement")]).retracted


def test_links_are_told_by_their_direction() -> None:
    links = [
        ("Retraction in", None),
        ("Comment in", None),
        ("Erratum for", None),
        ("Expression of concern in", "10.5555/x"),
        ("", None),
    ]
    about, says = linked_notices(links)
    assert [notice.kind for notice in about] == ["retraction", "expression_of_concern"]
    assert [notice.kind for notice in says] == ["erratum"]


def test_hindawis_notices_are_titled_as_if_they_were_the_work() -> None:
    notice = made_work(
        "journal-article", title="Retracted: Foo", notice_of=[Notice(kind="retraction", doi="10.5555/a")]
    )
    assert not notice.retracted
    assert notice.notices == ()


@given(st.text(max_size=60))
def test_any_words_are_a_kind_or_none(words: str) -> None:
    assert notice_kind(words) is None or "_" in str(notice_kind(words)) or str(notice_kind(words)).isalpha()
    title_mark(words)


# Whether it was reviewed


@pytest.mark.parametrize(
    ("types", "venue", "doi", "expected"),
    [
        (("journal-article",), "Journal of Invented Harbours", None, True),
        (("journal-article",), None, None, None),
        (("journal-article",), "SSRN Electronic Journal", "10.2139/ssrn.1", False),
        (("posted-content",), "bioRxiv", None, False),
        (("article",), "arXiv (Cornell University)", None, False),
        (("Journal Article", "Editorial"), "Journal of Invented Harbours", None, False),
        (("dataset",), "Dryad", None, False), (("dissertation",), "A University", None, False),
        (("proceedings-article",), "Proceedings", None, None), (("report",), "An agency", None, None),
        (("standard",), "ISO", None, None), ((), None, None, None),
    ],
)  # fmt: skip
def test_review_is_told_in_three_ways_and_with_the_reason(
    types: tuple[str, ...], venue: str | None, doi: str | None, expected: bool | None
) -> None:
    work = made_work(*types, title="Foo", venue=venue, doi=doi)
    assert work.peer_reviewed is expected
    assert work.peer_review_reason or expected is None


def test_a_repository_is_no_journal() -> None:
    assert peer_review("journal-article", venue="Invented Repository", journal=False)[0] is None


def test_posted_content_is_a_preprint_unless_it_is_said_to_be_something_else() -> None:
    assert work_type("posted-content") == work_type("posted-content", subtype="preprint") == "preprint"
    assert work_type("posted-content", subtype="other") == "blog-post"
    assert work_type("JournalArticle", "Conference") == "proceedings-article"
    assert work_type("something-new") == "something-new"
    assert work_type() is None


# One work out of many


def test_the_published_version_speaks_before_the_preprint_and_the_register_before_the_index() -> None:
    preprint = with_doi("10.48550/arxiv.2403.01004", "preprint", engine="arxiv", venue="arXiv",
                        preprint_of="10.5555/vellmar.1",
                        open_access_url="https://arxiv.org/pdf/2403.01004")  # fmt: skip
    crossref = with_doi("10.5555/vellmar.1", venue="Journal of Invented Harbours", citations=4)
    index = with_doi(
        "10.5555/vellmar.1",
        "article",
        engine="semantic_scholar",
        venue="J. Inv. Harb.",
        citations=9,
        influential_citations=2,
    )
    merged = merged_work([preprint, index, crossref])
    assert merged == merged_work([crossref, preprint, index]), "the order does not matter"
    assert merged == Work(
        type="journal-article", doi="10.5555/vellmar.1", venue="Journal of Invented Harbours", peer_reviewed=True,
        peer_review_reason="an article in the journal Journal of Invented Harbours, as journals review them",
        citations=9, influential_citations=2, open_access_url="https://arxiv.org/pdf/2403.01004",
    )  # fmt: skip


def test_one_engine_that_knows_of_a_retraction_is_enough() -> None:
    told = Notice(kind="retraction", doi="10.5555/notice")
    merged = merged_work([with_doi("10.5555/a", notices=[told]),
                          with_doi("10.5555/a", engine="pubmed", notices=[Notice(kind="retraction")]),
                          with_doi("10.5555/a", engine="openalex")])  # fmt: skip
    assert merged is not None
    assert merged.retracted
    assert merged.notices == (told,), "one notice, as fully as it is known"


def test_who_knows_it_for_an_editorial_is_believed_before_who_knows_the_journal() -> None:
    merged = merged_work(
        [
            with_doi("10.5555/a", venue="J"),
            with_doi("10.5555/a", "Journal Article", "Editorial", engine="pubmed", venue="J"),
        ]
    )
    assert merged is not None
    assert merged.peer_reviewed is False
    assert "editorial" in str(merged.peer_review_reason)


def test_a_preprint_alone_stays_one_and_a_page_is_no_work() -> None:
    merged = merged_work([with_doi("10.1101/2020.03.05.123456", "preprint", preprint_of="10.5555/vellmar.1")])
    assert merged is not None
    assert (merged.type, merged.preprint_of, merged.peer_reviewed) == ("preprint", "10.5555/vellmar.1", False)
    assert merged_work([hit()]) is None
    assert merged_work([]) is None

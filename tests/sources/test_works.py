"""One paper, many engines: recognising the same work, combining their data on it, and whether it is still valid."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.search import Hit, Notice, Work
from inquest.domain.value import Precision, Published
from inquest.sources.works import grouped, made_work, merged_work, work_type
from inquest.text.urls import doi_of

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
    return len(grouped(hits)) == 1


# The same work


def test_one_paper_of_many_engines_addresses_and_versions_is_one_work() -> None:
    assert one(
        with_doi("10.5555/Vellmar.1"),
        with_doi("https://doi.org/10.5555/vellmar.1", engine="openalex", title="Another spelling of it"),
        hit("Anything", engine="brave", url="https://dx.doi.org/10.5555/VELLMAR.1", author=None),
    )
    assert one(
        hit("A", engine="arxiv", identifiers={"arxiv": "2403.01004"}),
        hit("B", engine="web", url="https://arxiv.org/pdf/2403.01004v3"),
        with_doi("10.48550/arXiv.2403.01004", "Preprint", engine="datacite", title="C"),
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


def test_without_a_doi_title_year_and_first_author_decide() -> None:
    copy = hit(TITLE.upper() + "!", engine="core", author="Example, Ada and 3 others")
    assert one(with_doi("10.5555/vellmar.1"), copy)
    assert one(hit(engine="core", author="Example AB, Sample C"), copy)
    others: list[dict[str, Any]] = [{"year": 2015}, {"author": "Cy Sample"}, {"title": TITLE + " II"}, {"year": None}]
    for other in (hit(engine="core", **fields) for fields in [*others, {"author": None}]):
        assert not one(with_doi("10.5555/vellmar.1"), other)


def test_common_titles_parts_of_a_series_data_and_notices_make_no_copies() -> None:
    assert not one(with_doi("10.5555/a", title="Editorial"), with_doi("10.5555/b", title="Editorial"))
    assert not one(
        with_doi("10.5555/a", title="Climate change and health"),
        with_doi("10.5555/b", title="Climate change and health"),
    )
    assert not one(hit("Editorial"), hit("Editorial"))
    assert not one(hit("", author=None), hit("", author=None))
    assert not one(hit(TITLE + ", part 1"), hit(TITLE + ", part 2"))
    assert not one(with_doi("10.5555/a"), with_doi("10.5555/b", "Dataset", engine="datacite"))
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
    assert sorted(len(group) for group in grouped(hits)) == [1, 1, 3]


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
        peer_review_reason="an article in the journal Journal of Invented Harbours, "
        "which journals normally peer-review",
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

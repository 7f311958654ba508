"""The further pages of an article that is spread over several are read as pages of their own."""

from __future__ import annotations

from inquest.domain.document import Document
from inquest.domain.search import Hit
from inquest.retrieval.reading import Lead, PageRead, further_leads

FIRST = "https://post.example/story"


def page(url: str, *more: str, snapshot: str | None = None) -> PageRead:
    hit = Hit(url=url, engine="brave", rank=1, snapshot=snapshot)
    document = Document(snapshot="sha256:a", url=url, title="A story", text="It goes on.", more_pages=more)
    return PageRead(Lead(url, (hit,), ("the story",)), document=document)


def test_an_article_over_several_pages_is_read_to_its_end_and_no_archive_is() -> None:
    more = [f"{FIRST}?page={n}" for n in range(2, 12)]
    found = further_leads([page(FIRST, *more)])
    assert [each.url for each in found] == more[:3]
    assert found[0].queries == ("the story",)


def test_a_further_page_that_was_found_itself_is_read_once() -> None:
    second = f"{FIRST}?page=2"
    assert further_leads([page(FIRST, second), page(second)]) == []


def test_for_documents_of_one_s_own_nobody_is_asked() -> None:
    assert further_leads([page(FIRST, f"{FIRST}?page=2", snapshot=f"sha256:{'a' * 64}")]) == []
    assert further_leads([PageRead(Lead(FIRST))]) == []

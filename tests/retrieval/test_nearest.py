"""The sentences shown for an undecided claim."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.document import Document
from inquest.domain.finding import NearestPassage
from inquest.retrieval.nearest import MOST, nearest, page_sentences
from tests.case_parts import finding

CLAIM = "Norvane Chemicals has never been fined for its discharges into the river Ule."
PAGES = {
    "S1": (
        "The regulator imposed a penalty of 2 million crowns for discharges into the river Ule.\n\n"
        "The harbour festival begins on Friday with a regatta of old boats."
    ),
    "S2": "The regulator imposed a penalty of 2 million crowns for discharges into the river Ule.",
    "S3": "Fish died in the river Ule in June, and Norvane Chemicals was fined in March.",
    "S4": "Norvane Chemicals employs 4,100 people in three countries, most of them in Veldra.",
    "S5": "Fish died in the river Ule in June and the firm was fined, an agency reports.",
}


def _pages(texts: dict[str, str]) -> dict[str, Document]:
    return {
        key: Document(url=f"https://{key}.example/", title="", text=text, snapshot=f"sha256:{key}")
        for key, text in texts.items()
    }


def _found(*, about: str = "", stories: dict[str, str] | None = None) -> list[tuple[str, str]]:
    stated = page_sentences(_pages(PAGES), stories or {})
    return [(each.page, each.text) for each in nearest(CLAIM, stated, None, about=about)]


def test_the_nearest_come_first_and_the_same_words_once() -> None:
    found = _found()
    assert len(found) <= MOST
    assert len({page for page, _ in found}) == len(found)
    assert len({text for _, text in found}) == len(found)
    assert not any("regatta" in text for _, text in found)


def test_the_name_that_all_claims_share_brings_nothing_nearer() -> None:
    claim = "Norvane Chemicals publishes its emissions."
    stated = page_sentences(_pages({"S4": PAGES["S4"]}), {})
    assert [each.page for each in nearest(claim, stated, None)] == ["S4"]
    assert nearest(claim, stated, None, about="Norvane Chemicals") == []


def test_of_one_story_one_sentence_is_shown() -> None:
    apart = {page for page, _ in _found(about="Norvane")}
    together = {page for page, _ in _found(about="Norvane", stories={"S3": "T1", "S5": "T1"})}
    assert {"S3", "S5"} <= apart
    assert len({"S3", "S5"} & together) == 1


def test_likeness_finds_what_is_said_in_other_words() -> None:
    stated = page_sentences(_pages({"S1": "Sanctions were handed down twice by the water authority in spring."}), {})

    def like(claim: str, texts: Sequence[str]) -> list[float]:
        return [0.6 for _ in texts]

    assert [each.page for each in nearest(CLAIM, stated, like)] == ["S1"]
    assert nearest(CLAIM, stated, None) == []


def test_a_claim_without_words_or_pages_has_nothing_near() -> None:
    assert nearest("?", page_sentences(_pages(PAGES), {}), None) == []
    assert nearest(CLAIM, [], lambda _, texts: [1.0 for _ in texts]) == []


def test_a_sentence_of_a_list_is_shown_without_its_mark() -> None:
    (document,) = _pages(
        {"S1": "What we know so far:\n\n- The regulator imposed a penalty in June.\n- Nobody else."}
    ).values()
    said = page_sentences({"S1": document}, {})
    assert any(each.text == "The regulator imposed a penalty in June." for each in said)
    assert all(each.span.of(document.text) == each.text for each in said)


def test_what_a_finding_quotes_overlaps_with_the_same_words_of_the_same_page_alone() -> None:
    near = NearestPassage(claim_id="C1", source_id="S1", quote="It rose.", snapshot="sha256:A", start=10, end=18)
    same = finding("F1", "S1", quote="It rose.").model_copy(update={"snapshot": "sha256:A", "start": 12, "end": 20})
    assert near.overlaps(same)
    assert not near.overlaps(same.model_copy(update={"start": 18, "end": 26}))
    assert not near.overlaps(same.model_copy(update={"snapshot": "sha256:B"}))

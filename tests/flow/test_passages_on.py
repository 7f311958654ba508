"""The passages of a case's pages that are sent to an analyst."""

from __future__ import annotations

from inquest.domain.document import Document
from inquest.retrieval.passages import PASSAGE_SIZE, passages_on

CLAIM = "Nobody had to move for the Harlow reservoir."


def document(name: str, text: str) -> Document:
    return Document(snapshot=f"sha256:{name}", url=f"https://{name}.example/", title=name, text=text, kind="text")


def on(*documents: Document, found: str = "", limit: int = 24) -> list[tuple[str, str]]:
    texts = {each.snapshot: each for each in documents}
    return [
        (passage.snapshot, passage.text)
        for passage in passages_on(CLAIM, texts, limit, found_for_it={f"sha256:{name}" for name in found.split()})
    ]


def test_a_short_page_found_for_the_claim_is_heard_whole() -> None:
    text = "Land.\n\nTwelve farms that were lived in all year were bought out.\n\nThe reservoir was filled in May."
    assert on(document("audit", text), found="audit") == [("sha256:audit", text)]


def test_a_page_in_another_language_is_heard_where_it_was_found_for_the_claim() -> None:
    text = "Tolv familier tok imot oppgjør og flyttet."
    assert on(document("nrk", text), found="nrk") == [("sha256:nrk", text)]
    assert on(document("nrk", text)) == []


def test_each_page_found_for_the_claim_is_heard_before_more_of_others() -> None:
    alike = [document(f"other{n}", "Nobody had to move for the reservoir of Harlow.") for n in range(3)]
    own = document("own", "Twelve farms were bought out for the dam.")
    assert "sha256:own" in [name for name, _ in on(*alike, own, found="own", limit=2)]


def test_a_page_of_several_sections_is_heard_whole() -> None:
    sections = [f"# Part {n}\n\nOf this nothing more was said by anybody at all." for n in range(4)]
    deciding = "# Land\n\n37 farms were bought out, 12 of which were inhabited all the year round."
    found = on(document("audit", "\n\n".join([*sections, deciding])), found="audit")
    assert any("37 farms" in passage for _, passage in found)
    assert not any("# Land" in passage for _, passage in found), "a heading is no evidence"


def test_a_long_page_in_other_words_is_heard_with_its_opening() -> None:
    text = "\n\n".join(f"Tolv familier tok imot oppgjør og flyttet til by nummer {n}." for n in range(200))
    found = on(document("nrk", text), found="nrk")
    assert found and text.startswith(found[0][1])


def test_all_passages_together_are_no_longer_than_there_is_room() -> None:
    text = "Nobody had to move for the Harlow reservoir, it was said again. " * 20
    pages = [document(f"page{n}", text) for n in range(30)]
    found = on(*pages, found=" ".join(each.title for each in pages), limit=10)
    assert sum(len(passage) for _, passage in found) <= 10 * PASSAGE_SIZE
    assert len(found) > 10


def test_no_passage_is_longer_than_its_size() -> None:
    text = "\n\n".join(f"Sentence {n} on the Harlow reservoir, for which nobody had to move away." for n in range(200))
    found = on(document("long", text), found="long")
    assert len(found) == 2
    assert all(len(passage) <= PASSAGE_SIZE for _, passage in found)


def test_a_page_found_for_another_claim_is_heard_where_it_has_this_ones_words() -> None:
    own = document("own", "Twelve farms were bought out for the dam.")
    alike = document("alike", "Before the Harlow reservoir was filled, its valley was empty; nobody lived there.")
    strange = document("strange", "The chess club of Harlow has elected a chairwoman and bought two clocks.")
    foreign = document("foreign", "Tolv familier måtte flytte da Harlow ble demmet opp.").model_copy(
        update={"language": "no"}
    )
    found = {name for name, _ in on(own, alike, strange, foreign, found="own")}
    assert found == {"sha256:own", "sha256:alike", "sha256:foreign"}

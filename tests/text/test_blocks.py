"""Blocks of a text by its layout, and that neither sentences nor passages cross parts that are not evidence."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Block, BlockKind, Document
from inquest.text.blocks import blocks_by_layout, evidence_sentences, evidence_spans
from inquest.text.similarity import best_passages

FERRY = "The ferry between the two towns carried 41,000 passengers in March."
FARES = "Its fares had been raised by the council in January."
TEXT = f"How the ferry fares\n\n{FERRY}\n\nA note on the ferry\n\n{FARES}"


def document(text: str, *blocks: Block) -> Document:
    return Document(snapshot="sha256:0", url="https://a.example/x", text=text, blocks=blocks)


def test_the_layout_of_a_text_shows_its_blocks() -> None:
    text = f"{TEXT}\n\n- one boat\n- two boats\n\nYear | Passengers\n2024 | 410,000\n\n> They said so.\n\nThe end."
    assert [block.kind.value for block in blocks_by_layout(text)] == [
        *("heading", "paragraph", "heading", "paragraph", "list", "table", "quote", "paragraph"),
    ]


def test_a_text_of_short_lines_is_no_text_of_headings() -> None:
    assert {block.kind for block in blocks_by_layout("Anna\n\nBerta\n\nClara\n\nDora")} == {BlockKind.PARAGRAPH}


def test_old_documents_without_blocks_have_the_evidence_of_their_layout() -> None:
    old = document(TEXT)
    assert [span.of(TEXT) for span in evidence_sentences(old)] == [FERRY, FARES]


def test_no_passage_crosses_what_is_no_evidence() -> None:
    passages = best_passages("ferry fares passengers", TEXT, size=600, within=evidence_spans(document(TEXT)))
    assert sorted(passage.span.of(TEXT) for passage in passages) == sorted([FERRY, FARES])


def test_a_document_s_own_blocks_decide() -> None:
    start = TEXT.index(FERRY)
    own = document(TEXT, Block(kind=BlockKind.COMMENT, start=start, end=start + len(FERRY)))
    assert evidence_sentences(own) == []


@given(st.text("ab .\n|->#é港", max_size=200))
def test_blocks_of_any_text_cover_all_of_it_but_space(text: str) -> None:
    blocks = blocks_by_layout(text)
    assert "".join("".join(text[block.start : block.end].split()) for block in blocks) == "".join(text.split())
    assert all(one.end <= other.start for one, other in pairwise(blocks))

"""The ends of sentences: marks, abbreviations, ordinals, headings, wrapped lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.text.sentences import sentences

_WRAPPED = (
    "In June the works at Haverley were inspected by the Veldra River\n"
    "Inspectorate, which found values far above the limit of the permit\n"
    "in three of five samples."
)


def _said(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Am 14. Juni 2023 wurde gemessen.",
        "Der 2. Senat hat entschieden.",
        "Mr. Lorne of Harlow Inc. said so.",
        _WRAPPED,
        "The report was written for the ministry of\nAgriculture by a company of its own.",
    ],
)
def test_one_sentence(text: str) -> None:
    assert _said(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ["It was 14.", "Then it rose."],
        ["Es war 2014.", "Juni war warm."],
        ["It rose.", "It fell!", "Did it?"],
        ["ارتفع النهر.", "هل فاض؟", "نعم."],
    ],
)
def test_several(parts: list[str]) -> None:
    assert _said(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["橋は春まで閉鎖される。", "費用は3.5億円だ！", "誰が払うのか？", "不明。"],
        ["市议会说：“大桥将关闭。”", "这是真的吗？"],
    ],
)
def test_where_no_space_follows_a_mark_ends_a_sentence_all_the_same(parts: list[str]) -> None:
    assert _said("".join(parts)) == parts


@pytest.mark.parametrize(
    "heading",
    ["Minister denies that he knew", "The Long Night Of The River", "Works and inspectorate agree: EUR 31 million"],
)
def test_a_heading_glued_to_the_next_line_ends_there(heading: str) -> None:
    text = "The minister said on Friday that he had not been told of the readings."
    assert _said(f"{heading}\n{text}") == [heading, text]


@given(st.text(alphabet="Ab .\n1(),-!", max_size=80))
def test_nothing_is_lost_but_white_space(text: str) -> None:
    assert "".join("".join(_said(text)).split()) == "".join(text.split())


def test_no_is_an_answer_before_a_word_and_a_number_before_digits() -> None:
    assert [span.of("Was it so? No. They did not.") for span in sentences("Was it so? No. They did not.")] == [
        "Was it so?",
        "No.",
        "They did not.",
    ]
    assert len(sentences("See No. 4 of order No. V/117.")) == 1

"""Foreign text is shown literally: no markup of any format, no invisible characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from inquest.reports.parts import isolated, markdown_text, one_line, paragraphs, shown

TEXT = st.text(st.one_of(st.characters(), st.sampled_from("\\`*_[]<>#|~&;!+-=.1)\u202e\u200b\u2066\ufeff \n\r\t")))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u202eb\u202c", "ab"),
        ("zero\u200b wide\ufeff", "zero wide"),
        ("nul\x00 bell\x07 tab\t", "nul bell tab\t"),
        ("half \ud83d", "half \ufffd"),
        ("tag\U000e0041", "tag"),
        ("می\u200cخواهم 👩\u200d🚒 ✔\ufe0f \u200fא", "می\u200cخواهم 👩\u200d🚒 ✔\ufe0f \u200fא"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
    ],
)
def test_what_cannot_be_seen_is_left_out_and_what_scripts_need_stays(text: str, seen: str) -> None:
    assert shown(text) == seen


def test_paragraphs_keep_lines_and_the_blanks_at_the_ends() -> None:
    assert paragraphs(" a  b \n\n\n c\td ") == " a b\nc d "
    assert one_line(" a  b \n\n c ") == "a b c"


def test_only_words_that_run_from_right_to_left_are_set_apart() -> None:
    assert isolated("412 kg, Brünnfeld") == "412 kg, Brünnfeld"
    assert isolated("עם 2022") == "\u2068עם 2022\u2069"


@given(TEXT)
def test_what_opens_no_line_is_escaped_like_the_rest_and_reads_as_it_was(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(f"- x{markdown_text(text, opens=False)}")
    read = "".join(child.content for token in tokens if token.children for child in token.children)
    assert read.split() == f"x{one_line(text)}".split()


@given(TEXT)
def test_shown_text_can_be_written_and_has_no_controls(text: str) -> None:
    found = shown(text)
    assert shown(found) == found
    assert found.encode().decode() == found
    assert not any(ord(char) < 32 and char not in "\n\t" for char in found)
    assert not set(found) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff")


@given(TEXT)
def test_markdown_reads_as_the_text_it_was(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(f"- {markdown_text(text)}")
    kinds = [token.type for token in tokens]
    assert kinds in (
        ["bullet_list_open", "list_item_open", "paragraph_open", "inline", "paragraph_close", "list_item_close",
         "bullet_list_close"],
        ["bullet_list_open", "list_item_open", "list_item_close", "bullet_list_close"],
    )  # fmt: skip
    read = "".join(child.content for token in tokens if token.children for child in token.children)
    assert {child.type for token in tokens if token.children for child in token.children} <= {"text", "text_special"}
    assert " ".join(read.split()) == one_line(text)

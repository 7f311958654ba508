"""What every reader's text is like."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from inquest.readers.plain import clean, one_line


def test_what_cannot_be_seen_is_taken_out() -> None:
    assert clean("zero\u200bwidth, \u202eover\u202cride, soft\xadhyphen, \ufeffmark, \x07bell, \U000e0041tag") == (
        "zerowidth, override, softhyphen, mark, bell, tag"
    )


def test_joiners_stay_where_they_spell_words() -> None:
    assert clean("می\u200cشود") == "می\u200cشود"
    assert clean("ig\u200cnore") == "ignore"


def test_accents_are_composed_even_across_what_was_taken_out() -> None:
    assert clean("e\u200b\u0301") == "é"


def test_every_space_is_a_plain_one_and_blank_lines_do_not_pile_up() -> None:
    assert clean("a\u00a0 \u2003b\t c \r\n\r\n\r\n\r\n d\u2028e") == "a b c\n\nd\ne"


def test_a_layout_by_hand_is_kept_where_asked() -> None:
    assert clean("  a    b\n    c  \n\n\n\nd", keep_spacing=True) == "  a    b\n    c\n\nd"


@given(st.text(alphabet=st.characters()))
def test_clean_text_stays_as_it_is_and_shows_everything(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not [char for char in once if unicodedata.category(char) in ("Cc", "Co", "Cs") and char != "\n"]
    assert "\n\n\n" not in once
    assert "\n" not in one_line(text)

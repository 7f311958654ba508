"""Tables of words beside the code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inquest.text.lexicon import any_of, entries, pattern, word_set

TABLE = """
[verbs]
rising = '''
rose|
rises
'''
steps = "up*|step by step"
small = "of in\\nat"

[verbs_cased]
units = 'kW|
MW'
""".replace("'kW|\nMW'", "'''\nkW|\nMW\n'''")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that has such a table beside it."""
    folder = tmp_path / "words_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "words.toml").write_text(TABLE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "words_of_a_test", raising=False)
    return "words_of_a_test.verbs"


def test_lines_of_a_pattern_are_joined_and_case_counts_only_where_the_section_says_so(module: str) -> None:
    assert pattern(module, "rising").pattern == "rose|rises"
    assert pattern(module, "rising").search("Rose") and not pattern(module, "units").search("kw")


def test_phrases_are_whole_words_with_any_ending_where_a_star_stands(module: str) -> None:
    assert [found.group() for found in any_of(module, "steps").finditer("Upward, step  by step; a cupboard")] == [
        "Upward",
        "step  by step",
    ]


def test_lists_and_sections(module: str) -> None:
    assert word_set(module, "small") == {"of", "in", "at"}
    assert set(entries(module, "verbs")) == {"rising", "steps", "small"}


def test_an_entry_that_is_not_there_is_an_error(module: str) -> None:
    with pytest.raises(KeyError):
        pattern(module, "falling")

"""Writing one setting to inquest.toml: everything else in it, including formatting, stays."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.app.settings_file import set_line
from inquest.domain.errors import SettingError

COMMENTED = """\
# ours
engines = "crossref,openalex"  # in this order
stance_model = 'old' # chosen in May

[keys] # secret
TAVILY_API_KEY = "k"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "inquest.toml"


def test_a_line_is_replaced_where_it_stands_with_its_comment(path: Path) -> None:
    path.write_text(COMMENTED)
    set_line(path, "stance_model", "new")
    assert path.read_text() == COMMENTED.replace("'old'", '"new"')


def test_a_new_line_goes_before_the_first_table(path: Path) -> None:
    path.write_text(COMMENTED)
    set_line(path, "sentence_model", "x")
    text = path.read_text()
    assert text.index('sentence_model = "x"') < text.index("[keys]")
    assert text.replace('sentence_model = "x"\n', "") == COMMENTED


@pytest.mark.parametrize(
    "before", ["", "\n", "# only a comment", "[keys]\nX_API_KEY = 'k'\n", "engines = [\n 'a',\n]\n"]
)
def test_any_file_takes_it_and_keeps_the_rest(before: str, path: Path) -> None:
    path.write_text(before)
    set_line(path, "stance_model", "x")
    assert tomllib.loads(path.read_text()) == tomllib.loads(before) | {"stance_model": "x"}
    for line in before.splitlines():
        assert line in path.read_text()


def test_where_there_is_no_file_one_is_made(tmp_path: Path) -> None:
    set_line(tmp_path / "home" / "inquest.toml", "stance_model", "x")
    assert (tmp_path / "home" / "inquest.toml").read_text() == 'stance_model = "x"\n'


def test_permissions_stay_since_keys_may_stand_in_it(path: Path) -> None:
    path.write_text(COMMENTED)
    path.chmod(0o600)
    set_line(path, "stance_model", "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"stance_model = ", b"\xff\xfe", b'stance_model = """a\nb"""\n'])
def test_what_cannot_be_changed_is_left_and_the_line_is_named(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(SettingError) as met:
        set_line(path, "stance_model", "new")
    assert 'stance_model = "new"' in met.value.advice
    assert path.read_bytes() == content and os.listdir(path.parent) == [path.name]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_name_is_written_as_it_is(value: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "inquest.toml"
        path.write_text(COMMENTED)
        set_line(path, "stance_model", value)
        assert tomllib.loads(path.read_text())["stance_model"] == value

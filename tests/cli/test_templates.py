"""Templates of briefs at the terminal: listed, shown, and converted to a command with the same request."""

from __future__ import annotations

import shlex

import pytest

from inquest.app.cases.case_request import KINDS, templates
from inquest.cli.common import command_of
from inquest.cli.entry import run
from inquest.domain.errors import InputError


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["templates", *arguments]) == 0
    return capsys.readouterr().out.strip()


def test_the_list_names_each_and_a_name_shows_its_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    listed = _printed(capsys)
    for name, each in templates().items():
        assert name in listed and each.title in listed
        shown = _printed(capsys, name)
        assert all(what in shown for what in each.blanks.values())


@pytest.mark.parametrize("name", list(templates()))
def test_a_filled_template_is_a_request_of_its_kind(name: str) -> None:
    each = templates()[name]
    filled = each.filled({blank: f"-the {blank}" for blank in each.blanks} | {"language": "de"})
    assert type(filled) is KINDS[each.kind][0] and filled.language == "de"
    for blank in each.blanks:
        assert f"-the {blank}" in str(filled)
    with pytest.raises(InputError, match="Missing"):
        each.filled({})


def test_the_printed_command_and_run_begin_the_same_case(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blanks = ["who=Mayor Ina Berg", 'quote=We built "400 flats" in 2023', "engines=collection"]
    command = shlex.split(_printed(capsys, "quote", *blanks))
    assert command[:2] == ["inquest", "check"] and command.count("--claim") == 2
    began: list[list[str]] = []

    def begin(arguments: list[str]) -> int:
        began.append(arguments)
        return 0

    monkeypatch.setattr("inquest.cli.entry.run", begin)
    assert run(["templates", "quote", *blanks, "--run"]) == 0
    assert began == [command[1:]]


def test_a_text_that_begins_like_an_option_stays_a_text() -> None:
    filled = templates()["rumour"].filled({"rumour": "x", "ticker": "T", "question": "--help"})
    assert command_of(filled) == ["ask", "--ticker", "T", "--", "--help"]


def test_what_is_no_blank_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["templates", "quote", "who=a", "whom=b"]) == 1
    assert "Unknown blank 'whom'" in capsys.readouterr().err
    assert run(["templates", "quote", "who"]) == 1
    assert run(["templates", "nonsense"]) == 1

"""What every case can be told is declared once, and serves the terminal, the library and other programs alike."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from inquest import Inquest
from inquest.app.cases.requests import CaseOptions, brief_from
from inquest.app.desks.asking_market import MarketOptions
from inquest.app.desks.checking import CheckOptions
from inquest.app.settings import load_settings
from inquest.cli.entry import app
from inquest.domain.errors import InputError

OPTIONS = tuple(CaseOptions.__annotations__)
CALLS = ("inquiry", "check", "verify", "ask")
ARGUMENTS: dict[str, dict[str, Any]] = {
    "inquiry": {"brief": "Did the ferry close?"},
    "check": {"claims": ["We cut emissions by 42 %."], "company": "Norvane"},
    "verify": {"topic": "https://paper.example/strike"},
    "ask": {"question": "Why is NVDA down today?"},
}


def test_they_become_the_brief() -> None:
    settings = load_settings(budget_usd=9.0)
    brief = brief_from(
        "harbour",
        settings=settings,
        engines="Tavily, brave,tavily",
        collections=["a", "a"],
        as_of="2026-03-01",
        deadline="5m",
    )
    assert brief.engines == ("tavily", "brave") and brief.collections == ("a",)
    assert brief.as_of is not None and brief.as_of.date() == datetime(2026, 3, 1, tzinfo=UTC).date()
    assert brief.deadline_seconds == 300 and brief.budget_usd == 9.0, "the settings speak where the user does not"


def test_languages_are_codes_or_names_and_each_once() -> None:
    assert brief_from("Did the Tarn Bridge close?", settings=load_settings(), languages="German, no,de").languages == (
        "de",
        "no",
    )
    assert brief_from("Did the Tarn Bridge close?", settings=load_settings(), languages=["Norwegian"]).languages == (
        "no",
    )
    with pytest.raises(InputError, match="'Klingon' is no language"):
        brief_from("Did the Tarn Bridge close?", settings=load_settings(), languages="de, Klingon")
    with pytest.raises(InputError, match="too many"):
        brief_from("Did the Tarn Bridge close?", settings=load_settings(), languages="de,fr,it,no,sv,da")


@pytest.mark.parametrize("call", CALLS)
async def test_a_misspelt_option_is_no_option(call: str, tmp_path: Path) -> None:
    async with Inquest(home=tmp_path) as inquest:
        if call == "verify":  # a topic that is there, so that no page is read
            from inquest.app.cases.topic_records import topics_of
            from inquest.domain.topic import Topic

            await (await topics_of(inquest.app)).add(Topic(title="Strike", url=ARGUMENTS[call]["topic"]))
        with pytest.raises(TypeError, match="There is no option 'as_off'"):
            await getattr(inquest, call)(**ARGUMENTS[call], as_off="2026-03-01")


@pytest.mark.parametrize("call", CALLS)
def test_each_call_of_the_library_takes_them_all(call: str) -> None:
    (options,) = [
        each
        for each in inspect.signature(getattr(Inquest, call)).parameters.values()
        if each.kind is inspect.Parameter.VAR_KEYWORD
    ]
    taken = {each.__name__: each for each in (CaseOptions, CheckOptions, MarketOptions)}
    named = str(options.annotation).removeprefix("Unpack[").removesuffix("]")
    assert named in taken and set(OPTIONS) <= taken[named].__annotations__.keys()


@pytest.mark.parametrize("name", ["run", "check", "verify", "ask"])
def test_each_command_has_an_option_for_each(name: str) -> None:
    commands: Any = get_command(app)
    command = commands.commands[name]
    written = {written for each in command.params for written in each.opts}
    assert {f"--{'collection' if each == 'collections' else each.replace('_', '-')}" for each in OPTIONS} <= written

"""Testing one engine: its hits as parsed, or exactly what went wrong."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.simulated.server import Faults, simulated_web
from inquest.app.settings import load_settings
from inquest.app.tools.doctor import try_engine
from inquest.app.wiring.resources import Resources, open_resources
from inquest.cli.entry import run
from inquest.domain.errors import InputError, SettingError
from tests.flow.test_simulated_inquiry import world


@asynccontextmanager
async def an_app(home: Path, faults: Faults | None = None, **more: object) -> AsyncIterator[Resources]:
    async with (
        simulated_web(world(), faults=faults) as web,
        open_resources(load_settings(home=home, **(web.settings | more))) as app,
    ):
        yield app


async def test_the_hits_are_shown_as_parsed_and_the_call_is_counted(tmp_path: Path) -> None:
    async with an_app(tmp_path) as app:
        said = await try_engine(app, "tavily", "harbour fire")
        assert said["ok"] and said["hits"] and said["query"] == "harbour fire"
        assert all(hit["url"].startswith("https://") and hit["title"] for hit in said["hits"])
        assert (said["calls"], said["usd"]) == (1, app.engines["tavily"].spec.usd_per_call)
        again = await try_engine(app, "tavily", "harbour fire")
        assert again["calls"] == 1, "a test is never served from the cache"


async def test_a_refusal_is_shown_with_the_services_own_words_and_never_the_key(tmp_path: Path) -> None:
    async with an_app(tmp_path, Faults(refused=("api.tavily.com",))) as app:
        said = await try_engine(app, "tavily")
    assert not said["ok"]
    assert said["error"]["kind"] == "EngineKeyRefused"
    assert said["error"]["status"] == 401
    assert "invalid api key" in said["error"]["said"]
    assert "TAVILY_API_KEY" in said["error"]["advice"]
    assert "tvly-simulated" not in json.dumps(said)


async def test_a_limit_that_is_used_up_is_the_error(tmp_path: Path) -> None:
    async with an_app(tmp_path, engine={"tavily": {"per_day": 1}}) as app:
        assert (await try_engine(app, "tavily"))["ok"]
        said = await try_engine(app, "tavily", "another")
    assert said["error"]["kind"] == "EngineQuota"
    assert said["error"]["message"] == "Tavily is at its limit of 1 call a day."
    assert said["calls"] == 0


async def test_what_is_missing_is_named(tmp_path: Path) -> None:
    async with open_resources(load_settings(home=tmp_path)) as app:
        with pytest.raises(SettingError, match="set TAVILY_API_KEY"):
            await try_engine(app, "tavily")
        with pytest.raises(InputError, match="no engine 'tavly'") as met:
            await try_engine(app, "tavly")
        assert "tavily" in met.value.advice
        with pytest.raises(SettingError, match="needs a collection"):
            await try_engine(app, "collection")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--test", "tavly"], 1), (["--test", "tavily"], 1), (["--query", "x"], 1)],
)
def test_a_wrong_call_ends_with_its_exit_code(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["engines", *arguments]) == code
    assert "Traceback" not in capsys.readouterr().err

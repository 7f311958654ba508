"""A model is found on this machine, tested with one call, and saved; one that could not be tested is saved but not
used."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from inquest import Inquest
from inquest.api.server import create_app
from inquest.app.cases.case_request import ClaimsRequest
from inquest.app.cases.session import new_session
from inquest.app.desks.briefs import check_brief
from inquest.app.settings import load_settings
from inquest.app.tools.doctor import examine
from inquest.app.tools.local_models import choose_model, forget_model, try_again
from inquest.app.wiring import model_services as found
from inquest.domain.case import CaseStatus
from inquest.flow.planned import seconds_of
from inquest.web.pages import add_pages
from tests.net.loopback import Asked, LoopbackWeb, http

pytestmark = pytest.mark.usefixtures("no_pauses")


class Server:
    """A model server with OpenAI's API on loopback. `status`: that of every answer."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.status = 200
        self.says = '{"ok": true}'

    async def __call__(self, asked: Asked, writer: object) -> bool:
        self.asked.append(asked)
        body: object = {"data": [{"id": "own-7b", "owned_by": "vllm", "max_model_len": 8192}]}
        if asked.method == "POST":
            usage = {"prompt_tokens": 9, "completion_tokens": 3}
            body = {"choices": [{"message": {"content": self.says}}], "usage": usage}
        status = self.status if asked.method == "POST" else 200
        writer.write(http(status, json.dumps(body).encode(), "application/json"))  # type: ignore[attr-defined]
        return True


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_BASE_URL")) or name == "INQUEST_MODEL"]:
        monkeypatch.delenv(name)


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Server, str]]:
    """The only server on a usual port, and its model as written in settings."""
    answers = Server()
    async with LoopbackWeb({"/v1/models": answers, "/v1/chat/completions": answers, "/props": answers}) as web:
        monkeypatch.setattr(found, "PORTS", {web.port: "llama.cpp"})
        yield answers, f"openai:own-7b at http://127.0.0.1:{web.port}/v1"


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    async with Inquest(home=tmp_path) as opened:
        yield opened


async def test_a_server_on_its_usual_port_is_seen_without_a_key_or_a_proxy(
    server: tuple[Server, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    async with Inquest(home=tmp_path, proxy="http://127.0.0.1:9") as inquest:
        (seen,) = await found.model_servers(inquest.app.clock)
    assert (seen.title, seen.names, seen.models) == ("vLLM", ("own-7b",), (server[1],))
    assert [each.path for each in server[0].asked] == ["/v1/models"]
    assert "authorization" not in server[0].asked[0].headers


async def test_a_model_that_answers_is_used_by_every_process_and_a_setting_wins(
    server: tuple[Server, str], inquest: Inquest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    trial = await choose_model(inquest.app, server[1], "key-of-the-server")
    assert trial.ok and "free of charge; 8,192 tokens of context; structured output by a JSON schema" in trial.says
    assert server[0].asked[-1].headers["authorization"] == "Bearer key-of-the-server", "no provider's key goes there"
    assert inquest.app.settings.model == load_settings(home=tmp_path).model == server[1]
    monkeypatch.setenv("INQUEST_MODEL", "openai:gpt-5")
    wins = load_settings(home=tmp_path)
    assert (wins.model, wins.chosen.over) == ("openai:gpt-5", "INQUEST_MODEL")
    monkeypatch.delenv("INQUEST_MODEL")
    forget_model(inquest.app)
    assert not inquest.app.settings.uses_model and not load_settings(home=tmp_path).uses_model


_RIGHT = ["supports", "contradicts", "neither", "contradicts", "neither", "neither", "supports", "contradicts"]


@pytest.mark.parametrize(
    ("says", "reported"),
    [
        (json.dumps({"answers": _RIGHT}), "read 8 of 8 test sentences correctly"),
        (f"Here they are:\n- {chr(10).join(_RIGHT[:6])}\n- neither\n- neither", "read 6 of 8 test sentences correctly"),
        (json.dumps({"answers": ["supports"] * 8}), "read 2 of 8 test sentences correctly: it should not judge claims"),
        ("All of them are fine.", "its answer on eight test sentences cannot be used: it should not judge claims"),
    ],
)
async def test_a_trial_reports_how_well_the_model_reads(
    server: tuple[Server, str], inquest: Inquest, says: str, reported: str
) -> None:
    server[0].says = says
    trial = await choose_model(inquest.app, server[1])
    assert trial.ok and reported in trial.says
    assert ("INQUEST_MODEL_ASSESS=local" in trial.says) == ("should not" in reported)


async def test_a_case_has_four_times_as_long_with_a_model_on_the_user_s_own_server(
    server: tuple[Server, str], inquest: Inquest
) -> None:
    brief = await check_brief(inquest.app, ClaimsRequest(claims=("The Odell dam is safe.",)))
    assert (await new_session(inquest.app, brief)).case.brief.deadline_seconds is None
    assert (await choose_model(inquest.app, server[1])).ok
    own = (await new_session(inquest.app, brief)).case.brief.deadline_seconds
    assert own == pytest.approx(4 * seconds_of(brief, 1))


async def test_what_cannot_be_tested_is_kept_and_not_used_until_it_answers(
    server: tuple[Server, str], inquest: Inquest, tmp_path: Path
) -> None:
    server[0].status = 503
    for written in ("openai:gpt-5 at http://127.0.0.1:9/v1", server[1]):
        trial = await choose_model(inquest.app, written, "untested-key-1")
        assert not trial.ok and not trial.refused
    kept = load_settings(home=tmp_path)
    assert kept.model is None and not kept.keys and "untested-key-1" in kept.untested.values()
    server[0].status = 401
    refused = await choose_model(inquest.app, server[1], "wrong-key-2")
    assert refused.refused and "refuses the key" in refused.says
    assert "wrong-key-2" not in (tmp_path / "inquest.toml").read_text()
    server[0].status = 200
    assert (await choose_model(inquest.app, server[1], "right-key-3")).ok
    assert not inquest.app.settings.untested and not load_settings(home=tmp_path).untested
    assert (await try_again(inquest.app)).ok


async def test_a_case_goes_on_with_the_local_analyst_when_the_server_dies(
    server: tuple[Server, str], inquest: Inquest
) -> None:
    assert (await choose_model(inquest.app, server[1])).ok
    server[0].status = 500
    case = await inquest.check(claims=["The plant leaked in June 2023."], engines=("collection",), rounds=0)
    assert case.status is CaseStatus.PARTIAL
    assert any(note.what == "model" and note.where == server[1] for note in case.outages)


async def test_the_page_and_the_doctor_offer_what_is_there(
    server: tuple[Server, str], inquest: Inquest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUEST_HOME", str(tmp_path))
    made = create_app(inquest.app, extend=add_pages)
    async with made.router.lifespan_context(made):
        transport = httpx2.ASGITransport(made)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as client:
            for path in ("/", "/new", "/settings"):
                assert f'name="model" value="{server[1]}"' in (await client.get(path)).text, path
            used = await client.post("/settings/model", data={"model": server[1]})
            assert "answered in" in used.text and inquest.app.settings.model == server[1]
            assert f'value="{server[1]}"' not in (await client.get("/new")).text
            wrong = await client.post("/settings/model", data={"provider": "openai", "model": "gpt-5", "key": "a b"})
            assert wrong.status_code == 422
    said = {each["what"]: each["says"] for each in (await examine())["checks"]}
    assert f"inquest models use '{server[1]}'" in said["model server"]
    assert said["model for plan"] == f"{server[1]} (chosen)"
    assert not any(each.count("cannot be reached") > 1 for each in said.values())


async def test_where_nobody_can_be_asked_the_plan_and_the_page_say_what_can_be_done(
    inquest: Inquest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "PORTS", {})
    case = await inquest.inquiry(
        "Did the plant at Harrow exceed its permit in 2023?", mode="quick", engines=("tavily",)
    )
    assert case.plan is not None and case.status is CaseStatus.FAILED
    for said in (" ".join(case.plan.notes), case.why):
        assert "No engine is ready (needs a key)" in said and "inquest collection add" in said


async def test_a_data_folder_that_cannot_be_written_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INQUEST_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    (folder,) = (each for each in (await examine(reach=False))["checks"] if each["what"] == "data folder")
    assert not folder["ok"] and folder["says"].endswith("is read-only")

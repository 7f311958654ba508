"""`inquest check` at the terminal: readable error messages, exit codes, and a check that is interrupted, killed and
resumed."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import Company, Row
from bench.simulated.server import CERTIFICATE, Heard, SimulatedWeb, simulated_web
from inquest import Inquest
from inquest.cli.entry import run
from inquest.domain.case import CaseStatus
from inquest.domain.event import Event, EventType

pytestmark = pytest.mark.usefixtures("features_alone")
COMMAND = "import sys; from inquest.cli.entry import run; sys.exit(run(sys.argv[1:]))"
CLAIM = "Calder Stone Ltd paid a fine of 150,000 euros in 2023."
FIRM = Company("Velkran Cement AG", "Velkran Cement", "cement", "velkrancement.com", (
    Row("borne_out", "Velkran Cement replaced coal with waste wood in the kiln at Hollin in 2022.",
        "Hollin kiln coal waste wood", "the kiln at Hollin has burnt waste wood instead of coal since 2022"),
    Row("direct", "Velkran Cement has closed its quarry at Tarnholt for good.", "Tarnholt quarry closed",
        no="the quarry at Tarnholt is still open, and lorries leave it every morning"),
))  # fmt: skip


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    return capfd


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "nothing to check"),
        (["no-such-report.pdf"], "a report needs the name of the company"),
        (["--claim", " ", "--company", "Calder"], "The claim is empty"),
        (["--claim", "x" * 5_000, "--company", "Calder"], "at most 2,000 characters"),
        (["--claim", CLAIM, "--company", "Calder", "--desks", "astrology"], "no desk 'astrology'"),
        (
            ["--claim", CLAIM, "--company", "Calder", "--max-claims", "9999"],
            "Invalid max claims '9999': expected at most 500",
        ),
        (["no-such-report.pdf", "--company", "Calder"], "There is no file"),
        (["ftp://example.org/report", "--company", "Calder"], "neither a file nor a web address"),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_sentence(
    arguments: list[str], sentence: str, said: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["check", *arguments]) == 1
    told = said.readouterr()
    assert sentence in told.err and "Traceback" not in told.err
    assert not told.out and not list(tmp_path.glob("*report*"))


@pytest.fixture
def documents(tmp_path: Path, said: pytest.CaptureFixture[str]) -> list[str]:
    """Options for checking the claim on one of the user's own documents."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({
        "url": "https://air-authority.example/notices/17", "title": "Notice 17", "date": "2023-09-04",
        "text": "The Air Authority fined Calder Stone Ltd 150,000 euros on 4 September 2023.",
    }))  # fmt: skip
    assert run(["collection", "add", "tarn", str(rows)]) == 0
    said.readouterr()
    return ["check", "--company", "Calder Stone Ltd", "--claim", CLAIM, "--collection", "tarn", "--engines",
            "collection", "--as-of", "2024-06-01", "--rounds", "0"]  # fmt: skip


def _answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    given = iter([*(f"{line}\n" for line in lines), *[""] * 9])
    monkeypatch.setattr(
        "sys.stdin", type("Lines", (), {"readline": lambda self: next(given), "isatty": lambda self: False})()
    )


def test_the_list_of_claims_is_changed_at_the_prompt(
    documents: list[str], said: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _answers(
        monkeypatch, "", "add: Calder Stone Ltd was fined by the Air Authority in 2023.", "only A1", "drop A9", "y"
    )
    assert run([*documents, "--json", str(tmp_path / "case.json")]) == 0
    case = json.loads((tmp_path / "case.json").read_text())
    assert [claim["id"] for claim in case["claims"]] == ["A1"]
    told = said.readouterr().err
    assert "Not understood: “drop A9”" in told and "revision 4" in told


def test_the_end_of_input_keeps_the_plan_for_later(
    documents: list[str], said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _answers(monkeypatch)
    assert run(documents) == 0
    told = said.readouterr().err
    assert "inquest resume" in told
    case_id = told.rsplit("inquest resume", 1)[1].split()[0]
    assert run(["resume", case_id, "--approve", "auto"]) == 0
    assert "150,000" in said.readouterr().out


class Holding:
    """The simulated web of a firm, which answers the given number of searches and then none, until it is released."""

    def __init__(self, web: SimulatedWeb, most: int) -> None:
        self.answered: Counter[bytes] = Counter()
        self.held = asyncio.Event()
        self._truly, self.most = web.reply, most
        web.reply = self.reply  # type: ignore[method-assign]

    async def reply(self, method: str, url: str, body: bytes) -> Heard:
        if "tavily" in url:
            if len(self.answered) >= self.most:
                self.held.set()
                await asyncio.sleep(3600)
            self.answered[body] += 1
        return await self._truly(method, url, body)

    def let_go(self) -> None:
        self.most = 10_000


@asynccontextmanager
async def held_up(home: Path, *more: str, most: int = 2) -> AsyncIterator[tuple[Process, Holding, dict[str, Any]]]:
    """A check in its own process that waits for a search; with the settings to continue in this one."""
    home.mkdir(exist_ok=True)
    async with simulated_web(a_company_world((FIRM,))) as web:
        holding = Holding(web, most)
        settings = {"proxy": f"http://127.0.0.1:{web.port}", "ca_file": CERTIFICATE}
        environment = os.environ | {
            "INQUEST_HOME": str(home), "INQUEST_PROXY": str(settings["proxy"]), "INQUEST_CA_FILE": str(CERTIFICATE),
            "TAVILY_API_KEY": "tvly-simulated-0123",
        }  # fmt: skip
        claims = [part for row in FIRM.rows for part in ("--claim", row.claim)]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", COMMAND, "check", "--company", FIRM.name, *claims, "--engines", "tavily",
            "--desks", "news", "--approve", "auto", "--as-of", "2024-12-31", "--rounds", "0", *more,
            env=environment, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        try:
            await asyncio.wait_for(holding.held.wait(), 60)
            yield process, holding, settings | {"keys": {"TAVILY_API_KEY": "tvly-simulated-0123"}}
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _events(inquest: Inquest) -> list[Event]:
    return [event for case in await inquest.app.cases() for event in await inquest.app.events_of(case.id)]


async def test_a_killed_check_goes_on_and_tells_and_asks_nothing_twice(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with held_up(home) as (process, holding, settings):
        async with Inquest(home=home, **settings) as watching:
            while sum(event.type is EventType.SEARCH_EXECUTED for event in await _events(watching)) < holding.most:
                await asyncio.sleep(0.05)  # replies are stored before they are reported
        process.send_signal(signal.SIGKILL)
        await process.wait()
        before = set(holding.answered)
        holding.let_go()
        async with Inquest(home=home, **settings) as inquest:
            (waiting,) = await inquest.app.cases()
            case = await inquest.resume(waiting.id)
            events = await inquest.app.events_of(case.id)
            assert (await inquest.replay(case.id)).difference == ""
    assert case.status is CaseStatus.COMPLETED, case.why
    assert {body: holding.answered[body] for body in before} == dict.fromkeys(before, 1)
    told = Counter((event.type, event.text) for event in events if event.type is not EventType.STAGE_STARTED)
    assert [what for what, times in told.items() if times > 1] == []


async def test_ctrl_c_twice_leaves_a_case_to_go_on_with_and_no_half_report(tmp_path: Path) -> None:
    home, report = tmp_path / "home", tmp_path / "report.md"
    async with held_up(home, "--report", str(report)) as (process, holding, settings):
        assert process.stderr is not None
        process.send_signal(signal.SIGINT)
        while b"Stopping" not in await process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        _, told = await asyncio.wait_for(process.communicate(), 60)
        assert b"Traceback" not in told
        if process.returncode == 2:  # the first was finished before the second came
            assert report.exists()
            return
        assert process.returncode == 130 and not report.exists()
        holding.let_go()
        async with Inquest(home=home, **settings) as inquest:
            (stopped,) = await inquest.app.cases()
            assert stopped.status is CaseStatus.CANCELLED
            assert (await inquest.resume(stopped.id)).status is CaseStatus.COMPLETED


async def test_ctrl_c_at_the_prompt_ends_at_once_and_keeps_the_plan(tmp_path: Path) -> None:
    home = tmp_path / "home"
    above, below = pty.openpty()
    environment = os.environ | {"INQUEST_HOME": str(home), "TAVILY_API_KEY": "tvly-simulated-0123"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", COMMAND, "check", "--company", FIRM.name, "--claim", FIRM.rows[0].claim,
        "--engines", "tavily", env=environment | {"INQUEST_PROXY": "http://127.0.0.1:9"}, stdin=below, stderr=PIPE,
    )  # fmt: skip
    os.close(below)
    assert process.stderr is not None
    try:
        await asyncio.wait_for(process.stderr.readuntil(b"write what to change: "), 60)
        process.send_signal(signal.SIGINT)
        assert b"Traceback" not in (await asyncio.wait_for(process.communicate(), 60))[1]
    finally:
        os.close(above)
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 130
    async with Inquest(home=home) as inquest:
        (case,) = await inquest.app.cases()
        assert case.plan is not None and not case.approvals

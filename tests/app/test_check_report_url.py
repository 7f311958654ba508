"""A report fetched from an address, which may lead to a login page, a picture or an error: this is reported in one
sentence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import typst

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES
from bench.simulated.server import Heard, Reply, simulated_web
from inquest import Inquest
from inquest.domain.case import CaseStatus
from inquest.domain.errors import InquestError
from inquest.domain.event import Event

pytestmark = pytest.mark.usefixtures("no_pauses")
COMPANY = "Norvane Chemicals plc"
LOGIN = b"""<!doctype html><html><head><title>Log in to Norvane Investors</title></head><body><form action="/login">
<label>Your name</label><input name="n"><label>Your password</label><input type="password" name="p"></form>
<p>Please log in to read the sustainability report. Forgot your password?</p></body></html>"""
REPLIES: dict[str, Reply] = {
    "login": (200, "text/html; charset=utf-8", LOGIN),
    "picture.pdf": (200, "application/pdf", b"\x89PNG\r\n\x1a\n" + b"0" * 200),
    "forbidden": (403, "text/html", b"<html><body>Forbidden</body></html>"),
    "gone": (404, "text/html", b"<html><body>Not found</body></html>"),
    "empty": (200, "text/html", b""),
    "scan.pdf": (200, "application/pdf", typst.compile(b"#rect(width: 100%, height: 90%, fill: luma(200))")),
    "report": (
        200,
        "text/html; charset=utf-8",
        b"<html><head><title>Sustainability Report 2022</title></head><body><article><h1>Report 2022</h1>"
        b"<p>Norvane cut its Scope 1 emissions by 12 % in 2022 and used 1,300 MWh of electricity in its halls.</p>"
        b"<p>The company paid fines of 20,000 EUR in 2022 for late reports on the water of its dye works in Lund.</p>"
        b"</article></body></html>",
    ),
}


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    """The library on a web in which Norvane serves different things."""
    async with simulated_web(a_company_world(COMPANIES[:1])) as web:
        truly = web.reply

        async def reply(method: str, url: str, body: bytes) -> Heard:
            if "norvane.example/" not in url or url.endswith("/robots.txt"):
                return await truly(method, url, body)
            return REPLIES[url.rpartition("/")[2]]

        web.reply = reply  # type: ignore[method-assign]
        async with Inquest(home=tmp_path / "home", **web.settings) as opened:
            yield opened


async def _checked(inquest: Inquest, report: str, **more: object) -> list[str]:
    """The texts of the claims that were checked."""
    case = await inquest.check(report, company=COMPANY, engines=["tavily"], rounds=0, as_of="2024-06-01", **more)  # type: ignore[arg-type]
    return [claim.text for claim in case.claims]


async def test_a_report_at_an_address_is_read_like_one_on_disk(inquest: Inquest) -> None:
    claims = await _checked(inquest, "http://norvane.example/report")
    assert len(claims) == 2 and any("20,000 EUR" in text for text in claims)


async def test_what_is_no_report_is_said_in_one_sentence_and_nothing_is_checked(inquest: Inquest) -> None:
    words = {
        "login": "log",
        "picture.pdf": "picture",
        "forbidden": "403",
        "gone": "404",
        "empty": "",
        "scan.pdf": "scan",
    }
    for shows, word in words.items():
        with pytest.raises(InquestError) as met:
            await _checked(inquest, f"http://norvane.example/{shows}")
        said = str(met.value)
        assert word in said.lower() and "\n" not in said and said.endswith("."), shows
        assert met.value.advice, shows
    for case in await inquest.app.cases():
        assert case.status is CaseStatus.FAILED and not case.claims and not case.findings


async def test_ctrl_c_while_a_long_report_is_read_stops_it_and_leaves_nothing_half_written(
    inquest: Inquest, tmp_path: Path
) -> None:
    source = "#for n in range(1, 401) [Plant #n of Norvane used #(n * 13) MWh of power in 2022. #pagebreak(weak: true)]"
    report = tmp_path / "report.pdf"
    report.write_bytes(typst.compile(source.encode()))
    begun = asyncio.Event()

    def told(event: Event) -> None:
        if event.text.startswith("Reading"):
            begun.set()

    check = asyncio.ensure_future(_checked(inquest, str(report), on_event=told))
    await asyncio.wait_for(begun.wait(), 60)
    check.cancel()
    with pytest.raises(asyncio.CancelledError):
        await check
    (case,) = await inquest.app.cases()
    assert case.status is CaseStatus.CANCELLED
    assert not case.claims and case.plan is None and not case.assessments

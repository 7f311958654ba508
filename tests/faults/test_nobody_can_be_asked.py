"""Every engine down: every kind of case, in every format, says that no engine could be queried, and no sentence says
only that nothing was found."""

from __future__ import annotations

import html
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.simulated.companies import a_company_world
from bench.simulated.running import limits_lifted
from bench.simulated.server import simulated_web
from inquest import Inquest
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.finding import Verdict
from inquest.engines.scholarly.crossref import Crossref
from inquest.engines.web.tavily import Tavily
from inquest.mcp.views import overview
from tests.faults.test_check_faults import FIRM

pytestmark = pytest.mark.usefixtures("no_pauses")
CLAIM = FIRM.rows[0].claim
ENGINES = ("tavily", "crossref")
KINDS: dict[str, Callable[[Inquest], Awaitable[Case]]] = {
    "check": lambda inquest: inquest.check(company=FIRM.name, claims=[CLAIM], engines=ENGINES, rounds=1),
    "inquiry": lambda inquest: inquest.inquiry(f"Is it true that {CLAIM}", mode="quick", engines=ENGINES),
    "topic": lambda inquest: inquest.verify(str(inquest.app.settings.home / "topic.json"), engines=ENGINES),
    "market": lambda inquest: inquest.ask(
        f"Why did shares of {FIRM.name} fall?", company=FIRM.name, engines=("tavily",)
    ),
}
ABSENT = re.compile(
    r"nothing was found|found nothing|no (?:source|news)[^.]{0,60} was found|no lead came back|no evidence was found",
    re.I,
)
MISSING = re.compile(
    r"could not be (?:asked|queried|checked|searched|read)|no source could be|not known|incomplete", re.I
)


@asynccontextmanager
async def out_of_order(home: Path) -> AsyncIterator[Inquest]:
    """A setup whose search engines all answer 503."""
    async with simulated_web(a_company_world((FIRM,))) as web:
        truly = web.reply

        async def reply(method: str, url: str, body: bytes):  # type: ignore[no-untyped-def]
            out = "tavily" in url or "crossref" in url
            return (503, "application/json", b"{}") if out else await truly(method, url, body)

        web.reply = reply  # type: ignore[method-assign]
        settings = web.settings | {"keys": {"TAVILY_API_KEY": "tvly-simulated-0123"}, "model": ""}
        with limits_lifted(Tavily, Crossref):
            async with Inquest(home=home, **settings) as inquest:
                yield inquest


def sentences(text: str) -> list[str]:
    """The sentences of a report in any format: its visible words, cut at full stops and lines."""
    plain = html.unescape(re.sub(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]+>", "\n", text, flags=re.S))
    return [part for part in re.split(r"(?<=[.!?])\s|\\n|\n", plain) if part.strip()]


async def report(inquest: Inquest, case: Case, form: str) -> str:
    """The report or, for a case without one, the sentence with the reason."""
    try:
        return (await inquest.report(case.id, form)).decode()
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("kind", KINDS)
async def test_nobody_could_be_asked_is_what_every_form_says(kind: str, tmp_path: Path) -> None:
    (tmp_path / "topic.json").write_text(json.dumps({"title": CLAIM, "text": CLAIM}), encoding="utf-8")
    async with out_of_order(tmp_path) as inquest:
        case = await KINDS[kind](inquest)
        forms = {form: await report(inquest, case, form) for form in ("md", "html", "json")}
        forms["mcp"] = (await overview(inquest.app, case)).model_dump_json()
        forms["why"] = case.why
    assert case.status in (CaseStatus.PARTIAL, CaseStatus.FAILED)
    assert {each.verdict for each in case.assessments} <= {Verdict.UNVERIFIED}
    assert not any(each.checked for each in case.assessments), "it could not be checked, which is no finding"
    for form, text in forms.items():
        assert MISSING.search(text), f"{form} does not say that nobody could be asked"
        alone = [each for each in sentences(text) if ABSENT.search(each) and not MISSING.search(each)]
        assert not alone, f"{form}: {alone}"
    assert case.outages


async def test_where_the_one_engine_that_was_named_is_not_ready_nothing_is_said_to_be_found(tmp_path: Path) -> None:
    async with out_of_order(tmp_path) as inquest:
        case = await inquest.check(claims=[CLAIM], engines=("collection",), rounds=0)
    assert case.status is CaseStatus.PARTIAL
    assert not any(each.checked for each in case.assessments)
    assert [note.where for note in case.outages] == ["collection"]

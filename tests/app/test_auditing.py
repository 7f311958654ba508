"""An audit of citations before pages that are served: each way to be wrong has its outcome, without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES
from bench.simulated.server import Heard, Reply, simulated_web
from inquest import Inquest
from inquest.app.tools.auditing import AuditRequest, audit, exit_code, rendered
from inquest.domain.audit import Audit, Outcome


def _page(title: str, text: str) -> Reply:
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    page = f"{head}<body><article><h1>{title}</h1>{text}</article></body></html>"
    return 200, "text/html; charset=utf-8", page.encode()


FILLER = (
    "<p>The council met on Tuesday evening and went through the minutes of its last meeting in the old town hall.</p>"
    "<p>Buses will stop at the market until the bridge is open again, and the ferry keeps to its winter timetable.</p>"
    "<p>A choir from the next valley sang for the visitors, who stayed until the lamps along the quay were lit.</p>"
)
REPLIES: dict[str, Reply] = {
    "fine": _page("The fine", f"<p>The Air Authority fined Norvane 150,000 euros in March 2023.</p>"
                  f"<p>“We regret every one of these nights at the works in Lund,” said the director.</p>{FILLER}"),
    "jobs": _page("Jobs", f"<p>Norvane employed 640 people at its works in Lund in 2024.</p>{FILLER}"),
    "work": _page("RETRACTED: Dust and lungs", f"<p>Dust halved the breath of 312 workers in 2019.</p>{FILLER}"),
    "gone": (404, "text/html", b"<html><body>Not found</body></html>"),
    "down": (403, "text/html", b"<html><body>Forbidden</body></html>"),
}  # fmt: skip
TEXT = """# Report

The Air Authority fined Norvane 150,000 euros in March 2023 [1]. The Air Authority fined Norvane 510,000 euros in March 2023 [1]. “We regret every one of these nights at the works in Lund,” said the director [1]. “We regret not one of these nights at the works in Lund,” said the director [1]. Norvane employed 640 people at its works in Lund in 2024 [1]. Dust halved the breath of 312 workers in 2019 [3]. Norvane opened a hall in Oslo in 2021 [4]. Norvane closed a hall in Bergen in 2022 [5].

Norvane sold 12 million tonnes of glass in 2020.

## Sources

1. http://norvane.example/fine
2. http://norvane.example/jobs
3. http://norvane.example/work
4. http://norvane.example/gone
5. http://norvane.example/down
"""  # noqa: E501


@pytest.fixture
async def audited(tmp_path: Path) -> AsyncIterator[Audit]:
    """The audit of the text; no sentence cites the page on jobs, which its list has."""
    async with simulated_web(a_company_world(COMPANIES[:1])) as web:
        truly = web.reply

        async def reply(method: str, url: str, body: bytes) -> Heard:
            if "norvane.example/" not in url or url.endswith("/robots.txt"):
                return await truly(method, url, body)
            return REPLIES[url.rpartition("/")[2]]

        web.reply = reply  # type: ignore[method-assign]
        settings = {name: value for name, value in web.settings.items() if not name.startswith("model")}
        async with Inquest(home=tmp_path / "home", **settings) as opened:
            app = opened.app
            yield await audit(app, AuditRequest("report.md", TEXT), lambda said: None)


async def test_every_citation_has_its_outcome_and_every_quote_is_grounded(audited: Audit) -> None:
    found = [each.outcome for each in audited.items]
    assert found == [
        Outcome.HOLDS,
        Outcome.SAYS_OTHERWISE,
        Outcome.HOLDS,
        Outcome.SAYS_OTHERWISE,
        Outcome.MISATTRIBUTED,
        Outcome.WITHDRAWN,
        Outcome.DOES_NOT_EXIST,
        Outcome.COULD_NOT_BE_READ,
        Outcome.NO_CITATION,
    ]
    assert "“not” for “every”" in audited.items[3].reason
    assert all(each.quote for each in audited.items[:5])


async def test_the_forms_and_the_exit_code_follow_the_outcomes(audited: Audit) -> None:
    assert "does not exist" in rendered(audited, "md")
    assert rendered(audited, "html").count("<mark") == len(audited.items)
    assert '"startLine": 3' in rendered(audited, "sarif")
    assert exit_code(audited, {Outcome.WITHDRAWN}, None) == 1
    assert exit_code(audited, set(), None) == 2
    assert exit_code(audited, set(), 0.9) == 1

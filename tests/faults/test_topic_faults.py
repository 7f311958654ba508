"""An investigation of a topic while services fail: every engine's service under every fault, in its own format (JSON,
RSS, Atom, HTML, plain text). Engines that could not be queried are named, this is never reported as 'not found', and it
changes no level, verdict or flag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bench.simulated.running import limits_lifted
from bench.simulated.server import simulated_web
from bench.simulated.worlds import World
from inquest import Inquest
from inquest.desks.verification.changes_between import change_lines, what_changed
from inquest.domain.case import CaseStatus
from inquest.domain.finding import Verdict
from inquest.domain.investigation import InvestigationResult
from inquest.domain.reasons import Reason
from inquest.kit.discover import engines
from tests.app.topic_worlds import WORLDS, TopicWorld
from tests.app.verified_topics import SILENT_BUT_FOR_POSTS, verified
from tests.faults.services_played import FAULTS, KEYS, Fault, Met, Services, waiting

ASKED = (
    "gdelt", "google_news", "guardian", "tavily", "duckduckgo", "x", "reddit", "bluesky", "crossref", "arxiv",
    "google_factcheck", "wayback",
)  # fmt: skip
NETWORKS = {"x", "reddit", "bluesky"}
CONFIRMED = WORLDS["true and confirmed"]
UNDATED = replace(CONFIRMED, pages=tuple((domain, "", title, text) for domain, _, title, text in CONFIRMED.pages))


@pytest.fixture(autouse=True)
def _in_no_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Services have no limits of their own, and timeouts are short."""
    waiting(monkeypatch, 4.0)
    with limits_lifted(*engines("inquest.engines").values()):
        yield


class TopicMet(Met):
    """The case of a topic, its report, and the services that received requests."""

    @property
    def result(self) -> InvestigationResult:
        assert self.case.investigation is not None, self.case.why
        return self.case.investigation

    @property
    def verdicts(self) -> dict[str, Verdict]:
        texts = {claim.id: claim.text for claim in self.case.claims}
        return {texts[each.claim_id]: each.verdict for each in self.case.assessments}


async def investigated(folder: Path, says: Mapping[str, Fault], world: TopicWorld = CONFIRMED) -> TopicMet:
    """The case of a topic on which only the user's own documents have anything."""
    folder.mkdir(exist_ok=True)
    services = Services(ASKED, says)
    async with simulated_web(World((), ()), hosts=services.hosts) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=folder / "home", keys=KEYS, **settings) as inquest:
            case = await verified(inquest, folder, world, engines=",".join(("collection", *ASKED)))
            return await TopicMet.of(inquest, case, services)


def assert_told(met: TopicMet, faulty: Mapping[str, Fault], *, all_asked: bool = False) -> None:
    """Check that each service that did not answer is named with its problem in a sentence, and is never reported as
    'nothing found'. `all_asked`: also one that was given up before the request reached it."""
    assert set(met.out) == (set(faulty) if all_asked else set(faulty) & met.asked)
    assert met.case.status is CaseStatus.PARTIAL and "engine" in met.case.why
    assert "**This report is partial.**" in met.text
    assert set(met.result.social.not_asked) == NETWORKS & set(faulty)
    assert ("No post about it was found" in met.text) == bool(NETWORKS - set(faulty))


async def test_services_that_have_nothing_are_no_outage_and_under_each_fault_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them at once, each with a different fault; `test_every_service` has each service with each."""
    peace = await investigated(tmp_path / "peace", {}, UNDATED)
    assert peace.case.status is CaseStatus.COMPLETED and not peace.case.outages, peace.case.why
    assert peace.asked == set(ASKED), "each of them was asked"
    assert "could not be queried" not in peace.text.lower()
    faulty = dict(zip(ASKED, FAULTS.values(), strict=False))
    waiting(monkeypatch, 0.2)  # no service here answers, so a short timeout does no harm
    met = await investigated(tmp_path, faulty, UNDATED)
    assert_told(met, faulty, all_asked=True)
    assert len(met.out) == len(ASKED)
    one, other = met.result, peace.result
    assert one.recommended_verification_level is other.recommended_verification_level
    assert one.review_flags == other.review_flags and met.verdicts == peace.verdicts
    assert Reason(code="levels.outages", data={"number": len(ASKED)}) in one.upgrade.reason_codes
    assert "nothing found" not in met.text.lower() and "| Could not be queried or read | Why |" in met.text
    changes = what_changed(peace.case, met.case)
    assert (changes.anything, changes.complete) == (False, False)
    assert any(line.startswith("Could not be queried this time, but could be before") for line in change_lines(changes))


async def test_a_level_that_a_person_gave_does_not_fall_because_nobody_answers(tmp_path: Path) -> None:
    world = replace(SILENT_BUT_FOR_POSTS, more={"verification_status": "verified", "status": "approved"})
    met = await investigated(tmp_path, dict.fromkeys(ASKED, FAULTS["reset"]), world)
    assert met.result.upgrade.before.value == "verified"
    assert met.result.recommended_verification_level.value == "verified"

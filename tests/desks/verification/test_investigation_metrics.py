"""Metrics of investigations, alerts with the cases that cause them, and counts over cases of every kind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inquest.desks.verification.investigation_metrics import alerts, metrics
from inquest.domain.case import working_seconds
from inquest.domain.event import EventType
from inquest.domain.investigation import Investigation, InvestigationStatus, Review, ReviewDecision
from inquest.domain.report import OutageNote
from inquest.domain.topic import Success, VerificationLevel

_AT = datetime(2025, 2, 3, 8, tzinfo=UTC)
UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel


def done(number: int, **more: object) -> Investigation:
    fields: dict[str, object] = {
        "id": number,
        "topic_id": number,
        "case_id": f"case-{number}",
        "status": InvestigationStatus.COMPLETED,
        "investigation_date": _AT,
        "seconds": 100.0,
        "verification_level_before": UNVERIFIED,
        "verification_level_after": UNVERIFIED,
    }
    return Investigation.model_validate(fields | more)


def decided(number: int, level: VerificationLevel, found: VerificationLevel = VERIFIED) -> Review:
    decision = ReviewDecision.ACCEPT if level is found else ReviewDecision.OVERRULE
    return Review(
        case_id=f"case-{number}",
        investigation_id=number,
        topic_id=number,
        by="the desk",
        at=_AT,
        decision=decision,
        level_found=found,
        level_decided=level,
    )


def outage(where: str, why: str, *, at_limit: bool = False) -> OutageNote:
    return OutageNote(what="engine", where=where, why=why, at=_AT, at_limit=at_limit)


LIMIT = outage("brave", "Brave says its quota or rate limit is used up (429).", at_limit=True)


class TestMetrics:
    def test_of_nothing_nothing_can_be_said(self) -> None:
        found = metrics([], [])
        assert (found["investigations"], found["success_rate"], found["seconds_p50"]) == (0, None, None)
        assert (found["false_upgrade_rate"], found["cost_total_usd"]) == (None, 0)

    def test_rates_are_over_what_ended_and_not_over_what_a_person_stopped(self) -> None:
        found = metrics(
            [
                done(1, sources_found=3, verification_level_after=VERIFIED, success=(Success.ORIGIN,), cost_usd=0.2),
                done(2, sources_found=2, status=InvestigationStatus.PARTIAL, success=(Success.CONTEXT,)),
                done(3, status=InvestigationStatus.FAILED),
                done(4, status=InvestigationStatus.CANCELLED, cost_usd=0.1),
                done(5, status=InvestigationStatus.STARTED, seconds=None),
            ],
            [],
        )
        assert (found["investigations"], found["ended"]) == (5, 3)
        assert (found["completed"], found["partial"], found["failed"], found["cancelled"], found["running"]) == (
            1,
            1,
            1,
            1,
            1,
        )
        assert found["success_rate"] == pytest.approx(1 / 3)
        assert found["criteria_met_rate"] == pytest.approx(2 / 3)
        assert found["upgrade_rate"] == pytest.approx(1 / 3)
        assert found["mean_sources"] == pytest.approx(5 / 3)
        assert found["cost_mean_usd"] == pytest.approx(0.2 / 3)
        assert found["cost_total_usd"] == pytest.approx(0.3)

    def test_only_an_upgrade_of_an_unverified_topic_can_be_false_and_counts_for_the_rate(self) -> None:
        found = metrics([done(1, verification_level_before=VERIFIED, verification_level_after=CERTIFIED), done(2)], [])
        assert found["upgrade_rate"] == 0
        assert found["upgrades"] == 1
        stayed = [done(1, verification_level_before=VERIFIED, verification_level_after=VERIFIED)]
        assert metrics(stayed, [decided(1, UNVERIFIED)])["false_upgrades"] == 0

    def test_an_upgrade_that_a_person_lowers_was_false(self) -> None:
        upgraded = [done(number, verification_level_after=VERIFIED) for number in range(1, 5)]
        found = metrics(upgraded, [decided(1, UNVERIFIED), decided(2, VERIFIED), decided(3, CERTIFIED)])
        assert (found["false_upgrades"], found["upgrades"], found["upgrades_reviewed"]) == (1, 4, 3)
        assert found["false_upgrade_rate"] == 0.25

    def test_the_last_decision_counts(self) -> None:
        upgraded = [done(1, verification_level_after=VERIFIED)]
        assert metrics(upgraded, [decided(1, UNVERIFIED), decided(1, VERIFIED)])["false_upgrades"] == 0
        assert metrics(upgraded, [decided(1, VERIFIED), decided(1, UNVERIFIED)])["false_upgrades"] == 1

    def test_what_is_flagged_waits_until_somebody_has_decided(self) -> None:
        flagged = [done(1, requires_human_review=True), done(2, requires_human_review=True)]
        assert metrics(flagged, [decided(1, UNVERIFIED, UNVERIFIED)])["awaiting_review"] == 1


class TestAlerts:
    def test_each_names_its_threshold_and_the_cases_that_cause_it(self) -> None:
        found = alerts(
            [
                done(1, seconds=601.0),
                done(2, cost_usd=1.5),
                done(3, verification_level_after=VERIFIED),
                done(4, outages=(LIMIT,)),
                done(5, case_id=None, seconds=4000.0, status=InvestigationStatus.STARTED),
            ],
            [decided(3, UNVERIFIED)],
        )
        assert [(each.name, each.threshold, each.cases) for each in found] == [
            ("slow_investigation", 600, ("case-1", "investigation 5")),
            ("costly_investigation", 1, ("case-2",)),
            ("false_upgrade_rate", 0.1, ("case-3",)),
            ("rate_limit", 0, ("case-4",)),
        ]
        assert found[2].value == 1
        assert found[3].text == "brave was at a limit and did not answer."

    def test_one_false_upgrade_in_ten_is_not_yet_too_many(self) -> None:
        upgraded = [done(number, verification_level_after=VERIFIED) for number in range(1, 11)]
        assert alerts(upgraded, [decided(1, UNVERIFIED)]) == ()
        assert [each.name for each in alerts(upgraded[:9], [decided(1, UNVERIFIED)])] == ["false_upgrade_rate"]


class TestWorkingTime:
    def at(self, *events: tuple[EventType, float]) -> float | None:
        return working_seconds((type_, _AT + timedelta(seconds=second)) for type_, second in events)

    def test_neither_waiting_for_a_person_nor_lying_cut_off_is_work(self) -> None:
        assert self.at(
            (EventType.CASE_CREATED, 0),
            (EventType.PLAN_READY, 10),
            (EventType.PLAN_DECIDED, 5_000),
            (EventType.CASE_STARTED, 5_001),
            (EventType.CASE_FINISHED, 5_061),
            (EventType.OUTAGE, 9_000),
        ) == pytest.approx(71)
        assert self.at(
            (EventType.CASE_STARTED, 0), (EventType.SOURCE_FOUND, 30), (EventType.CASE_RESUMED, 900),
            (EventType.CASE_FINISHED, 920),
        ) == pytest.approx(50)  # fmt: skip
        assert self.at((EventType.CASE_CREATED, 0)) is None
        assert self.at() is None

"""Default time limits of a case, and of one exchange."""

from __future__ import annotations

import pytest

from inquest.domain.check import CheckRequest
from inquest.domain.plan import Brief, Mode
from inquest.flow.planned import exchange_limits, seconds_of
from inquest.kit.exchange import Purpose

QUICK, DETAILED = Brief(text="t", mode=Mode.QUICK), Brief(text="t", mode=Mode.DETAILED)
CHECK = Brief(text="t", check=CheckRequest(company=""))


@pytest.mark.parametrize(
    ("brief", "claims", "most"),
    [(QUICK, 5, 240), (DETAILED, 20, 600), (CHECK, 1, 120), (CHECK, 8, 120), (CHECK, 14, 14 * 15)],
)
def test_a_case_ends_in_the_time_that_help_and_docs_name_and_not_long_before(
    brief: Brief, claims: int, most: float
) -> None:
    assert 0.8 * most <= seconds_of(brief, claims) <= most


@pytest.mark.parametrize("brief", [QUICK, DETAILED])
def test_the_time_that_a_user_is_told_to_expect_is_the_time_in_which_it_ends(brief: Brief) -> None:
    assert seconds_of(brief, 1) <= 60 * brief.mode.settings.minutes[1] == pytest.approx(seconds_of(brief, 1), rel=0.2)


@pytest.mark.parametrize("brief", [QUICK, DETAILED, CHECK])
def test_a_deadline_overrules(brief: Brief) -> None:
    assert seconds_of(brief.model_copy(update={"deadline_seconds": 7.0}), 3) == 7.0


@pytest.mark.parametrize("seconds", [60.0, 108.0, 216.0, 540.0])
def test_no_exchange_uses_the_time_of_the_others_up(seconds: float) -> None:
    """A search that hangs, its second attempt, a page that hangs and a model that hangs all fit in. After a model that
    hangs, the next call has a third of the time."""
    limits = exchange_limits(seconds)
    assert 2 * limits[Purpose.ENGINE] + limits[Purpose.PAGE] + limits[Purpose.MODEL] * 4 / 3 <= seconds


def test_a_model_has_time_to_write_on_the_passages_of_one_claim() -> None:
    assert exchange_limits(seconds_of(CHECK, 1))[Purpose.MODEL] >= 25
    report = Brief(text="r", check=CheckRequest(company="Acme", report="report.pdf"))
    assert exchange_limits(seconds_of(report, 0))[Purpose.MODEL] >= 100

"""Data that only a server stores, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inquest.domain.case import Case, CaseStatus
from inquest.domain.claim import Claim
from inquest.domain.errors import Busy, Conflict, NotFound, TooManyRequests
from inquest.domain.event import Delivery, DeliveryState
from inquest.domain.person import Credential, Role
from inquest.domain.plan import Approval, Brief, Decision
from inquest.store.accounts import Accounts, Owners
from inquest.store.case_figures import service_figures
from inquest.store.case_work import CaseRecords, Listing, Outbox
from inquest.store.cases import Cases
from inquest.store.database import Database
from inquest.store.holds import CaseHold
from inquest.store.quotas import Idempotency, RateLimits
from inquest.store.tables import collection_owners
from tests.case_parts import finding

NOW = datetime(2026, 11, 22, 12, 0, 30, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


class At:
    """A clock that stands still."""

    def now(self) -> datetime:
        return NOW


async def kept(database: Database, number: int) -> Case:
    case = Case(
        id=f"20261122-{number:08x}",
        status=CaseStatus.PLANNED,
        brief=Brief(text=f"Was the fine {number} euros?"),
        as_of=NOW,
        created_at=NOW + timedelta(seconds=number),
    )
    await Cases(database, At()).create(case)
    return case


async def test_users_teams_and_tokens(database: Database) -> None:
    accounts = Accounts(database)
    await accounts.add_team("City", at=NOW)
    ada = await accounts.add_user("Ada", Role.EDITOR, at=NOW, password="hash")
    ada = await accounts.set_teams(ada.id, ["City"])
    assert [team.name for team in (await accounts.user("ADA")).teams] == ["City"]
    with pytest.raises(Conflict):
        await accounts.add_user("aDa", Role.READER, at=NOW)
    with pytest.raises(NotFound):
        await accounts.set_teams(ada.id, ["Sport"])
    wanted = Credential(
        id=0, kind="token", user_id=ada.id, name="ci", scope=Role.READER, created_at=NOW, expires_at=LATER
    )
    token = await accounts.add_credential(wanted, "d" * 64)
    found = await accounts.credential("d" * 64, at=NOW)
    assert found is not None and found[1].name == "Ada"
    assert await accounts.credential("d" * 64, at=LATER) is None
    await accounts.change_user(ada.id, active=False)
    assert await accounts.credential("d" * 64, at=NOW) is None
    with pytest.raises(NotFound):
        await accounts.revoke(token.id, at=NOW)


async def test_of_two_decisions_on_one_plan_the_first_stands(database: Database) -> None:
    case, work = await kept(database, 1), CaseRecords(database)
    said = [
        Approval(decision=each, by="Ada", at=NOW, how="api", revision=1) for each in (Decision.APPROVE, Decision.REJECT)
    ]
    await work.decide(case.id, said[0])
    with pytest.raises(Conflict):
        await work.decide(case.id, said[1])
    assert await work.decision(case.id, 1) == said[0] and await work.decision(case.id, 2) is None


async def test_cases_are_listed_by_team_page_by_page(database: Database) -> None:
    work, team = CaseRecords(database), await Accounts(database).add_team("City", at=NOW)
    cases = [await kept(database, number) for number in range(4)]
    await work.own(cases[0].id, team.id, "Ada")
    await work.own(cases[1].id, None, "Bo")
    assert [line.case_id for line in await work.lines(Listing(teams=(team.id,), by="Bo"))] == [cases[1].id, cases[0].id]
    first = await work.lines(Listing(words="FINE euros", limit=3))
    rest = await work.lines(Listing(before=(first[-1].created_at, first[-1].case_id)))
    assert [line.case_id for line in (*first, *rest)] == [case.id for case in reversed(cases)]


async def test_cases_are_found_by_their_claims_sources_and_quotes_and_where_is_said(database: Database) -> None:
    work, cases = CaseRecords(database), Cases(database, At())
    one, other = await kept(database, 1), await kept(database, 2)
    quoted = finding("F1", "S1", quote="It leaks 100 % of_the water.")
    await cases.save(one.model_copy(update={"claims": (Claim(id="C1", text="The Odell dam leaks."),)}))
    await cases.save(other.model_copy(update={"findings": (quoted,)}))

    async def found(words: str) -> list[tuple[str, list[str]]]:
        return [(line.case_id, [hit.id for hit in line.hits]) for line in await work.lines(Listing(words=words))]

    assert await found("odell LEAKS") == [(one.id, ["C1"])]
    assert await found("leaks") == [(other.id, ["F1"]), (one.id, ["C1"])]
    assert await found("100 % of_the") == [(other.id, ["F1"])]
    assert await found("fine leaks odell") == [(one.id, ["C1"])]
    assert not await found("Odell brewery")


async def test_one_process_at_a_time_tells_a_case_and_what_failed_is_told_again(database: Database) -> None:
    case, outbox = await kept(database, 1), Outbox(database)
    await outbox.add_target(case.id, "https://desk.example/hook", at=NOW)
    lease = timedelta(minutes=5)
    assert await outbox.take(at=NOW, lease=lease) is not None
    assert await outbox.take(at=NOW, lease=lease) is None
    assert await outbox.take(at=NOW + lease, lease=lease) is not None  # its holder is gone
    told = Delivery(case_id=case.id, key="started", event_id=3, type="INVESTIGATION_STARTED", at=NOW)
    await outbox.keep(told)
    await outbox.keep(told.model_copy(update={"state": DeliveryState.FAILED, "attempts": 2}))
    (row,) = await outbox.deliveries(case.id)
    assert (row.state, row.attempts) == (DeliveryState.FAILED, 2)
    await outbox.settle(case.id, last_event=9, next_at=None)
    assert await outbox.take(at=LATER, lease=lease) is None
    assert await outbox.replay(case.id, None, at=LATER) == 1
    again = await outbox.take(at=LATER, lease=lease)
    assert again is not None and again.last_event == 0


async def test_a_key_stands_for_one_request_for_a_day(database: Database) -> None:
    keys = Idempotency(database)
    assert await keys.begin("user 1", "k", "f", at=NOW) is None
    with pytest.raises(Busy):
        await keys.begin("user 1", "k", "f", at=NOW)
    await keys.end("user 1", "k", "{}")
    assert await keys.begin("user 1", "k", "f", at=NOW) == "{}"
    assert await keys.begin("user 2", "k", "f", at=NOW) is None
    with pytest.raises(Conflict):
        await keys.begin("user 1", "k", "other", at=NOW)
    assert await keys.begin("user 1", "k", "other", at=NOW + timedelta(days=2)) is None


async def test_a_rate_is_met_in_its_minute_and_free_in_the_next(database: Database) -> None:
    limits = RateLimits(database)
    for _ in range(2):
        await limits.count("user 1", 2, at=NOW)
    with pytest.raises(TooManyRequests) as met:
        await limits.count("user 1", 2, at=NOW)
    assert met.value.retry_after == 30
    await limits.count("user 2", 2, at=NOW)
    await limits.count("user 1", 2, at=NOW + timedelta(minutes=1))


async def test_owners_and_figures(database: Database) -> None:
    owners, case = Owners(database, collection_owners), await kept(database, 1)
    await owners.own("tarn", 7, "Ada")
    await owners.own("tarn", 8, "Bo")
    assert await owners.owner("tarn") == (7, "Ada")
    await owners.own("tarn", None, "Bo", anew=True)
    assert await owners.all() == {"tarn": (None, "Bo")}
    await owners.remove("tarn")
    assert await owners.all() == {}
    await CaseRecords(database).submitted(case.id)
    with pytest.raises(NotFound):
        await CaseRecords(database).submitted("deleted")
    told = await service_figures(database)
    assert told["cases"] == {"planned": 1.0}
    assert told["jobs"] == {"waiting": 1.0, "working": 0.0}
    waited = told["longest_wait_seconds"][""]
    assert 0 <= waited < 600, "by the clock of the database, whatever that of this machine says"
    await CaseHold(database, case.id, "worker:1").take(lease=timedelta(minutes=5))
    told = await service_figures(database)
    assert told["jobs"] == {"waiting": 0.0, "working": 1.0}
    assert told["longest_wait_seconds"] == {"": 0.0}


async def test_callbacks_of_a_clock_that_was_wrong_are_due(database: Database) -> None:
    case, outbox, lease = await kept(database, 1), Outbox(database), timedelta(minutes=1)
    ahead = NOW + timedelta(days=1)
    await outbox.add_target(case.id, "https://desk.example/hook", at=ahead)
    assert await outbox.take(at=ahead, lease=lease) is not None
    assert await outbox.take(at=NOW, lease=lease) is not None, "neither its turn nor its lease is kept"
    assert await outbox.take(at=NOW, lease=lease) is None
    await outbox.settle(case.id, last_event=1, next_at=NOW + timedelta(hours=1))
    assert await outbox.take(at=NOW, lease=lease) is None

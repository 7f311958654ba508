"""Cases: the loaded case equals the saved one; one runner at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, text, update

from inquest.domain.case import Case, CaseStatus
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Precision, Published
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.plan import Brief
from inquest.domain.report import Cost, OutageNote
from inquest.domain.source import Rating, Source
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.cases import Cases, KnownCases
from inquest.store.database import Database
from inquest.store.holds import CaseHold

_AT = datetime(2024, 5, 1, 9, 30, 15, 250_000, tzinfo=UTC)
_HASH = "sha256:" + "ab" * 32


def a_case(case_id: str = "alder-1", *, at: datetime = _AT, findings: int = 2) -> Case:
    rating = Rating(domain="alder.example", score=72, tier=2, stars=3, known=True, reasons=("a newspaper",))
    quote = "The plant released 40 tonnes.\x00 Nobody was told: “never”."
    return Case(
        id=case_id,
        status=CaseStatus.RUNNING,
        brief=Brief(text="What did the Alder plant release?"),
        as_of=at,
        created_at=at,
        sources=tuple(
            Source(
                id=f"S{n}",
                url=f"https://alder.example/{n}",
                title="Release at the plant\x00",
                domain="alder.example" if n == 1 else "birch.example",
                rating=rating,
                snapshot=_HASH,
                retrieved_at=at,
                published=Published(at=at, precision=Precision.TIME, how="metadata"),
            )
            for n in (1, 2)
        ),
        claims=(
            Claim(
                id="C1",
                text="40 tonnes were released.\x00",
                mentions=(Mention(source_id="S1", snapshot=_HASH, quote="40 tonnes", start=19, end=28),),
            ),
        ),
        findings=tuple(
            Finding(
                id=f"F{n}",
                claim_id="C1",
                source_id=f"S{n}",
                agent="inquiry",
                stance=Stance.SUPPORTS if n == 1 else Stance.CONTRADICTS,
                contradiction_type=None if n == 1 else ContradictionType.DIRECT,
                confidence=0.75,
                quote=quote,
                snapshot=_HASH,
                start=0,
                end=len(quote),
            )
            for n in range(1, findings + 1)
        ),
        outages=(OutageNote(what="engine", where="gdelt", why="It timed out.", at=at),),
        cost=Cost(usd=0.01, model_calls=2),
        timings={"plan": 1.25},
    )


@pytest.fixture
def cases(database: Database, clock: Clock) -> Cases:
    return Cases(database, clock)


async def test_a_case_that_has_ended_is_read_once_for_each_version(cases: Cases) -> None:
    known, running = KnownCases(), a_case()
    await cases.create(running)
    assert await cases.load(running.id, known) is not await cases.load(running.id, known), "it changes with every step"
    await cases.save(running.model_copy(update={"status": CaseStatus.COMPLETED}))
    ended = await cases.load(running.id, known)
    assert await cases.load(running.id, known) is ended
    assert (await cases.load(running.id)) == ended
    await cases.save(ended.model_copy(update={"why": "It was corrected."}))
    assert (await cases.load(running.id[:5], known)).why == "It was corrected."
    for number in range(20):
        other = a_case(f"birch-{number:02}").model_copy(update={"status": CaseStatus.COMPLETED})
        await cases.create(other)
        assert (await cases.load(other.id, known)).id == other.id
    assert (await cases.load(running.id, known)).why == "It was corrected."


async def test_what_is_saved_is_what_is_loaded(cases: Cases) -> None:
    await cases.create(a_case())
    assert await cases.load("alder-1") == a_case()


async def test_an_id_is_taken_only_once(cases: Cases) -> None:
    await cases.create(a_case())
    with pytest.raises(InputError, match="Case alder-1 already exists"):
        await cases.create(a_case())


async def test_the_beginning_of_an_id_is_enough_where_it_is_unambiguous(cases: Cases) -> None:
    for case_id in ("alder-1", "alder-2", "birch", "alder"):
        await cases.create(a_case(case_id))
    assert (await cases.load("bi")).id == "birch"
    assert (await cases.load("alder")).id == "alder"
    with pytest.raises(NotFound, match="several cases: alder-1, alder-2") as caught:
        await cases.load("alder-")
    assert caught.value.advice == "Give more of the id."


@pytest.mark.parametrize("beginning", ["", "%", "_", "ALDER", "alder-11", "a%"])
async def test_what_no_id_begins_with_is_not_found(cases: Cases, beginning: str) -> None:
    await cases.create(a_case())
    with pytest.raises(NotFound, match="There is no case"):
        await cases.load(beginning)


async def test_saving_or_running_a_case_that_was_never_made_is_not_found(cases: Cases, database: Database) -> None:
    with pytest.raises(NotFound):
        await cases.save(a_case())
    with pytest.raises(NotFound):
        await CaseHold(database, "alder-1", "me").take(lease=timedelta(minutes=1))


async def test_cases_are_listed_newest_first(cases: Cases) -> None:
    for hour, case_id in enumerate(("first", "second", "third")):
        await cases.create(a_case(case_id, at=_AT + timedelta(hours=hour)))
    assert [case.id for case in await cases.list()] == ["third", "second", "first"]
    assert await cases.list(limit=1) == [a_case("third", at=_AT + timedelta(hours=2))]


async def test_a_case_that_was_changed_by_hand_is_a_storage_error(cases: Cases, database: Database) -> None:
    await cases.create(a_case())

    def spoil(connection: Connection) -> None:
        connection.execute(update(tables.findings).values(document='{"id": "F1"}'))

    await database.write(spoil)
    with pytest.raises(StorageError, match="of case alder-1 cannot be read"):
        await cases.load("alder-1")


async def test_deleting_a_case_deletes_its_parts(cases: Cases, database: Database) -> None:
    await cases.create(a_case())

    def remove(connection: Connection) -> None:
        connection.execute(text("DELETE FROM cases"))

    await database.write(remove)
    assert (
        await database.read(lambda connection: connection.execute(text("SELECT count(*) FROM findings")).scalar()) == 0
    )

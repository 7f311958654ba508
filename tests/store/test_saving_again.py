"""A case is saved after each step: whatever came before, the last saved state is loaded."""

from __future__ import annotations

import random

import pytest

from inquest.domain.case import Case
from inquest.domain.errors import StorageError
from inquest.kit.ports import Clock
from inquest.store.cases import Cases
from inquest.store.database import Database
from tests.store.test_store_cases import a_case


@pytest.fixture
def cases(database: Database, clock: Clock) -> Cases:
    return Cases(database, clock)


def with_findings(case: Case, *ids: str) -> Case:
    return case.model_copy(update={"findings": tuple(case.findings[0].model_copy(update={"id": id}) for id in ids)})


async def test_any_history_of_saves_ends_in_what_was_saved_last(cases: Cases) -> None:
    chance = random.Random(7)
    case = a_case()
    await cases.create(case)
    for number in range(25):
        kept = [each for each in case.findings if chance.random() > 0.2]
        chance.shuffle(kept)
        new = case.findings[0] if case.findings else a_case().findings[0]
        kept.insert(chance.randint(0, len(kept)), new.model_copy(update={"id": f"N{number}"}))
        if chance.random() < 0.5:  # the same id says something else
            kept[0] = kept[0].model_copy(update={"confidence": round(chance.random(), 3)})
        sources = case.sources if chance.random() < 0.5 else tuple(reversed(case.sources))
        case = case.model_copy(update={"findings": tuple(kept), "sources": sources, "why": f"step {number}"})
        await cases.save(case)
        assert await cases.load("alder-1") == case


async def test_what_another_process_saved_in_between_is_replaced_whole(
    cases: Cases, database: Database, clock: Clock
) -> None:
    case = a_case()
    await cases.create(case)
    await cases.save(case)
    await Cases(database, clock).save(with_findings(case, "X1", "X2", "X3"))
    later = case.model_copy(update={"why": "later"})
    await cases.save(later)
    assert await cases.load("alder-1") == later


async def test_a_save_that_failed_changes_nothing(cases: Cases) -> None:
    case = a_case()
    await cases.create(case)
    await cases.save(case)
    with pytest.raises(StorageError):
        await cases.save(case.model_copy(update={"findings": (case.findings[0], case.findings[0])}))
    assert await cases.load("alder-1") == case

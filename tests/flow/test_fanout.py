"""Parallel work: in order, cut off when the budget is used up, and cut at the same point in a replay."""

from __future__ import annotations

import asyncio

import pytest

from inquest.domain.errors import BudgetMet, EngineUnavailable
from inquest.domain.report import Cost
from inquest.kit.exchange import Purpose
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.fanout import CutList, side_by_side


async def _after(seconds: float, value: str) -> str:
    await asyncio.sleep(seconds)
    return value


async def test_results_keep_the_order_of_the_work_whatever_is_done_first() -> None:
    cut = CutList(CaseBudget())
    done = await side_by_side([("slow", lambda: _after(0.02, "a")), ("fast", lambda: _after(0, "b"))], cut)
    assert done == ["a", "b"]
    assert cut.labels == []


async def test_what_is_still_going_on_when_the_user_stops_is_cut_off_and_written_down() -> None:
    budget = CaseBudget()
    cut = CutList(budget)
    asyncio.get_running_loop().call_later(0.02, budget.cancel)
    done = await side_by_side([("done", lambda: _after(0, "a")), ("never", lambda: _after(60, "b"))], cut)
    assert done == ["a", None]
    assert cut.labels == ["never"]


async def test_nothing_is_begun_once_the_budget_is_met() -> None:
    budget = CaseBudget(usd=0.01)
    budget.spend(Cost(usd=0.02))
    begun: list[str] = []

    async def begin() -> str:
        begun.append("x")
        return "x"

    cut = CutList(budget)
    assert await side_by_side([("x", begin)], cut) == [None]
    assert begun == []
    assert cut.labels == ["x"]


async def test_a_replay_leaves_out_the_same_pieces_and_finishes_the_others() -> None:
    budget = CaseBudget()
    why = BudgetMet("time", "The time limit of 5 seconds was reached.")
    cut = CutList(budget, replayed=["never"], why=why)
    done = await side_by_side([("done", lambda: _after(0.01, "a")), ("never", lambda: _after(0, "b"))], cut)
    assert done == ["a", None]
    assert cut.why is why


async def test_a_replayed_cut_takes_nothing_along_that_was_done_beside_it() -> None:
    budget = CaseBudget()
    cut = CutList(budget, replayed=["never"], why=BudgetMet("time", "The time limit of 5 seconds was reached."))
    beside = asyncio.ensure_future(side_by_side([("beside", lambda: _after(0.02, "a"))], cut))
    await asyncio.sleep(0)
    assert await side_by_side([("never", lambda: _after(0, "b"))], cut) == [None]
    assert await beside == ["a"]
    budget.check()


async def test_an_error_of_one_piece_ends_the_others_and_is_raised() -> None:
    ended: list[str] = []

    async def fails() -> str:
        raise EngineUnavailable("gdelt", "It is unavailable.")

    async def waits() -> str:
        try:
            return await _after(60, "x")
        finally:
            ended.append("waits")

    with pytest.raises(EngineUnavailable):
        await side_by_side([("waits", waits), ("fails", fails)], CutList(CaseBudget()))
    assert ended == ["waits"]


async def test_a_budget_met_inside_a_piece_cuts_that_piece() -> None:
    async def meets() -> str:
        raise BudgetMet("usd", "The budget of 1.00 USD is used up.")

    budget = CaseBudget()
    cut = CutList(budget)
    assert await side_by_side([("meets", meets)], cut) == [None]
    assert budget.why is not None
    assert budget.why.kind == "usd"
    assert cut.labels == ["meets"]


def test_no_model_is_asked_once_the_tokens_are_used_up() -> None:
    budget = CaseBudget(tokens=1000)
    budget.spend(Cost(model_calls=1, tokens_in=700, tokens_out=299))
    assert budget.reserve(0, Purpose.MODEL)
    budget.spend(Cost(model_calls=1, tokens_out=1))
    assert not budget.reserve(0, Purpose.MODEL) and budget.reserve(0, Purpose.ENGINE)
    assert "1,000 tokens" in str(budget.short_of)


def test_the_first_reason_stands() -> None:
    budget = CaseBudget(usd=1.0)
    budget.cancel()
    budget.spend(Cost(usd=2.0))
    with pytest.raises(BudgetMet, match="asked to stop"):
        budget.check()


async def test_a_deadline_is_met_without_anyone_asking() -> None:
    budget = CaseBudget(seconds=0.01)
    budget.start()
    await asyncio.wait_for(budget.met.wait(), 5)
    assert budget.why is not None
    assert budget.why.kind == "time"
    budget.close()

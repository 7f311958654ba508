"""Rerankers run through the door: paid for, recorded, replayed, and replaced if they fail."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from inquest.domain.errors import BudgetMet, EngineError
from inquest.domain.report import Cost
from inquest.kit.exchange import Request
from inquest.kit.reranker import RerankerAccess
from inquest.net.redaction import PLACEHOLDER
from inquest.net.searcher import Reranking
from inquest.rerankers.local import LocalReranker
from inquest.rerankers.services import Cohere
from tests.net.loopback import LoopbackWeb, MemoryRecording, Purse, a_door, http, resets, says

TEXTS = ["Recipes for spring", "Dye in the river Veldra", "The river rose"]


class Here(Cohere):
    """The unchanged reranker, with its requests sent to the loopback web."""

    base = ""

    def request(self, query: str, texts: Sequence[str]) -> Request:
        return replace(super().request(query, texts), url=f"{self.base}/rerank")


def scored(*scores: float) -> bytes:
    results = [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]
    return http(200, json.dumps({"results": results}).encode(), "application/json")


def a_reranker(web: LoopbackWeb, key: str = "co-secret-of-ours") -> Here:
    made = Here(RerankerAccess(key=key))
    made.base = web.url("")
    return made


async def test_the_scores_are_the_services_and_paid_for_once() -> None:
    purse, recording = Purse(), MemoryRecording()
    async with LoopbackWeb({"/rerank": says(scored(0.1, 0.9, 0.4))}) as web, a_door(web, recording=recording) as door:
        ranking = Reranking([a_reranker(web)], LocalReranker(), door.for_case("c1"), purse.spend)
        first = await ranking.rank("river dye", TEXTS)
        again = await ranking.rank("river dye", TEXTS)
        assert (first.scores, first.by, first.outage) == ([0.1, 0.9, 0.4], "cohere", None)
        assert again.scores == first.scores
        assert purse.spent == Cost(search_calls=1, usd=Cohere.spec.usd_per_call)
        assert (first.usd, again.usd) == (Cohere.spec.usd_per_call, 0)
    assert "co-secret-of-ours" not in repr(recording.replies)


async def test_a_replay_asks_whichever_the_case_asked_without_its_key() -> None:
    recording, local = MemoryRecording(), LocalReranker()
    async with LoopbackWeb({"/rerank": says(scored(0.1, 0.9, 0.4))}) as web, a_door(web, recording=recording) as door:
        await Reranking([a_reranker(web)], local, door.for_case("c1")).rank("river dye", TEXTS)
        replay = door.for_case("c1", replay=True)
        known = await Reranking([a_reranker(web, PLACEHOLDER)], local, replay).rank("river dye", TEXTS)
        unknown = await Reranking([a_reranker(web, PLACEHOLDER)], local, replay).rank("another", TEXTS)
        assert (known.by, known.scores) == ("cohere", [0.1, 0.9, 0.4])
        assert (unknown.by, unknown.outage) == ("local", None)


@pytest.mark.parametrize("answer", [resets, says(http(401)), says(http(200, b"<html>")), says(scored(0.5))])
async def test_where_it_fails_all_scores_are_the_local_ones_and_it_is_said_why(answer: Any) -> None:
    local = LocalReranker()
    async with LoopbackWeb({"/rerank": answer}) as web, a_door(web) as door:
        ranked = await Reranking([a_reranker(web)], local, door.for_case("c1")).rank("river dye", TEXTS)
        alone = await Reranking([local], local, door).rank("river dye", TEXTS)
        assert ranked.by == "local"
        assert isinstance(ranked.outage, EngineError)
        assert str(ranked.outage).endswith((".", ")"))
        assert "co-secret" not in ranked.outage.sentence
        assert ranked.scores == alone.scores


async def test_scores_of_two_rerankers_are_never_mixed() -> None:
    texts, local = [f"dye {n}" for n in range(Cohere.spec.texts_per_call + 1)], LocalReranker()
    whole = scored(*[0.7] * (len(texts) - 1))
    async with LoopbackWeb({"/rerank": says(whole, http(401))}) as web, a_door(web) as door:
        ranked = await Reranking([a_reranker(web)], local, door).rank("river dye", texts)
        alone = await Reranking([local], local, door).rank("river dye", texts)
        assert (ranked.scores, ranked.calls) == (alone.scores, 2)


async def test_nobody_is_asked_about_nothing_or_where_the_local_one_is_set() -> None:
    async with LoopbackWeb() as web, a_door(web) as door:
        asks, local = Reranking([a_reranker(web)], LocalReranker(), door), LocalReranker()
        assert not asks.is_local
        assert (await asks.rank("river", [])).scores == []
        assert Reranking([local], local, door).is_local
        assert web.asked == []


async def test_a_budget_that_is_met_is_not_an_outage_of_the_reranker() -> None:
    purse = Purse(met=BudgetMet("usd", "The case's money is used up."))
    async with LoopbackWeb({"/rerank": says(scored(0.1, 0.9, 0.4))}) as web, a_door(web) as door:
        with pytest.raises(BudgetMet):
            await Reranking([a_reranker(web)], LocalReranker(), door.for_case("c1", purse)).rank("river", TEXTS)

"""Calls of rerankers through the door, with the local reranker as fallback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from inquest.domain.errors import EngineError, EngineUnavailable, NotRecorded
from inquest.domain.report import Cost
from inquest.kit.exchange import Purpose
from inquest.kit.ports import HttpClient
from inquest.kit.reranker import Reranked, Reranker

_MOST_CALLS = 20
"""Maximum requests per ranking: two thousand texts for services that take a hundred at a time."""


def label_of(reranker: str) -> str:
    """Return the name for a reranker's limits, counts and messages, distinct from an engine of the same name."""
    return f"{reranker}_reranker"


class Reranking:
    """Scores texts for one case. Implements `kit.ports.TextRanker`."""

    def __init__(
        self,
        rerankers: Sequence[Reranker],
        local: Reranker,
        door: HttpClient,
        spend: Callable[[Cost], None] | None = None,
    ) -> None:
        """`rerankers`: the one to use, or for a replay all that the case may have used; the first one recorded answers.
        `spend` (of a Budget) is charged with every call not served from a recording."""
        self._rerankers, self._local, self._door, self._spend = tuple(rerankers), local, door, spend

    @property
    def is_local(self) -> bool:
        """True if only the local ranking by words is used, which is computed anyway."""
        return all(reranker.name == self._local.name for reranker in self._rerankers)

    async def rank(self, query: str, texts: Sequence[str]) -> Reranked:
        """Return one score from 0 to 1 for each text, in order. If the service fails, `outage` has the reason and all
        scores are local ones. Raises BudgetMet, StorageError."""
        for reranker in self._rerankers if texts else ():
            try:
                return await self._driven(reranker, query, texts)
            except NotRecorded:
                continue  # a replay of a case that did not use it
        return await self._driven(self._local, query, texts)

    async def _driven(self, reranker: Reranker, query: str, texts: Sequence[str]) -> Reranked:
        asking, calls, cost = reranker.rank(query, texts), 0, Cost()
        try:
            request = next(asking)
            while True:
                if calls == _MOST_CALLS:
                    title = reranker.spec.title
                    raise EngineUnavailable(reranker.name, f"{title} is not used for this many texts at once.")
                request = replace(request, usd=reranker.spec.usd_per_call)
                reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=label_of(reranker.name))
                calls += 1
                if not reply.recorded:
                    paid = Cost(search_calls=1, usd=reranker.spec.usd_per_call)
                    cost += paid
                    if self._spend is not None:
                        self._spend(paid)
                request = asking.send(reply)
        except StopIteration as end:
            return Reranked(end.value, reranker.name, calls, cost.usd)
        except EngineError as error:
            # Scores of the two rerankers are never mixed.
            local = await self._driven(self._local, query, texts)
            return replace(local, calls=calls, usd=cost.usd, outage=error)
        finally:
            asking.close()

"""Drives a reranker through the door: its requests out, the replies in; the local one's scores where it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from inquest.domain.errors import EngineError, EngineUnavailable, NotRecorded
from inquest.domain.report import Cost
from inquest.kit.exchange import Purpose
from inquest.kit.ports import HttpClient
from inquest.kit.reranker import Reranked, Reranker

_MOST_CALLS = 20
"""Requests that one ranking may make: two thousand texts of the services that take a hundred at once."""


def label_of(reranker: str) -> str:
    """Under what name a reranker's calls are limited, counted and spoken of: an engine may have the same name."""
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
        """`rerankers`: the one to ask, or, for a replay, all that the case may have asked: the first that it did ask
        answers. `spend` (a Budget's) is charged with every call that was made now and not taken from a recording."""
        self._rerankers, self._local, self._door, self._spend = tuple(rerankers), local, door, spend

    @property
    def is_local(self) -> bool:
        """Whether nobody is asked: the ranking by words is made anyway, so that there is nothing to gain."""
        return all(reranker.name == self._local.name for reranker in self._rerankers)

    async def rank(self, query: str, texts: Sequence[str]) -> Reranked:
        """One score from 0 to 1 for each text, in their order. Where the service fails, `outage` says why and all
        scores are the local one's. Raises BudgetMet, StorageError."""
        for reranker in self._rerankers if texts else ():
            try:
                return await self._driven(reranker, query, texts)
            except NotRecorded:
                continue  # a replay: the case did not ask it
        return await self._driven(self._local, query, texts)

    async def _driven(self, reranker: Reranker, query: str, texts: Sequence[str]) -> Reranked:
        asking, calls, cost = reranker.rank(query, texts), 0, Cost()
        try:
            request = next(asking)
            while True:
                if calls == _MOST_CALLS:
                    title = reranker.spec.title
                    raise EngineUnavailable(reranker.name, f"{title} is not asked for so many texts at once.")
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
            # Scores of the two are never mixed.
            local = await self._driven(self._local, query, texts)
            return replace(local, calls=calls, usd=cost.usd, outage=error)
        finally:
            asking.close()

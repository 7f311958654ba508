"""What a case is likely to cost and what it costs at most, before anything is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from inquest.retrieval.search_plan import figures


@dataclass(frozen=True)
class CostEstimate:
    """US dollars."""

    likely: float
    most: float

    def in_words(self, budget: float | None) -> str:
        """One sentence for the plan; `budget`: the user's, which is never exceeded."""
        if self.most == 0 or budget == 0:
            return "It will cost nothing."
        likely = f"It is likely to cost about {min(self.likely, budget or self.likely):.2f} USD"
        if budget is not None and budget < self.most:
            return f"{likely}, and no more than its budget of {budget:g} USD."
        return f"{likely}, and at most {self.most:.2f} USD; a budget sets a limit."


def estimated(claims: int, sources: int, searches_usd: float, price: Callable[[int, int], float]) -> CostEstimate:
    """The estimate for so many claims to check and sources to read first. `searches_usd`: what searches may cost;
    `price`: of tokens into and out of the model."""
    table = figures().cost
    tokens = [
        int(claims * table[f"claim_{way}"] + sources * table[f"source_{way}"] + table[f"case_{way}"])
        for way in ("in", "out")
    ]
    model = price(*tokens)
    return CostEstimate(
        likely=model + table["searches_share"] * searches_usd, most=table["most"] * model + searches_usd
    )

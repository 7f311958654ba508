"""A check of ten claims with a model, on the simulated web: wall time relative to the longest chain of waits, and its
cost.

`python -m bench.speed check [TIMES]`. The chain has the waits that no order of work can avoid: the desk's queries (one
model call for all its claims), search, page, judgement, summary; for each further round that the judge requests,
another search, page and judgement. As for the inquiry, each run has its own process, and so does the web; there is a
warm-up run on a web without waits; the engines' own limits are lifted; and each figure is the best of TIMES runs (3).

Costs are the price of the searches, and the list price of the run's tokens with each of several models. Four characters
are counted as a token, and a model's reasoning tokens are not included.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.figures import Figure
from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import TECHNICAL
from bench.simulated.running import limits_lifted, running
from bench.simulated.server import FIRST, SECOND, Latencies, settings_for

if TYPE_CHECKING:
    from inquest.domain.case import Case

__all__ = ["chain", "measure"]


class _Run(NamedTuple):
    latencies: Latencies
    desks: tuple[str, ...]
    rounds: int


RUNS = {
    "ratio_news": _Run(SECOND, ("news",), 0),
    "ratio_academic": _Run(SECOND, ("academic",), 0),
    "ratio_news_round": _Run(SECOND, ("news",), 1),
    "ratio_academic_round": _Run(SECOND, ("academic",), 1),
    "ratio_news_second": _Run(FIRST, ("news",), 0),
    "ratio_academic_second": _Run(FIRST, ("academic",), 0),
    "ratio_both_round": _Run(SECOND, ("news", "academic"), 1),
}
"""The ratio of the last has no floor, because the desks' questions to one another, and the waits for them, depend on
the claims. Its calls and costs have floors: two desks send a claim to the model as one, and no passage of it twice."""
ENGINES = ("tavily", "crossref")
ASKED = ("gpt-4o-mini", "openai")
MODELS = (ASKED, ("gpt-5-mini", "openai"), ("gpt-5", "openai"), ("claude-sonnet-4-5", "anthropic"))


def measure(arguments: list[str]) -> list[Figure]:
    """The figures of each run."""
    times = int(arguments[0]) if arguments else 3
    figures = []
    for name, run in RUNS.items():
        command = [sys.executable, "-m", "bench.speeds.check", name]
        runs = [
            json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(times)
        ]
        said = min(runs, key=lambda one: one["seconds"] / one["chain"])
        details = {key: said[key] for key in ("claims", "chain", "stages", "rounds_run", "cpu_seconds")}
        details["seconds"] = sorted(one["seconds"] for one in runs)
        figures.append(Figure("check", name, said["seconds"] / said["chain"], "x", details))
        if run.rounds:
            figures += _costs(name.removeprefix("ratio_"), said)
    return figures


def _costs(name: str, said: dict[str, Any]) -> list[Figure]:
    claims, calls = said["claims"], said["model_calls"]
    searches = max(0.0, said["usd"] - _price(*ASKED, said))
    money = {model: (searches + _price(model, at, said)) / claims for model, at in MODELS}
    details = {
        "claims": claims,
        "usd_searches": round(searches / claims, 5),
        "tokens_in": said["tokens_in"],
        "tokens_out": said["tokens_out"],
    }
    per_model = {model: round(usd, 5) for model, usd in money.items()}
    return [
        Figure("check", f"calls_per_claim_{name}", calls / claims, "calls", {"searches": said["search_calls"]}),
        Figure("check", f"usd_per_claim_{name}", max(money.values()), "USD", {"by_model": per_model} | details),
    ]


def _price(model: str, provider: str, said: dict[str, Any]) -> float:
    """The cost of the run with the model. Uses the mean call, since very long calls have different prices."""
    from genai_prices import Usage, calc_price

    calls = max(1, int(said["model_calls"]))
    mean: Any = Usage(input_tokens=said["tokens_in"] // calls, output_tokens=said["tokens_out"] // calls)
    return calls * float(calc_price(mean, model, provider_id=provider).total_price)


def chain(latencies: Latencies, rounds: int) -> float:
    """Seconds of the longest chain of waits, with this number of rounds after the first."""
    once = latencies.search + latencies.page + latencies.model
    return 2 * latencies.model + once * (1 + rounds)


async def run(name: str) -> dict[str, Any]:
    """One measured check in this process."""
    latencies, desks, rounds = RUNS[name]
    from inquest.engines.scholarly.crossref import Crossref
    from inquest.engines.web.tavily import Tavily

    with limits_lifted(Tavily, Crossref):
        with running("technical", Latencies()) as port:
            await checked(port, desks, rounds)
        with running("technical", latencies) as port:
            cpu = time.process_time()
            case, seconds = await checked(port, desks, rounds)
            cpu = time.process_time() - cpu
    assert case.check is not None and not [note for note in case.outages if note.what != "desk"], case.why
    again = len({each.iteration for each in case.check.reinvestigations}) if rounds else 0
    return {
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu, 3),
        "chain": chain(latencies, again),
        "claims": len(case.claims),
        "rounds_run": 1 + again,
        "stages": case.timings,
        "model_calls": case.cost.model_calls,
        "search_calls": case.cost.search_calls,
        "usd": case.cost.usd,
        "tokens_in": case.cost.tokens_in,
        "tokens_out": case.cost.tokens_out,
    }


async def checked(port: int, desks: Sequence[str], rounds: int) -> tuple[Case, float]:
    """The check of the world's claims in a fresh data folder: the case, and the seconds from brief to report."""
    from inquest import Inquest

    with tempfile.TemporaryDirectory() as folder:
        ratings = Path(folder) / "ratings.csv"
        ratings.write_text(a_company_world((TECHNICAL,)).ratings_csv())
        async with Inquest(home=Path(folder), ratings=ratings, **settings_for(port)) as inquest:
            began = time.perf_counter()
            case = await inquest.check(
                company=TECHNICAL.name,
                industry=TECHNICAL.industry,
                claims=[row.claim for row in TECHNICAL.rows],
                desks=desks,
                rounds=rounds,
                engines=ENGINES,
            )
            return case, time.perf_counter() - began


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(sys.argv[1]))))

"""Whether a check comes to the right verdict where the model judges all passages rightly: errors are the pipeline's.

The claims are those of `bench.simulated.company_claims`, their pages are found, read, judged and weighed by the whole
house on the simulated web, with all desks and one further round. The model answers from gold labels.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.figures import Figure
from bench.simulated.companies import PATTERNS, a_company_world
from bench.simulated.company_claims import COMPANIES, Company, Row
from bench.simulated.running import limits_lifted
from bench.simulated.server import simulated_web

if TYPE_CHECKING:
    from inquest.domain.case import Case

__all__ = ["DATA", "Verdict", "measure", "verdicts"]

DATA = None
"""None: the measure makes its own."""
ENGINES = ("tavily", "crossref")
NOW = "2024-12-31"
ROUNDS = 1


class Verdict(NamedTuple):
    """What a claim came to, and what it should have come to."""

    row: Row
    wanted: str
    said: str
    reasons: tuple[str, ...]


def measure(data: Path | None) -> list[Figure]:
    """The share of right verdicts, in all and for each that was wanted; what went wrong, claim by claim."""
    found = asyncio.run(verdicts())
    right = [each for each in found if each.said == each.wanted]
    wrong = [_line(each) for each in found if each.said != each.wanted]
    alarms = [each for each in found if each.said == "contradicted" and each.wanted in ("verified", "unverified")]
    wanted, met = Counter(each.wanted for each in found), Counter(each.wanted for each in right)
    common = {"claims": len(found), "companies": len(COMPANIES)}
    return [
        Figure("check_gold", "right", len(right) / len(found), details=common | {"wrong": wrong}),
        Figure("check_gold", "false_contradicted", len(alarms) / len(found), details=common),
        *(
            Figure("check_gold", f"right_{name}", met[name] / count, details={"claims": count})
            for name, count in sorted(wanted.items())
        ),
    ]


def _line(each: Verdict) -> dict[str, Any]:
    pattern = PATTERNS[each.row.pattern]
    return {
        "claim": each.row.claim,
        "pattern": each.row.pattern,
        "wanted": f"{each.wanted}: {pattern.why}",
        "said": each.said,
        "reasons": list(each.reasons),
    }


async def verdicts(companies: tuple[Company, ...] = COMPANIES) -> list[Verdict]:
    """Each company's claims checked in a case of its own, one after another."""
    from inquest import Inquest
    from inquest.engines.scholarly.crossref import Crossref
    from inquest.engines.web.tavily import Tavily

    world = a_company_world(companies)
    found: list[Verdict] = []
    with tempfile.TemporaryDirectory() as folder, limits_lifted(Tavily, Crossref):
        ratings = Path(folder) / "ratings.csv"
        ratings.write_text(world.ratings_csv())
        async with (
            simulated_web(world) as web,
            Inquest(home=Path(folder), ratings=ratings, **web.settings) as inquest,
        ):
            for company in companies:
                case = await inquest.check(
                    company=company.name,
                    industry=company.industry,
                    claims=[row.claim for row in company.rows],
                    rounds=ROUNDS,
                    engines=ENGINES,
                    as_of=NOW,
                )
                found += _verdicts(company, case)
    return found


def _verdicts(company: Company, case: Case) -> list[Verdict]:
    said = {claim.text: claim.id for claim in case.claims}
    by_claim = {assessment.claim_id: assessment for assessment in case.assessments}
    rows = [(row, by_claim[said[row.claim]]) for row in company.rows]
    return [Verdict(row, PATTERNS[row.pattern].verdict, each.verdict.value, each.reasons) for row, each in rows]

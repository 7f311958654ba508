"""Test of how well a model can be used: `python -m bench.any_model [--url URL] [--model NAME] [--calls 5] [--pairs
60]`.

Every kind of call is sent to the server at OPENAI_BASE_URL with texts from data/stance/dev.jsonl. For each kind this
prints the share of usable replies (at once, and after at most one second request), and the share of right stances on
pairs of that set, beside the local analyst's; with `--citations N`, also the outcomes of an audit of the first N rows
of each set of data/audit, by the model and by the local analyst.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import httpx2

from bench.figures import SHARED, Figure, print_figures
from bench.measures import audit
from bench.rows import rows_of
from inquest.analysts.local import LocalAnalyst
from inquest.analysts.model import ModelAnalyst
from inquest.app.settings import load_settings
from inquest.app.wiring.model_services import model_analyst
from inquest.app.wiring.small_models import pair_reader, sentence_encoder
from inquest.domain.claim import Claim
from inquest.domain.document import Document, Precision
from inquest.domain.drafts import DatedPassage, KeyClaim, SourceReading, WriteMaterial
from inquest.domain.errors import ModelError
from inquest.domain.finding import Finding, Stance
from inquest.domain.plan import Brief, Plan
from inquest.domain.report import Cost
from inquest.domain.search import EngineKind
from inquest.domain.source import Rating, Source
from inquest.kit.analyst import Passage

_SNAPSHOT = "sha256:" + "0" * 64
_NOW = datetime(2025, 3, 1, tzinfo=UTC)
_PASSAGES = 4
"""Passages per call."""

Row = dict[str, Any]
Call = Callable[[], Awaitable[object]]


class _Server:
    """The HTTP client of the calls, which counts the requests."""

    def __init__(self) -> None:
        self.questions = 0
        self.refused: list[int] = []

    def transport(self, label: str) -> httpx2.AsyncBaseTransport:
        """Like a case's client."""
        return httpx2.MockTransport(self._exchange)

    async def _exchange(self, request: httpx2.Request) -> httpx2.Response:
        # A connection of its own: a server may close one that waits.
        async with httpx2.AsyncHTTPTransport() as inner:
            response = await inner.handle_async_request(request)
            body = await response.aread()
        if response.status_code >= 400:
            self.refused.append(response.status_code)
        elif request.method == "POST":
            self.questions += 1
        return httpx2.Response(response.status_code, content=body)


class _NoBudget:
    """An unlimited budget."""

    usd: float | None = None
    seconds_to_ask: float | None = None

    def __init__(self) -> None:
        self.spent = Cost()

    def check(self) -> None:
        """Never raises."""

    def reserve(self, usd: float) -> bool:
        """Always succeeds."""
        return True

    def release(self, usd: float) -> None:
        """Does nothing, as nothing was reserved."""

    def fell_short(self, kind: str) -> None:
        """Does nothing."""

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        """Count the cost."""
        self.spent += cost


def calls_on(analyst: ModelAnalyst, rows: Sequence[Row]) -> dict[str, Call]:
    """One call of each kind, on a few rows of the set."""
    claims = [str(row["claim"]) for row in rows]
    texts = [str(row["passage"]) for row in rows]
    brief = Brief(text=f"Is it true that {claims[0]}"[:400])
    sources = [_source(number) for number in range(1, len(rows) + 1)]
    documents = [_document(text) for text in texts]
    passages = [
        Passage(id=f"P{number}", source_id="", snapshot=_SNAPSHOT, text=text) for number, text in enumerate(texts, 1)
    ]
    readings = [
        (source, SourceReading(summary=claim, key_claims=(KeyClaim(text=claim, quote=claim, start=0, end=len(claim)),)))
        for source, claim in zip(sources, claims, strict=True)
    ]
    asked = [Claim(id=f"C{number}", text=claim) for number, claim in enumerate(claims, 1)]
    angles = {"against": "who disputes it", "official": "records of authorities"}
    return {
        "plan": lambda: analyst.plan(brief, (), tuple(EngineKind)),
        "read": lambda: analyst.read(brief, claims[0], _document("\n\n".join(texts))),
        "merge": lambda: analyst.merge(claims[0], readings, 5),
        "assess": lambda: analyst.assess(claims[0], passages),
        "events": lambda: analyst.events(claims[0], [_dated(number, text) for number, text in enumerate(texts, 1)]),
        "leanings": lambda: analyst.leanings(claims[0], list(zip(sources, documents, strict=True))),
        "classify": lambda: analyst.classify(sources[0].url, documents[0]),
        "write": lambda: analyst.write(_material(asked, texts), depth="brief"),
        "desk_queries": lambda: analyst.desk_queries("news", angles, asked, "the company", ""),
        "read_market_question": lambda: analyst.read_market_question(claims[0]),
    }


def _source(number: int) -> Source:
    domain = f"paper{number}.example"
    rating = Rating(domain=domain, score=60, tier=3, stars=3, known=False, reasons=("of no rule",))
    return Source(
        id=f"S{number}",
        url=f"https://{domain}/{number}",
        title="",
        domain=domain,
        rating=rating,
        snapshot=_SNAPSHOT,
        retrieved_at=_NOW,
    )


def _document(text: str) -> Document:
    return Document(snapshot=_SNAPSHOT, url="https://paper1.example/1", title="", text=text)


def _dated(number: int, text: str) -> DatedPassage:
    date = datetime(2010 + number, 1, 1, tzinfo=UTC)
    return DatedPassage(
        id=f"D{number}",
        source_id="S1",
        snapshot=_SNAPSHOT,
        quote=text,
        start=0,
        end=len(text),
        date=date,
        precision=Precision.YEAR,
    )


def _material(claims: Sequence[Claim], texts: Sequence[str]) -> WriteMaterial:
    findings = tuple(
        Finding(
            id=f"F{number}",
            claim_id=claim.id,
            source_id=f"S{number}",
            agent="inquiry",
            stance=Stance.SUPPORTS,
            confidence=0.9,
            quote=text,
            snapshot=_SNAPSHOT,
            start=0,
            end=len(text),
        )
        for number, (claim, text) in enumerate(zip(claims, texts, strict=True), 1)
    )
    plan = Plan(topic=claims[0].text[:140], questions=(claims[0].text,), queries=(), engines=(), mode="quick")
    sources = tuple(_source(number) for number in range(1, len(claims) + 1))
    return WriteMaterial(
        plan=plan, as_of=_NOW, sources=sources, claims=tuple(claims), findings=findings, assessments=()
    )


async def _tried(server: _Server, call: Call) -> tuple[bool, bool, float]:
    """Return whether the reply could be used, whether at once, and the seconds it took."""
    before, begun = server.questions, time.perf_counter()
    try:
        found = await call()
    except ModelError as error:
        print(f"  {error.sentence}", flush=True)
        return False, False, time.perf_counter() - begun
    unassessed = isinstance(found, tuple) and any(getattr(one, "stance", None) is Stance.UNASSESSED for one in found)
    return not unassessed, server.questions == before + 1 and not unassessed, time.perf_counter() - begun


async def measured(url: str, name: str, calls: int, pairs: int, citations: int) -> list[Figure]:
    """The figures of the model at the address."""
    rows = rows_of(SHARED / "data/stance/dev.jsonl", "claim", "passage", "stance")
    settings = load_settings(model=f"openai:{name}", keys={"OPENAI_BASE_URL": url})
    local = LocalAnalyst(pair_reader(settings), sentence_encoder(settings))
    server = _Server()
    analyst = model_analyst(settings, server, _NoBudget(), local)  # type: ignore[arg-type]
    figures: list[Figure] = []
    tried: dict[str, list[tuple[bool, bool, float]]] = {}
    step = max(1, len(rows) // max(1, calls))
    for number in range(calls):
        for kind, call in calls_on(analyst, rows[number * step : number * step + _PASSAGES]).items():
            tried.setdefault(kind, []).append(await _tried(server, call))
            print(kind, *tried[kind][-1], flush=True)
    for kind, results in tried.items():
        usable = sum(good for good, _, _ in results) / len(results)
        details = {
            "calls": len(results),
            "at_once": sum(first for _, first, _ in results) / len(results),
            "seconds": round(sum(seconds for _, _, seconds in results) / len(results), 1),
        }
        figures.append(Figure("any_model", f"usable_{kind}", round(usable, 3), details=details))
    figures += await _right(analyst, local, rows[:: max(1, len(rows) // max(1, pairs))][:pairs])
    for by, judge in (("_model", analyst), ("_local", local)) if citations else ():
        rows_judged = await audit.judged_rows(SHARED / audit.DATA, judge, by_model=judge is analyst, most=citations)
        figures += audit.figures_of(rows_judged, measure="any_model", by=by)
    print("refused:", server.refused, flush=True)
    return figures


async def _right(analyst: ModelAnalyst, local: LocalAnalyst, rows: Sequence[Row]) -> list[Figure]:
    figures = []
    for name, judge in (("model", analyst), ("local", local)):
        right = false = unusable = 0
        for row in rows:
            passage = Passage(id="P1", source_id="", snapshot=_SNAPSHOT, text=row["passage"])
            try:
                stance = (await judge.assess(row["claim"], [passage]))[0].stance.value
            except ModelError:
                stance = "unusable"
            unusable += stance not in ("supports", "contradicts", "neutral")
            right += stance == row["stance"]
            false += stance in ("supports", "contradicts") and stance != row["stance"]
        if rows:
            details = {"pairs": len(rows), "wrong_side": false, "unusable": unusable}
            figures.append(Figure("any_model", f"right_{name}", round(right / len(rows), 3), details=details))
    return figures


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.any_model", description=__doc__)
    parser.add_argument("--url", default=os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1"))
    parser.add_argument("--model", default="local-model", help="the model's name at the server")
    parser.add_argument("--calls", type=int, default=5, help="calls of each kind")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--citations", type=int, default=0, help="rows of each set of citations")
    chosen = parser.parse_args()
    figures = asyncio.run(measured(chosen.url, chosen.model, chosen.calls, chosen.pairs, chosen.citations))
    return 1 if print_figures(figures, SHARED / "data/stance/dev.jsonl") else 0


if __name__ == "__main__":
    raise SystemExit(main())

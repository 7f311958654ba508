"""A model with OpenAI's API that gives scripted answers, and other helpers for the tests of the model analyst."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx2

from inquest.analysts.model import ModelAnalyst
from inquest.app.settings import Settings, load_settings
from inquest.app.wiring.model_services import model_analyst
from inquest.domain.claim import Claim
from inquest.domain.document import Document, Precision, Published
from inquest.domain.drafts import (
    ClaimDraft,
    DatedPassage,
    EventDraft,
    KeyClaim,
    LeaningDraft,
    PlanDraft,
    SourceReading,
    WriteMaterial,
)
from inquest.domain.errors import Shortage
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.plan import Brief, Plan
from inquest.domain.report import Cost, Leaning, Section, Statement, Summary
from inquest.domain.source import Rating, Source
from inquest.kit.analyst import Analyst, Passage
from inquest.kit.exchange import Purpose

SNAPSHOT = "sha256:" + "0" * 64
KEY = "sk-test-0123456789"


@dataclass
class Scripted:
    """Gives its answers one after the other and repeats the last; stores the requests.

    An answer is the text of the model, a whole reply, or an exception that the transport raises.
    """

    answers: list[str | dict[str, Any] | httpx2.Response | Exception]
    asked: list[dict[str, Any]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        """Like a door's transport."""
        self.labels.append(model)
        return httpx2.MockTransport(self._answer)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(request.content) | {"headers": dict(request.headers), "url": str(request.url)})
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx2.Response):
            # Each reply is given once; a response that was read cannot be read again.
            return httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content)
        return httpx2.Response(200, json=completion(answer if isinstance(answer, str) else json.dumps(answer)))

    @property
    def user(self) -> list[str]:
        """The contents of the user messages."""
        return [asked["messages"][-1]["content"] for asked in self.asked]

    @property
    def system(self) -> list[str]:
        return [asked["messages"][0]["content"] for asked in self.asked]


def completion(text: str, *, model: str = "gpt-4o-mini", finish: str = "stop") -> dict[str, Any]:
    """A chat completion in the service's format: 1,000 tokens in, 100 out."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    }


def blocks(message: str) -> list[tuple[str, str, str]]:
    """(kind, id, body) of the marked blocks of a message."""
    key = re.search(r"key (\w+)\.", message)
    assert key
    pattern = rf"^\[\[data {key[1]} (\w+)(?: ([\w.]+))?\]\]\n(.*?)\n\[\[end {key[1]}\]\]$"
    return [(m[1], m[2] or "", m[3]) for m in re.finditer(pattern, message, re.DOTALL | re.MULTILINE)]


@dataclass
class Purse:
    """A budget that only counts."""

    spent: Cost = field(default_factory=Cost)
    met: Exception | None = None
    seconds_left: float | None = None

    def check(self) -> None:
        if self.met:
            raise self.met

    usd: float | None = None

    @property
    def seconds_to_ask(self) -> float | None:
        return self.seconds_left

    def reserve(self, usd: float, purpose: Purpose = Purpose.PAGE) -> bool:
        return True

    def release(self, usd: float) -> None:
        pass

    def fell_short(self, kind: Shortage) -> None:
        pass

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        self.spent += cost


class Rules(Analyst):
    """A stand-in for the local analyst that records its calls."""

    name = "local"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def plan(self, brief: Brief, user_sources: Any, kinds: Any, **more: Any) -> PlanDraft:
        self.asked.append("plan")
        return PlanDraft(topic="by rule", questions=("Is it so?",), queries=(), source_kinds=())

    async def read(self, brief: Brief, topic: str, document: Document) -> SourceReading:
        self.asked.append("read")
        return SourceReading(summary="by rule", key_claims=())

    async def merge(self, topic: str, readings: Any, limit: int | None) -> tuple[ClaimDraft, ...]:
        self.asked.append("merge")
        return ()

    async def assess(
        self, claim: str, passages: Sequence[Passage], *, statements: Sequence[str] = (), desk: str = ""
    ) -> tuple[Reading, ...]:
        self.asked.append("assess")
        return tuple(Reading(passage_id=each.id, stance=Stance.NEUTRAL, confidence=0.5) for each in passages)

    async def events(self, topic: str, passages: Any) -> tuple[EventDraft, ...]:
        self.asked.append("events")
        return ()

    async def leanings(self, topic: str, sources: Any) -> tuple[LeaningDraft, ...]:
        self.asked.append("leanings")
        return tuple(
            LeaningDraft(source_id=source.id, leaning=Leaning.NEUTRAL, bias=0, reasons=("by rule",))
            for source, _ in sources
        )

    async def classify(self, source_url: str, document: Document) -> Rating | None:
        self.asked.append("classify")
        return None

    async def write(self, material: WriteMaterial, *, depth: str) -> Summary:
        self.asked.append("write")
        about = Statement(text="Two engines were asked.", about_the_work=True)
        fact = Statement(text="A fact by rule.", finding_ids=("F1",))
        return Summary(title="By rule", sections=(Section(heading="How it was done", statements=(fact, about)),))


def settings(**more: Any) -> Settings:
    keys = {"OPENAI_API_KEY": KEY} | more.pop("keys", {})
    return load_settings(**({"model": "openai:gpt-4o-mini", "keys": keys} | more))


def scripted_analyst(
    *answers: str | dict[str, Any] | httpx2.Response | Exception,
    purse: Purse | None = None,
    local: Analyst | None = None,
    **chosen: Any,
) -> tuple[ModelAnalyst, Scripted]:
    """A model analyst on a scripted model, with the settings `chosen`."""
    scripted = Scripted(list(answers))
    return model_analyst(settings(**chosen), scripted, purse or Purse(), local or Rules()), scripted  # type: ignore[arg-type]


def document(
    text: str, title: str = "Plant fined over solvent release", url: str = "https://courier.example/a"
) -> Document:
    return Document(snapshot=SNAPSHOT, url=url, title=title, text=text)


def passage(number: int, text: str) -> Passage:
    return Passage(id=f"P{number}", source_id="", snapshot=SNAPSHOT, text=text, domain="courier.example")


def source(number: int, domain: str = "courier.example") -> Source:
    rating = Rating(domain=domain, score=75, tier=2, stars=4, known=True, reasons=("test",))
    return Source(
        id=f"S{number}",
        url=f"https://{domain}/{number}",
        title=f"Report {number}",
        domain=domain,
        rating=rating,
        snapshot=SNAPSHOT,
        retrieved_at=datetime(2025, 3, 1, tzinfo=UTC),
        published=Published(at=datetime(2024, 3, 5, tzinfo=UTC), precision=Precision.DAY),
    )


def reading(*claims: str) -> SourceReading:
    keys = tuple(KeyClaim(text=text, quote=text, start=0, end=len(text)) for text in claims)
    return SourceReading(summary="It reports it.", key_claims=keys, relevance=0.8)


def dated(
    number: int, quote: str, date: datetime, precision: Precision = Precision.DAY, by: str = "S1"
) -> DatedPassage:
    return DatedPassage(
        id=f"D{number}",
        source_id=by,
        snapshot=SNAPSHOT,
        quote=quote,
        start=0,
        end=len(quote),
        date=date,
        precision=precision,
    )


def finding(number: int, quote: str, claim_id: str | None = "C1", stance: Stance = Stance.SUPPORTS) -> Finding:
    return Finding(
        id=f"F{number}",
        claim_id=claim_id,
        source_id="S1",
        agent="inquiry",
        stance=stance,
        confidence=0.9,
        quote=quote,
        snapshot=SNAPSHOT,
        start=0,
        end=len(quote),
    )


def material(*findings: Finding) -> WriteMaterial:
    brief_plan = Plan(topic="The solvent release", questions=("Was it so?",), queries=(), engines=(), mode="quick")
    return WriteMaterial(
        plan=brief_plan,
        as_of=datetime(2025, 3, 1, tzinfo=UTC),
        sources=(source(1), source(2, "post.example")),
        claims=(Claim(id="C1", text="The plant released 4,100 litres of solvent on 6 June 2023."),),
        findings=findings,
        assessments=(),
    )


BRIEF = Brief(text="Did the plant release solvent into the river in June 2023?")

"""Cases of topics as produced by a run, without a run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.investigation import FoundSource, InvestigationResult
from inquest.domain.plan import Brief
from inquest.domain.report import Cost, OutageNote
from inquest.domain.source import Rating, Source
from inquest.domain.topic import ReviewFlag, Topic, Upgrade, VerificationLevel

BEGIN = datetime(2025, 2, 3, 8, tzinfo=UTC)


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = BEGIN

    def now(self) -> datetime:
        return self.time

    def move(self, **by: float) -> None:
        self.time += timedelta(**by)


class Runs:
    """Runs scripted investigations: each run has the next of the levels, and one source more than the last."""

    def __init__(
        self, app: Resources, clock: SetClock, levels: Sequence[VerificationLevel], *, seconds: float = 90
    ) -> None:
        self.app, self.clock, self.seconds = app, clock, seconds
        self.levels = list(levels)
        self.topics: list[Topic] = []
        self.flags: tuple[ReviewFlag, ...] = ()
        self.outages: tuple[OutageNote, ...] = ()

    async def __call__(self, topic: Topic) -> Case:
        self.topics.append(topic)
        level = self.levels.pop(0)
        case = a_case(
            topic,
            level,
            name=f"{self.clock.now():%Y%m%d}-{topic.id}{len(self.topics)}",
            at=self.clock.now(),
            pages=1 + len(self.topics),
            flags=self.flags,
            outages=self.outages,
        )
        self.clock.move(seconds=self.seconds)
        await (await self.app.store()).create(case)
        return case


def a_case(
    topic: Topic,
    level: VerificationLevel,
    *,
    name: str = "20250203-a",
    at: datetime = BEGIN,
    pages: int = 3,
    **met: Any,
) -> Case:
    """A case of this topic that recommends this level; `met`: the flags and outages that it has."""
    flags: tuple[ReviewFlag, ...] = met.pop("flags", ())
    outages: tuple[OutageNote, ...] = met.pop("outages", ())
    assert not met, met
    before = topic.verification_status
    rating = Rating(score=75, tier=2, stars=4, known=True, reasons=("a paper",), domain="")
    numbers = range(1, pages + 1)
    return Case(
        id=name,
        kind=CaseKind.TOPIC,
        status=CaseStatus.PARTIAL if outages else CaseStatus.COMPLETED,
        brief=Brief(text=f"Verify: {topic.title}", topic=topic),
        as_of=at,
        created_at=at,
        sources=tuple(
            Source(
                id=f"S{n}",
                url=f"https://paper{n}.example/story",
                title=f"Story {n}",
                domain=f"paper{n}.example",
                rating=rating.model_copy(update={"domain": f"paper{n}.example"}),
                snapshot=f"sha256:{n:064d}",
                retrieved_at=at,
            )
            for n in numbers
        ),
        outages=outages,
        cost=Cost(usd=0.03),
        investigation=InvestigationResult(
            topic_id=topic.id,
            investigation_date=at,
            additional_sources=tuple(
                FoundSource(id=f"S{n}", url=f"https://paper{n}.example/story", name=f"Paper {n}", credibility_tier=2)
                for n in numbers
            ),
            credibility_assessment=75,
            consistency_score=80,
            context_richness=10,
            recommended_verification_level=level,
            confidence_level=60,
            investigation_notes="What was found [S1].",
            requires_human_review=bool(flags),
            review_reason="Sources disagree." if flags else None,
            review_flags=flags,
            upgrade=Upgrade(
                before=before, new_level=level, upgraded=level is not before, independent_credible=pages, reasons=("r",)
            ),
        ),
    )

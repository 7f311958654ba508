"""Publishers that no rule covers are sent to the model: few, once each, and above tier 3 only if their registries
agree."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from inquest.analysts.local import LocalAnalyst
from inquest.domain.claim import Claim, ClaimType, Mention
from inquest.domain.document import Document
from inquest.domain.errors import EngineUnavailable, ModelUnavailable
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import OutageNote
from inquest.domain.source import DomainAge, Rating, Source
from inquest.domain.value import Precision, Published
from inquest.flow.nodes.vet import (
    FEWEST,
    MOST,
    classified,
    classify_ahead,
)
from inquest.flow.services import Services
from inquest.retrieval.budget import CaseBudget
from inquest.retrieval.fanout import CutList, side_by_side
from inquest.sources.tiers import RELEASE_SCORE, rating_of, source_reason

BY_MODEL = source_reason("by_a_model_alone", domain="trade.example", kind="trade press")
NOT_KNOWN = source_reason("not_known", name="paper1.example")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


class _Mind(LocalAnalyst):
    """Classifies every site as a trade paper; records the sites."""

    def __init__(self, error: ModelUnavailable | None = None) -> None:
        super().__init__(None)
        self.asked: list[str] = []
        self._error = error
        self.category = "trade"

    async def classify(self, source_url: str, document: Document) -> Rating | None:
        self.asked.append(source_url)
        if self._error:
            raise self._error
        return rating_of("trade.example", RELEASE_SCORE, [BY_MODEL], category=self.category)


def source(number: int, *, known: bool = False, domain: str = "") -> Source:
    domain = domain or f"paper{number}.example"
    return Source(
        id=f"S{number}", url=f"https://{domain}/{number}", title="", domain=domain, snapshot=f"sha256:{number:064d}",
        retrieved_at=NOW, rating=rating_of(domain, 30, [NOT_KNOWN], known=known),
    )  # fmt: skip


def finding(number: int, stance: Stance = Stance.SUPPORTS, kind: str = "news_source") -> Finding:
    return Finding(
        id=f"F{number}", claim_id="C1", source_id=f"S{number}", agent="news", evidence_type=kind, stance=stance,
        confidence=0.7, quote="It is so.", snapshot=f"sha256:{number:064d}", start=0, end=9,
    )  # fmt: skip


class _Registry:
    """Every domain has been registered since that year."""

    def __init__(self, year: int | None = 1999, error: EngineUnavailable | None = None) -> None:
        self._year, self._error = year, error
        self.asked: list[str] = []

    async def age(self, url: str) -> DomainAge:
        self.asked.append(url)
        if self._error:
            raise self._error
        since = self._year and Published(at=datetime(self._year, 6, 1, tzinfo=UTC), precision=Precision.DAY)
        return DomainAge(domain="paper1.example", registered=since or None)


def services(analyst: LocalAnalyst, registry: _Registry | None = None) -> Services:
    budget = CaseBudget()
    cut = CutList(budget)

    class Archive:
        async def document(self, snapshot: str) -> Document:
            return Document(snapshot=snapshot, url="https://a.example/", text="It is so.")

    async def outage(what: str, where: str, error: Any, stage: Any) -> OutageNote:
        return OutageNote(what=what, where=where, why=error.sentence, at=NOW)

    given = SimpleNamespace(
        analyst=analyst, local=LocalAnalyst(None), budget=budget, archive=Archive(), outage=outage,
        domain_ages=registry, cut=cut,
        side_by_side=lambda work: side_by_side(work, cut),
    )  # fmt: skip
    return cast(Services, given)


async def test_who_speaks_on_a_claim_and_is_unknown_is_asked_about_once() -> None:
    analyst = _Mind()
    sources = [source(1), source(2, known=True), source(3), source(4, domain="paper1.example")]
    findings = [finding(1), finding(2), finding(3, Stance.NEUTRAL), finding(4)]
    rated, outages = await classified(sources, findings, services(analyst))
    assert analyst.asked == ["https://paper1.example/1"] and not outages
    by_id = {each.id: each.rating for each in rated}
    assert by_id["S1"].tier == by_id["S4"].tier == 3 and by_id["S1"].category == "trade"
    assert (by_id["S2"], by_id["S3"]) == (sources[1].rating, sources[2].rating)
    assert "a model classes it" in by_id["S1"].reasons[0] and NOT_KNOWN in by_id["S1"].reason_codes


async def test_it_asks_about_a_few_only() -> None:
    analyst = _Mind()
    numbers = range(1, MOST + 6)
    sources, findings = [source(n) for n in numbers], [finding(n) for n in numbers]
    await classified(sources, findings, services(analyst))
    assert len(analyst.asked) == FEWEST
    analyst.asked.clear()
    of_many = [each.model_copy(update={"claim_id": f"C{n}"}) for n, each in enumerate(findings)]
    await classified(sources, of_many, services(analyst))
    assert len(analyst.asked) == MOST


async def test_a_model_that_is_out_leaves_the_rule_and_is_an_outage() -> None:
    analyst = _Mind(ModelUnavailable("a-model", "a-model did not answer within 120 s."))
    rated, outages = await classified([source(1)], [finding(1)], services(analyst))
    assert rated == (source(1),)
    assert [(note.what, note.where) for note in outages] == [("model", "a-model")]


@pytest.mark.parametrize(
    ("category", "year", "tier", "why"),
    [
        ("newspaper", 1999, 2, "it has had paper1.example since 1999"),
        ("government", 2015, 2, "it has had paper1.example since 2015"),
        ("ngo", None, 2, "its registry does not say how long it has had paper1.example"),
        ("newspaper", 2017, 3, "paper1.example was registered in 2017, too short a record to rank above tier 3"),
        ("local", 1999, 3, ""),
        ("company", 1999, 3, ""),
    ],
)
async def test_institutions_are_of_tier_2_unless_their_domain_is_young(
    category: str, year: int | None, tier: int, why: str
) -> None:
    analyst = _Mind()
    analyst.category = category
    rated, outages = await classified([source(1)], [finding(1)], services(analyst, _Registry(year)))
    assert (rated[0].rating.tier, rated[0].rating.category, outages) == (tier, category, ())
    assert not why or why in rated[0].rating.reasons


async def test_a_registry_that_is_out_leaves_the_models_rating_and_is_one_outage() -> None:
    analyst, registry = _Mind(), _Registry(error=EngineUnavailable("rdap.org", "It could not be asked (503)."))
    sources, findings = [source(1), source(2)], [finding(1), finding(2)]
    rated, outages = await classified(sources, findings, services(analyst, registry))
    assert {each.rating.tier for each in rated} == {3} and len(registry.asked) == 2
    assert [(note.what, note.where) for note in outages] == [("registry", "the registry of domains")]
    analyst.category = "blog"
    assert (await classified(sources, findings, services(analyst, registry)))[1] == ()


def claim(number: int, *source_numbers: int) -> Claim:
    made = [
        Mention(source_id=f"S{n}", quote="It is so.", snapshot=f"sha256:{n:064d}", start=0, end=9)
        for n in source_numbers
    ]
    return Claim(id=f"C{number}", text="It is so.", type=ClaimType.STATEMENT, importance=0.5, mentions=tuple(made))


async def test_who_makes_a_claim_is_asked_about_while_it_is_checked_and_nobody_else_afterwards() -> None:
    analyst = _Mind()
    numbers = range(1, FEWEST + 6)
    sources, findings = [source(n) for n in numbers], [finding(n) for n in numbers]
    claims = [claim(1, 12, 11), claim(2, 11), claim(3, *range(13, FEWEST + 6), *range(1, 11))]
    await classify_ahead(sources, claims, services(analyst))
    ahead = list(analyst.asked)
    assert ahead[:2] == ["https://paper11.example/11", "https://paper12.example/12"] and len(ahead) == FEWEST
    analyst.asked.clear()
    await classified(sources, findings, services(analyst), claims=claims)
    assert set(analyst.asked) == set(ahead)


async def test_the_release_of_a_public_body_is_its_official_word() -> None:
    release = source(1).model_copy(update={"rating": source(1).rating.model_copy(update={"press_release": True})})
    analyst = _Mind()
    (trade,), _ = await classified([release], [finding(1)], services(analyst))
    analyst.category = "government"
    (court,), _ = await classified([release], [finding(1)], services(analyst))
    assert trade.rating.press_release and not court.rating.press_release

"""The result of an investigation: context, origin, level, confidence and notes, from the findings of a case."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.investigation_result import TopicMaterial, investigation_result
from inquest.desks.verification.topic_claims import main_claims, own_article
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document, Precision, Published
from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.investigation import InvestigationResult
from inquest.domain.source import Source
from inquest.domain.topic import ReviewFlag, Success, Topic, VerificationLevel
from inquest.sources.publisher_names import why_local
from inquest.sources.tiers import rating_of
from inquest.stories.stories import assign_stories

DAY = datetime(2026, 3, 2, tzinfo=UTC)
NOW = DAY + timedelta(days=2)
OWN = (
    "About 300 dockers at Garrow Harbour walked out on Monday after the operator, Lenn Terminals plc, docked their "
    "pay, the Lenn Valley Courier reported on Monday. The Harbour Workers' Union said that it would go on until Friday."
)
COURIER = (
    "Around 300 dockers walked out at Garrow Harbour on 2 March 2026 after Lenn Terminals plc docked their pay for "
    "refusing night shifts, shop stewards told this newspaper. In June 2023 the Harbour Workers' Union had already "
    "struck for nine days over shifts. Garrow Harbour, a town of 9,000 residents, lives on its port. Lenn Terminals, "
    "the operator of the container port since 2015, declined to comment. The Harbour Workers' Union is a union of "
    "2,000 members."
)
WIRE = (
    "Some 310 dockers stopped work at Garrow Harbour on Monday, the regional labour office said. In May 2024 Lenn "
    "Terminals said that no shift would be cut. The port handles a tenth of the country's grain."
)
DENIAL = "No docker walked out at Garrow Harbour on 2 March 2026, the port authority's log shows."
TOPIC = Topic(
    id=7,
    title="Dockers at Garrow Harbour walk out over night shifts",
    url="https://harbour-post.example/strike?utm_source=feed",
    text=OWN,
    event_date=DAY,
    discovery_date=DAY + timedelta(hours=12),
    place="Garrow Harbour",
)
PUBLISHERS = {
    "S1": ("harbour-post.example", 50, "newspaper", OWN),
    "S2": ("lenn-valley-courier.example", 78, "local", COURIER),
    "S3": ("northwire.example", 91, "wire", WIRE),
    "S4": ("port-authority.example", 92, "government", DENIAL),
    "S5": ("quickbrook.example", 12, "blog", "Dockers at Garrow Harbour walked out on Monday, wow."),
}
MAIN = Claim(
    id="C1",
    text="About 300 dockers walked out at Garrow Harbour on 2 March 2026.",
    mentions=(Mention(source_id="S1", snapshot="sha256:S1", quote=OWN[:5], start=0, end=5),),
)
ASIDE = Claim(id="C2", text="Lenn Terminals has operated the container port since 2015.")


def gathered(*names: str, stances: dict[str, Stance] | None = None, **more: Any) -> TopicMaterial:
    sources, documents, findings = [], {}, []
    for hour, name in enumerate(names):
        domain, score, category, text = PUBLISHERS[name]
        at = Published(at=DAY + timedelta(hours=10 - hour), precision=Precision.TIME)
        url = f"https://{domain}/strike"
        sources.append(
            Source(
                id=name, url=url, title="Strike", domain=domain, published=at, snapshot=f"sha256:{name}",
                rating=rating_of(domain, score, [], category=category), retrieved_at=NOW, relevance=0.8,
            )
        )  # fmt: skip
        documents[name] = Document(snapshot=f"sha256:{name}", url=url, title="Strike", text=text, published=at)
        stance = (stances or {}).get(name, Stance.SUPPORTS)
        end = text.index(".") + 1
        findings.append(
            Finding(
                id=f"F{name}", claim_id="C1", source_id=name, agent="inquiry", stance=stance, confidence=0.85,
                quote=text[:end], snapshot=f"sha256:{name}", start=0, end=end,
            )
        )  # fmt: skip
    told = {each.id: each for each in assign_stories(sources, documents)}
    values: dict[str, Any] = {"now": NOW, "sources": told, "documents": documents, "findings": findings}
    return TopicMaterial(**values | {"claims": (MAIN, ASIDE)} | more)


def result(*names: str, topic: Topic = TOPIC, **more: Any) -> InvestigationResult:
    return investigation_result(topic, gathered(*names, **more))


FULL = result("S1", "S2", "S3")


def test_credible_independent_sources_raise_the_level_and_a_single_one_is_marked() -> None:
    assert FULL.recommended_verification_level is VerificationLevel.VERIFIED
    assert FULL.verification_upgraded and not FULL.upgrade.single_source
    assert {each.id for each in FULL.additional_sources if each.confirms} == {"S2", "S3"}
    found = result("S1", "S2")
    assert found.recommended_verification_level is VerificationLevel.VERIFIED
    assert found.upgrade.single_source
    assert "single independent source" in found.investigation_notes


def test_the_topics_own_article_is_found_by_its_address_and_confirms_nothing() -> None:
    assert own_article(TOPIC, gathered("S1", "S2").sources) == {"S1"}
    found = result("S1")
    assert found.additional_sources == ()
    assert found.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert ReviewFlag.NOT_CORROBORATED in found.review_flags


@pytest.mark.parametrize("read", [("S1", "S2"), ("S2",)])
def test_another_page_of_the_same_publisher_confirms_nothing(read: tuple[str, ...]) -> None:
    case = gathered(*read)
    courier = case.sources["S2"]
    moved = courier.model_copy(
        update={
            "domain": "harbour-post.example",
            "url": "https://harbour-post.example/later",
            "rating": courier.rating.model_copy(update={"domain": "harbour-post.example"}),
        }
    )
    found = investigation_result(TOPIC, replace(case, sources={**case.sources, "S2": moved}))
    assert found.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert found.consistency.score is None


def test_a_credible_contradiction_keeps_the_level_and_calls_a_person() -> None:
    found = result("S1", "S2", "S3", "S4", stances={"S4": Stance.CONTRADICTS})
    assert found.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert found.requires_human_review
    assert found.review_reason is not None and "port-authority.example [S4]" in found.review_reason
    assert [each.confirms for each in found.additional_sources if each.id == "S4"] == [False]


def test_credibility_is_that_of_the_headline_and_not_of_its_origin() -> None:
    assert result("S1", "S2", "S3").credibility_assessment > 80
    assert result("S1", "S4", "S3", stances=dict.fromkeys(("S3", "S4"), Stance.CONTRADICTS)).credibility_assessment < 20


def test_an_accusation_is_put_before_a_person_whatever_was_found() -> None:
    accused = TOPIC.model_copy(update={"title": "Dockers at Garrow Harbour walk out over pay fraud"})
    found = result("S1", "S2", "S3", topic=accused)
    assert ReviewFlag.SERIOUS_ALLEGATION in found.review_flags
    assert found.review_reason is not None and "“fraud”" in found.review_reason
    assert ReviewFlag.SERIOUS_ALLEGATION not in FULL.review_flags


def test_confirming_a_matter_beside_it_raises_nothing() -> None:
    case = gathered("S1", "S3")
    beside = [each.model_copy(update={"claim_id": "C2"}) for each in case.findings]
    found = investigation_result(TOPIC, replace(case, findings=beside))
    assert found.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert main_claims([ASIDE, MAIN], TOPIC) == (MAIN,)
    assert main_claims([ASIDE], TOPIC) == ()


def test_the_origin_is_traced_with_the_words_that_credit_it() -> None:
    assert FULL.original_source is not None and FULL.original_source.id == "S2"
    assert FULL.origin is not None
    (hop,) = FULL.origin.chain
    assert (hop.source_id, hop.credits) == ("S1", "S2")
    assert OWN[hop.start : hop.end] == hop.quote
    credibility = FULL.origin.credibility
    assert credibility is not None
    assert credibility.credible and credibility.specialised and credibility.first_hand
    assert Success.ORIGIN in FULL.success


def test_an_origin_that_cannot_be_read_is_known_by_name_and_an_unknown_one_is_said_to_be() -> None:
    found = result("S1")
    assert found.original_source is None
    assert found.origin is not None
    assert (found.origin.source_id, found.origin.readable) == (None, False)
    assert "Lenn Valley Courier" in found.origin.name
    assert Success.ORIGIN not in found.success
    found = result("S3", topic=TOPIC.model_copy(update={"url": None}))
    assert found.original_source is None
    assert "cannot be determined" in found.investigation_notes


# Context


def test_context_has_earlier_events_actors_and_the_places_own_press() -> None:
    (event,) = FULL.context.events
    assert (event.date, event.actors) == ("2023-06", ("Harbour Workers' Union",))
    assert [COURIER[each.start : each.end] for each in event.mentions] == [each.quote for each in event.mentions]
    profiles = {each.name: each for each in FULL.context.actors}
    union = profiles["Harbour Workers' Union"]
    assert any("is a union of 2,000 members" in each.quote for each in union.described_as)
    operator = next(each for name, each in profiles.items() if name.startswith("Lenn Terminals"))
    said = [each for each in operator.statements if "no shift would be cut" in each.mention.quote]
    assert [(each.said, each.earlier) for each in said] == [("2024-05", True)]
    late = TOPIC.model_copy(update={"event_date": None, "discovery_date": datetime(2024, 6, 3, tzinfo=UTC)})
    actors = result("S1", "S2", "S3", topic=late).context.actors
    assert not any(each.earlier for actor in actors for each in actor.statements)
    local = FULL.context.local
    assert [each.source_id for each in local.sources] == ["S2"]
    assert any("9,000 residents" in each.quote for each in local.passages)
    assert not any("stopped work" in each.quote for each in local.passages), "the event is no background of the place"


def test_a_paper_that_bears_the_places_name_is_local_and_one_of_another_country_is_not() -> None:
    rating = rating_of("x", 75, [], category="local")
    paper = Source(
        id="S9", url="https://garrowharbour-echo.example", title="", domain="garrowharbour-echo.example", rating=rating,
        snapshot="sha256:S9", retrieved_at=NOW,
    )  # fmt: skip
    assert why_local(paper, "Garrow Harbour") is not None
    abroad = paper.model_copy(update={"domain": "courier.fr"})
    assert why_local(abroad, "Leeds, United Kingdom", "A fire in Leeds.") is None
    assert why_local(abroad.model_copy(update={"domain": "courier.uk"}), "Leeds, United Kingdom", "A fire in Leeds.")


# The whole


def test_the_result_has_every_field_and_notes_that_quote_their_sources() -> None:
    shape = json.loads(FULL.model_dump_json())
    assert {
        "topic_id", "investigation_date", "additional_sources", "social_media_evidence", "original_source",
        "credibility_assessment", "consistency_score", "context_richness", "verified_claims", "disputed_claims",
        "additional_context", "recommended_verification_level", "confidence_level", "investigation_notes",
        "requires_human_review", "review_reason",
    } <= set(shape)  # fmt: skip
    assert (shape["topic_id"], shape["recommended_verification_level"]) == (7, "verified")
    assert InvestigationResult.model_validate(shape) == FULL
    cited = set(re.findall(r"\[(S\d)\]", FULL.investigation_notes + FULL.additional_context))
    assert cited == {"S1", "S2", "S3"}
    assert COURIER[: COURIER.index(".")] in FULL.investigation_notes


def test_every_mention_stands_where_it_says() -> None:
    documents = gathered("S1", "S2", "S3").documents
    found = [cell.mention for row in FULL.consistency.rows for cell in row.cells if cell.mention]
    found += [each for event in FULL.context.events for each in event.mentions]
    for actor in FULL.context.actors:
        found += [*actor.described_as, *(each.mention for each in actor.statements)]
    found += FULL.context.local.passages
    assert len(found) > 8
    for mention in found:
        assert documents[mention.source_id].text[mention.start : mention.end] == mention.quote
        assert documents[mention.source_id].snapshot == mention.snapshot


def test_claims_are_listed_by_their_verdicts() -> None:
    assessments = [
        Assessment(claim_id="C1", verdict=Verdict.VERIFIED, confidence=0.9, independent_sources=2, reasons=("given",)),
        Assessment(claim_id="C2", verdict=Verdict.DISPUTED, confidence=0.4, independent_sources=1, reasons=("given",)),
    ]
    found = result("S1", "S2", assessments=assessments)
    assert (found.verified_claims, found.disputed_claims) == ((MAIN.text,), (ASIDE.text,))


def test_confidence_grows_with_witnesses_and_falls_with_outages() -> None:
    assert result("S1", "S2").confidence_level < FULL.confidence_level
    assert result("S1", "S2", "S3", outages=2).confidence_level == pytest.approx(FULL.confidence_level - 10)
    assert any("two outages" in each.lower() for each in result("S1", "S2", "S3", outages=2).confidence_reasons)
    against = result("S1", "S4", "S3", stances=dict.fromkeys(("S3", "S4"), Stance.CONTRADICTS))
    assert against.confidence_reasons == (), "the reasons for the level have it"


def test_an_investigation_that_finds_nothing_or_lacks_a_place_is_a_result_as_well() -> None:
    found = result()
    assert found.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert (found.credibility_assessment, found.consistency_score) == (0, 0)
    assert found.requires_human_review and found.investigation_notes
    bare = Topic(title="Prices went up")
    found = result(topic=bare)
    assert (found.context.actors, found.context.local.place, found.context_richness) == ((), "", 0)


_STANCES = (Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL, Stance.UNASSESSED)
_BY_SOURCE = st.dictionaries(st.sampled_from(list(PUBLISHERS)), st.sampled_from(_STANCES))


@given(st.permutations(list(PUBLISHERS)), st.integers(0, 5), _BY_SOURCE)
def test_whatever_is_found_the_result_keeps_its_rules(names: list[str], many: int, stances: dict[str, Stance]) -> None:
    found = result(*names[:many], stances=stances)
    credible_against = any(each.credibility_tier <= 2 and each.confirms is False for each in found.additional_sources)
    if found.verification_upgraded:
        assert not credible_against
        assert any(each.credibility_tier <= 2 and each.confirms for each in found.additional_sources)
    assert found.requires_human_review == bool(found.review_flags) == bool(found.review_reason)
    assert "S1" not in {each.id for each in found.additional_sources}

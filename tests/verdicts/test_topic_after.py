"""Identity of two topics, the effect of an investigation on a topic, and when the next one is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inquest.domain.investigation import FoundSource, InvestigationResult
from inquest.domain.topic import Topic, TopicStatus, Upgrade, VerificationLevel
from inquest.verdicts.levels import AGAIN_AFTER, after_investigation, due, topic_key

_AT = datetime(2025, 2, 3, 8, tzinfo=UTC)
UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel


def a_topic(**more: object) -> Topic:
    return Topic.model_validate({"title": "A mast fell at Thorpe", "url": "https://coast.example/mast"} | more)


def a_result(level: VerificationLevel, before: VerificationLevel = UNVERIFIED) -> InvestigationResult:
    return InvestigationResult(
        topic_id=1,
        investigation_date=_AT,
        additional_sources=(FoundSource(id="S1", url="https://a.example/", name="A", credibility_tier=1),),
        credibility_assessment=80,
        consistency_score=0,
        context_richness=0,
        additional_context="The mast was put up in 1998 [S1].",
        recommended_verification_level=level,
        confidence_level=50,
        investigation_notes="Notes.",
        requires_human_review=False,
        upgrade=Upgrade(
            before=before, new_level=level, upgraded=level is not before, independent_credible=1, reasons=("r",)
        ),
    )


class TestSameTopic:
    @pytest.mark.parametrize(
        "url",
        ["http://coast.example/mast", "https://www.coast.example/mast/", "https://COAST.example/mast?utm_medium=x#top"],
    )
    def test_its_address_in_any_spelling(self, url: str) -> None:
        assert topic_key(a_topic(url=url, title="Other words")) == topic_key(a_topic())

    def test_without_an_address_the_title_on_its_day_and_else_the_page_makes_the_topic(self) -> None:
        assert topic_key(a_topic(url="https://coast.example/mast-2")) != topic_key(a_topic())
        one = a_topic(url=None, event_date=_AT)
        assert topic_key(one) == topic_key(one.model_copy(update={"title": "a  MAST fell at Thorpe"}))
        assert topic_key(one) != topic_key(one.model_copy(update={"event_date": _AT + timedelta(days=1)}))


class TestAfter:
    def test_level_count_notes_and_sources_follow_the_result(self) -> None:
        topic = after_investigation(a_topic(source_plan={"own": 1}), a_result(VERIFIED))
        assert (topic.verification_status, topic.source_count, topic.investigated) == (VERIFIED, 1, True)
        assert topic.source_plan["own"] == 1
        found = topic.source_plan["investigatory_sources"]
        assert isinstance(found, list)
        assert [isinstance(each, dict) and each["url"] for each in found] == ["https://a.example/"]
        assert "investigation_attempted" not in topic.source_plan
        assert topic.verified_facts["investigation_date"] == _AT.isoformat()

    def test_one_that_stays_unverified_says_so_until_it_is_verified(self) -> None:
        topic = after_investigation(a_topic(), a_result(UNVERIFIED))
        assert topic.source_plan["investigation_attempted"] is True
        assert topic.source_plan["investigation_notes"] == "Notes."
        tried = after_investigation(a_topic(), a_result(UNVERIFIED))
        assert "investigation_attempted" not in after_investigation(tried, a_result(VERIFIED)).source_plan

    def test_a_level_that_a_person_set_meanwhile_stands(self) -> None:
        lowered = a_topic(verification_status=UNVERIFIED)
        result = a_result(CERTIFIED, before=VERIFIED)
        assert after_investigation(lowered, result).verification_status is UNVERIFIED


class TestDueAgain:
    def investigated(self, **more: object) -> Topic:
        return a_topic(**({"investigated": True, "investigation_date": _AT} | more))

    def test_it_is_due_after_the_time_and_a_certified_one_only_on_new_evidence(self) -> None:
        topic = self.investigated()
        early = due(topic, _AT + AGAIN_AFTER - timedelta(seconds=1))
        assert (early.due, early.next_at) == (False, _AT + AGAIN_AFTER)
        assert due(topic, _AT + AGAIN_AFTER).due
        assert due(topic, _AT + timedelta(days=3), after=timedelta(days=2)).due
        topic = self.investigated(verification_status=CERTIFIED)
        assert not due(topic, _AT + 100 * AGAIN_AFTER).due
        assert due(topic, _AT, new_evidence=["https://b.example/"]).due
        assert not due(a_topic(), _AT + AGAIN_AFTER, new_evidence=["https://b.example/"]).due

    @pytest.mark.parametrize("status", [TopicStatus.PROPOSED, TopicStatus.REJECTED, TopicStatus.PUBLISHED])
    def test_only_approved_topics(self, status: TopicStatus) -> None:
        said = due(self.investigated(status=status), _AT + AGAIN_AFTER, new_evidence=["https://b.example/"])
        assert not said.due
        assert status.value in said.reason

"""Triggers, levels, success and review of a topic, according to the verification desk's specification."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.topic import Evidence, ReviewFlag, Success, Topic, TopicStatus, VerificationLevel
from inquest.verdicts.levels import review_flags, succeeded, upgrade, why_not_investigated

_UNVERIFIED, _VERIFIED, _CERTIFIED = VerificationLevel
_TIERS = st.lists(st.integers(1, 4), max_size=9).map(tuple)
_TOPIC = Topic(title="Dye in the Lenn", newsworthiness_score=50)


def test_a_topic_without_sources_is_investigated_from_a_newsworthiness_of_50_on() -> None:
    assert why_not_investigated(_TOPIC) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"verification_status": _VERIFIED},
        {"source_count": 3},
        {"newsworthiness_score": 49.9},
        {"status": TopicStatus.PROPOSED},
        {"investigated": True},
    ],
)
def test_each_trigger_that_is_missed_is_said(change: dict[str, object]) -> None:
    topic = _TOPIC.model_copy(update=change)
    assert len(why_not_investigated(topic)) == 1


@pytest.mark.parametrize(
    ("tiers", "level", "single"),
    [
        ((), _UNVERIFIED, False),
        ((3, 4, 3), _UNVERIFIED, False),
        ((2,), _VERIFIED, True),
        ((1, 2, 4), _VERIFIED, False),
        ((1, 1, 2, 2, 2), _VERIFIED, False),
        ((1, 1, 2, 2, 2, 2), _CERTIFIED, False),
    ],
)
def test_the_level_follows_from_the_independent_credible_sources(
    tiers: tuple[int, ...], level: VerificationLevel, single: bool
) -> None:
    found = upgrade(_UNVERIFIED, Evidence(confirming=tiers))
    assert (found.new_level, found.single_source) == (level, single)


@pytest.mark.parametrize(
    ("evidence", "says"),
    [
        (Evidence(), "No independent sources of tier 1 or 2 confirm it."),
        (Evidence(confirming=(3, 4)), "No independent sources of tier 1 or 2 confirm it."),
        (Evidence(confirming=(1,)), "One independent source of tier 1 or 2 confirms it."),
        (Evidence(confirming=(1, 2)), "Two independent sources of tier 1 or 2 confirm it."),
        (Evidence(confirming=(1, 2), contradicting=(4,)), "One independent source of tier 3 or 4 contradicts it"),
        (Evidence(contradicting=(1, 4)), "Two independent sources contradict it, so its level does not rise."),
    ],
)
def test_the_reasons_count_both_sides_in_plain_words(evidence: Evidence, says: str) -> None:
    assert any(reason.startswith(says) for reason in upgrade(_UNVERIFIED, evidence).reasons)


def test_no_level_rises_over_a_credible_contradiction_and_a_weak_one_is_flagged() -> None:
    found = upgrade(_UNVERIFIED, Evidence(confirming=(1,) * 7, contradicting=(2,)))
    assert found.new_level is _UNVERIFIED
    assert ReviewFlag.CONTRADICTION in found.review_flags
    found = upgrade(_UNVERIFIED, Evidence(confirming=(1, 2, 2), contradicting=(4,)))
    assert found.new_level is _VERIFIED
    assert found.requires_human_review


@given(st.sampled_from(VerificationLevel), _TIERS, _TIERS)
def test_a_level_never_falls_and_each_has_its_reasons(
    level: VerificationLevel, confirming: tuple[int, ...], contradicting: tuple[int, ...]
) -> None:
    order = list(VerificationLevel)
    found = upgrade(level, Evidence(confirming=confirming, contradicting=contradicting))
    assert order.index(found.new_level) >= order.index(level)
    assert found.reasons
    assert found.upgraded is (found.new_level is not level)


@pytest.mark.parametrize(
    ("evidence", "met"),
    [
        (Evidence(confirming=(1, 2, 2)), (Success.CREDIBLE_SOURCES,)),
        (Evidence(confirming=(1, 2, 3)), ()),
        (Evidence(origin_tier=2), (Success.ORIGIN,)),
        (Evidence(origin_tier=3), ()),
        (Evidence(context_details=5), (Success.CONTEXT,)),
        (Evidence(social_accounts=10), (Success.SOCIAL_EVIDENCE,)),
        (Evidence(context_details=4, social_accounts=9), ()),
    ],
)
def test_any_one_criterion_makes_a_success(evidence: Evidence, met: tuple[Success, ...]) -> None:
    assert succeeded(evidence) == met


@pytest.mark.parametrize(
    ("evidence", "flags"),
    [
        (Evidence(), (ReviewFlag.NOT_CORROBORATED,)),
        (Evidence(confirming=(4,)), (ReviewFlag.ONLY_LOW_CREDIBILITY,)),
        (Evidence(weak=2), (ReviewFlag.ONLY_LOW_CREDIBILITY, ReviewFlag.NOT_CORROBORATED)),
        (Evidence(confirming=(1,), serious_allegation=True), (ReviewFlag.SERIOUS_ALLEGATION,)),
        (Evidence(confirming=(1, 2)), ()),
    ],
)
def test_what_a_person_has_to_look_at(evidence: Evidence, flags: tuple[ReviewFlag, ...]) -> None:
    assert review_flags(evidence) == flags

"""Topics whose truth is known, investigated by the whole program over small collections: level, origin, flags and
report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import TopicRequest, request_of
from inquest.app.cases.reporting import render, replay
from inquest.app.cases.topic_records import record_case, review
from inquest.app.desks.briefs import topic_brief
from inquest.desks.inquiry.writing import others_in_table, tally
from inquest.desks.verification.investigation_result import quotes_of
from inquest.desks.verification.topic_claims import MOST_CLAIMS, main_claims
from inquest.domain.errors import InputError
from inquest.domain.investigation import InvestigationResult
from inquest.domain.reasons import in_words
from inquest.flow.nodes import topic
from inquest.flow.nodes.topic import MOST_SUMMARISED
from tests.app.topic_worlds import WORLDS
from tests.app.verified_topics import verified


@pytest.fixture(autouse=True)
def _small_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the models of the package are used."""
    for name in ("INQUEST_STANCE_MODEL", "INQUEST_SENTENCE_MODEL"):
        monkeypatch.delenv(name)


@pytest.mark.parametrize("name", WORLDS)
async def test_a_topic_comes_to_what_is_true_of_it(name: str, tmp_path: Path) -> None:
    world = WORLDS[name]
    async with Inquest(home=tmp_path / "home") as inquest:
        case = await verified(inquest, tmp_path, world)
        result = case.investigation
        assert result is not None, case.why
        assert result.recommended_verification_level in world.levels, result.investigation_notes
        assert set(world.flags) <= set(result.review_flags), result.investigation_notes
        assert not set(world.never) & set(result.review_flags), result.review_reason
        assert result.requires_human_review == bool(result.review_reason)
        if name == "one wire copied twelve times":
            assert (result.upgrade.independent_credible, result.upgrade.single_source) == (1, True)
        if name == "six who know it themselves":
            assert case.claims[0].text.rstrip(".") == world.title and len(case.claims) <= MOST_CLAIMS
            assert case.summary is not None
            key = [section for section in case.summary.sections if section.heading == "Key findings"]
            assert sum(bool(each.finding_ids) for section in key for each in section.statements) <= MOST_SUMMARISED
        if world.origin:
            assert result.original_source is not None
            assert world.origin in result.original_source.url
        for mention in quotes_of(result):
            text = await inquest.app.snapshot_text(mention.snapshot)
            assert text[mention.start : mention.end] == mention.quote


async def test_the_summary_of_some_claims_counts_the_verdicts_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topic, "MOST_SUMMARISED", 1)
    async with Inquest(home=tmp_path / "home") as inquest:
        case = await verified(inquest, tmp_path, WORLDS["six who know it themselves"])
    checked = [each for each in case.assessments if each.checked]
    assert len(checked) > 1 and case.summary is not None
    said = [each.text for section in case.summary.sections for each in section.statements]
    assert in_words(tally(checked)) in said
    assert case.brief.topic is not None
    left = len(case.claims) - len(main_claims(case.claims, case.brief.topic, case.findings))
    assert left and others_in_table(left)[0].text in said


async def test_the_investigation_is_in_every_form_of_the_report_and_a_replay_is_the_same(tmp_path: Path) -> None:
    async with Inquest(home=tmp_path / "home") as inquest:
        case = await verified(inquest, tmp_path, WORLDS["told differently in a detail"])
        result = case.investigation
        assert result is not None
        text = (await render(inquest.app, case, "md")).decode()
        page = (await render(inquest.app, case, "html")).decode()
        for heading in ("The verification level", "Details side by side", "Human review"):
            assert f"## {heading}" in text
            assert f">{heading}<" in page
        assert "2.4 million euros" in text and "**4.2 million euros** S" in text
        told = json.loads(await render(inquest.app, case, "json"))["investigation"]
        assert told == json.loads(result.model_dump_json())
        assert set(InvestigationResult.model_fields) == set(told)
        replayed = await replay(inquest.app, case.id)
        assert replayed.same, replayed.difference

        assert "No decision has been made yet." in text
        await review(inquest.app, case.id, by="Night editor", overrule="unverified", why="The sums are apart.")
        text = (await render(inquest.app, case, "md")).decode()
        assert "decides differently: unverified. The sums are apart." in text
        assert "Night editor" in text and "No decision has been made" not in text


async def test_a_topic_is_not_due_twice(tmp_path: Path) -> None:
    async with Inquest(home=tmp_path / "home") as inquest:
        world = WORLDS["only somebody's blog"]
        case = await verified(inquest, tmp_path, world, as_of=None)
        await record_case(inquest.app, case)
        with pytest.raises(InputError, match="not due for investigation again") as refused:
            await topic_brief(inquest.app, request_of(TopicRequest, {"topic": str(tmp_path / "topic.json")}))
        assert "--again" in (refused.value.advice or "")
        assert (
            await topic_brief(
                inquest.app, request_of(TopicRequest, {"topic": str(tmp_path / "topic.json"), "again": True})
            )
        ).topic is not None

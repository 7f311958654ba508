"""Plans made from briefs, and plans changed at a user's request."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.brief_reading import read_brief
from inquest.desks.inquiry.brief_claims import own_questions, with_brief
from inquest.desks.inquiry.planning import kinds_left_out, plan_for, topic_of, with_own
from inquest.domain.drafts import PlanDraft
from inquest.domain.plan import AnalysedUrl, Brief, Mode, Plan
from inquest.domain.search import EngineKind

KINDS = (EngineKind.NEWS, EngineKind.WEB, EngineKind.SCHOLARLY)
BRIEF = (
    "What happened at the Harlow works in Brindle? I want to know by how much its discharge of cadmium into the River "
    "Sorrel exceeded the permit, and when it was found. Did people in Brindle fall ill? How much did Harlow pay?"
)


def plan(text: str = BRIEF, *, kinds: tuple[EngineKind, ...] = KINDS, **more: object) -> PlanDraft:
    return plan_for(Brief(text=text, **more), (), kinds)


def agreed(draft: PlanDraft) -> Plan:
    return Plan(
        topic=draft.topic,
        questions=draft.questions,
        queries=draft.queries,
        engines=("one",),
        source_kinds=draft.source_kinds,
        mode=Mode.QUICK,
    )


def changed(change: str, before: PlanDraft | None = None, kinds: tuple[EngineKind, ...] = KINDS) -> PlanDraft:
    approved = agreed(before or plan(kinds=kinds))
    draft = plan_for(Brief(text=BRIEF), (), kinds, change=change, before=approved)
    return draft if draft.other_topic else with_own(draft, approved, change, BRIEF)


def texts(draft: PlanDraft) -> str:
    return "\n".join(query.text for query in draft.queries).lower()


def test_the_users_own_questions_come_first_and_a_statement_becomes_one() -> None:
    questions = plan().questions
    assert questions[0] == "What happened at the Harlow works in Brindle?"
    assert questions[1].startswith("By how much its discharge of cadmium into the River Sorrel exceeded the permit")
    assert "What does Harlow say, and who disagrees?" in questions
    assert "Which official records or independent sources confirm or contradict it?" in questions
    assert 3 <= len(questions) <= 6
    questions = plan("BMW cut its CO2 emissions per vehicle by 40% between 2019 and 2022.").questions
    assert questions[0] == "Is it true that BMW cut its CO2 emissions per vehicle by 40% between 2019 and 2022?"
    assert any("figure of 40% come from" in question for question in questions)


def test_queries_mix_names_and_matter_from_every_angle() -> None:
    draft = plan()
    assert 6 <= len(draft.queries) <= 10
    assert draft.queries[0].text.startswith("Harlow Brindle")
    assert any(query.exact and query.text == "discharge of cadmium into the River Sorrel" for query in draft.queries)
    assert "cadmium" in texts(draft)
    for wanted in ("regulator", "official", "denies", "allegations", "criticism", "timeline"):
        assert wanted not in texts(draft), "a query has names and content words, and none for what is looked for"
    assert len({query.text for query in draft.queries}) == len(draft.queries)
    assert all(query.purpose for query in draft.queries)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Does the PFAS compound in tap water raise the risk of kidney cancer?", True),
        ("Who owns the Grand Hotel in Brighton and what did the owner pay for it?", False),
    ],
)
def test_scholars_are_asked_only_about_technical_matters(text: str, asked: bool) -> None:
    assert any(query.kinds == (EngineKind.SCHOLARLY,) for query in plan(text).queries) is asked


def test_what_nobody_can_answer_is_not_asked() -> None:
    without = plan(kinds=(EngineKind.NEWS,))
    assert not any(EngineKind.SCHOLARLY in query.kinds for query in without.queries)
    only_scholars = plan(kinds=(EngineKind.SCHOLARLY,))
    assert all(not query.kinds or EngineKind.SCHOLARLY in query.kinds for query in only_scholars.queries)
    assert len(only_scholars.queries) >= 6


def test_times_meant_as_limits_and_the_as_of_date_limit_the_search() -> None:
    since = plan("Investigate the pollution claims against Harlow since 2021")
    assert all(query.since == datetime(2021, 1, 1, tzinfo=UTC) for query in since.queries)
    assert any("1 January 2021" in note for note in since.notes)
    named = plan("Did Harlow spill cadmium into the River Sorrel in March 2021?")
    assert all(query.since is None and query.until is None for query in named.queries)
    as_of = datetime(2024, 5, 1, tzinfo=UTC)
    assert all(query.until == as_of for query in plan(as_of=as_of).queries)


def test_pages_the_user_named_shape_the_plan() -> None:
    page = AnalysedUrl(url="https://a.example/x", title="Harlow fined over cadmium in the Sorrel", stars=4)
    draft = plan_for(Brief(text="Is this true?", urls=(page.url,)), (page,), (*KINDS, EngineKind.ARCHIVE))
    assert "harlow" in draft.queries[0].text.lower()
    assert "cadmium" in texts(draft)
    assert any(query.kinds == (EngineKind.ARCHIVE,) and query.text == page.url for query in draft.queries)
    assert "The pages you named, and what they refer to" in draft.source_kinds


def test_another_language_still_gets_a_plan_and_a_note() -> None:
    draft = plan("Hat die Stadt Köln im Jahr 2023 wirklich 40 Millionen Euro für die Sanierung der Oper ausgegeben?")
    assert "Köln" in draft.queries[0].text
    assert any("German" in note for note in draft.notes)


@pytest.mark.parametrize("text", ["", "   ", "?", "pollution", "x" * 200_000, "why? " * 5000])
def test_any_brief_gets_a_plan(text: str) -> None:
    draft = plan(text)
    assert draft.topic
    assert 3 <= len(draft.questions) <= 6
    assert len(draft.queries) <= 10


@given(st.text(max_size=300), st.text(max_size=80))
def test_no_text_breaks_it(text: str, change: str) -> None:
    draft = plan(text)
    assert plan(text) == draft
    again = changed(change, draft)
    assert again.queries
    assert len(again.questions) <= 6


# --- changes ---


def test_a_change_adds_a_matter_or_a_question_or_says_that_nothing_changed() -> None:
    draft = changed("also look at the health study")
    assert "What is known about the health study?" in draft.questions
    assert draft.queries[0].text == "Harlow health study"
    assert len(draft.questions) <= 6
    assert len(draft.queries) <= 10
    assert "Who paid the lawyers?" in changed("who paid the lawyers?").questions
    assert changed("").notes == ("Nothing in the plan was changed: say what to add, leave out or focus on.",)


def test_a_change_leaves_out_a_kind_of_source_or_a_matter() -> None:
    draft = changed("leave out scholarly sources")
    assert not any(EngineKind.SCHOLARLY in query.kinds for query in draft.queries)
    assert not any("Studies" in kind for kind in draft.source_kinds)
    assert "Left out: scholarly sources." in draft.notes
    assert "pay" in "\n".join(plan().questions)
    draft = changed("leave out social networks, and also look at the health study")
    assert draft.notes[:2] == ("Left out: social media.", "Added: the health study.")
    draft = changed("without how much Harlow paid")
    assert not any("pay?" in question for question in draft.questions)


def test_a_kind_of_source_is_left_out_until_it_is_added_again() -> None:
    changes = ["leave out social networks, and also look at the press", "leave out scholarly sources"]
    assert kinds_left_out(changes) == {EngineKind.SOCIAL, EngineKind.SCHOLARLY}
    assert kinds_left_out([*changes, "add social media"]) == {EngineKind.SCHOLARLY}


def test_a_models_revision_keeps_the_questions_of_the_brief() -> None:
    before = with_brief(plan(), BRIEF)
    new = "Who told the regulator of it?"
    draft = before.model_copy(update={"questions": (new,)})
    asked = set(own_questions(BRIEF, ()))
    kept = with_own(draft, agreed(before), "leave out social networks", BRIEF)
    assert {*asked, new} <= {*kept.questions}
    for change, dropped in (
        ("without the people who fell ill", ()),
        ("ohne die Frage", ("Did people in Brindle fall ill?",)),
    ):
        kept = with_own(draft.model_copy(update={"dropped": dropped}), agreed(before), change, BRIEF)
        assert asked - {*kept.questions} == {"Did people in Brindle fall ill?"}


def test_a_change_that_leaves_nothing_out_leaves_every_query() -> None:
    twice = plan().model_copy(update={"queries": (*plan().queries, *plan().queries[:1])})
    assert changed("leave out the moon", twice).queries == twice.queries


def test_a_change_focuses_on_a_year_or_a_matter() -> None:
    draft = changed("focus on 2023")
    assert all(query.since == datetime(2023, 1, 1, tzinfo=UTC) for query in draft.queries)
    assert all(query.until == datetime(2023, 12, 31, 23, 59, 59, tzinfo=UTC) for query in draft.queries)
    draft = changed("please focus on the drinking water")
    assert draft.questions[0] == "What is known about drinking water?"
    assert all("water" in query.text.lower() for query in draft.queries if not query.exact)
    assert "in particular drinking water" in draft.topic


def test_domains_are_added_and_left_out() -> None:
    assert all(query.exclude_domains == ("dailymail.co.uk",) for query in changed("exclude dailymail.co.uk").queries)
    assert changed("add epa.gov").queries[0].domains == ("epa.gov",)


def test_another_topic_is_said_to_be_one_and_changes_nothing() -> None:
    draft = changed("investigate the Mars rover instead")
    assert draft.other_topic
    assert draft.queries == plan().queries


@pytest.mark.parametrize(
    ("brief", "topic"),
    [
        ("How much did Harlow reduce its emissions?", "How much did Harlow reduce its emissions?"),
        ("Find out how many people died in Brindle.", "How many people died in Brindle"),
        ("What happened at the Harlow works in Brindle?", "The Harlow works in Brindle"),
    ],
)
def test_a_topic_made_of_a_question_is_a_phrase_that_stands_alone(brief: str, topic: str) -> None:
    assert topic_of(read_brief(brief)) == topic

"""Topics in, candidates out, and the three use cases of the verification desk with the specification's shapes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.app.build import App, open_app
from inquest.app.settings import load_settings
from inquest.app.topic_input import MAX_TEXT, given_topic
from inquest.app.topic_runs import carry_out, investigations_of, record_case, topics_of
from inquest.app.topics import (
    add_topics,
    candidates,
    investigation_status,
    kept_topic,
    list_topics,
    start_investigation,
)
from inquest.domain.brief import Mode
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import Busy, InputError, NotFound, Outage, PageError
from inquest.domain.plan import Plan
from inquest.domain.report import OutageNote
from inquest.domain.topic import Topic, TopicStatus, VerificationLevel
from inquest.domain.topic_history import InvestigationStatus
from inquest.logic.topic_after import due
from tests.app.topic_cases import BEGIN, Runs, SetClock, a_case

UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel
FIELDS = ("title", "url", "date", "text", "status", "source_plan", "newsworthiness_score", "investigated")

ROWS = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner),
)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def app(tmp_path: Path, clock: SetClock) -> AsyncIterator[App]:
    async with open_app(load_settings(home=tmp_path / "home"), clock=clock) as opened:
        yield opened


def in_file(folder: Path, content: Any, name: str = "topics.json") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


class TestTakingIn:
    async def test_every_field_of_a_row(self, app: App, tmp_path: Path) -> None:
        row = {
            "title": "Ferry runs aground off Holm",
            "url": "https://holm-herald.example/ferry?utm_source=x",
            "text": "It ran aground at dawn.",
            "discovery_date": "2025-02-01T06:00Z",
            "event_date": "2025-01-31",
            "location": "Holm",
            "status": "proposed",
            "verification_status": "unverified",
            "source_count": 1,
            "newsworthiness_score": 81,
            "priority": "high",
            "source_plan": {"primary": ["coast guard"]},
        }
        found = await add_topics(app, in_file(tmp_path, row))
        [topic] = found.added
        assert found.notes == []
        assert topic.url == "https://holm-herald.example/ferry"
        assert (topic.place, topic.newsworthiness_score, topic.source_count) == ("Holm", 81, 1)
        assert (topic.status.value, topic.priority.value) == ("proposed", "high")
        assert topic.discovery_date is not None
        assert topic.discovery_date.isoformat() == "2025-02-01T06:00:00+00:00"
        assert topic.source_plan == {"primary": ["coast guard"]}
        assert await list_topics(app) == [topic]

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("t.json", '[{"headline": "One"}, {"headline": "Two"}]'),
            ("t.json", '{"topics": [{"title": "One"}, {"title": "Two"}]}'),
            ("t.jsonl", '{"title": "One"}\n\n{"title": "Two"}\n'),
            ("t.csv", "title;url\nOne;https://a.example/\nTwo;\n"),
            ("t.csv", '\ufeffTitle,Newsworthiness Score\n"One",70\nTwo,80\n'),
        ],
    )
    async def test_json_lines_and_tables(self, app: App, tmp_path: Path, name: str, content: str) -> None:
        found = await add_topics(app, in_file(tmp_path, content, name), priority="low")
        assert [topic.title for topic in found.added] == ["One", "Two"]
        assert {topic.priority.value for topic in found.added} == {"low"}

    async def test_what_it_lacks_is_said_and_a_title_is_enough(self, app: App, tmp_path: Path) -> None:
        found = await add_topics(app, in_file(tmp_path, {"title": "A bare title", "colour": "red"}))
        notes = " ".join(note for _, note in found.notes)
        assert "no date" in notes
        assert "no URL" in notes
        assert "Not taken: colour" in notes
        assert found.added[0].discovery_date == BEGIN

    @pytest.mark.parametrize(
        ("row", "why"),
        [
            ({}, "no title and no URL"),
            ({"title": "  ", "text": "words"}, "no title and no URL"),
            ([1], "no JSON object"),
            ({"title": "T", "url": "ftp://x.example/"}, "not a web address"),
            ({"title": "T", "url": "n/a"}, "'n/a' is not a web address"),
            ({"title": "T", "url": "none"}, "'none' is not a web address"),
            ({"title": "T", "date": "soonish"}, "'soonish' is not a date"),
            ({"title": "T", "newsworthiness_score": "high"}, "no number"),
            ({"title": "T", "newsworthiness_score": 101}, "newsworthiness_score is wrong"),
            ({"title": "T", "source_count": -1}, "source_count is wrong"),
            ({"title": "T", "status": "new"}, "status is wrong"),
            ({"title": "T", "priority": "urgent"}, "priority is wrong"),
            ({"title": "T", "verification_status": "true"}, "verification_status is wrong"),
            ({"title": "T", "investigated": "perhaps"}, "neither true nor false"),
            ({"title": "T", "source_plan": "[]"}, "source_plan is no JSON object"),
            ({"title": "x" * 501}, "501 characters"),
            ({"title": ["T"]}, "title is no text"),
        ],
    )
    async def test_a_bad_row_is_refused_with_the_reason_and_the_others_are_taken(
        self, app: App, tmp_path: Path, row: Any, why: str
    ) -> None:
        found = await add_topics(app, in_file(tmp_path, [row, {"title": "Good"}]))
        [(where, said)] = found.refused
        assert where == "topic 1"
        assert why in said
        assert [topic.title for topic in found.added] == ["Good"]

    @pytest.mark.parametrize(
        ("name", "content", "where", "taken"),
        [
            ("t.jsonl", '{"title": "One"}\n\n{"title": "Two"\n{"title": "Three"}\n', "line 3", ["One", "Three"]),
            ("t.csv", 'title,place\nOne,Holm\n"Two,Holm\nThree,Holm\n', "row 3", ["One"]),
        ],
    )
    async def test_a_line_that_cannot_be_read_is_told_beside_what_was_taken(
        self, app: App, tmp_path: Path, name: str, content: str, where: str, taken: list[str]
    ) -> None:
        found = await add_topics(app, in_file(tmp_path, content, name))
        [(said, _)] = found.refused
        assert said == where
        assert [topic.title for topic in found.added] == taken
        assert [topic.title for topic in await list_topics(app)] == taken

    async def test_the_rows_of_a_table_are_counted_as_a_spreadsheet_does(self, app: App, tmp_path: Path) -> None:
        rows = (
            'title,url\n"One\nof two lines",https://a.example/1\n\n,ftp://x.example/\nFour,https://a.example/4,more\n'
        )
        found = await add_topics(app, in_file(tmp_path, rows, "t.csv"))
        assert [where for where, _ in found.refused] == ["row 4", "row 5"]
        assert "more values than there are columns" in found.refused[1][1]

    async def test_one_that_is_there_already_stays_as_it_is(self, app: App, tmp_path: Path) -> None:
        file = in_file(tmp_path, {"title": "One", "url": "https://a.example/1"})
        await add_topics(app, file)
        found = await add_topics(app, in_file(tmp_path, {"title": "Other", "url": "http://www.a.example/1/"}))
        assert found.added == []
        assert [topic.title for topic in found.known] == ["One"]

    @pytest.mark.parametrize(
        ("name", "content", "why"),
        [
            ("t.json", '{"title":\n "T", }', r"is not JSON \(line 2, column 7: .*Correct it there"),
            ("t.json", " \n", "is empty. Each topic needs"),
            ("t.json", "[]", "There is no topic"),
            ("t.json", '"x"', "holds no topics"),
            ("t.csv", "a,b\n1,2\n", "no column 'title' or 'url'"),
            ("t.csv", '"title', "cannot be read as CSV"),
            ("t.xlsx.md", "x", "no known form"),
        ],
    )
    async def test_a_file_that_cannot_be_used(
        self, app: App, tmp_path: Path, name: str, content: str, why: str
    ) -> None:
        with pytest.raises(InputError) as refused:
            await add_topics(app, in_file(tmp_path, content, name))
        assert re.search(why, refused.value.sentence)

    async def test_a_title_that_has_to_be_read_from_a_page_that_cannot_be_had(self, app: App, tmp_path: Path) -> None:
        [(_, why)] = (await add_topics(app, in_file(tmp_path, {"url": "https://gone.example/x"}))).refused
        assert why.startswith("It has no title, and none could be read from its URL.")
        with pytest.raises(PageError) as gone:
            await add_topics(app, "https://gone.example/x")
        assert "write the topic into a file" in gone.value.advice

    async def test_of_a_text_that_no_article_has_the_beginning_is_taken(self, app: App, tmp_path: Path) -> None:
        found = await add_topics(app, in_file(tmp_path, {"title": "T", "text": "word " * 50_000}))
        assert len(found.added[0].text) == MAX_TEXT
        assert "Its text has 249,999 characters, of which the first 200,000 are taken." in [n for _, n in found.notes]

    async def test_a_topic_is_meant_by_number_address_file_or_text(self, app: App, tmp_path: Path) -> None:
        await add_topics(app, in_file(tmp_path, {"title": "One", "url": "https://a.example/1"}))
        assert (await kept_topic(app, "1")).title == "One"
        assert (await kept_topic(app, "http://a.example/1/")).title == "One"  # no page is read for it
        text = in_file(tmp_path, "Well runs dry in Elm\n\nThe well has been dry since May.", "elm.txt")
        topic = await kept_topic(app, text)
        assert (topic.title, topic.text) == ("Well runs dry in Elm", "The well has been dry since May.")
        with pytest.raises(NotFound):
            await kept_topic(app, "99")
        with pytest.raises(InputError, match="No topic is named"):
            await kept_topic(app, " ")
        with pytest.raises(InputError) as refused:
            await kept_topic(app, "Well runs dry in Elm")
        assert "Write a headline into a file" in refused.value.advice
        with pytest.raises(InputError, match="holds 2 topics"):
            await kept_topic(app, in_file(tmp_path, [{"title": "x"}, {"title": "y"}]))

    async def test_what_one_that_is_new_lacks_is_told_once(self, app: App, tmp_path: Path) -> None:
        notes: list[str] = []
        file = in_file(tmp_path, {"title": "One", "date": (BEGIN + timedelta(days=1)).isoformat(), "colour": "red"})
        for _ in range(2):
            await kept_topic(app, file, on_note=notes.append)
        assert [note.partition(",")[0] for note in notes] == [
            "Its date lies in the future",
            "It has no URL",
            "Not taken: colour.",
        ]
        text = in_file(tmp_path, "Well runs dry in Elm\n\nSince May.", "elm.txt")
        await kept_topic(app, text, on_note=notes.append)
        assert "It has no date" in notes[3]

    @given(ROWS)
    def test_whatever_a_row_holds_it_is_a_topic_or_refused_in_a_sentence(self, row: Any) -> None:
        try:
            given = given_topic(row, now=BEGIN)
        except InputError as error:
            assert str(error)
        else:
            assert given.has_title or given.topic.url


async def add(app: App, **fields: Any) -> int:
    topic, _ = await (await topics_of(app)).add(
        Topic.model_validate({"title": "T", "newsworthiness_score": 60, "discovery_date": BEGIN} | fields)
    )
    assert topic.id is not None
    return topic.id


class TestCandidates:
    async def test_shape_order_and_limit(self, app: App) -> None:
        await add(app, title="usual", newsworthiness_score=65)
        await add(app, title="best", newsworthiness_score=90)
        await add(app, title="urgent", priority="high")
        found = await candidates(app, limit=2)
        assert found["topics"][1] == {
            "topic_id": 2,
            "title": "best",
            "current_verification": "unverified",
            "source_count": 0,
            "newsworthiness_score": 90,
            "priority": "normal",
        }
        assert [row["title"] for row in found["topics"]] == ["urgent", "best"]
        assert found["total"] == 3

    async def test_each_that_is_left_out_says_which_rule_it_misses(self, app: App) -> None:
        await add(app, title="minor", newsworthiness_score=49)
        await add(app, title="many", source_count=3, status="rejected")
        left_out = {row["title"]: row["reasons"] for row in (await candidates(app))["left_out"]}
        assert len(left_out["minor"]) == 1
        assert "newsworthiness is 49" in left_out["minor"][0]
        assert len(left_out["many"]) == 2

    async def test_an_investigated_topic_comes_again_after_a_month(self, app: App, clock: SetClock) -> None:
        number = await add(app)
        await start_investigation(app, {"topic_id": number}, Runs(app, clock, [UNVERIFIED]))
        found = await candidates(app)
        assert (found["topics"], found["due_again"]) == ([], [])
        assert str(found["left_out"][0]["next_at"]).startswith("2025-03-05")
        clock.move(days=31)
        assert [row["topic_id"] for row in (await candidates(app))["due_again"]] == [number]

    async def test_or_at_once_where_another_case_has_found_more(self, app: App, clock: SetClock) -> None:
        number = await add(app, url="https://paper1.example/story")
        await start_investigation(app, {"topic_id": number}, Runs(app, clock, [UNVERIFIED]))
        clock.move(days=1)
        other = a_case(Topic(title="other"), UNVERIFIED, name="other", at=clock.now(), pages=4)
        await (await app.store()).create(other)
        [row] = (await candidates(app))["due_again"]
        assert "https://paper3.example/story and 1 more" in row["reason"]

    @pytest.mark.parametrize("limit", [0, -1, 1001])
    async def test_a_limit_that_is_none(self, app: App, limit: int) -> None:
        with pytest.raises(InputError, match="is no limit"):
            await candidates(app, limit=limit)


class TestInvestigations:
    async def test_begun_in_the_background_answered_at_once_and_asked_for_later(
        self, app: App, clock: SetClock
    ) -> None:
        number = await add(app)
        waiting: list[asyncio.Task[Any]] = []
        answer = await start_investigation(
            app,
            {"topic_id": number, "priority": "high"},
            Runs(app, clock, [VERIFIED]),
            background=lambda work: waiting.append(asyncio.create_task(work)),
        )
        assert answer == {"investigation_id": 1, "status": "started", "estimated_completion": "2025-02-03T08:05:00Z"}
        assert (await investigation_status(app, 1))["status"] == "started"
        with pytest.raises(Busy):
            await start_investigation(app, {"topic_id": number}, Runs(app, clock, []))
        await waiting[0]
        status = await investigation_status(app, 1)
        asked = ("id", "topic_id", "status", "sources_found", "verification_upgraded", "new_verification_level")
        assert {key: status[key] for key in asked} == {
            "id": 1,
            "topic_id": number,
            "status": "completed",
            "sources_found": 2,
            "verification_upgraded": True,
            "new_verification_level": "verified",
        }
        assert (status["priority"], status["seconds"], status["cost_usd"]) == ("high", 90, 0.03)
        assert (await kept_topic(app, str(number))).verification_status is VERIFIED

    async def test_one_that_was_investigated_is_refused_unless_somebody_insists(
        self, app: App, clock: SetClock
    ) -> None:
        number = await add(app)
        runs = Runs(app, clock, [VERIFIED, CERTIFIED])
        await start_investigation(app, {"topic_id": number}, runs)
        with pytest.raises(InputError, match="investigated already"):
            await start_investigation(app, {"topic_id": number}, runs)
        await start_investigation(app, {"topic_id": number}, runs, again=True)
        assert (await kept_topic(app, str(number))).verification_status is CERTIFIED

    @pytest.mark.parametrize(
        ("body", "why"),
        [
            ({}, "topic_id is missing"),
            ({"topic_id": "1"}, "no whole number"),
            ({"topic_id": True}, "no whole number"),
            ({"topic_id": 1, "priority": "urgent"}, "no priority 'urgent'"),
            ({"topic_id": 1, "priority": 3}, "priority is no text"),
            ({"topic_id": 1, "force": True}, "does not exist: force"),
        ],
    )
    async def test_a_request_that_is_wrong_begins_nothing(
        self, app: App, clock: SetClock, body: dict[str, Any], why: str
    ) -> None:
        await add(app)
        with pytest.raises(InputError, match=why):
            await start_investigation(app, body, Runs(app, clock, []))
        assert list(await (await investigations_of(app)).of_topic(1)) == []

    async def test_a_topic_or_investigation_that_is_not_there(self, app: App, clock: SetClock) -> None:
        with pytest.raises(NotFound):
            await start_investigation(app, {"topic_id": 5}, Runs(app, clock, []))
        with pytest.raises(NotFound):
            await investigation_status(app, 5)

    async def test_a_run_that_fails_is_written_down_and_leaves_the_topic_a_candidate(self, app: App) -> None:
        number = await add(app)

        async def fails(topic: Topic) -> Case:
            raise Outage("There is no network.", advice="Look for a cable.")

        with pytest.raises(Outage):
            await start_investigation(app, {"topic_id": number}, fails)
        status = await investigation_status(app, 1)
        assert (status["status"], status["why"]) == ("failed", "There is no network. Look for a cable.")
        assert [row["topic_id"] for row in (await candidates(app))["topics"]] == [number]

    async def test_one_that_is_stopped_is_written_down_as_stopped(self, app: App) -> None:
        number = await add(app)

        async def hangs(topic: Topic) -> Case:
            await asyncio.Event().wait()
            raise AssertionError

        store = await investigations_of(app)
        begun = await store.start(number, at=BEGIN, priority=(await kept_topic(app, str(number))).priority)
        task = asyncio.create_task(carry_out(app, begun, hangs))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await store.get(begun.id)).status is InvestigationStatus.CANCELLED

    async def test_a_partial_case_is_a_partial_investigation_with_its_outages(self, app: App, clock: SetClock) -> None:
        number = await add(app)
        runs = Runs(app, clock, [UNVERIFIED])
        runs.outages = (OutageNote(what="engine", where="brave", why="Brave timed out.", at=BEGIN),)
        await start_investigation(app, {"topic_id": number}, runs)
        status = await investigation_status(app, 1)
        assert status["status"] == "partial"
        assert status["outages"][0]["where"] == "brave"


class TestRecordingACase:
    async def test_once_however_often_it_is_handed_in(self, app: App) -> None:
        case = a_case(Topic(title="Never added"), VERIFIED)
        await (await app.store()).create(case)
        first = await record_case(app, case)
        assert first is not None
        assert await record_case(app, case) == first
        assert [topic.verification_status for topic in await list_topics(app)] == [VERIFIED]
        assert len(await (await investigations_of(app)).since(None)) == 1

    async def test_a_case_that_failed_and_was_taken_up_again(self, app: App) -> None:
        case = a_case(Topic(title="Taken up again"), VERIFIED)
        failed = case.model_copy(update={"status": CaseStatus.FAILED, "investigation": None, "why": "No source."})
        first, again = await record_case(app, failed), await record_case(app, case)
        assert first is not None
        assert again is not None
        assert (first.status.value, again.status.value, again.id) == ("failed", "completed", first.id)

    async def test_a_run_as_of_an_earlier_day_is_due_again_by_the_day_of_the_run(self, app: App) -> None:
        case = a_case(Topic(title="Looked at as of last year", status=TopicStatus.APPROVED), VERIFIED)
        assert case.investigation is not None
        last_year = BEGIN - timedelta(days=300)
        backdated = case.investigation.model_copy(update={"investigation_date": last_year})
        await record_case(app, case.model_copy(update={"as_of": last_year, "investigation": backdated}))
        (topic,) = await list_topics(app)
        assert topic.investigation_date == BEGIN
        assert not due(topic, BEGIN + timedelta(days=1)).due

    async def test_what_is_of_no_topic_or_has_not_ended(self, app: App) -> None:
        case = a_case(Topic(title="T"), VERIFIED)
        no_topic = case.brief.model_copy(update={"topic": None})
        assert await record_case(app, case.model_copy(update={"brief": no_topic})) is None
        assert await record_case(app, case.model_copy(update={"status": CaseStatus.RUNNING})) is None

    @pytest.mark.parametrize("failed", [(), ("brave", "gdelt")])
    async def test_where_nobody_could_be_asked_nothing_was_investigated(
        self, app: App, failed: tuple[str, ...]
    ) -> None:
        case = a_case(Topic(title="T", newsworthiness_score=70), UNVERIFIED).model_copy(
            update={
                "sources": (),
                "plan": Plan(topic="T", questions=(), queries=(), engines=failed, mode=Mode.QUICK, analyst="local"),
                "outages": tuple(OutageNote(what="engine", where=name, why="Gone.", at=BEGIN) for name in failed),
            }
        )
        found = await record_case(app, case)
        assert found is not None
        assert (found.status.value, found.why) == ("failed", "No engine could be asked, and no page was read.")
        assert [row["title"] for row in (await candidates(app))["topics"]] == ["T"]

    async def test_where_somebody_answered_that_there_is_nothing_it_was(self, app: App) -> None:
        plan = Plan(topic="T", questions=(), queries=(), engines=("brave", "gdelt"), mode=Mode.QUICK, analyst="local")
        outage = OutageNote(what="engine", where="brave", why="Gone.", at=BEGIN)
        case = a_case(Topic(title="T"), UNVERIFIED, outages=(outage,))
        found = await record_case(app, case.model_copy(update={"sources": (), "plan": plan}))
        assert found is not None
        assert found.status is InvestigationStatus.PARTIAL

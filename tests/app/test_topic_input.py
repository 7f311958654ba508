"""Adding topics from JSON, JSON lines, tables, texts and addresses; missing fields, and reasons for rejection."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.app.desks.topic_input import given_topic
from inquest.app.desks.topics import (
    add_topics,
    kept_topic,
    list_topics,
)
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.errors import InputError, NotFound, PageError
from tests.app.topic_cases import BEGIN, SetClock

FIELDS = ("title", "url", "date", "text", "status", "source_plan", "newsworthiness_score", "investigated")

ROWS = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner),
)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def app(tmp_path: Path, clock: SetClock) -> AsyncIterator[Resources]:
    async with open_resources(load_settings(home=tmp_path / "home"), clock=clock) as opened:
        yield opened


def in_file(folder: Path, content: Any, name: str = "topics.json") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


class TestTakingIn:
    async def test_every_field_of_a_row(self, app: Resources, tmp_path: Path) -> None:
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
    async def test_json_lines_and_tables(self, app: Resources, tmp_path: Path, name: str, content: str) -> None:
        found = await add_topics(app, in_file(tmp_path, content, name), priority="low")
        assert [topic.title for topic in found.added] == ["One", "Two"]
        assert {topic.priority.value for topic in found.added} == {"low"}

    @pytest.mark.parametrize(
        ("row", "why"),
        [
            ({}, "no title and no URL"),
            ([1], "not a JSON object"),
            ({"title": "T", "url": "ftp://x.example/"}, "not a web address"),
            ({"title": "T", "date": "soonish"}, "'soonish' is not a date"),
            ({"title": "T", "source_count": -1}, "source_count is invalid"),
            ({"title": "x" * 501}, "501 characters"),
        ],
    )
    async def test_a_bad_row_is_refused_with_the_reason_and_the_others_are_taken(
        self, app: Resources, tmp_path: Path, row: Any, why: str
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
        self, app: Resources, tmp_path: Path, name: str, content: str, where: str, taken: list[str]
    ) -> None:
        found = await add_topics(app, in_file(tmp_path, content, name))
        [(said, _)] = found.refused
        assert said == where
        assert [topic.title for topic in found.added] == taken
        assert [topic.title for topic in await list_topics(app)] == taken

    @pytest.mark.parametrize(
        ("name", "content", "why"),
        [
            ("t.json", '{"title":\n "T", }', r"is not JSON \(line 2, column 7: .*Correct it there"),
            ("t.json", " \n", "is empty. Each topic needs"),
            ("t.json", '"x"', "contains no topics"),
            ("t.csv", '"title', "cannot be read as CSV"),
            ("t.xlsx.md", "x", "Unknown format"),
        ],
    )
    async def test_a_file_that_cannot_be_used(
        self, app: Resources, tmp_path: Path, name: str, content: str, why: str
    ) -> None:
        with pytest.raises(InputError) as refused:
            await add_topics(app, in_file(tmp_path, content, name))
        assert re.search(why, refused.value.sentence)

    async def test_a_title_that_has_to_be_read_from_a_page_that_cannot_be_had(
        self, app: Resources, tmp_path: Path
    ) -> None:
        [(_, why)] = (await add_topics(app, in_file(tmp_path, {"url": "https://gone.example/x"}))).refused
        assert why.startswith("It has no title, and none could be read from its URL.")
        with pytest.raises(PageError) as gone:
            await add_topics(app, "https://gone.example/x")
        assert "write the topic into a file" in gone.value.advice

    async def test_a_topic_is_meant_by_number_address_file_or_text(self, app: Resources, tmp_path: Path) -> None:
        await add_topics(app, in_file(tmp_path, {"title": "One", "url": "https://a.example/1"}))
        assert (await kept_topic(app, "1")).title == "One"
        assert (await kept_topic(app, "http://a.example/1/")).title == "One"  # no page is read for this
        text = in_file(tmp_path, "Well runs dry in Elm\n\nThe well has been dry since May.", "elm.txt")
        topic = await kept_topic(app, text)
        assert (topic.title, topic.text) == ("Well runs dry in Elm", "The well has been dry since May.")
        with pytest.raises(NotFound):
            await kept_topic(app, "99")
        with pytest.raises(InputError, match="Missing topic"):
            await kept_topic(app, " ")
        with pytest.raises(InputError) as refused:
            await kept_topic(app, "Well runs dry in Elm")
        assert "Write a headline into a file" in refused.value.advice
        with pytest.raises(InputError, match="contains 2 topics"):
            await kept_topic(app, in_file(tmp_path, [{"title": "x"}, {"title": "y"}]))

    async def test_what_one_that_is_new_lacks_is_told_once(self, app: Resources, tmp_path: Path) -> None:
        notes: list[str] = []
        file = in_file(tmp_path, {"title": "One", "date": (BEGIN + timedelta(days=1)).isoformat(), "colour": "red"})
        for _ in range(2):
            await kept_topic(app, file, on_note=notes.append)
        assert [note.partition(",")[0] for note in notes] == [
            "Its date is in the future",
            "It has no URL",
            "These fields of it are not used: colour.",
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
            assert given.topic.title or given.topic.url

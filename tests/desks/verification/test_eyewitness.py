"""Whether the words of a post read as those of somebody who was there, with each sign quoted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.eyewitness import eyewitness_reading
from inquest.domain.leads import Post
from tests.desks.verification.test_social_evidence import EVENT

ORIGINAL = Post(network="x", id="1")


@pytest.mark.parametrize(
    "text",
    [
        "I'm at the gate of Garrow Harbour right now, hundreds of dockers are walking out",
        "Just saw the night crew leave the cranes, five minutes ago, corner of Quay Street",
        "We were standing on the bridge this morning and watched the dockers march past us",
        "I live opposite the harbour. They came past my window ten minutes ago",
    ],
)
def test_who_was_there_is_told_by_first_person_place_and_time(text: str) -> None:
    found = eyewitness_reading(text, ORIGINAL, EVENT + timedelta(hours=1), place="Garrow Harbour", event=EVENT)
    assert found is not None and found.likely
    assert all(text[sign.start : sign.end] == sign.quote for sign in found.signs)


@pytest.mark.parametrize(
    "text",
    [
        "Reports say hundreds of dockers walked out at Garrow Harbour this morning",
        "I heard that the dockers at Garrow Harbour walked out just now",
        "I saw on TV that dockers at the gate walked out this morning",
        "I wasn't there, but they walked out of Garrow Harbour this morning",
        "“I saw them leave right now at the gate,” a docker at Garrow Harbour told the Echo",
        "Did anyone see what happened at Garrow Harbour this morning? I was at the office",
        "BREAKING: walk-out at the gate of Garrow Harbour right now, according to the union",
        "My cousin was at the gate of Garrow Harbour this morning",
        "Dockers walk out at Garrow Harbour",
    ],
)
def test_who_has_it_from_others_is_no_eyewitness(text: str) -> None:
    found = eyewitness_reading(text, ORIGINAL, EVENT + timedelta(hours=1), place="Garrow Harbour", event=EVENT)
    assert found is not None and not found.likely


def test_media_and_the_mark_of_a_place_speak_for_it_and_a_time_before_the_event_against() -> None:
    text = "I saw the dockers leave"
    plain = eyewitness_reading(text, ORIGINAL, EVENT, place="Garrow Harbour", event=EVENT)
    shown = eyewitness_reading(
        text, ORIGINAL.model_copy(update={"media": ("video",), "place": "Garrow Harbour"}), EVENT,
        place="Garrow Harbour", event=EVENT,
    )  # fmt: skip
    early = eyewitness_reading(text, ORIGINAL, EVENT - timedelta(days=9), place="Garrow Harbour", event=EVENT)
    assert plain and shown and early
    assert early.score < plain.score < shown.score


@given(st.text(max_size=200))
def test_any_text_is_read_and_every_sign_is_quoted(text: str) -> None:
    found = eyewitness_reading(text, ORIGINAL, None)
    assert found is not None and 0 <= found.score <= 1
    assert all(text[sign.start : sign.end] == sign.quote for sign in found.signs)

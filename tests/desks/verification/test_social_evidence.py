"""Posts as evidence: who posted, whose words they are, the number of independent voices, and eyewitnesses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.social_evidence import (
    eyewitness_reading,
    poster_credibility,
    social_evidence,
    standing_of,
)
from inquest.desks.verification.spread import account_key
from inquest.domain.search import Account, AccountStanding, Hit, Post, PostKind, Pushed, SocialEvidence, SocialSource
from inquest.domain.topic import Topic
from inquest.domain.value import Precision, Published

EVENT = datetime(2026, 3, 2, 8, tzinfo=UTC)
NOW = EVENT + timedelta(days=2)
TOPIC = Topic(
    title="Dockers at Garrow Harbour walk out over night shifts", place="Garrow Harbour", event_date=EVENT, url=None
)
ARTICLE = "https://coast-echo.example/strike"


def account(handle: str = "tove", *, days: int | None = 2000, **more: Any) -> Account:
    created = EVENT - timedelta(days=days) if days is not None else None
    return Account(handle=handle, created=created, **more)


def hit(number: int, text: str, by: Account | None, *, minutes: float | None = 30, **more: Any) -> Hit:
    at = None if minutes is None else Published(at=EVENT + timedelta(minutes=minutes), precision=Precision.TIME)
    post = Post(**{"network": "x", "id": str(number), "account": by} | more)
    return Hit(url=f"https://x.example/{number}", snippet=text, engine="x", rank=number, published=at, post=post)


def read(*hits: Hit) -> SocialEvidence:
    return social_evidence(TOPIC, hits, NOW)


def at(evidence: SocialEvidence, number: int) -> SocialSource:
    return next(post for post in evidence.posts if post.url.endswith(f"/{number}"))


TOLD = (
    "The dockers of Garrow Harbour have just walked out, the cranes stand still",
    "Night shifts at Garrow Harbour: nobody unloads a ship this morning, dockers at the gate",
    "My brother's crew left Garrow Harbour, all dockers with them, over those night shifts",
)


# Whose words they are


def test_the_earliest_of_equal_texts_is_the_original_whatever_addresses_and_handles_stand_around_it() -> None:
    found = read(
        hit(1, f"@lenn {TOLD[0]} https://a.example/x", account("ann"), minutes=60),
        hit(2, TOLD[0], account("ben"), minutes=5),
    )
    assert at(found, 1).copy_of == "https://x.example/2"
    assert (found.originals, found.copies, found.independent_accounts) == (1, 1, 1)


def test_those_who_hand_on_one_page_are_one_voice_unless_they_were_there() -> None:
    texts = (
        "Dockers walk out at Garrow Harbour, read this",
        "Garrow Harbour night shifts: strong piece on the dockers",
        "So the dockers of Garrow Harbour stopped work, worth a look",
    )
    found = read(*(hit(n, text, account(f"a{n}"), links=(ARTICLE,)) for n, text in enumerate(texts, 1)))
    assert found.independent_accounts == 1
    assert "shares" in at(found, 2).reasons[-1]
    there = hit(2, "I saw the dockers of Garrow Harbour walk out, see also here", account("a2"), links=(ARTICLE,))
    assert read(hit(1, texts[0], account("a1"), links=(ARTICLE,)), there).independent_accounts == 2


def test_machines_and_posts_without_an_account_are_no_voices() -> None:
    found = read(hit(1, TOLD[0], account("feed", bot=True)), hit(2, TOLD[1], None))
    assert found.independent_accounts == 0
    assert at(found, 2).verification_status is AccountStanding.ANONYMOUS


def test_posts_about_something_else_or_of_after_now_are_left_out() -> None:
    found = read(hit(1, TOLD[0], account()), hit(2, "Lovely cake recipe with plums and oats", account("cook")))
    assert len(found.posts) == 1
    assert "One further post has nothing to do with it." in found.reasons
    assert read(hit(1, TOLD[0], account(), minutes=5 * 24 * 60)).posts == ()


def test_hashtags_are_taken_apart_two_finds_of_one_post_are_one_and_content_is_verbatim() -> None:
    assert len(read(hit(1, "Solidarity from Lennford! #GarrowHarbour #dockers", account())).posts) == 1
    bare = hit(1, TOLD[0], None)
    assert read(bare, hit(1, TOLD[0], account())).posts[0].author == "tove"
    text = "  Dockers of Garrow Harbour\nwalked out!  “No night shifts” 🚢"
    assert read(hit(1, text, account())).posts[0].content == text


def test_hits_that_are_no_posts_are_left_aside_and_nothing_is_a_result_as_well() -> None:
    page = Hit(url=ARTICLE, title=TOPIC.title, engine="web", rank=1)
    found = read(page)
    assert (found.posts, found.credibility, found.independent_accounts) == ((), None, 0)
    assert found.reasons == ("No post about it was found.",)


# One author who appears as several


STORIES = (
    "The dockers of Garrow Harbour left pier one at dawn and the coal ship waits",
    "Nobody moves a crane at Garrow Harbour, the dockers sit by the fence over night shifts",
    "Lorries turn round before Garrow Harbour because the dockers stopped loading them",
    "A brass band plays for the dockers at Garrow Harbour and the ferry is late as well",
    "Garrow Harbour is silent for once, even the dockers of the fish hall have gone home",
)


def test_an_answer_to_a_post_adds_no_voice() -> None:
    more: dict[str, Any] = {"kind": PostKind.REPLY, "original": "https://x.example/1"}
    found = read(hit(1, STORIES[0], account("tove_m")), hit(2, STORIES[1], account("karl_w"), **more))
    assert found.independent_accounts == 1


@pytest.mark.parametrize(
    ("handle", "other"),
    [
        ("tove_marsh", "tovemarsh.bsky.social"),
        ("Tove_Marsh", "tove.marsh@lenn.example"),
    ],
)
def test_one_name_on_two_networks_is_one_voice(handle: str, other: str) -> None:
    assert account_key(Account(handle=handle)) == account_key(Account(handle=other))


def test_a_domain_of_ones_own_vouches_where_it_is_known_whose_it_is() -> None:
    known = account("faa.gov", domain="faa.gov")
    private = account("tove.example", domain="tove.example")
    assert standing_of(known, EVENT) is AccountStanding.VERIFIED_ACCOUNT
    assert standing_of(private, EVENT) is AccountStanding.COMMUNITY_MEMBER
    scores = [poster_credibility(each, EVENT)[0] for each in (known, private, account("tove"))]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 3


# Spread


def test_the_timeline_has_the_first_mention_and_leaves_out_empty_hours() -> None:
    minutes = (0, 10, 540, None)
    found = read(*(hit(n, TOLD[0], account(f"u{n}"), minutes=at) for n, at in enumerate(minutes, 1))).timeline
    assert (found.first, found.undated) == (EVENT, 1)
    assert [(bucket.posts, bucket.accounts) for bucket in found.buckets] == [(2, 2), (1, 1)]


def test_totals_leave_out_what_reposts_repeat() -> None:
    first = hit(1, TOLD[0], account("ann"), likes=10, reposts=4)
    again = hit(2, TOLD[0], account("ben"), kind=PostKind.REPOST, original="https://x.example/1", likes=10, reposts=4)
    shape = read(first, again).engagement
    assert (shape.likes, shape.reposts) == (10, 4)


def test_young_reposts_and_one_text_from_many_at_once_look_pushed() -> None:
    first = hit(1, TOLD[0], account("ann"))
    young = [
        hit(
            n,
            TOLD[0],
            account(f"u{n}", days=3 + n),
            kind=PostKind.REPOST,
            original="https://x.example/1",
            minutes=31 + n,
        )
        for n in range(2, 8)
    ]
    shape = read(first, *young).engagement
    assert shape.shape is Pushed.PUSHED
    assert "younger than 30 days" in shape.reasons[0]
    found = read(*(hit(n, TOLD[0], account(f"u{n}", days=400 * n), minutes=n) for n in range(1, 6)))
    assert found.engagement.shape is Pushed.PUSHED
    assert "very same words" in found.engagement.reasons[0]


def test_old_accounts_in_their_own_words_look_organic_and_few_tell_nothing() -> None:
    crews = "north south east west grain timber".split()
    text = "The {0} crew of dockers at Garrow Harbour left, {0} cranes idle"
    posts = [hit(n, text.format(crew), account(crew, days=300 * n), minutes=90 * n) for n, crew in enumerate(crews, 1)]
    assert read(*posts).engagement.shape is Pushed.ORGANIC
    assert read(*posts[:2]).engagement.shape is Pushed.UNKNOWN


@given(st.permutations(range(5)))
def test_the_order_of_the_hits_does_not_matter(order: list[int]) -> None:
    hits = [
        hit(1, TOLD[0], account("ann")), hit(2, TOLD[0], account("ben"), minutes=31), hit(3, TOLD[1], account("cy")),
        hit(4, TOLD[2], account("dee"), minutes=None), hit(5, TOLD[1], account("eli"), kind=PostKind.REPOST),
    ]  # fmt: skip
    assert read(*(hits[place] for place in order)) == read(*hits)


ORIGINAL = Post(network="x", id="1")


@pytest.mark.parametrize(
    "text",
    [
        "I'm at the gate of Garrow Harbour right now, hundreds of dockers are walking out",
        "Just saw the night crew leave the cranes, five minutes ago, corner of Quay Street",
        "We were standing on the bridge this morning and watched the dockers march past us",
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


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (account(days=2000), account(days=5)),
        (account(followers=20_000), account(followers=2)),
        (account(karma=5000), account(karma=-3)),
        (account(verified=True, verified_as="business"), account(verified=True, verified_as="paid mark")),
        (account(bot=None), account(bot=True)),
    ],
)  # fmt: skip
def test_what_speaks_for_an_account_scores_higher_and_says_why(better: Account, worse: Account) -> None:
    high, low = poster_credibility(better, EVENT), poster_credibility(worse, EVENT)
    assert high[0] > low[0]
    assert high[1] != low[1]


def test_what_is_unknown_or_impossible_of_an_account_does_not_lower_its_score() -> None:
    bare = poster_credibility(Account(handle="tove"), EVENT)
    assert (bare[0], poster_credibility(None, EVENT)[0]) == (50, 50)
    assert poster_credibility(account(days=-3), EVENT)[0] == 50


_COUNTS = st.none() | st.integers(-10, 10**9)


@given(
    st.builds(
        Account,
        handle=st.text(min_size=1, max_size=20),
        created=st.none() | st.datetimes(timezones=st.just(UTC)),
        followers=_COUNTS, following=_COUNTS, posts=_COUNTS, karma=_COUNTS,
        verified=st.none() | st.booleans(), bot=st.none() | st.booleans(), description=st.none() | st.text(max_size=9),
    )
)  # fmt: skip
def test_any_account_has_a_score_with_reasons(by: Account) -> None:
    score, reasons = poster_credibility(by, EVENT)
    assert 0 <= score <= 100
    assert reasons

"""When a story was spoken of on networks: first and last mention, by hour, and in bursts."""

from __future__ import annotations

import random
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.engagement_shape import Mentioned, mention_timeline
from tests.desks.verification.test_social_evidence import EVENT, NOW


def test_the_timeline_has_the_first_mention_and_leaves_out_empty_hours() -> None:
    moments = [EVENT, EVENT + timedelta(minutes=10), EVENT + timedelta(hours=9), None]
    found = mention_timeline([Mentioned(f"u{n}", f"a{n}", moment) for n, moment in enumerate(moments)], NOW)
    assert (found.first, found.first_url, found.undated) == (EVENT, "u0", 1)
    assert [(bucket.posts, bucket.accounts) for bucket in found.buckets] == [(2, 2), (1, 1)]
    assert found.step_seconds == 3600


def test_a_burst_is_many_posts_in_minutes_amid_few() -> None:
    calm = [Mentioned(f"c{n}", f"c{n}", EVENT + timedelta(hours=4 * n)) for n in range(10)]
    burst = [Mentioned(f"b{n}", f"b{n}", EVENT + timedelta(hours=20, minutes=n, seconds=30)) for n in range(6)]
    (found,) = mention_timeline([*calm, *burst], NOW).bursts
    assert found.posts >= 6
    assert found.end - found.start <= timedelta(minutes=15)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(-(10**6), 10**6)), max_size=40), st.randoms())
def test_the_timeline_loses_no_post_and_does_not_depend_on_order(
    given_posts: list[tuple[str, int | None]], shuffle: random.Random
) -> None:
    posts = [
        Mentioned(f"u{n}", who, None if s is None else EVENT + timedelta(seconds=s))
        for n, (who, s) in enumerate(given_posts)
    ]
    found = mention_timeline(posts, NOW)
    assert sum(bucket.posts for bucket in found.buckets) + found.undated == len(posts)
    shuffled = list(posts)
    shuffle.shuffle(shuffled)
    assert mention_timeline(shuffled, NOW) == found

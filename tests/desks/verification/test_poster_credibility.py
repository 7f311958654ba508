"""How far who posted may be trusted, 0 to 100 with reasons, and what a network's marks vouch for."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.verification.poster_credibility import poster_credibility, standing_of
from inquest.domain.leads import Account
from inquest.domain.social import AccountStanding
from tests.desks.verification.test_social_evidence import EVENT, account


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (account(days=2000), account(days=5)),
        (account(followers=20_000), account(followers=2)),
        (account(karma=5000), account(karma=-3)),
        (account(verified=True, verified_as="business"), account(verified=True, verified_as="paid mark")),
        (account(bot=None), account(bot=True)),
        (account("tove_marsh"), account("tove83629174")),
        (account(followers=3000, following=200), account(followers=20, following=4000)),
        (account(posts=900), account(posts=900_000)),
    ],
)  # fmt: skip
def test_what_speaks_for_an_account_scores_higher_and_says_why(better: Account, worse: Account) -> None:
    high, low = poster_credibility(better, EVENT), poster_credibility(worse, EVENT)
    assert high.score > low.score
    assert high.reasons != low.reasons


def test_what_is_unknown_does_not_lower_the_score() -> None:
    bare = poster_credibility(Account(handle="tove"), EVENT)
    assert (bare.score, poster_credibility(None, EVENT).score) == (50, 50)


def test_an_account_younger_than_its_post_has_no_age() -> None:
    assert poster_credibility(account(days=-3), EVENT).score == 50


def test_sharing_its_words_with_others_costs_credibility() -> None:
    alone = poster_credibility(account(), EVENT).score
    shared = poster_credibility(account(), EVENT, same_text=5).score
    assert poster_credibility(account(), EVENT, same_text=5, in_burst=True).score < shared < alone


def test_a_mark_that_can_be_bought_verifies_nobody() -> None:
    assert standing_of(account(verified=True, verified_as="paid mark"), EVENT) is AccountStanding.COMMUNITY_MEMBER
    assert standing_of(account(verified=True), EVENT) is AccountStanding.VERIFIED_ACCOUNT
    assert standing_of(account(days=2), EVENT) is AccountStanding.ANONYMOUS


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
    found = poster_credibility(by, EVENT)
    assert 0 <= found.score <= 100
    assert found.reasons

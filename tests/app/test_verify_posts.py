"""Posts of X, Reddit and Bluesky in a whole investigation: each network in its own format, over HTTP, in the report,
and again from the recording."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.running import limits_lifted
from bench.simulated.server import Told, simulated_web
from bench.simulated.worlds import World
from inquest import Inquest
from inquest.app.cases.reporting import render, replay
from inquest.domain.case import Case
from inquest.domain.investigation import InvestigationResult
from inquest.domain.search import AccountStanding, EngineKind, Pushed, SocialEvidence, SocialSource
from inquest.domain.topic import Success, VerificationLevel
from inquest.kit.discover import engines
from inquest.net.policy import RequestPolicy
from tests.app.social_networks import DAY, EVERY_HOST, X_POSTS, Networks, x_id
from tests.app.topic_worlds import WORLDS
from tests.app.verified_topics import SILENT_BUT_FOR_POSTS, verified

KEYS = {
    "X_BEARER_TOKEN": "x-bearer-0123456789",
    "REDDIT_CLIENT_ID": "reddit-id-0123",
    "REDDIT_CLIENT_SECRET": "s-0123456",
}
ENGINES = "collection,x,reddit,bluesky"
PAST_RATE = {name: {"per_second": "none"} for name in ("x", "reddit", "bluesky")}


def without_pauses(monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    hasty = partial(RequestPolicy, first_wait=0, jitter=0, page_interval=0, **more)
    monkeypatch.setattr("inquest.net.policy.RequestPolicy", hasty)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    without_pauses(monkeypatch)


@asynccontextmanager
async def investigated(folder: Path, networks: Networks, **more: Any) -> AsyncIterator[tuple[Inquest, Case]]:
    """The program on a web with these networks, and the case of the strike at Hollin."""
    keys, world = more.pop("keys", KEYS), more.pop("world", SILENT_BUT_FOR_POSTS)
    async with simulated_web(World((), ()), hosts=networks.hosts) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=folder / "home", keys=keys, engine=PAST_RATE, **settings) as inquest:
            yield inquest, await verified(inquest, folder, world, **({"engines": ENGINES} | more))


def result_of(case: Case) -> InvestigationResult:
    assert case.investigation is not None, case.why
    return case.investigation


def by_author(result: InvestigationResult) -> dict[str, SocialSource]:
    return {post.author: post for post in result.social.posts}


# The result from three networks


@dataclass(frozen=True)
class Posted:
    """The case of three networks, and its report formats."""

    case: Case
    forms: dict[str, str]

    @property
    def social(self) -> SocialEvidence:
        return result_of(self.case).social

    @property
    def posts(self) -> dict[str, SocialSource]:
        return by_author(result_of(self.case))


@pytest.fixture(scope="module")
def posted(tmp_path_factory: pytest.TempPathFactory) -> Posted:
    async def work() -> Posted:
        networks = Networks()
        async with investigated(tmp_path_factory.mktemp("posted"), networks) as (inquest, case):
            forms = {form: (await render(inquest.app, case, form)).decode() for form in ("md", "html", "json")}
            asked = len(networks.asked)
            replayed = await replay(inquest.app, case.id)
        assert replayed.same, replayed.difference
        assert len(networks.asked) == asked, "a replay asks nobody"
        return Posted(case, forms)

    with pytest.MonkeyPatch.context() as monkeypatch:
        without_pauses(monkeypatch)
        return asyncio.run(work())


def test_three_networks_in_one_case(posted: Posted) -> None:
    case, social, posts, text = posted.case, posted.social, posted.posts, posted.forms["md"]
    result, told = result_of(case), json.loads(posted.forms["json"])["investigation"]["social"]
    assert not case.outages
    assert (set(social.asked), social.not_asked) == ({"x", "reddit", "bluesky"}, {})
    assert {post.platform for post in social.posts} == {"x", "reddit", "bluesky"}
    # Posts never raise a level, however many there are; finding twelve voices is a success of the search.
    assert result.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert result.success == (Success.SOCIAL_EVIDENCE,)
    assert social.independent_accounts == 12
    assert {name for name, post in posts.items() if not post.independent} == {
        "echoing", "passes_it",  # a repost, a crosspost
        "quoting", "quoter.bsky.social",  # quotes without anything seen or heard
        "tildar.bsky.social",  # the same person on another network
        "locked_out",  # shut by the network
    }  # fmt: skip
    assert social.engagement.shape is Pushed.ORGANIC
    assert set(social.eyewitnesses) == {posts["tilda_r"].url, posts["pulp_and_paper"].url}
    assert social.timeline.first_url == posts["tilda_r"].url, "and not what is dated back to 2019"
    assert "half the credibility of the posts" in text
    assert "Posts are leads, not evidence" in text and "may have been changed or deleted since" in text
    assert "media: photo attached" in text and "the post is marked as from Hollin, Lennshire" in text
    assert told == json.loads(social.model_dump_json())


def test_a_mark_is_worth_what_it_vouches_for(posted: Posted) -> None:
    posts = posted.posts
    assert set(posted.social.verified_accounts) == {"hollinpolice", "lennradio", "coast-courier.example"}
    for bought in ("tilda_r", "unknownmark", "pulp_and_paper", "links_only"):
        assert posts[bought].verification_status is not AccountStanding.VERIFIED_ACCOUNT, bought
    assert posts["hollinpolice"].author_credibility > posts["lennradio"].author_credibility
    assert posts["lennradio"].author_credibility > posts["tilda_r"].author_credibility
    assert posts["pulp_and_paper"].author_credibility > posts["links_only"].author_credibility, "age and karma"
    assert all(post.reasons for post in posts.values())


def test_what_was_taken_back_is_neither_shown_nor_counted(posted: Posted) -> None:
    social = posted.social
    assert any("Two posts were deleted" in reason for reason in social.reasons)
    assert not {"sorry_now", "shy.bsky.social"} & {post.author for post in social.posts}
    for form in posted.forms.values():
        assert "Names of those who broke" not in form and "My boss at" not in form
        assert "won already" not in form, "its author is to be shown to nobody who is not signed in"
    assert "were deleted, removed or rewritten, and left out" in posted.forms["md"]


def test_edits_dates_and_marks_of_the_community_are_shown_with_the_post(posted: Posted) -> None:
    posts, text = posted.posts, posted.forms["md"]
    edited, early = posts["corrects"], posts["knewit.bsky.social"]
    assert edited.timestamp and edited.edited
    assert (f"{edited.timestamp:%H:%M}", f"{edited.edited:%H:%M}") == ("08:10", "08:30")
    assert "edited 2 May 2025, 08:30 UTC" in text
    assert early.timestamp and early.timestamp.year == 2025
    assert any("dated 1 January 2019; the network first saw it on 2 May 2025" in each for each in early.reasons)
    assert posts["links_only"].labels == ("Unconfirmed",) and "marked there as “Unconfirmed”" in text
    assert posts["quoter.bsky.social"].labels == ("needs-context",)


async def test_ten_accounts_with_one_text_are_one_voice(tmp_path: Path) -> None:
    copied = [
        {**X_POSTS[0], "id": x_id(f"07:{n:02d}"), "author_id": str(100 + n), "created_at": f"{DAY}T07:{n:02d}:00.000Z"}
        for n in range(10)
    ]
    people = [{"id": str(100 + n), "username": f"{name}_reads"} for n, name in enumerate("abcdefghij")]
    one_text = {"data": copied, "includes": {"users": people}, "meta": {"result_count": 10}}
    networks = Networks(x=one_text, reddit=[], bluesky=[])
    async with investigated(tmp_path, networks) as (_, case):
        result = result_of(case)
    assert (result.social.copies, result.social.independent_accounts) == (9, 1)
    assert result.success == ()


# What could not be queried


async def test_a_network_without_its_key_is_said_once_with_what_to_set_and_nothing_follows_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pauses(monkeypatch, attempts=1, breaker_threshold=1)  # the other engines are not available
    with limits_lifted(*engines("inquest.engines").values()):
        async with investigated(tmp_path, Networks(), keys={}, engines=None) as (inquest, case):
            social = result_of(case).social
            text = (await render(inquest.app, case, "md")).decode()
    assert social.not_asked["x"] == "needs a key: set X_BEARER_TOKEN"
    assert "REDDIT_CLIENT_ID" in social.not_asked["reddit"] and "REDDIT_CLIENT_SECRET" in social.not_asked["reddit"]
    posts = text.split("## Posts")[1].split("\n## ")[0]
    assert posts.count("X_BEARER_TOKEN") == 1
    assert not [note for note in case.outages if note.where in ("x", "reddit")], "nothing failed: the plan said so"


BARRED = Told(403, "application/json", b'{"title": "Forbidden", "detail": "suspended", "status": 403}')
WEBSITE = Told(200, "text/html", b"<!doctype html><html><body>Log in to continue</body></html>")


@pytest.mark.parametrize("reply", [BARRED, WEBSITE], ids=["the app is barred", "a page of its website"])
async def test_a_network_that_is_out_of_order_is_an_outage_and_never_nothing_found(reply: Told, tmp_path: Path) -> None:
    failing = dict.fromkeys(EVERY_HOST, reply)
    async with investigated(tmp_path, Networks(failing=failing)) as (inquest, case):
        result = result_of(case)
        text = (await render(inquest.app, case, "md")).decode()
    assert {note.where for note in case.outages} == {"x", "reddit", "bluesky"}
    assert len(case.outages) == 3, "each is said once"
    assert set(result.social.not_asked) == {"x", "reddit", "bluesky"}
    assert result.social.reasons[0] == "Whether there are posts about it is not known: no network could be asked."
    assert result.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert "No post about it was found" not in text
    assert "Could not be queried or read" in text


async def test_the_claims_of_a_topic_are_not_looked_for_in_posts(tmp_path: Path) -> None:
    networks = Networks()
    async with investigated(tmp_path, networks, world=WORLDS["true and confirmed"]) as (_, case):
        pass
    assert case.claims and case.plan
    planned = [query for query in case.plan.queries if query.kinds == (EngineKind.SOCIAL,)]
    assert 1 <= sum("api.x.com" in url for url in networks.asked) <= len(planned), "no more than the plan said"
    assert {source.domain for source in case.sources} == {"fire-service.example", "valley-herald.example",
                                                          "daily-ledger.example"}  # fmt: skip

"""Topics with known truth, investigated by the whole house over small collections: level, origin, flags and report."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from inquest import Inquest
from inquest.app.cases.case_request import TopicRequest, request_of
from inquest.app.cases.reporting import render
from inquest.app.cases.topic_records import record_case, review
from inquest.app.desks.briefs import topic_brief
from inquest.desks.verification.investigation_notes import quotes_of
from inquest.desks.verification.topic_claims import MOST_CLAIMS
from inquest.domain.case import CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.investigation import InvestigationResult
from inquest.domain.topic import ReviewFlag, VerificationLevel
from inquest.flow.nodes.topic import MOST_SUMMARISED
from tests.app.topic_worlds import WORLDS
from tests.app.verified_topics import SILENT_BUT_FOR_POSTS, verified


@pytest.fixture(autouse=True)
def _small_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """The models of the package judge here."""
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


async def test_the_investigation_is_in_every_form_of_the_report_and_a_replay_is_the_same(tmp_path: Path) -> None:
    async with Inquest(home=tmp_path / "home") as inquest:
        case = await verified(inquest, tmp_path, WORLDS["told differently in a detail"])
        result = case.investigation
        assert result is not None
        text = (await render(inquest.app, case, "md")).decode()
        page = (await render(inquest.app, case, "html")).decode()
        for heading in ("The verification level", "Details side by side", "Review by a person"):
            assert f"## {heading}" in text
            assert f">{heading}<" in page
        assert "2.4 million euros" in text and "**4.2 million euros** S" in text
        told = json.loads(await render(inquest.app, case, "json"))["investigation"]
        assert told == json.loads(result.model_dump_json())
        assert set(InvestigationResult.model_fields) == set(told)
        replayed = await inquest.app.replay(case.id)
        assert replayed.same, replayed.difference

        assert "Nobody has decided on it yet." in text
        await review(inquest.app, case.id, by="Night editor", overrule="unverified", why="The sums are apart.")
        text = (await render(inquest.app, case, "md")).decode()
        assert "decides otherwise: unverified. The sums are apart." in text
        assert "Night editor" in text and "Nobody has decided" not in text


# Posts, through an engine's own form


def post(number: int, words: str, *, at: str, acct: str, made: str = "2020-01-01T00:00:00.000Z") -> dict[str, Any]:
    """A status as a Mastodon server gives it."""
    return {
        "id": str(number), "created_at": at, "language": "en", "visibility": "public", "reblog": None, "poll": None,
        "url": f"https://social.example/@{acct}/{number}", "uri": f"https://social.example/users/{acct}/{number}",
        "replies_count": number, "reblogs_count": 2 * number, "favourites_count": 3 * number,
        "content": f"<p>{words}</p>", "card": None, "mentions": [], "tags": [],
        "media_attachments": [{"id": "1", "type": "image"}] if number == 1 else [],
        "in_reply_to_id": None,
        "account": {
            "id": acct, "username": acct, "acct": acct, "display_name": acct, "bot": False, "created_at": made,
            "url": f"https://social.example/@{acct}", "followers_count": 120, "following_count": 90,
            "statuses_count": 900, "fields": [], "note": "",
        },
    }  # fmt: skip


POSTS = [
    post(1, "I am standing at the gate of the Hollin paper mill, we walked out in the strike at six, nothing runs",
         at="2025-05-02T06:30:00.000Z", acct="tilda"),
    post(2, "My brother works at the Hollin paper mill and says the strike stopped both machines this morning",
         at="2025-05-02T09:00:00.000Z", acct="orrin"),
    post(3, "My brother works at the Hollin paper mill and says the strike stopped both machines this morning",
         at="2025-05-02T09:10:00.000Z", acct="copycat", made="2025-05-01T00:00:00.000Z"),
    post(4, "What a lovely recipe for lentils", at="2025-05-02T10:00:00.000Z", acct="cook"),
]  # fmt: skip


@asynccontextmanager
async def a_network(statuses: list[dict[str, Any]], *, status: str = "200 OK") -> AsyncIterator[str]:
    """A server that answers every search and every hashtag with these posts: its address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode().split()[1]
        found: Any = statuses if "/timelines/tag/" in asked else {"accounts": [], "statuses": statuses, "hashtags": []}
        body = json.dumps(found).encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await server.wait_closed()


async def test_posts_are_leads_with_their_accounts_and_raise_no_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_network(POSTS) as address:
        monkeypatch.setenv("INQUEST_MASTODON_URL", address)
        monkeypatch.setenv("INQUEST_MASTODON_PER_SECOND", "100")
        async with Inquest(home=tmp_path / "home") as inquest:
            case = await verified(inquest, tmp_path, SILENT_BUT_FOR_POSTS, engines="collection,mastodon")
            result = case.investigation
            assert result is not None, case.why
            text = (await render(inquest.app, case, "md")).decode()
    assert result.recommended_verification_level is VerificationLevel.UNVERIFIED
    assert ReviewFlag.NOT_CORROBORATED in result.review_flags
    social = result.social
    assert {each.author.split("@")[0] for each in social.posts} == {"tilda", "orrin", "copycat"}
    assert (social.copies, social.independent_accounts) == (1, 2)
    assert social.eyewitnesses == ("https://social.example/@tilda/1",)
    assert social.timeline.first_url == "https://social.example/@tilda/1"
    assert "## Posts" in text and "no evidence" in text and "reads as an eyewitness's" in text
    assert not [source for source in case.sources if "social.example" in source.url]


async def test_where_everything_is_out_nothing_is_said_to_be_missing_from_the_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_network([], status="401 Unauthorized") as address:
        monkeypatch.setenv("INQUEST_MASTODON_URL", address)
        monkeypatch.setenv("INQUEST_MASTODON_PER_SECOND", "100")
        async with Inquest(home=tmp_path / "home") as inquest:
            case = await verified(inquest, tmp_path, SILENT_BUT_FOR_POSTS, engines="mastodon", collections=[])
    assert [note for note in case.outages if note.where == "mastodon"]
    assert case.status in (CaseStatus.PARTIAL, CaseStatus.FAILED)
    if case.investigation is not None:
        assert case.investigation.recommended_verification_level is VerificationLevel.UNVERIFIED
        assert any("could not be" in reason for reason in case.investigation.upgrade.reasons)


async def test_a_topic_is_not_due_twice(tmp_path: Path) -> None:
    async with Inquest(home=tmp_path / "home") as inquest:
        world = WORLDS["only somebody's blog"]
        case = await verified(inquest, tmp_path, world, as_of=None)
        await record_case(inquest.app, case)
        with pytest.raises(InputError, match="not due again") as refused:
            await topic_brief(inquest.app, request_of(TopicRequest, {"topic": str(tmp_path / "topic.json")}))
        assert "--again" in (refused.value.advice or "")
        assert (
            await topic_brief(
                inquest.app, request_of(TopicRequest, {"topic": str(tmp_path / "topic.json"), "again": True})
            )
        ).topic is not None

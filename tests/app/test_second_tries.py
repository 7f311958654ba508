"""A page that blocks us or is gone is requested from second readers; pages that a site forbids are left alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inquest.app.settings import load_settings
from inquest.app.wiring.pages import ReadPages, SecondTries, made_readers, readers_of_a_replay
from inquest.archive.files import FileArchive
from inquest.domain.errors import (
    EngineUnavailable,
    InquestError,
    NotRecorded,
    PageError,
    PageForbidden,
    PageRefused,
    PageTooLarge,
    PageUnavailable,
    SettingError,
)
from inquest.domain.report import Cost
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.readers import pick

NOW = datetime(2026, 2, 1, tzinfo=UTC)
PAGE = "https://courier.example/2024/quarry"
ARTICLE = "<html><head><title>Quarry fined</title></head><body><article>" + (
    "<p>The regulator fined the quarry on 4 March 2024 for dust above its limit.</p>" * 8
) + "</article></body></html>"  # fmt: skip
WALL = "<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>"
AVAILABLE = json.dumps(
    {"archived_snapshots": {"closest": {"available": True, "url": PAGE, "timestamp": "20240305101500"}}}
)
LISTED = {"archive.org": AVAILABLE}
COPY = LISTED | {"web.archive.org": ARTICLE}
JINA = {"r.jina.ai": json.dumps({"data": {"html": ARTICLE}})}


class Clock:
    def now(self) -> datetime:
        return NOW


@dataclass
class ScriptedDoor:
    """The page answers with `page`; each service with the reply under its host."""

    page: str | InquestError
    services: Mapping[str, str | InquestError] = field(default_factory=dict)
    recorded: bool = False
    asked: list[str] = field(default_factory=list)

    async def fetch(self, request: Request, *, purpose: Purpose, label: str = "") -> Reply:
        host = request.url.split("/")[2]
        said = self.page if purpose is Purpose.PAGE else self.services.get(host, '{"archived_snapshots": {}}')
        if purpose is not Purpose.PAGE:
            self.asked.append(host)
        if isinstance(said, InquestError):
            raise said
        headers = (("content-type", "application/json" if said.startswith("{") else "text/html; charset=utf-8"),)
        return Reply(url=request.url, status=200, headers=headers, body=said.encode(), at=NOW, recorded=self.recorded)


@dataclass
class House:
    pages: ReadPages
    door: ScriptedDoor
    spent: list[Cost]


def a_house(tmp_path: Path, door: ScriptedDoor, readers: str = "wayback", allow: tuple[str, ...] = ()) -> House:
    spent: list[Cost] = []
    made = made_readers(load_settings(second_readers=readers))
    second = SecondTries(made.values(), door, allow_hosts=allow, spend=spent.append)
    pages = ReadPages(door, FileArchive(tmp_path / "archive"), pick, Clock(), spent.append, second)
    return House(pages, door, spent)


BARRED = PageRefused(PAGE, "courier.example does not allow this page to be read (403).", technical=True)
GONE = PageUnavailable(PAGE, "courier.example has no such page (404).", status=404)


@pytest.mark.parametrize(
    "trouble", [BARRED, GONE, WALL, PageUnavailable(PAGE, "It did not answer.", status=None)], ids=repr
)
async def test_the_archives_copy_stands_in_for_the_page_and_says_so(
    tmp_path: Path, trouble: str | InquestError
) -> None:
    house = a_house(tmp_path, ScriptedDoor(trouble, COPY))
    snapshot, document = await house.pages.read(PAGE)
    assert "fined the quarry" in document.text
    assert (snapshot.url, snapshot.final_url, document.url) == (PAGE, PAGE, PAGE)
    assert snapshot.provenance == "archived copy web.archive.org 2024-03-05"
    assert document.notes[0].startswith("read from the copy of 2024-03-05 at web.archive.org")
    assert sum(cost.page_reads for cost in house.spent) - (trouble == WALL) == 1
    assert sum(cost.search_calls for cost in house.spent) == 2


@pytest.mark.parametrize(
    "trouble",
    [
        PageRefused(PAGE, "courier.example asks robots not to read this page (robots.txt)."),
        PageRefused(PAGE, "courier.example does not allow this page to be read (402)."),
        PageForbidden(PAGE, "It is inside."),
        PageTooLarge(PAGE, "It is too large."),
        "<html><title>Log in</title><body><form><input type=password></form></body></html>",
    ],
    ids=str,
)
async def test_what_a_site_does_not_want_is_asked_of_nobody(tmp_path: Path, trouble: str | InquestError) -> None:
    house = a_house(tmp_path, ScriptedDoor(trouble, COPY | JINA), "jina,wayback")
    with pytest.raises(PageError):
        await house.pages.read(PAGE)
    assert house.door.asked == []


async def test_they_are_asked_in_the_order_of_the_settings_and_the_first_that_has_it_ends_it(tmp_path: Path) -> None:
    house = a_house(tmp_path, ScriptedDoor(BARRED, COPY | JINA), "jina,wayback")
    snapshot, _ = await house.pages.read(PAGE)
    assert (snapshot.provenance, house.door.asked) == ("reader jina", ["r.jina.ai"])


async def test_not_having_it_and_not_answering_are_told_apart(tmp_path: Path) -> None:
    down = EngineUnavailable("wayback", "wayback is unavailable.")
    house = a_house(tmp_path, ScriptedDoor(BARRED, {"archive.org": down}))
    with pytest.raises(PageRefused) as met:
        await house.pages.read(PAGE)
    assert met.value.advice == "The Wayback Machine could not be asked for it."
    malformed = a_house(tmp_path, ScriptedDoor(BARRED, {"archive.org": "<html>"}))
    with pytest.raises(PageRefused, match="403") as met:
        await malformed.pages.read(PAGE)
    assert "could not be asked" in met.value.advice


async def test_on_replay_what_was_not_asked_then_is_not_missed_now(tmp_path: Path) -> None:
    lost = NotRecorded("The case never asked for it.")
    door = ScriptedDoor(BARRED, {"archive.org": lost, "r.jina.ai": lost}, recorded=True)
    second = SecondTries(readers_of_a_replay().values(), door)
    pages = ReadPages(door, FileArchive(tmp_path), pick, Clock(), second=second)
    with pytest.raises(PageRefused) as met:
        await pages.read(PAGE)
    assert met.value.advice == ""
    assert door.asked == ["r.jina.ai", "r.jina.ai", "archive.org"]


@pytest.mark.parametrize(
    "url", ["http://10.0.0.7/minutes", "http://wiki.local/page", "https://files.newsroom.example/a", "http://[::1]/"]
)
async def test_addresses_inside_are_told_to_nobody(tmp_path: Path, url: str) -> None:
    house = a_house(tmp_path, ScriptedDoor(BARRED, COPY), allow=("*.newsroom.example",))
    with pytest.raises(PageRefused):
        await house.pages.read(url)
    assert house.door.asked == []


def test_the_archive_is_asked_unless_the_user_says_nobody() -> None:
    assert list(made_readers(load_settings())) == ["wayback"]
    assert list(made_readers(load_settings(second_readers="none"))) == []
    with pytest.raises(SettingError, match="names 'archivist'") as met:
        made_readers(load_settings(second_readers="archivist"))
    assert "jina, wayback" in met.value.advice

"""robots.txt: how it is read (RFC 9309), and how the door obeys it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import PageRefused, PageUnavailable
from inquest.net.robots import ALLOW_ALL, MAX_BYTES, KeptRobots, parse_robots
from tests.net.loopback import QUICK, Answers, LoopbackWeb, SetClock, a_door, engine, http, page, resets, says

FINE = http(200, b"<p>fine</p>")


@pytest.mark.parametrize(
    ("robots", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("Disallow: /", "/a", True),
        ("User-agent: INQUEST\nDisallow: /b\n\nUser-agent: *\nDisallow: /", "/a", True),
        ("User-agent: Inquest/2.0\nDisallow: /a", "/a", False),
        ("user-agent: other\nUSER-AGENT: inquest\ndisallow: /a", "/a", False),
        (
            "User-agent: inquest\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: inquest\nDisallow: /b",
            "/a",
            False,
        ),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z=1", True),
        ("User-agent: *\nDisallow: /*a*a$", "/a", True),
        ("User-agent: *\nDisallow: /*?q=", "/search?q=x", False),
        ("User-agent: *\nDisallow: /a%3cb", "/a%3Cb", False),
        ("User-agent: * # all\nDisallow: /a # not this\rAllow: /a/b\r\n", "/a/c", False),
        ("\ufeffUser-agent: *\nDisallow: /a", "/a", False),
        ("Sitemap: https://x.example/s.xml\nUser-agent: *\nSitemap: y\nDisallow: /a", "/a", False),
    ],
)
def test_the_longest_rule_of_our_group_speaks(robots: str, path: str, allowed: bool) -> None:
    assert parse_robots(robots.encode(), "Inquest").allows(f"https://paper.example{path}") is allowed


def test_what_is_beyond_the_size_is_not_read() -> None:
    body = b"User-agent: *\n" + b"#" * MAX_BYTES + b"\nDisallow: /"
    assert parse_robots(body, "Inquest") == ALLOW_ALL


def test_a_delay_is_taken_within_reason() -> None:
    assert parse_robots(b"User-agent: *\nCrawl-delay: 2.5", "Inquest").delay == 2.5
    assert parse_robots(b"User-agent: *\nCrawl-delay: 3600", "Inquest").delay == 5
    assert parse_robots(b"User-agent: *\nCrawl-delay: soon", "Inquest").delay == 0


@given(st.binary(max_size=300), st.text(max_size=30))
def test_no_file_and_no_path_upsets_it(body: bytes, path: str) -> None:
    assert parse_robots(b"User-agent: *\n" + body, "Inquest").allows(f"https://x.example/{path}") in (True, False)


@given(st.text(alphabet="ab/*$", max_size=12), st.text(alphabet="ab/", max_size=12))
def test_wildcards_match_as_the_same_pattern_written_as_a_regular_expression(rule: str, path: str) -> None:
    anchored = rule.endswith("$")
    pattern = re.escape(rule[:-1] if anchored else rule).replace(r"\*", ".*") + ("$" if anchored else "")
    if "$" in rule[:-1] or not rule.startswith("/"):
        return
    rules = parse_robots(f"User-agent: *\nDisallow: {rule}".encode(), "Inquest")
    assert rules.allows(f"https://x.example/{path}") is (re.match(pattern, f"/{path}") is None)


async def test_a_page_that_robots_may_not_read_is_refused_and_not_asked_for() -> None:
    web_at = {"/robots.txt": says(http(200, b"User-agent: inquest\nDisallow: /no", "text/plain"))}
    async with LoopbackWeb({**web_at, "/no": says(FINE), "/yes": says(FINE)}) as web, a_door(web) as door:
        assert (await page(door, web.url("/yes"))).status == 200
        with pytest.raises(PageRefused, match=r"does not allow robots to read this page \(robots\.txt\)"):
            await page(door, web.url("/no"))
        assert [asked.path for asked in web.asked] == ["/robots.txt", "/yes"]  # asked for once
        assert (await engine(door, web.url("/no"))).status == 200  # an engine's own API is made for programs


async def test_a_redirect_is_held_to_the_robots_txt_of_where_it_leads() -> None:
    robots = says(http(200, b"User-agent: *\nDisallow: /"))
    async with LoopbackWeb({"/robots.txt": robots}) as shut, LoopbackWeb() as web:
        web.at["/x"] = says(http(302, Location=shut.url("/y")))
        async with a_door(allow_hosts=[f"127.0.0.1:{web.port}", f"127.0.0.1:{shut.port}"]) as door:
            with pytest.raises(PageRefused):
                await page(door, web.url("/x"))
        assert shut.paths == []


async def test_robots_may_be_turned_off() -> None:
    web_at = {"/robots.txt": says(http(200, b"User-agent: *\nDisallow: /")), "/x": says(FINE)}
    async with LoopbackWeb(web_at) as web, a_door(web, policy=replace(QUICK, obey_robots=False)) as door:
        assert (await page(door, web.url("/x"))).status == 200
        assert web.paths == [asked.path for asked in web.asked]


@pytest.mark.parametrize(
    ("robots", "outcome"),
    [
        (says(http(404)), 200),
        (says(http(403)), 200),
        (says(http(302, Location="/robots.txt")), 200),
        (says(http(302, Location="http://169.254.169.254/robots.txt")), 200),
        (says(http(200, b"User-agent: *\n" + b"#" * 900_000 + b"\nDisallow: /")), 200),
        (says(http(200, b"\x89PNG", "image/png")), 200),
        (says(http(503)), PageRefused),
        (resets, PageUnavailable),
    ],
)
async def test_a_robots_txt_that_cannot_be_had(robots: Answers, outcome: int | type[Exception]) -> None:
    async with LoopbackWeb({"/robots.txt": robots, "/x": says(FINE)}) as web, a_door(web) as door:
        if isinstance(outcome, int):
            assert (await page(door, web.url("/x"))).status == outcome
        else:
            with pytest.raises(outcome) as met:
                await page(door, web.url("/x"))
            assert getattr(met.value, "who", None) == web.url("/x")
            assert web.paths == []


async def test_what_a_site_said_is_kept_for_the_next_process_and_for_a_day(tmp_path: Path) -> None:
    at = {"/robots.txt": says(http(200, b"User-agent: *\nDisallow: /no")), "/yes": says(FINE), "/no": says(FINE)}
    clock = SetClock()
    async with LoopbackWeb(at) as web:
        async with a_door(web, clock=clock, robots_folder=tmp_path / "robots") as door:
            await page(door, web.url("/yes"))
        async with a_door(web, clock=clock, robots_folder=tmp_path / "robots") as door:
            await page(door, web.url("/yes"))
            with pytest.raises(PageRefused):
                await page(door, web.url("/no"))
        assert _asked_for_robots(web) == 1
        clock.time += timedelta(hours=25)
        async with a_door(web, clock=clock, robots_folder=tmp_path / "robots") as door:
            await page(door, web.url("/yes"))
        assert _asked_for_robots(web) == 2


@pytest.mark.parametrize("kept", [b"", b"{}", b"\xff\n", b'{"origin": 1, "at": "2026"}\nx', b"[]\n", b'{"at": 5}\n'])
def test_a_kept_file_that_cannot_be_read_is_as_none(kept: bytes, tmp_path: Path) -> None:
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    robots = KeptRobots(tmp_path)
    robots.keep("https://a.example", now, b"User-agent: *")
    (file,) = tmp_path.glob("*/*")
    file.write_bytes(kept)
    assert robots.find("https://a.example", now=now, age=timedelta(days=1)) is None


def test_days_that_nothing_is_believed_of_any_more_are_removed(tmp_path: Path) -> None:
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    robots = KeptRobots(tmp_path)
    for days in (3, 2, 1, 0):
        robots.keep("https://a.example", now - timedelta(days=days), b"")
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["2026-11-21", "2026-11-22"]


async def test_a_site_whose_page_is_expected_is_asked_once_and_before_the_page_is_wanted() -> None:
    at = {"/robots.txt": says(http(200, b"User-agent: *\nDisallow: /no")), "/yes": says(FINE)}
    async with LoopbackWeb(at) as web, a_door(web) as door:
        door.expect([web.url("/yes"), web.url("/other"), "http://169.254.169.254/x", "collection://own/1"])
        while not web.asked:
            await asyncio.sleep(0.01)
        await page(door, web.url("/yes"))
        assert [asked.path for asked in web.asked] == ["/robots.txt", "/yes"]


async def test_on_a_replay_and_where_robots_are_not_heeded_nobody_is_asked_beforehand() -> None:
    async with (
        LoopbackWeb() as web,
        a_door(web) as door,
        a_door(web, policy=replace(QUICK, obey_robots=False)) as free,
    ):
        door.for_case("case", replay=True).expect([web.url("/x")])
        free.expect([web.url("/x")])
        assert (await engine(door, web.url("/robots.txt?engine"))).status in (200, 404)
        assert len(web.asked) == 1


def _asked_for_robots(web: LoopbackWeb) -> int:
    return sum(asked.path == "/robots.txt" for asked in web.asked)

"""Pages and posts with instructions to the model, and names with markup: an investigation has the same result and makes
the same requests as without them, and every report format only displays them."""

from __future__ import annotations

import copy
import csv
import io
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bench.simulated.server import simulated_web
from bench.simulated.worlds import World
from inquest import Inquest
from inquest.app.cases.reporting import export, render
from inquest.cli.entry import run
from inquest.domain.case import Case
from inquest.domain.finding import Verdict
from inquest.domain.topic import VerificationLevel
from tests.app.social_networks import BLUESKY_POSTS, REDDIT_THINGS, X_REPLY, Networks
from tests.app.topic_worlds import WORLDS, TopicWorld
from tests.app.verified_topics import verified
from tests.faults.attacks import HARMLESS, MARKUP, ORDERS, seen_raw
from tests.faults.services_played import KEYS

ENGINES = "collection,x,reddit,bluesky"
PAST_RATE = {name: {"per_second": "none"} for name in ("x", "reddit", "bluesky")}


pytestmark = pytest.mark.usefixtures("no_pauses")


def saying(world: TopicWorld, words: tuple[str, ...]) -> TopicWorld:
    """Each page has another sentence at its end."""
    pages = tuple(
        (domain, at, title, f"{text} {words[n % len(words)]}")
        for n, (domain, at, title, text) in enumerate(world.pages)
    )
    return replace(world, pages=pages)


def posting(words: tuple[str, ...]) -> Networks:
    """Each post has another sentence at its end, as have the name and description of each account."""
    x: Any = copy.deepcopy(X_REPLY)
    reddit, bluesky = copy.deepcopy(REDDIT_THINGS), copy.deepcopy(BLUESKY_POSTS)
    given = iter(words)
    for user, word in zip(x["includes"]["users"], words, strict=False):
        user |= {"name": word[:50], "description": word}
    for one in x["data"]:
        if not one["text"].startswith("RT "):
            one["text"] += f" {next(given)}"
    for number, thing in enumerate(reddit):
        if thing["data"]["selftext"].startswith("I work"):
            thing["data"]["selftext"] += f" {words[number]}"
        thing["data"]["author_flair_text"] = words[number]
    for number, one in enumerate(bluesky):
        one["author"] = one["author"] | {"displayName": words[number], "description": words[-number]}
        one["record"]["text"] += f" {words[-number - 1]}"
    return Networks(x=x, reddit=reddit, bluesky=bluesky)


@dataclass(frozen=True)
class Met:
    case: Case
    asked: list[str]
    fetched: set[str]


async def investigated(folder: Path, world: TopicWorld, networks: Networks) -> Met:
    folder.mkdir()
    async with simulated_web(World((), ()), hosts=networks.hosts) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=folder / "home", keys=KEYS, engine=PAST_RATE, **settings) as inquest:
            case = await verified(inquest, folder, world, engines=ENGINES)
            assert (await inquest.replay(case.id)).same
        return Met(case, sorted(networks.asked), {url for _, _, _, url in web.log} - set(networks.asked))


def came_to(case: Case) -> dict[str, Any]:
    """Everything that matters in a case, without the words of the pages."""
    result = case.investigation
    assert result is not None, case.why
    texts = {claim.id: claim.text for claim in case.claims}
    assert case.plan is not None and case.summary is not None
    return {
        "level": result.recommended_verification_level,
        "flags": result.review_flags,
        "reasons": result.upgrade.reasons,
        "origin": result.original_source.url if result.original_source else None,
        "verdicts": {texts[each.claim_id]: each.verdict for each in case.assessments},
        "tiers": {source.url: (source.rating.tier, source.rating.score, source.excluded) for source in case.sources},
        "queries": case.plan.queries,
        "departures": case.departures,
        "eyewitnesses": result.social.eyewitnesses,
        "headings": [section.heading for section in case.summary.sections],
        "status": case.status,
    }


def worth_of_posts(case: Case) -> dict[str, object]:
    assert case.investigation is not None
    return {post.url: (post.author_credibility, post.verification_status) for post in case.investigation.social.posts}


async def test_orders_in_pages_and_posts_change_nothing(tmp_path: Path) -> None:
    """Compare with the same pages and posts with harmless text in place of the instructions."""
    world = WORLDS["false and denied"]
    plain = await investigated(tmp_path / "plain", saying(world, HARMLESS), posting(HARMLESS))
    attacked = await investigated(tmp_path / "attacked", saying(world, ORDERS), posting(ORDERS))
    steered, unsteered = came_to(attacked.case), came_to(plain.case)
    for kept in ("queries", "departures", "eyewitnesses", "status"):
        assert steered[kept] == unsteered[kept], kept
    shared = steered["tiers"].keys() & unsteered["tiers"].keys()
    assert all(steered["tiers"][url] == unsteered["tiers"][url] for url in shared)
    # The local analyst reads the context of a sentence, so it may be less sure; instructions never raise a topic's
    # level and never reverse a verdict.
    assert steered["level"] in (unsteered["level"], VerificationLevel.UNVERIFIED)
    opposite = {Verdict.VERIFIED: Verdict.CONTRADICTED, Verdict.CONTRADICTED: Verdict.VERIFIED}
    for claim in steered["verdicts"].keys() & unsteered["verdicts"].keys():
        assert steered["verdicts"][claim] is not opposite.get(unsteered["verdicts"][claim]), claim
    one, other = worth_of_posts(attacked.case), worth_of_posts(plain.case)
    assert all(one[url] == other[url] for url in one.keys() & other.keys())
    assert attacked.case.summary is not None
    said = " ".join(each.text for section in attacked.case.summary.sections for each in section.statements)
    assert not [order for order in ORDERS if order[:40] in said], "nor is any of it told as a result"
    # A token is in no recording: the number of requests for it depends on concurrent work.
    assert set(attacked.asked) == set(plain.asked), "nobody was asked anything else"
    assert not attacked.fetched, "and no address in a text was fetched"
    assert attacked.case.cost.search_calls == plain.case.cost.search_calls


def marked(world: TopicWorld) -> TopicWorld:
    """The topic and its pages under titles that are markup."""
    pages = tuple((domain, at, f"{title} {MARKUP}", f"{text} {MARKUP}") for domain, at, title, text in world.pages)
    return replace(world, title=f"{world.title} {MARKUP}", pages=pages)


async def test_markup_in_titles_names_and_posts_is_shown_and_does_nothing(tmp_path: Path) -> None:
    networks, world = posting((MARKUP,) * len(ORDERS)), marked(WORLDS["only somebody's blog"])
    async with simulated_web(World((), ()), hosts=networks.hosts) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=tmp_path / "home", keys=KEYS, engine=PAST_RATE, **settings) as inquest:
            case = await verified(inquest, tmp_path, world, engines=ENGINES)
            assert case.investigation is not None and case.investigation.social.posts
            for form in ("md", "html"):
                text = (await render(inquest.app, case, form)).decode()
                assert not seen_raw(text, form), form
                assert "alert(1)" in text, "it is shown, and not left out"
            assert (await render(inquest.app, case, "pdf")).startswith(b"%PDF")
            told = json.loads(await render(inquest.app, case, "json"))
            assert told["case_id"] == case.id
            target = tmp_path / "reviews.json"
            await export(inquest.app, case, "claimreview", target)
            assert "<" not in target.read_text()


FORMULAS = ("+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1+1")


async def test_no_cell_of_an_exported_table_is_a_formula(tmp_path: Path) -> None:
    world = WORLDS["true and confirmed"]
    pages = tuple(
        (domain, at, f"{FORMULAS[number % len(FORMULAS)]} {title}", text)
        for number, (domain, at, title, text) in enumerate(world.pages)
    )
    async with Inquest(home=tmp_path / "home") as inquest:
        case = await verified(inquest, tmp_path, replace(world, title=f"={world.title}", pages=pages))
        await export(inquest.app, case, "csv", tmp_path / "findings.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "findings.csv").read_text(encoding="utf-8"))))
    assert len(rows) > 1
    assert not [cell for row in rows for cell in row if cell.lstrip()[:1] in ("=", "+", "@", "-") and len(cell) > 1]


def test_the_terminal_shows_a_title_and_is_not_steered_by_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, rows = tmp_path / "topic.json", tmp_path / "rows.jsonl"
    world = marked(WORLDS["true and confirmed"])
    file.write_text(json.dumps(world.topic))
    rows.write_text("\n".join(json.dumps(row) for row in world.rows))
    offline = ["--engines", "collection", "--collection", "pages", "--as-of", "2025-07-01"]
    assert run(["collection", "add", "pages", str(rows)]) == 0
    for words in (
        ["topics", "add", str(file)],
        ["topics", "list"],
        ["topics", "candidates"],
        ["verify", str(file), *offline],
        ["topics", "list"],
        ["watch", "add", "1", "--every", "1d"],
        ["watch", "list"],
        ["cases"],
    ):
        code = run(words)
        out, err = capfd.readouterr()
        assert code in (0, 1, 2, 3), (words, code)
        assert not seen_raw(out + err, "terminal"), (words, out, err)

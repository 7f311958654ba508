"""Made topics (bench/topics_made) end to end on the simulated web, without a model service: which rise.

`python -m bench.speed made_topics [HOW MANY]`: 24 of the held-out kinds unless told otherwise. Each topic has a web of
its own that holds its pages; everything else is as in a real investigation: queries, engine, pages, claims, a search
for each claim, judgments with the small local model, level. `python -m bench.quality upgrades` has such topics in
greater number, without search and small model.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.figures import Figure
from bench.measures.upgrades import made_topics
from bench.simulated.running import limits_lifted
from bench.simulated.server import Latencies, settings_for, simulated_web
from bench.simulated.worlds import Page, World
from bench.topics_made.worlds import MadePage, MadeTopic, a_topic

__all__ = ["measure", "web_of"]

_LIST, _SEED = "held", 20_000


def measure(arguments: list[str]) -> list[Figure]:
    """The figures of one run."""
    many = int(arguments[0]) if arguments else 24
    every = list(made_topics(_LIST))
    # Evenly over kinds, headlines and truths: the step shares no factor with the number of truths of a headline.
    chosen = [a_topic(_LIST, *every[(number * 37) % len(every)], _SEED) for number in range(many)]
    return asyncio.run(_figures(chosen))


async def _figures(topics: Sequence[MadeTopic]) -> list[Figure]:
    began = time.perf_counter()
    rose = [await rises(each) for each in topics]
    seconds = time.perf_counter() - began
    pairs = list(zip(topics, rose, strict=True))
    wrongly = [each.topic.title for each, risen in pairs if risen and not each.may_rise]
    missed = [each.topic.title for each, risen in pairs if each.may_rise and not risen]
    true = sum(each.may_rise for each in topics)
    details = {"topics": len(topics), "true": true, "rose": sum(rose), "seconds_each": round(seconds / len(topics), 2)}
    return [
        Figure("made_topics", "false", len(wrongly) / max(1, sum(rose)), "share of those that rose", details),
        Figure("made_topics", "unfounded", len(wrongly) / max(1, len(topics) - true), "share of those that must not"),
        Figure("made_topics", "missed", len(missed) / max(1, true), "share of the true and confirmed"),
    ]


def web_of(made: MadeTopic) -> World:
    """A world that holds the topic's pages and nothing else; what they tell is known to no simulated model."""
    return World(
        facts=(),
        pages=tuple(_page(each) for each in made.pages),
        ratings={each.host: each.score for each in made.pages},
        topic=made.topic.title,
    )


def _page(page: MadePage) -> Page:
    path = page.url.removeprefix(f"https://{page.host}")
    return Page(page.host, path, page.title, page.published, (), tuple(page.text.split("\n\n")), scheme="http")


async def rises(made: MadeTopic) -> bool:
    """Whether an investigation of the topic, on a web of its own, raises its level."""
    from inquest import Inquest
    from inquest.app.cases.requests import approval_from
    from inquest.app.desks.verifying import topic_brief
    from inquest.engines.web.tavily import Tavily

    world = web_of(made)
    latencies = Latencies(model=0, search=0, page=0, robots=0)
    with limits_lifted(Tavily), tempfile.TemporaryDirectory() as folder:
        ratings, file = Path(folder) / "ratings.csv", Path(folder) / "topic.json"
        ratings.write_text(world.ratings_csv())
        topic = made.topic
        row = {"title": topic.title, "place": topic.place, "discovery_date": "2024-03-06"}
        row |= {"url": topic.url.replace("https://", "http://")} if topic.url else {}
        row |= {"event_date": f"{topic.event_date:%Y-%m-%d}"} if topic.event_date else {}
        file.write_text(json.dumps(row))
        async with simulated_web(world, latencies) as web:
            settings = settings_for(web.port) | {"model": None}
            settings["keys"] = {name: key for name, key in settings["keys"].items() if "TAVILY" in name}
            async with Inquest(home=Path(folder), ratings=ratings, **settings) as inquest:
                brief = await topic_brief(inquest.app, str(file), again=True, mode="detailed", engines="tavily")
                session = await inquest.app.new_case(brief)
                async with session:
                    case = await session.begin()
                    assert case.plan is not None, case.why
                    case = await session.decide(approval_from("approve", case.plan, how="bench", by="bench"))
    assert case.investigation is not None, case.why
    return case.investigation.verification_upgraded

"""Internal addresses, in every spelling and every place where a topic or a market question can name one: as the topic's
page, as a filing, in a post and behind a redirect. None is reached, and this is reported in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.simulated.markets import NOW as MARKET_NOW
from bench.simulated.markets import QUESTION, a_market_world
from bench.simulated.server import Acts, SimulatedWeb, Told, simulated_web
from bench.simulated.worlds import World
from inquest import Inquest
from inquest.app.desks.topics import add_topics
from inquest.domain.errors import PageError
from tests.app.topic_worlds import WORLDS
from tests.app.verified_topics import verified
from tests.faults.services_played import KEYS
from tests.faults.test_topic_attacks import PAST_RATE, posting

INSIDE = (
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://0xa9fea9fe/",
    "http://0xA9.0xFE.43518/",
    "http://[::ffff:169.254.169.254]/",
    "http://127.1/",
    "http://localhost:8765/",
)
REDIRECTS = "https://moved.press.example/story"


pytestmark = pytest.mark.usefixtures("no_pauses")


def _moved(method: str, url: str, body: bytes) -> Told | Acts:
    if url.endswith("/robots.txt"):
        return Told(404, "text/plain", b"")
    return Told(302, "text/html", b"", (("Location", INSIDE[0]),))


def reached(web: SimulatedWeb) -> list[str]:
    """The requests for internal addresses: the proxy of these tests sees every request."""
    return [url for _, _, _, url in web.log if ".example" not in url.split("/")[2]]


def assert_one_sentence(said: str) -> None:
    assert said.endswith(".") and "\n" not in said and "Traceback" not in said, said


@pytest.mark.parametrize("address", [INSIDE[0], INSIDE[5], REDIRECTS])
async def test_as_the_page_of_a_topic_it_is_refused(address: str, tmp_path: Path) -> None:
    async with simulated_web(World((), ()), hosts={"moved.press.example": _moved}) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=tmp_path / "home", **settings) as inquest:
            with pytest.raises(PageError) as refused:
                await add_topics(inquest.app, address)
    assert_one_sentence(refused.value.sentence)
    assert not reached(web)


async def test_as_a_filing_it_is_an_outage_and_the_answer_goes_on(tmp_path: Path) -> None:
    address = REDIRECTS
    async with (
        simulated_web(a_market_world(), hosts={"moved.press.example": _moved}) as web,
        Inquest(home=tmp_path / "home", **(web.settings | {"model": ""})) as inquest,
    ):
        case = await inquest.ask(QUESTION, filings=[address], engines=["tavily"], as_of=MARKET_NOW)
        assert (await inquest.replay(case.id)).same
    assert case.answer is not None and case.answer.developments, case.why
    (outage,) = [note for note in case.outages if note.where == address]
    assert_one_sentence(outage.why)
    assert f"The filing {address} was not read, so no news is compared with it." in case.answer.notes
    assert not [url for url in reached(web) if "tavily" not in url]


async def test_in_posts_it_is_not_followed(tmp_path: Path) -> None:
    words = tuple(f"See {INSIDE[n % len(INSIDE)]} and {REDIRECTS}" for n in range(18))
    networks, world = posting(words), WORLDS["only somebody's blog"]
    networks_hosts = {**networks.hosts, "moved.press.example": _moved}
    async with simulated_web(World((), ()), hosts=networks_hosts) as web:
        settings = {name: web.settings[name] for name in ("proxy", "ca_file")}
        async with Inquest(home=tmp_path / "home", keys=KEYS, engine=PAST_RATE, **settings) as inquest:
            case = await verified(inquest, tmp_path, world, engines="collection,x,reddit,bluesky")
    assert case.investigation is not None and case.investigation.social.posts, case.why
    asked = set(networks.asked)
    assert not [url for _, _, _, url in web.log if url not in asked], "no link in a post was followed"

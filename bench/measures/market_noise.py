"""A generated stream of leads of the market desk: how much bait, copying and advertising is taken out, and how much
that is none of it.

The stream is made from lists by number: reports of events at companies, some under titles that explain as bait does
('Why X shares are down'); each also as copies (with another outlet's name behind the title, in capitals, with a
sentence cut off, under another title); bait, plain and sly; and pages that urge to trade. `removed` is the share of
noise that is not read (spec 003: 85 %), `false_removals` the share of reports of which nothing is left to read.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure
from inquest.desks.market.questions import read_question
from inquest.desks.market.ranking import rank_market
from inquest.domain.document import Precision, Published
from inquest.domain.search import Hit
from inquest.sources.tiers import rate

DATA = None
_NOW = datetime(2026, 3, 2, 20, tzinfo=UTC)
_COMPANIES = (
    "Norvane Aldmoor Veltra Calderon Brastine Orrinto Tovelund Harrowby Marshwell Dornic Lundqvist Ansellia".split()
)
_EVENTS = (
    ("{c} cuts revenue guidance for the year on weak orders",
     "{c} said on Monday that it now expects revenue of {n} billion dollars, after customers put off orders. Chief "
     "executive {p} told analysts that stocks at distributors were {m} percent above plan."),
    ("{c} to buy rival's sensor business for ${n} billion",
     "{c} has agreed to buy the sensor business of a rival for {n} billion dollars in cash. The companies expect to "
     "close the deal in the {q} quarter, subject to approval by regulators in {m} countries."),
    ("Regulator opens inquiry into {c} over disclosure",
     "The securities regulator has opened a formal inquiry into how {c} disclosed a loss of {m} million dollars at its "
     "unit abroad. {c} said it was cooperating and had told its auditor in the {q} quarter."),
    ("Analysts at Brook Hill downgrade {c}, cut target to ${m}",
     "Brook Hill lowered {c} to hold from buy and its price target to {m} dollars. The analysts named rising costs and "
     "a slower launch of the {n} series as reasons for the change."),
    ("{c} recalls {m},000 chargers after reports of overheating",
     "{c} is recalling about {m},000 chargers sold since the {q} quarter after reports that they overheat. It put the "
     "cost at {n} million dollars and named {p} to lead the repair programme."),
    ("{c} names {p} chief financial officer",
     "{c} has appointed {p} as chief financial officer with effect from the {q} quarter. {p} spent {m} years at a "
     "maker of machine tools and led its listing, which raised {n} billion dollars."),
    ("Why {c} shares are down today",
     "{c} shares fell {n} percent after a court in the {q} district ruled against it in a patent case. It must pay {m} "
     "million dollars unless it wins on appeal, the ruling says."),
    ("{c} results: five things to know",
     "{c} earned {m} cents a share in the {q} quarter on sales of {n} billion dollars. Orders rose, margins fell, and "
     "the board kept the dividend where it was."),
    ("Here's what analysts say about {c} after its outage",
     "Brook Hill kept its target for {c} at {m} dollars after an outage of its network that lasted {n} hours. Calder "
     "Street expects refunds in the {q} quarter."),
)  # fmt: skip
_OTHER_TITLES = ("{c}: what happened", "{c} in the news", "Markets today: {c} moves", "{c} update for investors")
_BAIT = (
    "You won't believe what just happened to {c} stock",
    "This one weird {c} trick has Wall Street stunned",
    "10 reasons why {c} will shock you (number 7 is insane)",
    "What {c} doesn't want you to know about its shares",
    "The shocking truth about {c} that nobody is talking about",
    "Here's the secret behind {c} — and it will blow your mind",
    "{c} just did something nobody saw coming",
    "Forget the rest: the only number that matters for {c}",
    "{c} investors are furious, and you will be too",
    "Is {c} about to explode? The answer may surprise you",
)
_URGING = (
    "{c} is a screaming buy right now: load up before it's too late",
    "3 stocks to buy with {c} before they soar",
    "My top pick for the next ten years is not {c}, and it could double",
    "Should you buy {c}? Why investors must buy the dip now",
)
_OUTLETS = " | MarketDesk; - The Daily Ledger; | Finance Wire; - Street Journal".split(";")
_PEOPLE = "Ada Morrow;Jonas Feld;Mirela Costa;Peter Lang;Inga Dahl;Samuel Okoro".split(";")


class _Made(NamedTuple):
    hit: Hit
    story: int | None
    """Which report it is or copies; None: it is bait or urges."""
    noise: str
    """bait, copy, urging; '' for the first telling of a report."""


def measure(data: Path | None) -> list[Figure]:
    """The figures over a stream of 12 companies with 9 events each."""
    del data
    made = _stream(random.Random(3))
    kinds = {each.hit.url: each for each in made}
    question = read_question("What is the latest news in semiconductors?", _NOW)
    ranking = rank_market([each.hit for each in made], question, rate)
    read = [kinds[lead.hit.url] for lead in ranking.leads]
    stories = {each.story for each in made if each.story is not None}
    kept = {each.story for each in read if each.story is not None}
    bait = [each for each in made if each.noise in ("bait", "urging")]
    # A copy may be read in place of the first telling: what counts is how many of one report are read beyond one.
    copies = sum(each.noise == "copy" for each in made)
    copies_read = sum(each.story is not None for each in read) - len(kept)
    bait_read = sum(each.noise in ("bait", "urging") for each in read)
    noise = len(bait) + copies
    details = {"leads": len(made), "bait": len(bait), "copies": copies}
    return [
        Figure("market_noise", "removed", 1 - (copies_read + bait_read) / noise, details=details),
        Figure("market_noise", "bait_removed", 1 - bait_read / len(bait), details=details),
        Figure("market_noise", "copies_removed", 1 - copies_read / copies, details=details),
        Figure("market_noise", "false_removals", 1 - len(kept) / len(stories), details={"reports": len(stories)}),
    ]


def _stream(chance: random.Random) -> list[_Made]:
    made: list[_Made] = []
    for which, company in enumerate(_COMPANIES):
        for event, (title, text) in enumerate(_EVENTS):
            words = {"c": company, "n": f"{chance.randint(11, 99) / 10}", "m": chance.randint(11, 95),
                     "q": chance.choice(("second", "third", "fourth")), "p": chance.choice(_PEOPLE)}  # fmt: skip
            story = which * len(_EVENTS) + event
            head, body = title.format(**words), text.format(**words)
            made.append(_Made(_hit(f"paper{story}", head, body, chance), story, ""))
            for copy in range(chance.randint(0, 4)):
                outlet = chance.choice(_OUTLETS)
                said = (head + outlet, body) if copy != 1 else (head.upper(), body)
                if copy == 2:
                    said = (head + outlet, body.rsplit(". ", 1)[0] + ".")
                if copy == 3:
                    said = (chance.choice(_OTHER_TITLES).format(**words), body)
                made.append(_Made(_hit(f"copy{story}x{copy}", *said, chance), story, "copy"))
        for number, title in enumerate((*chance.sample(_BAIT, 5), *chance.sample(_URGING, 2))):
            noise = "bait" if number < 5 else "urging"
            body = f"Everybody talks about {company} today, and what comes next may surprise even the experts."
            made.append(_Made(_hit(f"hype{which}x{number}", title.format(c=company), body, chance), None, noise))
    chance.shuffle(made)
    return made


def _hit(host: str, title: str, snippet: str, chance: random.Random) -> Hit:
    at = _NOW - timedelta(minutes=chance.randint(5, 900))
    return Hit(
        url=f"https://{host}.example/{chance.randint(1000, 9999)}",
        title=title,
        snippet=snippet,
        engine=chance.choice(("fmp", "eodhd", "tavily")),
        rank=chance.randint(1, 15),
        published=Published(at=at, precision=Precision.TIME),
    )

"""A topic whose truth is known, and the pages that a search for it would find.

Each is put together by number from the kinds of events in `seen.toml` and `held.toml`: who, where, how much, in which
headline, and in which other words the papers have it. What a world is (`Truth`) and how many credible papers confirm
the topic is known from how it was made, and not from what is found in it.
"""

from __future__ import annotations

import random
import re
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypedDict, Unpack

from inquest.domain.source import Category
from inquest.domain.topic import Topic

__all__ = ["KINDS", "READ", "MadePage", "MadeTopic", "Truth", "a_topic", "gives_a_figure", "kinds", "wordings"]

HERE = Path(__file__).parent
KINDS = ("seen", "held")
"""The two lists of kinds: those whose errors are looked at, and those of which only figures are read."""


class _Publisher(TypedDict, total=False):
    """Who publishes a made page, where that is not one of the newspapers."""

    host: str
    score: int | None
    category: str
    release: bool


class Truth(StrEnum):
    """What is so of a topic."""

    TRUE = "true"
    FALSE = "false"
    OTHER_FIGURE = "other_figure"
    """It happened, and to another figure than its title gives."""
    OLD = "old"
    """It happened years before the date that the topic bears."""


@dataclass(frozen=True)
class MadePage:
    """A page as a search would find it."""

    host: str
    title: str
    text: str
    published: datetime
    score: int
    category: str = Category.NEWSPAPER.value
    release: bool = False
    role: str = ""
    """Why it is there: confirms, copy, other, planned, elsewhere, ..."""

    @property
    def url(self) -> str:
        return f"https://{self.host}/{self.published:%Y/%m}/{re.sub('[^a-z0-9]+', '-', self.title.lower())[:60]}"


@dataclass(frozen=True)
class MadeTopic:
    """A topic with its pages, its truth, and how many independent credible pages confirm it."""

    topic: Topic
    pages: tuple[MadePage, ...]
    truth: Truth
    credible: int
    kind: str
    wording: int

    @property
    def may_rise(self) -> bool:
        return self.truth is Truth.TRUE and self.credible > 0


_HAPPENED = datetime(2024, 3, 4, tzinfo=UTC)
READ = datetime(2024, 3, 14, tzinfo=UTC)
"""When the pages are read."""
_FIRST = (
    "Garan Lenor Torvik Halden Brisk Ostra Korvan Wickmar Fenlow Dalum Pelton Sandor Lorvane Quarn Nymar Veskar".split()
)
_LAST = "Aldous Brecken Carrow Dunmore Ellwand Farrow Gorst Hallam Innes Jessop Kerrich Lomax Merrow Northcott".split()
_MEN, _WOMEN = "Peter Martin Robert Thomas Daniel".split(), "Helen Maria Judith Karen Laura".split()
_TOWNS = (
    "Haverley Brackmoor Estwick Tolmouth Ravensea Oldbury Quenby Marlock Stanholt Wexcombe Fellgate Drayhaven".split()
)
_UNIONS = ("Metalmen", "Unity", "Solidar", "Commonwork")
_PRODUCTS = ("heaters", "scooters", "air fresheners", "power banks", "toasters", "candles")
_FIRMS = ("", "", " Group", " Industries", " Holdings")
_PAPERS = "Courier Herald Echo Ledger Gazette Tribune Chronicle Observer".split()
_BACKGROUND = (
    "{firm} was founded in {y1} and has an office in {near}.",
    "About {x} people live in {town}, on the road to {near}.",
    "{town} last made headlines in {y1}, when its market hall was rebuilt.",
    "Neighbours in {town} spoke of little else on market day, said a baker with {x} customers.",
    "The local paper of {near} printed {x} letters on other matters in the same week.",
    "A spokeswoman for {firm} did not return calls before our deadline at {x} minutes past six.",
    "More on this in our edition number {x}.",
    "The council of {near} meets again on the {x}th day of the session.",
    "Weather in {town} was mild, with {x} hours of sun in the week.",
    "{firm} sponsors a football team in {near} that has {x} members.",
    "A historian in {near} has collected {x} postcards of {town}.",
)
_UNCONFIRMED = (
    'A message that is being shared says: "{telling}" This newspaper found nothing that bears it out.',
    'Is it true that it came to this? "{telling}" So says a letter without a signature. It is unclear who wrote it.',
    'There are rumours in {town}: "{telling}" Nobody has confirmed them.',
)
_HEADS = (
    "News from {town}",
    "In brief",
    "{town}: what happened this week",
    "Notes from the region",
    "{firm} in the news",
)


@cache
def kinds(listed: str) -> dict[str, dict[str, list[str]]]:
    """The kinds of events of a list, by name."""
    return tomllib.loads((HERE / f"{listed}.toml").read_text())


def wordings(listed: str) -> list[tuple[str, int]]:
    """Every kind of a list with each of its headlines."""
    return [(kind, place) for kind, forms in kinds(listed).items() for place in range(len(forms["titles"]))]


def gives_a_figure(listed: str, kind: str, wording: int) -> bool:
    """Whether the headline has a number that could be another."""
    return any(f"{{{slot}}}" in kinds(listed)[kind]["titles"][wording] for slot in ("n", "m", "pc", "yr"))


def a_topic(listed: str, kind: str, wording: int, truth: Truth, credible: int, seed: int) -> MadeTopic:
    """The topic of that kind and headline, with as many credible pages that tell of it (of the same figure or, where
    that is the truth of it, of another; long before, where it is old). The same arguments give the same."""
    return _Maker(listed, kind, wording, random.Random(f"{listed} {kind} {wording} {truth} {credible} {seed}")).made(
        truth, credible
    )


class _Maker:
    def __init__(self, listed: str, kind: str, wording: int, draw: random.Random) -> None:
        self.forms, self.kind, self.wording, self.draw = kinds(listed)[kind], kind, wording, draw
        self.facts = self._facts()
        self.taken: set[str] = set()

    def made(self, truth: Truth, credible: int) -> MadeTopic:
        title = self._fill(self.forms["titles"][self.wording])
        told = self._other_figures() if truth is Truth.OTHER_FIGURE else self.facts
        at = _HAPPENED - timedelta(days=self.draw.randint(800, 2400)) if truth is Truth.OLD else _HAPPENED
        order = self.draw.sample(self.forms["tellings"], len(self.forms["tellings"]))
        telling_pages = [self._telling(order[n % len(order)], told, at, role="confirms") for n in range(credible)]
        pages = list(telling_pages)
        for page in telling_pages[: self.draw.randint(0, 2)]:
            pages += [self._copy(page) for _ in range(self.draw.randint(1, 3))]
        if truth is Truth.FALSE and self.draw.random() < 0.4:
            pages += [self._page([self._fill(self.draw.choice(self.forms["against"]))], role="against")]
        if truth is Truth.FALSE or self.draw.random() < 0.4:
            pages.append(self._telling(order[-1], self.facts, at, score=self.draw.choice((15, 30, 35)), role="low"))
        noise = ["other", "other", "planned", "elsewhere", "older", "background", "release", "unconfirmed", "satire"]
        few = (4, 6) if truth is Truth.FALSE else (2, 4)
        dated = truth is Truth.OLD or self.draw.random() < 0.8
        # Of a topic without a date nobody can tell that an older event is not meant.
        left = [role for role in self.draw.sample(noise, self.draw.randint(*few)) if dated or role != "older"]
        # Of a title that names neither who nor where, what happened elsewhere is an instance.
        named = any(self.facts[key].split()[0] in title for key in ("firm", "town", "man", "woman"))
        left = [role for role in left if named or role != "elsewhere"]
        pages += [self._noise(role) for role in left]
        own = (
            self._telling(self.draw.choice(order), self.facts, _HAPPENED, role="own")
            if self.draw.random() < 0.4
            else None
        )
        pages += [own] if own else []
        self.draw.shuffle(pages)
        topic = Topic(
            title=title,
            url=own.url if own else None,
            place=self.facts["town"] if self.draw.random() < 0.5 else "",
            event_date=_HAPPENED if dated else None,
            discovery_date=_HAPPENED + timedelta(days=2),
        )
        return MadeTopic(topic, tuple(pages), truth, credible, self.kind, self.wording)

    def _noise(self, role: str) -> MadePage:
        if role in ("other", "planned"):
            return self._page([self._fill(self.draw.choice(self.forms[role]))], role=role)
        telling = self.draw.choice(self.forms["tellings"])
        if role == "elsewhere":
            told = self._others() | {key: self.facts[key] for key in ("n", "m") if self.draw.random() < 0.3}
            return self._telling(telling, told, _HAPPENED, role=role)
        if role == "older":
            before = _HAPPENED - timedelta(days=self.draw.randint(500, 4000))
            return self._telling(telling, self._other_figures(), before, role=role)
        return self._dubious(role, self._fill(telling)) or self._page([], role="background")

    def _dubious(self, role: str, said: str) -> MadePage | None:
        """A page that tells the matter and witnesses nothing; None: the role is none of these."""
        if role == "release":
            host = f"{self.facts['firm'].split()[0].lower()}.example"
            body = [f"{self.facts['firm']} announces: {said}", "We look forward to what comes next."]
            return self._page(body, host=host, score=30, category=Category.COMPANY.value, release=True, role=role)
        if role == "unconfirmed":
            return self._page([self._fill(self.draw.choice(_UNCONFIRMED)).replace("{telling}", said)], role=role)
        return self._page([said], score=5, category=Category.SATIRE.value, role=role) if role == "satire" else None

    def _telling(
        self, form: str, told: dict[str, str], at: datetime, *, score: int | None = None, role: str
    ) -> MadePage:
        others = [each for place, each in enumerate(self.forms["titles"]) if place != self.wording]
        head = self.draw.choice(others) if self.draw.random() < 0.5 else self.draw.choice(_HEADS)
        at += timedelta(hours=self.draw.randint(3, 90))
        said = self._fill(form, told)
        return self._page([said], title=self._fill(head, told), at=at, score=score, role=role, facts=told)

    def _page(
        self,
        said: list[str],
        *,
        title: str = "",
        at: datetime | None = None,
        role: str,
        facts: dict[str, str] | None = None,
        **publisher: Unpack[_Publisher],
    ) -> MadePage:
        more = [self._fill(each, facts) for each in self.draw.sample(_BACKGROUND, self.draw.randint(3, 5))]
        place = self.draw.choice((0, 0, 0, 1))
        text = "\n\n".join((*more[:place], *said, *more[place:]))
        at = at or _HAPPENED + timedelta(hours=self.draw.randint(3, 90))
        title = title or self._fill(self.draw.choice(_HEADS), facts)
        score = publisher.get("score")
        score = self.draw.choice((72, 76, 80, 88, 92)) if score is None else score
        category, release = publisher.get("category", Category.NEWSPAPER.value), publisher.get("release", False)
        return MadePage(publisher.get("host") or self._host(), title, text, at, score, category, release, role)

    def _copy(self, page: MadePage) -> MadePage:
        later = page.published + timedelta(hours=self.draw.randint(1, 30))
        score = self.draw.choice((72, 76, 80))
        return MadePage(self._host(), page.title, page.text, later, score, role="copy")

    def _host(self) -> str:
        while True:
            host = f"{self.draw.choice(_FIRST).lower()}-{self.draw.choice(_PAPERS).lower()}.example"
            if host not in self.taken:
                self.taken.add(host)
                return host

    def _fill(self, form: str, facts: dict[str, str] | None = None) -> str:
        told = (facts or self.facts) | {
            "y1": str(self.draw.randint(1890, 1999)),
            "x": str(self.draw.randint(13, 97) * 10 + 7),
            "telling": "{telling}",
        }
        text = form.format(**told)
        return text[:1].upper() + text[1:]

    def _facts(self) -> dict[str, str]:
        draw = self.draw
        firm, rival = draw.sample(_FIRST, 2)
        town, near = draw.sample(_TOWNS, 2)
        man, woman = draw.sample(_LAST, 2)
        facts = {
            "firm": firm + draw.choice(_FIRMS), "rival": rival + draw.choice(_FIRMS), "town": town, "near": near,
            "man": f"{draw.choice(_MEN)} {man}", "woman": f"{draw.choice(_WOMEN)} {woman}",
            "union": draw.choice(_UNIONS), "product": draw.choice(_PRODUCTS),
            "n2": str(draw.randint(3, 12) * 100 + 50), "m2": f"{draw.randint(20, 90)},000 euros",
        }  # fmt: skip
        return facts | self._figures()

    def _others(self) -> dict[str, str]:
        """Other people at another place."""
        whose = ("firm", "rival", "town", "near", "man", "woman")
        mine = {self.facts[key].split()[part] for key in whose for part in (0, -1)}
        while True:
            facts = self._facts()
            if not mine & {facts[key].split()[part] for key in whose for part in (0, -1) if key != "near"}:
                return facts

    def _figures(self) -> dict[str, str]:
        draw = self.draw
        return {
            "n": str(draw.randint(14, 960)),
            "m": f"{draw.randint(11, 89) / 10:g} million euros",
            "pc": str(draw.randint(4, 39)),
            "yr": str(draw.randint(2, 9)),
        }

    def _other_figures(self) -> dict[str, str]:
        """The same event to figures that nobody takes for the same rounded."""
        while True:
            figures = self._figures()
            if all(_apart(figures[key], self.facts[key]) for key in figures):
                return self.facts | figures


def _apart(one: str, other: str) -> bool:
    left, right = (float(each.split()[0]) for each in (one, other))
    return abs(left - right) > 0.15 * max(left, right)

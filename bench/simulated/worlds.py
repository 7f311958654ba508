"""A small world of facts, the pages that report them, and the truth about it: the material of the simulated web.

Everything is composed from short lists by number, so that the result is the same every time, and every sentence that
reports a fact is known, with its stance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

__all__ = ["BRIEF", "PLACES", "TOPIC", "Fact", "Page", "Telling", "World", "a_world", "aside"]

BRIEF = (
    "What is known about the fire at the Aldermoor battery plant in 2024: what caused it, what was released, who knew?"
)
TOPIC = "Fire at the Aldermoor battery plant"
_BEGAN = datetime(2024, 3, 4, tzinfo=UTC)


@dataclass(frozen=True)
class Fact:
    """A fact, or something that is claimed. `told` and `denied` are its two sides, as self-contained claims; '' if
    nobody claims the other."""

    id: str
    told: str
    denied: str
    query: str
    verdict: str
    """The right verdict on `told` from the evidence of this world: verified, contradicted, disputed, unverified."""


@dataclass(frozen=True)
class Telling:
    """A sentence of a page, the fact it is about, and whether it supports it."""

    sentence: str
    fact: str
    supports: bool
    contradiction: str | None = None
    """The type of contradiction, if it contradicts; None: direct."""


@dataclass(frozen=True)
class Page:
    """One page, by one publisher."""

    host: str
    path: str
    title: str
    published: datetime
    tellings: tuple[Telling, ...]
    filler: tuple[str, ...] = ()
    attack: str = ""
    """Text that tries to give instructions to the model."""
    late: bool = False
    """Found only by the search for one claim."""
    scheme: str = "https"
    """The simulated web's certificate is valid only for press.example; other hosts are served without one."""

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}{self.path}"

    @property
    def sentences(self) -> tuple[str, ...]:
        return (*(telling.sentence for telling in self.tellings), *self.filler)

    def html(self) -> str:
        """The page as it is served."""
        paragraphs = "".join(f"<p>{sentence}</p>" for sentence in self.sentences)
        hidden = f"<p>{self.attack}</p>" if self.attack else ""
        return (
            f'<!doctype html><html lang="en"><head><title>{self.title}</title>'
            f'<meta property="article:published_time" content="{self.published:%Y-%m-%dT%H:%M:%SZ}"></head>'
            f"<body><nav><a href='/'>Home</a> <a href='/news'>News</a></nav><main><article><h1>{self.title}</h1>"
            f"{paragraphs}{hidden}</article></main><footer>All rights reserved.</footer></body></html>"
        )


@dataclass(frozen=True)
class World:
    """Facts, pages, and the credibility of each publisher (score 0 to 100)."""

    facts: tuple[Fact, ...]
    pages: tuple[Page, ...]
    ratings: dict[str, int] = field(default_factory=dict)
    topic: str = TOPIC

    def page(self, url: str) -> Page | None:
        """The page at an address."""
        return next((page for page in self.pages if page.url == url), None)

    def fact(self, fact_id: str) -> Fact:
        return next(fact for fact in self.facts if fact.id == fact_id)

    def tellings(self) -> dict[str, Telling]:
        """Every telling by its sentence."""
        return {telling.sentence: telling for page in self.pages for telling in page.tellings}

    def claims(self) -> dict[str, tuple[Fact, bool]]:
        """Every claim of this world: the fact it is about, and whether it states it (or denies it)."""
        both = ((fact, text, side) for fact in self.facts for text, side in ((fact.told, True), (fact.denied, False)))
        return {text: (fact, side) for fact, text, side in both if text}

    def found(self, query: str, limit: int) -> list[Page]:
        """The results of a search engine for the query: pages that share most words with it, best first. A late page is
        found only by a query about one of its facts."""
        wanted = _words(query)
        scored = []
        for order, page in enumerate(self.pages):
            if page.late and not any(_words(self.fact(t.fact).query) <= wanted for t in page.tellings):
                continue
            there = _words(" ".join((page.title, *page.sentences)))
            shared = len(wanted & there)
            if shared >= 2:
                scored.append((-shared, (order * 7 + len(wanted)) % len(self.pages), page))
        return [page for *_, page in sorted(scored, key=lambda item: item[:2])[:limit]]

    def ratings_csv(self) -> str:
        """The ratings in the form of a user's file."""
        rows = [f"{host},{score},the simulated world says so" for host, score in self.ratings.items()]
        return "\n".join(["domain,score,reason", *rows]) + "\n"


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 2}


_FACTS = (
    ("date", "The fire at the Aldermoor battery plant broke out on 4 March 2024.",
     "The fire at the Aldermoor battery plant broke out on 9 April 2024.", "Aldermoor fire broke out", "verified"),
    ("cause", "A failed cooling pump caused the fire at the Aldermoor battery plant.",
     "Arson caused the fire at the Aldermoor battery plant.", "Aldermoor fire cause cooling pump", "verified"),
    ("smoke", "The fire at Aldermoor released 380 kilograms of hydrogen fluoride.",
     "The fire at Aldermoor released no hydrogen fluoride.", "Aldermoor released hydrogen fluoride", "verified"),
    ("injured", "The fire at Aldermoor injured 17 workers.",
     "The fire at Aldermoor injured nobody.", "Aldermoor fire injured workers", "verified"),
    ("warning", "Voltrane was warned of the faulty pump in November 2023.",
     "Voltrane was never warned of the faulty pump.", "Voltrane warned faulty pump", "verified"),
    ("fine", "The safety authority fined Voltrane 2.4 million euros in September 2024.",
     "The safety authority did not fine Voltrane.", "safety authority fined Voltrane", "verified"),
    ("restart", "The Aldermoor plant resumed production on 12 June 2024.",
     "The Aldermoor plant never resumed production.", "Aldermoor plant resumed production", "verified"),
    ("wells", "Wells near Aldermoor held four times the permitted fluoride.",
     "Wells near Aldermoor held no more fluoride than is permitted.", "wells Aldermoor permitted fluoride", "verified"),
)  # fmt: skip
_SAYS = (
    "According to the safety authority's notice, {}",
    "Records seen by this newspaper show that {}",
    "Inspectors confirmed that {}",
    "The investigation report states that {}",
    "Officials told reporters that {}",
    "A spokesman for the fire service said that {}",
    "Documents filed with the district court say that {}",
    "The minister told parliament that {}",
)
_WHO = (
    "The town council",
    "A parents' group",
    "The district hospital",
    "A retired engineer",
    "The harbour master",
    "A local choir",
    "The ferry company",
    "A beekeeper",
    "The water board",
    "A bus driver",
    "The school caretaker",
)
_DID = (
    "asked for a public meeting",
    "counted the cars on the bridge",
    "wrote a long letter",
    "kept a diary of the week",
    "opened the gymnasium for the night",
    "collected blankets and soup",
    "cancelled the spring concert",
    "took photographs from the hill",
    "called for more inspections",
    "compared notes with a neighbour",
    "read out a list of names",
    "walked along the canal",
    "ordered new pumps",
    "put up a notice in the library",
    "waited for the minutes to be printed",
    "spoke for an hour without a pause",
    "sent a delegation to the capital",
)
_WHEN = (
    "before the market opened",
    "on the following Saturday",
    "while it rained",
    "in the old railway station",
    "at the end of a long evening",
    "with little success",
    "to nobody's surprise",
    "for the third time that year",
    "during the school holidays",
    "in front of a small crowd",
    "as the helicopters left",
    "without much hope",
    "after the church service",
)
PLACES = ("Harrow End", "Saltby", "Westmere", "Old Quay", "Tarn", "Millbrook", "Upper Fen", "Castle Row")


def a_world(sources: int = 20, late: int = 8) -> World:
    """A world with the given numbers of pages that any search on the topic finds, and of pages that only the search for
    a claim finds. Every tenth of the former is by the company itself, which denies what it can."""
    facts = tuple(Fact(*row) for row in _FACTS)
    pages, ratings = [], {}
    for number in range(sources + late):
        host = f"paper{number:02d}.press.example"
        denies = number % 10 == 9
        ratings[host] = 20 if denies else (92 if number % 7 == 0 else 78)
        is_late = number >= sources
        chosen = [facts[(number + step) % len(facts)] for step in ((0,) if is_late else (0, 3, 5))]
        tellings = tuple(_telling(fact, number, step, supports=not denies) for step, fact in enumerate(chosen))
        place = PLACES[number % len(PLACES)]
        filler = tuple(aside(place, 9 * number + step) for step in range(9))
        title = f"{'Voltrane statement' if denies else 'Aldermoor battery plant fire'}: {place}, report {number}"
        pages.append(
            Page(host, f"/2024/{number}", title, _BEGAN + timedelta(days=number), tellings, filler, late=is_late)
        )
    return World(facts, tuple(pages), ratings)


def aside(place: str, number: int) -> str:
    """A sentence that has nothing to do with any fact; each is used once."""
    who, did, when = _WHO[number % len(_WHO)], _DID[number % len(_DID)], _WHEN[number % len(_WHEN)]
    other = _DID[(number * 5 + 3) % len(_DID)]
    return f"{who} of {place} {did} {when}, and later {other}."


def _telling(fact: Fact, number: int, step: int, *, supports: bool) -> Telling:
    said = fact.told if supports else fact.denied
    lead = said if said.startswith(("Voltrane", "Aldermoor", "Arson")) else said[0].lower() + said[1:]
    sentence = _SAYS[(number + 3 * step) % len(_SAYS)].format(lead)
    return Telling(f"{sentence[:-1]}, {PLACES[number % len(PLACES)]} edition {number}.", fact.id, supports)

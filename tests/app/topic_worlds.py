"""Topics with known truth, each over a small collection of its own: what is found, who says so, and what should "
"follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

from inquest.domain.topic import ReviewFlag, VerificationLevel

UNVERIFIED, VERIFIED, CERTIFIED = VerificationLevel
NOBODY, APART = ReviewFlag.NOT_CORROBORATED, ReviewFlag.CONTRADICTION
LOW, GRAVE = ReviewFlag.ONLY_LOW_CREDIBILITY, ReviewFlag.SERIOUS_ALLEGATION

RATED = {
    "registry.example": (93, "government"),
    "fire-service.example": (92, "government"),
    "northwire.example": (90, "wire"),
    "daily-ledger.example": (80, "newspaper"),
    "evening-standardbearer.example": (78, "newspaper"),
    "valley-herald.example": (74, "local"),
    "coast-courier.example": (73, "local"),
    "hill-gazette.example": (72, "local"),
    "morning-sentinel.example": (77, "newspaper"),
    "checkers.example": (85, "fact_checker"),
    "the-daily-spoof.example": (10, "satire"),
    "buzzpile.example": (15, "blog"),
    "clickheap.example": (14, "blog"),
    "sharefarm.example": (12, "blog"),
}
RATINGS = "domain,score,category\n" + "".join(f"{name},{score},{kind}\n" for name, (score, kind) in RATED.items())


@dataclass(frozen=True)
class TopicWorld:
    """A topic, its pages, and the right result of an investigation."""

    title: str
    place: str
    day: str
    pages: tuple[tuple[str, str, str, str], ...]
    """Domain, date, title, text."""
    levels: tuple[VerificationLevel, ...]
    flags: tuple[ReviewFlag, ...] = ()
    """Flags that must be raised; others may be."""
    never: tuple[ReviewFlag, ...] = ()
    origin: str = ""
    """Domain of the origin; '': not tested."""
    own: int | None = None
    """Index of the page that is the topic's own article."""
    more: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[dict[str, str]]:
        return [
            {"url": self.url(n), "date": at, "title": title, "text": text}
            for n, (_, at, title, text) in enumerate(self.pages)
        ]

    def url(self, number: int) -> str:
        domain, at, _, _ = self.pages[number]
        return f"https://{domain}/{at.replace('-', '/')}/{number}"

    @property
    def topic(self) -> dict[str, str]:
        given = {"title": self.title, "place": self.place, "event_date": self.day}
        found = (date.fromisoformat(self.day) + timedelta(days=1)).isoformat()
        own = {"url": self.url(self.own)} if self.own is not None else {}
        return {name: value for name, value in (given | {"discovery_date": found} | own | self.more).items() if value}


_FIRE = "A fire destroyed the timber warehouse of Aldous Joinery in Marlow Cross on 4 May 2025"
_WIRE = (
    "MARLOW CROSS (Northwire) - The council of Marlow Cross closed the Orchard Street swimming pool on 3 March 2025. A "
    "correspondent of Northwire saw chains on its doors. Inspectors had found cracks in the roof in February. The "
    "building dates from 1974, and some 400 children learn to swim there each year."
)
_HOAX = (
    "BREAKING: The water company of Stellbrook poisoned the town reservoir with chlorine on 9 June 2025 and nobody is "
    "talking about it! Share before they delete this. Residents of Stellbrook must not drink from the tap, a "
    "source says."
)

WORLDS = {
    "true and confirmed": TopicWorld(
        "Fire destroys timber warehouse of Aldous Joinery in Marlow Cross", "Marlow Cross", "2025-05-04",
        (
            ("fire-service.example", "2025-05-05", "Incident report 211",
             f"{_FIRE}. Twelve engines of the fire service attended. Nobody was hurt."),
            ("valley-herald.example", "2025-05-05", "Warehouse burns down",
             "Flames took the timber warehouse of Aldous Joinery in Marlow Cross on Sunday, 4 May 2025, and "
             "destroyed it, "
             "our reporter saw. The firm has 38 employees. A neighbour woke at three in the morning."),
            ("daily-ledger.example", "2025-05-06", "Joinery loses its warehouse",
             "The timber warehouse of Aldous Joinery in Marlow Cross was destroyed by a fire on 4 May 2025. The "
             "owner, "
             "Nell Aldous, told the Ledger that she would build it again."),
        ),
        (VERIFIED,), never=(NOBODY, LOW),
    ),
    "false and denied": TopicWorld(
        "Marlow Cross hospital closed its maternity ward", "Marlow Cross", "2025-02-10",
        (
            ("buzzpile.example", "2025-02-10", "They closed it!!",
             "The Marlow Cross hospital closed its maternity ward on 10 February 2025, a friend of mine says."),
            ("registry.example", "2025-02-11", "Register of hospitals",
             "The Marlow Cross hospital has not closed its maternity ward. The ward is open and has 22 beds."),
            ("daily-ledger.example", "2025-02-12", "Ward open as ever",
             "The maternity ward of the Marlow Cross hospital was never closed. Our reporter found it open on "
             "11 February 2025, with eleven births in one week."),
        ),
        (UNVERIFIED,), flags=(APART,),
    ),
    "a hoax copied by many": TopicWorld(
        "Water company poisoned the Stellbrook reservoir", "Stellbrook", "2025-06-09",
        tuple(
            (domain, f"2025-06-{9 + n // 3:02d}", "Reservoir poisoned", _HOAX)
            for n, domain in enumerate(
                ("buzzpile.example", "clickheap.example", "sharefarm.example", "unknown-a.example")
            )
        ),
        (UNVERIFIED,), flags=(LOW,),
    ),
    "one wire copied twelve times": TopicWorld(
        "Council of Marlow Cross closed the Orchard Street swimming pool", "Marlow Cross", "2025-03-03",
        (
            ("northwire.example", "2025-03-03", "Council closes pool", _WIRE),
            *(
                (domain, "2025-03-04", "Council closes pool", _WIRE)
                for domain in (
                    "daily-ledger.example", "valley-herald.example", "coast-courier.example", "hill-gazette.example",
                    "morning-sentinel.example", "evening-standardbearer.example", "buzzpile.example",
                    "clickheap.example",
                    "sharefarm.example", "paper-a.example", "paper-b.example", "paper-c.example",
                )
            ),
        ),
        (VERIFIED,), never=(NOBODY, APART), origin="northwire.example",
    ),
    "a party's own statement": TopicWorld(
        "Calder Foods cut its water use by half", "Hollin", "2025-03-01",
        (
            ("calderfoods.example", "2025-03-01", "Calder Foods halves water use",
             "FOR IMMEDIATE RELEASE. Calder Foods cut its water use by half in 2024, the company said today. We "
             "are proud "
             "of it. Contact: press@calderfoods.example. About Calder Foods: we make soups."),
        ),
        (UNVERIFIED,), flags=(NOBODY,),
    ),
    "an old event told as new": TopicWorld(
        "Bridge over the Tarn collapsed at Hollin", "Hollin", "2025-05-20",
        (
            ("daily-ledger.example", "2016-02-11", "Bridge gone",
             "The bridge over the Tarn collapsed at Hollin on 10 February 2016 after days of rain. Nobody was hurt."),
            ("northwire.example", "2016-02-11", "Bridge collapses",
             "The bridge over the Tarn at Hollin collapsed on Wednesday, the road office said. It was built in 1931."),
        ),
        (UNVERIFIED,), flags=(APART, NOBODY),
    ),
    "only somebody's blog": TopicWorld(
        "Strike stopped the Hollin paper mill", "Hollin", "2025-05-02",
        (
            ("unknown-b.example", "2025-05-02", "Mill",
             "A strike stopped the Hollin paper mill on 2 May 2025. I live next door and it was quiet for once."),
        ),
        (UNVERIFIED,), flags=(LOW,),
    ),
    "told differently in a detail": TopicWorld(
        "Kestrel Bank fined over hidden fees", "Aldport", "2025-03-11",
        (
            ("registry.example", "2025-03-11", "Decision 9",
             "Kestrel Bank was fined 2.4 million euros over hidden fees on 11 March 2025."),
            ("daily-ledger.example", "2025-03-12", "Bank must pay",
             "Kestrel Bank was fined 4.2 million euros over hidden fees, a decision of 11 March 2025 shows. The "
             "bank has 90 "
             "branches in the country."),
            ("morning-sentinel.example", "2025-03-12", "Fees: fine for Kestrel",
             "Over hidden fees, Kestrel Bank has been fined 2.4 million euros. Customers had complained to this paper "
             "since the summer of 2023."),
        ),
        (VERIFIED,), flags=(APART,), never=(NOBODY,),
    ),
    "six who know it themselves": TopicWorld(
        "Storm tore the roof off Hollin railway station", "Hollin", "2025-01-15",
        tuple(
            (domain, "2025-01-16", "Storm", text)
            for domain, text in (
                ("registry.example", "A storm tore the roof off the Hollin railway station on 15 January 2025, "
                                     "says the "
                 "register of damage. Repairs are put at 600,000 euros."),
                ("northwire.example", "On 15 January 2025 a storm tore the roof off Hollin railway station. Our "
                 "correspondent counted eleven trains that stood still."),
                ("daily-ledger.example", "The roof of Hollin railway station was torn off by a storm on 15 January "
                                         "2025. "
                 "Passengers spent the night in a school, where the Ledger met them."),
                ("valley-herald.example", "Hollin railway station has lost its roof: a storm tore it off on 15 "
                                          "January "
                 "2025, before the eyes of our photographer."),
                ("coast-courier.example", "A storm tore off the roof of the Hollin railway station on 15 January "
                                          "2025. Gusts "
                 "reached 140 km/h at our weather mast."),
                ("morning-sentinel.example", "The storm of 15 January 2025 tore the roof off the railway station "
                                             "at Hollin. A "
                 "Sentinel reader filmed it from a bus."),
                ("evening-standardbearer.example", "A storm on 15 January 2025 tore the roof off Hollin railway "
                                                   "station, "
                 "and with it the clock of 1888, as our editor found on the platform."),
            )
        ),
        (VERIFIED, CERTIFIED), never=(NOBODY, LOW, APART),
    ),
    "nothing but another matter": TopicWorld(
        "Quarry at Fennick Hill flooded three farms", "Fennick Hill", "2025-02-02",
        (
            ("daily-ledger.example", "2025-01-02", "New bakery",
             "A bakery opened in Aldport on 2 January 2025. It bakes 400 loaves a day."),
        ),
        (UNVERIFIED,), flags=(NOBODY,),
    ),
    "its own article is all there is": TopicWorld(
        "Bus plunged into the Tarn near Hollin", "Hollin", "2025-02-20",
        (
            ("daily-ledger.example", "2025-02-20", "Bus plunged into the Tarn near Hollin",
             "A bus plunged into the Tarn near Hollin on 20 February 2025. Four people were hurt."),
        ),
        (UNVERIFIED,), flags=(NOBODY,), own=0,
    ),
}  # fmt: skip

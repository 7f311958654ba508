"""Upgrades of made topics with known truth: how many are raised that are false, how many true ones are not.

`rule_*`: only the rule. A topic is true or false. Independent publishers report on it; the better a publisher, the
seldomer it is wrong, and now and then a page is read wrongly. The rule sees each publisher's tier and side.

`seen_*` and `held_*`: from the words of pages to the level (bench/topics_made), by the local mind as it comes: the
rules and the small model of the package. 44 kinds of events in six headlines each; the errors of the `seen` ones were
looked at while the rules were made, those of the `held` ones were not. A topic is true with none, one, three or six
credible papers that tell of it in other words; false; true to another figure than its title's; or years old and told as
new. Around it stands what stands around news: copies, the party's release, a rumour, satire, another deed of the same
people, the same deed of others, an older one, and what is only planned. `false` is over all that rose, `unfounded` over
all that must not rise, `missed` over the true ones that a credible paper confirms.

No data is needed. The finding of pages is not simulated here; `python -m bench.speed topics` has that.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path

from bench.figures import ROOT, Figure
from bench.topics_made.path import investigated
from bench.topics_made.worlds import KINDS, Truth, a_topic, gives_a_figure, wordings
from inquest.analysts.local import LocalAnalyst
from inquest.domain.topic import Evidence, VerificationLevel
from inquest.local_models.cross_encoder import CrossEncoder
from inquest.local_models.files import bundled
from inquest.verdicts.levels import upgrade

__all__ = ["made_topics", "measure", "tallied"]

DATA = str(ROOT / "bench" / "topics_made")
"""What makes the topics."""

TOPICS = 20_000
_WRONG = {1: 0.002, 2: 0.01, 3: 0.1, 4: 0.4}
"""How often a publisher of a tier confirms what is false, or denies what is true: an assumption, not a finding."""
_MISREAD = 0.005
_WRONG_TOPICS = 0.3
_TRUTHS = (
    (Truth.TRUE, 0), (Truth.TRUE, 1), (Truth.TRUE, 3), (Truth.TRUE, 6),
    (Truth.FALSE, 0), (Truth.OTHER_FIGURE, 2), (Truth.OLD, 2),
)  # fmt: skip
"""What is so, and how many credible papers tell of it."""
_SEED = 10_000
_EVERY = 4
"""One topic in so many is measured: all kinds and headlines stay, each with another truth, in a quarter of the time."""
_PROCESSES = 2

Made = tuple[str, int, Truth, int]
"""Kind, headline, what is so, credible papers."""


def measure(data: Path | None = None) -> list[Figure]:
    """The figures of the rule, and of each list of kinds."""
    return [*_of_the_rule(), *(figure for listed in KINDS for figure in _of_topics(listed))]


def made_topics(listed: str) -> Iterator[Made]:
    """Every kind of a list in every headline, with everything that can be so of it."""
    for kind, wording in wordings(listed):
        for truth, credible in _TRUTHS:
            if truth is not Truth.OTHER_FIGURE or gives_a_figure(listed, kind, wording):
                yield kind, wording, truth, credible


def tallied(listed: str, made: list[Made], *, side_by_side: int = _PROCESSES) -> Counter[tuple[Truth, int, bool]]:
    """How many rose and how many did not, by what is so of them and how many credible papers tell of it."""
    with ProcessPoolExecutor(side_by_side) as pool:
        rose = pool.map(_rises, repeat(listed), made, chunksize=8)
        return Counter((truth, credible, each) for (_, _, truth, credible), each in zip(made, rose, strict=True))


@cache
def _mind() -> LocalAnalyst:
    """The local mind as it comes; each process has its own, which reads with one thread."""
    files = bundled("stance")
    return LocalAnalyst(CrossEncoder(files, threads=1) if files else None)


def _rises(listed: str, made: Made) -> bool:
    result, _ = asyncio.run(investigated(a_topic(listed, *made, _SEED), _mind()))
    return result.verification_upgraded


def _of_topics(listed: str) -> list[Figure]:
    made = list(made_topics(listed))[::_EVERY]
    tally = tallied(listed, made)
    founded = {(truth, credible) for truth, credible in _TRUTHS if truth is Truth.TRUE and credible}
    raised = sum(count for (*_, rose), count in tally.items() if rose)
    wrongly = sum(
        count for (truth, credible, rose), count in tally.items() if rose and (truth, credible) not in founded
    )
    rightly = raised - wrongly
    true = sum(count for (truth, credible, _), count in tally.items() if (truth, credible) in founded)
    by_truth = {
        f"{truth.value}_{credible}": f"{tally[truth, credible, True]} of {_all(tally, truth, credible)}"
        for truth, credible in _TRUTHS
    }
    details = {"topics": len(made), "kinds": len({kind for kind, *_ in made}), "rose": by_truth}
    missed = [
        Figure(
            "upgrades",
            f"{listed}_missed_{credible}",
            tally[Truth.TRUE, credible, False] / max(1, _all(tally, Truth.TRUE, credible)),
        )
        for _, credible in sorted(founded)
    ]
    return [
        Figure("upgrades", f"{listed}_false", wrongly / max(1, raised), "share of those that rose", details),
        Figure("upgrades", f"{listed}_unfounded", wrongly / max(1, len(made) - true), "share of those that must not"),
        Figure("upgrades", f"{listed}_missed", 1 - rightly / max(1, true), "share of the true and confirmed"),
        *missed,
    ]


def _all(tally: Counter[tuple[Truth, int, bool]], truth: Truth, credible: int) -> int:
    return tally[truth, credible, True] + tally[truth, credible, False]


def _of_the_rule() -> list[Figure]:
    draw = random.Random(10_000)
    raised = wrongly = reported = missed = 0
    for _ in range(TOPICS):
        true = draw.random() >= _WRONG_TOPICS
        sides: dict[bool, list[int]] = {True: [], False: []}
        for _ in range(draw.randint(0, 8)):
            tier = draw.choice((1, 2, 2, 3, 3, 4))
            wrong = draw.random() < _WRONG[tier]
            side = (true != wrong) != (draw.random() < _MISREAD)
            sides[side].append(tier)
        credible = any(tier <= 2 for tiers in sides.values() for tier in tiers)
        evidence = Evidence(confirming=tuple(sides[True]), contradicting=tuple(sides[False]))
        rises = upgrade(VerificationLevel.UNVERIFIED, evidence).upgraded
        raised, wrongly = raised + rises, wrongly + (rises and not true)
        reported, missed = reported + (true and credible), missed + (true and credible and not rises)
    details = {"topics": TOPICS}
    return [
        Figure("upgrades", "rule_false", wrongly / raised, details=details),
        Figure("upgrades", "rule_missed", missed / reported, details=details),
    ]

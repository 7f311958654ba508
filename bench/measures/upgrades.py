"""Upgrades of generated topics with known truth: how many are raised that are false, how many true ones are not.

A topic is true or false. Independent publishers report on it, each in several copies; the better a publisher, the
seldomer it is wrong, and now and then a page is read wrongly. The desk sees each publisher's tier and side. A rise of a
false topic is false; a true topic that a credible publisher confirms and that stays where it is is missed.

No data is needed. What is simulated is not the finding of pages, but the rule.
"""

from __future__ import annotations

import random
from pathlib import Path

from bench.figures import ROOT, Figure
from inquest.domain.topic import Evidence, VerificationLevel
from inquest.logic.levels import upgrade

DATA = str(ROOT / "bench" / "measures" / "upgrades.py")
"""What makes the topics."""

TOPICS = 20_000
_WRONG = {1: 0.002, 2: 0.01, 3: 0.1, 4: 0.4}
"""How often a publisher of a tier confirms what is false, or denies what is true: an assumption, not a finding."""
_MISREAD = 0.005
_WRONG_TOPICS = 0.3


def measure(data: Path | None = None) -> list[Figure]:
    """`false` over the topics that are raised, `missed` over the true ones that a credible publisher reports on."""
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
        Figure("upgrades", "false", wrongly / raised, details=details),
        Figure("upgrades", "missed", missed / reported, details=details),
    ]

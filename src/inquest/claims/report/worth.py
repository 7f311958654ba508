"""How well a sentence of a report can be checked, and how much it matters to check it: two figures with reasons.

Weights are by hand; what they were set by is how the highest ranked claims of real reports read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.claim_detection import check_worth
from inquest.claims.claim_words import ACTIONS
from inquest.claims.environmental import is_environmental_claim
from inquest.claims.report.words import (
    ABSOLUTE,
    BASELINE,
    DEADLINE,
    MATERIAL,
    MODAL,
    OF_THE_REPORT,
    OF_THE_WORLD,
    RECOMMENDING,
    STANDARDS,
    UNDER_WAY,
    VAGUE,
)
from inquest.text.lexicon import pattern
from inquest.text.polarity import hedges
from inquest.text.quantities import Dimension, Quantity
from inquest.text.sentences import content_words, words

__all__ = ["LEAST", "Statement", "Worth", "worth_of"]

LEAST = 0.3
"""Checkability below which a sentence is no claim."""
_OF_WORTH = 0.35
_LONG = 48
"""Words."""


_RUNNING = pattern(__name__, "running")
_LITTLE = 3
"""Words with a meaning of their own, beside the company's name; a sentence with fewer names no matter."""


def _is_span_of_time(figure: Quantity) -> bool:
    """'two years', which measures nothing that a company did."""
    return figure.spelled and figure.dimension is Dimension.DURATION


def _says_little(text: str) -> bool:
    return len(set(content_words(text))) < _LITTLE


class Statement(NamedTuple):
    """What a report says in one place, as its worth is judged."""

    text: str
    figures: Sequence[Quantity]
    dated: bool
    own: bool = True
    """The company speaks of itself."""
    loose: bool = False
    """What it speaks of stands only before it."""
    whole: bool = True
    """It is a sentence, not an item or a row in note form."""


class Worth(NamedTuple):
    """Checkability and rank, 0 to 1 each, and what made them."""

    checkability: float
    rank: float
    reasons: tuple[str, ...]


def worth_of(statement: Statement, *, industry: str = "", company: str = "") -> Worth:
    """How well a statement can be checked, and how much it matters. `company`: its name, whose words say nothing of the
    topic."""
    text, figures, dated, own, loose, whole = statement
    general = check_worth(text if whole else f"It has {text.rstrip('.')}.")
    if general.score <= 0 and not figures:
        return Worth(0.0, 0.0, general.reasons)
    bare = text.replace(company, "") if company else text
    measured = [each for each in figures if each.dimension is not Dimension.COUNT and not _is_span_of_time(each)]
    counted = [each for each in figures if each.dimension is Dimension.COUNT and (not each.spelled or each.value > 2)]
    target, deed = bool(DEADLINE.search(text)), bool(ACTIONS.search(text) or _RUNNING.search(text))
    standard = STANDARDS.search(text)
    gains = (
        (bool(measured), 0.24, "it gives a figure with a unit"),
        (not measured and bool(counted), 0.16, "it gives a number"),
        (len(measured) + len(counted) > 1, 0.05, "it gives several figures"),
        (dated, 0.08, "it gives a date"),
        (bool(BASELINE.search(text)), 0.07, "it says compared to what"),
        (target and not deed, 0.06, "it names a year to be held to"),
        (standard is not None, 0.14, f"it names {standard.group() if standard else ''}, which others keep records of"),
        (deed, 0.08, "it says what was done"),
        (is_environmental_claim(text), 0.08, "it claims something good for the environment"),
        (bool(ABSOLUTE.search(text)), 0.05, "it leaves no exception"),
    )
    losses = (
        (loose, 0.25, "what it speaks of stands in what comes before"),
        (not own, 0.1, "it is not about the company itself"),
        (len(VAGUE.findall(text)) > 0, min(0.3, 0.08 * len(VAGUE.findall(text))), "its words are vague"),
        (bool(MODAL.search(text)), 0.18, "it says what could or should be"),
        (bool(OF_THE_REPORT.search(text)), 0.3, "the report speaks of itself"),
        (bool(RECOMMENDING.search(text)), 0.45, "it recommends or defines"),
        (bool(OF_THE_WORLD.search(text)), 0.15, "it speaks of the world at large"),
        (bool(UNDER_WAY.search(text)), 0.08, "it names no end"),
        (bool(hedges(text)) and not measured, 0.05, "it hedges"),
        (len(words(text)) > _LONG, 0.1, "it is long"),
        (not whole, 0.06, "it is in note form"),
        (_says_little(bare) and not (figures or dated or standard), 0.1, "it names nothing that was done or to what"),
    )
    score = _OF_WORTH * general.score + 0.08
    reasons = [reason for applies, _, reason in gains if applies]
    score += sum(gain for applies, gain, _ in gains if applies)
    if not (figures or dated or standard or deed):
        score -= 0.12
        reasons.append("it gives nothing to hold it to: no figure, date, standard or deed")
    reasons += [reason for applies, _, reason in losses if applies]
    score = min(1.0, max(0.0, score - sum(loss for applies, loss, _ in losses if applies)))
    # What does not stand alone is the last to be checked, however much it says.
    standing = 0.55 if loose else 1.0
    material = MATERIAL.search(bare)
    rank = score * (0.55 + 0.2 * bool(material) + 0.2 * own + 0.05 * bool(measured))
    if material:
        reasons.append(f"claims about ‘{material.group()}’ are often doubted")
    if industry and re.search(rf"\b{re.escape(industry)}", bare, re.I):
        rank, reasons = rank + 0.03, [*reasons, "it names the industry"]
    return Worth(round(score, 3), round(min(1.0, rank * standing), 3), tuple(reasons))

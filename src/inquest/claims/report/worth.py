"""How well a sentence of a report can be checked, and how much it matters to check it: two figures with reasons.

Weights are by hand; what they were set by is how the highest ranked claims of real reports read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.claim_detection import ACTIONS, check_worth
from inquest.claims.environmental import is_environmental_claim
from inquest.claims.scoring import claim_reason, scored, table
from inquest.domain.reasons import Reason
from inquest.sources.standards import named_standards
from inquest.text.lexicon import pattern
from inquest.text.quantities import Dimension, Quantity
from inquest.text.regex import regex
from inquest.text.sentences import words

LEAST = 0.3
"""Checkability below which a sentence is no claim."""
_OF_WORTH, _BASE = 0.35, 0.08
_LONG = 48
"""Words."""


_RUNNING = pattern(__name__, "running")


def _is_span_of_time(figure: Quantity) -> bool:
    """'two years', which measures nothing that a company did."""
    return figure.spelled and figure.dimension is Dimension.DURATION


class ReportStatement(NamedTuple):
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


class StatementWorth(NamedTuple):
    """Checkability and rank, 0 to 1 each, and what made them."""

    checkability: float
    rank: float
    reasons: tuple[Reason, ...]


def worth_of(statement: ReportStatement, *, industry: str = "", company: str = "") -> StatementWorth:
    """How well a statement can be checked, and how much it matters. `company`: its name, whose words say nothing of the
    topic."""
    text, figures, dated, own, loose, whole = statement
    general = check_worth(text if whole else f"It has {text.rstrip('.')}.")
    if general.score <= 0 and not figures:
        return StatementWorth(0.0, 0.0, general.reasons)
    bare = text.replace(company, "") if company else text
    measured = [each for each in figures if each.dimension is not Dimension.COUNT and not _is_span_of_time(each)]
    counted = [
        each for each in figures if each.dimension is Dimension.COUNT and (not each.spelled or each.value >= 100)
    ]
    target, action = bool(DEADLINE.search(text)), bool(ACTIONS.search(text) or _RUNNING.search(text))
    named = next((each.text for each in named_standards(text)), "")
    standard = STANDARDS.search(text)
    recorded = named or (standard.group() if standard else "")
    facts: dict[str, float | str] = {
        "measured": bool(measured),
        "number": bool(counted) and not measured,
        "several": len(measured) + len(counted) > 1,
        "dated": dated,
        "baseline": bool(BASELINE.search(text)),
        "target": target and not action,
        "standard": recorded,
        "action": action,
        "environmental": is_environmental_claim(text),
        "nothing": not (figures or dated or recorded or action),
        "loose": loose,
        "of_others": not own,
        "long": len(words(text)) > _LONG,
        "note_form": not whole,
    }
    sum_ = scored(table("report"), facts, text)
    score = min(1.0, max(0.0, _OF_WORTH * general.score + _BASE + sum_.score))
    reasons = [*sum_.reasons]
    # What does not stand alone is the last to be checked, however much it says.
    standing = 0.55 if loose else 1.0
    material = MATERIAL.search(bare)
    rank = score * (0.55 + 0.2 * bool(material) + 0.2 * own + 0.05 * bool(measured))
    if material:
        reasons.append(claim_reason("often_doubted", topic=material.group()))
    if industry and re.search(rf"\b{re.escape(industry)}", bare, re.I):
        rank, reasons = rank + 0.03, [*reasons, claim_reason("industry")]
    return StatementWorth(round(score, 3), round(min(1.0, rank * standing), 3), tuple(reasons))


_I = re.IGNORECASE

BASELINE = pattern(__name__, "baseline")
DEADLINE = regex(r"\b(?:by|until|in|before|for)\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d\b", _I)
STANDARDS = pattern(__name__, "standards")
MATERIAL = pattern(__name__, "material")
"""Topics on which claims of sustainability are mostly doubted."""
LAYOUT = regex(r"\bPhoto:|\|| {2,}\w|(?:^|\s)[>»]\s|\.\.\.\.|·\s·")

"""Of which of the five types a claim of a company's report is (P1), and why: the first rule of `types.toml` to apply.

The routing of the desks rests on the type: figures and targets are compared with benchmarks and criteria, certificates
with registries, places with maps, governance with law.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import NamedTuple

from inquest.claims.claim_detection import LEGAL, SITES
from inquest.claims.environmental import environmental_score
from inquest.claims.scoring import claim_reason
from inquest.domain.claim import ClaimType
from inquest.domain.reasons import Reason
from inquest.text.lexicon import compiled
from inquest.text.quantities import Dimension, Quantity
from inquest.text.regex import regex


class TypeOfClaim(NamedTuple):
    """A type, and why it is this one."""

    type: ClaimType
    reason: Reason


class _TypeRule(NamedTuple):
    type: ClaimType
    why: str
    when: tuple[str, ...]
    words: tuple[str, ...]


_TABLE = tomllib.loads((files(__package__) / "types.toml").read_text("utf-8"))
_WORDS = {name: compiled(written) for name, written in _TABLE["words"].items()} | {"legal": LEGAL, "sites": SITES}
_RULES = tuple(
    _TypeRule(ClaimType(row["type"]), row["why"], tuple(row.get("when", ())), tuple(row.get("words", ())))
    for row in _TABLE["rule"]
)
_YEAR = regex(r"20[2-9]\d")
_DATED = regex(rf"\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?{_YEAR.pattern}", re.I)


def report_claim_type(text: str, figures: tuple[Quantity, ...], *, own: bool = True) -> TypeOfClaim:
    """The type of a claim. `figures`: the quantities in the text. `own`: the company speaks of itself."""
    if _WORDS["done_by"].search(text):
        # 'By the end of 2024 we had spent': a date by which something was done, not one that is aimed at.
        text = _DATED.sub(lambda dated: " " * len(dated.group()), text)
    measured = [
        each for each in figures if not each.spelled or each.dimension is not Dimension.COUNT or each.value >= 100
    ]
    bare = bool(measured) and all(each.dimension is Dimension.COUNT for each in measured)
    facts = {
        "measured": bool(measured),
        "bare": bare,
        "counts_only": bare or (bool(measured) and all(each.spelled for each in measured)),
        "of_others": not own,
        "public": not own or _found(text, "state") is not None,
        "not_reached": _found(text, "reached") is None,
        "no_year_aimed_at": _found(text, "firmly_aimed") is None or _YEAR.search(text) is None,
        "environmental": _found(text, "nature") is not None or environmental_score(text) > 0,
    }
    for rule in _RULES:
        if all(facts[name] for name in rule.when):
            words = _found(text, *rule.words)
            if words is not None or not rule.words:
                words = words or (measured[0].text if "measured" in rule.when else "")
                return TypeOfClaim(rule.type, type_reason(rule.why, rule.type, words))
    return TypeOfClaim(ClaimType.STRATEGIC, type_reason("business", ClaimType.STRATEGIC))


def type_reason(name: str, type_: ClaimType, words: str = "") -> Reason:
    """Why a claim is of a type; `words` are those that say so."""
    return claim_reason(f"type_{name}", type=type_.value.replace("_", " and "), **({"words": words} if words else {}))


def _found(text: str, *names: str) -> str | None:
    """What the first of these words say that stand in the text; None where none do."""
    return next((match.group() for name in names if (match := _WORDS[name].search(text))), None)

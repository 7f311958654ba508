"""Wordings that go against a requirement, each with the reason. What is merely left out is not among them."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.text.sentences import Span

__all__ = ["Against", "against"]


class Against(NamedTuple):
    """Where a statement goes against a requirement, and why."""

    span: Span
    reason: str


_NET_OF = (
    r"\b(?:net\s+of|after\s+(?:deducting|subtracting|applying)|less|minus|deducting|subtracting)\s+(?:\w+\s+){0,3}"
    r"(?:offsets?|carbon\s+credits?|credits|compensation)\b"
    r"|\b(?:offsets?|carbon\s+credits?)\s+(?:\w+\s+){0,3}(?:deducted|subtracted|netted)\b"
)
_WORDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "gross": (
        (_NET_OF, "Here credits are deducted."),
        (r"\b(?:deduct|subtract)\w*\s+(?:\w+\s+){0,3}avoided\s+emissions\b", "Here avoided emissions are deducted."),
    ),
    "scope_2_methods": (
        (
            r"\b(?:only|solely|exclusively)\s+(?:\w+\s+){0,5}(?:market|location)[\s-]based\b"
            r"|\b(?:market|location)[\s-]based\s+(?:\w+\s+){0,2}(?:only|alone|solely|exclusively)\b",
            "Here Scope 2 is reported by one method alone.",
        ),
        (
            r"\blocation[\s-]based\b[^.;]{0,60}\b(?:through|thanks\s+to|due\s+to|because\s+of|by\s+(?:buying|purchasing)|using|with)\s+"
            r"(?:\w+\s+){0,3}(?:RECs?|I-RECs?|certificates|guarantees\s+of\s+origin|PPAs?)\b",
            "Certificates and contracts do not change a location-based figure.",
        ),
    ),
    "gases": (
        (
            r"\b(?:only|solely|exclusively)\s+(?:carbon\s+dioxide|CO2|CO₂)\b(?!\s?e)|\b(?:carbon\s+dioxide|CO2|CO₂)\s+(?:emissions\s+)?(?:only|alone)\b"
            r"|\b(?:excluding|without|not\s+including)\s+(?:methane|CH4|CH₄|nitrous\s+oxide|N2O|non-CO2\s+gases)\b",
            "Here gases are left out.",
        ),
    ),
    "consolidation": (
        (
            r"\b(?:different|mixed|varying)\s+consolidation\s+approaches\b|\bno\s+consistent\s+consolidation\b",
            "Here the approach is not one.",
        ),
    ),
    "gwp": (
        (
            r"\bGWP[\s-]?20\b|\b20[\s-]year\s+(?:GWP|global\s+warming)",
            "Here the potentials are over 20 years, not 100.",
        ),
        (
            r"\b(?:SAR|second\s+assessment\s+report|third\s+assessment\s+report)\b",
            "Here they are from a report long replaced.",
        ),
    ),
    "scope_3_categories": (
        (
            r"\bcategor(?:y|ies)\s+(?:1[6-9]|[2-9]\d)\b|\b(?:all\s+)?(?:1[6-9]|[2-9]\d)\s+(?:\w+\s+){0,2}scope\s?3\s+categories\b",
            "There are fifteen categories, and no such one.",
        ),
    ),
    "reduction_plan": (
        (
            r"\b(?:solely|entirely|exclusively|purely|only)\s+(?:by|through|via|with)\s+(?:\w+\s+){0,3}(?:offset\w*|carbon\s+credits?|compensat\w+)\b"
            r"|\boffset(?:s|ting)?\s+(?:100\s?%|all)\s+of\s+(?:our|its|the)\s+emissions\b",
            "Here credits do all of it.",
        ),
    ),
    "base_year": (
        (
            r"\bno\s+base(?:line)?\s+year\b|\bwithout\s+a\s+base(?:line)?\s+year\b|\bbase(?:line)?\s+year\s+(?:changes|is\s+changed|rolls)\s+every\b",
            "Here there is none that stands.",
        ),
    ),
    "verification": (
        (
            r"\b(?:not|never)\s+(?:been\s+)?(?:\w+\s+)?(?:verified|assured|audited)\b|\bunverified\b",
            "Here it is not verified.",
        ),
    ),
    "uncertainty": ((r"\buncertaint\w+\s+(?:was|were|is|are|has|have)\s+not\b", "Here it is not assessed."),),
}
_PATTERNS = {
    asks: tuple((re.compile(words, re.I), reason) for words, reason in rows) for asks, rows in _WORDINGS.items()
}


def against(asks: str, text: str) -> Against | None:
    """Where and why a text goes against what a rule asks; None: it does not."""
    for words, reason in _PATTERNS.get(asks, ()):
        if match := words.search(text):
            return Against(Span(*match.span()), reason)
    return None

"""Words by which a claim of a company's report can be checked or not; by hand, for English reports."""

from __future__ import annotations

import re

from inquest.text.lexicon import pattern

__all__ = [
    "ABSOLUTE",
    "BASELINE",
    "DEADLINE",
    "LAYOUT",
    "MATERIAL",
    "MODAL",
    "OF_THE_REPORT",
    "OF_THE_WORLD",
    "RECOMMENDING",
    "STANDARDS",
    "UNDER_WAY",
    "VAGUE",
]

_I = re.IGNORECASE

ABSOLUTE = pattern(__name__, "absolute")
BASELINE = pattern(__name__, "baseline")
DEADLINE = re.compile(r"\b(?:by|until|in|before|for)\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d\b", _I)
RECOMMENDING = pattern(__name__, "recommending")
"""What others should do, and what words mean."""
STANDARDS = pattern(__name__, "standards")
VAGUE = pattern(__name__, "vague")
"""What nobody can be held to."""
MODAL = pattern(__name__, "modal")
OF_THE_REPORT = pattern(__name__, "of_the_report")
"""The report speaks of itself."""
OF_THE_WORLD = pattern(__name__, "of_the_world")
UNDER_WAY = pattern(__name__, "under_way")
MATERIAL = pattern(__name__, "material")
"""Topics on which claims of sustainability are mostly doubted."""
LAYOUT = re.compile(r"\bPhoto:|\|| {2,}\w|(?:^|\s)[>»]\s|\.\.\.\.|·\s·")

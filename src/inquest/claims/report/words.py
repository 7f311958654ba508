"""Words by which a claim of a company's report can be checked or not; by hand, for English reports."""

from __future__ import annotations

import re

from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_I = re.IGNORECASE

BASELINE = pattern(__name__, "baseline")
DEADLINE = regex(r"\b(?:by|until|in|before|for)\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d\b", _I)
STANDARDS = pattern(__name__, "standards")
MATERIAL = pattern(__name__, "material")
"""Topics on which claims of sustainability are mostly doubted."""
LAYOUT = regex(r"\bPhoto:|\|| {2,}\w|(?:^|\s)[>»]\s|\.\.\.\.|·\s·")

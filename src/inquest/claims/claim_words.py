"""Words that make a sentence worth checking, or not: by hand, for English news, reports and company pages."""

from __future__ import annotations

import re

from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_FLAGS = re.IGNORECASE

ACTIONS = pattern(__name__, "actions")
IMPERATIVE = pattern(__name__, "imperative")
BOILERPLATE = pattern(__name__, "boilerplate")
INSTRUCTING = pattern(__name__, "instructing")
"""A page that speaks to the machine that reads it (X8)."""
LEGAL = pattern(__name__, "legal")
PLANS = pattern(__name__, "plans")
"""What is aimed at, in words that say so."""
INTENDING = regex(r"\b(?:will|shall|is\s+to|are\s+to|expects?\s+to)\b", _FLAGS)
NOT_ASSERTED = pattern(__name__, "not_asserted")
"""Put there to be checked or answered; the page does not say that it is so."""
SITES = pattern(__name__, "sites")

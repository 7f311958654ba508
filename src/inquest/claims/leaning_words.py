"""Words that take a side, by hand: those that judge, and those that only state what speaks for or against somebody."""

from __future__ import annotations

import re

from inquest.text.lexicon import any_of, pattern
from inquest.text.regex import regex

LOADED_CRITICAL = any_of(__name__, "loaded_critical")
"""They judge against."""

LOADED_FAVOURABLE = any_of(__name__, "loaded_favourable")
"""They judge in favour."""

CRITICAL = any_of(__name__, "critical")
"""They state what speaks against."""

FAVOURABLE = any_of(__name__, "favourable")
"""They state what speaks in favour."""

COMPANY_VOICE = any_of(__name__, "company_voice")
"""Speakers who are the subject's own, where a text is about one company."""

WE = regex(r"\b(?:we|our|us|ours)\b", re.I)

OFFICE = pattern(__name__, "office")
"""An office and the name of its holder: 'chief executive Ada Brand'."""

PERSONAL = regex(r"\bI\b(?!\.)|\b(?:my|me)\b")

OWN_VERDICT = pattern(__name__, "own_verdict")
"""The writer judges."""

RALLYING = pattern(__name__, "rallying")
"""It calls its readers to something."""

"""Words of environmental reporting, in groups: what a sentence is about, what is done about it, who speaks."""

from __future__ import annotations

import re

from inquest.text.lexicon import entries

__all__ = ["GROUPS", "TOPICS"]

GROUPS = {
    name: re.compile(rf"(?<![\w-])(?:{words})(?!\w)", re.IGNORECASE)
    for name, words in entries(__name__, "environmental_words").items()
}
"""A pattern for each group."""

TOPICS = frozenset(
    (
        "climate low_carbon renewable efficiency circular nature water pollution environment environment_phrase "
        "sustainable green responsible electric_transport certificate green_finance fossil power"
    ).split()
)
"""The groups that say what a sentence is about; the others say who does what."""

"""Kinds of public bodies that texts speak of: what a newspaper has from 'the council' is the council's word.

The words stand in `words.toml`, in the larger European languages.
"""

from __future__ import annotations

import re

from inquest.domain.source import Source
from inquest.text.entities import names
from inquest.text.lexicon import compiled, entries
from inquest.text.sentences import fold

LOCAL = "council"
"""The kind whose sites are mostly called by their place alone."""
_KINDS = {kind: compiled(words) for kind, words in entries(__name__, "public_bodies").items()}


def public_bodies(text: str) -> tuple[str, ...]:
    """The kinds of public bodies that a text speaks of, in the order of the table."""
    return tuple(kind for kind, words in _KINDS.items() if words.search(text))


def bodies_of_page(source: Source, about: str) -> frozenset[str]:
    """The kinds of public bodies of which a public body's page can be. `about`: what the case is about; a site that is
    called like a place named there is that of its council."""
    found = set(public_bodies(f"{source.publisher or ''}\n{source.title}\n{source.domain}"))
    label = source.domain.split(".")[0]
    if label in {_joined(part) for name in names(about) for part in _parts(name.text)}:
        found.add(LOCAL)
    return frozenset(found)


def _parts(name: str) -> tuple[str, ...]:
    words = name.split()
    return tuple(" ".join(words[:length]) for length in range(1, len(words) + 1))


def _joined(name: str) -> str:
    return "".join(re.findall(r"[a-z0-9]+", fold(name)))

"""The domains of a company, from its name: 'Vonovia SE' -> vonovia.com, vonovia.de, vonovia.eu.

Pages there are the company's own statements. A guess must hit nobody else: only the whole name counts, only under
endings where a company of that legal form is at home, and never a domain that the table knows as somebody else's.
"""

from __future__ import annotations

import re

from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import fold

_LEGAL_FORMS = entries(__name__, "homes_of_companies")
"""Endings beside .com by the legal forms of the companies that have their pages there."""
_HOMES = {form: endings for endings, forms in _LEGAL_FORMS.items() for form in forms.split()}
_SHORTEST = 4
"""Shorter names belong to too many."""
_DOTTED = regex(r"\b(?:\w\.){2,}|\b\w/\w\b")


def own_domains(company: str) -> frozenset[str]:
    """Registrable domains that are the company's own by its name; empty where the name is too short.

    Rows of the table that name it as the owner of a company's page count too: 'Volkswagen AG' -> volkswagen-group.com.
    """
    words = _words(_DOTTED.sub(lambda form: form.group().replace(".", "").replace("/", ""), company))
    endings = ["com"]
    while len(words) > 1 and words[-1] in _HOMES:
        endings += [each for each in _HOMES[words.pop()].split() if each != "com"]
    name = "".join(words)
    rows = built_in_ratings().rows
    companies = [row for row in rows.values() if row.category == Category.COMPANY and row.owner]
    listed = {row.domain for row in companies if name and "".join(_words(row.owner or "")) == name}
    if len(name) < _SHORTEST:
        return frozenset(listed)
    guesses = {f"{label}.{ending}" for label in (name, "-".join(words)) for ending in endings}
    return frozenset(listed | {each for each in guesses if each not in rows or rows[each].category == Category.COMPANY})


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", fold(name))

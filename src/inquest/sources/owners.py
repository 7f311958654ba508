"""Owners: the owner of a source, the origin of its story, and the domains of a company."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from inquest.domain.source import Category, Source
from inquest.domain.value import grouped
from inquest.sources.ratings_table import built_in_ratings
from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.sentences import fold
from inquest.text.urls import doi_in_address, versionless

OFFICIAL = frozenset(
    (Category.GOVERNMENT, Category.COURT, Category.REGULATOR, Category.INTERGOVERNMENTAL, Category.STATISTICS)
)
"""Public bodies."""
PUBLIC_BODIES = OFFICIAL | {Category.SCHOLARLY}
"""Public bodies and science, which are independent of each other although one state may pay for several."""
_FAR = datetime.max.replace(tzinfo=UTC)
_LEGAL_FORMS = {
    form: endings for endings, forms in entries(__name__, "homes_of_companies").items() for form in forms.split()
}
"""Endings besides .com under which companies of a legal form have their pages."""
_SHORTEST_NAME = 4
_DOTTED = regex(r"\b(?:\w\.){2,}|\b\w/\w\b")


def owner_or_site(source: Source) -> str:
    """Return what makes sources independent of each other: the owner, else the domain, else the id. Public bodies count
    by domain: a court and a regulator are two witnesses although one state pays both. A scholarly work counts by its
    DOI, because the authors of two studies in one publisher's journals are independent."""
    if source.rating.category == Category.SCHOLARLY:
        doi = (source.work.doi if source.work else None) or doi_in_address(source.url)
        if doi and (plain := versionless(doi)):
            return f"doi {plain}"
    owner = None if source.rating.category in PUBLIC_BODIES else source.rating.owner
    return owner or source.rating.domain or source.domain or source.id


def origins_of(sources: Mapping[str, Source]) -> dict[str, Source]:
    """Map each source id to the origin of its story: the one source named as such, else the earliest."""
    stories = grouped((source.story or f"source {source.id}", source) for source in sources.values())
    origins: dict[str, Source] = {}
    for story in stories.values():
        named = {each.origin_of_story for each in story if each.origin_of_story and each.origin_of_story in sources}
        origin = sources[named.pop()] if len(named) == 1 else min(story, key=earliest)
        origins |= {source.id: origin for source in story}
    return origins


def earliest(source: Source) -> tuple[datetime, str]:
    """Sort key by date, undated sources last, then by id."""
    return (source.published.at if source.published else _FAR, source.id)


def own_domains(company: str) -> frozenset[str]:
    """Return the registrable domains that belong to a company: 'Vonovia SE' -> vonovia.com, vonovia.de, vonovia.eu.
    Pages there are the company's own statements. A guess must not hit another publisher: only the whole name counts, of
    four letters or more, under endings usual for the legal form, and no domain that the table lists as something else.
    Company pages listed under this owner count too: 'Volkswagen AG' -> volkswagen-group.com."""
    words = _words(_DOTTED.sub(lambda form: form.group().replace(".", "").replace("/", ""), company))
    endings = ["com"]
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        endings += [ending for ending in _LEGAL_FORMS[words.pop()].split() if ending != "com"]
    name = "".join(words)
    rows = built_in_ratings().rows
    companies = [row for row in rows.values() if row.category == Category.COMPANY and row.owner]
    listed = {row.domain for row in companies if name and "".join(_words(row.owner or "")) == name}
    if len(name) < _SHORTEST_NAME:
        return frozenset(listed)
    guesses = {f"{label}.{ending}" for label in (name, "-".join(words)) for ending in endings}
    return frozenset(listed | {each for each in guesses if each not in rows or rows[each].category == Category.COMPANY})


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", fold(name))

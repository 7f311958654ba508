"""The book of standards: the rules of each by edition, with dates and public sources (`data/standards/*.toml`).

The files are data that a person can read and correct; every figure names its source, and every source how it was
checked. `inquest standards` prints them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any, Self

from pydantic import model_validator

from inquest.domain.value import Value


class PublicSource(Value):
    """The publication of a rule or a finding, and how our wording of it was `checked`."""

    title: str
    publisher: str
    year: int
    url: str
    checked: str
    unsourced: bool = False
    """No public document of the rules is known: anything based on it is printed but decides nothing."""


class Edition(Value):
    """One version of a standard. Dates are None if they are not known; `in_force_until` None: still in force."""

    version: str
    published: date | None = None
    in_force_from: date | None = None
    in_force_until: date | None = None
    source: PublicSource
    note: str = ""

    def in_force(self, first: date, last: date) -> bool:
        """Test if it was in force on any day from `first` to `last`; False if its beginning is not known."""
        begins = self.in_force_from
        return begins is not None and begins <= last and (self.in_force_until is None or first <= self.in_force_until)


class Rule(Value):
    """One requirement, criterion or value."""

    id: str
    text: str
    figure: float | None = None
    unit: str = ""
    asks: str = ""
    """The aspect that a check looks for; '' for a rule that is only printed."""
    when: tuple[str, ...] = ()
    """Scopes to which it applies; empty: all."""
    editions: tuple[str, ...] = ()
    """Versions that have it; empty: all."""
    optional: bool = False
    """Recommended, or only sometimes required: its absence is not a fault."""
    source: PublicSource
    place: str = ""


class Criticism(Value):
    """Criticism in research or reporting, or an answer to it."""

    about: str
    text: str
    project_types: tuple[str, ...] = ()
    source: PublicSource


class Standard(Value):
    """A standard, scheme, initiative or registry's programme."""

    id: str
    name: str
    family: str = ""
    """The id of the family it belongs to; '' for a family."""
    kind: str
    publisher: str
    about: str
    spellings: tuple[str, ...] = ()
    """Spellings, in any case."""
    marks: tuple[str, ...] = ()
    """Abbreviations, case-sensitive, because in other letters they are words."""
    beside: tuple[str, ...] = ()
    """Words of which one must be in the same sentence for a mark to count; empty: none."""
    registries: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    """Categories or sectors it distinguishes."""
    markets: tuple[str, ...] = ()
    """For certificates: the countries (ISO 3166) whose consumption they cover; empty: not limited, or not known."""
    namesake: str = ""
    """The id of a scheme that is known by the same short name in another market."""
    editions: tuple[Edition, ...] = ()
    rules: tuple[Rule, ...] = ()
    criticisms: tuple[Criticism, ...] = ()

    @model_validator(mode="after")
    def _rules_name_editions_that_exist(self) -> Self:
        known = {edition.version for edition in self.editions}
        for rule in self.rules:
            if not known.issuperset(rule.editions):
                raise ValueError(f"rule {rule.id} of {self.id} names an edition that does not exist")
        return self

    def rules_of(self, version: str) -> tuple[Rule, ...]:
        """The rules of one edition."""
        return tuple(rule for rule in self.rules if not rule.editions or version in rule.editions)

    def editions_on(self, first: date, last: date | None = None) -> tuple[Edition, ...]:
        """The editions in force on a day or in a period; several where their times overlap."""
        return tuple(edition for edition in self.editions if edition.in_force(first, last or first))


class StandardsBook:
    """All standards, by id."""

    def __init__(self, standards: tuple[Standard, ...]) -> None:
        self.by_id = {standard.id: standard for standard in standards}

    def __iter__(self) -> Iterator[Standard]:
        return iter(self.by_id.values())

    def __getitem__(self, standard_id: str) -> Standard:
        return self.by_id[standard_id]

    def rule(self, standard_id: str, rule_id: str) -> Rule:
        """Return a rule. Raises KeyError for one that does not exist."""
        return {rule.id: rule for rule in self.by_id[standard_id].rules}[rule_id]


@lru_cache(maxsize=1)
def standards_book() -> StandardsBook:
    """Load the book that comes with Inquest."""
    folder = files("inquest.sources") / "data" / "standards"
    found: list[Standard] = []
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".toml"):
            found += _standards(tomllib.loads(entry.read_text(encoding="utf-8")))
    return StandardsBook(tuple(found))


def _standards(table: dict[str, Any]) -> Iterator[Standard]:
    sources = {name: PublicSource.model_validate(row) for name, row in table["sources"].items()}
    for row in table["standard"]:
        fields = dict(row)
        for singular, plural in (("edition", "editions"), ("rule", "rules"), ("criticism", "criticisms")):
            fields[plural] = [_row(each, sources[each["source"]]) for each in fields.pop(singular, ())]
        yield Standard.model_validate(fields)


def _row(row: dict[str, Any], source: PublicSource) -> dict[str, Any]:
    """Return an edition, rule or criticism with its source; an unsourced one without the fields by which it decides."""
    deciding = ("asks", "in_force_from", "in_force_until", "project_types") if source.unsourced else ()
    return {name: value for name, value in row.items() if name not in deciding} | {"source": source}

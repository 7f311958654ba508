"""The book of standards, with the rules of each by edition, dates and public sources (`data/standards/*.toml`), and the
standards, schemes and registries that a text names.

The files are data that a person can read and correct; every figure names its source, and every source how it was
checked. `inquest standards` prints them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, Self

from pydantic import model_validator

from inquest.domain.value import Value
from inquest.text.lexicon import pattern
from inquest.text.sentences import Span, fold, sentences


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
            table = tomllib.loads(entry.read_text(encoding="utf-8"))
            sources = {name: PublicSource.model_validate(row) for name, row in table["sources"].items()}
            for row in table["standard"]:
                for singular, plural in (("edition", "editions"), ("rule", "rules"), ("criticism", "criticisms")):
                    row[plural] = [_row(each, sources[each["source"]]) for each in row.pop(singular, ())]
                found.append(Standard.model_validate(row))
    return StandardsBook(tuple(found))


def _row(row: dict[str, Any], source: PublicSource) -> dict[str, Any]:
    """Return an edition, rule or criticism with its source; an unsourced one without the fields by which it decides."""
    deciding = ("asks", "in_force_from", "in_force_until", "project_types") if source.unsourced else ()
    return {name: value for name, value in row.items() if name not in deciding} | {"source": source}


class NamedStandard(NamedTuple):
    """A standard that a text names. `edition` as written: '2018', '5.1', 'AR5'; '' if none is named."""

    standard: Standard
    span: Span
    text: str
    edition: str = ""


_JOINT = r"[\s_-]{0,3}"
_HYPHENS = str.maketrans(dict.fromkeys("‐‑–", "-"))
"""Replaced character by character, so that places stay. Patterns with sets of them would take long to compile."""
_EDITION = pattern(__name__, "edition")
_OF_REGISTRIES = ("regist", "certificate", "credit", "retired", "cancel", "redeemed", "issued")


def named_standards(text: str) -> tuple[NamedStandard, ...]:
    """Find the standards that a text names, in order, with repetitions; of overlapping names the longest counts. An
    abbreviation that is also a word or another name (REC, GO, CAR, CER, CDP) counts in its own letters, and only beside
    a word of its subject in the same sentence."""
    spelled, marks, owners = _patterns()
    plain = text.translate(_HYPHENS)
    found = [_named(text, match, owners[_key(match.group())]) for match in spelled.finditer(plain)]
    taken = [each.span for each in found]
    bounds = sentences(text)
    for match in marks.finditer(plain):
        if any(match.start() < span.end and span.start < match.end() for span in taken):
            continue
        owner = owners[_mark_key(match.group())]
        if _has_subject(owner, text, match, bounds):
            found.append(_named(text, match, owner))
    return tuple(sorted(found, key=lambda each: each.span))


def standard_called(name: str) -> tuple[Standard, ...]:
    """Return the standards that a name may mean, the best first: by id, spelling or abbreviation, else by a part of the
    name; a family includes its members."""
    wanted, letters, book = fold(name).strip(), _key(name), standards_book()
    if not letters:
        return ()
    exact = [each for each in book if letters in map(_key, (each.id, each.name, *each.spellings, *each.marks))]
    if not exact:
        exact = [each for each in book if wanted in fold(each.name) or wanted in each.id or wanted in fold(each.kind)]
    members = [each for family in exact for each in book if each.family == family.id and each not in exact]
    return tuple(dict.fromkeys([*exact, *members]))


def _named(text: str, match: re.Match[str], owner: Standard) -> NamedStandard:
    after = _EDITION.match(text, match.end())
    edition = next((group for group in after.groups() if group), "") if after else ""
    end = after.end() if after and edition else match.end()
    if not edition:
        name = match.group()
        within = re.search(r"\bAR[456]\b|(?:19|20)\d\d", name)
        reports = {"fourth": "AR4", "fifth": "AR5", "sixth": "AR6"} if "report" in name.lower() else {}
        ordinal = next((short for word, short in reports.items() if word in name.lower()), "")
        edition = within.group() if within else ordinal
    return NamedStandard(owner, Span(match.start(), end), text[match.start() : end], edition)


def _has_subject(owner: Standard, text: str, match: re.Match[str], bounds: list[Span]) -> bool:
    near = owner.beside
    if any(_mark_key(match.group()) == _mark_key(name) for name in owner.registries):
        near = (*near, *_OF_REGISTRIES)
    if not near:
        return True
    around = next((span for span in bounds if span.start <= match.start() < span.end), Span(0, len(text)))
    rest = text[around.start : match.start()] + " " + text[match.end() : around.end]
    # A word with a capital is a name and is case-sensitive.
    flags = {word: re.NOFLAG if word != word.lower() else re.I for word in near}
    return any(re.search(rf"(?<!\w){re.escape(word)}", rest, flag) for word, flag in flags.items())


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], dict[str, Standard]]:
    owners: dict[str, Standard] = {}
    spellings: list[str] = []
    marks: list[str] = []
    for standard in standards_book():
        for name in standard.spellings:
            owners[_key(name)] = standard
            spellings.append(name)
        for name in (*standard.marks, *standard.registries):
            # A registry that serves several schemes belongs to the first.
            owners.setdefault(_mark_key(name), standard)
            marks.append(name)
    return (_either(spellings, re.I, plural=True), _either(marks, re.NOFLAG, plural=False), owners)


def _either(names: list[str], flags: re.RegexFlag, *, plural: bool) -> re.Pattern[str]:
    longest_first = sorted(dict.fromkeys(names), key=len, reverse=True)
    forms = "|".join(_JOINT.join(re.escape(word) for word in re.split(r"[\s-]+", name)) for name in longest_first)
    return re.compile(rf"(?<![\w.])(?:{forms}){'s?' if plural else ''}(?![\w])", flags)


def _key(name: str) -> str:
    """Reduce a spelling to letters and digits, without a plural's s."""
    return re.sub(r"[\W_]+", "", name).lower().removesuffix("s")


def _mark_key(name: str) -> str:
    return "=" + re.sub(r"[\s_-]+", "", name)

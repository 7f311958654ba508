"""Rows of registers about a claim, and the validation of its target by sources other than the company (spec 002, 7.2).

A missing row means 'not registered there under that name', never that the claim is false. Apart from registers and the
initiative's own site, pages count by their judged stance.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from enum import StrEnum
from importlib.resources import files
from typing import NamedTuple

from inquest.claims.report.company import named_in
from inquest.desks.academic.science_targets_reading import INITIATIVE, stated_status, targets_in
from inquest.desks.academic.terms import first_named, official_domains, phrase_table, reason
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.domain.search import EngineKind, Query
from inquest.domain.value import JsonObject
from inquest.kit.desk import Results
from inquest.text.entities import names, same_name
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences, shorten
from inquest.text.units import measures_named
from inquest.text.urls import registrable_domain


class Register(NamedTuple):
    """A register as `registers.toml` describes it."""

    title: str
    site: str
    shown: str = "company number asset measure value period scope filing"
    place: str = ""
    angle: str = "benchmark"
    local: bool = False


REGISTERS = {
    name: Register(**row)
    for name, row in tomllib.loads((files(__package__) / "registers.toml").read_text("utf-8")).items()
}
_PROJECT = regex(r"\b(VCS|ACR|CAR|ART|GS)[ -]?(\d{2,6})\b")
_FACILITY = regex(r"\b(?:\d{12}|[A-Z]{2}[A-Z0-9]\d{6})\b")
"""A number of the Facility Registry Service or of a discharge permit."""
_MOST_ROWS, _MOST_QUOTED, _MOST_NAMED = 3, 400, 3


class RegisterRow(NamedTuple):
    """A row of a register with its passage."""

    register: str
    fields: dict[str, str]
    """'Head: value' as in the row, by the meaning of the column."""
    witness: AcademicEvidence

    def value(self, meaning: str) -> str:
        """Return the value in a column, or ''."""
        return self.fields.get(meaning, "").partition(": ")[2]

    def span(self, meaning: str) -> Span | None:
        """Return the place of a column's head and value, None if it is in another passage of the row."""
        field = self.fields.get(meaning, "")
        start = self.witness.text.find(field) if field else -1
        return Span(start, start + len(field)) if start >= 0 else None


def register_queries(
    claim: Claim, company: str, register: str, wanted: str = "", country: str = ""
) -> tuple[DeskQuery, ...]:
    """Return queries for the rows of the company and of the projects, facilities or installations in the claim.

    None for a register of a jurisdiction that the claim does not name. `wanted`: the figures and years. `country`: the
    company's, which distinguishes companies of the same name.
    """
    asked, places = REGISTERS[register], phrase_table("jurisdictions")
    if asked.place and not places[asked.place].search(claim.text):
        return ()
    subjects = [company]
    if register == "offsets":
        subjects += [f"{found[1]}{found[2]}" for found in _PROJECT.finditer(claim.text)]
    elif register == "echo":
        subjects += _FACILITY.findall(claim.text)
    elif register == "eutl":  # it lists installations without their owners
        named = [each.text for each in names(claim.text) if not measures_named(each.text)]
        subjects += [each for each in named if not any(words.fullmatch(each) for words in places.values())][
            :_MOST_NAMED
        ]
    found = []
    for text in filter(None, dict.fromkeys(subjects)):
        more = " ".join(filter(None, (wanted, f"country: {country}" if country and text == company else "")))
        query = Query(
            text=f'"{text}" {more}' if more else text,
            kinds=(EngineKind.REGISTRY,),
            purpose=f"rows of {asked.title}",
            domains=(asked.site,),
        )
        found.append(DeskQuery(desk="academic", angle=asked.angle, query=query, claim_ids=(claim.id,)))
    return tuple(found)


def row_of(witness: AcademicEvidence) -> RegisterRow | None:
    """Return the row that a passage is from; None if it is from no register."""
    for hit in witness.hits:
        fields, name = hit.details.get("fields"), hit.details.get("registry")
        if name in REGISTERS and isinstance(fields, dict):
            return RegisterRow(str(name), {meaning: str(each) for meaning, each in fields.items()}, witness)
    return None


def rows_in(witnesses: Sequence[AcademicEvidence], register: str) -> tuple[RegisterRow, ...]:
    """Return the rows of a register, each once."""
    rows = [row for row in map(row_of, witnesses) if row is not None and row.register == register]
    return tuple({row.witness.source.id: row for row in rows}.values())


def unanswered_by(results: Results) -> dict[str, Reason]:
    """Return the reason for each queried register that gave no row: it has none, or its table is not on this
    machine."""
    rows = {hit.details.get("registry") for each in results.evidence for hit in each.hits}
    failed = {note.where for note in results.outages} | {name for note in results.outages for name in note.names}
    queries = [each for each in results.queries if EngineKind.REGISTRY in each.query.kinds]
    found = {}
    for name, register in REGISTERS.items():
        asked = [each for each in queries if register.site in each.query.domains]
        if not asked or name in rows or name in failed:
            continue
        if any(name in (each.engines or ()) for each in asked):
            found[name] = reason("not_registered", register=register.title, names=[each.query.text for each in asked])
        elif register.local:
            command = f"inquest registries update {name}"
            found[name] = reason("register_missing", register=register.title, command=command)
    return found


def quoted_rows(rows: Sequence[RegisterRow]) -> tuple[Reason, ...]:
    """Quote the first rows."""
    found: list[Reason] = []
    for row in rows[:_MOST_ROWS]:
        register = REGISTERS[row.register]
        words = "; ".join(row.fields[meaning] for meaning in register.shown.split() if meaning in row.fields)
        found.append(reason("register_row", register=register.title, quote=shorten(words, _MOST_QUOTED)))
        found += [each for each in (_registered_as(row), row.witness.barred) if each is not None and each not in found]
    return tuple(found)


def _registered_as(row: RegisterRow) -> Reason | None:
    """Return a note on the company's other name, from GLEIF's record, under which the row was found; None if it was
    found under the requested name."""
    known = next((each for hit in row.witness.hits if (each := hit.details.get("registered_as"))), None)
    if not isinstance(known, dict):
        return None
    code = "registered_former" if known["former"] else "registered_as"
    return reason(code, register=REGISTERS[row.register].title, name=str(known["name"]), lei=str(known["lei"]))


def shown(row: RegisterRow) -> JsonObject:
    """Return a row for the details of a finding, with years and scopes from the wording of a target."""
    source, title = row.witness.source, REGISTERS[row.register].title
    details: JsonObject = {meaning: row.value(meaning) for meaning in row.fields}
    details |= {"register": title, "url": source.url, "source_id": source.id}
    if targets := targets_in(row.value("wording")):
        details["base_years"] = [*dict.fromkeys(each.base_year for each in targets if each.base_year)]
        details["target_years"] = [*dict.fromkeys(each.target_year for each in targets if each.target_year)]
        details["scopes"] = [*sorted({scope for each in targets for scope in each.scopes})]
    return details


class ValidationStatus(StrEnum):
    """The status of a target by sources other than the company (spec 002, 10.2)."""

    VALIDATED = "validated"
    NOT_VALIDATED = "not_validated"
    UNCLEAR = "status_unclear"


class PageStatus(NamedTuple):
    """The status of a target on one page, and where. `official`: on the initiative's own site."""

    witness: AcademicEvidence
    status: ValidationStatus
    span: Span
    official: bool

    @property
    def confidence(self) -> float:
        return 0.85 if self.official else 0.6


class StatusFound(NamedTuple):
    """The status of a target according to all pages, with the weightiest passage and all that mention it."""

    status: ValidationStatus
    reason: Reason
    leading: PageStatus | None = None
    witnesses: tuple[AcademicEvidence, ...] = ()


_REFUSED = ("not validated", "removed")
_OF_THE_LIST = {
    "validated": ValidationStatus.VALIDATED,
    **dict.fromkeys((*_REFUSED, "submitted", "committed"), ValidationStatus.NOT_VALIDATED),
}
_ROW_LINES = 2
"""Lines after a company's name in a list that may belong to its row."""


def claims_validation(text: str) -> bool:
    """Return True if a claim calls its target validated by the initiative."""
    return any(stated_status(span.of(text)) == "validated" for span in sentences(text))


def status_found(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> StatusFound:
    """Return the status according to pages other than the company's; unclear if pages of equal rank differ or none
    mentions it."""
    found = [status for each in witnesses if (status := _read(claim, company, each)) is not None]
    ranked = [each for each in found if each.official] or [each for each in found if each.witness.credibility <= 2]
    speaking = tuple({each.witness.source.id: each.witness for each in found}.values())
    if len({each.status for each in ranked}) != 1:
        why = reason("status_differs" if ranked else "status_nowhere")
        return StatusFound(ValidationStatus.UNCLEAR, why, witnesses=speaking)
    first = ranked[0]
    quote = first.span.of(first.witness.text).strip().rstrip(".")
    who = "The initiative's own site" if first.official else first.witness.source.domain
    return StatusFound(first.status, reason("status_said", who=who, quote=quote), first, speaking)


def with_status(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Return the witnesses; rows and lists of the initiative get the stance that follows from their columns."""
    if not claims_validation(claim):
        return tuple(witnesses)
    found = []
    for each in witnesses:
        decided = row_of(each) is None and each.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)
        status = None if decided else _read(claim, company, each)
        if status is not None:
            denied = status.status is ValidationStatus.NOT_VALIDATED
            stance = Stance.CONTRADICTS if denied else Stance.SUPPORTS
            why = reason("page_denies_validation" if denied else "page_says_validated")
            each = each.with_reading(stance, status.confidence, status.span, why)
        found.append(each)
    return tuple(found)


def _read(claim: str, company: str, witness: AcademicEvidence) -> PageStatus | None:
    """Return the status of the company's target on a page that counts."""
    if witness.left_out:
        return None
    if (row := row_of(witness)) is not None:
        return _registered(claim, row)
    if registrable_domain(witness.source.url) in official_domains("sbti"):
        return _listed(claim, company, witness)
    if not claims_validation(claim):
        return None
    quoted = Span(witness.start, witness.end)
    if witness.stance is Stance.SUPPORTS:
        return PageStatus(witness, ValidationStatus.VALIDATED, quoted, official=False)
    refused = witness.stance is Stance.CONTRADICTS and stated_status(witness.quote, about_it=True) in _REFUSED
    return PageStatus(witness, ValidationStatus.NOT_VALIDATED, quoted, official=False) if refused else None


def _registered(claim: str, row: RegisterRow) -> PageStatus | None:
    """Return the status of the claim's kind of target in a row of the initiative's dashboard."""
    for kind in [each for each in ("net_zero", "long_term", "near_term") if each in _kinds(claim)]:
        named, span = first_named("target_statuses", row.value(kind)), row.span(kind)
        listed = phrase_table("targets")["listed"].search(row.value(kind))
        status = ValidationStatus.VALIDATED if listed and named not in _REFUSED else _OF_THE_LIST.get(named)
        if status is not None and span is not None:
            return PageStatus(row.witness, status, span, official=True)
    return None


def _kinds(text: str, default: str = "near_term") -> set[str]:
    return {kind for kind, words in phrase_table("target_kinds").items() if words.search(text)} or {default}


def _listed(claim: str, company: str, witness: AcademicEvidence) -> PageStatus | None:
    """Return the status of the claim's kind of target in the initiative's own list."""
    listed = phrase_table("targets")["listed"]
    for span in _rows(company, witness):
        row = span.of(witness.text)
        named = stated_status(row, about_it=True)
        if named in ("", "called aligned") and listed.search(row):
            named = "validated"
        if named in _OF_THE_LIST and _kinds(row, "") & {*_kinds(claim), ""}:
            return PageStatus(witness, _OF_THE_LIST[named], span, official=True)
    return None


def _rows(company: str, witness: AcademicEvidence) -> Iterator[Span]:
    """Yield the lines of a list on a company: those that name it, and the next ones (all of them, if the page's title
    names it) that name no other."""
    titled, left = named_in(company, witness.source.title), 0
    for sentence in sentences(witness.text):
        place = sentence.start
        for line in sentence.of(witness.text).split("\n"):
            span, place = Span(place, place + len(line)), place + len(line) + 1
            left = _ROW_LINES + 1 if named_in(company, line) else left - 1
            if left > _ROW_LINES or ((left >= 0 or titled) and not _names_another(company, line)):
                yield span
            else:
                left = 0


def _names_another(company: str, words: str) -> bool:
    """Return True if a row names anything but the company and the initiative."""
    return any(
        each.sure
        and len(each.text) > len("C.")  # a unit or an initial
        and not same_name(each.text, company)
        and not INITIATIVE.search(each.text)
        for each in names(words)
    )

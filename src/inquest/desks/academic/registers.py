"""Rows of registers in what was found on a claim, and what others than the company say of a validation of its target
(spec 002, 7.2). Of any page but a register and the initiative's own site, the reading of whoever judged it counts.

That a register has no row of a name is 'not registered there under that name', and never that a claim is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from inquest.claims.report.company import named_in
from inquest.desks.academic.science_targets_reading import INITIATIVE, said_status, targets_in
from inquest.desks.academic.terms import first_named, official_domains, phrase_table, reason
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, worded
from inquest.domain.search import EngineKind, Query
from inquest.domain.value import JsonObject
from inquest.kit.desk import Results
from inquest.text.entities import names, same_name
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences, shorten
from inquest.text.units import measures_named
from inquest.text.urls import registrable_domain

_ANGLES = {"sbti": "sbti", "offsets": "certification"}
TITLES = {
    "sbti": "SBTi target dashboard", "offsets": "OffsetsDB", "gleif": "GLEIF", "xbrl_filings": "filings.xbrl.org",
    "edgar_figures": "SEC EDGAR", "climate_trace": "Climate TRACE", "echo": "EPA ECHO, air",
    "echo_water": "EPA ECHO, water", "ghgrp": "EPA GHGRP", "tri": "EPA TRI", "eutl": "EU Union Registry (EUTL)",
}  # fmt: skip
SITES = {
    "sbti": "sciencebasedtargets.org", "offsets": "carbonplan.org", "gleif": "gleif.org",
    "xbrl_filings": "filings.xbrl.org",
    "edgar_figures": "sec.gov", "climate_trace": "climatetrace.org", "echo": "echo.epa.gov",
    "echo_water": "echo.epa.gov", "ghgrp": "ghgdata.epa.gov", "tri": "enviro.epa.gov",
    "eutl": "union-registry-data.ec.europa.eu",
}  # fmt: skip
"""The publishers' hosts, by which a query is for one register; the two of ECHO are asked together."""
_TABLES = ("sbti", "offsets", "eutl")
_WHERE = {"echo": "us", "ghgrp": "us", "tri": "us", "eutl": "eu"}
"""Registers of one jurisdiction."""
_PROJECT = regex(r"\b(VCS|ACR|CAR|ART|GS)[ -]?(\d{2,6})\b")
_FACILITY = regex(r"\b(?:\d{12}|[A-Z]{2}[A-Z0-9]\d{6})\b")
"""A number of the Facility Registry Service, and one of a discharge permit."""
_SHOWN = {
    "sbti": ("company", "near_term", "near_term_year", "long_term", "net_zero", "net_zero_year", "wording"),
    "offsets": ("project", "proponent", "registry", "status", "issued", "retired", "transaction", "quantity", "vintage",
                "date", "beneficiary"),
    "gleif": ("company", "number", "names", "status", "successor"),
    **dict.fromkeys(
        ("echo", "echo_water"),
        ("company", "number", "city", "status", "violations", "quarters", "penalties", "measure", "value", "period",
         "limit", "violation"),
    ),
    "eutl": ("company", "country", "number", "permit"),
    **dict.fromkeys(
        ("ghgrp", "tri", "xbrl_filings", "edgar_figures", "climate_trace"),
        ("company", "number", "asset", "measure", "value", "period", "scope", "filing"),
    ),
}  # fmt: skip
_MOST_ROWS, _MOST_QUOTED, _MOST_NAMED = 3, 400, 3


def _no_site(name: str) -> bool:
    return any(phrase_table("jurisdictions")[where].fullmatch(name) for where in ("us", "eu")) or bool(
        measures_named(name)
    )


class RegisterRow(NamedTuple):
    """A row of a register, and the passage that it is in."""

    register: str
    fields: dict[str, str]
    """'Head: value' by what the column means, as the row has it."""
    witness: AcademicEvidence

    def value(self, meaning: str) -> str:
        """What the row has in a column; '' for nothing."""
        return self.fields.get(meaning, "").partition(": ")[2]

    def span(self, meaning: str) -> Span | None:
        """Where the passage has the column's head and value; None: it is in another passage of the row."""
        start = self.witness.text.find(self.fields[meaning]) if meaning in self.fields else -1
        return Span(start, start + len(self.fields[meaning])) if start >= 0 else None


def register_queries(claim: Claim, company: str, register: str, wanted: str = "") -> tuple[DeskQuery, ...]:
    """The company's rows of a register, and those of the projects, facilities or installations that the claim names;
    none of a register of another jurisdiction than the claim is about. `wanted`: of which figures and years."""
    if (where := _WHERE.get(register)) and not phrase_table("jurisdictions")[where].search(claim.text):
        return ()
    numbers = [f"{found[1]}{found[2]}" for found in _PROJECT.finditer(claim.text)] if register == "offsets" else []
    if register == "echo":
        numbers = _FACILITY.findall(claim.text)
    elif register == "eutl":  # it knows installations, and not who owns them
        numbers = [each.text for each in names(claim.text) if not _no_site(each.text)][:_MOST_NAMED]
    return tuple(
        DeskQuery(
            desk="academic",
            angle=_ANGLES.get(register, "benchmark"),
            query=Query(
                text=f'"{text}" {wanted}' if wanted else text,
                kinds=(EngineKind.REGISTRY,),
                purpose=f"rows of {TITLES[register]}",
                domains=(SITES[register],),
            ),
            claim_ids=(claim.id,),
        )
        for text in dict.fromkeys((company, *numbers))
        if text
    )


def row_of(witness: AcademicEvidence) -> RegisterRow | None:
    """The row that a passage is of; None: it is of no register."""
    for hit in witness.hits:
        fields, name = hit.details.get("fields"), hit.details.get("registry")
        if name in TITLES and isinstance(fields, dict):
            return RegisterRow(str(name), {meaning: str(each) for meaning, each in fields.items()}, witness)
    return None


def rows_in(witnesses: Sequence[AcademicEvidence], register: str) -> tuple[RegisterRow, ...]:
    """The rows of a register, each once."""
    rows = [row for each in witnesses if (row := row_of(each)) is not None and row.register == register]
    return tuple({row.witness.source.id: row for row in rows}.values())


def unanswered_by(results: Results) -> dict[str, Reason]:
    """By register that was to be asked and gave no row: that it has none, or that its table is not on this machine.
    One that failed is an outage, and not among these."""
    rows = {hit.details.get("registry") for each in results.evidence for hit in each.hits}
    failed = {note.where for note in results.outages} | {name for note in results.outages for name in note.names}
    found = {}
    for name, title in TITLES.items():
        asked = [
            each
            for each in results.queries
            if EngineKind.REGISTRY in each.query.kinds and SITES[name] in each.query.domains
        ]
        if not asked or name in rows or name in failed:
            continue
        if any(name in (each.engines or ()) for each in asked):
            found[name] = reason("not_registered", register=title, names=[each.query.text for each in asked])
        elif name in _TABLES:
            found[name] = reason("register_missing", register=title, command=f"inquest registries update {name}")
    return found


def quoted_rows(rows: Sequence[RegisterRow]) -> tuple[Reason, ...]:
    """What each row says, in its own words."""
    found = []
    for row in rows[:_MOST_ROWS]:
        said = "; ".join(row.fields[meaning] for meaning in _SHOWN[row.register] if meaning in row.fields)
        found.append(reason("register_row", register=TITLES[row.register], quote=shorten(said, _MOST_QUOTED)))
    return tuple(found)


def shown(row: RegisterRow) -> JsonObject:
    """A row for the details of a finding, with what the wording of a target states."""
    details: JsonObject = {meaning: row.value(meaning) for meaning in row.fields}
    details |= {"register": TITLES[row.register], "url": row.witness.source.url, "source_id": row.witness.source.id}
    if targets := targets_in(row.value("wording")):
        details["base_years"] = [*dict.fromkeys(each.base_year for each in targets if each.base_year)]
        details["target_years"] = [*dict.fromkeys(each.target_year for each in targets if each.target_year)]
        details["scopes"] = [*sorted({scope for each in targets for scope in each.scopes})]
    return details


class ValidationStatus(StrEnum):
    """By what others say (spec 002, 10.2)."""

    VALIDATED = "validated"
    NOT_VALIDATED = "not_validated"
    UNCLEAR = "status_unclear"


class StatusSaid(NamedTuple):
    """What one page says of the target, and where. `official`: it is the initiative's own."""

    witness: AcademicEvidence
    status: ValidationStatus
    span: Span
    official: bool

    @property
    def confidence(self) -> float:
        return 0.85 if self.official else 0.6


class StatusFound(NamedTuple):
    """What was found on a validation: the passage that weighs most, and everyone who says anything on it."""

    status: ValidationStatus
    reason: Reason
    leading: StatusSaid | None = None
    witnesses: tuple[AcademicEvidence, ...] = ()


_REFUSED = ("not validated", "removed")
_OF_THE_LIST = {
    "validated": ValidationStatus.VALIDATED,
    **dict.fromkeys((*_REFUSED, "submitted", "committed"), ValidationStatus.NOT_VALIDATED),
}
_ROW_LINES = 2
"""Lines of a list after a company's name that may belong to its row."""


def claims_validation(text: str) -> bool:
    """True where a claim says that its target is validated by the initiative."""
    return any(said_status(span.of(text)) == "validated" for span in sentences(text))


def status_found(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> StatusFound:
    """What pages other than the company's say. Of the initiative's site and others the former counts; where pages of
    one rank differ, or nobody says anything, the status is unclear."""
    found = [said for each in witnesses if (said := _read(claim, company, each)) is not None]
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
    """The witnesses to a claim that says that a target is validated: a row of the initiative's list bears on the claim,
    though its reading took no side. Any other claim's witnesses stay as they are."""
    if not claims_validation(claim):
        return tuple(witnesses)
    return tuple(_speaking(claim, company, each) for each in witnesses)


def _speaking(claim: str, company: str, witness: AcademicEvidence) -> AcademicEvidence:
    # What a row says follows from its columns, and from no reading of its words.
    decided = row_of(witness) is None and witness.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)
    said = None if decided else _read(claim, company, witness)
    if said is None:
        return witness
    denied = said.status is ValidationStatus.NOT_VALIDATED
    reading = {
        "stance": Stance.CONTRADICTS if denied else Stance.SUPPORTS,
        "contradiction_type": ContradictionType.DIRECT if denied else None,
        "confidence": said.confidence,
        "quote": said.span.of(witness.text),
        "start": said.span.start,
        "end": said.span.end,
    }
    why = reason("page_denies_validation" if denied else "page_says_validated")
    return witness.model_copy(update={**reading, **worded([why])})


def _read(claim: str, company: str, witness: AcademicEvidence) -> StatusSaid | None:
    """What a page that counts says of the company's target."""
    if witness.left_out:
        return None
    if (row := row_of(witness)) is not None:
        return _registered(claim, row)
    if registrable_domain(witness.source.url) in official_domains("sbti"):
        return _listed(claim, company, witness)
    quoted = Span(witness.start, witness.end)
    if not claims_validation(claim):
        return None
    if witness.stance is Stance.SUPPORTS:
        return StatusSaid(witness, ValidationStatus.VALIDATED, quoted, official=False)
    refused = witness.stance is Stance.CONTRADICTS and said_status(witness.quote, about_it=True) in _REFUSED
    return StatusSaid(witness, ValidationStatus.NOT_VALIDATED, quoted, official=False) if refused else None


def _registered(claim: str, row: RegisterRow) -> StatusSaid | None:
    """What a row of the initiative's dashboard says of the kind of target that the claim is about."""
    for kind in [each for each in ("net_zero", "long_term", "near_term") if each in _kinds_meant(claim)]:
        said, span = first_named("target_statuses", row.value(kind)), row.span(kind)
        listed = phrase_table("target_status")["listed"].search(row.value(kind))
        status = ValidationStatus.VALIDATED if listed and said not in _REFUSED else _OF_THE_LIST.get(said)
        if status is not None and span is not None:
            return StatusSaid(row.witness, status, span, official=True)
    return None


def _kinds_meant(claim: str) -> set[str]:
    found = {kind for kind, words in phrase_table("target_kinds").items() if words.search(claim)}
    return found or {"near_term"}


def _listed(claim: str, company: str, witness: AcademicEvidence) -> StatusSaid | None:
    """What the initiative's own list says of the kind of target that the claim is about."""
    kinds, listed = phrase_table("target_kinds"), phrase_table("target_status")["listed"]
    meant = _kinds_meant(claim)
    for span in _rows(company, witness):
        row = span.of(witness.text)
        named = {kind for kind, words in kinds.items() if words.search(row)}
        said = said_status(row, about_it=True)
        if said in ("", "called aligned") and listed.search(row):
            said = "validated"
        if said in _OF_THE_LIST and (named & meant or not named):
            return StatusSaid(witness, _OF_THE_LIST[said], span, official=True)
    return None


def _rows(company: str, witness: AcademicEvidence) -> Iterator[Span]:
    """The lines of a list on a company: those that name it, the next ones that name nobody else, and every one of the
    kind on a page whose title names it."""
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
    """True where a row names somebody beside the company and the initiative."""
    return any(
        each.sure
        and len(each.text) > len("C.")  # a unit or an initial
        and not same_name(each.text, company)
        and not INITIATIVE.search(each.text)
        for each in names(words)
    )

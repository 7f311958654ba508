"""Rows of registers in what was found on a claim: what they say, and that a company is not registered there.

That a register has no row of a name is 'not registered there under that name', and never that a claim is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.desks.academic.science_targets_reading import targets_in
from inquest.desks.academic.terms import reason
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.reasons import Reason
from inquest.domain.search import EngineKind, Query
from inquest.domain.value import JsonObject
from inquest.kit.desk import Results
from inquest.text.regex import regex
from inquest.text.sentences import Span, shorten

_ANGLES = {"sbti": "sbti", "offsets": "certification"}
TITLES = {"sbti": "SBTi target dashboard", "offsets": "OffsetsDB"}
SITES = {"sbti": "sciencebasedtargets.org", "offsets": "carbonplan.org"}
"""The publishers' sites, by which a query is for one register alone."""
_PROJECT = regex(r"\b(VCS|ACR|CAR|ART|GS)[ -]?(\d{2,6})\b")
_SHOWN = {
    "sbti": ("company", "near_term", "near_term_year", "long_term", "net_zero", "net_zero_year", "wording"),
    "offsets": ("project", "proponent", "registry", "status", "issued", "retired", "transaction", "quantity", "vintage",
                "date", "beneficiary"),
}  # fmt: skip
_MOST_ROWS, _MOST_QUOTED = 3, 400


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


def register_queries(claim: Claim, company: str, register: str) -> tuple[DeskQuery, ...]:
    """The company's rows of a register, and those of the projects that the claim numbers."""
    numbers = [f"{found[1]}{found[2]}" for found in _PROJECT.finditer(claim.text)] if register == "offsets" else []
    return tuple(
        DeskQuery(
            desk="academic",
            angle=_ANGLES[register],
            query=Query(
                text=text,
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
        asked = [each for each in results.queries if _is_of(name, each)]
        if not asked or name in rows or name in failed:
            continue
        if any(name in (each.engines or ()) for each in asked):
            found[name] = reason("not_registered", register=title, names=[each.query.text for each in asked])
        else:
            found[name] = reason("register_missing", register=title, command=f"inquest registries update {name}")
    return found


def _is_of(register: str, asked: DeskQuery) -> bool:
    return EngineKind.REGISTRY in asked.query.kinds and SITES[register] in asked.query.domains


def quoted_rows(rows: Sequence[RegisterRow]) -> tuple[Reason, ...]:
    """What each row says, in its own words."""
    quotes = [
        "; ".join(row.fields[meaning] for meaning in _SHOWN[row.register] if meaning in row.fields)
        for row in rows[:_MOST_ROWS]
    ]
    return tuple(
        reason("register_row", register=TITLES[row.register], quote=shorten(quote, _MOST_QUOTED))
        for row, quote in zip(rows, quotes, strict=False)
    )


def shown(row: RegisterRow) -> JsonObject:
    """A row for the details of a finding, with what the wording of a target states."""
    details: JsonObject = {meaning: row.value(meaning) for meaning in row.fields}
    details |= {"register": TITLES[row.register], "url": row.witness.source.url, "source_id": row.witness.source.id}
    if targets := targets_in(row.value("wording")):
        details["base_years"] = [*dict.fromkeys(each.base_year for each in targets if each.base_year)]
        details["target_years"] = [*dict.fromkeys(each.target_year for each in targets if each.target_year)]
        details["scopes"] = [*sorted({scope for each in targets for scope in each.scopes})]
    return details

"""Which technical claims are the desk's, how it groups them (spec 002, 2.1 to 2.3), and what it asks: papers,
benchmarks, disclosures, and the documents of standards (section 3).

The words are in `queries.toml`. Claims that need one document share one query. A query about a standard is worded
without the company or the year, so that it is the same for every report and an answer that is kept serves them all.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from importlib.resources import files
from itertools import zip_longest
from typing import TypeVar

from inquest.claims.brief_reading import key_terms
from inquest.claims.report.company import name_masked
from inquest.desks.academic.benchmark_figures import benchmark_figures
from inquest.desks.academic.registers import register_queries
from inquest.desks.academic.reported import PENALTIES, RELEASES, VIOLATIONS, claimed_figures
from inquest.desks.academic.schemes import check_certificates, check_methodology
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.desks.academic.terms import (
    CERTIFIED,
    METHODS,
    SCHEME_KINDS,
    certifications_in,
    metric_in,
    official_domains,
    phrase_table,
    reason,
    sector_of,
    technologies_in,
)
from inquest.domain.check import DeskQuery, Reinvestigation
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.reasons import Reason
from inquest.domain.search import EngineKind, Query
from inquest.entailment.bases import scopes_named
from inquest.sources.standards import named_standards
from inquest.sources.standards_book import standards_book
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.units import EMISSIONS, Dimension


class Group(StrEnum):
    """What about a claim is to be validated."""

    METHODOLOGY = "methodology"
    CERTIFICATION = "certification"
    TARGETS = "targets"
    BENCHMARK = "benchmark"
    RESEARCH = "research"
    REPORTED = "reported"


_FIRST_OF = {
    ClaimType.QUANTITATIVE: (Group.BENCHMARK, Group.RESEARCH),
    ClaimType.STRATEGIC: (Group.TARGETS,),
    ClaimType.ENVIRONMENTAL: (Group.CERTIFICATION,),
}
"""What a claim of a type is mostly about (spec 002, 2.1); the rest follows in the order of `_ORDER`."""
_ORDER = (Group.TARGETS, Group.CERTIFICATION, Group.METHODOLOGY, Group.RESEARCH, Group.BENCHMARK, Group.REPORTED)
_NOT_OURS = frozenset((ClaimType.GEOGRAPHIC, ClaimType.LEGAL_GOVERNANCE, ClaimType.EVENT))
"""Of another desk, unless a standard, scheme or initiative is named."""
_METHOD_KINDS = ("accounting", "project", "product", "verification", "neutrality", "inventory")
_GROUP_OF = {
    **dict.fromkeys(_METHOD_KINDS, Group.METHODOLOGY),
    **dict.fromkeys(SCHEME_KINDS, Group.CERTIFICATION),
    "target": Group.TARGETS,
}
"""By the kind of a standard in the book."""
NAMED = frozenset(("academic.names", "academic.names_method"))
"""Reasons that a standard, scheme, initiative or method is named."""
_TOTALS = (Dimension.MASS, Dimension.ENERGY)
_ANY_YEAR = 0
"""Of a figure whose claim names no year."""


def academic_groups(text: str, type: ClaimType = ClaimType.STATEMENT, company: str = "") -> dict[Group, Reason]:
    """The groups of a claim, the most important first, each with why; none where it has no technical content, or is
    wholly another desk's. The words of the company's own name put it in none."""
    text = name_masked(text, company)
    found: dict[Group, Reason] = {}
    for each in named_standards(text):
        if each.standard.kind in _GROUP_OF:
            found.setdefault(_GROUP_OF[each.standard.kind], reason("names", words=each.text))
    for group, why in _by_wording(text):
        if type not in _NOT_OURS or group is Group.REPORTED:
            found.setdefault(group, why)
    order = dict.fromkeys((*_FIRST_OF.get(type, ()), *_ORDER))
    return {group: found[group] for group in order if group in found}


def _by_wording(text: str) -> Iterator[tuple[Group, Reason]]:
    spoken = {name: words.search(text) for name, words in phrase_table("groups").items()}
    method = next((each for each in METHODS if each.words.search(text)), None)
    targets, checks = targets_in(text), check_certificates(text)
    if spoken["technical"] and (words := spoken["method"]):
        yield Group.METHODOLOGY, reason("says_how_counted", words=words.group())
    elif method:
        yield Group.METHODOLOGY, reason("names_method", name=method.name)
    # To become neutral is a target; it rests on credits only where they are spoken of.
    if checks and (spoken["bought"] or not targets):
        yield Group.CERTIFICATION, reason("rests_on", instrument=checks[0].kind.name)
    elif words := CERTIFIED.search(text):
        yield Group.CERTIFICATION, reason("names", words=words.group())
    if words := spoken["target"]:
        yield Group.TARGETS, reason("speaks_of_target", words=words.group())
    elif targets:
        yield Group.TARGETS, reason("states_target")
    technology = technologies_in(text)
    if technology and spoken["effect"]:
        yield Group.RESEARCH, reason("says_what_it_does", words=technology[0])
    if words := spoken["compared"]:
        yield Group.BENCHMARK, reason("invites_comparison", words=words.group())
    # What is aimed at is no result, and an amount of certificates or credits no performance.
    reported = not targets and not checks
    for each in benchmark_figures(text) if spoken["technical"] else ():
        if each.is_intensity or (reported and (each.is_change or each.dimension in _TOTALS)):
            yield Group.BENCHMARK, reason("gives_figure", figure=each.text)
    for claimed in () if targets or checks else claimed_figures(text, "", _ANY_YEAR):
        yield Group.REPORTED, reason("states_figure", figure=claimed.figure.text)


DESK, LIMIT = "academic", 10
KINDS = (EngineKind.SCHOLARLY, EngineKind.WEB)
_TABLE = tomllib.loads((files(__package__) / "queries.toml").read_text("utf-8"))
ANGLES: dict[str, str] = _TABLE["angles"]
"""Its kinds of query, each with what it is after."""
_MARKS = {angle: regex(words, re.I) for angle, words in _TABLE["marks"].items()}
_CALLED: dict[str, str] = _TABLE["called"]
_ACCOUNTS = ("gleif", "xbrl_filings", "edgar_figures")
_BY_NAME = ("gleif", "eutl", "echo")
"""Registers that are asked by a name alone."""
_ASKED_ON = {
    EMISSIONS: ("climate_trace", "ghgrp", "eutl"),
    RELEASES: ("tri",),
    VIOLATIONS: ("echo",),
    PENALTIES: ("echo",),
}
_REGISTERS = {Group.TARGETS: "sbti", Group.CERTIFICATION: "offsets"}
MOST_OF_A_GROUP, MOST_IN_ALL = 5, 15
"""Queries for a batch, which is the claims of one group (section 4.4), and for all claims (section 3.4)."""
_WORDS = 160
_AT_MOST = 2
"""Standards, schemes or technologies of a claim that are asked about."""


def query_for(claim: Claim, angle: str, text: str, domains: Sequence[str] = (), purpose: str = "") -> DeskQuery:
    """One question of the desk: of papers to indexes of literature, of documents to the web."""
    query = Query(
        text=shorten(text, _WORDS).rstrip("…"),
        kinds=(EngineKind.SCHOLARLY,) if angle == "papers" else (EngineKind.WEB,),
        purpose=purpose or ANGLES[angle],
        domains=tuple(domains),
        limit=LIMIT,
    )
    return DeskQuery(desk=DESK, angle=angle, query=query, claim_ids=(claim.id,))


def academic_asks(
    claims: Sequence[Claim],
    company: str,
    industry: str = "",
    year: int | None = None,
    drafted: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[DeskQuery, ...]:
    """The queries for these claims, most specific first; at most five for the claims of a group and fifteen in all.

    `drafted`: words of a model by claim id and angle, which go before those of the rules. A claim that the limit of
    its group would leave with no query at all gets one as long as the limit for all is not met.
    """
    by_group: dict[Group, list[list[DeskQuery]]] = {}
    for claim in sorted(claims, key=lambda each: -each.importance):
        words = dict((drafted or {}).get(claim.id, {}))
        own = [query_for(claim, angle, text) for angle, text in words.items() if angle in ANGLES]
        for group in academic_groups(claim.text, claim.type, claim.company or company):
            ruled = [each for each in _by_rule(group, claim, company, industry, year) if each.angle not in words]
            by_group.setdefault(group, []).append([each for each in (*own, *ruled) if each.query.text])
            own = []
    queues = [[(group, ask) for ask in _merged(_in_turn(asks))] for group, asks in by_group.items()]
    return (*_chosen(_in_turn(queues)), *_of_registers(claims, company, year))


def _of_registers(claims: Sequence[Claim], company: str, year: int | None) -> list[DeskQuery]:
    """The rows of registers, beside the limits: they cost nothing."""
    figures = [
        ask
        for claim in claims
        if Group.REPORTED in academic_groups(claim.text, claim.type, claim.company or company)
        for each in claimed_figures(claim.text, claim.company or company, year)
        for register in _ASKED_ON.get(each.measure.name, _ACCOUNTS)
        for ask in register_queries(
            claim,
            claim.company or company,
            register,
            "" if register in _BY_NAME else f"{each.measure.name} {each.year}" if each.year else "",
        )
    ]
    return [*_merged(figures), *_of_targets_and_credits(claims, company)]


def _of_targets_and_credits(claims: Sequence[Claim], company: str) -> list[DeskQuery]:
    return _merged(
        ask
        for claim in claims
        for group in academic_groups(claim.text, claim.type, claim.company or company)
        if (register := _REGISTERS.get(group)) is not None
        and (register != "offsets" or any(each.kind.general != "eac" for each in check_certificates(claim.text)))
        for ask in register_queries(claim, claim.company or company, register)
    )


def again_asks(claim: Claim, again: Reinvestigation, company: str, industry: str = "") -> tuple[DeskQuery, ...]:
    """For a claim that the judge sends the desk out for: its refined queries first, own ones where they are few."""
    gap, refined = again.required_evidence or again.evidence_gap, again.refined_queries
    texts = [text for text in dict.fromkeys(each.strip() for each in refined) if text][:MOST_OF_A_GROUP]
    asks = [query_for(claim, angle_of(text), text, purpose=gap) for text in texts]
    if len(asks) < 2:
        asks += [each for each in academic_asks([claim], company, industry) if each.query.text not in refined][:2]
    found = []
    for ask in asks:
        # Nobody has said which kind of engine would know.
        query = ask.query if ask.query.domains else ask.query.model_copy(update={"kinds": KINDS})
        found.append(ask.model_copy(update={"query": query, "iteration": again.iteration}))
    return tuple(found)


def angle_of(text: str) -> str:
    """The kind of query that words in a person's or the judge's own wording belong to."""
    return next((angle for angle, marks in _MARKS.items() if marks.search(text)), "papers")


def _by_rule(group: Group, claim: Claim, company: str, industry: str, year: int | None) -> Iterator[DeskQuery]:
    """The rows of the table for a group, filled with what the claim gives; '' for what it does not."""
    sector = sector_of(claim.text) or industry
    for given in _GIVEN[group](claim.text):
        words = defaultdict(str, company=company, sector=sector, year=str(year or ""), **given)
        for row in _TABLE.get(group.value, ()):
            if not row.get("needs") or words[row["needs"]]:
                home = row.get("home", "").format_map(words)
                domains = official_domains(home) if home else ()
                yield query_for(claim, row["angle"], row["text"].format_map(words), domains, row.get("purpose", ""))


def _of_method(text: str) -> Iterator[dict[str, str]]:
    check = check_methodology(text)
    scope = "".join(f"Scope {each} " for each in sorted(scopes_named(text))[-1:])
    method = check.methods[0].name if check.methods else ""
    for each in check.against[:_AT_MOST]:
        name = _CALLED.get(each.family or each.id, each.name)
        yield {"standard": name, "standard_id": each.id, "scope": scope, "method": method or "calculation"}
    general = f"{scope}emissions accounting" if scope or check.against else " ".join(key_terms(text, limit=4))
    iso = any(each.family == "iso-14064" for each in check.against[:_AT_MOST])
    yield {"subject": method or general, "without_iso": "" if iso else method or general}


def _of_certificates(text: str) -> Iterator[dict[str, str]]:
    checks = check_certificates(text)
    for check in checks:
        energy = check.kind.general == "eac"
        general = "renewable energy certificate" if energy else "carbon offset"
        for scheme in [each.id for each in check.schemes][:_AT_MOST] or [""]:
            # Without what is in brackets: 'I-REC', 'Verified Carbon Standard'.
            name = standards_book()[scheme].name.split(" (")[0] if scheme else ""
            given = {
                "scheme": name,
                "scheme_id": scheme,
                "general": general,
                "project": "".join(check.project_types[:1]),
            }
            yield {**given, "energy" if energy else "credit": name or general}
    if not checks:
        yield {"label": " ".join(certifications_in(text)[:1]) or "environmental certification"}


def _of_targets(text: str) -> Iterator[dict[str, str]]:
    net_zero, targets = "net zero" in text.lower().replace("-", " "), targets_in(text)
    needs = {
        "net_zero": net_zero,
        "near_term": not net_zero or any(each.reduction is not None for each in targets),
        "pathway": any(each.pathway for each in targets),
    }
    yield {name: "yes" for name, holds in needs.items() if holds}


def _of_benchmarks(text: str) -> Iterator[dict[str, str]]:
    scopes = " ".join(sorted(scopes_named(text)))
    yield {"metric": metric_in(text) or "emission intensity", "scope": f"Scope {scopes}" if scopes else ""}


def _of_research(text: str) -> Iterator[dict[str, str]]:
    yield from ({"technology": each} for each in technologies_in(text)[:_AT_MOST])


def _of_registered(text: str) -> Iterator[dict[str, str]]:
    yield from ()  # rows of registers are all that is asked for


_GIVEN = {
    Group.METHODOLOGY: _of_method,
    Group.CERTIFICATION: _of_certificates,
    Group.TARGETS: _of_targets,
    Group.BENCHMARK: _of_benchmarks,
    Group.RESEARCH: _of_research,
    Group.REPORTED: _of_registered,
}
_T = TypeVar("_T")


def _in_turn(queues: Iterable[Sequence[_T]]) -> list[_T]:
    """The first of every queue, then the second of every queue, and so on."""
    return [each for row in zip_longest(*queues) for each in row if each is not None]


def _merged(asks: Iterable[DeskQuery]) -> list[DeskQuery]:
    """Each query once, for all the claims that need it, at its first place."""
    found: dict[tuple[str, tuple[str, ...], bool], DeskQuery] = {}
    for ask in asks:
        key = (ask.query.text.casefold(), ask.query.domains, ask.angle == "papers")
        first = found.get(key, ask)
        found[key] = first.model_copy(update={"claim_ids": tuple(dict.fromkeys((*first.claim_ids, *ask.claim_ids)))})
    return list(found.values())


def _chosen(asks: Sequence[tuple[Group, DeskQuery]]) -> tuple[DeskQuery, ...]:
    """Those that are asked: first what no claim can do without, then what no group of a claim can do without, then the
    rest within the limit of each group."""
    taken: set[int] = set()
    for pairs in (False, True):
        needs = [{(name, group if pairs else None) for name in ask.claim_ids} for group, ask in asks]
        covered = set().union(*(needs[place] for place in taken))
        for place, wanted in enumerate(needs):
            if len(taken) < MOST_IN_ALL and not covered >= wanted:
                taken.add(place)
                covered |= wanted
    for place, (group, _) in enumerate(asks):
        if len(taken) < MOST_IN_ALL and sum(asks[each][0] is group for each in taken) < MOST_OF_A_GROUP:
            taken.add(place)
    return tuple(_merged(asks[place][1] for place in sorted(taken)))

"""Groups of technical claims (spec 002, 2.1 to 2.3), and queries for papers, benchmarks, disclosures and standards (3).

The templates are in `queries.toml`. Claims that need one document share one query. A query about a standard has neither
company nor year, so that a cached answer serves every report.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from importlib.resources import files
from itertools import zip_longest
from typing import TypeVar

from inquest.claims.brief_reading import key_terms
from inquest.claims.report.company import name_masked
from inquest.desks.academic.benchmark_figures import benchmark_figures
from inquest.desks.academic.claimed_figures import CREDITS, PENALTIES, PROJECT, RELEASES, VIOLATIONS, claimed_figures
from inquest.desks.academic.schemes import METHOD_KINDS, check_certificates, check_methodology
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.desks.academic.terms import (
    CERTIFIED,
    METHODS,
    SCHEME_KINDS,
    certifications_in,
    first_named,
    official_domains,
    phrase_table,
    reason,
    sector_of,
    technologies_in,
)
from inquest.desks.academic.witnesses import REGISTERS
from inquest.domain.check import DeskQuery, Reinvestigation, Subject
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.reasons import Reason
from inquest.domain.search import EngineKind, Query
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import Drafted, shared_queries
from inquest.sources.standards import named_standards, standards_book
from inquest.text.entities import names
from inquest.text.phrases import numbers_in
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.units import EMISSIONS, Dimension, measures_named


class Group(StrEnum):
    """A kind of technical claim, with its check."""

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
"""The main groups of a type of claim (spec 002, 2.1); the others follow in the order of `_ORDER`."""
_ORDER = (Group.TARGETS, Group.CERTIFICATION, Group.METHODOLOGY, Group.RESEARCH, Group.BENCHMARK, Group.REPORTED)
_OF_OTHER_DESKS = frozenset((ClaimType.GEOGRAPHIC, ClaimType.LEGAL_GOVERNANCE, ClaimType.EVENT))
"""Types that this desk takes only if they name a standard, scheme or initiative."""
_GROUP_OF = {
    **dict.fromkeys(METHOD_KINDS, Group.METHODOLOGY),
    **dict.fromkeys(SCHEME_KINDS, Group.CERTIFICATION),
    "target": Group.TARGETS,
}
"""Groups by the kind of a standard in the book."""
NAMED = frozenset(("academic.names", "academic.names_method"))
"""Reasons that a claim names a standard, scheme, initiative or method."""


def academic_groups(text: str, type: ClaimType = ClaimType.STATEMENT, company: str = "") -> dict[Group, Reason]:
    """Return the groups of a claim with their reasons, the most important first; the words of the company's name do not
    count."""
    text = name_masked(text, company)
    found: dict[Group, Reason] = {}
    for each in named_standards(text):
        if each.standard.kind in _GROUP_OF:
            found.setdefault(_GROUP_OF[each.standard.kind], reason("names", words=each.text))
    for group, why in _by_wording(text):
        if type not in _OF_OTHER_DESKS or group is Group.REPORTED:
            found.setdefault(group, why)
    return {group: found[group] for group in dict.fromkeys((*_FIRST_OF.get(type, ()), *_ORDER)) if group in found}


def _by_wording(text: str) -> Iterator[tuple[Group, Reason]]:
    matches = {name: words.search(text) for name, words in phrase_table("groups").items()}
    method = next((each for each in METHODS if each.words.search(text)), None)
    targets, checks = targets_in(text), check_certificates(text)
    if matches["technical"] and (words := matches["method"]):
        yield Group.METHODOLOGY, reason("says_how_counted", words=words.group())
    elif method:
        yield Group.METHODOLOGY, reason("names_method", name=method.name)
    # Becoming neutral is a target; it relies on credits only if they are mentioned.
    if checks and (matches["bought"] or not targets):
        yield Group.CERTIFICATION, reason("rests_on", instrument=checks[0].kind.name)
    elif words := CERTIFIED.search(text):
        yield Group.CERTIFICATION, reason("names", words=words.group())
    if words := matches["target"]:
        yield Group.TARGETS, reason("speaks_of_target", words=words.group())
    elif targets:
        yield Group.TARGETS, reason("states_target")
    technology = technologies_in(text)
    if technology and matches["effect"]:
        yield Group.RESEARCH, reason("says_what_it_does", words=technology[0])
    if words := matches["compared"]:
        yield Group.BENCHMARK, reason("invites_comparison", words=words.group())
    # A target is not a result, and an amount of certificates or credits is not performance.
    results = not targets and not checks
    for each in benchmark_figures(text) if matches["technical"] else ():
        total = each.is_change or each.dimension in (Dimension.MASS, Dimension.ENERGY)
        if each.is_intensity or (results and total):
            yield Group.BENCHMARK, reason("gives_figure", figure=each.text)
    figures = claimed_figures(text, "", 0)  # also a figure without a year
    for claimed in filter(lambda each: results or each.measure.name in CREDITS, figures):
        yield Group.REPORTED, reason("states_figure", figure=claimed.figure.text)


DESK, LIMIT = "academic", 10
KINDS = (EngineKind.SCHOLARLY, EngineKind.WEB)
_TABLE = tomllib.loads((files(__package__) / "queries.toml").read_text("utf-8"))
ANGLES: dict[str, str] = _TABLE["angles"]
_MARKS = {angle: regex(words, re.I) for angle, words in _TABLE["marks"].items()}
_ACCOUNTS = ("gleif", "xbrl_filings", "edgar_figures")
_BY_NAME = ("gleif", "eutl", "echo")
"""Registers that are searched by name alone."""
_ASKED_ON = {
    EMISSIONS: ("climate_trace", "ghgrp", "eutl"),
    RELEASES: ("tri",),
    VIOLATIONS: ("echo",),
    PENALTIES: ("echo",),
    **dict.fromkeys(CREDITS, ()),  # asked for every claim on credits
}
"""The registers of a measure, by default `_ACCOUNTS`."""
MOST_OF_A_GROUP, MOST_IN_ALL = 5, 15
"""Queries for the claims of one group (section 4.4) and for all claims (section 3.4)."""
_MOST_CHARACTERS = 160
_MOST_NAMES = 2
"""Standards, schemes or technologies of a claim with queries."""


def query_for(claim: Claim, angle: str, text: str, domains: Sequence[str] = (), purpose: str = "") -> DeskQuery:
    """Return a query of the desk: for papers to indexes of literature, for other documents to the web."""
    kinds = (EngineKind.SCHOLARLY,) if angle == "papers" else (EngineKind.WEB,)
    short, why = shorten(text, _MOST_CHARACTERS).rstrip("…"), purpose or ANGLES[angle]
    query = Query(text=short, kinds=kinds, purpose=why, domains=tuple(domains), limit=LIMIT)
    return DeskQuery(desk=DESK, angle=angle, query=query, claim_ids=(claim.id,))


def academic_asks(claims: Sequence[Claim], subject: Subject, drafted: Drafted | None = None) -> tuple[DeskQuery, ...]:
    """Return the queries for claims, the most specific first, within the limits of a group and of all claims.

    `drafted`: queries of a model by claim id and angle, which precede the templates. A claim without any query because
    of its group's limit gets one as long as the limit for all is not reached. Queries of registers have no limit.
    """
    by_group: dict[Group, list[list[DeskQuery]]] = {}
    figures, entries = list[DeskQuery](), list[DeskQuery]()
    owners = {claim.id: claim.company or subject.company for claim in claims}
    groups = {claim.id: academic_groups(claim.text, claim.type, owners[claim.id]) for claim in claims}
    for claim in sorted(claims, key=lambda each: -each.importance):
        words = dict((drafted or {}).get(claim.id, {}))
        own = [query_for(claim, angle, text) for angle, text in words.items() if angle in ANGLES]
        for group in groups[claim.id]:
            ruled = [each for each in _by_rule(group, claim, subject) if each.angle not in words]
            by_group.setdefault(group, []).append([each for each in (*own, *ruled) if each.query.text])
            own = []
    for claim in claims:
        owner = owners[claim.id]
        home = subject.country if owner == subject.company else ""
        for group in groups[claim.id]:
            for each in claimed_figures(claim.text, owner, subject.report_year) if group is Group.REPORTED else ():
                dated = f"{each.measure.name} {each.year}" if each.year else ""
                for name in _ASKED_ON.get(each.measure.name, _ACCOUNTS):
                    figures += register_queries(claim, owner, name, "" if name in _BY_NAME else dated, home)
            credits_ = group is Group.CERTIFICATION and check_certificates(claim.text)
            if group is Group.TARGETS:
                entries += register_queries(claim, owner, "sbti", country=home)
            elif credits_ and any(each.kind.general != "eac" for each in credits_):
                entries += register_queries(claim, owner, "offsets", " ".join(numbers_in(claim.text)), home)
    queues = [[(group, ask) for ask in shared_queries(_in_turn(asks))] for group, asks in by_group.items()]
    return (*_chosen(_in_turn(queues)), *shared_queries(figures), *shared_queries(entries))


def again_asks(claim: Claim, again: Reinvestigation, subject: Subject) -> tuple[DeskQuery, ...]:
    """Return the judge's refined queries for another round, with up to two of the desk if there are fewer than two."""
    gap, refined = again.required_evidence or again.evidence_gap, again.refined_queries
    texts = [text for text in dict.fromkeys(each.strip() for each in refined) if text][:MOST_OF_A_GROUP]
    asks = [query_for(claim, angle_of(text), text, purpose=gap) for text in texts]
    if len(asks) < 2:
        undated = subject.model_copy(update={"report_year": None, "country": ""})
        asks += [each for each in academic_asks([claim], undated) if each.query.text not in refined][:2]
    found = []
    for ask in asks:
        # A query without a site may be answered by either kind of engine.
        query = ask.query if ask.query.domains else ask.query.model_copy(update={"kinds": KINDS})
        found.append(ask.model_copy(update={"query": query, "iteration": again.iteration}))
    return tuple(found)


def angle_of(text: str) -> str:
    """Return the kind of query for the words of a person or the judge."""
    return next((angle for angle, marks in _MARKS.items() if marks.search(text)), "papers")


def _by_rule(group: Group, claim: Claim, subject: Subject) -> Iterator[DeskQuery]:
    """Yield the templates of a group filled with the values of the claim, '' for those that it lacks."""
    sector = sector_of(claim.text) or subject.industry
    values = defaultdict(str, company=subject.company, sector=sector, year=str(subject.report_year or ""))
    for given in _VALUES[group](claim.text) if group in _VALUES else ():
        words = values | given
        for row in _TABLE[group.value]:
            if not row.get("needs") or words[row["needs"]]:
                home = row.get("home", "").format_map(words)
                domains = official_domains(home) if home else ()
                yield query_for(claim, row["angle"], row["text"].format_map(words), domains, row.get("purpose", ""))


def _of_method(text: str) -> Iterator[dict[str, str]]:
    check = check_methodology(text)
    scope = "".join(f"Scope {each} " for each in sorted(scopes_named(text))[-1:])
    method = check.methods[0].name if check.methods else ""
    for each in check.against[:_MOST_NAMES]:
        name = each.name if each.kind == "target" else standards_book()[each.family or each.id].name
        about = method or ("disclosure" if each.kind == "disclosure" else "calculation")
        yield {"standard": name, "standard_id": each.id, "scope": scope, "method": about}
    counted = bool(scope) or any(each.kind != "disclosure" for each in check.against)
    general = f"{scope}emissions accounting" if counted else " ".join(key_terms(text, limit=4))
    iso = any(each.family == "iso-14064" for each in check.against[:_MOST_NAMES]) or (check.against and not counted)
    yield {"subject": method or general, "without_iso": "" if iso else method or general}


def _of_certificates(text: str) -> Iterator[dict[str, str]]:
    checks = check_certificates(text)
    for check in checks:
        energy = check.kind.general == "eac"
        general = "renewable energy certificate" if energy else "carbon offset"
        project = "".join(check.project_types[:1])
        for scheme in [each.id for each in check.schemes][:_MOST_NAMES] or [""]:
            # Without what is in brackets: 'I-REC', 'Verified Carbon Standard'.
            name = standards_book()[scheme].name.split(" (")[0] if scheme else ""
            values = {"scheme": name, "scheme_id": scheme, "general": general, "project": project}
            yield {**values, "energy" if energy else "credit": name or general}
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
    yield {"metric": first_named("metrics", text) or "emission intensity", "scope": f"Scope {scopes}" if scopes else ""}


_VALUES: dict[Group, Callable[[str], Iterable[dict[str, str]]]] = {
    Group.METHODOLOGY: _of_method,
    Group.CERTIFICATION: _of_certificates,
    Group.TARGETS: _of_targets,
    Group.BENCHMARK: _of_benchmarks,
    Group.RESEARCH: lambda text: ({"technology": each} for each in technologies_in(text)[:_MOST_NAMES]),
}
"""The values of a claim for the templates of a group, one set after the other."""
_T = TypeVar("_T")


def _in_turn(queues: Iterable[Sequence[_T]]) -> list[_T]:
    """Return the first of every queue, then the second of every queue, and so on."""
    return [each for row in zip_longest(*queues) for each in row if each is not None]


def _chosen(asks: Sequence[tuple[Group, DeskQuery]]) -> tuple[DeskQuery, ...]:
    """Choose a query for each claim, then for each group of each claim, then others within the limit of a group."""
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
    return shared_queries(asks[place][1] for place in sorted(taken))


_FACILITY = regex(r"\b(?:\d{12}|[A-Z]{2}[A-Z0-9]\d{6})\b")
"""A number of the Facility Registry Service or of a discharge permit."""
_MOST_NAMED = 3


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
        subjects += [f"{found[1]}{found[2]}" for found in PROJECT.finditer(claim.text)]
    elif register == "echo":
        subjects += _FACILITY.findall(claim.text)
    elif register == "eutl":  # it lists installations without their owners
        named = [each.text for each in names(claim.text) if not measures_named(each.text)]
        sites = [each for each in named if not any(words.fullmatch(each) for words in places.values())]
        subjects += [name for site in sites[:_MOST_NAMED] for name in (site, f"{company} {site}")]
    found = []
    of_all = {"kinds": (EngineKind.REGISTRY,), "purpose": f"rows of {asked.title}", "domains": (asked.site,)}
    for subject in filter(None, dict.fromkeys(subjects)):
        more = " ".join(filter(None, (wanted, f"country: {country}" if country and subject == company else "")))
        query = Query.model_validate({"text": f'"{subject}" {more}' if more else subject, **of_all})
        found.append(DeskQuery(desk=DESK, angle=asked.angle, query=query, claim_ids=(claim.id,)))
    return tuple(found)

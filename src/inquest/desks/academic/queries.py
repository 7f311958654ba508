"""What the academic desk asks: papers, benchmarks, disclosures, and the documents of standards (spec 002, section 3).

Claims that need one document share one query. A query about a standard is worded without the company or the year, so
that it is the same for every report and an answer that is kept serves them all. Official sites are named as domains,
which each engine writes in its own dialect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from inquest.claims.brief_reading import key_terms
from inquest.desks.academic.certificates import Instrument, check_certificates
from inquest.desks.academic.groups import Group, academic_groups, certifications_in
from inquest.desks.academic.methodology import check_methodology
from inquest.desks.academic.science_targets_reading import Pathway, targets_in
from inquest.desks.academic.terms import metric_in, official_domains, sector_of, technologies_in
from inquest.domain.claim import Claim
from inquest.domain.search import EngineKind
from inquest.entailment.bases import scopes_named
from inquest.sources.standards_book import Standard
from inquest.text.sentences import shorten

__all__ = ["ANGLES", "MOST_IN_ALL", "MOST_OF_A_GROUP", "Ask", "academic_asks", "again_asks", "angle_of", "kinds_of"]

ANGLES = {
    "papers": "peer-reviewed papers on the method, technology, certificate or metric",
    "benchmark": "benchmarks, averages and ranges of the sector for the metric",
    "cdp": "disclosures to CDP by the company and by comparable ones",
    "sbti": "criteria and register of the Science Based Targets initiative",
    "ghg_protocol": "standards and guidance of the GHG Protocol and ISO 14064",
    "certification": "rules, registries and criticism of certificates and carbon credits",
}
MOST_OF_A_GROUP, MOST_IN_ALL = 5, 15
"""Queries for a batch, which is the claims of one group (section 4.4), and for all claims (section 3.4)."""
_WORDS = 160
_METHOD_WORDS = {"ghg-protocol": "GHG Protocol", "iso-14064": "ISO 14064", "iso-14064-1": "ISO 14064-1"}


@dataclass(frozen=True, slots=True)
class Ask:
    """One query before the desk numbers it."""

    angle: str
    text: str
    domains: tuple[str, ...] = ()
    purpose: str = ""
    claim_ids: tuple[str, ...] = field(default=())


def kinds_of(angle: str) -> tuple[EngineKind, ...]:
    """Which engines an angle is for: indexes of literature for papers, the web for documents."""
    return (EngineKind.SCHOLARLY,) if angle == "papers" else (EngineKind.WEB,)


def academic_asks(
    claims: Sequence[Claim],
    company: str,
    industry: str = "",
    year: int | None = None,
    drafted: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[Ask, ...]:
    """The queries for these claims, most telling first; at most five for the claims of a group and fifteen in all.

    `drafted`: words of a model by claim id and angle, which go before those of the rules. A claim that the limit of
    its group would leave with no query at all gets one as long as the limit for all is not met.
    """
    ordered = sorted(claims, key=lambda each: -each.importance)
    by_group: dict[Group, list[list[Ask]]] = {}
    for claim in ordered:
        groups = academic_groups(claim.text, claim.type, claim.company or company).groups
        words = dict((drafted or {}).get(claim.id, {}))
        for number, group in enumerate(groups):
            own = [] if number else [_ask(claim, angle, text) for angle, text in words.items() if angle in ANGLES]
            ruled = [each for each in _by_rule(group, claim, company, industry, year) if each.angle not in words]
            by_group.setdefault(group, []).append([each for each in (*own, *ruled) if each.text])
    return _chosen(_by_turns(by_group))


def again_asks(claim: Claim, refined: Sequence[str], gap: str, company: str, industry: str = "") -> tuple[Ask, ...]:
    """For a claim that the judge sends the desk out for: its refined queries first, own ones where they are few."""
    asks = [
        Ask(angle_of(text), shorten(text, _WORDS).rstrip("…"), purpose=gap, claim_ids=(claim.id,))
        for text in dict.fromkeys(each.strip() for each in refined)
        if text
    ][:MOST_OF_A_GROUP]
    if len(asks) < 2:
        asks += [each for each in academic_asks([claim], company, industry) if each.text not in refined][:2]
    return tuple(asks)


def angle_of(text: str) -> str:
    """The kind of query that words in a person's or the judge's own wording belong to."""
    folded = text.lower()
    for angle, marks in (
        ("sbti", ("sbti", "science based", "science-based", "net-zero standard")),
        ("cdp", ("cdp",)),
        ("ghg_protocol", ("ghg protocol", "iso 14064", "iso14064")),
        (
            "certification",
            ("registry", "certificate", "i-rec", "guarantee of origin", "gold standard", "verra", "offset"),
        ),
        ("benchmark", ("benchmark", "average", "intensity", "sector")),
    ):
        if any(mark in folded for mark in marks):
            return angle
    return "papers"


def _ask(claim: Claim, angle: str, text: str, domains: Sequence[str] = (), purpose: str = "") -> Ask:
    words = shorten(" ".join(text.split()), _WORDS).rstrip("…")
    return Ask(angle, words, tuple(domains), purpose or ANGLES[angle], (claim.id,))


def _by_rule(group: Group, claim: Claim, company: str, industry: str, year: int | None) -> Iterator[Ask]:
    sector = sector_of(claim.text) or industry
    match group:
        case Group.METHODOLOGY:
            yield from _of_method(claim)
        case Group.CERTIFICATION:
            yield from _of_certificates(claim)
        case Group.TARGETS:
            yield from _of_targets(claim, company, sector)
        case Group.BENCHMARK:
            yield from _of_benchmarks(claim, company, sector, year)
        case Group.RESEARCH:
            yield from _of_research(claim)


def _of_method(claim: Claim) -> Iterator[Ask]:
    check = check_methodology(claim.text)
    scope = "".join(f"Scope {each} " for each in sorted(scopes_named(claim.text))[-1:])
    method = check.methods[0].name if check.methods else ""
    standards = check.against[:2]
    for standard in standards:
        home = official_domains(standard.id)
        name = _METHOD_WORDS.get(standard.family or standard.id, standard.name)
        yield _ask(claim, "ghg_protocol", f"{name} {scope}{method or 'calculation'} guidance", home)
    matter = method or (
        f"{scope}emissions accounting" if scope or standards else " ".join(key_terms(claim.text, limit=4))
    )
    yield _ask(claim, "papers", f"{matter} accuracy assessment peer-reviewed study")
    if not any(standard.family == "iso-14064" for standard in standards):
        yield _ask(claim, "ghg_protocol", f"{matter} ISO 14064 alignment", official_domains("iso-14064"))
    yield _ask(claim, "papers", f"{matter} scientific validity journal")


def _of_certificates(claim: Claim) -> Iterator[Ask]:
    checks = check_certificates(claim.text)
    for check in checks:
        schemes = list(dict.fromkeys(each.standard.id for each in check.schemes))
        standards = {each.standard.id: each.standard for each in check.schemes}
        energy = check.kind is Instrument.ENERGY
        general = "renewable energy certificate" if energy else "carbon offset"
        project = check.project_types[0] if check.project_types else ""
        named: list[Standard | None] = [standards[each] for each in schemes[:2]]
        for scheme in named or [None]:
            name = _plain(scheme) if scheme is not None else ""
            home = official_domains(scheme.id) if scheme is not None else ()
            yield _ask(claim, "certification", f"{name} {general} standard registry", home)
            if energy:
                yield _ask(claim, "papers", f"{name or general} additionality peer-reviewed")
                yield _ask(claim, "certification", f"{name or general} greenwashing research")
            else:
                yield _ask(claim, "papers", f"{name} {project} carbon offset additionality research")
                yield _ask(claim, "certification", f"{name} {project} {'' if name else general} legitimacy controversy")
                yield _ask(claim, "papers", f"{name or general} permanence leakage peer-reviewed")
    if not checks:
        name = " ".join(certifications_in(claim.text)[:1]) or "environmental certification"
        yield _ask(claim, "certification", f"{name} certification standard criteria")
        yield _ask(claim, "papers", f"{name} certification effectiveness peer-reviewed")


def _of_targets(claim: Claim, company: str, sector: str) -> Iterator[Ask]:
    home = official_domains("sbti")
    targets = targets_in(claim.text)
    net_zero = "net-zero" in claim.text.lower().replace("net zero", "net-zero")
    # The company's register entry is the same question for every target of it.
    yield _ask(claim, "sbti", f"{company} SBTi validated target", purpose="whether others say that it is validated")
    yield _ask(claim, "sbti", f"{company} target dashboard", home, "the initiative's own register")
    if net_zero:
        yield _ask(claim, "sbti", "SBTi Net-Zero Standard requirements", home)
    if any(each.reduction is not None for each in targets) or not net_zero:
        yield _ask(claim, "sbti", "SBTi near-term target validation criteria", home)
    if any(each.pathway is not Pathway.UNSTATED for each in targets) or "1.5" in claim.text:
        yield _ask(claim, "sbti", f"SBTi 1.5°C pathway alignment {sector}", home)
    yield _ask(claim, "papers", f"science-based targets {sector} emission reduction peer-reviewed research")


def _of_benchmarks(claim: Claim, company: str, sector: str, year: int | None) -> Iterator[Ask]:
    metric = metric_in(claim.text) or "emission intensity"
    scopes = sorted(scopes_named(claim.text))
    scope = f"Scope {' '.join(scopes)}" if scopes else ""
    home = official_domains("cdp")
    yield _ask(claim, "benchmark", f"{sector} {scope} {metric} benchmark industry average {year or ''}")
    yield _ask(claim, "papers", f"{sector} {metric} sector analysis peer-reviewed research")
    yield _ask(claim, "cdp", f"CDP {sector} {scope} emissions average {year or ''}", home)
    yield _ask(claim, "cdp", f"CDP {company} {year or ''} emissions disclosure")
    yield _ask(claim, "benchmark", f"{sector} association {metric} sustainability metrics report")


def _of_research(claim: Claim) -> Iterator[Ask]:
    for technology in technologies_in(claim.text)[:2]:
        yield _ask(claim, "papers", f"{technology} emission reduction peer-reviewed")
        yield _ask(claim, "papers", f"{technology} effectiveness study journal")
        yield _ask(claim, "benchmark", f"{technology} emission reduction potential assessment report")


def _plain(standard: Standard) -> str:
    """A scheme's name without what stands in brackets: 'I-REC', 'Verified Carbon Standard'."""
    return standard.name.split(" (")[0]


def _in_turn(queues: Sequence[Sequence[Ask]]) -> list[Ask]:
    """The first of every claim, then the second of every claim, and so on."""
    longest = max((len(each) for each in queues), default=0)
    return [queue[place] for place in range(longest) for queue in queues if place < len(queue)]


def _merged(asks: Sequence[Ask]) -> list[Ask]:
    """Each query once, for all the claims that need it, where it stands first."""
    found: dict[tuple[str, tuple[str, ...], bool], Ask] = {}
    for ask in asks:
        key = (ask.text.casefold(), ask.domains, ask.angle == "papers")
        known = found.get(key)
        ids = dict.fromkeys((*(known.claim_ids if known else ()), *ask.claim_ids))
        first = known or ask
        found[key] = Ask(first.angle, first.text, first.domains, first.purpose, tuple(ids))
    return list(found.values())


def _by_turns(by_group: Mapping[Group, Sequence[Sequence[Ask]]]) -> list[tuple[Group, Ask]]:
    """Groups in turn, each with its most telling query first."""
    queues = [[(group, ask) for ask in _merged(_in_turn(asks))] for group, asks in by_group.items()]
    longest = max((len(each) for each in queues), default=0)
    return [queue[place] for place in range(longest) for queue in queues if place < len(queue)]


def _chosen(asks: Sequence[tuple[Group, Ask]]) -> tuple[Ask, ...]:
    """Those that are asked: what no claim can do without first, then what no group of a claim can do without (which
    may make a second batch of a group), then the rest within the limit of each group."""
    taken: set[int] = set()
    for pairs in (False, True):
        covered: set[object] = set()
        for place, (group, ask) in enumerate(asks):
            needs = {(name, group) if pairs else name for name in ask.claim_ids}
            if place in taken:
                covered |= needs
        for place, (group, ask) in enumerate(asks):
            needs = {(name, group) if pairs else name for name in ask.claim_ids}
            if place not in taken and len(taken) < MOST_IN_ALL and not covered >= needs:
                taken.add(place)
                covered |= needs
    for place, (group, _) in enumerate(asks):
        if len(taken) < MOST_IN_ALL and sum(asks[each][0] is group for each in taken) < MOST_OF_A_GROUP:
            taken.add(place)
    return tuple(_merged([asks[place][1] for place in sorted(taken)]))

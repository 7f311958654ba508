"""Where a reader should look twice: a risk overview of a company's claims by topic. A pointer, never an accusation.

The criteria are those on which public rules about environmental claims agree:

- Directive (EU) 2024/825 on empowering consumers for the green transition, which adds to the list of unfair practices
  generic environmental claims without recognised excellent performance, claims about a whole that hold for a part,
  labels without a certification scheme, and claims of neutrality that rest on offsetting; and asks of claims about
  future performance for clear, verifiable commitments with a plan, targets and independent checks.
- The Green Claims Code of the UK's Competition and Markets Authority (2021): claims must be truthful, clear, must not
  leave out what matters, compare fairly, look at the whole life of a product, and be substantiated.

How far those rules apply to a report is a question for a lawyer; the weights here are Inquest's own. Absence of
evidence is no risk: what could not be verified is said, and adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquest.claims.claim_detection import BASELINE, PLANS
from inquest.claims.report.company import name_masked
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import Finding
from inquest.domain.reasons import Reason, ReasonData, worded
from inquest.text.lexicon import any_of, entries
from inquest.text.phrases import count
from inquest.text.regex import regex
from inquest.verdicts.judging_checks import IN_WORDS, failed_checks, standing_checks
from inquest.verdicts.judging_evidence import CHECKS

TARGETS = "Climate targets"
EMISSIONS = "Emissions figures"
RENEWABLE = "Renewable energy and certificates"
OFFSETS = "Offsets and neutrality"
PRODUCTS = "Products and technology"
NATURE = "Nature, water and waste"
SOCIAL = "Supply chain and social matters"
GOVERNANCE = "Governance and law"
OTHER = "Other matters"
TOPICS = (TARGETS, EMISSIONS, RENEWABLE, OFFSETS, PRODUCTS, NATURE, SOCIAL, GOVERNANCE, OTHER)
"""In the order in which they are shown."""

_WORDS = {name: any_of(__name__, name) for name in entries(__name__, "greenwashing")}
_BY_DISCLOSURE = (
    (regex(r"^36\(e\)"), OFFSETS),
    (regex(r"^3[3-6]\b|^3[3-6]\("), TARGETS),
    (regex(r"^29\(a\)\(v\)"), RENEWABLE),
    (regex(r"^29\(a\)"), EMISSIONS),
    (regex(r"^6\(|^29\(g\)"), GOVERNANCE),
)
_FAR_AHEAD = 2036


def topic_of(claim: Claim) -> str:
    """The one topic that the claim is counted under: by its words, else by the disclosure paragraphs they point to,
    else by its type."""
    text = name_masked(claim.text, claim.company)
    aimed = bool(PLANS.search(text)) or claim.type is ClaimType.STRATEGIC
    has = {name for name, words in _WORDS.items() if words.search(text)}
    # What law asks of emissions is no figure of the company's.
    of_law = claim.type is ClaimType.LEGAL_GOVERNANCE and "social" not in has
    rules = (
        (OFFSETS, "offset" in has),
        (GOVERNANCE, of_law),
        (TARGETS, aimed and "climate" in has and bool(has & {"firm_target", "emitted"})),
        (RENEWABLE, "renewable" in has),
        (EMISSIONS, "emitted" in has),
        (NATURE, "nature" in has),
        (SOCIAL, "social" in has),
        (GOVERNANCE, "governed" in has),
    )
    if found := next((topic for topic, applies in rules if applies), ""):
        return found
    for disclosure in claim.disclosures:
        for paragraph, topic in _BY_DISCLOSURE:
            if disclosure.standard.endswith("S2") and paragraph.match(disclosure.paragraph):
                return topic
    if claim.type is ClaimType.LEGAL_GOVERNANCE:
        return GOVERNANCE
    if "product" in has:
        return PRODUCTS
    return TARGETS if aimed and "climate" in has else OTHER


def vague_words(claim: Claim) -> tuple[str, ...]:
    """General claims of merit, as written, in a claim that gives no figure to hold them to."""
    if claim.quantities:
        return ()
    named = [match.span() for match in _WORDS["named_green"].finditer(claim.text)]
    return tuple(
        dict.fromkeys(
            match.group().lower()
            for match in _WORDS["vague"].finditer(claim.text)
            if not any(start <= match.start() < end for start, end in named)
        )
    )


def lacks_of_target(claim: Claim) -> tuple[str, ...]:
    """What an emissions target of the company's does not say although a reader needs it: its base year; an interim
    target, where its year is 2036 or later."""
    if claim.type is ClaimType.LEGAL_GOVERNANCE or _WORDS["denied"].search(claim.text):
        return ()
    lacks: list[str] = []
    targets = targets_in(claim.text)
    nearer = len(targets) > 1 or _WORDS["interim"].search(claim.text)
    for target in targets:
        year = target.target_year or target.net_zero_year or target.neutral_year
        if target.reduction is not None and target.base_year is None and not BASELINE.search(claim.text):
            lacks.append("no base year")
        if year is not None and year >= _FAR_AHEAD and not nearer:
            lacks.append("no interim target")
    return tuple(dict.fromkeys(lacks))


def leans_on_offsets(claim: Claim) -> bool:
    """Whether what is claimed rests on credits, or is a neutrality that says nothing of how it is reached."""
    if _WORDS["by_credits"].search(claim.text):
        return not _WORDS["without_credits"].search(claim.text)
    return bool(_WORDS["neutral"].search(claim.text)) and not _WORDS["emitted"].search(claim.text)


_SPEAKS = {Verdict.CONTRADICTED: 10.0, Verdict.DISPUTED: 6.0, Verdict.PARTIALLY_TRUE: 5.0, Verdict.VERIFIED: 0.0}
"""What a claim with this verdict adds, 0 to 10; one that could not be verified adds nothing."""
_ONE_ALONE = 0.5
"""What the worst single claim of a topic counts for, however many others hold."""
_LEAST_WEIGHT = 0.1
_MODERATE, _HIGH = 3.0, 6.0
_DECIDED_ENOUGH = 1 / 3
"""Part of a topic's claims, by importance, that must have been decided before its risk is called low."""
_FEW_DECIDED = 0.6
"""What the verdicts count for where fewer were decided: one claim that does not hold says less of a topic of many."""
_DECIDED_LEAST = 2
"""Claims that must have been decided: one that holds says little of its topic."""
_LISTED, _MOST_WORDS = 5, 4
"""Claims and vague words that a reason names."""


@dataclass(frozen=True)
class _Seen:
    """A claim with what was found on it."""

    claim: Claim
    assessment: Assessment | None
    failed: tuple[Finding, ...]

    @property
    def weight(self) -> float:
        return max(_LEAST_WEIGHT, self.claim.importance)

    @property
    def decided(self) -> bool:
        return self.verdict is not None and self.verdict is not Verdict.UNVERIFIED

    @property
    def verdict(self) -> Verdict | None:
        return self.assessment.verdict if self.assessment and self.assessment.checked else None

    @property
    def speaks(self) -> float:
        """0 to 10: what its verdict says, by how sure it is."""
        if self.assessment is None or self.verdict is None:
            return 0.0
        return _SPEAKS.get(self.verdict, 0.0) * (0.5 + self.assessment.confidence / 2)

    @property
    def own_word(self) -> bool:
        """Only the company says so."""
        found = self.assessment
        return (
            found is not None
            and self.verdict is Verdict.UNVERIFIED
            and bool(found.supporting)
            and not found.contradicting
            and found.independent_sources == 0
        )


def risk_overview(
    claims: Sequence[Claim], assessments: Sequence[Assessment], findings: Sequence[Finding]
) -> tuple[TopicRisk, ...]:
    """One line for each topic that a claim is about, in the order of `TOPICS`; every claim in exactly one.

    Scores run from 0 to 10: from 3 on the level is moderate, from 6 on high. 'Unknown', without a score, where nothing
    was found either way, or too little to call a risk low. The order of findings does not matter.
    """
    by_claim = {each.claim_id: each for each in assessments}
    checks: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda each: each.id):
        if finding.evidence_type in CHECKS and finding.claim_id:
            checks.setdefault(finding.claim_id, []).append(finding)
    topics: dict[str, list[_Seen]] = {}
    for claim in claims:
        seen = _Seen(claim, by_claim.get(claim.id), failed_checks(standing_checks(checks.get(claim.id, []))))
        topics.setdefault(topic_of(claim), []).append(seen)
    known = {each.id for each in findings}
    return tuple(_risk(topic, topics[topic], known) for topic in TOPICS if topic in topics)


def _risk(topic: str, seen: Sequence[_Seen], known: set[str]) -> TopicRisk:
    decided = [each for each in seen if each.decided]
    signals = _signals(seen)
    share = _share(decided, seen)
    by_verdicts = _by_verdicts(decided) * (1.0 if share >= _DECIDED_ENOUGH else _FEW_DECIDED)
    score = min(10.0, round(by_verdicts + sum(adds for adds, _ in signals), 1))
    found = bool(decided) or any(each.failed or each.own_word for each in seen)
    enough = len(decided) >= _DECIDED_LEAST and share >= _DECIDED_ENOUGH
    level = _level(score, found=found, enough=enough)
    reasons = [*_verdict_reasons(seen), *(why for _, why in signals), *_unknown_reasons(seen, level)]
    return TopicRisk(
        topic=topic,
        level=level,
        score=None if level is RiskLevel.UNKNOWN else score,
        claim_ids=tuple(each.claim.id for each in seen),
        finding_ids=_rests_on(seen, known),
        **worded(reasons),
    )


def _level(score: float, *, found: bool, enough: bool) -> RiskLevel:
    if not found or (score < _MODERATE and not enough):
        return RiskLevel.UNKNOWN
    if score >= _HIGH:
        return RiskLevel.HIGH
    return RiskLevel.MODERATE if score >= _MODERATE else RiskLevel.LOW


def _by_verdicts(decided: Sequence[_Seen]) -> float:
    if not decided:
        return 0.0
    mean = sum(each.weight * each.speaks for each in decided) / sum(each.weight for each in decided)
    return max(mean, _ONE_ALONE * max(each.speaks for each in decided))


def _share(some: Sequence[_Seen], of: Sequence[_Seen]) -> float:
    return sum(each.weight for each in some) / sum(each.weight for each in of)


def _signals(seen: Sequence[_Seen]) -> list[tuple[float, Reason]]:
    """What speaks for a second look beside the verdicts, with what it adds to the score: each by the share of the
    topic's claims that it is true of."""
    found = []
    rules: tuple[tuple[str, float, str, Callable[[_Seen], Sequence[str]]], ...] = (
        ("failed", 3.0, "kinds", _failed),
        ("vague", 1.5, "words", lambda each: [f"‘{word}’" for word in vague_words(each.claim)]),
        ("lacking", 1.5, "lacks", lambda each: lacks_of_target(each.claim)),
        ("offsets", 1.5, "", lambda each: [each.claim.id] if leans_on_offsets(each.claim) else []),
        ("own_word", 1.5, "", lambda each: [each.claim.id] if each.own_word else []),
    )
    for name, most, kind, signs_in in rules:
        met = [(each, signs) for each in seen if (signs := signs_in(each))]
        if met:
            signs = list(dict.fromkeys(sign for _, signs in met for sign in signs))
            claims = [each for each, _ in met]
            why = _reason(name, claims, **({kind: signs[: _MOST_WORDS if kind == "words" else None]} if kind else {}))
            found.append((most * _share(claims, seen), why))
    return found


def _failed(seen: _Seen) -> list[str]:
    contradicted = seen.verdict is Verdict.CONTRADICTED
    return [] if contradicted else [IN_WORDS[check.evidence_type] for check in seen.failed]


def _verdict_reasons(seen: Sequence[_Seen]) -> list[Reason]:
    by_verdict = [(verdict, [each for each in seen if each.verdict is verdict]) for verdict in _SPEAKS]
    return [_reason(verdict.value, met) for verdict, met in by_verdict if met]


def _unknown_reasons(seen: Sequence[_Seen], level: RiskLevel) -> list[Reason]:
    unverified = [each for each in seen if each.verdict is Verdict.UNVERIFIED and not each.own_word]
    unreached = [each for each in seen if each.verdict is None]
    found = [_reason("unverified", unverified)] if unverified else []
    found += [_reason("not_checked", unreached)] if unreached else []
    return [*found, _reason("unknown", ())] if level is RiskLevel.UNKNOWN else found


def _reason(name: str, met: Sequence[_Seen], **data: ReasonData) -> Reason:
    """A reason that the claims `met` give: their number, and the ids of the first."""
    ids = [each.claim.id for each in met]
    more = [count(len(ids) - _LISTED, "more claim")] if len(ids) > _LISTED else []
    return Reason(code=f"risks.{name}", data={"claims": [*ids[:_LISTED], *more], "number": len(ids), **data})


def _rests_on(seen: Sequence[_Seen], known: set[str]) -> tuple[str, ...]:
    """The findings against the claims, of the worst claim first; then failed checks."""
    ordered = sorted(seen, key=lambda each: (-each.speaks * each.weight, each.claim.id))
    against = [fid for each in ordered if each.assessment and each.speaks for fid in each.assessment.contradicting]
    failed = [check.id for each in ordered for check in each.failed]
    return tuple(dict.fromkeys(fid for fid in (*against, *failed) if fid in known))

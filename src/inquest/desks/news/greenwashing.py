"""The risk overview of a check: a company's claims by topic, and where a reader should look twice. No accusation.

The signals are those on which Directive (EU) 2024/825 and the Green Claims Code of the UK's Competition and Markets
Authority (2021) agree; the weights are Inquest's own. Absence of evidence is no risk: what could not be verified adds
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquest.claims.claim_detection import PLANS
from inquest.claims.report.company import name_masked
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import Finding
from inquest.domain.reasons import Reason, ReasonData, worded
from inquest.text.lexicon import any_of, entries
from inquest.text.phrases import count
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
_BY_WORDS = (
    ("renewable", RENEWABLE),
    ("emitted", EMISSIONS),
    ("nature", NATURE),
    ("social", SOCIAL),
    ("governed", GOVERNANCE),
    ("product", PRODUCTS),
)
_RISK = {Verdict.CONTRADICTED: 10.0, Verdict.DISPUTED: 6.0, Verdict.PARTIALLY_TRUE: 5.0, Verdict.VERIFIED: 0.0}
"""What a claim with this verdict adds, 0 to 10; one that could not be verified adds nothing."""
_WORST_CLAIM = 0.5
"""What the worst claim of a topic counts for, however many others are verified."""
_LEAST_WEIGHT = 0.1
_MODERATE, _HIGH = 3.0, 6.0
_DECIDED_SHARE, _DECIDED_LEAST = 1 / 3, 2
"""Part of a topic's claims, by importance, and number of them that must have been decided before a risk is low."""
_FEW_DECIDED = 0.6
"""What the verdicts count for where fewer were decided."""
_LISTED, _MOST_WORDS = 5, 4
"""Claims and vague words that a reason names."""


def topic_of(claim: Claim) -> str:
    """The one topic that the claim is counted under."""
    text = name_masked(claim.text, claim.company)
    aimed = bool(PLANS.search(text)) or claim.type is ClaimType.STRATEGIC
    found = {name for name, words in _WORDS.items() if words.search(text)}
    if "offset" in found:
        return OFFSETS
    if claim.type is ClaimType.LEGAL_GOVERNANCE:
        return SOCIAL if "social" in found else GOVERNANCE
    if aimed and "climate" in found:
        return TARGETS
    return next((topic for name, topic in _BY_WORDS if name in found), OTHER)


def vague_words(claim: Claim) -> tuple[str, ...]:
    """General claims of merit, as written, in a claim without a figure."""
    if claim.quantities:
        return ()
    text = _WORDS["named_green"].sub(" ", claim.text)
    return tuple(dict.fromkeys(match.group().lower() for match in _WORDS["vague"].finditer(text)))


def leans_on_offsets(claim: Claim) -> bool:
    """True where what is claimed rests on credits, or is a neutrality without a word on emissions."""
    if _WORDS["by_credits"].search(claim.text):
        return not _WORDS["without_credits"].search(claim.text)
    return bool(_WORDS["neutral"].search(claim.text)) and not _WORDS["emitted"].search(claim.text)


@dataclass(frozen=True)
class _Reviewed:
    """A claim with its assessment and the checks that failed."""

    claim: Claim
    assessment: Assessment | None
    failed: tuple[Finding, ...]

    @property
    def weight(self) -> float:
        return max(_LEAST_WEIGHT, self.claim.importance)

    @property
    def verdict(self) -> Verdict | None:
        return self.assessment.verdict if self.assessment and self.assessment.checked else None

    @property
    def decided(self) -> bool:
        return self.verdict in _RISK

    @property
    def risk(self) -> float:
        """0 to 10: the risk of its verdict, by the verdict's confidence."""
        if self.assessment is None or self.verdict is None:
            return 0.0
        return _RISK.get(self.verdict, 0.0) * (0.5 + self.assessment.confidence / 2)

    @property
    def only_own_statement(self) -> bool:
        """True where the company alone supports it."""
        found = self.assessment
        open_ = found is not None and self.verdict is Verdict.UNVERIFIED and found.independent_sources == 0
        return found is not None and open_ and bool(found.supporting) and not found.contradicting

    @property
    def failed_kinds(self) -> list[str]:
        """The failed checks in words, unless the verdict counts them already."""
        return [] if self.verdict is Verdict.CONTRADICTED else [IN_WORDS[each.evidence_type] for each in self.failed]


_Signal = tuple[str, float, str, Callable[[_Reviewed], Sequence[str]]]
_SIGNALS: tuple[_Signal, ...] = (
    ("failed", 3.0, "kinds", lambda each: each.failed_kinds),
    ("vague", 1.5, "words", lambda each: [f"‘{word}’" for word in vague_words(each.claim)]),
    ("offsets", 1.5, "", lambda each: [each.claim.id] if leans_on_offsets(each.claim) else []),
    ("own_word", 1.5, "", lambda each: [each.claim.id] if each.only_own_statement else []),
)
"""The reason, what it adds where every claim of a topic has it, the name of its data, and the signs in a claim."""


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
    topics: dict[str, list[_Reviewed]] = {}
    for claim in claims:
        failed = failed_checks(standing_checks(checks.get(claim.id, [])))
        topics.setdefault(topic_of(claim), []).append(_Reviewed(claim, by_claim.get(claim.id), failed))
    known = {each.id for each in findings}
    return tuple(_risk(topic, topics[topic], known) for topic in TOPICS if topic in topics)


def _risk(topic: str, reviewed: Sequence[_Reviewed], known: set[str]) -> TopicRisk:
    decided = [each for each in reviewed if each.decided]
    share = _share(decided, reviewed)
    score = _by_verdicts(decided) * (1.0 if share >= _DECIDED_SHARE else _FEW_DECIDED)
    reasons = [_reason(verdict.value, [each for each in reviewed if each.verdict is verdict]) for verdict in _RISK]
    for name, most, kind, signs_in in _SIGNALS:
        met = {each.claim.id: (each, signs) for each in reviewed if (signs := signs_in(each))}
        signs = list(dict.fromkeys(sign for _, found in met.values() for sign in found))
        data: dict[str, ReasonData] = {kind: signs[: _MOST_WORDS if kind == "words" else None]} if kind else {}
        score += most * _share([each for each, _ in met.values()], reviewed)
        reasons.append(_reason(name, [each for each, _ in met.values()], **data))
    open_ = [each for each in reviewed if each.verdict is Verdict.UNVERIFIED and not each.only_own_statement]
    reasons.append(_reason("unverified", open_))
    reasons.append(_reason("not_checked", [each for each in reviewed if each.verdict is None]))
    score = min(10.0, round(score, 1))
    found = bool(decided) or any(each.failed or each.only_own_statement for each in reviewed)
    level = _level(score, found=found, enough=len(decided) >= _DECIDED_LEAST and share >= _DECIDED_SHARE)
    if level is RiskLevel.UNKNOWN:
        reasons.append(Reason(code="risks.unknown", data={"claims": [], "number": 0}))
    return TopicRisk(
        topic=topic,
        level=level,
        score=None if level is RiskLevel.UNKNOWN else score,
        claim_ids=tuple(each.claim.id for each in reviewed),
        finding_ids=_evidence_ids(reviewed, known),
        **worded([each for each in reasons if each is not None]),
    )


def _level(score: float, *, found: bool, enough: bool) -> RiskLevel:
    if not found or (score < _MODERATE and not enough):
        return RiskLevel.UNKNOWN
    if score >= _HIGH:
        return RiskLevel.HIGH
    return RiskLevel.MODERATE if score >= _MODERATE else RiskLevel.LOW


def _by_verdicts(decided: Sequence[_Reviewed]) -> float:
    if not decided:
        return 0.0
    mean = sum(each.weight * each.risk for each in decided) / sum(each.weight for each in decided)
    return max(mean, _WORST_CLAIM * max(each.risk for each in decided))


def _share(some: Sequence[_Reviewed], of: Sequence[_Reviewed]) -> float:
    return sum(each.weight for each in some) / sum(each.weight for each in of)


def _reason(name: str, met: Sequence[_Reviewed], **data: ReasonData) -> Reason | None:
    """A reason with the number of claims that give it and the ids of the first; None where none does."""
    if not met:
        return None
    ids = [each.claim.id for each in met]
    more = [count(len(ids) - _LISTED, "more claim")] if len(ids) > _LISTED else []
    return Reason(code=f"risks.{name}", data={"claims": [*ids[:_LISTED], *more], "number": len(ids), **data})


def _evidence_ids(reviewed: Sequence[_Reviewed], known: set[str]) -> tuple[str, ...]:
    """The findings against the claims, of the worst claim first; then failed checks."""
    ordered = sorted(reviewed, key=lambda each: (-each.risk * each.weight, each.claim.id))
    against = [fid for each in ordered if each.assessment and each.risk for fid in each.assessment.contradicting]
    failed = [check.id for each in ordered for check in each.failed]
    return tuple(dict.fromkeys(fid for fid in (*against, *failed) if fid in known))

"""The risk overview of a check: a company's claims by topic, with those to examine more closely. It accuses nobody.

The signals are those on which Directive (EU) 2024/825 and the Green Claims Code of the UK's Competition and Markets
Authority (2021) agree; the weights are Inquest's own. Claims that could not be verified add no risk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inquest.claims.claim_detection import PLANS
from inquest.claims.report.company import name_masked
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import Assessment, Finding, Verdict
from inquest.domain.reasons import Reason, worded
from inquest.domain.value import grouped
from inquest.text.lexicon import any_of, entries
from inquest.verdicts.judging_evidence import CHECKS, failed_checks, standing_checks
from inquest.verdicts.weighing_reasons import reason

TARGETS = "Climate targets"
EMISSIONS = "Emissions figures"
RENEWABLE = "Renewable energy and certificates"
OFFSETS = "Offsets and neutrality"
PRODUCTS = "Products and technology"
NATURE = "Nature, water and waste"
SOCIAL = "Supply chain and social matters"
GOVERNANCE = "Governance and law"
TOPICS = (TARGETS, EMISSIONS, RENEWABLE, OFFSETS, PRODUCTS, NATURE, SOCIAL, GOVERNANCE)

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
"""Risk of a claim by its verdict, 0 to 10; an unverified claim has none."""
_WORST_CLAIM = 0.5
"""Minimum share of the worst claim's risk in a topic's score, however many others are verified."""
_LEAST_WEIGHT = 0.1
_MODERATE, _HIGH = 3.0, 6.0
_DECIDED_SHARE, _DECIDED_LEAST = 1 / 3, 2
"""Minimum share of a topic's claims, by importance, and minimum number that must be decided for a low risk."""
_LISTED, _MOST_WORDS = 5, 4
"""Maximum claims and vague words that a reason names."""
_SIGNS = {"failed": 3.0, "vague": 1.5, "offsets": 1.5, "own_word": 1.5}
"""Amount that each sign adds to the score if every claim of a topic has it."""


def topic_words(topic: str) -> Reason:
    """The name of one of the `TOPICS`."""
    return Reason(code=f"risks.{'_'.join(topic.lower().replace(',', '').split())}")


def topic_of(claim: Claim) -> str:
    """The topic under which a claim counts; '' if it is about none of them."""
    text = name_masked(claim.text, claim.company)
    aimed = bool(PLANS.search(text)) or claim.type is ClaimType.STRATEGIC
    found = {name for name, words in _WORDS.items() if words.search(text)}
    if found & {"offset", "by_credits", "neutral"}:
        return OFFSETS
    if claim.type is ClaimType.LEGAL_GOVERNANCE:
        return SOCIAL if "social" in found else GOVERNANCE
    if aimed and found & {"climate", "emitted"}:
        return TARGETS
    return next((topic for name, topic in _BY_WORDS if name in found), "")


def vague_words(claim: Claim) -> tuple[str, ...]:
    """General words of praise in a claim without a figure, in lower case; none of a name ('Green-e')."""
    text = "" if claim.quantities else _WORDS["named_green"].sub(" ", claim.text)
    found = ((match.start(), match.group()) for match in _WORDS["vague"].finditer(text))
    return tuple(dict.fromkeys(words.lower() for start, words in found if not start or words.islower()))


def leans_on_offsets(claim: Claim) -> bool:
    """True if the claim depends on credits, or claims neutrality without mentioning emissions."""
    if _WORDS["by_credits"].search(claim.text):
        return not _WORDS["without_credits"].search(claim.text)
    return bool(_WORDS["neutral"].search(claim.text)) and not _WORDS["emitted"].search(claim.text)


@dataclass(frozen=True)
class _Reviewed:
    """A claim with its assessment (None unless it was checked) and its failed checks."""

    claim: Claim
    assessment: Assessment | None
    failed: tuple[Finding, ...]

    @property
    def weight(self) -> float:
        return max(_LEAST_WEIGHT, self.claim.importance)

    @property
    def verdict(self) -> Verdict | None:
        return self.assessment.verdict if self.assessment else None

    @property
    def risk(self) -> float:
        """The risk of its verdict, scaled by the verdict's confidence: 0 to 10."""
        found = self.assessment
        return _RISK.get(found.verdict, 0.0) * (0.5 + found.confidence / 2) if found else 0.0

    @property
    def only_own_statement(self) -> bool:
        """True if only the company itself supports it."""
        found = self.assessment
        if found is None or found.verdict is not Verdict.UNVERIFIED or found.independent_sources:
            return False
        return bool(found.supporting) and not found.contradicting

    @property
    def signs(self) -> dict[str, list[str]]:
        """Signs that call for a closer look, by the code of the reason: kinds of failed checks unless the verdict
        counts them, vague words, and reliance on offsets or on the company's own word."""
        counted = self.verdict is Verdict.CONTRADICTED
        return {
            "failed": [] if counted else [each.evidence_type for each in self.failed],
            "vague": [f"‘{word}’" for word in vague_words(self.claim)],
            "offsets": [self.claim.id] if leans_on_offsets(self.claim) else [],
            "own_word": [self.claim.id] if self.only_own_statement else [],
        }


def risk_overview(
    claims: Sequence[Claim], assessments: Sequence[Assessment], findings: Sequence[Finding]
) -> tuple[TopicRisk, ...]:
    """The risk of each topic with claims, in the order of `TOPICS`; a claim counts under one or none.

    Scores run from 0 to 10: from 3 on the level is moderate, from 6 on high. It is unknown, without a score, if no
    evidence was found, or too little for a low risk. The order of findings does not matter.
    """
    by_claim = {each.claim_id: each for each in assessments if each.checked}
    ordered = sorted(findings, key=lambda each: each.id)
    checks = grouped((each.claim_id, each) for each in ordered if each.evidence_type in CHECKS)
    failed = {claim.id: failed_checks(standing_checks(checks.get(claim.id, []))) for claim in claims}
    topics = grouped((topic_of(each), _Reviewed(each, by_claim.get(each.id), failed[each.id])) for each in claims)
    known = {each.id for each in findings}
    return tuple(_risk(topic, topics[topic], known) for topic in TOPICS if topic in topics)


def _risk(topic: str, reviewed: Sequence[_Reviewed], known: set[str]) -> TopicRisk:
    decided = [each for each in reviewed if each.verdict in _RISK]
    share = _share(decided, reviewed)
    mean = sum(each.weight * each.risk for each in decided) / sum(each.weight for each in decided) if decided else 0.0
    worst = max((each.risk for each in decided), default=0.0)
    score = max(mean, _WORST_CLAIM * worst)
    reasons = [_reason(verdict.value, [each for each in reviewed if each.verdict is verdict]) for verdict in _RISK]
    for name, most in _SIGNS.items():
        with_sign = [each for each in reviewed if each.signs[name]]
        signs = list(dict.fromkeys(sign for each in with_sign for sign in each.signs[name]))
        kinds = [reason("criteria", kind=sign) for sign in signs] if name == "failed" else []
        score += most * _share(with_sign, reviewed)
        reasons.append(_reason(name, with_sign, words=signs[:_MOST_WORDS], kinds=kinds))
    open_ = [each for each in reviewed if each.verdict is Verdict.UNVERIFIED and not each.only_own_statement]
    reasons.append(_reason("unverified", open_))
    reasons.append(_reason("not_checked", [each for each in reviewed if each.verdict is None]))
    score = min(10.0, round(score, 1))
    evidence = bool(decided) or any(each.failed or each.only_own_statement for each in reviewed)
    low = RiskLevel.LOW if len(decided) >= _DECIDED_LEAST and share >= _DECIDED_SHARE else RiskLevel.UNKNOWN
    level = RiskLevel.HIGH if score >= _HIGH else RiskLevel.MODERATE if score >= _MODERATE else low
    if not evidence:
        level = RiskLevel.UNKNOWN
    if level is RiskLevel.UNKNOWN:
        reasons.append(Reason(code="risks.unknown", data={"claims": [], "number": 0}))
    # The findings against the claims, riskiest claim first, then the failed checks.
    ordered = sorted(reviewed, key=lambda each: (-each.risk * each.weight, each.claim.id))
    against = [fid for each in ordered if each.assessment and each.risk for fid in each.assessment.contradicting]
    failed = [check.id for each in ordered for check in each.failed]
    return TopicRisk(
        topic=topic,
        level=level,
        score=None if level is RiskLevel.UNKNOWN else score,
        claim_ids=tuple(each.claim.id for each in reviewed),
        finding_ids=tuple(dict.fromkeys(fid for fid in (*against, *failed) if fid in known)),
        **worded([each for each in reasons if each is not None]),
    )


def _share(some: Sequence[_Reviewed], of: Sequence[_Reviewed]) -> float:
    return sum(each.weight for each in some) / sum(each.weight for each in of)


def _reason(name: str, reviewed: Sequence[_Reviewed], **data: list[str] | list[Reason]) -> Reason | None:
    """A reason with the number of claims behind it and the ids of the first; None without any."""
    if not reviewed:
        return None
    ids = [each.claim.id for each in reviewed]
    claims: list[str] | list[Reason] = ids
    if (more := len(ids) - _LISTED) > 0:
        named = [Reason(code="summary.words", data={"words": each}) for each in ids[:_LISTED]]
        claims = [*named, Reason(code="risks.more_claims", data={"number": more})]
    return Reason.of(f"risks.{name}", claims=claims, number=len(ids), **data)

"""Findings of the news desk (spec 000, §5 and §6): one for each source, the summary of all, and the rule that flags a
claim as contradicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from inquest.claims.report.company import named_in
from inquest.domain.check import RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.finding import Finding, Reading, Speaker, SpeakerKind, Stance
from inquest.domain.reasons import Reason, ReasonData, in_words, plain
from inquest.domain.source import Category, Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.desk import FindingDraft, Results
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.phrases import capitalised, count, day, ended, listed, quoted, uncapitalised
from inquest.text.sentences import Span, content_words, shorten
from inquest.text.similarity import best_sentence
from inquest.verdicts.votes import Vote, finding_weight, votes
from inquest.verdicts.weighing import is_flagged, together
from inquest.verdicts.weighing_reasons import name_of

_SNIPPET, _QUOTE = 500, 240
"""Maximum characters of an excerpt, and of a quote inside a sentence."""
_ON_SUBJECT = 0.4
"""Minimum share of the claim's words, by weight, in a sentence on its subject."""
_COMPARISONS = frozenset(
    f"entailment.{name}"
    for name in (
        "figures_same", "figures_differ", "dates_differ",
        "other_scope", "other_method", "other_output", "other_base_year", "other_matter",
    )
)  # fmt: skip
"""Codes of reasons that quote both the claim and the passage."""
_KEY_FINDINGS = 5
_RULES = {
    1: "a source of tier 1 contradicts it",
    2: "two or more independent sources of tier 2 or better contradict it",
    3: "three or more independent sources of tier 3 or better contradict it, which is less firm",
}


class NewsEvidence(Reading):
    """The reading of one source on a claim."""

    source: Source
    around: str
    """The passage that contains the quote."""
    angles: tuple[str, ...] = ()
    own_word: bool = False
    """True for a statement of the company itself."""

    @property
    def key(self) -> str:
        """The key of its source."""
        return self.source.id or self.source.snapshot or self.source.url


def speaks_of(claim: str, passage: str, company: str, around: str) -> Span | None:
    """The sentence nearest to the claim; None if it is not on its subject, or if neither passage nor page names the
    company."""
    if company and not named_in(company, f"{passage}\n{around}"):
        return None
    best = best_sentence(claim, passage)
    # The running head of a page has only the company's name and a page number.
    words = {word for word in content_words(best.span.of(passage)) if not word.isdigit()} - {*content_words(company)}
    return best.span if best.score >= _ON_SUBJECT and words else None


def summary_code(evidence: NewsEvidence) -> Reason:
    """One sentence on the stance of the source towards the claim."""
    stance = evidence.stance
    own = evidence.own_word or (evidence.against_self and stance is Stance.CONTRADICTS)
    why = _reason_why(evidence)
    said = uncapitalised(ended(plain(why)))
    coded = {"why": (why,)} if isinstance(why, Reason) else {}
    data: dict[str, ReasonData] = {"who": name_of(evidence.source), "why": said}
    return Reason(code=f"news.{stance.value}{'_own' if own and stance.decides else ''}", data=data, parts=coded)


def details_of(evidence: NewsEvidence) -> JsonObject:
    """The fields of a news finding (spec 000, §6.2), and those that determine its weight.

    `weighted_confidence` is the confidence times the weight of the tier over 4; tier 1 leaves it unchanged.
    """
    source, kind = evidence.source, evidence.contradiction_type
    contradicts, assessed = evidence.stance is Stance.CONTRADICTS, evidence.stance is not Stance.UNASSESSED
    details: JsonObject = {
        "source_url": source.url,
        "source_title": source.title,
        "source_domain": source.domain,
        "published_date": source.published.iso if source.published else None,
        "relevance_summary": _relevance(evidence),
        "contradicts_claim": contradicts if assessed else None,
        "contradiction_type": kind.value if contradicts and kind else None,
        "contradiction_explanation": plain(_reason_why(evidence)) if contradicts else None,
        "snippet": shorten(evidence.around or evidence.quote, _SNIPPET),
        "supports_claim": evidence.stance.supports_claim,
        **_by_tier(evidence.confidence, source.rating.tier),
        "press_release": source.rating.press_release,
        "company_own_word": evidence.own_word,
        "query_angles": list(evidence.angles),
        **evidence.details,
    }
    if not assessed:
        details["needs_review"] = True
    if evidence.own_word and (evidence.speaker is None or evidence.speaker.kind is not SpeakerKind.PARTY):
        # The wire that distributes a release is not its speaker.
        name = "" if source.rating.category == Category.PRESS_RELEASE else source.rating.owner or source.domain
        own = Speaker(kind=SpeakerKind.PARTY, name=name)
        details["speaker"] = own.model_dump(mode="json")
    return details


def _by_tier(confidence: float, tier: int) -> JsonObject:
    return {"source_tier": tier, "weighted_confidence": round(confidence * TIER_WEIGHTS[tier] / 4, 3)}


def with_tiers_of(findings: Sequence[Finding], sources: Mapping[str, Source]) -> tuple[Finding, ...]:
    """The findings with the tiers of `sources` in their details. The publishers that no rule knows are rated after the
    claims were checked."""
    return tuple(_with_tier(each, findings, sources) for each in findings)


def _with_tier(finding: Finding, among: Sequence[Finding], sources: Mapping[str, Source]) -> Finding:
    details, source = finding.details, sources.get(finding.source_id)
    if "source_tier" in details and source is not None:
        details = {**details, **_by_tier(finding.confidence, source.rating.tier)}
    elif "tier_distribution" in details:
        found = {
            each.source_id: sources[each.source_id].rating.tier
            for each in among
            if each.claim_id == finding.claim_id and "source_tier" in each.details and each.source_id in sources
        }
        counted = Counter(found.values())
        details = {**details, "tier_distribution": {str(tier): counted[tier] for tier in TIER_WEIGHTS}}
    return finding if details == finding.details else finding.model_copy(update={"details": details})


def _reason_why(evidence: NewsEvidence) -> Reason | str:
    """The reason that quotes claim and passage, else the first reason, else a sentence for the stance."""
    codes = evidence.reason_codes
    if compared := next((each for each in codes if each.code in _COMPARISONS), None):
        return compared
    if reason := next((each for each in evidence.reasons if each.strip()), ""):
        return next((each for each in codes if in_words(each) == reason), reason)
    return Reason(code=f"news.why_{evidence.contradiction_type or evidence.stance}")


def _relevance(evidence: NewsEvidence) -> str:
    """Two sentences: the statement with its source and date, and the stance towards the claim."""
    source, when = evidence.source, "on an undated page"
    if source.published:
        joint = "in" if source.published.precision in (Precision.YEAR, Precision.MONTH) else "on"
        when = f"{joint} {day(source.published.at, source.published.precision)}"
    who = f"{name_of(source)}{', in its own words,' if evidence.own_word else ''}"
    if not evidence.quote:
        return f"{who} was found {when}. {in_words(summary_code(evidence))}"
    speaker = evidence.speaker.name if evidence.speaker and not evidence.own_word else ""
    says = f"says, citing {speaker}, {when}" if speaker else f"says {when}"
    stop = "" if evidence.quote.strip().endswith(("?", "!")) else "."
    return f"{who} {says}: {quoted(shorten(evidence.quote, _QUOTE))}{stop} {in_words(summary_code(evidence))}"


def overview(claim: Claim, company: str, evidence: Sequence[NewsEvidence], results: Results) -> FindingDraft:
    """The summary finding of a claim (spec 000, §6.4), with the flag rule of §5.4 over independent sources."""
    findings = [_provisional(f"P{number:04d}", each) for number, each in enumerate(evidence)]
    sources = {each.key: each.source.model_copy(update={"id": each.key}) for each in evidence}
    cast = votes(findings, sources, about=f"{company}: {claim.text}")
    support, against = ([v for v in cast if v.stance is side] for side in (Stance.SUPPORTS, Stance.CONTRADICTS))
    rule = next((tier for tier in _RULES if is_flagged([vote for vote in against if vote.tier <= tier])), None)
    number = {stance: len({each.key for each in evidence if each.stance is stance}) for stance in Stance}
    decisive = [pair for pair in zip(findings, evidence, strict=True) if pair[1].stance.decides]
    decisive.sort(key=lambda pair: (-finding_weight(pair[0], pair[1].source), pair[1].source.url))
    tiers = Counter(source.rating.tier for source in sources.values())
    answers = [each for each in results.responses if each.status is RequestStatus.ANSWERED and each.summary.strip()]
    details: dict[str, JsonValue] = {
        "total_sources": len(sources),
        "supporting_sources": number[Stance.SUPPORTS],
        "contradicting_sources": number[Stance.CONTRADICTS],
        "neutral_sources": number[Stance.NEUTRAL],
        "unassessed_sources": number[Stance.UNASSESSED],
        "independent_supporting": sum(not vote.party for vote in support),
        "independent_contradicting": sum(not vote.party for vote in against),
        "tier_distribution": {str(tier): tiers[tier] for tier in TIER_WEIGHTS},
        "contradicted": rule is not None,
        "contradiction_rule": _RULES[rule] if rule else None,
        "key_findings": [details_of(each) for _, each in decisive[:_KEY_FINDINGS]],
        "answers": [{"answered_by": each.answered_by, "summary": each.summary} for each in answers],
    }
    text = [_counted(number, len(sources), results)]
    if rule is not None:
        text.append(f"It is contradicted: {_RULES[rule]} ({_names(against)}).")
    if support and all(vote.party for vote in support):
        text.append("Only the company itself supports it.")
    if unassessed := number[Stance.UNASSESSED]:
        text.append(f"{capitalised(count(unassessed, 'source'))} could not be assessed.")
    if results.outages and sources:
        text.append(f"{capitalised(_incomplete(results))}.")
    text += [f"The {each.answered_by} desk: {ended(each.summary)}" for each in answers]
    return FindingDraft(
        evidence_type="news_investigation_summary",
        stance=Stance.NEUTRAL,
        confidence=round(max(together(vote.weight for vote in side) for side in (support, against)), 3),
        summary=" ".join(text),
        details=details,
    )


def _provisional(id: str, evidence: NewsEvidence) -> Finding:
    """The evidence as a finding, for counting votes."""
    details = details_of(evidence)
    return Finding(
        id=id,
        claim_id=None,
        source_id=evidence.key,
        agent="news",
        **evidence.model_dump(include={"stance", "contradiction_type", "confidence", "quote"}),
        snapshot=evidence.source.snapshot,
        start=0,
        end=len(evidence.quote),
        details={name: details[name] for name in ("speaker", "mode", "against_self") if name in details},
    )


def _counted(number: Mapping[Stance, int], total: int, results: Results) -> str:
    if total:
        support = count(number[Stance.SUPPORTS], "supporting source")
        against = count(number[Stance.CONTRADICTS], "contradicting source")
        return f"Found {support} and {against} across {count(total, 'source')} in total."
    if not (any(each.engines != () for each in results.queries) or results.hits or results.outages):
        return "The press was not searched for the claim."
    # The pages of earlier rounds are not read again.
    more, new = (" more", "with anything new ") if results.iteration > 1 else ("", "")
    leads = (
        f"{count(results.hits, 'lead')} came back, none {new}about the claim" if results.hits else "no lead came back"
    )
    if results.outages and not results.hits:
        return f"It is not known whether the press has reported on the claim: {leads}, and {_incomplete(results)}."
    beside = f", and {_incomplete(results)}" if results.outages else ""
    return f"Found nothing{more} in the press about the claim{beside}: {leads}."


def _incomplete(results: Results) -> str:
    return f"{count(len(results.missed), 'outage')} left the search incomplete"


def _names(side: Sequence[Vote]) -> str:
    return listed(list(dict.fromkeys(name_of(vote.source) for vote in side))[:4])

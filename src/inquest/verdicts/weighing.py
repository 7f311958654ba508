"""Weigh the findings on a claim: arithmetic over independent votes, with a reason for every step.

Each vote counts with the log-odds that its statement is true (`weighing.toml`: the reliability of its tier, and the
confidence that the passage says it). A side prevails if its sum reaches a threshold and it has a credible source: one
of tier 1 or 2, or two of tier 3 (PRODUCT.md, decision 14; spec 001). Then:

- If one side prevails, the claim is verified or contradicted. If both do, the one that weighs decisively more decides,
  else the claim is disputed; nothing is verified against a flagged contradiction (N8).
- An omission or a context that changes the meaning makes a claim partially true if a credible source supports it
  literally, disputed if only others do, and contradicted if none does. A party's own statement is not evidence.
- If facts have changed over time, a later ruling reverses an earlier one, or somebody who can decide a matter does so
  after others only reported it, the later vote decides (`_superseded`, `_replaces`).
- The source that makes the claim is one witness. If no other source makes it, it verifies its claim alone only if it is
  a public body in its own document, or of tier 1 but not a study.
- Unassessed passages count for neither side; nor does an announcement, once others report the outcome. A forecast of
  what the claim presents as certain is hearsay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from math import exp, log, prod

from inquest.domain.claim import Claim
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Assessment, ContradictionType, Finding, Mode, SpeakerKind, Stance, Verdict
from inquest.domain.reasons import Reason, worded
from inquest.domain.source import Category, Source
from inquest.sources.owners import origins_of, owner_or_site
from inquest.text.dates import parse_date, utc
from inquest.text.lexicon import table
from inquest.text.moments import moments
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, finding_weight, has_proper_name, votes
from inquest.verdicts.weighing_reasons import Sides, only_the_party, reason, reasons_for, weakness

_MOST = 0.98
"""The highest confidence, because independent sources may share an origin that no document shows."""
_TO_THE_MONTH = (Precision.MONTH, Precision.DAY, Precision.TIME)
_PARTIAL_TYPES = (ContradictionType.CONTEXTUAL, ContradictionType.OMISSION)


@cache
def _table() -> dict[str, float]:
    """The constants of `weighing.toml`, where each is explained, by name."""
    read = table("inquest.verdicts", "weighing")
    constants: dict[str, float] = read["reliability"] | read["thresholds"]
    return constants


def evidence_of(vote: Vote) -> float:
    """Return the log-odds that the vote's statement is true; 0 for a party on itself."""
    constants = _table()
    if vote.party:
        return 0.0
    reliability = constants["official"] if vote.official else constants[f"tier_{vote.tier}"]
    if vote.hearsay:
        reliability = min(reliability, constants["hearsay"])
    likely = 0.5 + (reliability - 0.5) * vote.confidence
    return log(likely / (1 - likely))


def is_flagged(side: Sequence[Vote]) -> bool:
    """Apply the flag rule (N8): one sure witness of tier 1, two of tier 2 or better, or three of tier 3 or better."""
    counted = [vote for vote in side if vote.confidence >= _table()["sure"] and not (vote.party or vote.hearsay)]
    return any(sum(vote.tier <= tier for vote in counted) >= tier for tier in (1, 2, 3))


def supports_alone(cast: Sequence[Vote]) -> bool:
    """True if the votes are enough to support the statement and none of them contradicts it."""
    return all(vote.stance is Stance.SUPPORTS for vote in cast) and _carries(cast, _table()["support"])


def together(weights: Iterable[float]) -> float:
    """Return the confidence in a side of fully independent witnesses: one minus the chance that all are wrong."""
    return 1 - prod(1 - min(weight, 0.95) for weight in weights)


def assess_claim(
    claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source], *, about: str = ""
) -> Assessment:
    """Return the verdict on the claim, with both sides and the reasons.

    `findings`: all of a case, in any order; those on other claims are ignored. `sources` by id. `about`: the subject of
    the case, which may name a company that the claim does not. The confidence is how firmly the evidence supports the
    verdict, 0 to 1; 0 without evidence.
    """
    own = [finding for finding in findings if finding.claim_id == claim.id]
    counted = [each for each in own if each.source_id in sources and not sources[each.source_id].excluded]
    sides = _sides(claim, counted, sources, about)
    verdict, why = _verdict(sides)
    independent = [vote for vote in _prevailing(verdict, sides) if not vote.party]
    return Assessment(
        claim_id=claim.id,
        verdict=verdict,
        confidence=round(_confidence(verdict, sides), 3),
        independent_sources=len(independent),
        single_source=len(independent) == 1 and verdict is not Verdict.DISPUTED,
        supporting=_ids(counted, sources, Stance.SUPPORTS),
        contradicting=_ids(counted, sources, Stance.CONTRADICTS),
        **worded(reasons_for(verdict, why, sides, own, sources)),
        unassessed=sum(each.stance is Stance.UNASSESSED for each in counted),
    )


def _sides(claim: Claim, counted: Sequence[Finding], sources: Mapping[str, Source], about: str) -> Sides:
    origin_of = origins_of(sources)
    # A page that only contradicts the claim reports it, or makes a similar one.
    for_it, against_it = (
        {each.source_id for each in counted if each.stance is side} for side in (Stance.SUPPORTS, Stance.CONTRADICTS)
    )
    makers = [sources[id] for id in claim.source_ids if id in sources and id not in against_it - for_it]
    maker_sites = {owner_or_site(maker) for maker in makers}
    every = votes(counted, sources, about=f"{claim.text}\n{about}")
    overtaken = _superseded(every, sources)
    cast = [vote for vote in every if vote not in overtaken]
    against = [
        vote
        for vote in cast
        if vote.stance is Stance.CONTRADICTS and (vote.voter not in maker_sites or _takes_back(vote, makers, sources))
    ]
    support = tuple(vote for vote in cast if vote.stance is Stance.SUPPORTS)
    announced = announcements(claim.text, support, sources, [sources[each.source_id] for each in counted])
    return Sides(
        support=tuple(vote for vote in support if vote not in announced),
        beforehand=announced,
        full=tuple(vote for vote in against if not _is_partial(vote)),
        partial=tuple(vote for vote in against if _is_partial(vote)),
        overtaken=overtaken,
        both=tuple(vote for vote in cast if vote.stance is Stance.NEUTRAL),
        origins=frozenset(owner_or_site(origin_of[maker.id]) for maker in makers),
    )


def _takes_back(vote: Vote, makers: Sequence[Source], sources: Mapping[str, Source]) -> bool:
    """True if a contradiction by the claim's own maker counts: a correction, a statement against itself, or a later
    document. Any other sentence of the maker that seems to contradict the claim is about something else."""
    testimonies = [as_testimony(finding) for finding in vote.findings]
    if any(each.withdraws or each.against_self for each in testimonies):
        return True
    made = max((maker.published.latest for maker in makers if maker.published), default=None)
    published = [sources[finding.source_id].published for finding in vote.findings]
    return made is not None and all(each is not None and each.at > made for each in published)


def announcements(
    claim: str, cast: Sequence[Vote], sources: Mapping[str, Source], found: Sequence[Source]
) -> tuple[Vote, ...]:
    """The votes cast before the first date in a claim, to the month or better.

    () if the claim has no such date, or if no source in `found`, those with findings on it, is from that date or later:
    an announcement is then the best evidence there can be.
    """
    begins = min((each.start for each in moments(claim) if each.precision in _TO_THE_MONTH), default=None)
    if begins is None or not any(_day(source.published) >= begins for source in found if source.published):
        return ()
    return tuple(vote for vote in cast if (days := _days(vote, sources, latest=True)) and max(days) < begins)


def _superseded(cast: Sequence[Vote], sources: Mapping[str, Source]) -> tuple[Vote, ...]:
    """The votes superseded by a later one of at least the same tier, where facts have changed over time: a
    contradiction of type 'timeline', or by a party that retracts an announcement; and rulings that a later one
    reverses.

    Support from after such a contradiction supersedes it, unless a still later vote contradicts the claim; otherwise
    the contradiction supersedes the support from before it. Votes without a date take no part, and neither hearsay nor
    a party's own statement supersedes anything.
    """
    support = [vote for vote in cast if vote.stance is Stance.SUPPORTS]
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    timeline = [vote for vote in against if vote.taken_back or _is_of_change(vote)]
    last = [vote for vote in support if not any(_is_later(other, vote, sources) for other in against)]
    outdated = [vote for vote in timeline if any(_overtakes(later, vote, sources) for later in last)]
    # If one contradiction shows that the claim is outdated, others of that time need not be of type 'timeline'.
    after = [vote for vote in against if vote not in outdated] if len(timeline) > len(outdated) else []
    outdated += [vote for vote in support if any(_overtakes(later, vote, sources) for later in after)]
    return tuple(
        vote
        for vote in cast
        if vote in outdated or any(_reverses(each, vote, sources) or _replaces(each, vote, sources) for each in cast)
    )


def _is_of_change(vote: Vote) -> bool:
    """True for a contradiction by a later state of things, which what was correct before does not outweigh."""
    return vote.findings[0].contradiction_type is ContradictionType.TIMELINE


def _replaces(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """True if what others had only reported before is decided by a public body's own later figure or ruling, by the
    ruling of a fact check, by a correction, or, for less credible reports, by what a public body itself did."""
    if {later.stance, earlier.stance} != {Stance.SUPPORTS, Stance.CONTRADICTS} or earlier.public or earlier.party:
        return False
    decides = all(_decides(each, later, above=earlier.tier > later.tier) for each in later.findings)
    reported = all(map(_is_report, earlier.findings))
    return decides and reported and not _is_partial(later) and _is_later(later, earlier, sources)


def _decides(finding: Finding, vote: Vote, *, above: bool) -> bool:
    own = as_testimony(finding)
    if not vote.public:
        ruled = own.is_ruling and vote.source.rating.category == Category.FACT_CHECK
        return vote.tier <= _table()["credible_tier"] and (ruled or own.mode is Mode.WITHDRAWN)
    done = above and own.mode is Mode.FACT and finding.details.get("first_hand") is True
    return own.kind is SpeakerKind.DOCUMENT and (own.is_ruling or own.mode is Mode.MEASURED or done)


def _is_report(finding: Finding) -> bool:
    """True if a page has its statement from nobody in particular: it has neither seen nor measured it, and names no
    expert or other authority that has."""
    testimony = as_testimony(finding)
    if testimony.kind is SpeakerKind.PARTY or has_proper_name(testimony.name):
        return testimony.kind is SpeakerKind.MEDIA
    return testimony.kind is SpeakerKind.AUTHORITY or finding.details.get("first_hand") is False


def _is_partial(vote: Vote) -> bool:
    """True for a contradiction by context or omission, unless it rules the claim false as a whole."""
    first = vote.findings[0]
    return first.contradiction_type in _PARTIAL_TYPES and as_testimony(first).mode is not Mode.RULED_FALSE


def _reverses(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """True for two rulings of authorities with opposite results, of which the later one has a credible source. A ruling
    that is reported once more after the other stays the earlier one."""
    stances = {later.stance, earlier.stance}
    if stances != {Stance.SUPPORTS, Stance.CONTRADICTS} or not (_is_ruling(later) and _is_ruling(earlier)):
        return False
    if later.tier > max(earlier.tier, _table()["credible_tier"]) or not _is_later(later, earlier, sources):
        return False
    reported = ({sources[each.source_id].published for each in vote.findings} for vote in (earlier, later))
    first, last = (min(_day(each) for each in published if each) for published in reported)
    return first < last


def _is_ruling(vote: Vote) -> bool:
    """True if an authority decides the claim, in a document of its own or as reported."""
    testimonies = [as_testimony(finding) for finding in vote.findings]
    by_authority = vote.public or all(each.kind is SpeakerKind.AUTHORITY for each in testimonies)
    return by_authority and all(each.is_ruling for each in testimonies)


def _overtakes(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    as_credible = not earlier.public if later.taken_back else later.tier <= earlier.tier
    return as_credible and _is_later(later, earlier, sources)


def _is_later(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """True if all findings of an independent vote are from after all findings of the other vote."""
    if later.party or later.hearsay:
        return False
    new, old = _days(later, sources, latest=False), _days(earlier, sources, latest=True)
    return bool(new and old) and min(new) > max(old)


def _days(vote: Vote, sources: Mapping[str, Source], *, latest: bool) -> list[date]:
    """The days of the vote's documents, or of the rulings that they report, if earlier; [] if one has no date."""
    documents = [sources[each.source_id] for each in vote.findings]
    if not all(each.published for each in documents):
        return []
    ruled = [each.details.get("as_of") if as_testimony(each).is_ruling else None for each in vote.findings]
    dates = zip((each.published for each in documents), map(parse_date, ruled), strict=True)
    return [min(_day(each, latest=latest) for each in pair if each) for pair in dates]


def _day(published: Published, *, latest: bool = False) -> date:
    return utc(published.latest if latest else published.at).date()


def _able(side: Sequence[Vote]) -> list[Vote]:
    """The votes sure enough to carry a side. A credible contradiction need only be likely, because a false 'verified'
    does more harm."""

    def least(vote: Vote) -> float:
        credible_contradiction = vote.stance is Stance.CONTRADICTS and vote.tier <= _table()["credible_tier"]
        return _table()["likely" if credible_contradiction else "sure"]

    return [vote for vote in _independent(side) if vote.confidence >= least(vote)]


def _independent(side: Sequence[Vote]) -> list[Vote]:
    """The votes that count towards a side: neither hearsay nor a party's, and of tier 3 or better."""
    return [vote for vote in side if vote.tier <= _table()["joined_tier"] and not (vote.party or vote.hearsay)]


def _evidence(side: Sequence[Vote]) -> float:
    return sum(evidence_of(vote) for vote in side)


def _carries(side: Sequence[Vote], threshold: float) -> bool:
    """True if one vote can carry the side alone, or with a second one beside it, and the evidence is enough."""
    constants, able, independent = _table(), _able(side), _independent(side)
    # Support takes more confidence than a contradiction.
    sure = [vote for vote in able if vote.stance is Stance.CONTRADICTS or vote.confidence >= constants["alone"]]
    alone = any(vote.tier <= constants["credible_tier"] for vote in sure)
    return (alone or (bool(able) and len(independent) >= 2)) and _evidence(independent) >= threshold


def _verdict(sides: Sides) -> tuple[Verdict, Reason | None]:
    constants = _table()
    if not (sides.support or sides.against):
        return Verdict.UNVERIFIED, None
    up, down = _carries(sides.support, constants["support"]), _carries(sides.against, constants["against"])
    if up and down:
        return _contested(sides)
    if up:
        return _supported(sides)
    if down:
        return _contradicted(sides)
    return Verdict.UNVERIFIED, _too_little(sides)


def _contested(sides: Sides) -> tuple[Verdict, Reason | None]:
    """The verdict if both sides prevail."""
    constants = _table()
    if not _carries(sides.full, constants["against"]):
        return _in_part(sides)
    margin = _evidence(sides.support) - _evidence(sides.against)
    if margin <= -constants["decisive"] and not (is_flagged(sides.support) or _has_public_body(sides.support)):
        return Verdict.CONTRADICTED, reason("outweighed")
    credible = [vote for vote in sides.support if vote.tier <= constants["credible_tier"]]
    denied = _has_public_body(sides.against) and not is_flagged(credible)
    changed = any(_is_of_change(vote) and vote.tier <= constants["credible_tier"] for vote in sides.against)
    if margin >= constants["decisive"] and not (is_flagged(sides.against) or denied or changed):
        return Verdict.VERIFIED, reason("outweighs")
    return Verdict.DISPUTED, reason("both_sides")


def _has_public_body(side: Sequence[Vote]) -> bool:
    """True if a public body is on this side in a document of its own, which weight alone does not set aside."""
    return any(vote.public and vote.confidence >= _table()["alone"] for vote in side)


def _supported(sides: Sides) -> tuple[Verdict, Reason | None]:
    """The verdict if only the support prevails."""
    if _evidence(sides.support) < _table()["set_aside"] * _evidence(sides.against) or is_flagged(sides.against):
        if sides.partial and not sides.full:
            return _in_part(sides)
        return Verdict.DISPUTED, reason("not_set_aside")
    able = _able(sides.support)
    if len(able) == 1 and sides.origins == {able[0].voter} and not _vouches(able[0]):
        return Verdict.UNVERIFIED, reason("only_its_maker")
    if len(_independent(sides.support)) == 1 and _is_word_against_word(able[0], sides.against):
        return Verdict.DISPUTED, reason("denied_by_party")
    return Verdict.VERIFIED, None


def _is_word_against_word(vote: Vote, against: Sequence[Vote]) -> bool:
    """True for a witness without authority on a claim that the party concerned denies."""
    testimony = as_testimony(vote.findings[0])
    has_authority = vote.tier == 1 or testimony.is_ruling or testimony.kind is SpeakerKind.AUTHORITY
    if has_authority or vote.public:
        return False
    return any(as_testimony(each).mode is Mode.DENIED for other in against if other.party for each in other.findings)


def _vouches(maker: Vote) -> bool:
    """True if the maker's statement is enough: of a public body, or of tier 1 but not a study (one proves nothing)."""
    return maker.public or (maker.tier == 1 and maker.source.rating.category != Category.SCHOLARLY)


def _contradicted(sides: Sides) -> tuple[Verdict, Reason | None]:
    """The verdict if only the contradiction prevails."""
    constants, support = _table(), _evidence(sides.support)
    if _able(sides.support) and not _able(sides.full):
        return _in_part(sides)
    weak = all(vote.party or vote.tier > constants["joined_tier"] for vote in sides.support)
    margin = _evidence(sides.against) - support
    if support and not sides.full and not (weak and margin >= constants["decisive"]):
        return Verdict.DISPUTED, reason("in_another_light")
    if margin < constants["against"]:
        return Verdict.UNVERIFIED, reason("both_too_little")
    if all(vote.confidence < constants["sure"] for vote in sides.against):
        return Verdict.CONTRADICTED, reason("likely")
    return Verdict.CONTRADICTED, None if sides.full else reason("nobody_in_the_letter")


def _too_little(sides: Sides) -> Reason:
    cast = (*sides.support, *sides.against)
    if sides.support and sides.against:
        return reason("both_too_little")
    if all(vote.party for vote in cast):
        return only_the_party(cast, denies=not sides.support)
    independent = _independent(cast)
    alone = len(independent) == 1 and independent[0].tier > _table()["credible_tier"]
    lesser = [vote for vote in cast if not (vote.party or vote in independent)]
    weak = {
        "weak_alone" if alone else "weak_unsure": independent,
        "weak_reported": [vote for vote in lesser if vote.hearsay],
        "weak_tier": [vote for vote in lesser if not vote.hearsay],
    }
    return reason("too_little", why=[weakness(name, of_kind) for name, of_kind in weak.items() if of_kind])


def _in_part(sides: Sides) -> tuple[Verdict, Reason]:
    kind = sides.partial[0].findings[0].contradiction_type
    return Verdict.PARTIALLY_TRUE, reason("left_out" if kind is ContradictionType.OMISSION else "context")


def _prevailing(verdict: Verdict, sides: Sides) -> tuple[Vote, ...]:
    if verdict in (Verdict.DISPUTED, Verdict.UNVERIFIED):
        return max(sides.support, sides.against, key=lambda side: (len(side), _evidence(side)))
    return sides.against if verdict is Verdict.CONTRADICTED else sides.support


def _confidence(verdict: Verdict, sides: Sides) -> float:
    support, against = _evidence(sides.support), _evidence(sides.against)
    if verdict is Verdict.UNVERIFIED:
        return abs(_probability(max(support, against)) - 0.5)  # 0 without evidence, at most 0.5
    carried = {
        Verdict.VERIFIED: support - against,
        Verdict.CONTRADICTED: against - support,
        Verdict.PARTIALLY_TRUE: support + _evidence(sides.partial) - _evidence(sides.full),
        Verdict.DISPUTED: min(support, against),
    }
    return _probability(carried[verdict])


def _probability(evidence: float) -> float:
    return min(_MOST, 1 / (1 + exp(-evidence)))


def _ids(findings: Sequence[Finding], sources: Mapping[str, Source], stance: Stance) -> tuple[str, ...]:
    chosen = [finding for finding in findings if finding.stance is stance]
    chosen.sort(key=lambda each: (-finding_weight(each, sources[each.source_id]), each.id))
    return tuple(finding.id for finding in chosen)

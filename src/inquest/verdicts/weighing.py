"""What the findings on a claim add up to: arithmetic over independent votes; every step leaves its reason.

Each vote is worth the log-odds that what it says is so (`weighing.toml`: reliability of its tier, and how sure it
is that the passage says it). A side carries where its sum reaches a threshold and somebody credible is among it: one
source of tier 1 or 2, or two of tier 3 (PRODUCT.md, decision 14; spec 001). Then:

- One side carries: verified or contradicted. Both: the one that is worth decisively more, else disputed; nothing is
  verified over a contradiction that stands out (N8).
- What a claim leaves out, or a context that turns it, makes it true in part where somebody credible bears it out in the
  letter; it is disputed where only others do, and contradicted where nobody does: a party's own word is no evidence,
  for it or against it.
- Where a contradiction is one of time, the later word stands (`_superseded`).
- The source that makes the claim is one witness; where nobody else makes it, it verifies its claim alone only if it is
  a public body in its own document, or of tier 1 and no study.
- What was not assessed counts for nothing, on no side; nor does an announcement, once others tell what came of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from math import exp, log, prod

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.source import Category, Source
from inquest.sources.owners import origins_of, owner_or_site
from inquest.text.dates import utc
from inquest.text.moments import moments
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, finding_weight, votes
from inquest.verdicts.weighing_reasons import Sides, only_the_party, reason, reasons_for

_MOST = 0.98
"""No verdict is surer: what is independent may have an origin in common that nobody sees."""
_TO_THE_MONTH = (Precision.MONTH, Precision.DAY, Precision.TIME)
_PARTIAL_TYPES = (ContradictionType.CONTEXTUAL, ContradictionType.OMISSION)


@dataclass(frozen=True)
class _Table:
    """The constants of `weighing.toml`, where each is explained."""

    official: float
    tiers: tuple[float, float, float, float]
    hearsay: float
    support: float
    against: float
    decisive: float
    set_aside: float
    sure: float
    alone: float
    likely: float
    credible_tier: int
    joined_tier: int


@lru_cache
def _table() -> _Table:
    read = tomllib.loads((files("inquest.verdicts") / "weighing.toml").read_text("utf-8"))
    reliability, thresholds = read["reliability"], read["thresholds"]
    tiers = tuple(reliability[f"tier_{tier}"] for tier in (1, 2, 3, 4))
    return _Table(official=reliability["official"], hearsay=reliability["hearsay"], tiers=tiers, **thresholds)


def evidence_of(vote: Vote) -> float:
    """What a vote is worth for its side: the log-odds that what it says is so; 0 for a party on itself."""
    table = _table()
    if vote.party:
        return 0.0
    reliability = table.official if vote.official else table.tiers[vote.tier - 1]
    if vote.hearsay:
        reliability = min(reliability, table.hearsay)
    likely = 0.5 + (reliability - 0.5) * vote.confidence
    return log(likely / (1 - likely))


def stands_out(side: Sequence[Vote]) -> bool:
    """The flag rule (N8): any witness of tier 1, or two of tier 2, or three of tier 3 that are sure enough."""
    counted = [vote for vote in side if vote.confidence >= _table().sure and not (vote.party or vote.hearsay)]
    return any(sum(vote.tier <= tier for vote in counted) >= tier for tier in (1, 2, 3))


def supports_alone(cast: Sequence[Vote]) -> bool:
    """Whether the votes support what they were cast on, and nothing among them contradicts it."""
    return all(vote.stance is Stance.SUPPORTS for vote in cast) and _carries(cast, _table().support)


def together(side: Sequence[Vote]) -> float:
    """How sure a side is, were its witnesses as independent as they seem: one minus the chance that all are wrong."""
    return 1 - prod(1 - min(vote.weight, 0.95) for vote in side)


def assess_claim(
    claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source], *, about: str = ""
) -> Assessment:
    """The verdict on the claim, with both sides and the reasons. `sources` by id; `about`: what the case is about,
    where a company may be named that the claim leaves unnamed.

    Findings on other claims are left aside, so all of a case's findings may be given, in any order. The confidence is
    how firmly the evidence carries the verdict, 0 to 1; 0 where there is no evidence.
    """
    own = [finding for finding in findings if finding.claim_id == claim.id]
    counted = [each for each in own if each.source_id in sources and not sources[each.source_id].excluded]
    sides = _sides(claim, counted, sources, about)
    verdict, why = _verdict(sides)
    independent = [vote for vote in _prevailing(verdict, sides) if not vote.party]
    reasons = reasons_for(verdict, why, sides, own, sources)
    return Assessment(
        claim_id=claim.id,
        verdict=verdict,
        confidence=round(_confidence(verdict, sides), 3),
        independent_sources=len(independent),
        single_source=len(independent) == 1 and verdict is not Verdict.DISPUTED,
        supporting=_ids(counted, sources, Stance.SUPPORTS),
        contradicting=_ids(counted, sources, Stance.CONTRADICTS),
        reasons=tuple(in_words(each) for each in reasons),
        reason_codes=reasons,
        unassessed=sum(each.stance is Stance.UNASSESSED for each in counted),
    )


def _sides(claim: Claim, counted: Sequence[Finding], sources: Mapping[str, Source], about: str) -> Sides:
    origin_of = origins_of(sources)
    makers = [sources[each] for each in claim.source_ids if each in sources]
    origins = frozenset(owner_or_site(origin_of[each.id]) for each in makers)
    own = {owner_or_site(each) for each in makers}
    every = votes(counted, sources, about=f"{claim.text}\n{about}")
    overtaken = _superseded(every, sources)
    cast = [vote for vote in every if vote not in overtaken]
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    others = [vote for vote in against if vote.voter not in own or _takes_back(vote, makers, sources)]
    partial = [vote for vote in others if vote.findings[0].contradiction_type in _PARTIAL_TYPES]
    support = tuple(vote for vote in cast if vote.stance is Stance.SUPPORTS)
    announced = _announcements(claim.text, support, [sources[each.source_id] for each in counted])
    return Sides(
        support=tuple(vote for vote in support if vote not in announced),
        beforehand=announced,
        full=tuple(vote for vote in others if vote not in partial),
        partial=tuple(partial),
        overtaken=overtaken,
        both=tuple(vote for vote in cast if vote.stance is Stance.NEUTRAL),
        origins=origins,
    )


def _takes_back(vote: Vote, makers: Sequence[Source], sources: Mapping[str, Source]) -> bool:
    """Whether a contradiction by the claim's own maker is one: a correction, his word against himself, or a later
    document of his. Another sentence of his that seems to contradict the claim speaks of something else."""
    made = max((each.published.latest for each in makers if each.published), default=None)
    later = [sources[each.source_id].published for each in vote.findings]
    said = [as_testimony(each) for each in vote.findings]
    return any(each.withdraws or each.against_self for each in said) or (
        made is not None and all(each is not None and each.at > made for each in later)
    )


def _announcements(claim: str, support: Sequence[Vote], sources: Sequence[Source]) -> tuple[Vote, ...]:
    """The votes for a claim that were all cast before the first date in it, to the month or better.

    () where the claim has no such date, or where none of `sources`, those of the findings on it, is from that date or
    later: an announcement is then the best evidence there can be.
    """
    begins = min((each.start for each in moments(claim) if each.precision in _TO_THE_MONTH), default=None)
    by_id = {each.id: each for each in sources}
    if begins is None or not any(_day(each) >= begins for each in sources if each.published):
        return ()
    return tuple(vote for vote in support if (days := _days(vote, by_id, latest=True)) and max(days) < begins)


def _superseded(cast: Sequence[Vote], sources: Mapping[str, Source]) -> tuple[Vote, ...]:
    """The votes that a later one of at least the same tier overtakes, where a contradiction is one of time: of type
    'timeline', or of a party that takes back what it announced.

    Support from after such a contradiction overtakes it, unless somebody contradicts the claim later still; else it
    overtakes the support from before it. `sources` by id. A vote without a date is never involved, and neither hearsay
    nor a party's own statement overtakes anything.
    """
    support = [vote for vote in cast if vote.stance is Stance.SUPPORTS]
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    of_time = [
        vote for vote in against if vote.taken_back or vote.findings[0].contradiction_type is ContradictionType.TIMELINE
    ]
    last = [each for each in support if not any(_is_later(other, each, sources) for other in against)]
    before = [vote for vote in of_time if any(_overtakes(each, vote, sources) for each in last)]
    # Where one of them says that time has passed over the claim, others of that time need not say so.
    after = [vote for vote in against if vote not in before] if len(of_time) > len(before) else []
    return (*before, *(vote for vote in support if any(_overtakes(each, vote, sources) for each in after)))


def _overtakes(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    as_credible = not earlier.public if later.taken_back else later.tier <= earlier.tier
    return as_credible and _is_later(later, earlier, sources)


def _is_later(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """True where all findings of an independent vote are from after all of the other one's."""
    if later.party or later.hearsay:
        return False
    new, old = _days(later, sources, latest=False), _days(earlier, sources, latest=True)
    return bool(new and old) and min(new) > max(old)


def _days(vote: Vote, sources: Mapping[str, Source], *, latest: bool) -> list[date]:
    """The days of its documents; [] where one has none."""
    documents = [sources[each.source_id] for each in vote.findings]
    return [_day(each, latest=latest) for each in documents] if all(each.published for each in documents) else []


def _day(source: Source, *, latest: bool = False) -> date:
    assert source.published is not None
    return utc(source.published.latest if latest else source.published.at).date()


def _able(side: Sequence[Vote]) -> list[Vote]:
    """Those that can carry a side: their own word, of no party, and sure enough. Of a contradiction by somebody
    credible it is enough that it is likely, because calling an untruth verified does more harm."""
    table = _table()
    able = []
    for vote in side:
        likely = vote.stance is Stance.CONTRADICTS and vote.tier <= table.credible_tier
        enough = table.likely if likely else table.sure
        if vote.tier <= table.joined_tier and vote.confidence >= enough and not (vote.party or vote.hearsay):
            able.append(vote)
    return able


def _alone(vote: Vote) -> bool:
    """True where the vote can carry a side alone: what supports a claim must surely say so."""
    return vote.stance is Stance.CONTRADICTS or vote.confidence >= _table().alone


def _evidence(side: Sequence[Vote]) -> float:
    return sum(evidence_of(vote) for vote in side)


def _carries(side: Sequence[Vote], threshold: float) -> bool:
    """One that can carry it alone, or one that is sure enough and another beside it; and their evidence together."""
    table, able = _table(), _able(side)
    beside = [vote for vote in side if vote.tier <= table.joined_tier and not (vote.party or vote.hearsay)]
    joined = bool(able) and len(beside) >= 2
    credible = joined or any(vote.tier <= table.credible_tier and _alone(vote) for vote in able)
    return credible and _evidence(beside) >= threshold


def _verdict(sides: Sides) -> tuple[Verdict, Reason | None]:
    table = _table()
    if not (sides.support or sides.against):
        return Verdict.UNVERIFIED, None
    up, down = _carries(sides.support, table.support), _carries(sides.against, table.against)
    if up and down:
        return _contested(sides)
    if up:
        return _supported(sides)
    if down:
        return _contradicted(sides)
    return Verdict.UNVERIFIED, _too_little(sides)


def _contested(sides: Sides) -> tuple[Verdict, Reason | None]:
    """Both sides carry."""
    table = _table()
    if not _carries(sides.full, table.against):
        return Verdict.PARTIALLY_TRUE, _turned(sides.partial)
    over = _evidence(sides.support) - _evidence(sides.against)
    held = _of_a_public_body(sides.support)
    if over <= -table.decisive and not (stands_out(sides.support) or held):
        return Verdict.CONTRADICTED, reason("outweighed")
    credible = [vote for vote in sides.support if vote.tier <= table.credible_tier]
    denied = _of_a_public_body(sides.against) and not stands_out(credible)
    if over >= table.decisive and not (stands_out(sides.against) or denied):
        return Verdict.VERIFIED, reason("outweighs")
    return Verdict.DISPUTED, reason("both_sides")


def _of_a_public_body(side: Sequence[Vote]) -> bool:
    """Whether a public body says so in a document of its own, which mere weight does not set aside."""
    return any(vote.public and vote.confidence >= _table().alone for vote in side)


def _supported(sides: Sides) -> tuple[Verdict, Reason | None]:
    """The support carries, and nothing that contradicts it does."""
    table, support = _table(), sides.support
    against = _evidence(sides.against)
    if _evidence(support) < table.set_aside * against or stands_out(sides.against):
        if sides.partial and not sides.full:
            return Verdict.PARTIALLY_TRUE, _turned(sides.partial)
        return Verdict.DISPUTED, reason("not_set_aside")
    able = _able(support)
    if len(able) == 1 and sides.origins == {able[0].voter} and not _vouches(able[0]):
        return Verdict.UNVERIFIED, reason("only_its_maker")
    return Verdict.VERIFIED, None


def _vouches(maker: Vote) -> bool:
    """Whether its own word is enough for what it says itself: of a public body, and of others of tier 1. One study
    proves nothing alone."""
    return maker.public or (maker.tier == 1 and maker.source.rating.category != Category.SCHOLARLY)


def _contradicted(sides: Sides) -> tuple[Verdict, Reason | None]:
    """What contradicts it carries, and the support does not."""
    table = _table()
    support = _evidence(sides.support)
    if _able(sides.support) and not _able(sides.full):
        return Verdict.PARTIALLY_TRUE, _turned(sides.partial)
    weak = all(vote.party or vote.tier > table.joined_tier for vote in sides.support)
    over = _evidence(sides.against) - support
    if support and not sides.full and not (weak and over >= table.decisive):
        return Verdict.DISPUTED, reason("in_another_light")
    if over < table.against:
        return Verdict.UNVERIFIED, reason("both_too_little")
    if all(vote.confidence < table.sure for vote in sides.against):
        return Verdict.CONTRADICTED, reason("likely")
    if not sides.full:
        return Verdict.CONTRADICTED, reason("nobody_in_the_letter")
    return Verdict.CONTRADICTED, None


def _too_little(sides: Sides) -> Reason:
    said = (*sides.support, *sides.against)
    if all(vote.party for vote in said) and not (sides.support and sides.against):
        return only_the_party(said, denies=not sides.support)
    return reason("both_too_little" if sides.support and sides.against else "too_little")


def _turned(partial: Sequence[Vote]) -> Reason:
    kind = partial[0].findings[0].contradiction_type
    return reason("left_out" if kind is ContradictionType.OMISSION else "context")


def _prevailing(verdict: Verdict, sides: Sides) -> tuple[Vote, ...]:
    match verdict:
        case Verdict.VERIFIED | Verdict.PARTIALLY_TRUE:
            return sides.support
        case Verdict.CONTRADICTED:
            return sides.against
        case _:
            return max(sides.support, sides.against, key=lambda each: (len(each), _evidence(each)))


def _confidence(verdict: Verdict, sides: Sides) -> float:
    support, against = _evidence(sides.support), _evidence(sides.against)
    match verdict:
        case Verdict.VERIFIED:
            return _probability(support - against)
        case Verdict.CONTRADICTED:
            return _probability(against - support)
        case Verdict.PARTIALLY_TRUE:
            return _probability(support + _evidence(sides.partial) - _evidence(sides.full))
        case Verdict.DISPUTED:
            return min(_probability(support), _probability(against))
        case Verdict.UNVERIFIED:
            # Evidence that decides nothing: 0 for none, up to a half.
            return abs(_probability(max(support, against)) - 0.5)


def _probability(evidence: float) -> float:
    return min(_MOST, 1 / (1 + exp(-evidence)))


def _ids(findings: Sequence[Finding], sources: Mapping[str, Source], stance: Stance) -> tuple[str, ...]:
    chosen = [finding for finding in findings if finding.stance is stance]
    chosen.sort(key=lambda each: (-finding_weight(each, sources[each.source_id]), each.id))
    return tuple(finding.id for finding in chosen)

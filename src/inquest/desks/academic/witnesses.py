"""Who speaks in a passage, as the academic desk counts it: peer review and standards first, the company last.

Spec 002, 4.3: tier 1 are peer-reviewed works and official standards, 2 reports of industry and disclosures, 3 what a
company says of itself, 4 what nobody vouches for, which is left out (section 14.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from inquest.desks.academic.terms import reason
from inquest.domain.finding import Stance
from inquest.domain.leads import Work
from inquest.domain.reading import Reading
from inquest.domain.reasons import Reason
from inquest.domain.search import Hit
from inquest.domain.source import Category, Source
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.sources.works import merged_work
from inquest.text.sentences import content_words
from inquest.verdicts.testimony import Standing, as_read

_FAINT = 0.3
"""Below this a judgement is a guess, and decides nothing."""
_MOST = 0.9
_DECIDED = (Stance.SUPPORTS, Stance.CONTRADICTS)
_OFFICIAL = frozenset((Category.STANDARDS, Category.REGULATOR))
_SHARED = 3
"""Words of a claim, beside the company's name, that a passage must share to be on its subject: 'scope emissions
intensity', 'spend based method'; every report on a company shares one or two."""
_OF_EVERY_REPORT = frozenset(
    content_words(
        "year years base report reports company companies figure figures works product tonnes percent data reduce"
    )
)
"""Words that a claim shares with any page on emissions, whatever that is about."""


def on_subject(claim: str, company: str, passage: str) -> bool:
    """True where a passage is about what a claim is about, whoever it is about; figures do not count."""
    words = (
        {word for word in content_words(claim) if not word.isdigit()} - set(content_words(company)) - _OF_EVERY_REPORT
    )
    return len(words & set(content_words(passage))) >= min(_SHARED, len(words))


class AcademicEvidence(Reading):
    """One judged passage, and who speaks in it."""

    source: Source
    text: str
    angles: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    own: bool = False
    """The company's own page."""
    is_on_subject: bool = True
    part: str = ""
    """The words of the one statement of the claim that it was judged beside; '': the whole claim."""

    @property
    def work(self) -> Work | None:
        """What indexes say of the work that the page is; None: it is none that they know."""
        return self.source.work or merged_work(self.hits)

    @property
    def scholarly(self) -> bool:
        """Whether it is a scholarly work, or comes from a publisher of such."""
        return self.work is not None or self.source.rating.category == Category.SCHOLARLY

    @property
    def peer_reviewed(self) -> bool:
        return self.work is not None and self.work.peer_reviewed is True and not self.barred

    @property
    def official(self) -> bool:
        """Whether a body that sets standards or keeps a register speaks on its own site."""
        return self.source.rating.category in _OFFICIAL and not self.own

    @property
    def barred(self) -> Reason | None:
        """Why it is no evidence whatever it says; None where it may be some."""
        work = self.work
        if work is not None and work.retracted:
            return reason("retracted")
        if work is not None and work.notice_of:
            return reason("notice")
        return reason("excluded", why=self.source.excluded) if self.source.excluded else None

    @property
    def credibility(self) -> int:
        """1 (highest) to 4, in the spec's order. A preprint is never of tier 1, a company's own word never above 3."""
        tier = min(4, max(1, self.source.rating.tier))
        if self.barred:
            return 4
        if self.own or self.source.rating.press_release:
            return max(3, tier)
        if self.peer_reviewed:
            return 1
        if self.work is not None and (self.work.type == "preprint" or self.work.preprint_of):
            return max(2, min(3, tier))
        if self.source.rating.category == Category.STANDARDS and tier < 3:
            return 1
        return tier

    @property
    def left_out(self) -> Reason | None:
        """Why a check does not count it; None where it does."""
        standing = as_read(self).standing
        party = self.source.rating.press_release or standing is Standing.PARTY
        hearsay = standing is Standing.HEARSAY
        for name, applies in (("own_statement", self.own), ("party", party), ("hearsay", hearsay)):
            if applies and self.barred is None:
                return reason(name)
        return self.barred or (reason("tier_4") if self.credibility > 3 else None)

    @property
    def name(self) -> str:
        """How a summary refers to it: by title, and by id, under which the report lists it."""
        return f"“{self.source.title or self.source.domain}” ({self.source.id})"


class Bearing(NamedTuple):
    """How those that count bear on a claim, one passage of each source, the weightiest first."""

    support: tuple[AcademicEvidence, ...]
    against: tuple[AcademicEvidence, ...]

    @property
    def one_side(self) -> tuple[AcademicEvidence, ...]:
        """The side that speaks alone; empty where both sides, or nobody, speak."""
        return () if self.support and self.against else self.support or self.against

    @property
    def stance(self) -> Stance:
        return self.one_side[0].stance if self.one_side else Stance.NEUTRAL

    @property
    def confidence(self) -> float:
        doubt = math.prod(1 - strength(each) for each in self.one_side)
        return round(min(_MOST, 1 - doubt), 3)

    @property
    def leading(self) -> AcademicEvidence | None:
        return next(iter(self.one_side), None)

    @property
    def source_ids(self) -> list[str]:
        return [each.source.id for each in (*self.support, *self.against)]

    @property
    def consensus(self) -> Reason | None:
        """How many support and contradict; None where nobody speaks."""
        both = (*self.support, *self.against)
        if not both:
            return None
        reviewed = sum(each.peer_reviewed for each in both)
        counts = {"number": len(both), "support": len(self.support), "against": len(self.against)}
        return reason("consensus", **counts, reviewed=reviewed)


def strength(witness: AcademicEvidence) -> float:
    """Confidence times the weight of its credibility over 4, 0 to 1, so that tier 1 keeps all of it."""
    return witness.confidence * TIER_WEIGHTS[witness.credibility] / 4


def best_of_each_source(witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Of each source the passage that bears most firmly on the claim, or on one of its statements, weightiest first;
    sources that say nothing on it are left out. Copies of one story are one."""
    decided = [each for each in witnesses if each.stance in _DECIDED and each.quote.strip()]
    order = sorted(decided, key=lambda each: (-strength(each), each.source.id, each.passage_id, each.part))
    best: dict[tuple[str, str], AcademicEvidence] = {}
    for each in order:
        best.setdefault((each.source.story or each.source.id, each.part), each)
    return tuple(best.values())


def on_the_whole(witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """The witnesses as they bear on the whole claim, each passage once: what was judged beside one of its statements
    says nothing to the whole, and is read for its words alone."""
    silent = {"stance": Stance.NEUTRAL, "contradiction_type": None, "quote": "", "start": 0, "end": 0}
    found: dict[str, AcademicEvidence] = {}
    for each in witnesses:
        whole = each.model_copy(update={**silent, "part": "", "reasons": ()}) if each.part else each
        found.setdefault(each.passage_id, whole)
    return tuple(found.values())


def bearing_of(witnesses: Sequence[AcademicEvidence]) -> Bearing:
    """How the witnesses that count stand to the claim."""
    counted = best_of_each_source([each for each in witnesses if not each.left_out])
    sides = [
        tuple(each for each in counted if each.stance is stance and each.confidence >= _FAINT) for stance in _DECIDED
    ]
    return Bearing(*sides)

"""Sentences of a summary: claims in quotation marks, sources by name and date, key findings, contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquest.claims.standalone import without_leader
from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.claim import Claim
from inquest.domain.drafts import WriteMaterial
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding
from inquest.domain.report import Statement, TimelineEvent
from inquest.domain.source import Source
from inquest.sources.owners import origins_of, owner_or_site
from inquest.stories.stories import independent
from inquest.text.phrases import capitalised, count, day, ended, listed, numeral, one_stop, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.testimony import Standing, as_testimony
from inquest.verdicts.weighing_reasons import NOTHING_FOUND, ONLY_A_PARTY, SIDE, name_of

CITED = 4
"""How many findings a sentence cites on one side at most."""
_QUOTE = 240


@dataclass(frozen=True)
class CheckedClaim:
    """A claim with its assessment and the findings of both sides, weightiest first."""

    claim: Claim
    assessment: Assessment
    supporting: tuple[Finding, ...]
    contradicting: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        return self.assessment.verdict

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the findings that a sentence about it rests on, both sides."""
        return tuple(each.id for each in (*self.supporting[:CITED], *self.contradicting[:CITED]))


def checked_claims(material: WriteMaterial) -> list[CheckedClaim]:
    """The claims that were checked, most important first; not those the case ended before."""
    claims = {claim.id: claim for claim in material.claims}
    findings = {finding.id: finding for finding in material.findings}
    return [
        CheckedClaim(
            claims[each.claim_id],
            each,
            tuple(findings[fid] for fid in each.supporting if fid in findings),
            tuple(findings[fid] for fid in each.contradicting if fid in findings),
        )
        for each in material.assessments
        if each.claim_id in claims and each.checked
    ]


def fact(text: str, finding_ids: Sequence[str]) -> Statement:
    """A sentence that states a fact, with the findings it rests on."""
    return Statement(text=ended(one_stop(text)), finding_ids=tuple(dict.fromkeys(finding_ids)))


def note(text: str, finding_ids: Sequence[str] = ()) -> Statement:
    """A sentence about the work itself."""
    return Statement(text=ended(one_stop(text)), finding_ids=tuple(dict.fromkeys(finding_ids)), about_the_work=True)


def nothing_found(which: str, but: str, *, unaided: bool) -> Statement:
    """That nothing was found on what `which` names; `but`: what could not be asked, as the end of a sentence.
    `unaided`: no language model has read what was found, and what is said in other words is missed."""
    without = ", read without a language model," if unaided else ""
    return note(f"Nothing was found that{without} supports or contradicts {which}{but}")


def unassessed_note(checked: Sequence[CheckedClaim]) -> list[Statement]:
    """That passages could not be judged, where there are such."""
    number = sum(each.assessment.unassessed for each in checked)
    counts = agreeing(number, "counts", "count")
    text = f"{capitalised(count(number, 'passage'))} could not be judged and {counts} for nothing"
    return [note(text)] if number else []


def witnesses_counted(sources: Sequence[Source]) -> str:
    """'28 sources (nine independent), twelve of them of the first tier'."""
    number, apart = len(sources), len(independent(sources))
    best = sum(source.rating.tier == 1 for source in sources)
    counted = count(number, "independent source" if 1 < number == apart else "source")
    among = f" ({numeral(apart)} independent)" if apart < number else ""
    first = f", {'' if number == 1 else f'{numeral(best)} of them '}of the first tier" if best else ""
    return f"{counted}{among}{first}"


def set_apart(sources: Sequence[Source]) -> list[Statement]:
    """The pages that are about others of a name that is meant, by whom they are about."""
    by_bearer: dict[str, list[str]] = {}
    for source in sources:
        if source.other_bearer:
            by_bearer.setdefault(source.other_bearer, []).append(name_of(source))
    if not by_bearer:
        return []
    who = "; ".join(f"{bearer} ({listed(list(dict.fromkeys(names)))})" for bearer, names in by_bearer.items())
    pages = sum(map(len, by_bearer.values()))
    apart = f"{capitalised(count(pages, 'page'))} on others of the same name {agreeing(pages, 'is', 'are')} set aside"
    return [note(f"{apart}: {who}")]


def claimed(claim: Claim, *, most: int | None = None) -> str:
    """The claim in quotation marks, as it is worded. `most`: characters."""
    text = claim.text.strip().rstrip(".")
    return quoted(shorten(text, most) if most else text)


def quote_of(finding: Finding) -> str:
    """Its words in quotation marks, without a dateline or bullet before them, cut between words where they are long."""
    return quoted(shorten(without_leader(finding.quote), _QUOTE))


class Witnesses(dict[str, Source]):
    """The sources of a case by id, and who stands behind each: the origin of the story that it tells."""

    def __init__(self, sources: Iterable[Source]) -> None:
        super().__init__({source.id: source for source in sources})
        self._origins = origins_of(self)

    def behind(self, source_id: str) -> Source | None:
        """The source that the story goes back to; itself, where it tells its own."""
        return self._origins.get(source_id)

    def voters(self, findings: Sequence[Finding]) -> dict[str, Source]:
        """The independent witnesses behind the findings, each with the source to name, weightiest first: the origin of
        the story where it speaks itself, else the first that does."""
        found: dict[str, Source] = {}
        speaking = {finding.source_id for finding in findings}
        for finding in findings:
            origin = self.behind(finding.source_id)
            if origin is not None:
                found.setdefault(owner_or_site(origin), origin if origin.id in speaking else self[finding.source_id])
        return found


def named(findings: Sequence[Finding], sources: Witnesses, most: int = 3) -> str:
    """The independent witnesses behind the findings, weightiest first: 'a, b and two others'."""
    names = [name_of(source) for source in sources.voters(findings).values()]
    if len(names) > most:
        others = len(names) - most + 1
        names = [*names[: most - 1], f"{numeral(others)} other{'s' if others > 1 else ''}"]
    return listed(names)


def who_says(finding: Finding, sources: Witnesses) -> str:
    """'gazette.example (14 March 2024)'; without the date where it is not known."""
    source = sources.get(finding.source_id)
    if source is None:
        return "a source"
    if source.published is None:
        return f"{name_of(source)} (undated)"
    return f"{name_of(source)} ({day(source.published.at, source.published.precision)})"


_IN_WORDS = {
    Verdict.VERIFIED: ("is verified", "are verified"),
    Verdict.PARTIALLY_TRUE: ("is true in part", "are true in part"),
    Verdict.CONTRADICTED: ("is contradicted", "are contradicted"),
    Verdict.DISPUTED: ("is disputed", "are disputed"),
    Verdict.UNVERIFIED: ("could not be verified", "could not be verified"),
}
_WHO_SPEAKS = frozenset((SIDE, NOTHING_FOUND))
"""Reasons that say no more than which sources speak, which a key finding says itself."""


def tally(checked: Sequence[CheckedClaim]) -> str:
    """'Of nine claims that were checked, five are verified and four could not be verified.'"""
    numbers = {verdict: sum(each.verdict is verdict for each in checked) for verdict in _IN_WORDS}
    parts = [f"{numeral(n)} {agreeing(n, *_IN_WORDS[verdict])}" for verdict, n in numbers.items() if n]
    if len(checked) == 1:
        return f"One claim was checked; it {_IN_WORDS[checked[0].verdict][0]}."
    if len(parts) > 1:
        return f"Of {count(len(checked), 'claim')} that were checked, {listed(parts)}."
    if checked[0].verdict is Verdict.UNVERIFIED:
        none = "Neither" if len(checked) == 2 else "None"
        return f"{none} of the {numeral(len(checked))} claims that were checked could be verified."
    every = "Both" if len(checked) == 2 else f"All {numeral(len(checked))}"
    return f"{every} claims that were checked {_IN_WORDS[checked[0].verdict][1]}."


def key_finding(checked: CheckedClaim, sources: Witnesses) -> Statement:
    """The verdict on the claim and its sources, in one or two sentences."""
    it = claimed(checked.claim)
    match checked.verdict:
        case Verdict.VERIFIED:
            text = f"{ended(checked.claim.text)} {_verified(checked, sources)}"
        case Verdict.PARTIALLY_TRUE:
            text = f"The claim {it} is true only in part. {_deciding(checked)}"
        case Verdict.CONTRADICTED:
            counted = checked.contradicting[:1] if checked.assessment.single_source else checked.contradicting
            single = ", a single independent source" if checked.assessment.single_source else ""
            text = f"The claim {it} is contradicted by {named(counted, sources)}{single}."
        case Verdict.DISPUTED:
            text = f"Sources disagree on the claim {it}. {_sides(checked, sources)} {_deciding(checked)}"
        case Verdict.UNVERIFIED:
            text = f"The claim {it} is not verified. {_sides(checked, sources)} {_deciding(checked)}"
    return fact(" ".join(text.split()), checked.cited)


def _verified(checked: CheckedClaim, sources: Witnesses) -> str:
    """By whom it is verified, and who lesser says otherwise."""
    apart = [each for each in checked.supporting if not _is_party(each, sources)] or list(checked.supporting)
    alone = min(checked.assessment.independent_sources, len(sources.voters(apart))) <= 1
    text = f"Verified by {named(apart[:1] if alone else apart, sources)}{' alone' if alone else ''}."
    supporters = set(sources.voters(checked.supporting))
    against = [each for each in checked.contradicting if not _by_its_maker(each, checked, sources)]
    others = [each for each in against if not set(sources.voters([each])) & supporters]
    if others:
        text += f" A source that weighs less contradicts it: {named(others[:1], sources)}."
    return text


def _sides(checked: CheckedClaim, sources: Witnesses) -> str:
    codes = checked.assessment.reason_codes
    if codes and codes[0].code == ONLY_A_PARTY and not checked.contradicting:
        return ""  # the rule that decided names who alone says so
    said = [
        f"{named(side, sources)} {agreeing(len(sources.voters(side)), *verb)} it"
        for side, verb in (
            (checked.supporting, ("supports", "support")),
            (checked.contradicting, ("contradicts", "contradict")),
        )
        if side
    ]
    return f"{'; '.join(said)}." if said else ""


def _deciding(checked: CheckedClaim) -> str:
    """The rule that decided, as a sentence; '' where it says only which sources speak."""
    a = checked.assessment
    code = a.reason_codes[0].code if a.reason_codes else ""
    return a.reasons[0] if a.reasons and code not in _WHO_SPEAKS else ""


def _is_party(finding: Finding, sources: Witnesses) -> bool:
    source = sources.get(finding.source_id)
    return as_testimony(finding).standing is Standing.PARTY or (source is not None and source.rating.press_release)


def contradictions(
    checked: Sequence[CheckedClaim], timeline: Sequence[TimelineEvent], sources: Witnesses
) -> list[Statement]:
    """Both sides of every claim that is contradicted, word by word with dates and sources, each pair of quotes once;
    then dates that conflict."""
    written = []
    seen: set[frozenset[str]] = set()
    for each in checked:
        against = next((f for f in each.contradicting if not _by_its_maker(f, each, sources)), None)
        for_it = each.supporting[0] if each.supporting else None
        pair = frozenset((against.quote if against else "", for_it.quote if for_it else each.claim.text))
        if against is None or pair in seen:
            continue
        seen.add(pair)
        text = f"On the claim {claimed(each.claim)}: "
        makers = [name_of(sources[sid]) for sid in each.claim.source_ids if sid in sources]
        if for_it:
            text += f"{who_says(for_it, sources)} has {quote_of(for_it)}, while "
        elif makers:
            text += f"it is made by {listed(list(dict.fromkeys(makers))[:3])}, while "
        text += f"{who_says(against, sources)} has {quote_of(against)}"
        if (more := len(sources.voters(each.contradicting)) - 1) > 0:
            text += f", as {agreeing(more, 'does', 'do')} {numeral(more)} more"
        ids = [finding.id for finding in each.contradicting[:CITED]]
        written.append(fact(text, (*([for_it.id] if for_it else []), against.id, *ids)))
    return written + [
        fact(f"Sources date this differently: {ended(event.text)} {event.conflict}", event.finding_ids[:CITED])
        for event in timeline
        if event.conflict and event.finding_ids
    ]


def _by_its_maker(finding: Finding, checked: CheckedClaim, sources: Witnesses) -> bool:
    """True where the source is the claim's own maker, or tells the story that it made the claim in."""
    source = sources.get(finding.source_id)
    if source is None or as_testimony(finding).withdraws or source.id in checked.claim.source_ids:
        return False
    makers = {owner_or_site(sources[sid]) for sid in checked.claim.source_ids if sid in sources}
    return bool({owner_or_site(source), *sources.voters([finding])} & makers)

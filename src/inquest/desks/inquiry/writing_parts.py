"""Sentences of a summary: quoted claims, sources by name and date, key findings, contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquest.claims.standalone import without_leader
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding, Verdict
from inquest.domain.languages import agreeing
from inquest.domain.report import Section, Statement, Summary, TimelineEvent
from inquest.domain.source import Source
from inquest.sources.owners import origins_of, owner_or_site
from inquest.stories.stories import independent
from inquest.text.phrases import capitalised, count, day, ended, listed, numeral, one_stop, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.testimony import Standing, as_testimony
from inquest.verdicts.weighing_reasons import NOTHING_FOUND, ONLY_A_PARTY, SIDE, name_of

CITED = 4
"""Maximum number of findings that a sentence cites on one side."""
_QUOTE, _TITLE = 240, 160
_VERDICTS = {
    Verdict.VERIFIED: ("is verified", "are verified"),
    Verdict.PARTIALLY_TRUE: ("is true in part", "are true in part"),
    Verdict.CONTRADICTED: ("is contradicted", "are contradicted"),
    Verdict.DISPUTED: ("is disputed", "are disputed"),
    Verdict.UNVERIFIED: ("could not be verified", "could not be verified"),
}
_NAMES_SIDES = frozenset((SIDE, NOTHING_FOUND))
"""Reasons that only name the sources, as key findings do themselves."""


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
        """The ids of the findings of both sides that a sentence cites."""
        return tuple(each.id for each in (*self.supporting[:CITED], *self.contradicting[:CITED]))


def checked_claims(
    claims: Sequence[Claim], findings: Sequence[Finding], assessments: Sequence[Assessment]
) -> list[CheckedClaim]:
    """The claims that were checked, in the order of their assessments."""
    by_id = {claim.id: claim for claim in claims}
    known = {finding.id: finding for finding in findings}
    return [
        CheckedClaim(
            by_id[each.claim_id],
            each,
            tuple(known[fid] for fid in each.supporting if fid in known),
            tuple(known[fid] for fid in each.contradicting if fid in known),
        )
        for each in assessments
        if each.claim_id in by_id and each.checked
    ]


def summary_of(title: str, parts: Iterable[tuple[str, list[Statement]]]) -> Summary:
    """The summary, without empty parts."""
    sections = tuple(Section(heading=heading, statements=tuple(written)) for heading, written in parts if written)
    return Summary(title=shorten(title, _TITLE), sections=sections)


def fact(text: str, finding_ids: Iterable[str]) -> Statement:
    """A sentence that states a fact, with its findings."""
    return Statement(text=ended(one_stop(text)), finding_ids=tuple(dict.fromkeys(finding_ids)))


def note(text: str, finding_ids: Iterable[str] = ()) -> Statement:
    """A sentence about the work itself."""
    return fact(text, finding_ids).model_copy(update={"about_the_work": True})


def counted(number: int, noun: str, rest: str) -> str:
    """'Two claims could not be checked'."""
    return f"{capitalised(count(number, noun))} {rest}"


def others_in_table(number: int) -> list[Statement]:
    """The sentence on claims that are only in the table."""
    verb = agreeing(number, "is", "are")
    return [note(counted(number, "further claim", f"{verb} in the table of verdicts"))] if number > 0 else []


def nothing_found(which: str, but: str, *, unaided: bool) -> Statement:
    """The sentence on claims without evidence. `but`: what could not be asked, as its end; `unaided`: without a
    language model."""
    without = ", read without a language model," if unaided else ""
    return note(f"Nothing was found that{without} supports or contradicts {which}{but}")


def unassessed_note(checked: Sequence[CheckedClaim]) -> list[Statement]:
    """The sentence on passages that could not be judged."""
    number = sum(each.assessment.unassessed for each in checked)
    verb = agreeing(number, "counts", "count")
    return [note(counted(number, "passage", f"could not be judged and {verb} for nothing"))] if number else []


def witnesses_counted(sources: Sequence[Source]) -> str:
    """'28 sources (nine independent), twelve of them of the first tier'."""
    number, apart = len(sources), len(independent(sources))
    best = sum(source.rating.tier == 1 for source in sources)
    noun = count(number, "independent source" if 1 < number == apart else "source")
    among = f" ({numeral(apart)} independent)" if apart < number else ""
    first = f", {'' if number == 1 else f'{numeral(best)} of them '}of the first tier" if best else ""
    return f"{noun}{among}{first}"


def set_apart(sources: Sequence[Source]) -> list[Statement]:
    """The sentence on pages about others with the same name."""
    by_bearer: dict[str, dict[str, None]] = {}
    for source in sources:
        if source.other_bearer:
            by_bearer.setdefault(source.other_bearer, {})[name_of(source)] = None
    who = "; ".join(f"{bearer} ({listed([*names])})" for bearer, names in by_bearer.items())
    number = sum(bool(source.other_bearer) for source in sources)
    verb = agreeing(number, "is", "are")
    return [note(counted(number, "page", f"on others of the same name {verb} set aside: {who}"))] if number else []


def claimed(claim: Claim, *, most: int | None = None) -> str:
    """The claim in quotation marks. `most`: characters."""
    text = claim.text.strip().rstrip(".")
    return quoted(shorten(text, most) if most else text)


class Witnesses(dict[str, Source]):
    """The sources of a case by id, with the origin of the story of each."""

    def __init__(self, sources: Iterable[Source]) -> None:
        super().__init__({source.id: source for source in sources})
        self._origins = origins_of(self)

    def voters(self, findings: Sequence[Finding]) -> dict[str, Source]:
        """The independent witnesses of the findings, weightiest first, each with the source to name: the origin of the
        story if it is among them, else the first."""
        found: dict[str, Source] = {}
        speaking = {finding.source_id for finding in findings}
        for finding in findings:
            origin = self._origins.get(finding.source_id)
            if origin is not None:
                found.setdefault(owner_or_site(origin), origin if origin.id in speaking else self[finding.source_id])
        return found


def named(findings: Sequence[Finding], sources: Witnesses, most: int = 3) -> str:
    """The independent witnesses of the findings, weightiest first: 'a, b and two others'."""
    names = [name_of(source) for source in sources.voters(findings).values()]
    others = len(names) - most + 1
    return listed(names if others < 2 else [*names[: most - 1], f"{numeral(others)} others"])


def _quoted_by(finding: Finding, sources: Witnesses) -> str:
    """'gazette.example (14 March 2024) has “The bridge is closed”'."""
    source = sources.get(finding.source_id)
    date = source.published if source else None
    when = day(date.at, date.precision) if date else "undated"
    who = f"{name_of(source)} ({when})" if source else "a source"
    return f"{who} has {quoted(shorten(without_leader(finding.quote), _QUOTE))}"


def tally(checked: Sequence[CheckedClaim]) -> str:
    """'Of nine claims that were checked, five are verified and four could not be verified.'"""
    if len(checked) == 1:
        return f"One claim was checked; it {_VERDICTS[checked[0].verdict][0]}."
    numbers = {verdict: sum(each.verdict is verdict for each in checked) for verdict in _VERDICTS}
    parts = [f"{numeral(n)} {agreeing(n, *_VERDICTS[verdict])}" for verdict, n in numbers.items() if n]
    if len(parts) == 1:
        verdict = checked[0].verdict
        none = "None of the" if verdict is Verdict.UNVERIFIED else "All"
        words = "could be verified" if verdict is Verdict.UNVERIFIED else _VERDICTS[verdict][1]
        return f"{none} {numeral(len(checked))} claims that were checked {words}."
    return f"Of {count(len(checked), 'claim')} that were checked, {listed(parts)}."


def key_finding(checked: CheckedClaim, sources: Witnesses) -> Statement:
    """The verdict on a claim with its sources, in one or two sentences."""
    it, single = claimed(checked.claim), checked.assessment.single_source
    match checked.verdict:
        case Verdict.VERIFIED:
            text = f"{ended(checked.claim.text)} {_verified(checked, sources)}"
        case Verdict.PARTIALLY_TRUE:
            text = f"The claim {it} is true only in part. {_deciding(checked)}"
        case Verdict.CONTRADICTED:
            who = named(checked.contradicting[:1] if single else checked.contradicting, sources)
            text = f"The claim {it} is contradicted by {who}{', a single independent source' if single else ''}."
        case Verdict.DISPUTED:
            text = f"Sources disagree on the claim {it}. {_sides(checked, sources)} {_deciding(checked)}"
        case Verdict.UNVERIFIED:
            text = f"The claim {it} is not verified. {_sides(checked, sources)} {_deciding(checked)}"
    return fact(" ".join(text.split()), checked.cited)


def _verified(checked: CheckedClaim, sources: Witnesses) -> str:
    """The sources that verify the claim, and one of less weight that contradicts it."""
    apart = [each for each in checked.supporting if not _is_party(each, sources)] or list(checked.supporting)
    alone = min(checked.assessment.independent_sources, len(sources.voters(apart))) <= 1
    text = f"Verified by {named(apart[:1] if alone else apart, sources)}{' alone' if alone else ''}."
    supporters = set(sources.voters(checked.supporting))
    against = [each for each in checked.contradicting if not _by_its_maker(each, checked, sources)]
    others = [each for each in against if not set(sources.voters([each])) & supporters]
    return f"{text} A source that weighs less contradicts it: {named(others[:1], sources)}." if others else text


def _sides(checked: CheckedClaim, sources: Witnesses) -> str:
    codes = checked.assessment.reason_codes
    if codes and codes[0].code == ONLY_A_PARTY and not checked.contradicting:
        return ""  # the rule that decided names who alone says so
    sides = (
        (checked.supporting, ("supports", "support")),
        (checked.contradicting, ("contradicts", "contradict")),
    )
    words = [f"{named(side, sources)} {agreeing(len(sources.voters(side)), *verb)} it" for side, verb in sides if side]
    return f"{'; '.join(words)}." if words else ""


def _deciding(checked: CheckedClaim) -> str:
    """The rule that decided, as a sentence; '' if it only names the sources."""
    a = checked.assessment
    code = a.reason_codes[0].code if a.reason_codes else ""
    return a.reasons[0] if a.reasons and code not in _NAMES_SIDES else ""


def _is_party(finding: Finding, sources: Witnesses) -> bool:
    source = sources.get(finding.source_id)
    return as_testimony(finding).standing is Standing.PARTY or (source is not None and source.rating.press_release)


def contradictions(
    checked: Sequence[CheckedClaim], timeline: Sequence[TimelineEvent], sources: Witnesses
) -> list[Statement]:
    """Both sides of every contradicted claim, quoted with dates and sources, each pair of quotes once; then conflicting
    dates."""
    written: dict[frozenset[str], Statement] = {}
    for each in checked:
        against = next((f for f in each.contradicting if not _by_its_maker(f, each, sources)), None)
        for_it = each.supporting[:1]
        pair = frozenset((against.quote if against else "", for_it[0].quote if for_it else each.claim.text))
        if against is None or pair in written:
            continue
        text = f"On the claim {claimed(each.claim)}: "
        makers = list(dict.fromkeys(name_of(sources[sid]) for sid in each.claim.source_ids if sid in sources))
        if for_it:
            text += f"{_quoted_by(for_it[0], sources)}, while "
        elif makers:
            text += f"it is made by {listed(makers[:3])}, while "
        text += _quoted_by(against, sources)
        if (more := len(sources.voters(each.contradicting)) - 1) > 0:
            text += f", as {agreeing(more, 'does', 'do')} {numeral(more)} more"
        written[pair] = fact(text, [finding.id for finding in (*for_it, against, *each.contradicting[:CITED])])
    return [*written.values()] + [
        fact(f"Sources date this differently: {ended(event.text)} {event.conflict}", event.finding_ids[:CITED])
        for event in timeline
        if event.conflict and event.finding_ids
    ]


def _by_its_maker(finding: Finding, checked: CheckedClaim, sources: Witnesses) -> bool:
    """True if the source made the claim, or has the story in which it was made."""
    source = sources.get(finding.source_id)
    if source is None or as_testimony(finding).withdraws or source.id in checked.claim.source_ids:
        return False
    makers = {owner_or_site(sources[sid]) for sid in checked.claim.source_ids if sid in sources}
    return bool({owner_or_site(source), *sources.voters([finding])} & makers)

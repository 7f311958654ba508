"""Independent witnesses: one vote for each independent source of statements on a claim.

A document is not a witness. Copies and rewrites of one story count once, with the weight of its origin (X2), and so do
several articles of one owner, with the weightiest of them. A statement of an authority that several papers report is
one vote of that authority; its own document takes precedence over the reports. Statements of a party about itself, in
a release or in the press, are one statement of that party, and not evidence unless against itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inquest.claims.report.company import is_called
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Finding, Mode, SpeakerKind, Stance
from inquest.domain.source import Category, Source
from inquest.domain.value import grouped
from inquest.sources.owners import OFFICIAL, PUBLIC_BODIES, earliest, origins_of, owner_or_site
from inquest.sources.publisher_names import known_keys, name_key, names_of
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.entities import NameKind, names, same_name
from inquest.text.moments import moments
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, fold
from inquest.text.urls import host_of
from inquest.verdicts.testimony import Standing, Testimony, as_testimony

_PARTY_TIER = 4
_PARTY = "party "
"""Beginning of the key of a party."""
_AS_GOOD = 0.9
"""Share of the weight of a witness's stronger side from which its weaker side counts too."""
_FAINT = 0.3
"""Confidence below which a judgement is a guess and does not count."""
_WORD = regex(r"\w+")
_LONG_QUOTE = 10
"""Words of a quote that two publishers do not both write by coincidence."""
_CONTENT = 4
"""Letters from which a word of a name is not an article or preposition."""
_ADMISSION_TIER = 2
"""A party's statement against itself counts as at least this tier."""
_PRESS = frozenset(
    (
        Category.WIRE, Category.NEWSPAPER, Category.LOCAL, Category.MAGAZINE, Category.BROADCASTER,
        Category.INVESTIGATIVE, Category.TABLOID, Category.TRADE, Category.FACT_CHECK,
    )
)  # fmt: skip
_KEEPS_DOCUMENTS = OFFICIAL | {Category.SCHOLARLY}
_OWN_VOICE = _PRESS | {Category.COURT, Category.STATISTICS, Category.SCHOLARLY}
"""Publishers whose 'we' is never the subject of a claim: a newsroom ('the letter, which we have seen'), a court, the
authors of a study. Not a regulator, because its pages include what companies file with it. What a ministry or a town
says of itself is no evidence for it, but counts against what others say."""


@dataclass(frozen=True, slots=True)
class Vote:
    """The statement of one independent witness on a claim."""

    voter: str
    """Key of the witness: the owner or domain behind the story's origin."""
    stance: Stance
    """Supports or contradicts; neutral if the witness does both."""
    weight: float
    """0 to 1: confidence times tier weight over 4, of its weightiest finding."""
    confidence: float
    tier: int
    party: bool
    """A party's own statement: a press release, or its words in another publication."""
    source: Source
    """The source to name: the origin of the story, or the copy if only the copy has a finding on the claim."""
    findings: tuple[Finding, ...]
    """Those of its stance, weightiest first."""
    copies: int
    """Documents that repeat the statement, without the first of each story."""
    superseded: int = 0
    """Documents with an earlier statement of the same witness that it has since changed to this one."""
    said_by: str = ""
    """The speaker, if the statement is not the document's own."""
    hearsay: bool = False
    """A statement only of speakers without authority on it."""
    taken_back: bool = False
    """A party's statement that retracts its earlier one."""
    deviating: tuple[Finding, ...] = ()
    """Findings in copies that contradict the story they copy or the authority they report: errors, not votes."""

    @property
    def official(self) -> bool:
        """True for a public body of tier 1 in a document of its own."""
        return self.source.rating.tier == 1 and self.tier == 1 and self.public

    @property
    def public(self) -> bool:
        """True for a public body in a document of its own."""
        return self.source.rating.category in OFFICIAL and not (self.said_by or self.party)


def finding_weight(finding: Finding, source: Source) -> float:
    """Return the confidence times the weight of the source's tier over 4; tier 1 keeps all of the confidence."""
    return _weight(finding, _tier(source))


def _weight(finding: Finding, tier: int) -> float:
    return finding.confidence * TIER_WEIGHTS[tier] / 4


def _tier(source: Source) -> int:
    return _PARTY_TIER if source.rating.press_release else min(4, max(1, source.rating.tier))


def votes(findings: Iterable[Finding], sources: Mapping[str, Source], *, about: str = "") -> tuple[Vote, ...]:
    """Return the votes on one claim, weightiest first, whatever the order of the findings.

    `sources` by id. `about`: the claim and the subject of its case; the own pages of a company named there count as the
    company's statements. Findings that do not vote: of sources that are unknown or excluded (published after the as-of
    date), of passages that are unassessed, neutral or hardly confident, and of claims that are only restated in order
    to check or retract them.
    """
    counted = [each for each in sorted(findings, key=lambda each: each.id) if _counts(each, sources)]
    origins = _with_one_wording(counted, sources, origins_of(sources))
    by_story = grouped((origins[finding.source_id].id, finding) for finding in counted)
    speakers = _Speakers(about, sources, origins, counted)
    by_voter = grouped(
        (statement.voter, statement)
        for origin_id, of_story in by_story.items()
        for statement in _statements(sources[origin_id], of_story, sources, speakers)
    )
    cast = [_vote(voter, _against_itself(statements, sources), sources) for voter, statements in by_voter.items()]
    return tuple(sorted(_once_by_outlet(cast, sources), key=lambda vote: (-vote.weight, vote.voter)))


def _once_by_outlet(cast: Sequence[Vote], sources: Mapping[str, Source]) -> list[Vote]:
    """The votes, with an outlet that says a thing itself and also reports somebody else as saying it counted once."""
    found = {vote.voter: vote for vote in cast}
    for vote in cast:
        outlets = {owner_or_site(sources[finding.source_id]) for finding in vote.findings}
        own = found.get(min(outlets)) if vote.said_by and not vote.party and len(outlets) == 1 else None
        if own and own is not vote and own.stance is vote.stance and not (own.said_by or own.party):
            first, second = (vote, own) if vote.weight >= own.weight * _AS_GOOD else (own, vote)
            found.pop(second.voter)
            found[first.voter] = replace(
                first,
                findings=(*first.findings, *second.findings),
                copies=first.copies + second.copies,
                deviating=(*first.deviating, *second.deviating),
            )
    return list(found.values())


def _counts(finding: Finding, sources: Mapping[str, Source]) -> bool:
    source = sources.get(finding.source_id)
    decided = finding.stance.decides and finding.confidence >= _FAINT
    if source is None or source.excluded or not decided:
        return False
    return as_testimony(finding).standing is not Standing.NOTHING


def _with_one_wording(
    counted: Sequence[Finding], sources: Mapping[str, Source], origins: Mapping[str, Source]
) -> dict[str, Source]:
    """The origins, with sources that share a long quote word for word assigned to the earliest of them: such a sentence
    is not written twice by coincidence, so one copies the other or both copy a third."""
    by_wording: dict[tuple[str, ...], set[str]] = {}
    for finding in counted:
        wording = tuple(_WORD.findall(fold(finding.quote)))
        key = wording if len(wording) >= _LONG_QUOTE else (finding.id,)
        by_wording.setdefault(key, set()).add(finding.source_id)
    joined = dict(origins)
    for source_ids in by_wording.values():
        same = {joined[id].id: joined[id] for id in source_ids}
        first = min(same.values(), key=earliest)
        joined |= {id: first for id, origin in joined.items() if origin.id in same}
    return joined


@dataclass(frozen=True)
class _Statement:
    """A finding as the statement of one witness."""

    weight: float
    finding: Finding
    tier: int
    party: bool
    voter: str
    said_by: str
    """The speaker; '' for the document itself."""
    counted: bool
    """False for a copy whose origin has findings of its own."""
    story: str
    hearsay: bool
    """A statement of a speaker without authority, or a forecast of an event that the claim gives as certain."""
    taken_back: bool = False
    """A party's statement that retracts its earlier one."""


class _Speakers:
    """Keys of speakers: one key for 'the inspectorate', its full name and its own pages."""

    def __init__(
        self, about: str, sources: Mapping[str, Source], origins: Mapping[str, Source], found: Sequence[Finding]
    ) -> None:
        self._origins = origins
        testimonies = [as_testimony(finding) for finding in found]
        parties = {each.name for each in testimonies if each.kind is SpeakerKind.PARTY}
        self._parties = sorted(name for name in parties if name and not name.islower())
        self._reported = sorted(
            {tuple(_proper_words(each.name)) for each in testimonies}, key=lambda each: (-len(each), each)
        )
        named = names(about)
        self._about = [name.text for name in named]
        self._companies = [name.text for name in named if name.kind is not NameKind.PLACE]
        # By id, so that the order of the sources does not matter if several pages match.
        self._pages = [sources[source_id] for source_id in sorted(sources)]

    def is_party(self, source: Source) -> bool:
        """True for a company's own page, or a site of its name that no rule knows, on a claim about that company."""
        if source.rating.known and source.rating.category != Category.COMPANY:
            return False
        own = source.rating.owner or source.domain.split(".")[0]
        return any(same_name(own, name) or is_called(source, name) for name in self._companies)

    def only_expects(self, finding: Finding, source: Source) -> bool:
        """True for a forecast, unless the claim names who gives it: only then can it be about the forecast itself."""
        testimony = as_testimony(finding)
        if testimony.mode is not Mode.EXPECTED or finding.stance is not Stance.SUPPORTS:
            return False
        by = testimony.name
        return not any(same_name(by, name) if by else is_page_of(name, source) for name in self._companies)

    def issuer(self, source: Source) -> str:
        """Return who speaks in a release or on a company's page: its owner; on a wire, whom the title names first."""
        if source.rating.category != Category.PRESS_RELEASE:
            return source.rating.owner or source.domain
        return next((name.text for name in names(source.title)), source.id)

    def of_party(self, name: str) -> str:
        """Return the key of a party; 'the company' is the only party with a name, if there is just one."""
        if name.islower() and len(self._parties) == 1:
            name = self._parties[0]
        for known in (self._parties, self._about):
            name = next((each for each in known if same_name(each, name)), name)
        return f"{_PARTY}{fold(name)}"

    def of_reported(self, finding: Finding, publisher: Source) -> str:
        """Return the key of a speaker whom a page reports: the origin of the speaker's own page if it is among the
        sources, else the name; '' for nobody in particular."""
        testimony = as_testimony(finding)
        if not testimony.name:
            return ""
        for page in self._pages:
            if page.id != publisher.id and is_page_of(testimony.name, page):
                return owner_or_site(self._origins.get(page.id, page))
        if _is_kept(testimony, publisher) or _is_hearsay(finding, publisher):
            return ""
        # 'Prosecutors' or 'Dr' names nobody in particular, so it is the reporter's own work. 'Ada Holt' and 'the Holt
        # panel' are 'Dame Ada Holt'.
        proper = _proper_words(testimony.name)
        full = next((each for each in self._reported if proper and set(proper) <= set(each)), ())
        return f"said by {' '.join(full)}" if len(full) > 1 else ""


def has_proper_name(name: str) -> bool:
    """True for 'the Harbour Board', not for 'the office' or 'officials'."""
    return bool(_proper_words(name))


def _proper_words(name: str) -> list[str]:
    return [fold(word) for word in name.split() if len(word) > 2 and word[0].isupper()]


def is_page_of(name: str, source: Source) -> bool:
    """True if the page belongs to the speaker of this name: 'Fisheries Board' and fisheries-board.example, 'Hill Daily'
    and hilldaily.example, 'the council' and a public body that calls itself Lenn Council, 'Board of Harbour Works' and
    the public body at bhw.example, 'Tribunal of Lenn' and the one at tribunal.lenn.example."""
    if source.publisher and same_name(name, source.publisher):
        return True
    label = fold(source.domain.split(".")[0].replace("-", " ")).split()
    site = fold(host_of(source.url).replace("-", " ").replace(".", " ")).split()
    called = fold(name).split()
    initials = "".join(word[0] for word in called if len(word) >= _CONTENT)
    if source.rating.category in PUBLIC_BODIES and "".join(label) in (name.casefold(), initials):
        return True
    distinctive = {word for word in called if word.isalpha() and len(word) >= _CONTENT} - STOP_WORDS
    if not distinctive:
        return False
    own = {*label, *site, *fold(source.publisher or "").split()}
    official = source.rating.category in PUBLIC_BODIES and distinctive <= own
    return official or "".join(called) == "".join(label)


def _statements(
    origin: Source, found: Sequence[Finding], sources: Mapping[str, Source], speakers: _Speakers
) -> list[_Statement]:
    """The findings of one story, each as a statement of its speaker."""
    own = _taken_back(found, sources) or [finding for finding in found if finding.source_id == origin.id]
    statements = []
    for finding in found:
        # A copy weighs no more than the story's origin; what the origin does not say is the copy's own statement.
        source = sources[finding.source_id]
        publisher = max((origin, source), key=_tier) if own else source
        voter, said_by, party = _speaker(finding, publisher, origin, speakers)
        tier = _PARTY_TIER if party else _tier(publisher)
        against_self = as_testimony(finding).against_self
        if against_self:
            tier = min(_ADMISSION_TIER, tier)
        # What a party itself has filed is not a copy of the papers' reports on it.
        counted = not own or finding in own or against_self
        hearsay = _is_hearsay(finding, source) or speakers.only_expects(finding, source)
        weight = _weight(finding, tier)
        statements.append(_Statement(weight, finding, tier, party, voter, said_by, counted, origin.id, hearsay))
    # A copy with another statement or speaker counts with its story and not beside it. If the origin does not say it,
    # its copies count with the weightiest of them; a party's statement remains one.
    if not own:
        of_copies = [each for each in statements if not each.voter.startswith(_PARTY)]
        first = max(of_copies, key=lambda each: each.weight, default=None)
        return [replace(each, voter=first.voter) if first and each in of_copies else each for each in statements]
    voters = [each.voter for each in statements if each.counted]
    return [each if each.counted or each.voter in voters else replace(each, voter=voters[0]) for each in statements]


def _against_itself(statements: Sequence[_Statement], sources: Mapping[str, Source]) -> Sequence[_Statement]:
    """The statements of one voter; for a party on both sides, only its admissions: what it said last, or what its own
    documents say against one another. A denial is not an admission, nor is a statement against what they measured."""
    own = [each for each in statements if each.party and each.counted]
    last = _last_word([each.finding for each in own], sources) if own else []
    since = len(last) < len(own) and last[0].stance is Stance.CONTRADICTS
    if not since:
        ratings = {each.finding.id: sources[each.finding.source_id].rating for each in own}
        own = [
            each for each in own if (of := ratings[each.finding.id]).press_release or of.category == Category.COMPANY
        ]
    modes = {each.finding.id: as_testimony(each.finding).mode for each in own}
    against = [
        each for each in own if each.finding.stance is Stance.CONTRADICTS and modes[each.finding.id] is not Mode.DENIED
    ]
    measured = {each.finding.stance for each in own if modes[each.finding.id] is Mode.MEASURED} == {Stance.SUPPORTS}
    if not against or len(against) == len(own) or (measured and not since):
        return statements
    return [
        replace(each, party=False, tier=tier, weight=_weight(each.finding, tier), taken_back=since)
        for each in against
        for tier in [min(_ADMISSION_TIER, each.tier)]
    ]


def _is_hearsay(finding: Finding, publisher: Source) -> bool:
    """True for a statement of a speaker without authority, or of a paper that others do not rely on. A witness in a
    document that a public body or an archive keeps counts as that document."""
    testimony = as_testimony(finding)
    if _is_kept(testimony, publisher):
        return False
    if testimony.kind is SpeakerKind.MEDIA and publisher.rating.category in _PRESS:
        key = name_key(testimony.name)
        if key and key not in known_keys() and key not in names_of(publisher.publisher, publisher.domain):
            return True
    return testimony.standing is Standing.HEARSAY


def _is_kept(testimony: Testimony, publisher: Source) -> bool:
    """True for a person's statement in a document that a public body, an archive or a journal keeps."""
    keeps = publisher.rating.category in _KEEPS_DOCUMENTS
    return keeps and testimony.kind is SpeakerKind.WITNESS and not testimony.mode.is_open


def _taken_back(found: Sequence[Finding], sources: Mapping[str, Source]) -> list[Finding]:
    """The later findings of an outlet that has corrected its report, which retracts it for all copies; [] if none
    has."""
    by_outlet = grouped((sources[finding.source_id].domain, finding) for finding in found)
    for of_outlet in by_outlet.values():
        last = _last_word(of_outlet, sources)
        if len(last) < len(of_outlet):
            return last
    return []


def _speaker(finding: Finding, publisher: Source, origin: Source, speakers: _Speakers) -> tuple[str, str, bool]:
    """The key of the witness, the speaker's name (not of the page itself), and whether a party speaks for itself."""
    testimony = as_testimony(finding)
    origin_key = owner_or_site(origin)
    by_party = testimony.kind is SpeakerKind.PARTY
    release = publisher.rating.press_release
    if by_party and not testimony.name and not release and _is_own_voice(finding, publisher):
        return origin_key, "", False
    if by_party or release or speakers.is_party(publisher):
        named = testimony.name if by_party else ""
        who = named or speakers.issuer(publisher)
        return speakers.of_party(who), "" if release and not named else who, not testimony.against_self
    return speakers.of_reported(finding, publisher) or origin_key, testimony.name, False


def _is_own_voice(finding: Finding, publisher: Source) -> bool:
    """True for the 'we' of a publisher who is not the subject: not a denial, nor what it only passes on."""
    own_voice = {*_OWN_VOICE, *([Category.GOVERNMENT] if finding.stance is Stance.CONTRADICTS else [])}
    passed_on = as_testimony(finding).mode is Mode.DENIED or finding.details.get("first_hand") is False
    return publisher.rating.category in own_voice and not passed_on


def _vote(voter: str, statements: Sequence[_Statement], sources: Mapping[str, Source]) -> Vote:
    weighed = [each for each in statements if each.counted]
    # An authority's own document or correction takes precedence; a report that differs from it is wrong. Its denial
    # does not: it may have looked closer since.
    by = {each.finding.id: as_testimony(each.finding) for each in weighed}
    itself = [
        each
        for each in weighed
        if by[each.finding.id].withdraws or not (each.said_by or by[each.finding.id].mode is Mode.DENIED)
    ]
    if itself and not any(each.party for each in weighed):
        weighed = itself
    weighed = [each for each in weighed if as_testimony(each.finding).against_self] or weighed
    last = _last_word([each.finding for each in weighed], sources)
    weighed = [each for each in weighed if each.finding in last]
    weighed.sort(key=lambda each: (-each.weight, each.finding.id))
    best = weighed[0]
    other = next((each.weight for each in weighed if each.finding.stance is not best.finding.stance), 0.0)
    stance = Stance.NEUTRAL if other and other >= best.weight * _AS_GOOD else best.finding.stance
    agreeing = [each for each in statements if stance in (Stance.NEUTRAL, each.finding.stance)]
    rest = [] if best.party else [each for each in statements if each not in weighed and each not in agreeing]
    deviating = [each for each in rest if _deviates(each, statements, sources)]
    return Vote(
        voter=voter,
        stance=stance,
        weight=best.weight,
        confidence=best.finding.confidence,
        tier=best.tier,
        party=best.party,
        said_by=best.said_by,
        hearsay=best.hearsay,
        source=sources[best.finding.source_id],
        findings=tuple(each.finding for each in weighed if stance in (Stance.NEUTRAL, each.finding.stance)),
        copies=len(_documents(agreeing)) - len({each.story for each in agreeing}),
        superseded=len(_documents(each for each in rest if _is_of_time(best, each)) - _documents(deviating)),
        taken_back=best.taken_back,
        deviating=tuple(each.finding for each in deviating),
    )


def _is_of_time(last: _Statement, other: _Statement) -> bool:
    """False if the quotes name years and the last one of each is not the same: a page on another period corrects
    nothing."""
    years = [max((each.end.year for each in moments(one.finding.quote)), default=None) for one in (last, other)]
    return None in years or years[0] == years[1]


def _documents(statements: Iterable[_Statement]) -> set[str]:
    return {each.finding.source_id for each in statements}


def _deviates(copy: _Statement, of_voter: Sequence[_Statement], sources: Mapping[str, Source]) -> bool:
    """True if a copy, or a report of an authority, contradicts everything it can be based on: the story's origin, or
    the authority's own documents that are not of a later date."""
    if copy.counted and not copy.said_by:
        return False
    dated = sources[copy.finding.source_id].published
    stances = set()
    for other in of_voter:
        published = sources[other.finding.source_id].published
        original = other.counted and (not other.said_by if copy.counted else other.story == copy.story)
        if original and not (dated and published and published.at > dated.latest):
            stances.add(other.finding.stance)
    return bool(stances) and copy.finding.stance not in stances


def _last_word(found: Sequence[Finding], sources: Mapping[str, Source]) -> list[Finding]:
    """The findings without those that the same speaker has since contradicted: of two sides, only the one that is
    entirely later than the other. All of them if a date is unknown or the dates of both sides overlap."""
    sides: dict[Stance, list[Published]] = {}
    for finding in found:
        published = sources[finding.source_id].published
        if published is None:
            return list(found)
        sides.setdefault(finding.stance, []).append(published)
    *earlier, later = sorted(sides, key=lambda side: (max(each.at for each in sides[side]), side))
    begins, days = min(each.at for each in sides[later]), [each for side in earlier for each in sides[side]]
    # A date without a day may be any day of its month or year.
    exact = (Precision.DAY, Precision.TIME)
    overlap = any(begins <= (each.at if each.precision in exact else each.latest) for each in days)
    return [finding for finding in found if overlap or finding.stance is later]

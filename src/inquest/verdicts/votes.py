"""Independent witnesses: who may speak on a claim, once each, and for which side.

A document is not a witness. Copies and rewrites of one story speak once, with the weight of its origin (X2); several
articles of one owner speak once, with the weightiest of them. What several papers have from one authority is that
authority's word, once; where its own document is there, that says what it said. What a party says of itself, in a
release or in other people's papers, is one statement of that party and no more, unless it speaks against itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from inquest.claims.own_pages import is_called
from inquest.domain.finding import Finding, Stance
from inquest.domain.reading import Mode, SpeakerKind
from inquest.domain.source import Category, Source
from inquest.sources.owners import OFFICIAL, PUBLIC_BODIES, earliest, origins_of, owner_or_site
from inquest.sources.publisher_names import known_keys, name_key, names_of
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.entities import NameKind, names, same_name
from inquest.text.sentences import STOP_WORDS, fold
from inquest.verdicts.testimony import Standing, Testimony, as_testimony

_PARTY_TIER = 4
# Of two sides of one witness, the lesser one is dropped unless it comes this near to the greater.
_AS_GOOD = 0.9
# Below this a judgement is a guess; it is listed and decides nothing.
_FAINT = 0.3
_OF_ONE_HAND = 10
"""Words of a sentence that two publishers do not both write by chance."""
_ADMISSION_TIER = 2
"""What a party says against itself counts as at least this tier."""
_DECIDED = (Stance.SUPPORTS, Stance.CONTRADICTS)
_PRESS = frozenset(
    (
        Category.WIRE, Category.NEWSPAPER, Category.LOCAL, Category.MAGAZINE, Category.BROADCASTER,
        Category.INVESTIGATIVE, Category.TABLOID, Category.TRADE, Category.FACT_CHECK,
    )
)  # fmt: skip
"""Whose 'we' is the newsroom's own: 'the letter, which we have seen'."""
_KEEPS_DOCUMENTS = OFFICIAL | {Category.SCHOLARLY}
_OWN_VOICE = _PRESS | {Category.COURT, Category.GOVERNMENT, Category.STATISTICS, Category.SCHOLARLY}
"""Who says 'we' of themselves, and not for whom a claim is about: a newsroom, a court, the authors of a study. Not a
regulator, among whose pages are what companies file with it."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one independent witness says of a claim."""

    voter: str
    """What makes it one: the owner or domain behind the story's origin."""
    stance: Stance
    """Supports or contradicts; neutral where the witness says both."""
    weight: float
    """0 to 1: confidence times tier weight over 4, of its weightiest finding."""
    confidence: float
    tier: int
    party: bool
    """It is a party's own statement: a press release, or its words as somebody hands them on."""
    source: Source
    """Whom to name: the origin of the story, or the copy, where only it speaks on the claim."""
    findings: tuple[Finding, ...]
    """Those of its stance, weightiest first."""
    documents: int
    """How many documents carry it, copies included."""
    said_by: str = ""
    """Whose word it is, where it is not the document's own."""
    hearsay: bool = False
    """Only somebody's word who is no authority on it."""
    taken_back: bool = False
    """A party's word against what it had said before, of a later date."""
    deviating: tuple[Finding, ...] = ()
    """Of copies that say the opposite of the story they copy, or of the authority they report: a slip, and no vote."""

    @property
    def official(self) -> bool:
        """A public body of tier 1 in a document of its own."""
        return self.source.rating.tier == 1 and self.tier == 1 and self.public

    @property
    def public(self) -> bool:
        """A public body in a document of its own."""
        return self.source.rating.category in OFFICIAL and not (self.said_by or self.party)


def finding_weight(finding: Finding, source: Source) -> float:
    """Confidence times the weight of the source's tier over 4, so that tier 1 keeps all of it."""
    return finding.confidence * TIER_WEIGHTS[_tier(source)] / 4


def _tier(source: Source) -> int:
    return _PARTY_TIER if source.rating.press_release else min(4, max(1, source.rating.tier))


def votes(findings: Iterable[Finding], sources: Mapping[str, Source], *, about: str = "") -> tuple[Vote, ...]:
    """The votes on one claim, weightiest first; the order in which the findings come does not matter.

    `sources` by id. `about`: the claim and what its case is about; what a company that is named there says of it on its
    own pages is the company's word. Findings of
    sources that are not among them or are excluded (published after the as-of date), and passages that were not
    assessed, bear on nothing or were judged with hardly any confidence, are no votes; nor is a claim that is only
    restated to be checked or taken back.
    """
    counted = [each for each in sorted(findings, key=lambda each: each.id) if _counts(each, sources)]
    origins = _with_one_wording(counted, sources, origins_of(sources))
    by_story: dict[str, list[Finding]] = {}
    for finding in counted:
        by_story.setdefault(origins[finding.source_id].id, []).append(finding)
    speakers = _Speakers(about, sources, origins, counted)
    words = [
        word for origin_id, found in by_story.items() for word in _words(sources[origin_id], found, sources, speakers)
    ]
    by_voter: dict[str, list[_Word]] = {}
    for word in words:
        by_voter.setdefault(word.voter, []).append(word)
    cast = [_vote(voter, _against_itself(words, sources), sources) for voter, words in by_voter.items()]
    return tuple(sorted(cast, key=lambda vote: (-vote.weight, vote.voter)))


def _counts(finding: Finding, sources: Mapping[str, Source]) -> bool:
    source = sources.get(finding.source_id)
    if source is None or source.excluded or finding.stance not in _DECIDED or finding.confidence < _FAINT:
        return False
    return as_testimony(finding).standing is not Standing.NOTHING


def _wording(finding: Finding) -> tuple[str, ...]:
    """The words of a quote that is long enough not to be written twice by chance; else a key of its own."""
    words = tuple(finding.quote.casefold().split())
    return words if len(words) >= _OF_ONE_HAND else (finding.id,)


def _with_one_wording(
    counted: Sequence[Finding], sources: Mapping[str, Source], origins: Mapping[str, Source]
) -> dict[str, Source]:
    """`origins`, where sources whose whole sentences are the same to the word go back to the earliest of them: nobody
    writes a long sentence twice by chance, so one has it from the other or both from a third."""
    by_wording: dict[tuple[str, ...], set[str]] = {}
    for finding in counted:
        by_wording.setdefault(_wording(finding), set()).add(finding.source_id)
    joined = dict(origins)
    for of_one in by_wording.values():
        theirs = {joined[each].id: joined[each] for each in of_one}
        first = min(theirs.values(), key=earliest)
        joined |= {id: first for id, origin in joined.items() if origin.id in theirs}
    return joined


@dataclass(frozen=True)
class _Word:
    """A finding as the word of one witness."""

    weight: float
    finding: Finding
    tier: int
    party: bool
    voter: str
    said_by: str
    """Whose word it is; '' for the document's own."""
    counted: bool
    """False for a copy's, where the origin itself speaks."""
    documents: int
    """Of the story it is from, copies included."""
    story: str
    taken_back: bool = False
    """A party says otherwise than it did."""


class _Speakers:
    """Whose word what somebody says is: one key for 'the inspectorate', its full name and its own pages."""

    def __init__(
        self, about: str, sources: Mapping[str, Source], origins: Mapping[str, Source], found: Sequence[Finding]
    ) -> None:
        self._sources = sources
        self._origins = origins
        said = [as_testimony(finding) for finding in found]
        parties = {each.name for each in said if each.kind is SpeakerKind.PARTY}
        self._parties = sorted(name for name in parties if name and not name.islower())
        named = names(about)
        self._about = [name.text for name in named]
        self._companies = [name.text for name in named if name.kind is not NameKind.PLACE]
        # Where two pages could be meant, the first by id is; the order in which sources come must not matter.
        self._pages = [sources[source_id] for source_id in sorted(sources)]

    def is_party(self, source: Source) -> bool:
        """A company's own page, or a site of its name that no rule knows, on a claim about that company."""
        if source.rating.known and source.rating.category != Category.COMPANY:
            return False
        own = source.rating.owner or source.domain.split(".")[0]
        return any(same_name(own, name) or is_called(source, name) for name in self._companies)

    def of_party(self, name: str) -> str:
        """The key of a party by its name as found; 'the company' is the one party that has a name, if it is one."""
        if name.islower() and len(self._parties) == 1:
            name = self._parties[0]
        name = next((known for known in self._parties if same_name(known, name)), name)
        return f"party {fold(next((known for known in self._about if same_name(known, name)), name))}"

    def of_reported(self, finding: Finding, publisher: Source) -> str:
        """The key of somebody whose statement a page reports: their own page among the sources, or whom that copies;
        else their name. '' where nobody in particular is named."""
        said = as_testimony(finding)
        if not said.name:
            return ""
        page = next((each for each in self._pages if each.id != publisher.id and _is_its_page(said.name, each)), None)
        if page is not None:
            return owner_or_site(self._origins.get(page.id, page))
        if _is_kept(said, publisher) or _is_hearsay(finding, publisher):
            return ""
        # 'Prosecutors', 'Dr': nobody in particular, so it is the reporter's own work.
        proper = [word for word in said.name.split() if len(word) > 2 and word[0].isupper()]
        return f"said by {fold(said.name)}" if len(proper) > 1 else ""


def _is_its_page(name: str, source: Source) -> bool:
    """True where the page is of whoever is so called: 'Fisheries Board' and fisheries-board.example, 'Hill Daily' and
    hilldaily.example, 'the council' and a public body that calls itself Lenn Council."""
    if source.publisher and same_name(name, source.publisher):
        return True
    label = fold(source.domain.split(".")[0].replace("-", " ")).split()
    called = fold(name).split()
    telling = {word for word in called if word.isalpha() and len(word) > 3} - STOP_WORDS
    if not telling:
        return False
    own = {*label, *fold(source.publisher or "").split()}
    official = source.rating.category in PUBLIC_BODIES and telling <= own
    return official or "".join(called) == "".join(label)


def _words(origin: Source, found: Sequence[Finding], sources: Mapping[str, Source], speakers: _Speakers) -> list[_Word]:
    """One story's findings, each as somebody's word."""
    own = _taken_back(found, sources) or [finding for finding in found if finding.source_id == origin.id]
    documents = len({finding.source_id for finding in found})
    words = []
    for finding in found:
        # Who repeats a story is worth no more than who tells it; what its origin does not say is the copy's own.
        source = sources[finding.source_id]
        publisher = max((origin, source), key=_tier) if own else source
        voter, who, party = _speaker(finding, publisher, origin, speakers)
        tier = _PARTY_TIER if party else _tier(publisher)
        if as_testimony(finding).against_self:
            tier = min(_ADMISSION_TIER, tier)
        weight = finding.confidence * TIER_WEIGHTS[tier] / 4
        # What a party itself has filed is no copy of what the papers made of it.
        counted = not own or finding in own or as_testimony(finding).against_self
        words.append(_Word(weight, finding, tier, party, voter, who, counted, documents, origin.id))
    # A copy that has it otherwise, or from somebody else, counts with its story and not beside it.
    voters = {word.voter for word in words if word.counted}
    first = next(word.voter for word in words if word.counted)
    return [word if word.counted or word.voter in voters else replace(word, voter=first) for word in words]


def _against_itself(said: Sequence[_Word], sources: Mapping[str, Source]) -> Sequence[_Word]:
    """The words of one voter; of a party that says both, what it says against its own claim alone, as an admission. A
    denial is none."""
    own = [word for word in said if word.party]
    against = [
        word
        for word in own
        if word.finding.stance is Stance.CONTRADICTS and as_testimony(word.finding).mode is not Mode.DENIED
    ]
    if not against or len(against) == len(own):
        return said
    last = _last_word([word.finding for word in own], sources)
    since = len(last) < len(own) and last[0].stance is Stance.CONTRADICTS
    return [
        replace(word, party=False, tier=tier, weight=word.finding.confidence * TIER_WEIGHTS[tier] / 4, taken_back=since)
        for word in against
        for tier in [min(_ADMISSION_TIER, word.tier)]
    ]


def _is_hearsay(finding: Finding, publisher: Source) -> bool:
    """True for what only somebody says who is no authority, or a paper whose reports others do not take over. A
    witness in a document that a public body or an archive keeps is that document."""
    said = as_testimony(finding)
    if _is_kept(said, publisher):
        return False
    if said.kind is SpeakerKind.MEDIA and publisher.rating.category in _PRESS:
        key = name_key(said.name)
        known = not key or key in known_keys() or key in names_of(publisher.publisher, publisher.domain)
        return not known or said.standing is Standing.HEARSAY
    return said.standing is Standing.HEARSAY


def _is_kept(said: Testimony, publisher: Source) -> bool:
    """True for a person's statement in a document that a public body, an archive or a journal keeps."""
    keeps = publisher.rating.category in _KEEPS_DOCUMENTS
    return keeps and said.kind is SpeakerKind.WITNESS and not said.mode.is_open


def _taken_back(found: Sequence[Finding], sources: Mapping[str, Source]) -> list[Finding]:
    """What an outlet of the story has since said otherwise; it takes the story back for all who have copied it. []
    where none has."""
    by_outlet: dict[str, list[Finding]] = {}
    for finding in found:
        by_outlet.setdefault(owner_or_site(sources[finding.source_id]), []).append(finding)
    for of_outlet in by_outlet.values():
        last = _last_word(of_outlet, sources)
        if len(last) < len(of_outlet):
            return last
    return []


def _speaker(finding: Finding, publisher: Source, origin: Source, speakers: _Speakers) -> tuple[str, str, bool]:
    """Of a finding the key of its witness, whose statement it is where it is not the page's own, and whether that is a
    party to the claim that speaks for itself."""
    said = as_testimony(finding)
    itself = owner_or_site(origin)
    by_party = said.kind is SpeakerKind.PARTY
    release = publisher.rating.press_release
    if by_party and not said.name and not release and publisher.rating.category in _OWN_VOICE:
        return itself, "", False  # the 'we' of a newsroom, a court or a study is its own
    own_page = release or speakers.is_party(publisher)
    if by_party or own_page:
        who = (said.name if by_party else "") or publisher.rating.owner or publisher.domain
        # The wire that distributes a release does not say what it says.
        shown = "" if release and not (by_party and said.name) else who
        return speakers.of_party(who), shown, not said.against_self
    return speakers.of_reported(finding, publisher) or itself, said.name, False


def _vote(voter: str, said: Sequence[_Word], sources: Mapping[str, Source]) -> Vote:
    weighed = [word for word in said if word.counted]
    # What an authority itself has put down or corrected says what it said; who reports it otherwise reports it wrongly.
    itself = [word for word in weighed if not word.said_by or as_testimony(word.finding).withdraws]
    if itself and not any(word.party for word in weighed):
        weighed = itself
    admitted = [word for word in weighed if as_testimony(word.finding).against_self]
    last = _last_word([word.finding for word in admitted or weighed], sources)
    weighed = [word for word in admitted or weighed if word.finding in last]
    weighed.sort(key=lambda each: (-each.weight, each.finding.id))
    best = weighed[0]
    other = next((each.weight for each in weighed if each.finding.stance is not best.finding.stance), 0.0)
    stance = Stance.NEUTRAL if other and other >= best.weight * _AS_GOOD else best.finding.stance
    return Vote(
        voter=voter,
        stance=stance,
        weight=best.weight,
        confidence=best.finding.confidence,
        tier=best.tier,
        party=best.party,
        said_by=best.said_by,
        hearsay=_is_hearsay(best.finding, sources[best.finding.source_id]),
        source=sources[best.finding.source_id],
        findings=tuple(each.finding for each in weighed if stance in (Stance.NEUTRAL, each.finding.stance)),
        documents=sum({word.story: word.documents for word in said}.values()),
        taken_back=best.taken_back,
        deviating=tuple(
            each.finding
            for each in said
            if each not in weighed and not best.party and stance is not Stance.NEUTRAL
            and each.finding.stance is not stance
        ),
    )  # fmt: skip


def _last_word(found: Sequence[Finding], sources: Mapping[str, Source]) -> list[Finding]:
    """Without what the same speaker has since said otherwise: of two sides, the one that is younger than all of the
    other appears. All of it where a date is not known or both are mixed."""
    sides: dict[Stance, list[datetime]] = {}
    for finding in found:
        published = sources[finding.source_id].published
        if published is None:
            return list(found)
        sides.setdefault(finding.stance, []).append(published.at)
    if len(sides) < 2:
        return list(found)
    earlier, later = sorted(sides, key=lambda side: (max(sides[side]), side))
    if min(sides[later]) <= max(sides[earlier]):
        return list(found)
    return [finding for finding in found if finding.stance is later]

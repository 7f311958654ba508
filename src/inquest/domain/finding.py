"""Readings of passages, with speaker and mode; findings on a claim, and the verdict that follows from them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from inquest.domain.reasons import OptionalReason, Reason, Reasons, as_written
from inquest.domain.value import JsonObject, Value

WITNESSES = frozenset(("passage", "news_source", "news_contradiction", "academic_source"))
"""Evidence types of findings that quote a page as evidence. All others are computed by a desk from a claim: checks
against published rules, errors, summaries."""


class Stance(StrEnum):
    """The relation of a passage to a claim. 'unassessed': it could not be judged."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"
    UNASSESSED = "unassessed"

    @property
    def decides(self) -> bool:
        """True for either side of the claim."""
        return self in (Stance.SUPPORTS, Stance.CONTRADICTS)

    @property
    def supports_claim(self) -> bool | None:
        """The specs' form: true, false, or null for insufficient evidence."""
        return self is Stance.SUPPORTS if self.decides else None


class ContradictionType(StrEnum):
    """The way in which a passage contradicts a claim (spec 000, four types)."""

    DIRECT = "direct"
    """The opposite, or another number for the same thing."""
    CONTEXTUAL = "contextual"
    """Literally true, but misleading in context."""
    OMISSION = "omission"
    """An omission changes the picture."""
    TIMELINE = "timeline"
    """Dates or their order do not match."""


class Placed(Value):
    """A quote with its place in a document."""

    page: int | None = None
    place: str = ""
    """The place in words: 'page 3', 'sheet Emissions, cell C4 (Scope 1, 2023)'."""

    @property
    def where(self) -> str:
        """The place of the quote in its document; '' if the document has no parts. Findings stored by versions without
        places have at most a page."""
        return self.place or (f"page {self.page}" if self.page else "")


class NearestPassage(Placed):
    """A sentence close to a claim that was not decided: shown to a person, and not evidence.

    `text_of(snapshot)[start:end] == quote`.
    """

    claim_id: str
    source_id: str
    quote: str
    snapshot: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)

    def overlaps(self, finding: Finding) -> bool:
        """Return True if a finding quotes some of the same words."""
        return self.snapshot == finding.snapshot and self.start < finding.end and finding.start < self.end


class Finding(Placed):
    """A source's statement about a claim, with its stance and the words quoted.

    `text_of(snapshot)[start:end] == quote` always holds: it is checked when a finding is made (text.grounding).
    """

    id: str
    claim_id: str | None
    """None for a finding that dates an event or represents a source's own summary."""
    source_id: str
    agent: str
    """The desk or stage that made it: inquiry, news, academic, timeline, ..."""
    evidence_type: str = "passage"
    stance: Stance
    contradiction_type: ContradictionType | None = None
    confidence: float = Field(ge=0, le=1)
    quote: str
    snapshot: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    summary: str = ""
    """Its conclusion, in one sentence."""
    summary_codes: Reasons = ()
    detail_codes: dict[str, tuple[Reason, ...]] = Field(default={}, exclude_if=lambda codes: not codes)
    """The details that are sentences, as codes and data."""
    details: JsonObject = {}
    references: tuple[JsonObject, ...] = ()
    iteration: int = 1
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()

    @model_validator(mode="after")
    def _a_judgment_has_its_words(self) -> Self:
        if self.stance.decides and not self.quote.strip():
            raise ValueError("a finding that supports or contradicts must carry a quote")
        if self.end - self.start != len(self.quote):
            raise ValueError("the span of a finding must be as long as its quote")
        return self


class Verdict(StrEnum):
    """The verdict on a claim."""

    VERIFIED = "verified"
    PARTIALLY_TRUE = "partially_true"
    CONTRADICTED = "contradicted"
    DISPUTED = "disputed"
    """There are credible independent sources on both sides."""
    UNVERIFIED = "unverified"
    """Nothing relevant was found, or too little."""


class PartVerdict(Value):
    """The verdict on one of several statements in a claim."""

    words: str
    """In the claim's own words."""
    verdict: Verdict
    supporting: tuple[str, ...] = ()
    """Ids of the findings for it, weightiest first."""
    contradicting: tuple[str, ...] = ()


class VerdictDecision(Value):
    """A person's decision on a verdict."""

    verdict: Verdict
    reason: str = ""
    by: str
    at: datetime


class Assessment(Value):
    """The verdict on one claim, with both sides and the reasons."""

    claim_id: str
    verdict: Verdict
    confidence: float = Field(ge=0, le=1)
    independent_sources: int
    """Independent sources on the prevailing side, counted by story and owner."""
    single_source: bool = False
    supporting: tuple[str, ...] = ()
    """Ids of the findings for the claim, weightiest first."""
    contradicting: tuple[str, ...] = ()
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    checked: bool = True
    """False: it could not be checked because no source could be queried or the case ended first, which differs from
    finding nothing."""
    lacks: str = ""
    """Sources that could not be queried, as the end of a sentence; '': none."""
    lacks_code: OptionalReason = None
    unassessed: int = 0
    """Number of passages that could not be judged."""
    would_change: tuple[str, ...] = ()
    """Evidence that would change the verdict, in words; () if unknown."""
    change_codes: Reasons = ()
    parts: tuple[PartVerdict, ...] = ()
    """A verdict for each statement, if the claim makes several and the evidence tells them apart."""
    decision: VerdictDecision | None = None
    """The decision in force, set only in a case as shown (`reports.decided.as_decided`), never in a stored one."""
    machine_verdict: Verdict | None = None
    """The verdict of the run, if a person has decided on it."""

    @property
    def lacking(self) -> dict[str, Reason]:
        """The sources that could not be queried, as text; empty: none."""
        return {self.lacks: self.lacks_code or as_written(self.lacks)} if self.lacks else {}

    @property
    def overruled(self) -> bool:
        """True if a person's verdict differs from the run's."""
        return self.decision is not None and self.verdict is not self.machine_verdict


class SpeakerKind(StrEnum):
    """The speaker of a statement."""

    DOCUMENT = "document"
    """The document itself: its own reporting, data, ruling or record."""
    AUTHORITY = "authority"
    """A body able to establish it: a court, a regulator, a ministry, a statistical office."""
    PARTY = "party"
    """The subject of the claim, or its representative."""
    OPPONENT = "opponent"
    """An opponent of the party: a plaintiff, a rival, a campaign."""
    EXPERT = "expert"
    MEDIA = "media"
    """Another newspaper, agency or broadcaster that the passage credits."""
    WITNESS = "witness"
    """A named eyewitness."""
    UNNAMED = "unnamed"
    """Unnamed: 'sources', 'reports', posts."""


class Mode(StrEnum):
    """The sense in which a passage makes a statement."""

    FACT = "fact"
    MEASURED = "measured"
    PLANNED = "planned"
    EXPECTED = "expected"
    ALLEGED = "alleged"
    DENIED = "denied"
    ASKED = "asked"
    RULED_FALSE = "ruled_false"
    RULED_TRUE = "ruled_true"
    WITHDRAWN = "withdrawn"
    HYPOTHETICAL = "hypothetical"

    @property
    def is_open(self) -> bool:
        """True if the statement is not asserted as fact."""
        return self in (Mode.ALLEGED, Mode.ASKED, Mode.HYPOTHETICAL)


class Speaker(Value):
    """The speaker of a statement: `name` as written in the passage; '' for the document itself and for unnamed
    speakers.
    """

    kind: SpeakerKind
    name: str = ""


class Reading(Value):
    """The relation of one passage to one claim. `passage.text[start:end] == quote`."""

    passage_id: str
    stance: Stance
    contradiction_type: ContradictionType | None = None
    confidence: float = Field(ge=0, le=1)
    quote: str = ""
    start: int = 0
    end: int = 0
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()
    speaker: Speaker | None = None
    mode: Mode | None = None
    first_hand: bool | None = None
    """True if the speaker has seen, measured or done it; None: not stated."""
    against_self: bool | None = None
    """True if a party says it against its own interest; None: not stated."""
    about_words: bool | None = None
    """True if the claim is only that somebody says, denies, asks for, plans or expects something, so that his saying so
    is the fact."""
    covers: tuple[int, ...] = ()
    """Numbers, from 1, of the claim's statements that the quote decides; (): all, or not stated."""
    as_of: str = ""
    """The date the statement refers to (ISO 8601), if not the document's own."""

    @property
    def details(self) -> JsonObject:
        """The typed part as stored in a finding (INTERFACES.md): only fields with a value."""
        given: JsonObject = {
            "speaker": self.speaker.model_dump(mode="json") if self.speaker else None,
            "mode": self.mode.value if self.mode else None,
            "first_hand": self.first_hand,
            "against_self": self.against_self or None,
            "about_words": self.about_words or None,
            "as_of": self.as_of or None,
            "covers": [*self.covers] or None,
        }
        return {name: value for name, value in given.items() if value is not None}

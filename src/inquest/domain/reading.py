"""The speaker and mode of a passage: two closed vocabularies, used by every reader."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason
from inquest.domain.value import JsonObject, Value


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
    """As sentences."""
    reason_codes: tuple[Reason, ...] = ()
    speaker: Speaker | None = None
    """The speaker, if the reader determined it."""
    mode: Mode | None = None
    """The mode, if the reader determined it."""
    first_hand: bool | None = None
    """True if the speaker has seen, measured or done it; None: not stated."""
    against_self: bool | None = None
    """True if a party says it against its own interest; None: not stated."""
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
            "as_of": self.as_of or None,
            "covers": [*self.covers] or None,
        }
        return {name: value for name, value in given.items() if value is not None}

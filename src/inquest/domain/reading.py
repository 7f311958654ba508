"""Whose statement a passage is and in what sense it is made: two closed vocabularies, whoever reads."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason
from inquest.domain.value import JsonObject, Value

__all__ = ["Mode", "Reading", "Speaker", "SpeakerKind"]


class SpeakerKind(StrEnum):
    """Whose statement it is that a passage makes."""

    DOCUMENT = "document"
    """The document itself: its own reporting, data, ruling or record."""
    AUTHORITY = "authority"
    """A body that can have found it out: a court, a regulator, a ministry, a statistical office."""
    PARTY = "party"
    """Whom the claim is about, or who speaks for it."""
    OPPONENT = "opponent"
    """Who is at odds with the party: a plaintiff, a rival, a campaign."""
    EXPERT = "expert"
    MEDIA = "media"
    """Another newspaper, agency or broadcaster that the passage credits."""
    WITNESS = "witness"
    """A person with a name who saw it."""
    UNNAMED = "unnamed"
    """'Sources', 'reports', posts: nobody in particular."""


class Mode(StrEnum):
    """In what sense a passage says it."""

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
        """True where nobody says that it is so."""
        return self in (Mode.ALLEGED, Mode.ASKED, Mode.HYPOTHETICAL)


class Speaker(Value):
    """Whose statement it is. `name` as the passage writes it; '' for the document itself and for nobody named."""

    kind: SpeakerKind
    name: str = ""


class Reading(Value):
    """How one passage bears on one claim. `passage.text[start:end] == quote`."""

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
    """The same as values, where whoever judged has them."""
    speaker: Speaker | None = None
    """Whose statement it is, where whoever read it says so."""
    mode: Mode | None = None
    """In what sense it is said, where whoever read it says so."""
    first_hand: bool | None = None
    """Whether the speaker has seen, measured or done it; None: not stated."""
    against_self: bool | None = None
    """Whether a party says it against its own interest; None: not stated."""
    covers: tuple[int, ...] = ()
    """Numbers, from 1, of those of the claim's statements that the quote decides; (): all, or not stated."""
    as_of: str = ""
    """The day, month or year of which it is said (ISO 8601), where that is not the document's own."""

    @property
    def details(self) -> JsonObject:
        """The typed part as a finding keeps it (INTERFACES.md): only what is given."""
        given: JsonObject = {
            "speaker": self.speaker.model_dump(mode="json") if self.speaker else None,
            "mode": self.mode.value if self.mode else None,
            "first_hand": self.first_hand,
            "against_self": self.against_self or None,
            "as_of": self.as_of or None,
            "covers": [*self.covers] or None,
        }
        return {name: value for name, value in given.items() if value is not None}

"""Whose statement a passage is and in what sense it is made: two closed vocabularies, whoever reads."""

from __future__ import annotations

from enum import StrEnum

from inquest.domain.value import Value

__all__ = ["Mode", "Speaker", "SpeakerKind"]


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

    @property
    def is_hearsay(self) -> bool:
        """True for somebody who is no authority on the matter and no party to it."""
        return self.kind in (SpeakerKind.OPPONENT, SpeakerKind.WITNESS, SpeakerKind.UNNAMED)

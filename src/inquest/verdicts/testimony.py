"""What a finding is as testimony: whose statement it is, in what mode, and what that makes it count for.

Both are typed values that whoever read the page has given (`domain.reading`); no language is read here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from inquest.domain.finding import Finding
from inquest.domain.reading import Mode, Reading, SpeakerKind

__all__ = ["Standing", "Testimony", "as_read", "as_testimony"]


class Standing(StrEnum):
    """What a statement counts for."""

    OWN = "own"
    """Evidence of its speaker, who has found it out or reports it as established."""
    PARTY = "party"
    """A statement of whom the claim is about: listed, and no evidence for the claim."""
    HEARSAY = "hearsay"
    """Somebody's word who is no authority, or what nobody says is so: can add to a side and never carry it."""
    NOTHING = "nothing"


_OF_SPEAKER = {
    SpeakerKind.DOCUMENT: Standing.OWN,
    SpeakerKind.AUTHORITY: Standing.OWN,
    SpeakerKind.EXPERT: Standing.OWN,
    SpeakerKind.MEDIA: Standing.OWN,
    SpeakerKind.PARTY: Standing.PARTY,
    SpeakerKind.OPPONENT: Standing.HEARSAY,
    SpeakerKind.WITNESS: Standing.HEARSAY,
    SpeakerKind.UNNAMED: Standing.HEARSAY,
}
_OF_MODE = {Mode.ASKED: Standing.NOTHING, Mode.ALLEGED: Standing.HEARSAY, Mode.HYPOTHETICAL: Standing.HEARSAY}
"""Modes that count for less whoever speaks, a party apart; any other counts as its speaker does."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """Whose statement a finding is."""

    kind: SpeakerKind = SpeakerKind.DOCUMENT
    name: str = ""
    """As the page writes it; '' for the page itself, and for 'we'."""
    mode: Mode = Mode.FACT
    against_self: bool = False
    """A party says it against its own interest."""

    @property
    def standing(self) -> Standing:
        """What it counts for, before it is known who publishes it."""
        if self.mode is Mode.DENIED and self.kind is SpeakerKind.DOCUMENT:
            return Standing.HEARSAY  # somebody's denial, whom the page only reports
        if self.mode is Mode.ASKED or self.kind is not SpeakerKind.PARTY:
            return _OF_MODE.get(self.mode, _OF_SPEAKER[self.kind])
        return Standing.OWN if self.against_self else Standing.PARTY

    @property
    def withdraws(self) -> bool:
        """True where it corrects or takes back what was said before, by whoever speaks."""
        return self.mode in (Mode.WITHDRAWN, Mode.RULED_FALSE)


def as_read(reading: Reading) -> Testimony:
    """The testimony of a passage before it is a finding."""
    speaker = reading.speaker
    return Testimony(
        kind=speaker.kind if speaker else SpeakerKind.DOCUMENT,
        name=speaker.name if speaker else "",
        mode=reading.mode or Mode.FACT,
        against_self=reading.against_self is True,
    )


def as_testimony(finding: Finding) -> Testimony:
    """The testimony as the finding's `details` have it; the document's own statement of a fact where they do not."""
    details = finding.details
    speaker = details.get("speaker")
    kind, name = (speaker.get("kind"), speaker.get("name")) if isinstance(speaker, dict) else (None, None)
    mode = details.get("mode")
    return Testimony(
        kind=SpeakerKind(kind) if kind in {each.value for each in SpeakerKind} else SpeakerKind.DOCUMENT,
        name=name if isinstance(name, str) else "",
        mode=Mode(mode) if mode in {each.value for each in Mode} else Mode.FACT,
        against_self=details.get("against_self") is True,
    )

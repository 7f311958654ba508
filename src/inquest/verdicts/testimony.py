"""Testimony of a finding: its speaker, its mode, and how much it counts.

Speaker and mode are typed values from the reader of the page (`domain.finding`); this module reads no language.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from inquest.domain.finding import Finding, Mode, Reading, SpeakerKind, Stance

_WORDS = frozenset((Mode.FACT, Mode.PLANNED, Mode.EXPECTED, Mode.ALLEGED, Mode.DENIED, Mode.ASKED))
"""Modes in which somebody speaks: of a claim that he does, a page that reports him states a fact."""


class Standing(StrEnum):
    """The weight class of a statement."""

    OWN = "own"
    """Evidence of a speaker who has established it or reports it as established."""
    PARTY = "party"
    """A statement of the claim's subject: listed, but no evidence for the claim."""
    HEARSAY = "hearsay"
    """An allegation, or a statement without authority: adds to a side but never carries it."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Testimony:
    """Speaker and mode of a statement."""

    kind: SpeakerKind = SpeakerKind.DOCUMENT
    name: str = ""
    """As the page writes it; '' for the page itself, and for 'we'."""
    mode: Mode = Mode.FACT
    against_self: bool = False
    """A party's statement against its own interest."""

    @property
    def standing(self) -> Standing:
        """The weight class of the statement, regardless of its publisher."""
        if self.mode is Mode.ASKED:
            return Standing.NOTHING
        if self.kind is SpeakerKind.PARTY:
            return Standing.OWN if self.against_self else Standing.PARTY
        hearsay = self.mode in (Mode.ALLEGED, Mode.HYPOTHETICAL) or self.kind in (
            SpeakerKind.OPPONENT, SpeakerKind.WITNESS, SpeakerKind.UNNAMED
        )  # fmt: skip
        # The page only reports a denial that has no speaker.
        reported_denial = self.mode is Mode.DENIED and self.kind is SpeakerKind.DOCUMENT
        return Standing.HEARSAY if hearsay or reported_denial else Standing.OWN

    @property
    def is_ruling(self) -> bool:
        """True if it decides the claim, like a court or a fact check."""
        return self.mode in (Mode.RULED_TRUE, Mode.RULED_FALSE)

    @property
    def withdraws(self) -> bool:
        """True if it corrects or retracts an earlier statement, of any speaker."""
        return self.mode in (Mode.WITHDRAWN, Mode.RULED_FALSE)


def as_read(reading: Reading) -> Testimony:
    """Return the testimony of a passage that is not a finding yet."""
    speaker = reading.speaker
    return Testimony(
        kind=speaker.kind if speaker else SpeakerKind.DOCUMENT,
        name=speaker.name if speaker else "",
        mode=reading.mode or Mode.FACT,
        against_self=reading.against_self is True,
    )


def as_testimony(finding: Finding) -> Testimony:
    """Return the testimony in a finding's `details`; by default the document's own statement of a fact."""
    details = finding.details
    speaker = details.get("speaker")
    kind, name = (speaker.get("kind"), speaker.get("name")) if isinstance(speaker, dict) else (None, None)
    mode = details.get("mode")
    takes_back = mode == Mode.DENIED and finding.stance is Stance.CONTRADICTS
    if details.get("about_words") is True and mode in _WORDS and not takes_back:
        return Testimony()
    return Testimony(
        kind=SpeakerKind(kind) if kind in {each.value for each in SpeakerKind} else SpeakerKind.DOCUMENT,
        name=name if isinstance(name, str) else "",
        mode=Mode(mode) if mode in {each.value for each in Mode} else Mode.FACT,
        against_self=details.get("against_self") is True,
    )

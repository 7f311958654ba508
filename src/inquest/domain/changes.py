"""What differs between two runs on the same matter."""

from __future__ import annotations

from inquest.domain.assessment import Verdict
from inquest.domain.topic import ReviewFlag, VerificationLevel
from inquest.domain.value import Value


class LevelChange(Value):
    """The level of a topic, then and now; None: that run had no result."""

    before: VerificationLevel | None
    after: VerificationLevel | None


class PageChange(Value):
    """A page that one run had and the other not, or whose words have changed."""

    source_id: str
    """In the later run, else in the earlier."""
    url: str
    title: str
    tier: int


class ChangedVerdict(Value):
    """A claim of both runs on which the verdict is another one, or a claim of one run alone (the other is None)."""

    text: str
    before: Verdict | None
    after: Verdict | None


class OriginChange(Value):
    """Who the story goes back to, by name and address; '' where that run could not tell."""

    before: str
    after: str


class CaseChanges(Value):
    """All that differs. Empty and None: the same."""

    before: str
    """Case ids."""
    after: str
    level: LevelChange | None = None
    new_sources: tuple[PageChange, ...] = ()
    gone_sources: tuple[PageChange, ...] = ()
    """Not found this time, which does not mean that they were taken down."""
    unreached: tuple[PageChange, ...] = ()
    """Not there this time because the page, or an engine that led to it, could not be asked: no news of the matter."""
    changed_pages: tuple[PageChange, ...] = ()
    """Read both times, with other words."""
    verdicts: tuple[ChangedVerdict, ...] = ()
    origin: OriginChange | None = None
    new_flags: tuple[ReviewFlag, ...] = ()
    newly_disputed: tuple[str, ...] = ()
    outages: tuple[str, ...] = ()
    """What could not be asked this time and could then, or was not to be asked any more: something may be missing for
    that reason alone."""
    still_out: tuple[str, ...] = ()
    """What could be asked neither then nor now: that nothing differs does not speak for it."""

    @property
    def complete(self) -> bool:
        """Whether everybody could be asked this time: only then does 'nothing changed' say that nothing did."""
        return not self.outages and not self.still_out

    @property
    def anything(self) -> bool:
        """Whether anything differs in what was found. A new outage alone is no news of the matter."""
        return any(
            (
                self.level,
                self.new_sources,
                self.gone_sources,
                self.changed_pages,
                self.verdicts,
                self.origin,
                self.new_flags,
                self.newly_disputed,
            )
        )

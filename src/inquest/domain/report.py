"""The parts of a case's report: bias, timeline, cited summary, outages, cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import field_validator

from inquest.domain.document import Precision
from inquest.domain.languages import listed, numeral
from inquest.domain.reasons import OptionalReason, Reason, Reasons
from inquest.domain.search import ClaimReview
from inquest.domain.value import Value, firsts, grouped


class Leaning(StrEnum):
    """The leaning of a source's coverage towards the subject of the brief."""

    FAVOURABLE = "favourable"
    NEUTRAL = "neutral"
    CRITICAL = "critical"


class SourceLeaning(Value):
    """One source's leaning: `bias` 0 (balanced) to 10 (one-sided), one decimal."""

    source_id: str
    leaning: Leaning
    bias: float
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()


class Balance(Value):
    """The number of sources per leaning."""

    favourable: int = 0
    neutral: int = 0
    critical: int = 0


class Bias(Value):
    """The overall one-sidedness of the sources: `overall` 0 to 10, one decimal."""

    overall: float
    balance: Balance
    per_source: tuple[SourceLeaning, ...] = ()
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[Reason, ...] = ()
    recommendation: str = ""
    recommendation_codes: Reasons = ()

    @property
    def label(self) -> str:
        """The scale's words (spec 004)."""
        for bound, words in ((2, "low (balanced)"), (4, "low to moderate"), (6, "moderate"), (8, "high")):
            if self.overall < bound:
                return words
        return "very high (one-sided)"


class TimelineEvent(Value):
    """A dated event and the findings that report it."""

    date: str
    """ISO 8601 at the known precision."""
    precision: Precision
    text: str
    source_ids: tuple[str, ...]
    finding_ids: tuple[str, ...] = ()
    conflict: str | None = None
    """The different dates that sources give, if they disagree."""
    conflict_codes: Reasons = ()
    reason_codes: Reasons = ()
    """The text as codes and data; () if it is a source's text."""


class Statement(Value):
    """One sentence of a summary. A sentence that states a fact cites findings; one about the work itself need not."""

    text: str
    finding_ids: tuple[str, ...] = ()
    about_the_work: bool = False
    reason_codes: Reasons = ()
    """The text as codes and data; () if it was written by a model or by a desk without a catalogue."""


class Section(Value):
    """A headed part of a summary."""

    heading: str
    heading_code: OptionalReason = None
    statements: tuple[Statement, ...]


class Translation(Value):
    """A finding's quote in the report's language, by the model that wrote the summary: for readers, never evidence."""

    finding_id: str
    text: str


class Summary(Value):
    """The cited summary. `dropped` counts a model's sentences that cited nothing and were left out."""

    title: str
    title_code: OptionalReason = None
    sections: tuple[Section, ...]
    """In order; sections with the same heading are merged."""
    dropped: int = 0
    translations: tuple[Translation, ...] = ()
    """Translations of quotes in languages other than the report's, if a model wrote the summary."""

    @field_validator("sections", mode="after")
    @classmethod
    def _one_section_a_heading(cls, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        found: dict[str, Section] = {}
        for each in sections:
            key = " ".join(each.heading.casefold().split())
            earlier = found.get(key)
            more = (*earlier.statements, *each.statements) if earlier else each.statements
            once = {(said.text, said.finding_ids): said for said in more}
            found[key] = (earlier or each).model_copy(update={"statements": tuple(once.values())})
        return tuple(found.values())


class Citation(Value):
    """Number n in the report: the quote of a finding."""

    n: int
    finding_id: str
    source_id: str
    url: str
    quote: str
    also: tuple[str, ...] = ()
    """Ids of further findings with the identical quote from the same snapshot."""


class EarlierCheck(Value):
    """A third party's fact check of a claim: a pointer for the reader, never evidence."""

    claim_id: str | None = None
    """The claim of the case that it checks; None: it is on the topic but checks no claim of the case."""
    review: ClaimReview
    found_by: str
    """The engine that returned it, or the domain of the page that declares it."""


class OutageNote(Value):
    """A failed request that the case depended on."""

    what: str
    """engine, page, model, passages (that the model gave no usable reading of), storage, budget."""
    where: str
    """The engine's name, the URL, the model."""
    why: str
    """The reason, in one sentence for readers."""
    why_code: OptionalReason = None
    at: datetime
    called: str = ""
    """The display name for `where`, which the reason may use: 'Google (Serper)'."""
    names: tuple[str, ...] = ()
    """All names, if `where` has only the first few of them."""
    at_limit: bool = False
    after_failures: bool = False
    """It was skipped after several failures in a row."""

    @property
    def title(self) -> str:
        """The name shown to a user."""
        return self.called or self.where

    @property
    def trouble(self) -> tuple[str, str, str]:
        """Key by which two notes count as one: the same problem at another stage or in another desk is one problem,
        whenever it occurred."""
        return self.what, self.where, self.why


class Coverage(Value):
    """The completeness of the search for one claim."""

    answered: int = 0
    """Searches answered, with or without hits."""
    out: tuple[str, ...] = ()
    """Engines that failed to answer a search."""
    unread: tuple[str, ...] = ()
    """Addresses of pages that could not be read."""
    read: int = 0
    """Pages read, whatever their content."""

    @property
    def nothing_to_judge(self) -> bool:
        """True if no search was answered, or no page found could be read."""
        return not self.answered or bool(self.unread and not self.read)

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(
            answered=self.answered + other.answered,
            out=tuple(dict.fromkeys((*self.out, *other.out))),
            unread=tuple(dict.fromkeys((*self.unread, *other.unread))),
            read=self.read + other.read,
        )


class Cost(Value):
    """The cost of a case so far."""

    usd: float = 0.0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    search_calls: int = 0
    page_reads: int = 0

    def __add__(self, other: Cost) -> Cost:
        mine, theirs = self.model_dump(), other.model_dump()
        return Cost.model_validate({name: mine[name] + theirs[name] for name in mine})


_NUMBER = re.compile(r"\d+(?:\.\d+)? s\b")
_NAMED = 10
"""Names in one line."""
_NAMED_PAGES = 3


class OutageGroup(NamedTuple):
    """Outages of one kind with the same reason."""

    notes: tuple[OutageNote, ...]
    why: str
    """A sentence; for several outages, 'Each is unavailable (503).'"""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the services or pages that failed, each once."""
        return tuple(dict.fromkeys(note.title for note in self.notes))


def distinct(notes: Iterable[OutageNote]) -> tuple[OutageNote, ...]:
    """Each problem once: reasons that differ only in a number of seconds are the same, and a skipped request is left
    out if the failures that caused it are listed."""
    once = firsts(((note.what, note.where, _NUMBER.sub("", note.why)), note) for note in notes)
    failed = {(note.what, note.where) for note in once.values() if not note.after_failures}
    return tuple(note for note in once.values() if not note.after_failures or (note.what, note.where) not in failed)


def alike(notes: Sequence[OutageNote]) -> tuple[OutageGroup, ...]:
    """The outages in order, grouped if they are of one kind and their reasons differ only in the name."""
    groups = grouped(((note.what, _around_the_name(note)), note) for note in notes)
    return tuple(OutageGroup(tuple(group), _why(group)) for group in groups.values())


def outage_lines(notes: Sequence[OutageNote], most: int) -> list[str]:
    """Return at most this many outages as sentences, and the number of remaining ones."""
    groups = alike(distinct(notes))
    said = [_line(group) for group in groups[:most]]
    if more := sum(len(group.names) for group in groups[most:]):
        left = f"{numeral(more)} more {'outage is' if more == 1 else 'outages are'} in the list of outages"
        said.append(left[:1].upper() + left[1:])
    return said


def _line(group: OutageGroup) -> str:
    names = group.names
    if len(names) == 1 and names[0].casefold() in group.why.casefold():
        return group.why
    most = _NAMED_PAGES if group.notes[0].what == "page" else _NAMED
    shown = [*names[:most], *([f"{numeral(len(names) - most)} more"] if len(names) > most else [])]
    verb = "read" if group.notes[0].what == "page" else "queried"
    return f"Could not be {verb}: {listed(shown)}. {group.why}"


def _why(group: Sequence[OutageNote]) -> str:
    """The reason, beginning with the title of the service; for reasons with different names, the part they have in
    common."""
    first = group[0]
    if all(note.why == first.why for note in group):
        return f"{first.title}{first.why[len(first.where) :]}" if first.why.startswith(f"{first.where} ") else first.why
    return f"Each{''.join(_around_the_name(first)[1:])}"


def _around_the_name(note: OutageNote) -> tuple[str, ...]:
    """The parts of the reason before and after the name of the service or page; the whole reason if it is not named."""
    for name in filter(None, (note.called, note.where, urlsplit(note.where).hostname)):
        before, found, after = note.why.partition(name)
        if found:
            return before, after
    return (note.why,)

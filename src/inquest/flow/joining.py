"""Desks' results into one case: every page is one source, every finding has its number, and nothing is there twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from inquest.domain.check import DeskStatus, InfoRequest, Progress
from inquest.domain.finding import WITNESSES, Finding
from inquest.domain.reading import Reading
from inquest.domain.report import Coverage, EarlierCheck, OutageNote
from inquest.domain.source import Source
from inquest.domain.value import Value
from inquest.sources.source_names import named_sources, with_names


class DeskResult(Value):
    """What came of it. Ids are provisional (`news.1.S1`, `news.1.F1`): they are numbered when all desks are in."""

    desk: str
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()
    requests: tuple[InfoRequest, ...] = ()
    reviews: tuple[EarlierCheck, ...] = ()
    read: dict[str, tuple[str, ...]] = {}
    """By claim id, the pages that were read for it."""
    judged: dict[str, dict[str, Reading]] = {}
    """By claim id and place, how the passages bear on it that were put before the analyst."""
    coverage: dict[str, Coverage] = {}
    """By claim id."""
    status: DeskStatus
    outages: tuple[OutageNote, ...] = ()


@dataclass
class Joined:
    """What a case has, growing by results; numbers are given in the order in which they are joined."""

    sources: list[Source]
    findings: list[Finding]
    new: list[Finding] = field(default_factory=list)
    """Findings that the results brought."""

    def join(self, result: DeskResult, *, kinds: Iterable[str] = ()) -> list[Finding]:
        """Take in a result; of its findings only those of the given evidence types, or all. Returns the new ones.

        A source comes along where a finding rests on it or names it, or where it is about another of a name, which the
        report says."""
        known = {source.snapshot: source.id for source in self.sources}
        wanted = frozenset(kinds)
        findings = [each for each in result.findings if not wanted or each.evidence_type in wanted]
        names: dict[str, str] = {}
        meant = {each.source_id for each in findings}.union(*map(named_sources, findings))
        for source in result.sources:
            named = bool(source.other_bearer) or not meant.isdisjoint((source.id, source.snapshot))
            if source.snapshot not in known and named:
                known[source.snapshot] = f"S{len(self.sources) + 1}"
                self.sources.append(source.model_copy(update={"id": known[source.snapshot]}))
            names[source.id] = known.get(source.snapshot, "")
        had = {_same(each) for each in self.findings}
        brought = []
        for finding in findings:
            owner = names.get(finding.source_id) or finding.source_id
            numbered = with_names(finding, known).model_copy(
                update={"id": f"F{len(self.findings) + 1}", "source_id": owner}
            )
            if _same(numbered) in had:
                continue  # another desk, or an earlier round, has said the same of the same words
            self.findings.append(numbered)
            brought.append(numbered)
        self.new += brought
        return brought


def _same(finding: Finding) -> tuple[object, ...]:
    """What makes two findings one: of a page, the claim, the words and the side; of the claim's own words, what is said
    of them."""
    words = (finding.claim_id, finding.snapshot, finding.start, finding.end, finding.stance)
    return words if finding.evidence_type in WITNESSES else (*words, finding.evidence_type, finding.summary)


def new_outages(found: Iterable[OutageNote], known: Iterable[OutageNote]) -> tuple[OutageNote, ...]:
    """Those of the outages that the case does not have yet, each trouble once."""
    had = {note.trouble for note in known}
    notes: dict[tuple[str, str, str], OutageNote] = {}
    for note in found:
        if note.trouble not in had:
            notes.setdefault(note.trouble, note)
    return tuple(notes.values())


def added_up(before: Iterable[DeskStatus], after: Iterable[DeskStatus]) -> tuple[DeskStatus, ...]:
    """The desks' states over all rounds: counts add up, the last state counts, and an error for good."""
    found: dict[str, DeskStatus] = {}
    for status in (*before, *after):
        earlier = found.get(status.desk)
        if earlier:
            counts = {
                name: getattr(earlier, name) + getattr(status, name)
                for name in ("searches", "findings", "contradictions")
            }
            most = {
                name: max(getattr(earlier, name), getattr(status, name))
                for name in ("claims_assigned", "claims_completed")
            }
            error = " ".join(dict.fromkeys(filter(None, (earlier.error, status.error))))
            state = Progress.ERROR if error else status.status
            status = status.model_copy(update=counts | most | {"error": error, "status": state})
        found[status.desk] = status
    return tuple(found.values())

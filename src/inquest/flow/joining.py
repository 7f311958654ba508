"""Join the results of desks: one source per page, numbered findings, no duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from inquest.domain.by_key import firsts
from inquest.domain.check import DeskStatus, InfoRequest, Progress
from inquest.domain.finding import WITNESSES, Finding
from inquest.domain.reading import Reading
from inquest.domain.report import Coverage, EarlierCheck, OutageNote
from inquest.domain.source import Source
from inquest.domain.value import Value
from inquest.sources.source_names import named_sources, with_names


class DeskResult(Value):
    """The result of a desk. Ids are provisional (`news.1.S1`, `news.1.F1`) until all results are joined."""

    desk: str
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()
    requests: tuple[InfoRequest, ...] = ()
    reviews: tuple[EarlierCheck, ...] = ()
    read: dict[str, tuple[str, ...]] = {}
    """Comparison keys of the pages that were read, by claim id."""
    judged: dict[str, dict[str, Reading]] = {}
    """Readings of the analyst, by claim id and place."""
    coverage: dict[str, Coverage] = {}
    """By claim id."""
    status: DeskStatus
    outages: tuple[OutageNote, ...] = ()


@dataclass
class Joined:
    """The sources and findings of a case; results are numbered in the order in which they are joined."""

    sources: list[Source]
    findings: list[Finding]
    new: list[Finding] = field(default_factory=list)
    """The findings added by results."""
    aside: dict[str, Source] = field(default_factory=dict)
    """Pages that were judged and that no finding rests on, by snapshot."""

    def join(self, result: DeskResult, *, kinds: Iterable[str] = ()) -> list[Finding]:
        """Add a result, with the findings of the given evidence types or all, and return the new findings. A source is
        added if a finding rests on it or names it, or if it is about a namesake, which the report mentions."""
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
            elif source.snapshot not in known:
                self.aside.setdefault(source.snapshot, source)
            names[source.id] = known.get(source.snapshot, "")
        known_findings = {_same(each) for each in self.findings}
        new = []
        for finding in findings:
            owner = names.get(finding.source_id) or finding.source_id
            numbered = with_names(finding, known).model_copy(
                update={"id": f"F{len(self.findings) + 1}", "source_id": owner}
            )
            if _same(numbered) in known_findings:
                continue  # another desk or an earlier round found the same
            self.findings.append(numbered)
            new.append(numbered)
        self.new += new
        return new

    @property
    def set_aside(self) -> tuple[Source, ...]:
        """The pages that no finding rests on; their ids are snapshots."""
        known = {source.snapshot for source in self.sources}
        return tuple(
            source.model_copy(update={"id": snapshot})
            for snapshot, source in self.aside.items()
            if snapshot not in known and not source.excluded
        )


def _same(finding: Finding) -> tuple[object, ...]:
    """Return the key by which findings are duplicates: claim, quote and stance; for findings that quote the claim
    itself also their type and summary."""
    words = (finding.claim_id, finding.snapshot, finding.start, finding.end, finding.stance)
    return words if finding.evidence_type in WITNESSES else (*words, finding.evidence_type, finding.summary)


def coverage_with(
    before: Mapping[str, Coverage], more: Iterable[tuple[str, Coverage]], first: Coverage | None = None
) -> dict[str, Coverage]:
    """Add up the coverage by claim id. `first`: that of a claim before anything is added."""
    total = dict(before)
    for claim_id, coverage in more:
        total[claim_id] = total.get(claim_id, first or Coverage()) + coverage
    return total


def new_outages(found: Iterable[OutageNote], known: Iterable[OutageNote]) -> tuple[OutageNote, ...]:
    """Return the outages that are not `known`, each trouble once."""
    seen = {note.trouble for note in known}
    return tuple(firsts((note.trouble, note) for note in found if note.trouble not in seen).values())


def added_up(before: Iterable[DeskStatus], after: Iterable[DeskStatus]) -> tuple[DeskStatus, ...]:
    """Add up the statuses of each desk over all rounds; the last state counts, but an error is kept."""
    total: dict[str, DeskStatus] = {}
    for status in (*before, *after):
        if earlier := total.get(status.desk):
            error = " ".join(dict.fromkeys(filter(None, (earlier.error, status.error))))
            summed = ("searches", "findings", "contradictions")
            update: dict[str, object] = {name: getattr(earlier, name) + getattr(status, name) for name in summed}
            for name in ("claims_assigned", "claims_completed"):
                update[name] = max(getattr(earlier, name), getattr(status, name))
            update |= {"error": error, "status": Progress.ERROR if error else status.status}
            status = status.model_copy(update=update)
        total[status.desk] = status
    return tuple(total.values())

"""What a desk hands over after a round of work."""

from __future__ import annotations

from inquest.domain.check import DeskStatus, InfoRequest
from inquest.domain.finding import Finding
from inquest.domain.report import Coverage, EarlierCheck, OutageNote
from inquest.domain.source import Source
from inquest.domain.value import Value
from inquest.kit.analyst import Judgement


class DeskResult(Value):
    """What came of it. Ids are provisional (`news.1.S1`, `news.1.F1`): they are numbered when all desks are in."""

    desk: str
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()
    requests: tuple[InfoRequest, ...] = ()
    reviews: tuple[EarlierCheck, ...] = ()
    read: dict[str, tuple[str, ...]] = {}
    """By claim id, the pages that were read for it."""
    judged: dict[str, dict[str, Judgement]] = {}
    """By claim id and place, how the passages bear on it that were put before the analyst."""
    coverage: dict[str, Coverage] = {}
    """By claim id."""
    status: DeskStatus
    outages: tuple[OutageNote, ...] = ()

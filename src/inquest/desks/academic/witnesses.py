"""Judged passages with the credibility that the academic desk gives their sources; rows of registers among them.

Tiers (spec 002, 4.3): 1 peer-reviewed works and official standards, 2 reports of industry and disclosures, 3 statements
of the company itself, 4 publishers of unknown reliability, which do not count (section 14.1). A missing row means 'not
registered there under that name', never that the claim is false.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from inquest.desks.academic.terms import reason
from inquest.domain.finding import ContradictionType, Reading, Stance
from inquest.domain.reasons import Reason, once, worded
from inquest.domain.search import EngineKind, Hit, Work
from inquest.domain.source import Category, Source
from inquest.domain.value import JsonObject, firsts
from inquest.kit.desk import Results
from inquest.kit.rows import register_query
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.sources.works import merged_work
from inquest.text.phrases import numbers_in
from inquest.text.sentences import Span, content_words, shorten
from inquest.verdicts.testimony import Standing, as_read

_LEAST_CONFIDENCE = 0.3
"""A judgement below this is a guess and decides nothing."""
MOST_CONFIDENCE = 0.9
_SHARED = 3
"""Words of a claim, without the company's name, that a passage on its subject must share ('scope emissions intensity',
'spend based method'); every report on a company shares one or two."""
_OF_EVERY_REPORT = frozenset(
    content_words(
        "year years base report reports company companies figure figures works product tonnes percent data reduce"
    )
)
"""Words that a claim shares with any page on emissions."""


def on_subject(claim: str, company: str, passage: str) -> bool:
    """Return True if a passage is about the subject of a claim, of whatever company; figures do not count."""
    own = {*content_words(company), *_OF_EVERY_REPORT}
    words = {word for word in content_words(claim) if not word.isdigit()} - own
    return len(words & set(content_words(passage))) >= min(_SHARED, len(words))


class AcademicEvidence(Reading):
    """One judged passage with its source."""

    source: Source
    text: str
    angles: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    own: bool = False
    """True for the company's own page."""
    is_on_subject: bool = True
    part: str = ""
    """The one statement of the claim that it was judged against; '' for the whole claim."""

    @property
    def work(self) -> Work | None:
        """The record of the work in indexes of literature."""
        return self.source.work or merged_work(self.hits)

    @property
    def scholarly(self) -> bool:
        """True for a scholarly work and for a page of a scholarly publisher."""
        return self.work is not None or self.source.rating.category == Category.SCHOLARLY

    @property
    def peer_reviewed(self) -> bool:
        return self.work is not None and self.work.peer_reviewed is True and not self.barred

    @property
    def official(self) -> bool:
        """True for the own site of a body that sets standards or keeps a register."""
        return self.source.rating.category in (Category.STANDARDS, Category.REGULATOR) and not self.own

    @property
    def barred(self) -> Reason | None:
        """The reason why it cannot be evidence, whatever it states."""
        work = self.work
        if work is not None and (work.retracted or work.notice_of):
            return reason("retracted" if work.retracted else "notice")
        for kind in ("successor", "unsure"):
            for known in [each for hit in self.hits if isinstance(each := hit.details.get(kind), dict)]:
                return reason(f"registered_{kind}", **{name: str(each) for name, each in known.items()})
        return reason("excluded", why=self.source.why_excluded) if self.source.excluded else None

    @property
    def registered_as(self) -> JsonObject:
        """The company's other name, from GLEIF's record, under which its row was found."""
        given = (hit.details.get("registered_as") for hit in self.hits)
        return next((each for each in given if isinstance(each, dict)), {})

    @property
    def credibility(self) -> int:
        """The tier, 1 (highest) to 4. A preprint is never in tier 1, the company's own statement never above 3."""
        tier = min(4, max(1, self.source.rating.tier))
        if self.barred:
            return 4
        if self.own or self.source.rating.press_release:
            return max(3, tier)
        if self.peer_reviewed:
            return 1
        if self.work is not None and (self.work.type == "preprint" or self.work.preprint_of):
            return max(2, min(3, tier))
        return 1 if self.source.rating.category == Category.STANDARDS and tier < 3 else tier

    @property
    def left_out(self) -> Reason | None:
        """The reason why the checks do not count it."""
        if self.barred:
            return self.barred
        standing = as_read(self).standing
        if self.own:
            return reason("own_statement")
        if self.source.rating.press_release or standing is Standing.PARTY:
            return reason("party")
        if standing is Standing.HEARSAY:
            return reason("hearsay")
        return reason("tier_4") if self.credibility > 3 else None

    @property
    def name(self) -> str:
        """Title and id for a summary; the report lists the source under its id."""
        return f"“{self.source.title or self.source.domain}” ({self.source.id})"

    @property
    def weight(self) -> float:
        """Confidence times the weight of the tier over 4, between 0 and 1: tier 1 leaves it unchanged."""
        return self.confidence * TIER_WEIGHTS[self.credibility] / 4

    def without_stance(self) -> AcademicEvidence:
        """Return the same passage without a stance, to be read for its words alone."""
        return self.model_copy(
            update={"stance": Stance.NEUTRAL, "contradiction_type": None, "quote": "", "start": 0, "end": 0}
        )

    def with_reading(self, stance: Stance, confidence: float, span: Span, why: Reason) -> AcademicEvidence:
        """Return the same passage with a stance that follows from the words in `span`."""
        reading = {
            "stance": stance,
            "contradiction_type": ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
            "confidence": confidence,
            "quote": span.of(self.text),
            "start": span.start,
            "end": span.end,
        }
        return self.model_copy(update={**reading, **worded([why])})


class Bearing(NamedTuple):
    """The passages that count for and against a claim, one from each source, the weightiest first."""

    support: tuple[AcademicEvidence, ...]
    against: tuple[AcademicEvidence, ...]

    @property
    def both(self) -> tuple[AcademicEvidence, ...]:
        return (*self.support, *self.against)

    @property
    def one_side(self) -> tuple[AcademicEvidence, ...]:
        """The only side with passages; empty if both sides or neither side has any."""
        return () if self.support and self.against else self.both

    @property
    def source_ids(self) -> list[str]:
        return [each.source.id for each in self.both]

    @property
    def consensus(self) -> Reason | None:
        """The numbers of supporting and contradicting sources; None if there are no passages."""
        counts = {"number": len(self.both), "support": len(self.support), "against": len(self.against)}
        reviewed = sum(each.peer_reviewed for each in self.both)
        return reason("consensus", **counts, reviewed=reviewed) if self.both else None


def best_of_each_source(witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Return the strongest passage with a stance of each story, for the claim and each part of it, weightiest first."""
    decided = [each for each in witnesses if each.stance.decides and each.quote.strip()]
    decided.sort(key=lambda each: (-each.weight, each.source.id, each.passage_id, each.part))
    best = firsts(((each.source.story or each.source.id, each.part), each) for each in decided)
    return tuple(best.values())


def on_the_whole(witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Return each passage once with its stance on the whole claim; one that was judged on a part has none."""
    found: dict[str, AcademicEvidence] = {}
    for each in witnesses:
        whole = each.without_stance().model_copy(update={"part": "", "reasons": ()}) if each.part else each
        found.setdefault(each.passage_id, whole)
    return tuple(found.values())


def bearing_of(witnesses: Sequence[AcademicEvidence]) -> Bearing:
    """Return the witnesses that count, by side."""
    counted = best_of_each_source([each for each in witnesses if not each.left_out])
    sure = [each for each in counted if each.confidence >= _LEAST_CONFIDENCE]
    sides = (Stance.SUPPORTS, Stance.CONTRADICTS)
    return Bearing(*(tuple(each for each in sure if each.stance is side) for side in sides))


class Register(NamedTuple):
    """A register as `registers.toml` describes it."""

    title: str
    site: str
    shown: str = "company number asset measure value period scope filing"
    place: str = ""
    angle: str = "benchmark"
    local: bool = False


REGISTERS = {
    name: Register(**row)
    for name, row in tomllib.loads((files(__package__) / "registers.toml").read_text("utf-8")).items()
}
_MOST_ROWS, _MOST_QUOTED = 3, 400


class RegisterRow(NamedTuple):
    """A row of a register with its passage."""

    register: str
    fields: dict[str, str]
    """'Header: value' as in the row, by the meaning of the column."""
    witness: AcademicEvidence

    @property
    def title(self) -> str:
        """The name of its register, or of the registry that supplied the file."""
        named = (str(hit.details.get("register") or "") for hit in self.witness.hits)
        return next(filter(None, named), REGISTERS[self.register].title)

    def value(self, meaning: str) -> str:
        """Return the value in a column, or ''."""
        return self.fields.get(meaning, "").partition(": ")[2]

    @property
    def shown(self) -> JsonObject:
        """The row for the details of a finding."""
        source, values = self.witness.source, {meaning: self.value(meaning) for meaning in self.fields}
        return {**values, "register": self.title, "url": source.url, "source_id": source.id}

    def span(self, meaning: str) -> Span | None:
        """Return the place of a column's header and value, None if it is in another passage of the row."""
        field = self.fields.get(meaning, "")
        start = self.witness.text.find(field) if field else -1
        return Span(start, start + len(field)) if start >= 0 else None


def row_of(witness: AcademicEvidence) -> RegisterRow | None:
    """Return the row that a passage is from; None if it is from no register."""
    for hit in witness.hits:
        fields, name = hit.details.get("fields"), hit.details.get("registry")
        if name in REGISTERS and isinstance(fields, dict):
            return RegisterRow(str(name), {meaning: str(each) for meaning, each in fields.items()}, witness)
    return None


def rows_in(witnesses: Sequence[AcademicEvidence], register: str) -> tuple[RegisterRow, ...]:
    """Return the rows of a register, each once."""
    rows = [row for row in map(row_of, witnesses) if row is not None and row.register == register]
    return tuple({row.witness.source.id: row for row in rows}.values())


def unanswered_by(results: Results) -> dict[str, Reason]:
    """Return the reason for each register that gave no row: it has none, or no query was sent, perhaps because its
    table is not on this machine."""
    rows = {hit.details.get("registry") for each in results.evidence for hit in each.hits}
    failed = {note.where for note in results.outages} | {name for note in results.outages for name in note.names}
    queries = [each for each in results.queries if EngineKind.REGISTRY in each.query.kinds]
    found = {}
    for name, register in REGISTERS.items():
        asked = [each for each in queries if register.site in each.query.domains]
        if not asked or name in rows or name in failed:
            continue
        if any(name in (each.engines or ()) for each in asked):
            found[name] = reason(
                "not_registered",
                register=register.title,
                names=list(dict.fromkeys(register_query(each.query).company for each in asked)),
            )
        elif register.local:
            command = f"inquest registries update {name}"
            found[name] = reason("register_missing", register=register.title, command=command)
    return found


def quoted_rows(rows: Sequence[RegisterRow], claim: str) -> tuple[Reason, ...]:
    """Quote the first rows, those with numbers of the claim before others."""
    found, numbers = list[Reason](), set(numbers_in(claim))
    for row in sorted(rows, key=lambda row: -len(numbers & set(numbers_in(row.witness.text))))[:_MOST_ROWS]:
        register = REGISTERS[row.register]
        words = "; ".join(row.fields[meaning] for meaning in register.shown.split() if meaning in row.fields)
        found.append(reason("register_row", register=row.title, quote=shorten(words, _MOST_QUOTED)))
        if other := row.witness.registered_as:
            code = "registered_former" if other["former"] else "registered_as"
            found.append(reason(code, register=row.title, name=str(other["name"]), lei=str(other["lei"])))
        found += [row.witness.barred] if row.witness.barred else []
    return once(found)

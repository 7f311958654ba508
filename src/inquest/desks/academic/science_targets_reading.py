"""Climate targets in a text (cut, years, scopes, coverage, validation), and their validation by sources other than the
company (spec 002, 7.2).

Apart from registers and the initiative's own site, pages count by their judged stance.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from inquest.claims.report.company import named_in
from inquest.desks.academic.terms import first_named, official_domains, phrase_table, reason
from inquest.desks.academic.witnesses import AcademicEvidence, RegisterRow, row_of
from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.entailment.bases import scopes_named
from inquest.text.entities import names, same_name
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences
from inquest.text.urls import registrable_domain


@dataclass(frozen=True, slots=True)
class ClimateTarget:
    """One target as stated in a text; None or empty for what it does not state."""

    text: str
    scopes: frozenset[str] = frozenset()
    reduction: float | None = None
    """Percent of the base year's emissions or intensity."""
    base_year: int | None = None
    target_year: int | None = None
    net_zero_year: int | None = None
    neutral_year: int | None = None
    """Year of carbon or climate neutrality, which, unlike net zero, may rely on credits alone."""
    is_intensity: bool = False
    """Per unit of product, revenue, area or head."""
    coverage: float | None = None
    """Percent of the emissions in its scopes."""
    validation: str = ""
    """The stated result of a check by the initiative: a name of `[target_statuses]` in words.toml, or ''."""
    pathway: str = ""
    """The limit of warming that it is aligned with: a name of `[pathways]` in words.toml, or ''."""
    set_in: int | None = None
    """The year in which it was set, submitted or validated."""
    counts_credits: bool = False
    is_flag: bool = False
    """True for a target on emissions of forests, land and agriculture, which have a pathway of their own."""

    @property
    def annual_rate(self) -> float | None:
        """Percent of the base year's figure a year, linear; None if cut or years are missing."""
        if self.reduction is None or self.base_year is None or self.target_year is None:
            return None
        years = self.target_year - self.base_year
        return self.reduction / years if years > 0 else None


_WORDS = phrase_table("targets")
INITIATIVE = _WORDS["initiative"]
_FLAG = regex(r"(?<![Nn]on[- ])\bFLAG\b|(?i:\bforest, land,? and agriculture\b)")
_YEAR = r"(?:19|20)\d\d"
_ANY_YEAR = regex(rf"(?<!\d){_YEAR}(?!\d)")
_RANKED = regex(r"\b(?:first|only|largest|fastest|most|more|earlier)\b", re.I)
_FISCAL = r"(?:FY\s?|fiscal\s+year\s+|financial\s+year\s+)?"
_BY = regex(
    rf"\b(?:by|until|through|to|in|come|year)\s+(?:the\s+)?(?:end\s+of\s+)?{_FISCAL}({_YEAR})\b|"
    rf"\b({_YEAR})\s+(?:target|goal)\b",
    re.I,
)
_FROM = regex(
    r"\b(?:from|against|versus|vs\.?|compared\s+(?:to|with)|relative\s+to|on|below|over|since|using)\s+"
    r"(?:(?:an?|the|its|our|their)\s+)?(?:(?:base(?:line)?|reference)(?:\s+year)?(?:\s+of)?\s+|levels?\s+(?:of|in)\s+)?"
    rf"{_FISCAL}({_YEAR})\b"
    rf"|\b({_YEAR})[\s-]+(?:base|level|reference)|\bbase(?:line)?\s+year\s*(?:of|is|was|:|\()?\s*({_YEAR})\b",
    re.I,
)
_SPAN = regex(rf"\b(?:between|from)\s+({_YEAR})\s+(?:and|to|until)\s+({_YEAR})\b", re.I)
_SET = regex(
    r"\b(?:set|validated|approved|submitted|adopted|announced|verified)\b[^.;]{0,40}?\s(?:in|on)\s+(?:\w+\s+){0,2}?"
    rf"(?:\d{{1,2}},?\s+)?({_YEAR})\b",
    re.I,
)
_BREAK = regex(r"[;,]\s|\s(?:and|while|as\s+well\s+as|plus)\s", re.I)
_BY_BEFORE = regex(r"\b(?:by|of|a|to)\s+(?:at\s+least\s+)?$", re.I)
_ZERO_AFTER, _ZERO_BEFORE = 90, 40
"""Characters between 'net zero' and a year after or before it."""
_COVERS_BEFORE, _APART_BEFORE = 40, 50


def targets_in(text: str) -> tuple[ClimateTarget, ...]:
    """Return the targets in a text, one for each cut; years or a validation that only one states count for both."""
    found: list[ClimateTarget] = []
    shared = ClimateTarget(
        "",
        validation=next(filter(None, (stated_status(span.of(text)) for span in sentences(text))), ""),
        pathway=first_named("pathways", text),
        set_in=_year(_SET.search(text)),
    )
    for span in sentences(text):
        for target in _of_sentence(span.of(text), shared):
            if found and _WORDS["same_time"].search(target.text):
                years = target.base_year or found[-1].base_year, target.target_year or found[-1].target_year
                target = replace(target, base_year=years[0], target_year=years[1])
            found.append(target)
    return tuple(found)


def stated_status(sentence: str, *, about_it: bool = False) -> str:
    """Return the status by the initiative in a sentence, or ''. `about_it`: it need not name the initiative."""
    clauses = (each for each in sentence.split(";") if about_it or INITIATIVE.search(each))
    return next(filter(None, (first_named("target_statuses", each) for each in clauses)), "")


def _of_sentence(sentence: str, shared: ClimateTarget) -> list[ClimateTarget]:
    cuts = [each for each in _shares(sentence) if _is_cut(sentence, each)]
    zero, neutral = (_zero_year(sentence, words) for words in ("net_zero", "neutral"))
    shared = replace(shared, net_zero_year=zero, neutral_year=neutral)
    if not cuts:
        return [replace(_stated(shared, sentence), base_year=_base_year(sentence))] if zero or neutral else []
    bounds = [0, *(_between(sentence, one.span.end, two.span.start) for one, two in itertools.pairwise(cuts))]
    targets: list[ClimateTarget] = []
    for cut, first, last in zip(cuts, bounds, [*bounds[1:], len(sentence)], strict=True):
        clause = sentence[first:last]
        base = _base_year(clause) or _base_year(sentence)
        aimed = _target_year(clause, shared) or _target_year(sentence, shared)
        targets.append(replace(_stated(shared, clause), reduction=cut.low, base_year=base, target_year=aimed))
    return targets


def _shares(text: str) -> list[Quantity]:
    return [each for each in quantities(text) if each.dimension is Dimension.SHARE and not each.spelled]


def _stated(shared: ClimateTarget, clause: str) -> ClimateTarget:
    """Return the shared target with the statements of one clause."""
    covered = next((each for each in _shares(clause) if _is_coverage(clause[: each.span.start])), None)
    credits_ = _WORDS["credits"].search(clause)
    apart = credits_ and _WORDS["apart"].search(clause, max(0, credits_.start() - _APART_BEFORE), credits_.start())
    return replace(
        shared,
        text=clause,
        scopes=scopes_named(clause),
        is_intensity=_WORDS["intensity"].search(clause) is not None,
        coverage=covered.low if covered else None,
        counts_credits=credits_ is not None and not apart,
        is_flag=_FLAG.search(clause) is not None,
    )


def _is_coverage(before: str) -> bool:
    return _WORDS["covers"].search(before[-_COVERS_BEFORE:]) is not None


def _is_cut(sentence: str, share: Quantity) -> bool:
    """Return True for a percentage by which emissions are to be cut, not a share or an increase."""
    if not (_WORDS["emissions"].search(sentence) and _WORDS["aimed"].search(sentence)):
        return False
    before, after = sentence[: share.span.start], sentence[share.span.end :].lstrip()
    clause_before = re.split(r"[;,](?=\s)", before)[-1]
    if _WORDS["share_of"].match(after) and not _BY_BEFORE.search(clause_before):
        return False
    if _WORDS["other_share"].match(after) or (_is_coverage(before) and not _WORDS["fall"].search(clause_before)):
        return False
    return bool(_WORDS["fall"].search(before) or _WORDS["fall"].search(_BREAK.split(after)[0][:30]))


def _between(sentence: str, start: int, end: int) -> int:
    """Return the end of one target before the next: the last break between the two numbers with another fall after it,
    or a scope ('... by 30 % and Scope 3 emissions by 20 %'), else the last break."""
    breaks = [each.end() for each in _BREAK.finditer(sentence, start, end)]
    falls = [each for each in breaks if _WORDS["fall"].search(sentence, each, end)]
    scoped = [each for each in breaks if re.match(r"(?:absolute\s+)?scope", sentence[each:], re.I)]
    return (falls or scoped or breaks or [end])[-1]


def _year(match: re.Match[str] | None) -> int | None:
    return next((int(each) for each in match.groups() if each), None) if match else None


def _base_year(clause: str) -> int | None:
    return _year(_SPAN.search(clause) or _FROM.search(clause))


def _target_year(clause: str, shared: ClimateTarget) -> int | None:
    """Return the first year after the base year that is neither that of net zero nor that in which it was set."""
    if found := _SPAN.search(clause):
        return int(found[2])
    base = _base_year(clause)
    for found in _BY.finditer(clause):
        near = clause[max(0, found.start() - _ZERO_BEFORE) : found.start()]
        year = _year(found)
        of_zero = _WORDS["net_zero"].search(near) or _WORDS["neutral"].search(near)
        if year is not None and year != shared.set_in and not of_zero and (base is None or year > base):
            return year
    return None


def _zero_year(sentence: str, words: str) -> int | None:
    zero = _WORDS[words].search(sentence)
    if zero is None or not _WORDS["aimed"].search(sentence):
        return None
    after = _BY.search(sentence, zero.end())
    if after is not None and after.start() - zero.end() <= _ZERO_AFTER:
        return _year(after)
    before = list(_BY.finditer(sentence, 0, zero.start()))
    return _year(before[-1]) if before and zero.start() - before[-1].end() <= _ZERO_BEFORE else None


STATUSES = {Stance.SUPPORTS: "validated", Stance.CONTRADICTS: "not_validated", Stance.NEUTRAL: "status_unclear"}
"""The status of a target by sources other than the company (spec 002, 10.2), by their stance on its validation."""


class PageStatus(NamedTuple):
    """The stance of one page on the validation of a target, and where. `official`: on the initiative's own site.
    `covers`: False for the row of a target that need not be the claim's."""

    witness: AcademicEvidence
    stance: Stance
    span: Span
    official: bool
    covers: bool = True

    @property
    def confidence(self) -> float:
        return 0.85 if self.official else 0.6


class StatusFound(NamedTuple):
    """The status of a target according to all pages, with the weightiest passage and all that mention it."""

    reason: Reason
    leading: PageStatus | None = None
    witnesses: tuple[AcademicEvidence, ...] = ()

    @property
    def stance(self) -> Stance:
        return self.leading.stance if self.leading else Stance.NEUTRAL


_REFUSED = ("not validated", "removed")
_OF_THE_LIST = {
    "validated": Stance.SUPPORTS,
    **dict.fromkeys((*_REFUSED, "submitted", "committed"), Stance.CONTRADICTS),
}
_ROW_LINES = 2
"""Lines after a company's name in a list that may belong to its row."""


def claims_validation(text: str) -> bool:
    """Return True if a claim calls its target validated by the initiative."""
    return any(stated_status(span.of(text)) == "validated" for span in sentences(text))


def status_found(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> StatusFound:
    """Return the status according to pages other than the company's; unclear if pages of equal rank differ or none
    mentions the claim's target."""
    found = [status for each in witnesses if (status := _read(claim, company, each)) is not None]
    ranked = [each for each in found if each.official] or [each for each in found if each.witness.credibility <= 2]
    speaking = tuple({each.witness.source.id: each.witness for each in found}.values())
    first = next((each for each in ranked if each.covers), None)
    if len({each.stance for each in ranked}) != 1 or first is None:
        why = "status_nowhere" if not ranked else "other_target" if first is None else "status_differs"
        return StatusFound(reason(why), witnesses=speaking)
    quote = first.span.of(first.witness.text).strip().rstrip(".")
    who = "The initiative's own site" if first.official else first.witness.source.domain
    return StatusFound(reason("status_said", who=who, quote=quote), first, speaking)


def with_status(claim: str, company: str, witnesses: Sequence[AcademicEvidence]) -> tuple[AcademicEvidence, ...]:
    """Return the witnesses; rows and lists of the initiative get the stance that follows from their columns."""
    if not claims_validation(claim):
        return tuple(witnesses)
    found = []
    read = [(each, row_of(each), _read(claim, company, each)) for each in witnesses]
    alike = len({status.stance for _, row, status in read if row is not None and status is not None}) < 2
    for each, row, status in read:
        if row is not None and not alike:  # rows of several companies of one name
            each = each.without_stance()
        elif status is not None and status.covers and (row is not None or not each.stance.decides):
            why = reason("page_says_validated" if status.stance is Stance.SUPPORTS else "page_denies_validation")
            each = each.with_reading(status.stance, status.confidence, status.span, why)
        found.append(each)
    return tuple(found)


def _read(claim: str, company: str, witness: AcademicEvidence) -> PageStatus | None:
    """Return the status of the company's target on a page that counts."""
    if witness.left_out:
        return None
    if (row := row_of(witness)) is not None:
        return _registered(claim, row)
    if registrable_domain(witness.source.url) in official_domains("sbti"):
        return _listed(claim, company, witness)
    refused = witness.stance is Stance.CONTRADICTS and stated_status(witness.quote, about_it=True) in _REFUSED
    if claims_validation(claim) and (refused or witness.stance is Stance.SUPPORTS):
        return PageStatus(witness, witness.stance, Span(witness.start, witness.end), official=False)
    return None


def _registered(claim: str, row: RegisterRow) -> PageStatus | None:
    """Return the status of the claim's kind of target in a row of the initiative's dashboard."""
    for kind in [each for each in ("net_zero", "long_term", "near_term") if each in _kinds(claim)]:
        named, span = first_named("target_statuses", row.value(kind)), row.span(kind)
        listed = phrase_table("targets")["listed"].search(row.value(kind))
        stance = Stance.SUPPORTS if listed and named not in _REFUSED else _OF_THE_LIST.get(named)
        if stance is not None and span is not None:
            covers = stance is Stance.CONTRADICTS or _covers(claim, row)
            return PageStatus(row.witness, stance, span, official=True, covers=covers)
    return None


def _covers(claim: str, row: RegisterRow) -> bool:
    """Return True if a row has all years and percentages of a claim, its cuts for its scopes, and its pathway, and the
    claim does not compare companies."""
    written, listed = "; ".join(row.fields.values()), targets_in(row.value("wording"))
    cuts = [each for each in targets_in(claim) if each.reduction is not None]
    return (
        not _RANKED.search(claim)
        and {*_ANY_YEAR.findall(claim)} <= {*_ANY_YEAR.findall(written)}
        and {each.low for each in _shares(claim)} <= {each.low for each in _shares(written)}
        and first_named("pathways", claim) in ("", first_named("pathways", row.value("near_term_class")))
        and all(any(e.reduction == o.reduction and e.scopes <= o.scopes for o in listed) for e in cuts)
    )


def _kinds(text: str, default: str = "near_term") -> set[str]:
    return {kind for kind, words in phrase_table("target_kinds").items() if words.search(text)} or {default}


def _listed(claim: str, company: str, witness: AcademicEvidence) -> PageStatus | None:
    """Return the status of the claim's kind of target in the initiative's own list."""
    listed = phrase_table("targets")["listed"]
    for span in _rows(company, witness):
        row = span.of(witness.text)
        named = stated_status(row, about_it=True)
        if named in ("", "called aligned") and listed.search(row):
            named = "validated"
        if named == "committed" and targets_in(row):
            continue  # 'commits to reduce ... 46% by 2030' is the wording of a target, also of a validated one
        if named in _OF_THE_LIST and _kinds(row, "") & {*_kinds(claim), ""}:
            return PageStatus(witness, _OF_THE_LIST[named], span, official=True)
    return None


def _rows(company: str, witness: AcademicEvidence) -> Iterator[Span]:
    """Yield the lines of a list on a company: those that name it, and the next ones (all of them, if the page's title
    names it) that name no other."""
    titled, left = named_in(company, witness.source.title), 0
    for sentence in sentences(witness.text):
        place = sentence.start
        for line in sentence.of(witness.text).split("\n"):
            span, place = Span(place, place + len(line)), place + len(line) + 1
            left = _ROW_LINES + 1 if named_in(company, line) else left - 1
            if left > _ROW_LINES or ((left >= 0 or titled) and not _names_another(company, line)):
                yield span
            else:
                left = 0


def _names_another(company: str, words: str) -> bool:
    """Return True if a row names anything but the company and the initiative. Two letters are a unit or an initial."""
    named = [each.text for each in names(words) if each.sure and len(each.text) > len("C.")]
    return any(not same_name(each, company) and not INITIATIVE.search(each) for each in named)

"""The summary of a case, written from its findings and nothing else: every sentence that states a fact cites them."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.brief_reading import subject_of
from inquest.claims.own_pages import is_filing, is_own_word
from inquest.desks.inquiry.writing_parts import (
    CheckedClaim,
    Witnesses,
    checked_claims,
    claimed,
    contradictions,
    key_finding,
    note,
    nothing_found,
    set_apart,
    tally,
    unassessed_note,
    witnesses_counted,
)
from inquest.domain.assessment import Verdict
from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.drafts import WriteMaterial
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding
from inquest.domain.outages import outage_lines
from inquest.domain.report import Section, Statement, Summary
from inquest.domain.source import Category, Source
from inquest.text.entities import NameKind, names
from inquest.text.lexicon import word_set
from inquest.text.phrases import capitalised, count, day, listed, numeral, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import name_of

_BRIEF_FINDINGS, _ALL_FINDINGS = 5, 12
_HEADLINES, _OF_ONE_KIND = 4, 2
_ONE_SIDED = 5.0
"""Bias, 0 to 10, from which a source is named as more one-sided than most."""
_LOUD = 3


def write_summary(material: WriteMaterial, *, depth: str) -> Summary:
    """The cited summary. `depth`: brief (the five most important findings) or comprehensive (twelve)."""
    sources = Witnesses(material.sources)
    checked = checked_claims(material)
    most = _BRIEF_FINDINGS if depth == "brief" else _ALL_FINDINGS
    first = _headlines(checked, material.plan.topic)
    parts: list[tuple[str, list[Statement]]] = [
        ("In short", [*(key_finding(each, sources) for each in first), *_extent(material, checked)]),
        ("Key findings", _key_findings([each for each in checked if each not in first], sources, most)),
        ("Contradictions", contradictions(checked, material.timeline, sources)[:most]),
        ("Bias assessment", _bias(material)),
        ("What could not be established", gaps(material, checked)),
        ("Recommendations", recommendations(material, checked)),
    ]
    return Summary(
        title=shorten(capitalised(material.plan.topic), 160),
        sections=tuple(Section(heading=heading, statements=tuple(said)) for heading, said in parts if said),
    )


def _extent(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """The number of claims by verdict, and the sources they rest on."""
    counted = [source for source in material.sources if not source.excluded]
    if not counted:
        out = listed(list(dict.fromkeys(each.where for each in material.missing))[:_HEADLINES])
        lacks = f", and {out} could not be asked" if out else ""
        return [note(f"No source was found that counts as evidence{lacks}; nothing can be said of the topic")]
    unreached = sum(not each.checked for each in material.assessments)
    written = [note(tally(checked))] if checked else []
    if unreached:
        more = f"{numeral(unreached)} more" if checked else count(unreached, "claim")
        written.append(note(f"{capitalised(more)} could not be checked"))
    written.append(note(f"This rests on {witnesses_counted(counted)}, as known on {day(material.as_of)}"))
    if not checked and not unreached:
        written.append(note(f"{agreeing(len(counted), 'It makes', 'They make')} no claim that could be checked"))
    return written


def _headlines(checked: Sequence[CheckedClaim], topic: str) -> list[CheckedClaim]:
    """The claims that come first: the topic itself; the two weightiest that hold, and the two that do not."""
    spoken = sorted((each for each in checked if each.cited), key=lambda each: each.claim.text != topic)
    holds = [each for each in spoken if each.verdict in (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)]
    fails = [each for each in spoken if each.verdict in (Verdict.CONTRADICTED, Verdict.DISPUTED)]
    chosen = [*holds[:_OF_ONE_KIND], *fails[:_OF_ONE_KIND]][:_HEADLINES]
    return sorted(chosen, key=lambda each: each.claim.text != topic)


def _key_findings(checked: Sequence[CheckedClaim], sources: Witnesses, most: int) -> list[Statement]:
    spoken = sorted((each for each in checked if each.cited), key=lambda each: each.verdict is Verdict.UNVERIFIED)
    written = [key_finding(each, sources) for each in spoken[:most]]
    if (left := len(spoken) - most) > 0:
        verb = agreeing(left, "is", "are")
        written.append(
            note(f"{capitalised(count(left, 'further claim'))} of less weight {verb} in the table of verdicts")
        )
    return written


def _bias(material: WriteMaterial) -> list[Statement]:
    bias = material.bias
    if bias is None:
        return []
    written = [note(f"Bias of the sources as a whole: {bias.label}, {bias.overall:.1f} on a scale from 0 to 10")]
    written += [note(reason) for reason in bias.reasons]
    loud = sorted((each for each in bias.per_source if each.bias >= _ONE_SIDED), key=lambda e: (-e.bias, e.source_id))
    names = {source.id: source for source in material.sources}
    for each in loud[:_LOUD]:
        source = names.get(each.source_id)
        if source is not None and not source.rating.press_release and each.reasons:
            written.append(note(f"More one-sided than most is {name_of(source)}. {each.reasons[0]}"))
    return written


_MOST, _ADVICE = 6, 4
_CLAIM = 160
"""Characters of a claim in a sentence."""
_BIASED = 4.0
"""Bias of all sources together, 0 to 10, from which others should be asked."""
_ANSWERING = frozenset(
    (
        Category.COMPANY, Category.PRESS_RELEASE, Category.NEWSPAPER, Category.LOCAL, Category.MAGAZINE,
        Category.BROADCASTER, Category.WIRE, Category.INVESTIGATIVE, Category.TABLOID, Category.TRADE, Category.BLOG,
        Category.FACT_CHECK,
    )
)  # fmt: skip
"""Companies, people and the press answer questions; courts, regulators, registers and machines do not."""
_THOSE_CONCERNED = "those concerned"
_PUBLIC_BODY = word_set(__name__, "public_bodies")
_OFFICIAL = frozenset((Category.GOVERNMENT, Category.COURT, Category.REGULATOR))


def gaps(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """Claims nothing was found on, what could not be asked or judged, and what was left out."""
    written = []
    silent = [each for each in checked if each.verdict is Verdict.UNVERIFIED and not each.cited]
    if silent:
        which = _either([_short(each) for each in silent[:_MOST]], len(silent) - _MOST)
        lacks = dict.fromkeys(each.assessment.lacks for each in silent if each.assessment.lacks)
        but = f", and {listed(list(lacks)[:2])}" if lacks else ""
        unaided = material.plan.unaided and any(not each.excluded for each in material.sources)
        written.append(nothing_found(which, but, unaided=unaided))
    open_ids = {each.claim_id for each in material.assessments if not each.checked}
    if left_open := [claim for claim in material.claims if claim.id in open_ids]:
        named = [quoted(shorten(claim.text, _CLAIM)) for claim in left_open[:_MOST]]
        more = [f"and {numeral(len(left_open) - _MOST)} more"] if len(left_open) > _MOST else []
        not_reached = f"{capitalised(count(len(left_open), 'claim'))} could not be checked"
        written.append(note(f"{not_reached}: {'; '.join([*named, *more])}"))
    written += unassessed_note(checked)
    left = [each for each in material.sources if each.excluded and not _is_named_elsewhere(each)]
    if left:
        by_reason: dict[str, list[str]] = {}
        for source in left:
            by_reason.setdefault(source.excluded or "", []).append(name_of(source))
        why = "; ".join(f"{listed(list(dict.fromkeys(who))[:3])}, {reason}" for reason, who in by_reason.items())
        are = agreeing(len(left), "is", "are")
        written.append(note(f"{capitalised(count(len(left), 'source'))} {are} listed but not counted: {why}"))
    written += set_apart(material.sources)
    return [*written, *map(note, outage_lines(material.missing, _MOST))]


def _is_named_elsewhere(source: Source) -> bool:
    return bool(source.other_bearer) or source.url.startswith(GIVEN_CLAIMS)


def recommendations(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """Whom to ask next and for what, from what is missing; at most four."""
    sources = Witnesses(material.sources)
    subject = _who_can_speak(material.plan.topic)
    official = next((name_of(each) for each in material.sources if each.rating.category in _OFFICIAL), None)
    written: list[str] = []
    for each in [each for each in checked if each.verdict is Verdict.DISPUTED][:2]:
        sides = listed([_who(side, sources) for side in (each.supporting, each.contradicting) if side])
        written.append(f"Compare the documents behind both sides, {sides}, of the dispute on {_short(each)}")
    for each in [each for each in checked if each.verdict is Verdict.CONTRADICTED][:2]:
        makers = sorted(
            (sources[sid] for sid in each.claim.source_ids if sid in sources), key=lambda source: source.rating.tier
        )
        if who := _who_answers(makers, subject):
            written.append(f"Ask {who} for a response to what contradicts the claim {_short(each)}")
        else:
            written.append(f"Check the claim {_short(each)} against the original document")
    alone = [each for each in checked if each.assessment.single_source and each.verdict is not Verdict.CONTRADICTED]
    second = "Find a second independent source for the claim"
    written += [f"{second} {_short(each)}" for each in alone[: 2 if len(written) < 3 else 1]]
    if any(event.conflict for event in material.timeline):
        record = f"what {official} has on record" if official else "an official record"
        written.append(f"Check the dates on which the sources disagree against {record}")
    if material.missing:
        written.append("Ask again what could not be asked this time; it may change a verdict")
    if subject and not any(_speaks_for_itself(source, subject) for source in material.sources):
        whose = "theirs" if subject == _THOSE_CONCERNED else "its own"
        written.append(f"Ask {subject} for a statement; none of {whose} was among the sources")
    if material.bias and material.bias.overall >= _BIASED:
        written.append(material.bias.recommendation)
    if not official:
        written.append("Request the official records: decisions, permits, inspection reports and court files")
    return [note(text) for text in list(dict.fromkeys(filter(None, written)))[:_ADVICE]]


def _who_can_speak(topic: str) -> str:
    """The topic's subject; 'those concerned' where it names nobody; '' where it is a public body or a place."""
    subject = next(iter(subject_of(topic)), "")
    if not subject[:1].isupper():  # in a script without capitals a run of words is no name
        return _THOSE_CONCERNED
    kind = next((name.kind for name in names(f"It is about {topic}") if name.text == subject), NameKind.NAME)
    return "" if kind is NameKind.PLACE or _PUBLIC_BODY & set(subject.lower().split()) else subject


def _who_answers(makers: Sequence[Source], subject: str) -> str:
    """Whom to ask about a claim that is contradicted: its best maker, or the subject where that is a release of its;
    '' where nobody among them answers questions."""
    if not makers or makers[0].rating.category not in _ANSWERING:
        return ""
    return subject if makers[0].rating.press_release else name_of(makers[0])


def _speaks_for_itself(source: Source, subject: str) -> bool:
    return source.rating.press_release or is_own_word(source, subject, ()) or is_filing(source, subject)


def _short(checked: CheckedClaim) -> str:
    return claimed(checked.claim, most=_CLAIM)


def _either(claims: Sequence[str], more: int) -> str:
    """'“The harbour closed”, “It opened” or five other claims'."""
    named = [*claims, *([count(more, "other claim")] if more > 0 else [])]
    return " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _who(findings: Sequence[Finding], sources: Witnesses) -> str:
    return next((name_of(source) for source in sources.voters(findings).values()), "the other source")

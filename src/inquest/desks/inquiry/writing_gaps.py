"""What could not be established, and whom to ask next."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.brief_reading import subject_of
from inquest.desks.inquiry.writing_parts import CheckedClaim, Witnesses, claimed, note, nothing_found, set_apart
from inquest.domain.assessment import Verdict
from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.claim import Claim
from inquest.domain.drafts import WriteMaterial
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding
from inquest.domain.outages import outage_lines
from inquest.domain.report import Statement
from inquest.domain.source import Category, Source
from inquest.text.entities import NameKind, names
from inquest.text.lexicon import word_set
from inquest.text.phrases import capitalised, count, listed, numeral, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.own_word import is_filing, is_own_word
from inquest.verdicts.weighing_reasons import name_of

_MOST, _ADVICE = 6, 4
_CLAIM = 160
"""Characters of a claim in a sentence."""
_ONE_SIDED = 4.0
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
    claims = {claim.id: claim for claim in material.claims}
    left_open = [claims[each.claim_id] for each in material.assessments if not each.checked and each.claim_id in claims]
    written += _not_reached(left_open)
    unassessed = sum(each.assessment.unassessed for each in checked)
    if unassessed:
        verb = agreeing(unassessed, "counts", "count")
        written.append(note(f"{capitalised(count(unassessed, 'passage'))} could not be judged and {verb} for nothing"))
    left = [
        each
        for each in material.sources
        if each.excluded and not (each.other_bearer or each.url.startswith(GIVEN_CLAIMS))
    ]
    if left:
        by_reason: dict[str, list[str]] = {}
        for source in left:
            by_reason.setdefault(source.excluded or "", []).append(name_of(source))
        why = "; ".join(f"{listed(list(dict.fromkeys(who))[:3])}, {reason}" for reason, who in by_reason.items())
        are = agreeing(len(left), "is", "are")
        written.append(note(f"{capitalised(count(len(left), 'source'))} {are} shown apart and not counted: {why}"))
    written += set_apart(material.sources)
    return [*written, *map(note, outage_lines(material.missing, _MOST))]


def _not_reached(claims: Sequence[Claim]) -> list[Statement]:
    """How many claims the case did not get to, and which; this is not the same as finding nothing."""
    if not claims:
        return []
    which = "; ".join(quoted(shorten(claim.text, _CLAIM)) for claim in claims[:_MOST])
    more = f"; and {numeral(len(claims) - _MOST)} more" if len(claims) > _MOST else ""
    reached = f"{capitalised(count(len(claims), 'claim'))} could not be checked"
    return [note(f"{reached}: {which}{more}")]


def recommendations(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """Whom to ask next and for what, from what is missing; at most four."""
    sources = Witnesses(material.sources)
    subject = _who_can_speak(material.plan.topic)
    official = next((name_of(each) for each in material.sources if each.rating.category in _OFFICIAL), None)
    written: list[str] = []
    for each in [each for each in checked if each.verdict is Verdict.DISPUTED][:2]:
        sides = listed([_who(side, sources) for side in (each.supporting, each.contradicting) if side])
        written.append(f"Compare the documents behind both sides, {sides}, of the dispute on {_whether(each)}")
    for each in [each for each in checked if each.verdict is Verdict.CONTRADICTED][:2]:
        makers = sorted(
            (sources[sid] for sid in each.claim.source_ids if sid in sources), key=lambda source: source.rating.tier
        )
        if who := _who_answers(makers, subject):
            written.append(f"Ask {who} for a response to what contradicts the claim {_short(each)}")
        else:
            written.append(f"Check against the original document {_whether(each)}")
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
    if material.bias and material.bias.overall >= _ONE_SIDED:
        written.append(material.bias.recommendation)
    if not official:
        written.append("Request the official records: decisions, permits, inspection reports and court files")
    return [note(text) for text in list(dict.fromkeys(filter(None, written)))[:_ADVICE]]


def _who_can_speak(topic: str) -> str:
    """Who may be asked for a statement: the topic's subject, 'those concerned' where it names nobody, and '' where it
    is a public body or a place."""
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


def _whether(checked: CheckedClaim) -> str:
    """'whether the harbour closed'; 'whether “Harbour closed” is so'."""
    said = _short(checked)
    return f"whether{said.removeprefix('that')}" if said.startswith("that ") else f"whether {said} is so"


def _either(claims: Sequence[str], more: int) -> str:
    """'that the harbour closed; or that it opened; or five others'."""
    return "; or ".join([*claims, *([count(more, "other claim")] if more > 0 else [])])


def _who(findings: Sequence[Finding], sources: Witnesses) -> str:
    return next((name_of(source) for source in sources.voters(findings).values()), "the other source")

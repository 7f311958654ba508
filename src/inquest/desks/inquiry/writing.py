"""Write the summary of a case from its findings only: every sentence that states a fact cites them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inquest.claims.standalone import without_dateline
from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.claim import Claim
from inquest.domain.drafts import WriteMaterial
from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.reasons import Catalogue, Reason, coded
from inquest.domain.report import Section, Statement, Summary, TimelineEvent, outage_lines
from inquest.domain.source import Category, Source
from inquest.domain.value import grouped
from inquest.sources.owners import origins_of, owner_or_site
from inquest.stories.stories import independent
from inquest.text.phrases import capitalised, ended, listed, one_stop, quoted, stated
from inquest.text.sentences import shorten
from inquest.verdicts.testimony import Standing, as_testimony
from inquest.verdicts.weighing_reasons import NOTHING_FOUND, ONLY_A_PARTY, SIDE, name_of

says = Catalogue("summary")
CITED = 4
"""Maximum number of findings that a sentence cites on one side."""
_QUOTE, _TITLE = 240, 160
_NAMES_SIDES = frozenset((SIDE, NOTHING_FOUND))
"""Reasons that only name the sources, which key findings name themselves."""
KEY_FINDINGS = "Key findings"
ANSWERS = "Answers to the questions"
_BRIEF_FINDINGS, _ALL_FINDINGS = 5, 8
_OF_ONE_KIND = 2
"""Maximum number of verified claims, and of others, in the first part."""
_MOST, _ADVICE = 6, 4
_CLAIM = 160
"""Characters of a claim in a sentence."""
_BIASED = 4.0
"""Bias of all sources together, 0 to 10, from which other sources are recommended."""
_OFFICIAL = frozenset((Category.GOVERNMENT, Category.COURT, Category.REGULATOR))


@dataclass(frozen=True)
class CheckedClaim:
    """A claim with its assessment and the findings of both sides, weightiest first."""

    claim: Claim
    assessment: Assessment
    supporting: tuple[Finding, ...]
    contradicting: tuple[Finding, ...]

    @property
    def verdict(self) -> Verdict:
        return self.assessment.verdict

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the findings of both sides that a sentence cites."""
        return tuple(each.id for each in (*self.supporting[:CITED], *self.contradicting[:CITED]))


def checked_claims(
    claims: Sequence[Claim], findings: Sequence[Finding], assessments: Sequence[Assessment]
) -> list[CheckedClaim]:
    """The claims that were checked, in the order of their assessments."""
    by_id = {claim.id: claim for claim in claims}
    known = {finding.id: finding for finding in findings}
    return [
        CheckedClaim(
            by_id[each.claim_id],
            each,
            tuple(known[fid] for fid in each.supporting if fid in known),
            tuple(known[fid] for fid in each.contradicting if fid in known),
        )
        for each in assessments
        if each.claim_id in by_id and each.checked
    ]


def summary_of(title: str, parts: Iterable[tuple[str, list[Statement]]]) -> Summary:
    """The summary, without empty parts."""
    sections = tuple(Section(heading=heading, statements=tuple(written)) for heading, written in parts if written)
    return Summary(title=shorten(title, _TITLE), sections=sections)


def fact(text: str | Sequence[Reason], finding_ids: Iterable[str]) -> Statement:
    """Sentences that state a fact, with its findings."""
    codes = () if isinstance(text, str) else tuple(text)
    written = ended(one_stop(text)) if isinstance(text, str) else stated(text)
    return Statement(text=written, finding_ids=tuple(dict.fromkeys(finding_ids)), reason_codes=codes)


def note(text: str | Reason | Sequence[Reason], finding_ids: Iterable[str] = ()) -> Statement:
    """A sentence about the work itself."""
    return fact([text] if isinstance(text, Reason) else text, finding_ids).model_copy(update={"about_the_work": True})


def others_in_table(number: int) -> list[Statement]:
    """The sentence on claims that are only in the table."""
    return [note(says("more_in_table", number=number))] if number > 0 else []


def nothing_found(claims: list[Reason], lacks: list[Reason], *, unaided: bool) -> Statement:
    """The sentence on claims without evidence. `lacks`: what could not be queried; `unaided`: without a model."""
    name = f"nothing_found{'_unaided' if unaided else ''}{'_and' if lacks else ''}"
    return note(says(name, claims=claims, lacks=lacks))


def unassessed_note(checked: Sequence[CheckedClaim]) -> list[Statement]:
    """The sentence on passages that could not be judged."""
    number = sum(each.assessment.unassessed for each in checked)
    return [note(says("unassessed", number=number))] if number else []


def witnesses_counted(sources: Sequence[Source]) -> Reason:
    """Such as '28 sources (nine independent), twelve of them of the first tier'."""
    number, apart = len(sources), len(independent(sources))
    best = sum(source.rating.tier == 1 for source in sources)
    form = "sources_partly" if apart < number else "sources_independent" if number > 1 else "sources"
    named_ = says(form, number=number, apart=apart)
    return says("one_first_tier" if number == 1 else "first_tier", sources=named_, best=best) if best else named_


def set_apart(sources: Sequence[Source]) -> list[Statement]:
    """The sentence on pages about others of the same name."""
    by_bearer: dict[str, dict[str, None]] = {}
    for source in sources:
        if source.other_bearer:
            by_bearer.setdefault(source.other_bearer, {})[name_of(source)] = None
    who = "; ".join(f"{bearer} ({listed([*names])})" for bearer, names in by_bearer.items())
    number = sum(bool(source.other_bearer) for source in sources)
    return [note(says("set_apart", number=number, who=who))] if number else []


def claimed(claim: Claim, *, most: int | None = None) -> str:
    """The claim in quotation marks. `most`: characters."""
    text = claim.text.strip().rstrip(".")
    return quoted(shorten(text, most) if most else text)


class Witnesses(dict[str, Source]):
    """The sources of a case by id, with the origin of the story of each."""

    def __init__(self, sources: Iterable[Source]) -> None:
        super().__init__({source.id: source for source in sources})
        self._origins = origins_of(self)

    def voters(self, findings: Sequence[Finding]) -> dict[str, Source]:
        """The independent witnesses of the findings, weightiest first, each with the source to name: the origin of the
        story if it is among them, else the first."""
        found: dict[str, Source] = {}
        speaking = {finding.source_id for finding in findings}
        for finding in findings:
            origin = self._origins.get(finding.source_id)
            if origin is not None:
                found.setdefault(owner_or_site(origin), origin if origin.id in speaking else self[finding.source_id])
        return found


def named(findings: Sequence[Finding], sources: Witnesses, most: int = 3) -> list[Reason]:
    """The independent witnesses of the findings, weightiest first: 'a, b and two others'."""
    names = [name_of(source) for source in sources.voters(findings).values()]
    return some_of(names, most if len(names) <= most else most - 1, "others")


def some_of(texts: Sequence[str], most: int, others: str) -> list[Reason]:
    """The first texts, and the number of the others by the name of its sentence."""
    more = [says(others, number=len(texts) - most)] if len(texts) > most else []
    return [*(says("words", words=text) for text in texts[:most]), *more]


def _quoted_by(finding: Finding, sources: Witnesses) -> Reason:
    """Such as 'gazette.example (14 March 2024) has “The bridge is closed”'."""
    words = quoted(shorten(without_dateline(finding.quote), _QUOTE))
    source = sources.get(finding.source_id)
    if source is None:
        return says("quote_unknown", words=words)
    if source.published is None:
        return says("quote_undated", name=name_of(source), words=words)
    return says("quote", name=name_of(source), date=source.published.iso, words=words)


def tally(checked: Sequence[CheckedClaim | Assessment]) -> Reason:
    """Such as 'Of nine claims that were checked, five are verified and four could not be verified.'"""
    if len(checked) == 1:
        return says("tally_one", verdict=checked[0].verdict.value)
    numbers = {verdict: sum(each.verdict is verdict for each in checked) for verdict in Verdict}
    parts = [says(f"part_{verdict.value}", number=n) for verdict, n in numbers.items() if n]
    if len(parts) == 1:
        verdict = checked[0].verdict
        name = "tally_none" if verdict is Verdict.UNVERIFIED else "tally_all"
        return says(name, number=len(checked), verdict=verdict.value)
    return says("tally", number=len(checked), parts=parts)


def key_finding(checked: CheckedClaim, sources: Witnesses) -> Statement:
    """The verdict on a claim with its sources, in one or two sentences."""
    it, single = claimed(checked.claim), checked.assessment.single_source
    match checked.verdict:
        case Verdict.VERIFIED:
            text = [says("words", words=ended(checked.claim.text)), *_verified(checked, sources)]
        case Verdict.CONTRADICTED:
            who = named(checked.contradicting[:1] if single else checked.contradicting, sources)
            text = [says("contradicted_alone" if single else "contradicted", claim=it, names=who)]
        case Verdict.PARTIALLY_TRUE:
            text = [says("partially_true", claim=it), *_deciding(checked)]
        case Verdict.DISPUTED | Verdict.UNVERIFIED as verdict:
            text = [says(verdict.value, claim=it), *_sides(checked, sources), *_deciding(checked)]
    return fact(text, checked.cited)


def _verified(checked: CheckedClaim, sources: Witnesses) -> list[Reason]:
    """The sources that verify the claim, and a less weighty one that contradicts it."""
    apart = [each for each in checked.supporting if not _is_party(each, sources)] or list(checked.supporting)
    alone = min(checked.assessment.independent_sources, len(sources.voters(apart))) <= 1
    by = says("verified_alone" if alone else "verified", names=named(apart[:1] if alone else apart, sources))
    supporters = set(sources.voters(checked.supporting))
    against = [each for each in checked.contradicting if not _by_its_maker(each, checked, sources)]
    others = [each for each in against if not set(sources.voters([each])) & supporters]
    return [by, *([says("less_against", names=named(others[:1], sources))] if others else [])]


def _sides(checked: CheckedClaim, sources: Witnesses) -> list[Reason]:
    codes = checked.assessment.reason_codes
    if codes and codes[0].code == ONLY_A_PARTY and not checked.contradicting:
        return []  # the deciding rule names the only source
    sides = ((checked.supporting, "supports"), (checked.contradicting, "contradicts"))
    return [says(verb, names=named(side, sources), number=len(sources.voters(side))) for side, verb in sides if side]


def _deciding(checked: CheckedClaim) -> list[Reason]:
    """The rule that decided; nothing if it only names the sources."""
    a = checked.assessment
    return [each for each in coded(a.reasons, a.reason_codes)[:1] if each.code not in _NAMES_SIDES]


def _is_party(finding: Finding, sources: Witnesses) -> bool:
    source = sources.get(finding.source_id)
    return as_testimony(finding).standing is Standing.PARTY or (source is not None and source.rating.press_release)


def contradictions(
    checked: Sequence[CheckedClaim], timeline: Sequence[TimelineEvent], sources: Witnesses
) -> list[Statement]:
    """Both sides of every contradicted claim, each pair of quotes once; then conflicting dates."""
    written: dict[frozenset[str], Statement] = {}
    for each in checked:
        own = {finding.source_id for finding in each.supporting}  # a page does not contradict itself
        opposing = (f for f in each.contradicting if f.source_id not in own and not _by_its_maker(f, each, sources))
        against = next(opposing, None)
        for_it = each.supporting[:1]
        pair = frozenset((against.quote if against else "", for_it[0].quote if for_it else each.claim.text))
        if against is None or pair in written:
            continue
        makers = list(dict.fromkeys(name_of(sources[sid]) for sid in each.claim.source_ids if sid in sources))
        by_makers = [says("made_by", names=makers[:3])] if makers else []
        support = [_quoted_by(for_it[0], sources)] if for_it else by_makers
        more = len(sources.voters(each.contradicting)) - 1
        said: dict[str, Reason | str] = {"claim": claimed(each.claim), "against": _quoted_by(against, sources)}
        both = says("on_claim_both", **said, support=support[0]) if support else says("on_claim", **said)
        text = [both, *([says("more_against", number=more)] if more > 0 else [])]
        written[pair] = fact(text, [finding.id for finding in (*for_it, against, *each.contradicting[:CITED])])
    return [*written.values()] + [
        fact(
            [says("dates_differ", event=ended(event.text), conflict=next(iter(event.conflict_codes), event.conflict))],
            event.finding_ids[:CITED],
        )
        for event in timeline
        if event.conflict and event.finding_ids
    ]


def with_corrections(summary: Summary, findings: Sequence[Finding], sources: Sequence[Source]) -> Summary:
    """The summary with each publisher's correction beside the first statement that cites the page it corrects."""
    by_id, of_page = Witnesses(sources), {each.id: each.source_id for each in findings}
    notices = [each for each in findings if as_testimony(each).withdraws]
    corrected = {each.source_id: later for later in notices for each in findings if _corrects(later, each, by_id)}

    def beside(statement: Statement) -> Statement:
        cited, codes = statement.finding_ids, statement.reason_codes
        later = next((corrected.pop(of_page[id]) for id in cited if of_page.get(id) in corrected), None)
        if later is None or later.id in cited:
            return statement
        words = says("corrected", correction=_quoted_by(later, by_id))
        given = {"text": f"{statement.text} {stated([words])}", "reason_codes": (*codes, words) if codes else ()}
        return statement.model_copy(update={**given, "finding_ids": (*cited, later.id)})

    parts = [each.model_copy(update={"statements": tuple(map(beside, each.statements))}) for each in summary.sections]
    return summary.model_copy(update={"sections": tuple(parts)})


def _corrects(later: Finding, earlier: Finding, sources: Witnesses) -> bool:
    """True if a publisher's later page retracts what its own page, or a copy of it, says about the claim."""
    old, new = sources.get(earlier.source_id), sources.get(later.source_id)
    sides = {earlier.stance, later.stance} == {Stance.SUPPORTS, Stance.CONTRADICTS}
    if not (sides and earlier.claim_id == later.claim_id and old and new and old.published and new.published):
        return False
    publishers = {owner_or_site(old), *sources.voters([earlier])}
    return old.published.at < new.published.at and owner_or_site(new) in publishers


def _by_its_maker(finding: Finding, checked: CheckedClaim, sources: Witnesses) -> bool:
    """True if the source made the claim, or has the story in which it was made."""
    source = sources.get(finding.source_id)
    if source is None or as_testimony(finding).withdraws or source.id in checked.claim.source_ids:
        return False
    makers = {owner_or_site(sources[sid]) for sid in checked.claim.source_ids if sid in sources}
    return bool({owner_or_site(source), *sources.voters([finding])} & makers)


def write_summary(material: WriteMaterial, *, depth: str) -> Summary:
    """The cited summary. `depth`: brief (the five most important findings) or comprehensive (eight)."""
    sources = Witnesses(material.sources)
    checked = checked_claims(material.claims, material.findings, material.assessments)
    most = _BRIEF_FINDINGS if depth == "brief" else _ALL_FINDINGS
    extent = _extent(material, checked)
    parts: list[tuple[str, list[Statement]]] = [
        ("In short", [] if checked else extent),
        (KEY_FINDINGS, _key_findings(checked, sources, material.plan.topic, most)),
        ("Contradictions", contradictions(checked, material.timeline, sources)[:_MOST]),
        ("What could not be established", gaps(material, checked)),
        ("Bias assessment", _bias(material)),
        ("Recommendations", recommendations(material, checked, sources)),
        ("What this rests on", extent if checked else []),
    ]
    return summary_of(capitalised(material.plan.topic), parts)


def _extent(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """The number of claims by verdict, and the number of sources."""
    evidence = [source for source in material.sources if not source.excluded]
    if not evidence:
        out = list(dict.fromkeys(each.where for each in material.missing))[:_ADVICE]
        return [note(says("no_source_and" if out else "no_source", where=out))]
    all_checked = [each for each in material.assessments if each.checked]  # a summary may cover fewer claims
    unreached = len(material.assessments) - len(all_checked)
    written = [note(tally(all_checked))] if checked else []
    if unreached:
        written.append(note(says("more_unreached" if checked else "claims_unreached", number=unreached)))
    known = f"{material.as_of:%Y-%m-%d}"
    written.append(note(says("rests_on", sources=witnesses_counted(evidence), date=known)))
    if not checked and not unreached:
        written.append(note(says("no_claim", number=len(evidence))))
    return written


def _key_findings(checked: Sequence[CheckedClaim], sources: Witnesses, topic: str, most: int) -> list[Statement]:
    """The topic itself and the weightiest claims, two verified and two refuted; then the other weightiest ones."""
    cited = sorted((each for each in checked if each.cited), key=lambda each: each.claim.text != topic)
    verified = [each for each in cited if each.verdict in (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)]
    refuted = [each for each in cited if each.verdict in (Verdict.CONTRADICTED, Verdict.DISPUTED)]
    first = [*verified[:_OF_ONE_KIND], *refuted[:_OF_ONE_KIND]]
    first.sort(key=lambda each: each.claim.text != topic)
    others = [each for each in checked if each.cited and each not in first]
    others.sort(key=lambda each: each.verdict is Verdict.UNVERIFIED)
    shown = [*first, *others[: most - len(first)]]
    return [*(key_finding(each, sources) for each in shown), *others_in_table(len(cited) - len(shown))]


def _bias(material: WriteMaterial) -> list[Statement]:
    bias = material.bias
    if bias is None:
        return []
    overall = says("bias", label=bias.label, score=f"{bias.overall:.1f}")
    return [note(overall), *map(note, bias.reason_codes or bias.reasons)]


def gaps(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """Claims without evidence, what could not be queried or judged, and what was left out."""
    written = []
    silent = [each for each in checked if each.verdict is Verdict.UNVERIFIED and not each.cited]
    if silent:
        which = some_of([claimed(each.claim, most=_CLAIM) for each in silent], _MOST, "other_claims")
        lacks = {words: code for each in silent for words, code in each.assessment.lacking.items()}
        unaided = material.plan.unaided and any(not each.excluded for each in material.sources)
        written.append(nothing_found(which, list(lacks.values())[:2], unaided=unaided))
    open_ids = {each.claim_id for each in material.assessments if not each.checked}
    if unreached := [claimed(claim, most=_CLAIM) for claim in material.claims if claim.id in open_ids]:
        which = some_of(unreached, _MOST, "other_claims")
        written.append(note(says("unreached", number=len(unreached), claims=which)))
    written += unassessed_note(checked)
    apart = [each for each in material.sources if each.excluded and not each.other_bearer]
    apart = [each for each in apart if not each.url.startswith(GIVEN_CLAIMS)]
    if apart:
        why = [
            Reason.of("pages.apart", names=list(dict.fromkeys(map(name_of, alike)))[:3], why=alike[0].why_excluded)
            for alike in grouped((source.excluded, source) for source in apart).values()
        ]
        written.append(note(says("not_counted", number=len(apart), why=why)))
    return [*written, *set_apart(material.sources), *map(note, outage_lines(material.missing, _MOST))]


def recommendations(material: WriteMaterial, checked: Sequence[CheckedClaim], sources: Witnesses) -> list[Statement]:
    """The next steps, depending on what is missing; at most four."""
    official = next((name_of(each) for each in material.sources if each.rating.category in _OFFICIAL), None)
    of_claims: dict[object, str | Reason] = {}
    for each in checked:
        it = claimed(each.claim, most=_CLAIM)
        if each.verdict is Verdict.DISPUTED:
            first = (*each.supporting[:1], *each.contradicting[:1])
            sides = [name for found in first for name in named((found,), sources)]
            quotes = frozenset(found.quote for found in first)  # a claim and its contrary are one dispute
            of_claims.setdefault(quotes, says("compare_sides", names=sides, claim=it))
        elif each.assessment.single_source and each.verdict is not Verdict.CONTRADICTED:
            of_claims[each.claim.id] = says("second_source", claim=it)
    written = list(of_claims.values())[: _ADVICE - 1]
    if any(event.conflict for event in material.timeline):
        written.append(says("check_dates", name=official) if official else says("check_dates_anywhere"))
    if any(each.what != "page" for each in material.missing):
        written.append(says("repeat_searches"))
    if material.bias and material.bias.overall >= _BIASED and material.bias.recommendation:
        written.append(next(iter(material.bias.recommendation_codes), material.bias.recommendation))
    if not official:
        written.append(says("request_records"))
    return [note(text) for text in written[:_ADVICE]]

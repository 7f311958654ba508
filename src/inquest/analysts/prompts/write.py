"""Write: the cited summary. Only sentences that cite a finding, with figures that are in it, are kept; the rest are
dropped and counted.

Statements about the work itself (what was queried, what is missing) are not left to a model: rules write them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompts import instructions
from inquest.analysts.prompts.merge import figures
from inquest.analysts.replies import AnswerPart, Line, Lines, Listed, Unusable, kept, parse
from inquest.desks.inquiry.writing import KEY_FINDINGS
from inquest.domain.finding import Finding, Stance
from inquest.domain.languages import Language
from inquest.domain.report import Section, Statement, Summary, Translation
from inquest.kit.analyst import WriteMaterial
from inquest.text.languages import detect_language
from inquest.text.phrases import language_name, one_stop
from inquest.text.sentences import shorten

_DEPTHS = {
    "brief": ("1 to 3 of them", "At most 8 statements in all."),
    "comprehensive": ("3 to 6 of them", "At most 30 statements in all."),
}
_EACH_SIDE, _NEUTRAL = 2, 1
"""Maximum findings shown for a claim and stance, and maximum neutral ones; sentences cite these."""
_MOST_STATEMENTS = 60
_LONGEST_TRANSLATION = 2_000


class _Statement(AnswerPart):
    text: Line
    findings: Lines


class _Section(AnswerPart):
    heading: Line
    statements: Listed[_Statement]


class Answer(AnswerPart):
    """A summary."""

    title: Line
    sections: Listed[_Section]


class _Translation(AnswerPart):
    finding: Line
    text: Line


class TranslatedAnswer(Answer):
    """A summary with translations of quotes."""

    translations: Listed[_Translation] = []


def ask(depth: str, again: str = "", language: Language = "en", foreign: Sequence[str] = ()) -> str:
    """The instructions. `foreign`: ids of findings whose quotes are to be translated."""
    sections, length = _DEPTHS.get(depth, _DEPTHS["comprehensive"])
    if language != "en":
        length += f" Write in {language_name(language)}; leave names and quoted words as they are."
    if foreign:
        length += (
            f" Beside title and sections give translations: [{{finding, text}}], the quotes of {', '.join(foreign)} in"
            f" {language_name(language)}, whole and word for word."
        )
    return instructions("write", again, sections=sections, length=length)


def foreign_quotes(material: WriteMaterial) -> tuple[str, ...]:
    """Ids of the findings shown whose quotes are in a language other than the report's, each quote once."""
    declared = {source.id: source.language for source in material.sources}
    found: dict[str, str] = {}
    for finding in _citable(material):
        language = detect_language(finding.quote) or declared.get(finding.source_id)
        if language not in (None, material.language):
            found.setdefault(finding.quote, finding.id)
    return tuple(found.values())


def _translations(found: TranslatedAnswer, material: WriteMaterial) -> tuple[Translation, ...]:
    """The requested translations, for each finding with the same quote."""
    quotes = {each.id: each.quote for each in material.findings}
    given = {quotes[each.finding]: each.text for each in kept(found.translations)[0] if each.finding in quotes}
    asked = {quotes[name] for name in foreign_quotes(material)}
    return tuple(
        Translation(finding_id=name, text=text)
        for name, quote in quotes.items()
        if quote in asked and (text := shorten(given.get(quote, ""), _LONGEST_TRANSLATION)) and text != quote
    )


def question(material: WriteMaterial) -> str:
    """The message: verdicts and findings, and nothing from the pages but their quotes, each once. The findings for and
    against a claim are listed with the claim; the stance of others is given with the finding."""
    blocks = [PromptBlock("topic", material.plan.topic, fields=(("questions", " ".join(material.plan.questions)),))]
    verdicts = {assessment.claim_id: assessment for assessment in material.assessments}
    citable = _citable(material)
    first = _first_of_the_same(citable)
    taking_sides = {each for found in verdicts.values() for each in (*found.supporting, *found.contradicting)}
    for claim in material.claims:
        found = verdicts.get(claim.id)
        fields = [("verdict", found.verdict.value.replace("_", " ") if found else "not assessed")]
        if found:
            fields += [
                ("independent sources", str(found.independent_sources)),
                ("for", ", ".join(first[each] for each in found.supporting if each in first)),
                ("against", ", ".join(first[each] for each in found.contradicting if each in first)),
                ("because", found.reasons[0] if found.reasons else ""),
            ]
        blocks.append(PromptBlock("claim", claim.text, claim.id, tuple(fields)))
    sources = {source.id: source for source in material.sources}
    events = {first.get(one, one): event for event in material.timeline for one in event.finding_ids[:1]}
    for finding in citable:
        if first[finding.id] != finding.id:
            continue
        source = sources.get(finding.source_id)
        event = events.get(finding.id)
        beside = finding.claim_id and finding.id not in taking_sides
        fields = [
            ("source", f"{finding.source_id}, {source.domain}" if source else finding.source_id),
            ("published", source.published.iso[:10] if source and source.published else ""),
            ("on", f"claim {finding.claim_id}: {finding.stance.value}" if beside else ""),
            ("dates", f"{event.date}: {event.text}" if event else ""),
        ]
        blocks.append(PromptBlock("finding", finding.quote, finding.id, tuple(fields)))
    return message(blocks)


def _first_of_the_same(findings: Sequence[Finding]) -> dict[str, str]:
    """The id of the first finding with the same words from the same source, by the id of each finding: one on a claim
    rather than one for the timeline, since those come last."""
    known: dict[tuple[str, str], str] = {}
    return {each.id: known.setdefault((each.source_id, each.quote), each.id) for each in findings}


def _citable(material: WriteMaterial) -> list[Finding]:
    """The findings that a sentence may cite: for each claim, the weightiest of each stance, from different stories if
    possible, and one for each event of the timeline."""
    kept = {finding_id for event in material.timeline for finding_id in event.finding_ids[:1]}
    for (_, stance), side in _sides(material).items():
        kept |= {finding.id for finding in side[: _NEUTRAL if stance is Stance.NEUTRAL else _EACH_SIDE]}
    return [finding for finding in _evidence(material) if finding.id in kept]


def _evidence(material: WriteMaterial) -> list[Finding]:
    """The findings with a quote, without those of sources that are not evidence, such as the claims as given."""
    apart = {source.id for source in material.sources if source.excluded}
    return [finding for finding in material.findings if finding.quote and finding.source_id not in apart]


def _sides(material: WriteMaterial) -> dict[tuple[str, Stance], list[Finding]]:
    """The findings with a quote by claim and stance, weightiest first, further ones of the same story at the end."""
    named = [(*found.supporting, *found.contradicting) for found in material.assessments]
    weight = {finding_id: place for ids in named for place, finding_id in enumerate(ids)}
    stories = {source.id: source.story or source.id for source in material.sources}
    sides: dict[tuple[str, Stance], list[Finding]] = {}
    for finding in sorted(_evidence(material), key=lambda each: weight.get(each.id, len(weight))):
        if finding.claim_id and finding.stance is not Stance.UNASSESSED:
            sides.setdefault((finding.claim_id, finding.stance), []).append(finding)
    for side in sides.values():
        cited: Counter[str] = Counter()
        again = {}
        for finding in side:
            story = stories.get(finding.source_id, finding.source_id)
            again[finding.id] = cited[story]
            cited[story] += 1
        side.sort(key=lambda each: again[each.id])
    return sides


def answer(text: str, material: WriteMaterial) -> Summary:
    """The summary; `dropped` counts the sentences left out. Raises Unusable if none is left."""
    found = parse(text, TranslatedAnswer)
    given, dropped = kept(found.sections)
    findings = {finding.id for finding in _evidence(material)}
    sections = []
    number = 0
    for section in given:
        statements, malformed = kept(section.statements)
        dropped += malformed
        good: list[Statement] = []
        for each in statements:
            cited = tuple(name for name in dict.fromkeys(each.findings) if name in findings)
            if (
                not cited
                or not each.text
                or number >= _MOST_STATEMENTS
                or not _figures_stand(each.text, cited, material)
            ):
                dropped += 1
                continue
            made = Statement(text=one_stop(shorten(each.text, 600)), finding_ids=cited)
            if all(made.text != other.text for other in good):
                number += 1
                good.append(made)
        if good:
            sections.append(Section(heading=shorten(section.heading, 120) or "Findings", statements=tuple(good)))
    if not sections:
        raise Unusable("no sentence cited a finding that says it")
    said = [claim.text for claim in material.claims] + [finding.quote for finding in material.findings]
    known = figures(" ".join((*said, material.plan.topic)))
    title = found.title if found.title and figures(found.title) <= known else material.plan.topic
    translations = _translations(found, material)
    return Summary(title=shorten(title, 160), sections=tuple(sections), dropped=dropped, translations=translations)


def _figures_stand(text: str, cited: tuple[str, ...], material: WriteMaterial) -> bool:
    """True if every figure of a sentence appears in what it cites: the quotes, their claims, the dates.

    Small whole numbers that count sources need not appear.
    """
    sources = {source.id: source for source in material.sources}
    claims = {claim.id: claim for claim in material.claims}
    first = _first_of_the_same(material.findings)
    meant = {first[name] for name in cited}
    said = []
    for finding in material.findings:
        if first[finding.id] not in meant:
            continue
        said.append(finding.quote)
        said += [claims[finding.claim_id].text] if finding.claim_id in claims else []
        source = sources.get(finding.source_id)
        if source:
            said += [source.title, source.published.iso if source.published else ""]
        said += [f"{event.date} {event.text}" for event in material.timeline if finding.id in event.finding_ids]
    loose = {figure for figure in figures(text) if not (figure.isdigit() and int(figure) <= len(material.sources))}
    return _plainly(loose) <= _plainly(figures(" ".join(said)))


def _plainly(found: set[str]) -> set[str]:
    """A number without leading zeros, so that '5 March' matches '2024-03-05'."""
    return {figure.lstrip("0") or "0" for figure in found}


def with_the_work(summary: Summary, by_rule: Summary) -> Summary:
    """The summary with what the rules say about the work itself: first the verdicts on the claims, which are the
    answer, then the text about them, then the rest. Two sections with the same heading are joined."""
    said: list[Section] = []
    for section in by_rule.sections:
        about = tuple(statement for statement in section.statements if statement.about_the_work)
        if about and section.heading != KEY_FINDINGS:
            said.append(section.model_copy(update={"statements": about}))
    first = said[:1] if by_rule.sections and said[:1] and said[0].heading == by_rule.sections[0].heading else []
    sections: dict[str, Section] = {}
    for section in (*first, *summary.sections, *said[len(first) :]):
        before = sections.get(key := section.heading.casefold())
        statements = (*before.statements, *section.statements) if before else section.statements
        sections[key] = (before or section).model_copy(update={"statements": statements})
    return summary.model_copy(update={"sections": tuple(sections.values())})

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
from inquest.desks.inquiry.writing import ANSWERS, KEY_FINDINGS
from inquest.domain.finding import Finding, Stance
from inquest.domain.languages import Language
from inquest.domain.report import Section, Statement, Summary, Translation
from inquest.kit.analyst import WriteMaterial
from inquest.text.languages import detect_language
from inquest.text.phrases import before_answer, language_name, one_stop
from inquest.text.sentences import shorten

_DEPTHS = {
    "brief": ("1 to 3 of them", "At most 8 statements in all."),
    "comprehensive": ("3 to 6 of them", "At most 30 statements in all."),
}
_EACH_SIDE, _NEUTRAL = 2, 1
"""Maximum findings shown for a claim and stance, and maximum neutral ones; sentences cite these."""
_FIRST = (
    "The first section answers the questions of the block `topic` in their own terms, in at most four statements: yes,"
    " no, or what is known."
)
_ANSWERS = (
    "answers: for each question of the block `questions`, by its number, at most three statements that answer it in its"
    " own terms: yes, no, or what is known. None where the findings do not answer it: what is near it is no answer."
)
_ANSWER_FORM = ', "answers": [{"question": 1, "statements": [{"text": "...", "findings": ["F1"]}]}]'
_MOST_STATEMENTS = 60
_TO_ANSWER = 3
"""Maximum statements of an answer."""
_LONGEST_TRANSLATION = 2_000


class _Statement(AnswerPart):
    text: Line
    findings: Lines


class _Section(AnswerPart):
    heading: Line
    statements: Listed[_Statement]


class _Answered(AnswerPart):
    question: int
    statements: Listed[_Statement]


class Answer(AnswerPart):
    """A summary."""

    title: Line
    sections: Listed[_Section]
    answers: Listed[_Answered] = []


class _Translation(AnswerPart):
    finding: Line
    text: Line


class TranslatedAnswer(Answer):
    """A summary with translations of quotes."""

    translations: Listed[_Translation] = []


def ask(
    depth: str, again: str = "", language: Language = "en", foreign: Sequence[str] = (), *, questions: bool = False
) -> str:
    """The instructions. `foreign`: ids of findings whose quotes are to be translated; `questions`: there are questions
    to answer."""
    sections, length = _DEPTHS.get(depth, _DEPTHS["comprehensive"])
    if language != "en":
        length += f" Write in {language_name(language)}; leave names and quoted words as they are."
    if foreign:
        length += (
            f" Beside title and sections give translations: [{{finding, text}}], the quotes of {', '.join(foreign)} in"
            f" {language_name(language)}, whole and word for word."
        )
    first, answers = (_ANSWERS, _ANSWER_FORM) if questions else (_FIRST, "")
    return instructions("write", again, sections=sections, length=length, first=first, answers=answers)


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
    if material.questions:
        numbered = " ".join(f"{number}. {each}" for number, each in enumerate(material.questions, 1))
        blocks.append(PromptBlock("questions", numbered))
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
    sections = []
    room = _MOST_STATEMENTS
    for section in given:
        good, left_out = _grounded(section.statements, material, room)
        room, dropped = room - len(good), dropped + left_out
        if good:
            sections.append(Section(heading=shorten(section.heading, 120) or "Findings", statements=tuple(good)))
    if answered := _answered(found, material):
        sections.insert(0, Section(heading=ANSWERS, statements=answered))
    if not sections:
        raise Unusable("no sentence cited a finding that says it")
    said = [claim.text for claim in material.claims] + [finding.quote for finding in material.findings]
    known = figures(" ".join((*said, material.plan.topic)))
    title = found.title if found.title and figures(found.title) <= known else material.plan.topic
    translations = _translations(found, material)
    return Summary(title=shorten(title, 160), sections=tuple(sections), dropped=dropped, translations=translations)


def _grounded(given: Sequence[_Statement | None], material: WriteMaterial, room: int) -> tuple[list[Statement], int]:
    """The statements that cite findings with their figures, at most `room`, each text once; and the number of the
    others."""
    statements, dropped = kept(given)
    findings = {finding.id for finding in _evidence(material)}
    good: list[Statement] = []
    for each in statements:
        cited = tuple(name for name in dict.fromkeys(each.findings) if name in findings)
        if not cited or not each.text or len(good) >= room or not _figures_stand(each.text, cited, material):
            dropped += 1
            continue
        made = Statement(text=one_stop(shorten(each.text, 600)), finding_ids=cited)
        if all(made.text != other.text for other in good):
            good.append(made)
    return good, dropped


def _answered(found: Answer, material: WriteMaterial) -> tuple[Statement, ...]:
    """The answers, one statement for each question that has any."""
    answers = []
    for each in kept(found.answers)[0]:
        said, _ = _grounded(each.statements, material, _TO_ANSWER)
        if said and 0 < each.question <= len(material.questions):
            text = " ".join((before_answer(material.questions[each.question - 1]), *(one.text for one in said)))
            cited = tuple(dict.fromkeys(name for one in said for name in one.finding_ids))
            answers.append(Statement(text=text, finding_ids=cited))
    return tuple(answers)


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

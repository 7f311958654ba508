"""The plan of an inquiry by rule, from the brief and the user's pages: topic, questions, queries, kinds of source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquest.claims.brief_reading import READ_AT_MOST, BriefReading, read_brief, subject_of
from inquest.claims.plan_queries import queries_for
from inquest.desks.inquiry.plan_changes import changed
from inquest.domain.drafts import PlanDraft
from inquest.domain.plan import AnalysedUrl, Brief, Plan
from inquest.domain.search import EngineKind
from inquest.text.lexicon import pattern
from inquest.text.phrases import capitalised, language_name, listed
from inquest.text.regex import regex
from inquest.text.sentences import content_words, shorten

MAX_QUESTIONS = 6
_BARE_VERB = pattern(__name__, "bare_verb")
_WATER = regex(r"(?:river|lake|mount|cape|gulf)\b", re.I)


def plan_for(
    brief: Brief,
    user_sources: Sequence[AnalysedUrl],
    kinds: Sequence[EngineKind],
    *,
    change: str = "",
    before: Plan | None = None,
) -> PlanDraft:
    """The plan, or the plan `before` with the change. `kinds`: those of the ready engines; queries of others are left
    out."""
    if before is not None:
        return changed(before, change, kinds, brief.as_of)
    reading = read_brief(brief.text, tuple(page.title for page in user_sources if page.title and not page.why_not))
    topic = topic_of(reading)
    return PlanDraft(
        topic=topic,
        questions=_questions(reading, topic),
        queries=queries_for(reading, topic, user_sources, kinds, brief.as_of),
        source_kinds=_source_kinds(reading, user_sources, kinds, brief),
        notes=_notes(brief, reading, user_sources),
    )


def topic_of(reading: BriefReading) -> str:
    """The topic in a few words: the subject of the first sentence and the most specific phrase."""
    opening, phrase = reading.opening, next(iter(reading.phrases), "")
    if reading.asked and reading.language not in ("en", None):
        return capitalised(listed(reading.names[:3]) or shorten(opening, 140))
    if reading.asked and _BARE_VERB.match(reading.asked[0]) and opening.lower()[:40] in reading.asked[0].lower():
        # 'How much did Harlow reduce ...' has no phrase that is clear alone, so the question is the topic.
        return shorten(reading.asked[0], 140)
    if not opening:
        names = listed(reading.names[:2])
        has_name = any(name.split()[0] in phrase for name in reading.names[:2])
        opening = phrase if has_name else names or phrase or " ".join(reading.terms[:4])
    opening = capitalised(shorten(opening, 140))
    new = set(content_words(phrase)) - set(content_words(opening))
    if len(content_words(opening)) < 6 and len(new) >= 2:
        return f"{opening}: {phrase}"
    return opening or "The topic of the brief"


def _questions(reading: BriefReading, topic: str) -> tuple[str, ...]:
    """The user's own questions, then the usual ones of fact-checking that are not among them."""
    asked = list(reading.asked[:4])
    words = set(" ".join(asked).lower().split())
    offered = []
    if not asked:
        stated = reading.statement.rstrip(".!")
        offered.append(f"Is it so that {stated}?" if stated else f"What exactly is known about {_inline(topic)}?")
    if reading.figures and "how" not in words:
        figures = listed(reading.figures[:3])
        offered.append(f"Where does the figure of {figures} come from, and do other sources give the same?")
    offered.append(f"What does {_inline(reading.names[0] if reading.names else topic)} say, and who disagrees?")
    offered.append("Which official records or independent sources confirm or contradict it?")
    if "when" not in words:
        offered.append("When did it happen, and in what order did things become known?")
    if "who" not in words:
        offered.append("Who was responsible, who was affected, and who knew of it?")
    return tuple(dict.fromkeys([*asked, *offered]))[:MAX_QUESTIONS]


def _inline(topic: str) -> str:
    first = topic.split(" ", 1)[0]
    is_name = any(first in name.split() for name in subject_of(f"It is about {topic}."))
    return topic if is_name and first.lower() != "the" else topic[:1].lower() + topic[1:]


def _source_kinds(
    reading: BriefReading, user_sources: Sequence[AnalysedUrl], kinds: Sequence[EngineKind], brief: Brief
) -> tuple[str, ...]:
    about = reading.organisations[:1] or reading.names[:1]
    places = [name for name in reading.places if name not in about and not _WATER.match(name)]
    wanted = ["Official records: regulators, courts, registers and filings"]
    wanted.append(
        f"Press reports, from {listed(places[:2])} and beyond" if places else "Press reports, local and national"
    )
    if about:
        wanted.append(f"What {about[0]} itself has published")
    if reading.technical:
        wanted.append("Studies, and experts who are independent of those involved")
    if EngineKind.OWN in kinds:
        own = f" ({', '.join(brief.collections)})" if brief.collections else ""
        wanted.append(f"Your own documents{own}")
    if any(not page.why_not for page in user_sources):
        wanted.append("The pages you named, and what they refer to")
    return tuple(wanted)


def _notes(brief: Brief, reading: BriefReading, user_sources: Sequence[AnalysedUrl]) -> tuple[str, ...]:
    notes = []
    if reading.language not in ("en", None):
        notes.append(
            f"The brief seems to be in {language_name(reading.language)}. The queries use its own words; the questions "
            "are in English, and the local analyst is best at English texts."
        )
    if len(brief.text) > READ_AT_MOST:
        notes.append(f"The brief is long: the plan is made from its first {READ_AT_MOST:,} characters.")
    if not reading.names and not reading.terms:
        notes.append("The brief names no person, organisation or subject: add one for a better plan.")
    if reading.range.since or reading.range.until:
        since = f"from {reading.range.since:%-d %B %Y}" if reading.range.since else ""
        until = f"until {reading.range.until:%-d %B %Y}" if reading.range.until else ""
        notes.append(f"Searches are limited to what was published {' '.join(part for part in (since, until) if part)}.")
    unread = [page.url for page in user_sources if page.why_not]
    if unread:
        notes.append(f"Could not be read: {listed(unread)}.")
    return tuple(notes)

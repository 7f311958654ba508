"""Rule-based reading of a topic: its names, actors, places and terms."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inquest.claims.brief_reading import BriefReading, key_terms, read_brief
from inquest.claims.relevance import TopicTerms, topic_terms
from inquest.domain.topic import Topic
from inquest.text.entities import NameKind, names, same_name
from inquest.text.lexicon import pattern
from inquest.text.sentences import fold

_HEAD = 2_500
"""Characters of an article that introduce its subject."""
_ACTORS = 6
_ACCUSATION = pattern(__name__, "accusation")
_OF_A_FIGURE = frozenset(
    "hundred thousand million billion trillion mn bn percent per cent euro euros dollar dollars pound pounds".split()
)
"""Words without meaning apart from their number."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A person or organisation involved; `kind` follows from the form of the name."""

    name: str
    kind: NameKind


@dataclass(frozen=True, slots=True)
class TopicReading:
    """A topic, read once for queries, context and relevance."""

    brief: BriefReading
    actors: tuple[Actor, ...]
    """Organisations, people and acronyms, most frequent first, at most six."""
    place: str
    """The topic's place, else the first that it names; '' for none."""
    terms: tuple[str, ...]
    """Terms without names, those of the title first."""
    topic_terms: TopicTerms

    @property
    def english(self) -> bool:
        """True for English or an unknown language, which the rules can read."""
        return self.brief.language in ("en", None)


def read_topic(topic: Topic) -> TopicReading:
    """Read the title and the beginning of the text."""
    about = f"{topic.title}. {topic.text[:_HEAD]}".strip()
    brief = read_brief(about)
    place = topic.place.strip() or next(iter(brief.places), "")
    places = {fold(each) for each in (place, *brief.places) if each}
    kinds = {name.text: name.kind for name in names(about)}
    actors: list[Actor] = []
    for name in brief.names:
        if _is_part_of_a_thing(name, about):
            continue
        kind = kinds.get(name, NameKind.NAME)
        of_place = kind is NameKind.PLACE or fold(name) in places
        of_place = of_place or bool(place and kind is NameKind.NAME and same_name(name, place))
        if not of_place and not any(same_name(name, each.name) for each in actors):
            actors.append(Actor(name, kind))
    titled = key_terms(topic.title, brief.names)
    terms = tuple(term for term in dict.fromkeys((*titled, *brief.terms)) if fold(term) not in _OF_A_FIGURE)
    return TopicReading(brief, tuple(actors[:_ACTORS]), place, terms, topic_terms(topic.title, topic.text[:_HEAD]))


def _is_part_of_a_thing(name: str, text: str) -> bool:
    """True for a single word that everywhere in the text precedes the same noun: the 'Ferris' of 'Ferris wheel'."""
    after = re.findall(rf"\b{re.escape(name)}\b(?:\s+([a-z]{{4,}}))?", text)
    return " " not in name and len(after) > 1 and bool(after[0]) and len(set(after)) == 1


def accuses(text: str) -> str | None:
    """The first word that accuses somebody of a crime, a serious wrong, a death or an injury, for which a person must
    review the topic; None without one."""
    match = _ACCUSATION.search(text)
    return match.group() if match else None

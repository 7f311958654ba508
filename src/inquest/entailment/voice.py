"""Who says what a sentence says: the document itself, a party to the matter, a body that found it out, or somebody.

A newspaper that quotes a company has witnessed that the company said so, and nothing else. So each sentence that
bears on a claim is given its teller, and only what the document itself or a third party found counts as evidence.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from inquest.entailment.party import Subject, is_authority, is_party, speaker_name, speaks_of_itself
from inquest.entailment.reading import Reading, SentenceReading
from inquest.entailment.speakers import Attributed, Manner, attributed
from inquest.text.sentences import Span

__all__ = ["Teller", "Voice", "voices"]


class Teller(StrEnum):
    """Whose word a sentence is."""

    ITSELF = "itself"
    """The document's own."""
    PARTY = "party"
    """The claim's own subject, or who speaks for it."""
    AUTHORITY = "authority"
    """A body or document that can have found it out: a court, an agency, a study, a register."""
    WITNESS = "witness"
    """Anybody else."""


_PRONOUNS = frozenset(("", *"it its he him his she her they them their who whose this that these those".split()))


class Voice(NamedTuple):
    """Whose word it is."""

    teller: Teller = Teller.ITSELF
    name: str = ""
    """Who it is, as written or as the text says elsewhere; '' for the document itself."""
    manner: Manner = Manner.SAYS
    scope: Span | None = None
    """The stretch of the sentence that is put into his mouth; None: all of it."""

    @property
    def who(self) -> str | None:
        """The name, where it is one: 'its statement' names nobody."""
        return None if self.name.lower() in _PRONOUNS else self.name

    @property
    def admits(self) -> bool:
        """A party against itself."""
        return self.teller is Teller.PARTY and self.manner is Manner.ADMITS


_TURN = re.compile(
    r"(?P<who>(?:[A-Z][\w'’.-]+\s+){1,3}[A-Z][\w'’.-]+|(?:Mr|Mrs|Ms|Dr|Sir|Lord|Lady)\.?\s+[A-Z]\w+)"
    r"(?P<role>,\s[^:.\n]{3,80}|\s\([^)\n]{2,60}\))?:\s+(?=[\"“]?[A-Z])"
)
"""'Ann Lee, Minister of Health: ...', as records of debates and interviews have it."""
_NO_SPEAKER = re.compile(
    r"\b(?:claim|finding|verdict|rating|correction|update|question|answer|note|source|fact|summary|background|contact|"
    r"photo|decision|charge|published|document|conclusion|ruling|read|more|date|subject|title|home|about|press)\b",
    re.I,
)
_OWN_WORK = (
    r"(?:(?:this|our)\s+(?:own\s+)?(?:newspaper|paper|magazine|newsroom|broadcaster|news\s+site|reporters?|journalists?|"
    r"correspondents?|photographers?|newsdesk|news\s+team|reporting)|the\s+(?:newspaper|paper|magazine|broadcaster)[’']s\s+own\s+"
    r"(?:reporters?|journalists?|correspondents?|reporting))\b"
)
_FOUND_OUT = re.compile(
    rf"{_OWN_WORK}(?:\s+[\w’'-]+){{0,4}}\s*$|\b(?:by|to|for|that|which|of)\s+{_OWN_WORK}|\bin\s+our\s+hands\b", re.I
)
"""At the end of what stands before a verb of saying: a medium speaks of what it found out, saw or was shown itself."""
_ASKED = re.compile(
    r"\b(?:interview|told|tells|spoke|asked|statement|letter|answer(?:s|ed)?|repl(?:y|ies|ied)|e-?mail\s+to)\b", re.I
)
_MARKS = re.compile(r"[\"“”]")
_PERSON = ("he", "she")
_THING = ("it", "they", "its", "their")
_FIRST = ("i", "we", "our", "my")
# Of a claim's words that a sentence has, the share that must stand in the speaker's mouth.
_IN_HIS_MOUTH = 0.5


def voices(claim: SentenceReading, passage: Reading, subject: Subject, *, title: str = "") -> tuple[Voice, ...]:
    """The voice of each sentence of the passage, in order. `subject`: whom the claim is about."""
    around = f"{title}\n{passage.text}"
    told = [_covering(claim, sentence) for sentence in passage.sentences]
    quoted = _quoted(passage)
    turn = Voice()
    last = ""
    found: list[Voice] = []
    for index, sentence in enumerate(passage.sentences):
        if opened := _turn(sentence.text):
            turn = _of(f"{opened['who']}{opened['role'] or ''}", Manner.SAYS, subject, around)
        one = told[index]
        if one is not None:
            speaker = one.speaker
            if speaker.lower() in _FIRST:
                voice = turn if turn.name else Voice()
                voice = voice._replace(manner=one.manner, scope=one.scope)
            elif _is_own_work(sentence, one):
                voice = Voice(manner=Manner.FINDS, scope=one.scope)
            else:
                if speaker.lower() in _PERSON:
                    speaker = last or speaker
                elif speaker.lower() in _THING and (named := _just_named(passage, index, subject)):
                    speaker = named
                voice = _of(speaker, one.manner, subject, around)._replace(scope=one.scope)
        elif quoted[index]:
            beside = _beside(passage, index, quoted)
            voice = _of(beside.speaker, beside.manner, subject, around) if beside else Voice(Teller.WITNESS)
        else:
            voice = turn
        if voice.teller is not Teller.PARTY and speaks_of_itself(sentence.text, subject):
            voice = voice._replace(teller=Teller.PARTY)
        for other in attributed(sentence.text):
            last = other.speaker if other.speaker.lower() not in (*_PERSON, *_THING, *_FIRST) else last
        found.append(voice)
    return tuple(found)


def _is_own_work(sentence: SentenceReading, one: Attributed) -> bool:
    """'Documents seen by this newspaper show', 'our reporters can say': what a medium found out itself."""
    before = sentence.text[: one.cue.start]
    return bool(_FOUND_OUT.search(before)) and not _ASKED.search(before)


def _turn(text: str) -> re.Match[str] | None:
    opened = _TURN.match(text)
    return None if opened is None or _NO_SPEAKER.search(opened.group()) else opened


def _of(speaker: str, manner: Manner, subject: Subject, around: str) -> Voice:
    party = is_party(speaker, subject, around)
    teller = Teller.PARTY if party else Teller.AUTHORITY if is_authority(speaker) else Teller.WITNESS
    return Voice(teller, speaker_name(speaker, subject, party=party), manner)


def _covering(claim: SentenceReading, sentence: SentenceReading) -> Attributed | None:
    """The attribution whose scope has most of what the sentence has of the claim."""
    shared = claim.bag & sentence.bag
    best: tuple[float, Attributed] | None = None
    for one in attributed(sentence.text):
        inside = shared & frozenset(sentence.within(one.scope))
        share = len(inside) / len(shared) if shared else 0.0
        if share >= _IN_HIS_MOUTH and (best is None or share > best[0]):
            best = share, one
    return best[1] if best else None


def _just_named(passage: Reading, index: int, subject: Subject) -> str:
    """The claim's subject, where the sentence before is about it."""
    before = passage.sentences[index - 1].text if index else ""
    return next((name for name in subject.names if name.split()[0] in before), "")


def _quoted(passage: Reading) -> list[bool]:
    """Which sentences stand in quotation marks for the most part, opened here or before."""
    open_at = False
    found = []
    for sentence in passage.sentences:
        inside, place = 0, 0
        for mark in _MARKS.finditer(sentence.text):
            inside += (mark.start() - place) if open_at else 0
            open_at = mark.group() == "“" or (mark.group() == '"' and not open_at)
            place = mark.end()
        inside += (len(sentence.text) - place) if open_at else 0
        found.append(inside > 0.6 * len(sentence.text))
        if "\n\n" in passage.text[sentence.span.end : sentence.span.end + 2] and not sentence.text.endswith((",", "”")):
            open_at = False
    return found


def _beside(passage: Reading, index: int, quoted: list[bool]) -> Attributed | None:
    """Who speaks a quoted sentence that does not say so itself: told in the next sentence, or the one before."""
    for other in (index + 1, index - 1, index - 2):
        if 0 <= other < len(passage.sentences):
            for one in attributed(passage.sentences[other].text):
                if one.quoted or one.cue.end >= len(passage.sentences[other].text) - 2 or quoted[other]:
                    return one
    return None

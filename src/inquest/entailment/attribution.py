"""The speaker of a sentence: the document itself, a party, an authority, or another witness.

A newspaper that quotes a company is a witness only to the quotation. The word lists are in `attribution.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from inquest.domain.finding import Mode, SpeakerKind
from inquest.entailment.parsed_text import Statement
from inquest.sources.publisher_names import known_keys, name_key
from inquest.text.entities import NameKind, same_name
from inquest.text.lexicon import verbose_patterns
from inquest.text.sentences import Span, content_words
from inquest.text.units import UNITS


class Manner(StrEnum):
    """The attitude of a speaker to the statement."""

    SAYS = "says"
    DENIES = "denies"
    ADMITS = "admits"


NOWHERE = Span(0, 0)
_QUOTED = 0.4
"""A sentence with a smaller share of its text outside quotation marks is a quotation."""


@dataclass(frozen=True)
class Attribution:
    """The speaker of a sentence. `scope`: the part of the sentence that is attributed."""

    speaker: SpeakerKind = SpeakerKind.DOCUMENT
    name: str = ""
    """As written; '' for the document itself or a pronoun."""
    manner: Manner = Manner.SAYS
    scope: Span = NOWHERE

    @property
    def admission(self) -> bool:
        """True for a party's statement against itself."""
        return self.speaker is SpeakerKind.PARTY and self.manner is Manner.ADMITS


THE_DOCUMENT = Attribution()
"""The document's own statement."""


_patterns = partial(verbose_patterns, "inquest.entailment", "attribution")


def attributed(sentence: str) -> tuple[Attribution, ...]:
    """Return the attributions of a sentence in order, with names as written and the kind of speaker still undecided."""
    found = []
    for name in ("according_to", "before", "after"):
        for match in _patterns()[name].finditer(sentence):
            scope = _scope(name, match, sentence)
            groups = match.groupdict()
            who = " ".join((groups["who"] or groups.get("who2") or "").split()).rstrip(".,;")
            verb = groups.get("verb") or ""
            if not (_patterns()["no_speaker"].fullmatch(who) or _patterns()["passive"].search(who)):
                found.append(Attribution(SpeakerKind.UNNAMED, who, _manner(verb), scope))
    return tuple(found)


WORDS_ALONE = frozenset((Mode.PLANNED, Mode.EXPECTED, Mode.DENIED, Mode.ASKED))
"""Modes of statements that establish no more than that they were made."""


def is_about_words(claim: str) -> bool:
    """True if a claim, in English, is only that somebody says, denies, asks for, plans or expects something."""
    said = (each for each in attributed(claim) if each.name and claim.startswith(each.name))
    return any(each.scope.end >= len(claim.rstrip(".")) for each in said) or bool(_patterns()["wants"].match(claim))


def _scope(form: str, match: re.Match[str], sentence: str) -> Span:
    """Return the attributed text: after the cue, or before it if the cue ends the sentence."""
    opens = form == "before" or (form == "according_to" and match.start() < 3)
    inserted = form == "before" and match.start() > 3 and sentence[: match.start()].rstrip().endswith((",", "”", '"'))
    if inserted:
        return Span(0, len(sentence))
    if not opens:
        return Span(0, match.start())
    # 'A chemist who told a newspaper about it, the court ruled, was ...': only the clause is what the chemist told.
    ends = sentence.find(",", match.end()) if match["who"].endswith(" who") else -1
    return Span(match.end(), ends if ends > 0 else len(sentence))


def _manner(verb: str) -> Manner:
    if _patterns()["denies"].search(verb):
        return Manner.DENIES
    return Manner.ADMITS if _patterns()["admits"].search(verb) else Manner.SAYS


def attribution_of(claim: Statement, statements: Sequence[Statement], place: int, around: str) -> Attribution:
    """Return the speaker of what the sentence at `place` says about the claim. `around`: title and opening of the
    document, which may give a person's office."""
    sentence = statements[place]
    one = _covering(claim, sentence)
    if one is None and len(_unquoted(sentence.text)) < _QUOTED * len(sentence.text):
        one = _beside(statements, place) or Attribution(SpeakerKind.WITNESS)
    if one is None:
        if claim.subjects and _patterns()["first_person"].search(_unquoted(sentence.text)):
            return Attribution(SpeakerKind.PARTY)
        return Attribution()
    name = one.name
    if _patterns()["pronoun"].fullmatch(name):
        name = _named_before(statements, place)
    near = f"{around} {' '.join(each.text for each in statements[:place][-3:])}"
    if _patterns()["own_document"].search(name):
        speaker = _kind_of_owner(name, claim, sentence)
    else:
        speaker = _kind(name or one.name, claim, near)
    shown = name
    if speaker is SpeakerKind.PARTY and claim.subjects and (not name or name[:1].islower() or name.startswith("The ")):
        shown = next((each for each in claim.subjects if _can_speak(each, claim)), "")
    if speaker is SpeakerKind.WITNESS and not any(word[:1].isupper() for word in shown.split()[1:] or [shown]):
        speaker = SpeakerKind.UNNAMED
    return replace(one, speaker=speaker, name=_patterns()["article"].sub("", shown))


def _can_speak(name: str, claim: Statement) -> bool:
    """True for no unit or thing, and no place in a list of places."""
    before = claim.text[: claim.text.find(name)]
    return name not in UNITS and not _patterns()["thing"].search(name) and not _patterns()["placed"].search(before)


def _covering(claim: Statement, sentence: Statement) -> Attribution | None:
    """Return the first attribution that covers at least half of what the sentence shares with the claim."""
    shared = claim.terms & sentence.terms
    inside = ((one, shared & set(content_words(one.scope.of(sentence.text)))) for one in attributed(sentence.text))
    return next((one for one, words in inside if 2 * len(words) >= len(shared)), None)


def _unquoted(text: str) -> str:
    return _patterns()["quotation"].sub("", text)


def _beside(statements: Sequence[Statement], place: int) -> Attribution | None:
    """Return the speaker of a quoted sentence from the next sentence, or the one before."""
    beside = [statements[other].text for other in (place + 1, place - 1) if 0 <= other < len(statements)]
    return next((found[0] for text in beside if (found := attributed(text))), None)


def _named_before(statements: Sequence[Statement], place: int) -> str:
    """Return the last speaker named before a 'he said'."""
    for statement in reversed(statements[max(0, place - 3) : place]):
        for one in reversed(attributed(statement.text)):
            if not _patterns()["pronoun"].fullmatch(one.name):
                return one.name
        if statement.names:
            return statement.names[0].text
    return ""


def _kind(name: str, claim: Statement, around: str) -> SpeakerKind:
    patterns = _patterns()
    owner = patterns["spokesman_of"].search(name)
    spoken = " ".join((owner["owner"] or owner["whose"]).split()) if owner else name
    official = bool(patterns["authority"].search(spoken))
    if not official and any(same_name(spoken, subject) for subject in claim.subjects):
        return SpeakerKind.PARTY
    if patterns["press"].search(spoken):
        return SpeakerKind.MEDIA
    if official:
        return SpeakerKind.AUTHORITY
    if name_key(spoken) in known_keys():
        return SpeakerKind.MEDIA
    if patterns["side"].search(spoken) or (owner is None and patterns["spokesman"].search(name)):
        return SpeakerKind.PARTY
    return SpeakerKind.PARTY if _holds_office(spoken, claim, around) else SpeakerKind.WITNESS


def _kind_of_owner(name: str, claim: Statement, sentence: Statement) -> SpeakerKind:
    """Return the kind of owner of 'its latest report': the name before it in the sentence, or a company."""
    before = sentence.text.split(name)[0]
    named = next((each.text for each in sentence.names if each.text in before and each.kind is not NameKind.PLACE), "")
    kind = _kind(named, claim, "") if named else SpeakerKind.WITNESS
    return SpeakerKind.PARTY if kind is SpeakerKind.WITNESS and _patterns()["side"].search(before) else kind


def _holds_office(name: str, claim: Statement, around: str) -> bool:
    """True for 'Mr Brown said' if the text has 'the club's chairman, Tom Brown' and the claim is about the club."""
    surname = name.split()[-1] if name else ""
    if len(surname) < 3 or not surname[0].isupper():
        return False
    near = [around] if _patterns()["office"].search(name) else []
    for match in re.finditer(rf"\b{re.escape(surname)}\b", f"{around} {name}"):
        beside = around[max(0, match.start() - 90) : match.end() + 70]
        near += [beside] if _patterns()["office"].search(beside) else []
    return any(subject.split()[0] in each for subject in claim.subjects for each in near)

"""The judgment of a passage that a search found, sentence by sentence.

Most of what a search brings says nothing to the claim although it has its words, and much of what says something is
somebody's word. So here only rules decide, one sentence must say it (names and subject may stand beside it), and the
judgment says whose word it is: what a party says of itself, what somebody told a paper, and what is itself under check
are not what a source found out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.facilities import spelled_out
from inquest.entailment.framing import Framing, answer_to, framing, is_hedged
from inquest.entailment.headlines import as_read, in_quotes, meant_by_headline
from inquest.entailment.meant import Bearing, Read
from inquest.entailment.page import NO_PAGE, Page
from inquest.entailment.pair import Around
from inquest.entailment.party import Subject, is_authority, speaks_of_itself, subject_of
from inquest.entailment.plain import plain
from inquest.entailment.reading import Reading, SentenceReading, read_passage, read_sentence
from inquest.entailment.reported import denies_the_charge_alone, is_about_a_statement, says_it_again
from inquest.entailment.speakers import Manner
from inquest.entailment.voice import Teller, Voice, voices
from inquest.text.entities import NameKind, names, same_name
from inquest.text.phrases import capitalised
from inquest.text.sentences import Span, fold

__all__ = ["NO_PAGE", "Found", "Page", "judge_found", "voice_at"]

_S, _C, _N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL
_OWN_WORD = 0.6
"""The most that a party's word weighs."""
_HEARSAY = 0.45
"""The most that somebody's word weighs: below what can carry a side alone."""
_SAME_WORKS = "That the works it names are those of the claim is told by another document."
_OWN_STATEMENT = re.compile(
    r"\b(?:our|my|its|their|his|her)\s+(?:\w+\s+)?(?:statement|answer|claim|reply|assurance|report|announcement|denial|press\s+"
    r"release|information|account|words)|\b(?:I|we)\s+(?:\w+\s+)?(?:stated|said|told|answered|wrote|claimed|announced|declared)\b",
    re.I,
)


_IN_PERSON = re.compile(r"\b(?:[Oo]ur|[Mm]y|I|[Ww]e)\b")
_ASKS_IT = 0.5
"""Share of a question's words that must be the claim's, for its answer to be one to the claim."""
_WITHDRAWN = re.compile(r"should\s+(?:not|never)\s+have\s+been|withdr[ae]w|retract|correct", re.I)
_MIGHT = re.compile(r"\b(?:may|might|could)\s+(?:\w+\s+)?(?:have\s+|be\s+|miss|fail|rise|fall|not\b|turn)", re.I)
_ORDER = re.compile(r"\b(?:before|after)\b")
_LEANS_ON = 3
_LEANING = re.compile(r"[\"“']?(?:the|it|its|this|that|these|those|they|their|he|she|his|her|both|such)\b", re.I)


_IS_PRESS = re.compile(
    r"news|times|post|herald|courier|tribune|gazette|journal|ledger|echo|mail|chronicle|observer|examiner|telegraph|press|star|"
    r"wire|blog|watch|daily|review|magazine|radio|gov|parliament|court|council|health|police|union",
    re.I,
)
_WORKS_AFTER = re.compile(r"\s+(?:works|plant|mill|site|factory|refinery|smelter|mine|pit|quarry|station)\b")
_AT_BEFORE = re.compile(r"\b(?:at|in|near|of)\s+(?:the\s+)?$")
_WITHDREW_ITS = re.compile(
    r"\bthe\s+(?:company|group|firm|bank|manufacturer|operator)\b[^.;]{0,40}\b(?:withdr[ae]w\w*|retracted|corrected)\s+its\s+"
    r"(?:\w+\s+)?(?:statement|claim|denial|assurance|announcement|answer)\b",
    re.I,
)
_SELF = re.compile(
    r"\b(?:we|our|us|I|my|the\s+(?:company|firm|group|club|bank|university|party|ministry|department|agency))\b", re.I
)


class Found(NamedTuple):
    """The judgment of one passage, and whose word it rests on. `span`: the sentence, or two that stand together."""

    stance: Stance
    confidence: float
    type: ContradictionType | None
    span: Span
    reasons: tuple[str, ...]
    voice: Voice = Voice()
    admission: bool = False
    """A party against its own interest: it takes back or admits."""


def judge_found(claim: str, passage: str, page: Page = NO_PAGE, read: Read | None = None) -> Found:
    """How a found passage bears on the claim; `read` asks a model where rules are silent. An empty claim or passage is
    neutral with confidence 0."""
    wanted, reading = read_sentence(as_read(claim)), read_passage(passage)
    if not reading.sentences or not claim.strip():
        return Found(_N, 0.0, None, Span(0, 0), ("There is nothing to compare.",))
    if all(sentence.asks for sentence in reading.sentences):
        return Found(_N, 0.7, None, reading.sentences[0].span, ("The passage only asks.",))
    subject = subject_of(wanted)
    spoken = voices(wanted, reading, subject, title=f"{page.title}\n{page.lead}")
    judged = [
        _sound(_sentence(index, wanted, reading, subject, spoken[index], page, read), wanted, reading.sentences[index])
        for index in range(len(reading.sentences))
        if _worth(wanted, reading, index)
    ]
    if not judged:
        return Found(_N, 0.75, None, reading.sentences[0].span, ("The passage shares no word with the claim.",))
    decided = [(found, said) for found, said in judged if found.stance is not _N]
    if decided:
        return max(decided, key=lambda one: _rank(one[0]))[0]
    return max(judged, key=lambda one: one[1])[0]


def _sound(judged: tuple[Found, float], claim: SentenceReading, sentence: SentenceReading) -> tuple[Found, float]:
    """The judgment, where it can stand: no sentence goes against a claim that it repeats, and what is said of a matter
    does not go against the claim that something was said of it."""
    found, said = judged
    put = framing(sentence).framing
    if put in (Framing.ASKED, Framing.TESTED, Framing.OPEN, Framing.RUMOURED):
        return judged
    told = is_about_a_statement(claim.text)
    if found.stance is _S or (found.stance is _N and not told):
        return judged
    if says_it_again(claim, sentence, whenever=told) and not _turned_about(claim, sentence):
        framed = found.admission or put is not Framing.STATED
        if framed and not told:
            return judged  # what is taken back, called untrue or put to the test is said again, too
        reasons = ("The passage says the same in nearly the same words.",)
        return found._replace(stance=_S, confidence=0.75, type=None, reasons=reasons, admission=False), said
    if found.stance is _C and told:
        reasons = ("The claim is about what was said; the passage is about the matter itself.",)
        return found._replace(stance=_N, confidence=0.6, type=None, reasons=reasons, admission=False), said
    return judged


def _turned_about(claim: SentenceReading, sentence: SentenceReading) -> bool:
    """Whether one word makes the opposite of a long sentence: 'rose' for 'fell', 'after' for 'before'."""
    mine, theirs = {(one.axis, one.sign) for one in claim.poles}, {(one.axis, one.sign) for one in sentence.poles}
    opposed = any((axis, -sign) in theirs and (axis, sign) not in theirs for axis, sign in mine)
    orders = [set(_ORDER.findall(text.lower())) for text in (claim.text, sentence.text)]
    return opposed or (all(len(each) == 1 for each in orders) and orders[0] != orders[1])


def voice_at(claim: str, passage: str, span: Span, page: Page = NO_PAGE) -> Voice:
    """Whose word the words at a place of the passage are: for judgments that somebody else made."""
    wanted, reading = read_sentence(claim), read_passage(passage)
    spoken = voices(wanted, reading, subject_of(wanted), title=f"{page.title}\n{page.lead}")
    shared = [min(span.end, each.span.end) - max(span.start, each.span.start) for each in reading.sentences]
    if not shared:
        return Voice()
    place = max(range(len(shared)), key=lambda index: shared[index])
    frame, own_page = framing(reading.sentences[place]), not page.domain or _is_the_subjects(page, wanted)
    taken_back = frame.framing is Framing.UNTRUE and _takes_back(
        reading.sentences[place].text, spoken[place], subject_of(wanted), frame.cue, own_page=own_page
    )
    return spoken[place]._replace(teller=Teller.PARTY, manner=Manner.ADMITS) if taken_back else spoken[place]


def _rank(found: Found) -> tuple[int, float, bool]:
    """What a source found out goes before what it heard, and that before what a party says of itself; of equals the
    surer, and of those the one that goes against the claim."""
    order = {Teller.ITSELF: 3, Teller.AUTHORITY: 3, Teller.WITNESS: 2, Teller.PARTY: 1}
    return (3 if found.admission else order[found.voice.teller]), found.confidence, found.stance is _C


def _worth(claim: SentenceReading, passage: Reading, index: int) -> bool:
    """A sentence without any word or number of the claim is looked at only where it speaks of the one before: 'That was
    ...'."""
    sentence = passage.sentences[index]
    if index and _LEANING.match(sentence.text) and len(claim.bag & passage.sentences[index - 1].bag) >= 2:
        return True
    return bool(claim.bag & sentence.bag) or bool(sentence.quantities and claim.quantities)


def _sentence(
    index: int,
    claim: SentenceReading,
    passage: Reading,
    subject: Subject,
    voice: Voice,
    page: Page,
    read: Read | None,
) -> tuple[Found, float]:
    sentence = passage.sentences[index]
    frame = framing(sentence)
    around = _around(passage, index, page)
    statement = sentence.text
    if frame.framing in (Framing.UNTRUE, Framing.TESTED):
        statement = frame.clause.of(statement)
        around = around._replace(before=f"{around.before} {sentence.text}")
    elif voice.scope is not None:
        statement = voice.scope.of(statement)
        around = around._replace(before=f"{around.before} {sentence.text}", meant=voice.manner is Manner.INTENDS)
    stated = frame.framing is Framing.STATED
    statement = statement.strip(" ,")
    spelled = spelled_out(statement, page.facilities)
    bearing = plain(claim, subject, spelled, around, read if stated else None)
    if stated and read is not None and bearing.stance is _N and not in_quotes(passage.text, sentence.span):
        bearing = meant_by_headline(claim, subject, spelled, around, read) or bearing
    own_page = not page.domain or _is_the_subjects(page, claim)
    found = _framed(index, passage, bearing, frame.framing, frame.cue, voice, subject, claim, own_page)
    if spelled != statement and found.stance is not _N:
        found = found._replace(reasons=(*found.reasons, _SAME_WORKS))
    return found, bearing.said


def _is_the_subjects(page: Page, claim: SentenceReading) -> bool:
    """Whether the page may be published by one whom the claim names: by its address, or by whom its title or opening
    names first. A paper that takes back a report of its own takes back nothing of the company's."""
    written = fold(page.domain.removeprefix("www.").split(".")[0])
    label = written.replace("-", "")
    wanted = [name.text for name in names(claim.text)]
    if _names_no_firm(claim.text) and not is_authority(written.replace("-", " ")) and not _IS_PRESS.search(written):
        opening = fold(f"{page.title} {page.lead}")
        return len(label) > 2 and bool(re.search(rf"\b{re.escape(label)}\b", opening))
    if any(len(each) > 2 and label.startswith(each) for name in wanted for each in fold(name).split()[:1]):
        return True
    opened = next((name.text for text in (page.title, page.lead) for name in names(text) if name.sure), "")
    return bool(opened) and any(same_name(opened, name) for name in wanted)


def _names_no_firm(claim: str) -> bool:
    """Whether the claim names only works and places: 'at no time was drinking water affected by the Haverley works'."""
    return all(
        name.kind is NameKind.PLACE
        or _WORKS_AFTER.match(claim, name.span.end)
        or _AT_BEFORE.search(claim[: name.span.start])
        for name in names(claim)
        if name.sure
    )


def _reaches_back(texts: list[str], index: int) -> int:
    """Where the sentences begin that a sentence leans on: the one before, and further while those begin with 'The' or
    'It'."""
    first = index
    while first > 0 and index - first < _LEANS_ON:
        first -= 1
        if not _LEANING.match(texts[first]):
            break
    return first


def _around(passage: Reading, index: int, page: Page) -> Around:
    texts = [sentence.text for sentence in passage.sentences]
    return Around(
        before=" ".join(texts[_reaches_back(texts, index) : index]),
        after=texts[index + 1] if index + 1 < len(texts) else "",
        title=f"{page.title}\n\n{page.lead}{_itself(texts[index], page)}",
        whole=f"{page.lead}\n\n{passage.text}",
        published=page.published,
        day=page.day,
        elsewhere=page.elsewhere,
    )


def _itself(text: str, page: Page) -> str:
    """The name in the page's address, where the sentence speaks of whoever publishes it: 'our works', 'the company'."""
    label = page.domain.split(".")[0]
    return f"\n\n{label.replace('-', ' ').title()}" if label and _SELF.search(text) else ""


def _framed(
    index: int,
    passage: Reading,
    bearing: Bearing,
    put: Framing,
    cue: str,
    voice: Voice,
    subject: Subject,
    claim: SentenceReading,
    own_page: bool,
) -> Found:
    """What the bearing of a statement becomes by the way it is put and answered."""
    sentence = passage.sentences[index]
    span = sentence.span
    restates = bearing.stance is _S or (bearing.stance is _N and bearing.restates)
    neutral = Found(_N, 0.6, None, span, bearing.reasons, voice)
    if put is Framing.OPEN:
        return neutral._replace(reasons=(f"The passage leaves it open ('{cue}').",)) if bearing.said >= 0.4 else neutral
    if put is Framing.RUMOURED:
        if bearing.stance is _N:
            return neutral
        return neutral._replace(reasons=(f"The passage only passes on what is said ('{cue}').",))
    if put is Framing.UNTRUE:
        own = _takes_back(sentence.text, voice, subject, cue, own_page=own_page)
        teller = voice if not own else voice._replace(teller=Teller.PARTY)
        if restates:
            reason = f"The passage calls it untrue, or says that nothing shows it ('{cue}')."
            return _told(Found(_C, 0.8, ContradictionType.DIRECT, span, (reason,), teller, own))
        if bearing.either_or:
            reason = f"The passage calls the opposite untrue ('{cue}')."
            return _told(Found(_S, 0.7, None, span, (reason, *bearing.reasons), teller, own))
        return neutral
    answer = answer_to(passage, index) if restates or bearing.either_or else None
    if put is Framing.ASKED and len(claim.bag & sentence.bag) < _ASKS_IT * len(sentence.bag):
        answer = None  # it asks for something else, and the claim's words are beside it
    if answer is not None:
        found = _answered(passage, index, bearing, put, answer, voice, subject, restates, own_page)
        if found is not None:
            return found
    if put is Framing.ASKED:
        return neutral._replace(reasons=("The sentence only asks.",))
    if put is Framing.TESTED:
        return neutral._replace(reasons=("The sentence only gives the claim that is checked there.",))
    if voice.manner is Manner.DENIES:
        if restates and denies_the_charge_alone(claim.text, sentence.text):
            return neutral._replace(reasons=("Who disputes a charge does not say that it was not made.",))
        if restates:
            reason = "The passage reports a denial."
            return _told(Found(_C, 0.7, ContradictionType.DIRECT, span, (reason,), voice))
        if bearing.either_or:
            return _told(Found(_S, 0.6, None, span, ("The passage reports that the opposite is denied.",), voice))
        return neutral
    if bearing.stance is _N:
        return neutral
    if is_hedged(sentence.text) and not is_hedged(claim.text) and bearing.stance is _S:
        return neutral._replace(reasons=("The passage says only that it could be so.",))
    if _MIGHT.search(sentence.text) and not is_hedged(claim.text) and bearing.stance is _C:
        return neutral._replace(reasons=("The passage says only that it could be so.",))
    confidence = bearing.confidence
    if is_hedged(sentence.text) and bearing.stance is _C and not is_hedged(claim.text):
        confidence = min(confidence, _HEARSAY)
    return _told(Found(bearing.stance, confidence, bearing.type, span, bearing.reasons, voice, voice.admits))


def _takes_back(text: str, voice: Voice, subject: Subject, cue: str = "", *, own_page: bool = True) -> bool:
    """Whether a party calls its own word untrue: 'our statement that ... was wrong', 'the company admitted that'.
    `own_page`: who says 'our' there may be the claim's subject."""
    if voice.admits or (voice.teller is Teller.PARTY and _WITHDRAWN.search(cue)):
        return True
    if _WITHDREW_ITS.search(text) and voice.name.lower() in ("", "it", "its"):
        return True
    if not _OWN_STATEMENT.search(text):
        return False
    in_person = speaks_of_itself(text, subject) or (own_page and bool(_IN_PERSON.search(text)))
    return voice.teller is Teller.PARTY or (voice.teller is Teller.ITSELF and in_person)


def _answered(
    passage: Reading,
    index: int,
    bearing: Bearing,
    put: Framing,
    answer: tuple[Framing, int],
    voice: Voice,
    subject: Subject,
    restates: bool,
    own_page: bool,
) -> Found | None:
    """A statement or question with its answer: the two sentences are the quote."""
    said, other = answer
    sentence, reply = passage.sentences[index], passage.sentences[other]
    if (
        put is Framing.STATED
        and voice.teller is Teller.ITSELF
        and not voice.name
        and not reply.text[:5].lower().startswith(("this", "that"))
    ):
        return None
    span = Span(sentence.span.start, reply.span.end)
    taken_back = _takes_back(sentence.text, voice, subject, own_page=own_page)
    teller = voice if taken_back else Voice()
    words = f"'{' '.join(reply.text.split())[:60]}'"
    if said is Framing.TRUE:
        if put is Framing.STATED or not restates:
            return None
        return Found(_S, 0.7, None, span, (f"The passage answers {words}.",), teller)
    if said is Framing.BENT:
        if not restates:
            return None
        return Found(_C, 0.7, ContradictionType.CONTEXTUAL, span, (f"The passage answers {words}.",), teller)
    if restates:
        return Found(_C, 0.8, ContradictionType.DIRECT, span, (f"The passage answers {words}.",), teller, taken_back)
    return Found(_S, 0.65, None, span, (f"The passage answers {words} to the opposite.",), teller, taken_back)


def _told(found: Found) -> Found:
    """The judgment with what it is worth by whose word it is."""
    voice = found.voice
    if found.admission:
        who = voice.name if voice.name.lower() not in ("", "it", "its", "they", "their") else "the party itself"
        return found._replace(reasons=(*found.reasons, f"{capitalised(who)} says so against itself."))
    if voice.teller is Teller.PARTY:
        who = voice.name or "the publisher"
        reason = f"It is the own statement of {who}."
        return found._replace(confidence=min(found.confidence, _OWN_WORD), reasons=(*found.reasons, reason))
    if voice.teller is Teller.WITNESS or voice.manner is Manner.ALLEGES:
        reason = f"The passage only reports that {voice.name or 'somebody'} says so."
        return found._replace(confidence=min(found.confidence, _HEARSAY), reasons=(*found.reasons, reason))
    if voice.teller is Teller.AUTHORITY:
        return found._replace(reasons=(*found.reasons, f"The passage has it from {voice.name}."))
    return found

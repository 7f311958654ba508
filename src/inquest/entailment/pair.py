"""A claim and one statement side by side: how much of the claim it says, of whom, of when, and how far along it is."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from inquest.entailment.amounts import Amount, AmountMatch, Mood, amounts, mood_at
from inquest.entailment.dates import agree
from inquest.entailment.evidence import Evidence, gather
from inquest.entailment.named import named_in_short, names_a_namesake, stands_for_a_place
from inquest.entailment.party import AFTER_PREPOSITION, Subject, is_common
from inquest.entailment.predicates import predicates, same_word
from inquest.entailment.reading import SentenceReading
from inquest.text.entities import NamesMet, is_likely, names, same_name
from inquest.text.moments import moments
from inquest.text.passages import stems
from inquest.text.quantities import Dimension
from inquest.text.sentences import Span, stem
from inquest.text.word_weights import rarity

__all__ = [
    "LEANS",
    "TOLD_LITTLE",
    "Around",
    "Pair",
    "about_another",
    "another_stage",
    "flipped",
    "half_negated",
    "negated_alone",
    "pair_of",
    "phrased",
    "same_deed",
    "spelled",
    "turned",
    "without_its_cause",
]

TOLD_LITTLE = 0.25
"""Share of a claim that must be told, by a statement and those beside it, for the statement to speak of it at all."""
LEANS = re.compile(r"^\W*(?:(?:it|this|that|these|those|they|he|she)\b|(?:the|this|that|these|its|their)\s+\w+)", re.I)
"""A statement that begins with a pronoun or an article speaks of what was spoken of before."""
_BESIDE = 0.5
"""What a word counts that only stands in the sentences beside."""
_MODAL = ("must", "shall", "may", "might", "will", "would", "could", "can")
_PARTICLE = re.compile(r"\b(?P<verb>[a-z]{3,})\s+(?:\w+\s+)?(?P<particle>off|out|down|away|back|up)\b", re.I)
_DATELINE = re.compile(r"\W*[A-Z][A-Z .'’-]{2,30}\s*(?:,[^()–—-]{2,30})?(?:\([^)]{2,30}\))?\s*[-–—:]\s")


class Around(NamedTuple):
    """What stands around a statement, where its names and its subject may be."""

    before: str = ""
    after: str = ""
    title: str = ""
    whole: str = ""
    """The passage, and how its document opens: where it happens may be said further off."""
    published: date | None = None
    """The last day the document can be of."""
    day: date | None = None
    """The day it is of, where that is known."""
    meant: bool = False
    """It is announced or spoken of."""
    elsewhere: frozenset[str] = frozenset()
    """Stems of the claim that the document has, wherever."""

    @property
    def text(self) -> str:
        """Where the names are looked for."""
        return "\n\n".join(part for part in (self.title, self.before, self.after) if part)


class Pair(NamedTuple):
    """A claim and a statement, and what was measured between them."""

    claim: SentenceReading
    subject: Subject
    evidence: Evidence
    around: Around
    numbers: tuple[Amount, ...]
    """One per amount of the claim."""
    said: float
    """Share of what the claim says, its names and numbers left aside, that the statement says: 0 to 1, by weight."""
    told: float
    """As `said`, with half of what only the sentences beside it say."""
    own: frozenset[str]
    """The claim's stems, those of its names, numbers and times left aside."""
    shared: frozenset[str]
    """Those of them that the statement has, in whatever form."""
    time: str
    """Why it is about another time; '' where it is not, or does not say."""
    same_time: bool
    """It gives the claim's time, as exactly as the claim does."""

    @property
    def sentence(self) -> SentenceReading:
        """The statement."""
        return self.evidence.sentence


def pair_of(claim: SentenceReading, subject: Subject, statement: str, around: Around) -> Pair | None:
    """Claim and statement as a pair; None where there is nothing to compare."""
    evidence = gather(claim.text, statement, title=around.text)
    if evidence is None:
        return None
    if evidence.names.missing:
        evidence = evidence._replace(names=_with_places(evidence.names, subject, around.whole))
        evidence = evidence._replace(names=_with_short(evidence.names, statement, around))
        evidence = evidence._replace(names=_without_symbols(evidence.names, statement))
    sentence = evidence.sentence
    aside = set(_MODAL)
    aside.update(stems(" ".join((*evidence.names.met, *evidence.names.missing))))
    for quantity in claim.quantities:
        aside.update(stems(quantity.text))
    for moment in claim.moments:
        aside.update(stems(moment.span.of(claim.text)))
    own = [term for term in claim.bag if term not in aside]
    beside = frozenset(stems(f"{around.before} {around.after}"))
    total = sum(rarity(term) for term in own)
    inside = [term for term in own if any(same_word(term, other) for other in sentence.bag)]
    only_beside = [term for term in own if term not in inside and any(same_word(term, other) for other in beside)]
    weight = sum(rarity(term) for term in inside)
    said = weight / total if total else 1.0
    told = (weight + _BESIDE * sum(rarity(term) for term in only_beside)) / total if total else 1.0
    time, same_time = _times(claim, sentence, around)
    numbers = amounts(claim, sentence, meant=around.meant)
    return Pair(
        claim, subject, evidence, around, numbers, said, told, frozenset(own), frozenset(inside), time, same_time,
    )  # fmt: skip


def _with_places(met: NamesMet, subject: Subject, whole: str) -> NamesMet:
    """The names met, with those that only say where taken from the whole passage."""
    further = {name for name in met.missing if name not in subject.names and name in whole}
    return NamesMet((*met.met, *further), tuple(name for name in met.missing if name not in further))


def _with_short(met: NamesMet, statement: str, around: Around) -> NamesMet:
    """The names met, with those that the statement, or what stands beside it, has in short."""
    whole = f"{around.text}\n\n{around.whole}\n\n{statement}"
    short = {name for name in met.missing if named_in_short(name, f"{statement}\n\n{around.text}", whole)}
    return NamesMet((*met.met, *sorted(short)), tuple(name for name in met.missing if name not in short))


_SYMBOL = re.compile(r"CO2\w*|CO₂\w*|GHG")
_SPELLED_OUT = re.compile(r"\bcarbon\b|\bgreenhouse\s+gas|\bemissions?\b|\bcredits?\b|\bCO2|\bCO₂", re.I)


def _without_symbols(met: NamesMet, statement: str) -> NamesMet:
    """The names met; 'CO2' is no name, and told by 'carbon dioxide' and 'emissions'."""
    if not _SPELLED_OUT.search(statement):
        return met
    symbols = tuple(name for name in met.missing if _SYMBOL.fullmatch(name))
    return NamesMet((*met.met, *symbols), tuple(name for name in met.missing if name not in symbols))


_PASSIVE = re.compile(r"\b(?:was|were|been|being|is|are)\s+(?:\w+ly\s+)?(\w+)\b(?!\s+by\b)", re.IGNORECASE)


def _unnamed_agent(name: str, pair: Pair) -> bool:
    """Whether the name is who acts in the claim, and the statement tells the same act without saying whose it was: 'The
    Authority fined Calder' and 'Calder was fined'."""
    claim = pair.claim.text.removeprefix("The ").lstrip()
    if not pair.evidence.names.met or not claim.startswith(name.removeprefix("The ")):
        return False
    told = [stem for match in _PASSIVE.finditer(pair.sentence.text) for stem in stems(match[1])]
    return any(same_word(one, term) for one in told for term in pair.claim.bag)


def _named_aside(first: str, text: str) -> str:
    """Why a sentence that has the subject's first word is not about it: it is only a place there, or stands in what
    describes somebody else ('Hollin Biotech, which shares a site with Norvane, was fined'); '' where it is about it."""
    word = first.split()[0]
    if stands_for_a_place(first, text):
        return f"The claim is about {first}, the sentence about a place called {word}."
    for beside in _DESCRIBED.finditer(text):
        named = beside["who"].removeprefix("The ")
        if (
            re.search(rf"(?<!\w){re.escape(word)}", beside["what"])
            and text.count(word) == 1
            and not same_name(named, first)
        ):
            return f"The claim is about {first}, the sentence about {named}."
    return ""


_DESCRIBED = re.compile(
    r"^\W*(?P<who>(?:[A-Z][\w&'’-]*\s*){1,4}),\s+(?P<what>(?:which|who|whose|an?|the|like|unlike|a\s+former)\s[^,;]{3,80}),",
    re.M,
)
_SCOPE = re.compile(r"Scopes?\b")
_OWNED = re.compile(r"['’]s\s")


def about_another(pair: Pair, *, of_what: bool = True) -> str:
    """Why the statement is about something or somebody else; '' where it may be about the claim's subject. `of_what`:
    it must share what the claim says, too, and not only whom it is about."""
    missing = [name for name in pair.evidence.names.missing if not is_common(name) and not _unnamed_agent(name, pair)]
    if missing:
        return f"The passage does not name {', '.join(missing[:2])}."
    leans = pair.told >= TOLD_LITTLE and LEANS.match(pair.sentence.text)
    if (
        of_what
        and not pair.shared
        and not leans
        and not any(number.match is AmountMatch.SAME for number in pair.numbers)
    ):
        return "The passage says nothing of what the claim says."
    first, text = pair.subject.first, pair.sentence.text
    namesake = names_a_namesake(first, text) if first else ""
    if namesake and not named_in_short(first, text, text):
        return f"The claim is about {first}, the sentence about {namesake}."
    if not first or _DATELINE.match(text):
        return ""
    if first.split()[0] in text:
        return _named_aside(first, text)
    known = [name for name in (*pair.subject.names, *pair.evidence.names.met) if not _SCOPE.match(name)]
    for name in names(text):
        owner = _OWNED.split(name.text)[0]  # 'Norvane's Scope 1' is of Norvane
        if any(same_name(owner, wanted) for wanted in known):
            break
        if _SCOPE.match(owner):
            continue
        if is_likely(name) and len(name.text) > 2 and not is_common(name.text):
            if AFTER_PREPOSITION.search(text[: name.span.start]):
                continue
            return f"The claim is about {first}, the sentence about {owner}."
    return ""


def _times(claim: SentenceReading, sentence: SentenceReading, around: Around) -> tuple[str, bool]:
    """Whether the statement's time is the claim's."""
    if not claim.moments:
        return "", False
    wanted = claim.moments[0]
    there = moments(sentence.text, around.day) if around.day else sentence.moments
    if there:
        if len(claim.moments) > 1 and len(there) > 1:
            apart = [one for one in claim.moments if not any(agree(one, other) for other in there)]
            if apart:
                return (
                    f"The claim speaks of {spelled(claim.text, apart[0].span)}, the passage of another period.",
                    False,
                )
        met = [(one, other) for one in claim.moments for other in there if agree(one, other)]
        if met:
            # 'In 2023' does not say that it was on 16 March.
            return "", any(one.order or other.end - other.start <= one.end - one.start for one, other in met)
        return (
            f"The claim speaks of {spelled(claim.text, wanted.span)}, "
            f"the passage of {spelled(sentence.text, there[0].span)}.",
            False,
        )
    for text in (around.before, around.title.split(chr(10))[0]):
        beside = moments(text)
        if beside and not any(agree(one, other) for one in claim.moments for other in beside):
            return (
                f"The claim speaks of {spelled(claim.text, wanted.span)}, "
                f"the passage of {spelled(text, beside[0].span)}."
            ), False
    if around.published and wanted.order not in ("before", "by", "until") and around.published < wanted.start:
        return f"It was written before {spelled(claim.text, wanted.span)}.", False
    return "", False


def spelled(text: str, span: Span) -> str:
    return " ".join(span.of(text).split())


_BECAUSE = re.compile(
    r"\b(?:because|due\s+to|caus(?:e|es|ed|ing)|result(?:s|ed)?\s+(?:of|in|from)|leads?\s+to|led\s+to|owing\s+to|thanks\s+to|"
    r"triggered|contribut\w+|from|made|makes|why|driv\w+|responsible|blam\w+)\b",
    re.I,
)


def without_its_cause(pair: Pair) -> bool:
    """Whether the claim says what caused something, and the statement only that both are so."""
    return bool(_BECAUSE.search(pair.claim.text)) and not _BECAUSE.search(pair.sentence.text)


def turned(pair: Pair) -> bool:
    words = pair.evidence.bearing
    return words.flipped > 0.2 or bool(words.opposed) or bool(words.denied_by) or pair.sentence.refuted


_WILL = re.compile(r"\b(?:will|shall)\b(?!\s+have\b)", re.I)


def another_stage(pair: Pair) -> bool:
    """What the claim says was done, the statement says is planned, due or over; or the other way round."""
    wanted, found = _stage(pair.claim, pair.shared), _stage(pair.sentence, pair.shared)
    if pair.around.meant and found is Mood.DONE and not pair.sentence.moments:
        found = Mood.MEANT
    if wanted is found:
        return False
    if wanted is Mood.DUE and found is Mood.DONE and _WILL.search(pair.claim.text):
        return True
    if wanted is Mood.DONE and found is Mood.DUE:
        return not _headline_of_a_payment(pair)
    return Mood.MEANT in (wanted, found)


def _headline_of_a_payment(pair: Pair) -> bool:
    """Whether the claim tells in the present of the same sum that the statement says will be paid ('Firm pays fine of 2
    million' is how a headline puts 'must pay'), or says that it was imposed."""
    paid = any(
        each.match is AmountMatch.SAME
        and each.claim.dimension is Dimension.MONEY
        and not _REGULAR.search(pair.claim.text)
        for each in pair.numbers
    )
    due = {match[1].lower() for match in _DUE_VERB.finditer(pair.sentence.text)}
    if paid and "pay" in due and _IMPOSED.search(pair.claim.text):
        return True
    return paid and any(re.search(rf"\b{verb}(?:e?s)\b", pair.claim.text) for verb in due)


_DUE_VERB = re.compile(r"\b(?:will|shall|must|(?:is|are|has|have)\s+to)\s+(?:\w+ly\s+)?([a-z]{2,})\b", re.I)
_IMPOSED = re.compile(r"\b(?:fined|penali[sz]ed|sanctioned|ordered|sentenced)\b", re.I)
"""Who has been fined must pay, and who must pay has been fined."""
_REGULAR = re.compile(r"\b(?:an?|per|each|every)\s+(?:hour|day|week|month|quarter|year|head|person|unit|share)\b", re.I)
"""What is paid again and again is paid now, or only will be."""


def _stage(reading: SentenceReading, shared: frozenset[str]) -> Mood:
    """The mood of the words that claim and statement share: the latest of them is nearest to the deed."""
    moods = []
    for match in re.finditer(r"[\w'’-]+", reading.text):
        terms = stems(match.group())
        if terms and any(same_word(terms[0], term) for term in shared):
            moods.append(mood_at(reading.text, Span(*match.span())))
    if Mood.MEANT in moods:
        return Mood.MEANT
    return Mood.DUE if Mood.DUE in moods else Mood.DONE


def negated_alone(pair: Pair) -> bool:
    return bool(pair.claim.negations) != bool(pair.sentence.negations)


def flipped(claim: SentenceReading, sentence: SentenceReading) -> set[str]:
    """The claim's words that one of the two negates and the other does not."""
    return {
        term
        for term in claim.bag
        for other in sentence.bag
        if same_word(term, other) and (term in claim.negated) != (other in sentence.negated)
    }


def same_deed(pair: Pair) -> bool:
    """Whether the statement has what the claim says is done or is so, and not only whom and what it is done to."""
    deeds = predicates(pair.claim.text)
    opposed = {stem(one.removeprefix("not ")) for one, _ in pair.evidence.bearing.opposed}
    return not deeds - opposed or bool(deeds & pair.shared)


def half_negated(pair: Pair) -> bool:
    """Whether one of the two negates what the other says; a negation of something else in a long sentence does not."""
    if pair.claim.negations and not pair.sentence.negations:
        return True
    return negated_alone(pair) and bool(flipped(pair.claim, pair.sentence))


def phrased(pair: Pair) -> bool:
    """'Called off' is not 'called for': a verb with its particle must stand there with it."""
    said = [(stems(one["verb"]), one["particle"].lower()) for one in _PARTICLE.finditer(pair.sentence.text)]
    for match in _PARTICLE.finditer(pair.claim.text):
        verb, particle = stems(match["verb"]), match["particle"].lower()
        if verb and not any(other == particle and same_word(verb[0], term) for terms, other in said for term in terms):
            return False
    return True

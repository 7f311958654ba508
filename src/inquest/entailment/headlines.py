"""A headline as a claim: what a model reads in it and in a sentence of a page, where the rules have nothing to say.

A headline says in a few words what happened: whoever reports the same event has its names and figures, and hardly one
of its other words ('steps down', 'has left his post'). So the model is asked sooner than of other claims
(`stance_meant`), and whatever makes another event of the sentence is for the rules to see: other people, another place,
figure or time, a 'no', what is only planned, feared or wanted, and what is told in somebody's quoted words.
"""

from __future__ import annotations

import re

from inquest.domain.finding import Stance
from inquest.entailment.bases import not_comparable
from inquest.entailment.framing import is_hedged
from inquest.entailment.meant import Bearing, Read, is_headline
from inquest.entailment.pair import Around, Pair, about_another, negated_alone, pair_of, turned
from inquest.entailment.party import Subject
from inquest.entailment.predicates import is_deed
from inquest.entailment.reading import SentenceReading
from inquest.text.entities import NameKind, names
from inquest.text.sentences import Span

__all__ = ["as_read", "in_quotes", "meant_by_headline"]

_SURE = 0.6
"""How sure the model must be, from the kinds of events that were looked at (bench/topics_made/seen.toml)."""
_BORNE_OUT = 0.6
"""Confidence of what only the model says of a headline."""
_OPENING = re.compile(
    r"(?P<first>[A-Z][a-z]+)(?=\s+(?:of|at|in|on|against|for|over|after|by|near|from|hits?|kills?|destroys?)\b)"
)
"""A headline's first word where it is no name by what follows."""
_NOT_YET = re.compile(
    r"\b(?:will|shall|would|should|could(?!\s+not)|may(?=\s+[a-z])|might)\b"
    r"|\b(?:intend|hope|wish|threaten|expect|consider|weigh|negotiat|propos)(?:s|es|e|ed|ing|d)?\b"
    r"|\b(?:plan|want|aim|seek|demand|request|call|push|press|campaign|prepar|discuss|bid|lobb)(?:s|es|e|ed|ing|d)?"
    r"\s+(?:to|for|on|about|with|an?|the|its|his|her|their)\b"
    r"|\b(?:appl|appli)(?:y|es|ed|ying)\s+for\b|\b(?:fear|warn|predict|forecast|practis|practic|rehears)\w*\b"
    r"|\b(?:ready|about|due|set|likely|expected|planning|considering|in\s+talks)\s+to\b",
    re.IGNORECASE,
)
"""Says of a deed that it is possible, wanted, asked for or feared, and so that it has not happened."""
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_A_NAME = re.compile(r"[A-Z][a-z]+(?:[-'’][A-Za-z]+)*")
_WHERE = re.compile(r"\b(?:in|at|near|from|outside|around)\s+(?:the\s+)?$", re.IGNORECASE)
_SITES = (
    "plant factory mill site refinery smelter",
    "warehouse storehouse",
    "depot",
    "mine pit quarry colliery",
    "canteen cafeteria",
    "office headquarters",
    "shop store outlet branch supermarket",
    "hospital clinic ward",
    "school college",
    "laboratory lab",
)
"""Kinds of places that somebody runs, each in several words."""
_KIND_OF_SITE = {word: row.split()[0] for row in _SITES for word in row.split()}
_QUOTES = re.compile(r"[\"“”]")


def as_read(claim: str) -> str:
    """The claim as its names can be read: a headline's first word stands in capitals for its place, and 'Closure of'
    names nobody."""
    if not is_headline(claim):
        return claim
    opening = _OPENING.match(claim)
    if opening is None or not is_deed(opening["first"]):
        return claim
    return claim[:1].lower() + claim[1:]


def in_quotes(text: str, span: Span) -> bool:
    """Whether a sentence stands in quotation marks, and so is somebody's word and not the page's."""
    before = len(_QUOTES.findall(text[: span.start]))
    inside = span.of(text).lstrip()
    return before % 2 == 1 or bool(_QUOTES.match(inside))


def meant_by_headline(
    claim: SentenceReading, subject: Subject, statement: str, around: Around, read: Read
) -> Bearing | None:
    """The support that the model reads in a statement for a headline; None where it is not sure, or where anything
    points to another event."""
    if not is_headline(claim.text):
        return None
    pair = pair_of(claim, subject, statement, around)
    if pair is None or not _names_who(pair) or _points_elsewhere(pair):
        return None
    titled = f"{around.title.split(chr(10))[0].strip()}. {statement}"
    sure = max(meaning.supports if (meaning := read(claim.text, text)) else 0.0 for text in (statement, titled))
    if sure < _SURE:
        return None
    reason = f"Read for its meaning, the passage reports what the headline says ({sure:.0%})."
    return Bearing(Stance.SUPPORTS, _BORNE_OUT, (reason,), said=pair.said)


def _names_who(pair: Pair) -> bool:
    """Whether the headline names whose event it is, or where, and the statement or the page's headline has that name.
    What names nobody is general ('Warm weather slows the virus'), and everything on its matter reads alike."""
    beside = f"{pair.around.title.split(chr(10))[0]}\n{pair.sentence.text}"
    return any(
        _A_NAME.fullmatch(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", beside)
        for name in names(pair.claim.text)
        if name.kind is not NameKind.ACRONYM
        for word in name.text.split()
    )


def _points_elsewhere(pair: Pair) -> bool:
    """Whether a statement is of other people, another time or figure, of the opposite, or of what has not happened."""
    text, headline = pair.sentence.text, pair.claim.text
    if about_another(pair, of_what=False) or not_comparable(headline, text):
        return True
    if pair.time or (pair.claim.moments and not pair.same_time) or _of_another_year(pair):
        return True
    if _somewhere_else(headline, text) or _of_another_site(headline, text):
        return True
    if negated_alone(pair) or turned(pair):
        return True
    if (is_hedged(text) or _NOT_YET.search(text)) and not (is_hedged(headline) or _NOT_YET.search(headline)):
        return True
    return not set(_FIGURE.findall(headline)) <= set(_FIGURE.findall(text))


def _of_another_year(pair: Pair) -> bool:
    """Whether the headline gives no time, and is news, and the statement tells of a year that is not the page's."""
    years = {moment.start.year for moment in pair.sentence.moments}
    published = pair.around.published
    return bool(years) and not pair.claim.moments and published is not None and published.year not in years


def _somewhere_else(headline: str, text: str) -> bool:
    """Whether both say where, and the statement has other places than the headline and none of its own."""
    wanted, told = _places(headline), _places(text)
    if not wanted or not told:
        return False
    return not any(place in text for place in wanted)


def _places(text: str) -> list[str]:
    return [name.text for name in names(text) if _WHERE.search(text[: name.span.start])]


def _of_another_site(headline: str, text: str) -> bool:
    """Whether both name a kind of site, and not the same: a company's depot is not its plant."""
    wanted, told = _sites(headline), _sites(text)
    return bool(wanted and told) and not wanted & told


def _sites(text: str) -> set[str]:
    found = (re.sub(r"(?<=[a-z])s$", "", word) for word in re.findall(r"[a-z]+", text))
    return {_KIND_OF_SITE[word] for word in found if word in _KIND_OF_SITE} | (
        {"plant"} if re.search(r"\b(?:the|its|[A-Z]\w+)\s+works\b", text) else set()
    )

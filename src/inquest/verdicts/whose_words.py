"""Whose words a quote really has: a party's, handed on by a paper; a claim, restated to be checked; a correction."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inquest.domain.source import Source
from inquest.text.polarity import attributions

__all__ = ["corrects", "only_restates", "parties_of", "reports_a_party"]

_CORRECTING = re.compile(
    r"\b(?:correct(?:s|ed|ion|ions)?|wrong(?:ly)?|error|mistake\w*|retract\w*|withdr[ae]w\w*|regret\w*|apologi[sz]e\w*|"
    r"transposed|admit(?:s|ted)?)\b",
    re.I,
)
_RESTATING = re.compile(
    r"^[\"“]?(?:the\s+)?(?:claim|myth|rumou?r|allegation)(?:\s+\w{1,3})?\s*:|^in\s+(?:our|my)\s+\w+\b.{0,60}\bwe\s+wrote\s+that\b|"
    r"^(?:we|I)\s+(?:had\s+)?(?:wrote|written|stated|reported|said)\s+that\b",
    re.I,
)
_RULING = re.compile(
    r"\b(?:finding|ruling|verdict|rating|conclusion|assessment|answer)\s*[:=]\s*[\"“'‘]?(?:\w+\s+){0,2}?"
    r"(?:true|false|right|wrong|correct|incorrect|accurate|inaccurate|misleading|unfounded|fabricated|baseless)\b",
    re.I,
)
"""'Our finding: false': who checks the claim says what came of it."""
_SPOKEN = re.compile(r"[\"“][^\"”]{8,}[\"”]|(?:^|(?<=[\s(]))['‘][^'’]{8,}['’](?=[\s,.)]|$)")
_SAYING = (
    r"(?:said|says|stated|states|wrote|writes|told|insists?|insisted|claims?|claimed|maintains?|maintained|announced|announces|"
    r"spoke\s+of|speaks\s+of|declared|assured|assures|according\s+to)"
)
_ATTRIBUTED = re.compile(rf"\b{_SAYING}\b", re.I)
_OF_ONESELF = re.compile(r"\b(?:we|our|ours|us)\b", re.I)
_SPEAKER = re.compile(
    rf"\b{_SAYING}\s+(?:the\s+company(?:'s|’s)?\s+)?spokes\w+|\bspokes(?:man|woman|person)\b[^.;]{{0,40}}\b{_SAYING}|"
    rf"\bthe\s+company(?:'s|’s)?\b[^.;]{{0,30}}\b{_SAYING}\b|\bin\s+a\s+(?:press\s+release|statement)\b",
    re.I,
)
_COMPANY = re.compile(r"\b(?:company|firm|group|spokes\w+|management|it|its)\b", re.I)


def corrects(quote: str) -> bool:
    """Whether the words correct or take back what was said before."""
    return bool(_CORRECTING.search(quote))


def only_restates(quote: str) -> bool:
    """Whether the words only repeat a claim, to check it or to take it back: 'The claim: ...', 'We wrote that ...'. Not
    where they go on to say what the check came to."""
    return bool(_RESTATING.search(quote.strip())) and not _RULING.search(quote)


def parties_of(sources: Iterable[Source]) -> frozenset[str]:
    """The first names of those whose press releases are among the sources: 'norvane' for 'Norvane Chemicals plc'."""
    found = set()
    for source in sources:
        if source.rating.press_release:
            name = (source.rating.owner or source.domain.split(".")[0]).split()
            if name and len(name[0]) > 2:
                found.add(name[0].lower())
    return frozenset(found)


def reports_a_party(quote: str, parties: frozenset[str] = frozenset()) -> bool:
    """Whether it hands on what a party says of itself ('"Our works is clean," the company said', 'Norvane spoke of'):
    that is the party's statement, whoever prints it. Not where somebody else speaks too: 'the tribunal found that it
    was not so, as the company had said'; and not what a party admits.
    """
    if corrects(quote):
        return False
    spoken = [match.group() for match in _SPOKEN.finditer(quote)]
    if spoken and _ATTRIBUTED.search(quote) and any(_OF_ONESELF.search(each) for each in spoken):
        return True
    others = [
        each.speaker
        for each in attributions(quote)
        if each.speaker and not _COMPANY.search(each.speaker) and not _is_party(each.speaker, parties)
    ]
    if others and not _SPEAKER.search(quote):
        return False
    said = any(re.search(rf"\b{re.escape(party)}\b[^.;]{{0,40}}\b{_SAYING}\b", quote, re.I) for party in parties)
    return (said or bool(_SPEAKER.search(quote))) and not [each for each in others if _names_somebody(each)]


def _is_party(speaker: str, parties: frozenset[str]) -> bool:
    return any(party in speaker.lower() for party in parties)


def _names_somebody(speaker: str) -> bool:
    """Whether the speaker is an institution of its own rather than the spokesman's name."""
    return bool(re.match(r"(?:the|a|an)\s", speaker, re.I))

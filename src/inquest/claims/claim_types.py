"""Of which of the five types a claim of a company's report is (P1), and why.

The routing of the desks rests on the type: figures and targets are held against benchmarks and criteria, certificates
against registries, places against maps, governance against law.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.claims.claim_words import LEGAL, SITES
from inquest.claims.environmental import environmental_score
from inquest.domain.claim import ClaimType
from inquest.text.quantities import Dimension, Quantity

__all__ = ["TypeOfClaim", "report_claim_type"]


class TypeOfClaim(NamedTuple):
    """A type, and why it is this one."""

    type: ClaimType
    reason: str


_I = re.IGNORECASE
_CERTIFIED = re.compile(
    r"\bI-?RECs?\b|\bRECs?\b|renewable\s+energy\s+certificate\w*|guarantees?\s+of\s+origin|carbon\s+(?:credits?|offset\w*)|"
    r"\boffset(?:s|ting)?\b[^.]{0,60}(?:CO[2₂]|carbon|emission)|Verified\s+Carbon\s+Standard|\bVCS\b|Gold\s+Standard|"
    r"\bFSC\b|\bEMAS\b|ISO\s?14001|Cradle\s+to\s+Cradle|Herkunftsnachweis\w*|Ökostrom\w*",
    _I,
)
_WHOLLY_RENEWABLE = re.compile(
    r"\b(?:100\s?%|fully|entirely|exclusively|exclusive\s+use|only|all|vollständig|zu\s+100\s?(?:%|Prozent))[^.]{0,60}"
    r"\b(?:renewables?|green\s+(?:energy|electricity|power)|erneuerbar\w*|recycl\w+)",
    _I,
)
_AIMED = re.compile(
    r"\b(?:targets?|goals?|aim(?:s|ed|ing)?\s+(?:to|at|is|of)|our\s+aim|intends?\s+to|plans?\s+to|planned|expects?\b|"
    r"commit(?:s|ted|ting|ment|ments)?\b|pledg\w+|strateg\w+|road\s?map|ambition\w*|will\b|shall\b|due\s+to\s+be|"
    r"striv\w+|business\s+model|vision|net[- ]zero|Ziele?n?|wollen|plan(?:en|t)|streb\w+|verpflicht\w+)\b"
    r"|\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d|\bbis\s+(?:zum\s+Jahr\s+|Ende\s+)?20[2-9]\d",
    _I,
)
_FIRMLY_AIMED = re.compile(
    r"\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d|\b(?:targets?|goals?)\b(?!\s+(?:achievement|figure))|commit\w*\s+to|"
    r"science[- ]based|net[- ]zero|\bbis\s+(?:zum\s+Jahr\s+|Ende\s+)?20[2-9]\d|\bZiel\b|\baims?\b|\bwill\b|expects?\b",
    _I,
)
_DONE_BY = re.compile(
    r"\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[0-9]\d\b[^.;]{0,80}\bhad\b|\bhad\b[^.;]{0,80}\bby\s+(?:the\s+(?:end|"
    r"beginning)\s+of\s+)?20[0-9]\d\b",
    _I,
)
"""'By the end of 2024 we had spent': a date by which something was done, not one that is aimed at."""
_DATED = re.compile(r"\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d", _I)
_REACHED = re.compile(
    r"(?<!\bbe )(?<!\bto )\b(?:outperformed|achieved|surpassed|exceeded|missed|reached|met|fulfilled)\b[^.]{0,40}"
    r"(?:targets?|goals?|\d)|target\s+achievement|\d\s?%[^.,]{0,40}(?<!be )\bachieved",
    _I,
)
_LAND = re.compile(
    r"\b(?:hectares?|peatland|reforest\w+|restor(?:ed|ing|ation)|planted|square\s+kilomet\w+|km²|Hektar|wetlands?|mangrove\w*)\b",
    _I,
)
_PLACED = re.compile(
    r"\b(?:headquarter\w*|registered\s+office|is\s+(?:based|located|situated)\s+in|located\s+in|based\s+in|sites?\s+in|"
    r"plants?\s+in|offices?\s+in|factor(?:y|ies)\s+in|operat(?:es|ing)\s+in|geographical\s+regions?|mines?\s+in|Standort\w*|Werke?\s+in|Sitz\s+in)\b",
    _I,
)
_GOVERNED = re.compile(
    r"\b(?:supervisory\s+board|management\s+board|board\s+of\s+(?:management|directors)|audit\s+committee|sustainability\s+"
    r"committee|committees?|governance|complian\w+|compl(?:y|ies|ied)\s+with|whistle-?blow\w+|code\s+of\s+conduct|"
    r"(?:lobby|transparency)\s+registers?|remuneration|audit(?:ed|or|ors)?|assurance|certified\s+with|anti-corruption|"
    r"brib\w+|court|lawsuit|fined|penalt\w+|settlement|report(?:s|ing)?\s+(?:\w+\s+)?directly\s+to|responsib\w+\s+for|"
    r"materiality\s+(?:analysis|matrix)|GRI|TCFD|"
    r"legal\s+entit\w+|took\s+control|takeover|shareholding\w*|holding\s+company|presidency|vice\s+chairman|chairman|"
    r"chaired|member\s+of|human\s+rights|due\s+diligence|Aufsichtsrat|Vorstand|Gesetz|Bußgeld|Gericht)\b",
    _I,
)
_NATURE = re.compile(
    r"\b(?:emissions?|carbon|CO[2₂]|electricity|waste|water|recycl\w+|biodiversity|soils?|climate)\b", _I
)
_LAW = re.compile(
    r"\b(?:regulations?|laws?|legislat\w+|directives?|statut\w+|(?:Clean\s+Air|Climate\s+Change)\s+Act|"
    r"rules?\b(?!\s+of\s+thumb)|"
    r"mandates?|(?:emissions?|economy|consumption|gas)\s+standards?|commission\s+proposal|EPA|European\s+Commission|"
    r"framework\s+agreement|State\s+of\s+[A-Z]\w+|preempt\w*|Taxonomy)\b",
    _I,
)
_STATE = re.compile(
    r"\b(?:national\s+target|fleet\s+(?:consumption\s+|regulation|target\w*)|quota|model\s+years?|MY\s+20\d\d|the\s+EU\b|"
    r"administration|government\s+of|emission\s+targets\s+from|test\s+cycle|was\s+set|is\s+set\s+as)",
    _I,
)


def report_claim_type(text: str, figures: tuple[Quantity, ...], *, own: bool = True) -> TypeOfClaim:
    """The first that applies of: a certificate; a law or a state's own target; an aim; land or a site; a figure;
    governance; the environment.

    `figures`: the quantities in the text. `own`: the company speaks of itself.
    """
    if _DONE_BY.search(text):
        text = _DATED.sub(lambda dated: " " * len(dated.group()), text)
    measured = [
        each for each in figures if not each.spelled or each.dimension is not Dimension.COUNT or each.value >= 100
    ]
    dated_aim = _FIRMLY_AIMED.search(text) and re.search(r"20[2-9]\d", text)
    if not dated_aim and (word := _CERTIFIED.search(text) or _WHOLLY_RENEWABLE.search(text)):
        return TypeOfClaim(ClaimType.ENVIRONMENTAL, f"it names a certificate or green supply (‘{word.group()}’)")
    law = _LAW.search(text)
    if law and (not own or _STATE.search(text)):
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of law or a public body (‘{law.group()}’)")
    if not own and (state := _STATE.search(text)):
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of what a state has set (‘{state.group()}’)")
    reached = _REACHED.search(text)
    if not reached and (aim := _FIRMLY_AIMED.search(text)):
        return TypeOfClaim(ClaimType.STRATEGIC, f"it says what is aimed at (‘{aim.group()}’)")
    if land := _LAND.search(text):
        return TypeOfClaim(ClaimType.GEOGRAPHIC, f"it speaks of land that can be looked up (‘{land.group()}’)")
    governed = _GOVERNED.search(text)
    placed = _PLACED.search(text)
    if measured:
        if governed and (not _with_unit(measured) or all(each.spelled for each in measured)):
            return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of how it is governed (‘{governed.group()}’)")
        if law and not _with_unit(measured):
            return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of law or a public body (‘{law.group()}’)")
        return TypeOfClaim(ClaimType.QUANTITATIVE, f"it gives a figure (‘{measured[0].text}’)")
    if placed:
        return TypeOfClaim(ClaimType.GEOGRAPHIC, f"it says where something is (‘{placed.group()}’)")
    if governed:
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of how it is governed (‘{governed.group()}’)")
    return _without_marks(text)


def _without_marks(text: str) -> TypeOfClaim:
    if environmental_score(text) > 0 or _NATURE.search(text):
        return TypeOfClaim(ClaimType.ENVIRONMENTAL, "it speaks of what is done to the environment")
    if aim := _AIMED.search(text):
        return TypeOfClaim(ClaimType.STRATEGIC, f"it says what is aimed at (‘{aim.group()}’)")
    if law := LEGAL.search(text):
        return TypeOfClaim(ClaimType.LEGAL_GOVERNANCE, f"it speaks of law or governance (‘{law.group()}’)")
    if site := SITES.search(text):
        return TypeOfClaim(ClaimType.GEOGRAPHIC, f"it says where something is (‘{site.group()}’)")
    return TypeOfClaim(ClaimType.STRATEGIC, "it says how the company goes about its business")


def _with_unit(figures: list[Quantity]) -> bool:
    return any(each.dimension is not Dimension.COUNT for each in figures)

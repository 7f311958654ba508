"""Statements grave enough to need two independent sources, or to be marked as one source's alone (spec 003)."""

from __future__ import annotations

import re

from inquest.domain.market import Critical
from inquest.text.quantities import Dimension, quantities
from inquest.text.sentences import fold

__all__ = ["BIG_MOVE", "critical_in", "moves_in"]

BIG_MOVE = 5.0
"""Percent within a day from which a movement is to be borne out by a second source."""
_FORMS = {
    Critical.FRAUD: r"fraud\w*|embezzl\w+|insider trading|brib(?:e|es|ed|ery)|kickbacks?|money launder\w+|"
    r"ponzi|falsif\w+|cook(?:ed|ing) (?:the|its) books|accounting (?:scandal|irregularit\w+)|short[- ]seller report",
    Critical.BANKRUPTCY: r"bankrupt\w*|insolven\w+|chapter (?:7|11)|receivership|creditor protection|going concern|"
    r"default(?:s|ed|ing)? on|liquidat(?:ion|ed|ors?)|wound up",
    Critical.INVESTIGATION: r"investigat(?:es?|ed|ing|ion|ions|ors)|prob(?:e|es|ed|ing)|subpoena\w*|raid(?:s|ed)?|"
    r"indict\w*|charged with|criminal charges|wells notice|antitrust (?:case|suit|complaint)|searched (?:the )?offices",
    Critical.RESIGNATION: r"(?:resign(?:s|ed|ing|ation)?|steps? down|stepp(?:ed|ing) down|oust(?:s|ed)|fired|"
    r"dismiss(?:es|ed)|quits?|depart(?:s|ed|ure)|to leave|leaves)(?=.{0,80}\b(?:ceo|cfo|coo|chief|chair\w*|president|"
    r"director|auditor|founder|boss))|(?:ceo|cfo|coo|chief \w+(?: officer)?|chair(?:man|woman)?|president|founder|boss|"
    r"auditor)\b.{0,60}\b(?:resign(?:s|ed|ing|ation)?|steps? down|stepp(?:ed|ing) down|ousted|fired|dismissed|quits?|"
    r"departs|departed|to leave|leaves)|resignation of",
    Critical.RECALL: r"recall(?:s|ed|ing)?(?= (?:of |\d|about|some|all|its|more|nearly|over|vehicles|cars|products|the "
    r"(?:product|model|vehicle|device)))|product recall|safety recall|recalls",
    Critical.GUIDANCE_CUT: r"(?:cut(?:s|ting)?|lower(?:s|ed|ing)?|slash(?:es|ed|ing)?|reduc(?:es|ed|ing)|"
    r"withdr(?:aws?|ew|awn)|suspend(?:s|ed)?|trim(?:s|med)?|scrap(?:s|ped)?|abandon(?:s|ed)?)\b.{0,40}"
    r"\b(?:guidance|outlook|forecast|full-year target|targets? for)|profit warning|guidance cut|warned on profit",
    Critical.DELISTING: r"delist\w*|trading halt|halted trading|trading (?:in [^.,;]{1,40} )?(?:was |is |"
    r"has been )?(?:halted|suspended)|"
    r"suspend(?:ed|s)? trading",
    Critical.RESTATEMENT: r"restat(?:e|es|ed|ing|ement)(?=.{0,60}\b(?:accounts|results|earnings|financial|statements|"
    r"revenue))|non-reliance|material weakness|late (?:annual|quarterly) report",
    Critical.CYBER_INCIDENT: r"data breach|cyber ?-?attack\w*|ransomware|hack(?:ed|ers)|security breach",
}
_CRITICAL = {kind: re.compile(rf"(?<![\w-])(?:{form})(?!\w)") for kind, form in _FORMS.items()}
_TO_SHARES = re.compile(r"\b(?:shares?|stocks?|stock price|share price|market value|market cap\w*|adrs?|adss?)\b")
_MOVED = re.compile(
    r"\b(?:f[ae]ll(?:s|ing|en)?|drop(?:s|ped|ping)?|plung\w+|tumbl\w+|slump\w*|s[aiu]nk(?:s|ing)?|slid(?:e|es|ing)?|"
    r"tank\w*|crash\w*|lost|los(?:es|ing)|shed|declin\w+|down|rose|ris(?:e|es|en|ing)|surg\w+|soar\w*|jump\w*|"
    r"climb\w*|gain\w*|rall(?:y|ies|ied|ying)|spik\w+|up|higher|lower|sell-?off)\b"
)


def critical_in(sentence: str) -> tuple[Critical, ...]:
    """The kinds of grave statement that a sentence makes. One that is denied counts as well: it is as grave."""
    plain = fold(sentence)
    found = [kind for kind, form in _CRITICAL.items() if form.search(plain)]
    if any(abs(each) >= BIG_MOVE for each in moves_in(sentence)):
        found.append(Critical.BIG_MOVE)
    return tuple(found)


def moves_in(sentence: str) -> tuple[float, ...]:
    """By how many percent a sentence says that shares moved; () where it speaks of no share or gives no percentage."""
    plain = fold(sentence)
    if not _TO_SHARES.search(plain) or not _MOVED.search(plain):
        return ()
    return tuple(
        each.value
        for each in quantities(sentence)
        if each.dimension is Dimension.SHARE
        and not each.spelled
        and _MOVED.search(plain[max(0, each.span.start - 40) : each.span.end + 20])
    )

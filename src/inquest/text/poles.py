"""Opposites: words of which one at one end, said of the same thing, rules out one at the other end."""

from __future__ import annotations

from inquest.text.sentences import fold, stem

__all__ = ["AXES"]

_OPPOSITES: tuple[tuple[str, str, str], ...] = (
    (
 "amount",
 "rise rises rose risen rising increase increasing grow grew grown growth climb surge soar jump gain expand "
 "swell escalate upturn upward double doubled triple rocketed spike accelerate more higher larger greater "
 "bigger raise raised boost increment strengthen intensify warming hotter warmer faster ",
 "fall falls fell fallen falling decrease decline drop dropped shrink shrank shrunk plunge slump sink sank lose "
 "reduce reduction cut dip diminish downturn downward halve halved tumble contract plummet slow slowdown less "
 "fewer lower smaller lesser weaken ease shortfall cooling cooler colder slower lowered ",
    ),
    (
 "limit",
 "exceed breach surpass overshoot above violate violation exceedance overrun infringe",
 " below comply compliance compliant respect beneath",
    ),
    ("decision", "approve approval accept grant permit allow authorise authorize endorse agree agreed uphold "
 "upheld support favour favor legalise legalize license ",
 "reject rejection refuse deny dismiss ban prohibit block veto oppose disagree revoke overturn overturned "
 "forbid forbade forbidden outlaw disapprove"),
    ("contest", "win won wins winning winner victory victorious beat triumph",
 "lose lost loses losing loser defeat defeated"),
    ("begin", "begin began begun start open opened launch commence resume introduce found founded establish enter join "
 "reopen",
 "end ended stop stopped close closed shut halt cease cancel abolish discontinue suspend quit leave left withdraw "
 "withdrew withdrawn shutdown exit terminate abandon"),
    ("presence", "present exist existing include contain available possess",
 "absent missing lack exclude unavailable omit vanish extinct disappear"),
    ("truth", "true correct accurate genuine real authentic confirm proven prove verify factual substantiate",
 "false incorrect inaccurate wrong fake untrue bogus fabricate disprove debunk refute hoax myth misleading "
 "unfounded baseless deny contradict"),
    ("guilt", "guilty convict convicted culpable liable responsible",
 "innocent acquit acquitted exonerate cleared blameless"),
    ("life", "alive live living survive survivor born", "dead die died dies death killed deceased perish"),
    ("safety", "safe harmless secure benign protect protective beneficial",
 "unsafe dangerous harmful hazardous toxic risky harm deadly poisonous"),
    ("effect", "cause causes caused lead trigger promote induce enhance worsen aggravate activate stimulate facilitate "
 "upregulate elevate",
 "prevent inhibit suppress protect block impair attenuate deactivate alleviate mitigate hinder downregulate "
 "ameliorate curb"),
    ("success", "succeed success successful achieve meet met fulfil fulfill reach attain complete",
 "fail failed failure miss missed unsuccessful"),
    ("quality", "good better best improve improvement positive favourable favorable benefit",
 "bad worse worst worsen deteriorate deterioration negative unfavourable unfavorable detriment adverse"),
    ("legality", "legal lawful constitutional valid", "illegal unlawful unconstitutional invalid illicit"),
    ("time", " prior previously preceded", " afterwards subsequently followed"),
    ("place_top", "top highest maximum most majority largest biggest longest oldest northern",
 "bottom lowest minimum least minority smallest shortest youngest southern"),
    ("trade", "buy bought buys purchase acquire acquired acquisition import hire hired employ recruit",
 "sell sold sells sale divest export fire fired sack sacked dismiss layoff"),
    ("relation", "same identical similar equal alike", "different differ distinct unlike unequal dissimilar"),
    ("frequency", "always often frequently common commonly usual usually everyone entire entirely",
 "never rarely seldom rare uncommon unusual none nobody"),
    ("tie", "related associated linked connected correlated dependent",
 "unrelated unassociated unlinked unconnected uncorrelated independent"),
)  # fmt: skip


def _axes() -> dict[str, tuple[tuple[str, int], ...]]:
    table: dict[str, list[tuple[str, int]]] = {}
    for axis, plus, minus in _OPPOSITES:
        for sign, listed in ((1, plus), (-1, minus)):
            for word in listed.split():
                for key in {fold(word), stem(word)}:
                    if (axis, sign) not in table.setdefault(key, []):
                        table[key].append((axis, sign))
    return {key: tuple(entries) for key, entries in table.items()}


AXES: dict[str, tuple[tuple[str, int], ...]] = _axes()
"""From a word (as written or its stem) to the axes it stands on, each with its end: +1 or -1."""

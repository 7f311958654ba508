"""Words that take a side, by hand: those that judge, and those that only state what speaks for or against somebody."""

from __future__ import annotations

import re

__all__ = [
    "COMPANY_VOICE",
    "CRITICAL",
    "FAVOURABLE",
    "LOADED_CRITICAL",
    "LOADED_FAVOURABLE",
    "OFFICE",
    "OWN_VERDICT",
    "PERSONAL",
    "RALLYING",
    "WE",
]


def _any(words: str) -> re.Pattern[str]:
    """A pattern for any of the words or phrases, separated by `|`; a `*` stands for any ending."""
    parts = [re.escape(word.strip()).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in words.split("|")]
    return re.compile(r"(?<![\w-])(?:" + "|".join(sorted(parts, key=len, reverse=True)) + r")(?![\w])", re.I)


LOADED_CRITICAL = _any(
    "scandal*|disgrace*|shame*|outrage*|appalling*|shocking*|horrif*|devastat*|catastroph*|poisoned|poisoning|"
    "poisoner*|poisons our|cover-up|covered up|cover up|whitewash*|greed*|profiteer*|lied|lied to|lies to us|"
    "liar*|deceiv*|deceit*|betray*|reckless*|callous*|cynical*|arrogan*|contempt*|corrupt*|crook*|criminals|"
    "negligen*|incompeten*|so-called|dirty|filthy|killer|killing|murder*|toxic legacy|sweetheart deal|"
    "slap on the wrist|got away|gets away|dumped|dumping|spewed|spewing|disaster|nightmare|sick children|"
    "our children|victims|exploit*|insult to|the poison|stonewall*|brazen*|blatant*|ruthless*|hypocri*|failed us|"
    "broken promises|bullying|intimidat*|swindle*|sham|farce|mockery|empty words|spin|propaganda|rotten|evil|"
    "monstrous|unforgivable|inexcusable|wake up"
)
"""They judge against."""

LOADED_FAVOURABLE = _any(
    "proud*|pride|world-class|world-leading|market leader|leader in|pioneer*|outstanding|excellent|excellence|"
    "exemplary|remarkable|impressive|visionary|proudly|delighted|thrilled|pleased to|honoured|honored|milestone|"
    "landmark|state-of-the-art|best-in-class|trusted|beloved|generous*|good neighbour|good neighbor|"
    "heart of the community|responsib* neighbour|unwavering|highest standards|deeply committed|fully committed|"
    "passion*|success story|bright future|model for|role model|champion|celebrat*|witch hunt|witch-hunt|smear*|"
    "hysteria|scaremonger*|alarmis*|baseless|groundless|unfounded|overblown|storm in a teacup|backbone|"
    "fairy tale*|envy|embittered|lifeblood|sets the standard|setting the standard|flagship|award-winning|"
    "prosper*|flourish*"
)
"""They judge in favour."""

CRITICAL = _any(
    "exceed*|breach*|violat*|illegal*|unlawful*|fined|fines|penalt*|charged|prosecut*|convict*|guilty|sued|"
    "lawsuit*|accus*|alleg*|blam*|contaminat*|pollut*|failed|failure*|failing|fail to|hid|hidden|conceal*|"
    "withheld|mislead*|misled|false|wrong|denied access|ignored|delay*|complain*|complaint*|critici*|protest*|"
    "condemn*|damag*|harm*|danger*|unsafe|risk*|ill|illness*|died|deaths|injur*|spill*|leak*|fraud*|brib*|abus*|"
    "layoff*|job cuts|cut jobs|warned|warning*|anger*|angry|fear*|worr*|suspect*|scrutin*|refus*"
)
"""They state what speaks against."""

FAVOURABLE = _any(
    "complied|complies|gives work|gave work|pays for|paid for the|employer|taxpayer|trains|nursery|compliance|"
    "within the limit*|within limits|below the limit*|met the|improv*|reduc*|invest*|cleared|acquitted|exonerat*|"
    "no evidence|safe|safely|created jobs|new jobs|jobs|support*|donat*|sponsor*|award*|praise*|prais*|welcom*|"
    "agreed|cooperat*|co-operat*|transparen*|voluntar*|apolog*|commit*|ahead of schedule|successful*|success|"
    "benefit*|progress|partnership|sustainab*|protect*|restor*|upgrade*|modern*|efficient*"
)
"""They state what speaks in favour."""

COMPANY_VOICE = _any(
    "the company|a spokesman|a spokeswoman|a spokesperson|spokesman|spokeswoman|spokesperson|the firm|the group|"
    "management|the chief executive|chief executive|the managing director|the works manager|its lawyers|"
    "its lawyer"
)
"""Speakers who are the subject's own, where a text is about one company."""

WE = re.compile(r"\b(?:we|our|us|ours)\b", re.I)

OFFICE = re.compile(
    r"\b(?:spokes(?:man|woman|person)|chief\s+executive(?:\s+officer)?|CEO|(?:site|works|managing|plant|general)\s+(?:director|"
    r"manager)|head\s+of\s+communications|chair(?:man|woman)?),?\s+((?:[A-Z][\w'’.-]+\s?){2,3})"
)
"""An office and the name of its holder: 'chief executive Ada Brand'."""

PERSONAL = re.compile(r"\bI\b(?!\.)|\b(?:my|me)\b")

OWN_VERDICT = re.compile(
    r"\b(?:must\s+(?:go|resign|answer|pay|be\s+held)|should\s+be\s+ashamed|enough\s+is\s+enough|it\s+is\s+(?:time|high\s+time|"
    r"a\s+pity)|who\s+will\s+believe|let\s+us\s+be\s+(?:clear|honest)|of\s+course|every(?:body|one)\s+knows|make\s+no\s+mistake|"
    r"in\s+my\s+(?:view|opinion)|no\s+other\s+explanation|now\s+(?:it\s+is|it's)\s+official|the\s+facts\s+are\s+(?:quickly|simple)|"
    r"what\s+the\s+(?:big\s+)?(?:papers|media)\s+do\s+not|nor\s+do\s+they\s+write|science\s+has\s+spoken|used\s+up\s+its\s+right|"
    r"the\s+views\s+are\s+(?:her|his|their)\s+own|we\s+were\s+told|those\s+who\s+still)\b|!",
    re.I,
)
"""The writer's own voice judges."""

RALLYING = re.compile(
    r"\b(?:we\s+demand|demands\s+that|account\s+number|bring\s+your|share\s+this|wake\s+up|ask\s+yourself|you\s+read\s+that\s+right|look\s+it\s+up|do\s+the\s+sum|they\s+will\s+"
    r"not\s+(?:print|tell)|they\s+do(?:n['’]t|\s+not)\s+want\s+you|before\s+it\s+is\s+deleted|join\s+us|sign\s+(?:the|our)\s+petition|"
    r"system\s+media|mainstream\s+media|the\s+truth\s+(?:about|is))\b",
    re.I,
)
"""It calls its readers to something."""

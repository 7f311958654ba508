"""What keeps two figures of one measure from being the same quantity: a part of the business, a part of the period, a
change instead of a level, somebody else's figure, a mere possibility.

A contradiction with a filing is a grave thing to say of a company. So whatever of these differs, or cannot be told,
makes a pair 'not comparable', and never a contradiction.
"""

from __future__ import annotations

import re

from inquest.text.entities import names, same_name
from inquest.text.sentences import Span, fold

__all__ = ["is_amount_of_change", "is_part_of_period", "is_possibility", "of_somebody_else", "scope_of", "starts_at"]

_BY = re.compile(
    r"\b(?:by|(?:increase|decrease|rise|fall|drop|reduction|growth|decline|shortfall|cuts?|savings?) of|up|down|adds?|"
    r"added|cut|cuts|cutting|shed|sheds|shedding|eliminat\w+|lay(?:s|ing)? off|laid off|hir(?:es?|ed|ing))"
    r"(?:\s+(?:about|approximately|around|roughly|some|nearly|almost|over|more than|at least|up to|as many as|"
    r"as much as|an?(?: further| additional)?|another|its|further))*\s*[$€£¥]?$"
)
_CUT_FROM = re.compile(r"^\s*(?:\w+\s+){0,2}(?:more|less|fewer|higher|lower|above|below|short of)\b")
_EXCEED = re.compile(r"\bexceed(?:s|ed|ing)?\s+(?:about\s+|approximately\s+)?[$€£¥]?$")
_PART = re.compile(
    r"\bso far\b|\bto date\b|\byear[- ]to[- ]date\b|\bytd\b|\bhalf[- ]year\b|\b(?:first|second) half\b|\bh[12]\b|"
    r"\b(?:first|last|past|through)\s+(?:\w+\s+)?(?:months?|weeks?|days)\b|\b(?:three|six|nine)[- ]months?\b|"
    r"\b(?:per|a|each|every|monthly|weekly|daily)\s+(?:month|week|day)\b|\bmonthly\b|\bweekly\b"
)
_POSSIBLE = re.compile(
    r"\b(?:if|would|could|might|unless|rumou?rs?|rumou?red|unconfirmed|alleg\w+|hypothetical\w*|scenario|worst case|"
    r"short[- ]sellers?|speculat\w+)\b|\b(?:it|he|she|they|who|activist|critics?|rivals?|unions?) claim(?:s|ed)?\b"
)
_DATELINE = re.compile(
    r"^[^.;]{0,60}?\((?:Reuters|AP|Bloomberg|AFP|Dow Jones)\)\s*[-–—]+\s*|^[A-Z][A-Z ,.]{3,40}[-–—]+\s*"
)
_TELLS = (
    r"(?:(?:Inc|Corp|Corporation|Co|Ltd|plc|AG|SE|Group|Motors?|Holdings)\.?,?\s+)*"
    r"(?:now |also |has |have |had |is |was |said |says )*"
    r"(?:expect|will|said|say|plan|cut|lower|rais|deliver|report|forecast|see|project|guide|reaffirm|reiterat|aim|"
    r"target|make|made|produc|ship|earn|post|spend|spent|generat|book|record|trim|slash|lift|anticipat|confirm|"
    r"withdr|abandon|missed|beat)"
)
_RIVALS = re.compile(r"\b(?:rivals?|competitors?|peers?)\b")
_NEUTRAL = frozenset(
    (
        "a adjusted an and annual annually anticipate anticipates at average basic be beat beats been billion "
        "by car cars company company's comparable consolidated cut cuts deliver delivering delivery diluted "
        "estimate estimates expect expected expecting expects fiscal for forecast forecasting forecasts full "
        "full-year fy gaap global group group's growth guidance guide guides has have higher increase "
        "increased its less lift lifted lifts lower lowered lowers make makes management's million more net "
        "new non-gaap now of on operating organic our outlook overall plan planned planning plans post posted "
        "posts prior project projected projects quarter quarter's quarterly raise raised raises reach reached "
        "reaffirm reaffirmed record report reported reporting reports see sees share slash slashed spend "
        "target targets that the their this to total trim trimmed trims underlying unit vehicle vehicles was "
        "we were will with worldwide year year's yearly"
    ).split()
)
"""Words before a measure that leave it the whole company's."""
_NEAR = 28
_FROM = re.compile(
    r"^\s*(?:from|of|in|at|for|by)\s+(?:the\s+|our\s+|its\s+|their\s+)?(?:[a-z]+\s+){0,1}"
    r"(?P<name>[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?|[a-z-]+(?:\s+[a-z]+)?(?=\s+(?:segment|division|business|unit|plant|"
    r"factory|"
    r"stores?|customers?)\b))"
)
_FROM_NOUN = re.compile(r"^\s*from\s+(?:the\s+|our\s+|its\s+)?(?P<name>[a-z-]+)")
_HAS = re.compile(r"\b(?P<name>[\w-]+)\s+(?:has|have|had|posted|reported|showed|achieved|kept)\s+an?\s+(?:\w+\s+)?$")
"""'Services had a gross margin of ...': the part whose figure it is stands as the subject."""
_NO_SUBJECT = frozenset("it they we he she that which who company group firm and also management".split())
_OWN_FIGURE = (
    r"['’]s?\s+(?:[a-z][\w-]*\s+){0,3}?(?:sales|revenues?|income|profits?|earnings|deliver(?:y|ies)|shipments|"
    r"production|output|margins?|guidance|forecasts?|outlook|spending|orders|backlog|costs)\b"
)
"""What follows a company's name where a sentence begins with a figure of its own."""
_NO_PLACE = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Q[1-4]|H[12]|FY|Fiscal|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|GAAP|IFRS|Wall)\b"
)
_NO_PART = frozenset("operations the a its our continuing all last prior about approximately between".split())


def scope_of(text: str, place: Span, quantity: Span, company: str = "") -> frozenset[str]:
    """The part of the business that a measure at `place` with its `quantity` is of: 'gaming', 'china', 'services';
    empty for the whole company. `company`: whose name is no part of it."""
    found: set[str] = set()
    before = re.findall(r"[\w'’&-]+", text[max(0, place.start - 40) : place.start])
    clause_open = re.search(r"[,;:(]\s*$", text[: place.start])
    if before and not clause_open:
        word = re.sub(r"['’]s?$", "", before[-1])
        plain = fold(word)
        whole = plain in _NEUTRAL or plain.isdigit() or bool(re.search(r"\d", plain))
        # A name there is the company's own, or, where that is not known, may be.
        own = _is_of(word, company) if company else word[:1].isupper()
        if not whole and not own:
            found.add(plain)
    if subject := _HAS.search(text[: place.start]):
        name = subject["name"]
        own = _is_of(name, company) if company else name[:1].isupper()
        if not own and fold(name) not in _NO_SUBJECT:
            found.add(fold(name))
    for end in (place.end, quantity.end):
        after = text[end : end + _NEAR + 30]
        for form in (_FROM, _FROM_NOUN):
            match = form.match(re.sub(r"^\s+(?:revenue|sales|vehicles|units|cars)\b", "", after))
            if not match or _NO_PLACE.match(match["name"]) or re.search(r"\d", match["name"]):
                continue
            name = fold(match["name"])
            if name.split()[0] not in _NO_PART and not (company and _is_of(match["name"], company)):
                found.add(name)
    return frozenset(found)


def is_amount_of_change(text: str, quantity: Span) -> bool:
    """Whether an amount says by how much something changed, and not how much there is: 'by $300 million', 'cut 1,200
    jobs'."""
    before, after = fold(text[max(0, quantity.start - 60) : quantity.start]), fold(text[quantity.end :][:40])
    return bool(_BY.search(before) or _CUT_FROM.match(after))


def starts_at(text: str, quantity: Span) -> bool:
    """Whether an amount is a lower limit that its own words do not show: 'to exceed $11 billion'."""
    return bool(_EXCEED.search(fold(text[max(0, quantity.start - 40) : quantity.start])))


def is_part_of_period(text: str) -> bool:
    """Whether a sentence speaks of a part of the period it names: 'so far', 'in the first nine months'."""
    return bool(_PART.search(fold(text)))


def is_possibility(text: str) -> bool:
    """Whether a sentence tells what could be, or what somebody alleges, and not what is or is planned."""
    return bool(_POSSIBLE.search(fold(text)))


def of_somebody_else(text: str, company: str) -> bool:
    """Whether a sentence of the news may give somebody else's figure: another name comes first in it, and the company
    is not said to expect or to have done anything; or rivals are spoken of."""
    said = _DATELINE.sub("", text)
    if _RIVALS.search(fold(said)):
        return True
    if not company:
        return False
    first = next((each.text for each in names(said) if each.sure and not _NO_PLACE.match(each.text)), "")
    if not first or same_name(first, company) or _is_of(first.split()[0], company):
        return False
    head = next((word for word in company.split() if len(word) > 2), company)
    if re.match(rf"(?:The\s+)?{re.escape(head)}(?:\s+[A-Z][\w&.]+)?{_OWN_FIGURE}", said):
        return False
    return not re.search(rf"\b{re.escape(head)}(?:\s+[A-Z][\w&.]+)?['’]?s?,?\s+{_TELLS}", said)


def _is_of(word: str, company: str) -> bool:
    return fold(word).strip("'’") in {fold(each).strip(".,") for each in company.split()}

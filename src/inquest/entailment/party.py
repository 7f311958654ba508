"""Whom a claim is about, and whether somebody who speaks is that subject, speaks for it, or found the matter out."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.entailment.reading import SentenceReading
from inquest.entailment.speakers import attributed
from inquest.text.entities import NameKind, is_likely, names, same_name
from inquest.text.passages import stems
from inquest.text.sentences import fold

__all__ = [
    "AFTER_PREPOSITION",
    "Subject",
    "is_authority",
    "is_common",
    "is_party",
    "speaker_name",
    "speaks_of_itself",
    "subject_of",
]


class Subject(NamedTuple):
    """The actors a claim is about."""

    names: tuple[str, ...]
    """Its names, without those that only say where."""
    terms: frozenset[str]
    """The stems of its words of meaning."""
    first: str
    """The name that the claim begins with; '' where it begins with something else."""
    commons: frozenset[str] = frozenset()
    """The stems of its words of meaning that are no names."""
    things: tuple[str, ...] = ()
    """The words of meaning before the claim's verb, as written: what might be somebody's."""


_OWN = re.compile(r"\b(?:its|their|his|her|our|my|we|I|it|they|he|she)\b")
AFTER_PREPOSITION = re.compile(
    r"\b(?:in|at|near|from|across|around|into|through|along|outside|of|by|with|for|to|on|between)\s+(?:the\s+)?$", re.I
)
"""At the end of what stands before a name: it says where or by whom, and is no subject."""
_SPOKESMAN = (
    r"(?:spokes(?:man|woman|person|people)|lawyers?|attorneys?|counsel|solicitors?|barristers?|representatives?|"
    r"press\s+office|management|managers?|directors?|executives?|chief\s+executive|ceo|chair(?:man|woman)?|president|"
    r"owners?|founder|head|board|agents?|campaign|team|defence|defense|press\s+release|statement|announcement|website)"
)
_FOR_WHOM = re.compile(
    rf"(?:^|\b)(?:(?P<owner>[\w'’&. -]+?)['’]s?\s+(?:[\w-]+\s+){{0,3}}?{_SPOKESMAN}\b"
    rf"|{_SPOKESMAN}\s+(?:[\w-]+\s+)?(?:of|for|at|on\s+behalf\s+of|to)\s+(?P<whose>[\w'’&. -]+))",
    re.I,
)
_SPEAKS_FOR = re.compile(rf"\b{_SPOKESMAN}\b", re.I)
# Those who have a side by what they are, whatever their name.
_HAS_A_SIDE = re.compile(
    r"\b(?:company|firm|group|manufacturers?|maker|operators?|producer|developers?|contractor|supplier|retailer|"
    r"corporation|conglomerate|airline|employer|respondent|defendants?|accused|claimants?|plaintiffs?|suspects?|"
    r"defence|defense|club|start-?up|business|builder|landlord|brand|vendor|multinational)\b",
    re.I,
)
_AUTHORITY = re.compile(
    r"\b(?:courts?|tribunal|judges?|jury|inspectorate|inspectors?|agency|agencies|authority|authorities|department|"
    r"police|prosecutors?|commission|commissioner|regulators?|watchdog|ombudsman|coroner|study|studies|researchers?|"
    r"scientists?|(?-i:papers?)|^papers?|journal|reports?|register|registry|records?|documents?|files?|minutes|audits?|auditors?|"
    r"inquiry|inquest|investigat(?:ion|ions|ors?)|survey|data|statistics|figures|census|board|institute|university|"
    r"laborator(?:y|ies)|invoices?|receipts?|delivery\s+notes?|photographs?|satellite\s+(?:images?|pictures?)|footage|ledgers?|"
    r"accounts|samples?|readings?|spreadsheets?|committee|officials?|notice|order|judgment|judgement|ruling|filings?|letter|"
    r"(?:grid|network|transmission|power|gas)\s+(?:system\s+)?operators?|bureau|service|office|officers?|watch|ministry|ministries|government|analysis|analyses|measurements?|tests?|doctors|physicians|epidemiologists?|"
    r"experts|authors|panel|review|trial|meta-analysis|encyclopaedia|organi[sz]ation|nasa|noaa|who|cdc|fda|epa|ipcc|nhs|un|"
    r"eurostat|results?|observatory|museum|archives?|bank\s+statements?|e-?mails?|contract|permit|referee|centre|"
    r"center|council\s+records|fire\s+brigade|firefighters)\b",
    re.I,
)
_POLITICAL = re.compile(
    r"\b(?:minist(?:er|ers|ry|ries)|government|mayor|president|prime|chancellor|secretary|governor|senator|"
    r"congress(?:man|woman)|member|mp|party|campaign|candidate|white\s+house|kremlin|administration|city\s+hall)\b",
    re.I,
)
# A paper that has it from another paper has found out nothing.
_PRESS = re.compile(
    r"(?i:\b(?:sister\s+paper|newspaper|tabloid|broadcaster|magazine|website|blog|news\s+site|news\s+agency)\b)|"
    r"\b(?:[Rr]eport|[Aa]rticle|[Ss]tory|[Ii]tem)s?\s+(?:in|on)\s+(?:the\s+)?[A-Z]"
)
_PRESS_NAME = re.compile(
    r"\b(?:Times|Post|News|Herald|Courier|Tribune|Gazette|Journal|Ledger|Echo|Mail|Guardian|Leader|Chronicle|Observer|Examiner|"
    r"Telegraph|Express|Mirror|Standard|Argus|Dispatch|Star|Sun|Review|Magazine|Press|Reuters|AP|AFP|DPA|BBC|CNN|NBC|ABC|CBS|"
    r"NPR|Bloomberg|Politico|Axios|Xinhua|TASS|Al\s+Jazeera)$"
)
_PRONOUNS = frozenset("it they he she we i who which nobody".split())
_OWN_THING = re.compile(
    r"\b(?:our|my)\s+(?!(?:own\s+)?(?:reporters?|journalists?|correspondents?|newsroom|readers?)\b|hands\b)"
    r"((?:(?!that\b)[\w'’-]+\s+){0,2}[\w'’-]+)",
    re.I,
)
_OWN_DEED = re.compile(r"(?:\b[Ww]e|\bI)\s+((?:[\w'’-]+\s+){0,3}[\w'’-]+)")
_ROLE = re.compile(rf"\b(?:{_SPOKESMAN}|minister|mayor|governor|coach|captain|candidate|secretary)\b", re.I)
_TRAILING = re.compile(r"\s+(?:and|or|of|for|that|which|who|also|has|have|had)$", re.I)
_LEADING = re.compile(r"^(?:the|a|an|its|their|our|his|her|this|that|these|those|some|one|mr|mrs|ms|dr)\.?\s+", re.I)


_PLAIN_PLURAL = re.compile(
    r"^[A-Z][a-z]+(?:ors|ers|ists|ants|ents|ians|ees|men|tions|ings|ures|ies|ments|ations|sions|ages|els|les)$"
)


_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|must|shall|can|could|may|might|did|does|do|knew|knows|first|[a-z]{3,}ed|"
    r"belongs?|owns?|made|left|lost|won|fell|rose|took|gave|came|went|sold|bought|paid|spent|kept|stayed)\b"
)


_OPENING = re.compile(
    r"(?:In|Since|By|Between|During|For|From|Until|After|Over|Under|At)\s+(?:(?:[a-z\d][\w.-]*|January|February|March|April|May|"
    r"June|July|August|September|October|November|December),?\s+){1,6}"
)
"""'In 2024', 'By the end of 2024', 'Under the order': when or by what it was, before it is said whose it is."""


def subject_of(claim: SentenceReading) -> Subject:
    """Whom the claim is about."""
    found: list[str] = []
    # Whoever the claim has it from is not whom it is about: '..., Reuters reports'.
    speakers = [(one.speaker, one.scope.of(claim.text)) for one in attributed(claim.text)]
    tellers = [who for who, said in speakers if not _OWN.search(said) and _mentions(said, who) is False]
    for name in names(claim.text):
        if any(same_name(name.text, who) for who in tellers):
            continue
        where = AFTER_PREPOSITION.search(claim.text[: name.span.start])
        if (
            is_likely(name)
            and not (not name.sure and is_common(name.text))
            and not where
            and name.kind is not NameKind.PLACE
        ):
            found.append(name.text)
    opening = claim.text.lstrip("\"“' ").removeprefix("The ")
    first = next((name for name in found if opening.startswith(name)), "")
    if not first and (told_when := _OPENING.match(opening)):
        opening = opening[told_when.end() :].removeprefix("the ")
        first = next((name for name in found if opening.startswith(name)), "")
    opened = _VERB.split(claim.text, maxsplit=1)[0]
    things = tuple(word for word in re.findall(r"[A-Za-z][\w-]{3,}", opened) if stems(word))[:6]
    commons = frozenset(stems(" ".join(re.findall(r"\b[a-z][\w-]+", claim.text))))
    return Subject(tuple(found), claim.bag, first, commons, things)


def is_common(name: str) -> bool:
    """Whether what stands in capitals at the start of a sentence is a plain plural: 'Inspectors', 'Residents'."""
    return " " not in name and bool(_PLAIN_PLURAL.search(name))


def is_party(speaker: str, subject: Subject, around: str) -> bool:
    """Whether the speaker is the claim's subject, or one who speaks for it. `around`: the passage and its title, where
    a person's office may stand."""
    owner = _owner(speaker)
    spoken = owner or speaker
    official = bool(_AUTHORITY.search(spoken)) and not _POLITICAL.search(spoken)
    if any(same_name(spoken, name) for name in subject.names) and not official:
        return True
    if official or _is_the_press(spoken):
        return False
    if _HAS_A_SIDE.search(spoken) or (not owner and _SPEAKS_FOR.search(speaker)):
        return True
    if _shares_a_root(_heads(spoken), subject.commons) or _is_of_the_subject(spoken, subject, around):
        return True
    return _holds_office(speaker, subject, around)


def is_authority(speaker: str) -> bool:
    """Whether the speaker is a body, an official or a document that can know by having looked."""
    return bool(_AUTHORITY.search(speaker)) and not _is_the_press(speaker)


def _is_the_press(speaker: str) -> bool:
    return bool(_PRESS.search(speaker) or _PRESS_NAME.search(speaker))


def speaker_name(speaker: str, subject: Subject, *, party: bool) -> str:
    """The speaker as a reader knows him: 'the company' is the company that the claim is about."""
    spoken = (_owner(speaker) if party else "") or speaker
    generic = _HAS_A_SIDE.search(spoken) or spoken.lower() in _PRONOUNS or spoken.islower()
    if party and generic and len(subject.names) >= 1:
        return (subject.first or subject.names[0]).rstrip("'’")
    if party:
        for name in subject.names:
            if same_name(spoken, name):
                return name.rstrip("'’")
    return _TRAILING.sub("", _LEADING.sub("", spoken)).strip(" '’") or spoken


def speaks_of_itself(text: str, subject: Subject) -> bool:
    """'Our discharges', 'we have paid': the claim's matter, told in the first person."""
    for match in _OWN_THING.finditer(text):
        if subject.terms & set(stems(match.group(1))):
            return True
    return any(subject.terms & set(stems(match.group(1))) for match in _OWN_DEED.finditer(text))


def _owner(speaker: str) -> str:
    match = _FOR_WHOM.search(speaker)
    if match is None:
        return ""
    owner = (match["owner"] or match["whose"] or "").strip()
    return "" if owner.lower() in ("", "it", "its", "his", "her", "their") else owner


def _heads(speaker: str) -> list[str]:
    """The stems of what somebody is: 'minister' of 'Ann Lee, Minister of Health'."""
    found = []
    for part in speaker.split(","):
        head = re.split(r"\s(?:of|for|at|in|from|on)\s", part.strip())[0].split()
        found += stems(head[-1]) if head else []
    return found


def _is_of_the_subject(speaker: str, subject: Subject, around: str) -> bool:
    """'Harlow said', of a claim about the Dunmore works, where the text has 'Harlow's Dunmore works'."""
    spelled = _LEADING.sub("", speaker).split()
    if not spelled or not spelled[0][:1].isupper() or is_authority(speaker):
        return False
    things = "|".join(re.escape(thing) for thing in subject.things)
    if not things:
        return False
    name = re.escape(spelled[0].removesuffix("'s").removesuffix("’s"))
    return bool(
        re.search(rf"\b{name}(?:\s+[A-Z]\w+){{0,2}}(?:['’]s)?\s+(?:[a-z]+\s+)?(?:{things})\b", around)
        or re.search(rf"\b(?:{things})\s+(?:[a-z]+\s+)?(?:of|belonging\s+to|run\s+by|owned\s+by)\s+{name}\b", around)
    )


def _shares_a_root(spoken: list[str], terms: frozenset[str]) -> bool:
    """'The minister' speaks for the ministry, 'residents' for the residents."""
    return any(
        term == own or (min(len(term), len(own)) >= 6 and term[:6] == own[:6]) for term in spoken for own in terms
    )


def _holds_office(speaker: str, subject: Subject, around: str) -> bool:
    """'Mr Brown replied', where the text says 'the club's chairman, Tom Brown'."""
    surname = _LEADING.sub("", speaker).split()[-1:] or [""]
    if not surname[0][:1].isupper() or len(surname[0]) < 3:
        return False
    for match in re.finditer(rf"\b{re.escape(surname[0])}\b", around):
        near = around[max(0, match.start() - 90) : match.end() + 70]
        if _ROLE.search(near) and any(_mentions(near, name) for name in subject.names):
            return True
    return False


def _mentions(text: str, name: str) -> bool:
    head = (fold(name).split() or [""])[0]
    return len(head) > 2 and head in fold(text)

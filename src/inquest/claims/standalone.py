"""A sentence from a document as a claim that stands alone: attribution off, a leading 'It' or 'The company' resolved.

Only the claim's text is changed, never its quote; and only where the change is safe.
"""

from __future__ import annotations

import re

from inquest.text.entities import NameKind, by_bearer, names
from inquest.text.lexicon import pattern
from inquest.text.phrases import capitalised, ended
from inquest.text.regex import regex

_WHO = (
    r"(?:(?:the|a|an|its|his|her|their|one|two|three)\s+)?[\w'’&.-]+"
    r"(?:\s+(?:of|for|at|and|the|de|von|van)\b|\s+[\w'’&.-]+){0,7}?"
)
_SAYS = (
    r"(?:said|says|say|was\s+the\s+first\s+to\s+report|reported|reports|report|wrote|writes|stated|states|announced|"
    r"announces|confirmed|confirms|found|finds|concluded|concludes|established)"
)
_TRAILING = regex(
    rf",\s+(?:according\s+to\s+[^,;\"“”]{{3,120}}|(?:as\s+)?{_WHO}\s+(?:(?:has|have|had)\s+)?(?:also\s+|later\s+)?"
    rf"(?:{_SAYS}|shows?|showed|explained|added|told\s+[\w ]{{2,30}})"
    rf"(?:\s+(?:(?:on|in|at|late\s+on)\s+[^,;\"“”]{{3,40}}|(?:this|last)\s+\w+|yesterday|today))?|(?:said|says|reported)\s+[^,;\"“”]{{3,60}})\s*(?=[.!]?$)",
    re.IGNORECASE,
)
_LEADING = regex(
    rf"^(?:according\s+to\s+[^,;\"“”]{{3,90}},\s+|(?:on\s+\d+\s+\w+\s+)?{_WHO}(?:,[^,;\"“”]{{3,60}},)?\s+{_SAYS}"
    rf"(?:\s+(?:on|in)\s+[A-Z0-9][^,;\"“”]{{2,24}})?\s+that\s+)(?=\w)",
    re.IGNORECASE,
)
_ON_A_DAY = regex(r"\bon\s+\d+\s+[A-Za-z]+(?:\s+(?:19|20)\d\d)?", re.I)
# What a rule or a document of law says holds as its words only.
_RULE = pattern(__name__, "rule")
_DENYING = regex(r"\b(?:den(?:y|ies|ied)|disput\w+|reject\w*|refut\w+|dismiss\w+)\b", re.I)
_JOINT = pattern(__name__, "joint")
_DATELINE = regex(r"^[A-Z][A-Z .,-]{2,30}(?:,\s*[A-Z][a-z]+\.?\s*\d{0,2})?\s*\([\w .]+\)\s*[-–—]\s*")
_SPEAKER_LABEL = regex(r"^(?:[A-Z][\w.’'-]+\s+){1,3}[A-Z][\w.’'-]+(?:,\s+[^:\"“]{3,60})?:\s+(?=[A-Z])")
_LABEL = regex(r"^(?:Condition|Section|Article|Clause|Item|Point|Finding|Note|Result)\s+[\w.]+:\s+(?=\w)")
_SEE_ALSO = regex(r"[;,]\s+see\s+[^;]+\.$")
_LISTED = regex(r"^(?:(?:[-•*–—>»›‣▪■◦●►▶→✓✔]|\(?\d{1,2}[.)])\s+)+")
_ORGANISATION = pattern(__name__, "organisation")
_SAID_WHICH = regex(r"\s+(?:of|at|in|behind|named|called)\s+(?:the\s+)?[A-Z]")
"""'The operator of the Brindle works' says itself which it is."""
_COMPANY_DEEDS = pattern(__name__, "company_deeds")
_COMPANY = pattern(__name__, "company")
_LEGAL_FORM = r"(?:plc|Inc|Ltd|Limited|LLC|Corp|AG|GmbH|SE|SA|NV|BV)\b"
_AGENTS = pattern(__name__, "agents")
_LOOSE = pattern(__name__, "loose")
_EXPLETIVE = pattern(__name__, "expletive")
_POINTING = pattern(__name__, "pointing")
"""Words that point at what stood before."""
_VERB = regex(r"\b(?:is|are|was|were|has|have|had|will|would|did|does|do|can|could|\w{3,}ed|\w{3,}s)\b")


def without_leader(sentence: str) -> str:
    """Without the bullet or number of a list, a dateline ('STENNICK (Agency) -'), a speaker's name or a label before a
    colon, and a joint ('However,')."""
    text = _SPEAKER_LABEL.sub("", _DATELINE.sub("", _LISTED.sub("", sentence.strip())))
    text = _SEE_ALSO.sub(".", _LABEL.sub("", text))
    while (shorter := _JOINT.sub("", text)) != text:
        text = shorter
    return capitalised(text)


def without_attribution(sentence: str) -> str:
    """Without ', the letter says' or 'The agency said that' where what is left is a statement of its own.

    A denial is kept as it is: that somebody denies something is the statement. So are the words of a rule.
    """
    if _DENYING.search(sentence):
        return sentence
    text = sentence
    for form in (_TRAILING, _LEADING):
        match = form.search(text)
        if match is None or (form is _LEADING and _RULE.search(_ON_A_DAY.sub("", match.group()))):
            continue
        cut = text[: match.start()] + text[match.end() :]
        cut = cut.replace(" and that ", " and ") if form is _LEADING else cut
        if len(cut.split()) >= 5 and _VERB.search(cut):
            text = ended(capitalised(cut.strip(" ,")))
    return text


def main_organisation(title: str, text: str) -> str | None:
    """The name that 'the company' means throughout a document, or None where that is not safe to say.

    Safe is: one organisation is named in a form that says it is one ('Norvane Chemicals plc'), and it is the only one
    or named twice as often as any other.
    """
    whole = f"{title}.\n\n{text[:12_000]}"
    groups = by_bearer(
        name.text for name in names(whole) if name.sure and name.kind not in (NameKind.PERSON, NameKind.PLACE)
    )
    companies = [
        (
            sum(len(re.findall(rf"\b{re.escape(form)}\b", whole)) for form in forms),
            min(forms, key=lambda f: (len(f), f)),
        )
        for forms in groups
        if any(_COMPANY.search(form) or re.search(rf"\b{re.escape(form)}\s+{_LEGAL_FORM}", whole) for form in forms)
    ]
    companies.sort(reverse=True)
    if not companies or (len(companies) > 1 and companies[0][0] < 2 * max(1, companies[1][0])):
        return None
    return companies[0][1]


def in_its_name(sentence: str, organisation: str) -> str:
    """A sentence in the first person plural as one about the organisation that speaks: 'our works' becomes 'Norvane's
    works', and 'its works' where the organisation is named before. Words in quotation marks stay as they are."""
    named = re.compile(rf"\b[Ww]e\b|(?<!\w){re.escape(organisation)}(?!\w)")
    parts = re.split(r"([\"“][^\"”]*[\"”])", sentence)
    for place in range(0, len(parts), 2):
        before, part = "".join(parts[:place]), parts[place]
        first = re.search(r"\b[Oo]ur\b", part)
        if first and not named.search(before + part[: first.start()]):
            part = f"{part[: first.start()]}{_possessive(organisation)}{part[first.end() :]}"
        part = re.sub(r"\b[Oo]ur\b", "its", part)
        for have, has in (("have", "has"), ("are", "is"), ("were", "was"), ("do", "does")):
            part = re.sub(rf"\b[Ww]e {have}\b", f"{organisation} {has}", part)
        part = re.sub(r"\b[Ww]e\b", organisation, part)
        parts[place] = re.sub(r"\bus\b", organisation, part)
    return capitalised("".join(parts))


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def who_they_are(before: str) -> str | None:
    """Whom a 'They' means that follows on this sentence: the one kind of agent it names, or None."""
    agents = {match.group().lower() for match in _AGENTS.finditer(before)}
    return agents.pop() if len(agents) == 1 else None


def depends_on_context(sentence: str, organisation: str | None, before: str = "") -> tuple[str, bool]:
    """The sentence with a leading 'It', 'They' or 'The company' replaced by what it means, where that is safe; and
    whether what it speaks of is still to be found only in what stood before it.

    `before`: the sentence before it.
    """
    they = re.match(r"they\b", sentence, re.I)
    if they and (who := who_they_are(before)):
        return f"{capitalised(who)}{sentence[they.end() :]}", False
    match = _ORGANISATION.match(sentence)
    if match and _SAID_WHICH.match(sentence, match.end()):
        return sentence, False
    if match and organisation and not _EXPLETIVE.match(sentence):
        is_it, is_works = match["who"].lower() == "it", match["who"].lower().endswith("works")
        # What 'It' means is known only if the sentence does what companies do.
        if (not is_it and not is_works) or (is_it and _COMPANY_DEEDS.match(sentence)):
            who = _possessive(organisation) if match["own"] else organisation
            return f"{who}{sentence[match.end() :]}", False
        return sentence, is_it
    loose = _LOOSE.match(sentence) and not _EXPLETIVE.match(sentence)
    return sentence, bool(loose or _POINTING.search(sentence))

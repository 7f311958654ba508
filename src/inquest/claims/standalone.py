"""Rewriting of sentences into self-contained claims: no attribution, names for 'the company' and 'we', full dates.

Only the claim's text is changed, never its quote, and only if the change is safe.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from inquest.domain.document import Precision
from inquest.text.entities import NameKind, by_bearer, names
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, day, ended
from inquest.text.regex import regex

_WHO = (
    r"(?:(?:the|a|an|its|his|her|their|one|two|three)\s+)?[\w'’&.-]+"
    r"(?:\s+(?:of|for|at|and|the|de|von|van)\b|\s+[\w'’&.-]+){0,7}?"
)
_SAYS = (
    r"(?:said|says|say|reported|reports|report|wrote|writes|stated|states|announced|announces|confirmed|confirms|"
    r"found|finds|concluded|concludes|established)"
)
_TRAILING = regex(
    rf",\s+(?:according\s+to\s+[^,;\"“”]{{3,120}}|(?:as\s+)?{_WHO}\s+(?:(?:has|have|had)\s+)?(?:also\s+|later\s+)?"
    rf"(?:{_SAYS}|shows?|showed|explained|added|told\s+[\w ]{{2,30}})"
    rf"(?:\s+(?:(?:on|in|at|late\s+on)\s+[^,;\"“”]{{3,40}}|(?:this|last)\s+\w+|yesterday|today))?|"
    rf"(?:said|says|reported)\s+[^,;\"“”]{{3,60}})\s*(?=[.!]?$)",
    re.IGNORECASE,
)
_LEADING = regex(
    rf"^(?:according\s+to\s+[^,;\"“”]{{3,90}},\s+|(?:on\s+\d+\s+\w+\s+)?{_WHO}(?:,[^,;\"“”]{{3,60}},)?\s+{_SAYS}"
    rf"(?:\s+(?:on|in)\s+[A-Z0-9][^,;\"“”]{{2,24}})?\s+that\s+)(?=\w)",
    re.IGNORECASE,
)
_ON_A_DAY = regex(r"\bon\s+\d+\s+[A-Za-z]+(?:\s+(?:19|20)\d\d)?", re.I)
# A rule or legal document is a source for its own words only, so the attribution stays.
_RULE = pattern(__name__, "rule")
_DENYING = regex(r"\b(?:den(?:y|ies|ied)|disput\w+|reject\w*|refut\w+|dismiss\w+)\b", re.I)
_OPENING = (
    r"^(?:(?:[-•*–—>»›‣▪■◦●►▶→✓✔]|\(?\d{1,2}[.)])\s+)*"
    r"(?:[A-Z][A-Z .,-]{2,30}(?:,\s*[A-Z][a-z]+\.?\s*\d{0,2})?\s*\([\w .]+\)\s*[-–—]\s*)?"
)
"""List markers and a dateline: 'STENNICK (Agency) -'."""
_DATELINE = regex(_OPENING)
_LEADER = regex(
    rf"{_OPENING}"
    r"(?:(?:[A-Z][\w.’'-]+\s+){1,3}[A-Z][\w.’'-]+(?:,\s+[^:\"“]{3,60})?:\s+(?=[A-Z]))?"
)
"""And a speaker's name before a colon."""
_JOINT = pattern(__name__, "joint")
_ORGANISATION = pattern(__name__, "organisation")
_SAID_WHICH = regex(r"\s+(?:of|at|in|behind|named|called)\s+(?:the\s+)?[A-Z]")
"""Words that already identify the organisation: 'The operator of the Brindle works'."""
_COMPANY = pattern(__name__, "company")
_LOOSE = pattern(__name__, "loose")
_EXPLETIVE = pattern(__name__, "expletive")
_POINTING = pattern(__name__, "pointing")
"""Words that refer to earlier text."""
_VERB = regex(r"\b(?:is|are|was|were|has|have|had|will|would|did|does|do|can|could|\w{3,}ed|\w{3,}s)\b")
_QUOTED = regex(r"([\"“][^\"”]*[\"”])")
_SOON = timedelta(days=150)
"""Maximum age of a day without a year that is resolved to the nearest such day."""
_RELATIVE = regex(r"(?:(?:on\s+|last\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today)$", re.I)
_DAY_MONTH = regex(r"\d{1,2}(?:st|nd|rd|th)?\s+[A-Z][a-z]+$|[A-Z][a-z]+\s+\d{1,2}(?:st|nd|rd|th)?$")
_PART_OF_DAY = regex(r"\s+(morning|afternoon|evening|night)\b")
_ON = regex(r"\b(?:on|of|since|until|by|from)\s+$")


def without_dateline(quote: str) -> str:
    """Remove list markers and a dateline from a quote, and leave its words as they are."""
    return _DATELINE.sub("", quote.strip())


def without_leader(sentence: str) -> str:
    """Remove list markers, a dateline ('STENNICK (Agency) -'), a speaker's name and a connective ('However,')."""
    text = _LEADER.sub("", sentence.strip())
    while (shorter := _JOINT.sub("", text)) != text:
        text = shorter
    return capitalised(text)


def without_attribution(sentence: str) -> str:
    """Remove ', the letter says' or 'The agency said that' if the rest is a complete statement.

    Denials stay unchanged, because the denial is the statement, and so do the words of a rule.
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


def with_days(sentence: str, reference: date | None) -> str:
    """Write out relative days ('on Thursday', '14 March'), by the day of writing, `reference`.

    Words in quotation marks and uncertain dates stay unchanged.
    """
    if reference is None:
        return sentence
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    for moment in reversed(moments(sentence, reference)):
        start = moment.span.start
        words = moment.span.of(sentence).rstrip(".")  # the full stop after 'March' may be the sentence's
        exact = moment.precision is Precision.DAY and moment.start == moment.end
        inside = any(first <= start < last for first, last in quoted)
        if not moment.relative or not exact or inside or not timedelta() <= reference - moment.start <= _SOON:
            continue
        written = day(datetime.combine(moment.start, time.min, UTC))
        before, after = sentence[:start], sentence[start + len(words) :]
        if part := _PART_OF_DAY.match(after):
            written, after = f"on the {part.group(1)} of {written}", after[part.end() :]
        elif _RELATIVE.search(words) and not _ON.search(before):
            written = f"on {written}"
        elif not (_RELATIVE.search(words) or _DAY_MONTH.search(words)):
            continue
        sentence = f"{before}{written if before.strip() else capitalised(written)}{after}"
    return sentence


def main_organisation(title: str, text: str) -> str | None:
    """Return the name that 'the company' means throughout a document, or None if that is uncertain.

    The name must have the form of an organisation ('Norvane Chemicals plc'), and be the only such name or occur twice
    as often as any other.
    """
    whole = f"{title}.\n\n{text[:12_000]}"
    groups = by_bearer(
        name.text for name in names(whole) if name.sure and name.kind not in (NameKind.PERSON, NameKind.PLACE)
    )
    companies = sorted(
        (
            sum(len(re.findall(rf"\b{re.escape(form)}\b", whole)) for form in forms),
            min(forms, key=lambda form: (len(form), form)),
        )
        for forms in groups
        if any(
            _COMPANY.search(form) or re.search(rf"\b{re.escape(form)}\s+{_COMPANY.pattern}", whole) for form in forms
        )
    )
    if not companies or (len(companies) > 1 and companies[-1][0] < 2 * max(1, companies[-2][0])):
        return None
    return companies[-1][1]


def in_its_name(sentence: str, organisation: str) -> str:
    """Rewrite the first person plural: 'our works' becomes 'Norvane's works', or 'its works' after the name.

    Words in quotation marks stay unchanged.
    """
    named = re.compile(rf"\b[Ww]e\b|(?<!\w){re.escape(organisation)}(?!\w)")
    parts = _QUOTED.split(sentence)
    for place in range(0, len(parts), 2):
        before, part = "".join(parts[:place]), parts[place]
        first = re.search(r"\b[Oo]ur\b", part)
        if first and not named.search(before + part[: first.start()]):
            part = f"{part[: first.start()]}{_possessive(organisation)}{part[first.end() :]}"
        part = re.sub(r"\b[Oo]ur\b", "its", part)
        for have, has in (("have", "has"), ("are", "is"), ("were", "was"), ("do", "does")):
            part = re.sub(rf"\b[Ww]e {have}\b", f"{organisation} {has}", part)
        parts[place] = re.sub(r"\b(?:[Ww]e|us)\b", organisation, part)
    return capitalised("".join(parts))


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def depends_on_context(sentence: str, organisation: str | None) -> tuple[str, bool]:
    """Replace a leading 'The company' by the organisation, if known.

    Also return True if the sentence still refers to earlier text.
    """
    match = _ORGANISATION.match(sentence)
    if match and _SAID_WHICH.match(sentence, match.end()):
        return sentence, False
    if match and organisation:
        who = _possessive(organisation) if match["own"] else organisation
        return f"{who}{sentence[match.end() :]}", False
    loose = _LOOSE.match(sentence) and not _EXPLETIVE.match(sentence)
    return sentence, bool(loose or _POINTING.search(sentence))

"""Rewriting of sentences into self-contained claims: no attribution, names for 'the company' and 'we', full dates; and
a yes/no question as the statement that a 'yes' would assert: 'Did X know of it?' is 'X knew of it'.

Only the claim's text is changed, never its quote, and only if the change is safe."""

from __future__ import annotations

import re
from itertools import pairwise

from inquest.claims.claim_detection import ACTIONS
from inquest.text.entities import NameKind, by_bearer, names
from inquest.text.lexicon import pattern, word_set
from inquest.text.phrases import capitalised, ended
from inquest.text.regex import regex
from inquest.text.vocabulary import IRREGULAR

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
    r"(?:[A-Z][A-Z .,-]{2,30}(?:,\s*[A-Z][a-z]+\.?\s*\d{0,2})?\s*\([\w .]+\)\s*[-–—](?!\d)\s*)?"
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
_PRONOUN, _LOOSE = pattern(__name__, "pronoun"), pattern(__name__, "loose")
_DEFINITE = pattern(__name__, "definite")
_EXPLETIVE = pattern(__name__, "expletive")
_POINTING = pattern(__name__, "pointing")  # Words that refer to earlier text
_VERB = regex(r"\b(?:is|are|was|were|has|have|had|will|would|did|does|do|can|could|\w{3,}ed|\w{3,}s)\b")
_QUOTED = regex(r"([\"“][^\"”]*[\"”])")


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
    """Remove ', the letter says' or 'The agency said that' if the rest is a complete statement. Denials stay unchanged,
    because the denial is the statement, and so do the words of a rule."""
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
    """Return the name that 'the company' means throughout a document, or None if that is uncertain. The name must have
    the form of an organisation ('Norvane Chemicals plc'), and be the only such name or occur twice as often as any
    other."""
    whole = re.sub(r"\|.*$", r"\g<0> |", f"{title}.\n\n{text[:12_000]}", flags=re.M)  # No name spans rows of a table.
    groups = by_bearer(
        name.text
        for name in names(whole)
        if name.sure and name.kind not in (NameKind.PERSON, NameKind.PLACE) and not _COMPANY.fullmatch(name.text)
    )
    companies = sorted(
        (
            sum(len(re.findall(rf"\b{re.escape(form)}\b", whole)) for form in forms),
            max(forms, key=lambda form: (whole.count(form), -len(form), form)),
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
    """Rewrite the first person plural: 'our works' becomes 'Norvane's works', or 'its works' after the name or its
    first word. Words in quotation marks stay unchanged."""
    named = re.compile(rf"\b[Ww]e\b|(?<!\w){re.escape(organisation.split()[0])}(?!\w)")
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
    """Replace a leading 'The company' by the organisation, if known. Also return True if the sentence still refers to
    earlier text."""
    match = _ORGANISATION.match(sentence)
    if match and _SAID_WHICH.match(sentence, match.end()):
        return sentence, False
    if match and organisation:
        who = _possessive(organisation) if match["own"] else organisation
        return f"{who}{sentence[match.end() :]}", False
    unnamed = _DEFINITE.match(sentence) and not names(sentence)  # 'The laboratory found 780 micrograms': which?
    loose = _LOOSE.match(sentence) and not _EXPLETIVE.match(sentence)
    return sentence, bool(loose or unnamed or refers_back(sentence))


def refers_back(sentence: str) -> bool:
    """Return True if a pronoun of the sentence stands for something in earlier text."""
    return bool((_PRONOUN.match(sentence) and not _EXPLETIVE.match(sentence)) or _POINTING.search(sentence))


_AUXILIARY, _ADVERB, _UNCLEAR, _RELATIVE_WORDS = (
    pattern(__name__, name) for name in ("auxiliary", "adverb", "unclear", "relative")
)
_PRONOUNS, _DETERMINERS, _PREPOSITIONS = (
    word_set(__name__, name) for name in ("pronouns", "determiners", "prepositions")
)
_WORD = regex(r"\S+")
ANY = {"any": "some", "anyone": "someone", "anybody": "somebody", "anything": "something"}
_BE, _PERFECT = ("is", "are", "was", "were"), ("has", "have", "had")
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_LONGEST = 9  # Maximum number of words of a subject
_LEAD = "And did "  # Put before the words, so that a capital at their beginning marks a name
_REGULAR = re.findall(r"[a-z]{2,}ed\b", ACTIONS.pattern)
_BASES = frozenset({
    *IRREGULAR.values(),
    *(base for word in _REGULAR for base in (word[:-1], word[:-2], word[:-3])),
    *(f"{word[:-3]}y" for word in _REGULAR if word.endswith("ied")),
})  # fmt: skip
_PAST: dict[str, str] = {}
for _past, _base in IRREGULAR.items():
    _PAST.setdefault(_base, _past)
del _PAST["lie"]  # 'lied' in what is asked of people


def statement_of(question: str) -> str:
    """Return the statement with a full stop; '' unless it is a yes/no question with a subject that ends clearly."""
    asks = _AUXILIARY.match(question)
    rest = re.sub(r",?\s+or\s+not$", "", question[asks.end() :].rstrip(" ?!.")) if asks else ""
    if not asks or not rest or _UNCLEAR.search(rest):
        return ""
    does = asks["word"].lower()
    at = _predicate_at(rest, does)
    if at is None:
        return ""
    subject = _ADVERB.sub(" ", f"{rest[:at].strip()} ").strip()
    never = " never" if subject.endswith(" never") else ""
    subject = subject.removesuffix(never)
    if len(subject.split()) > _LONGEST or _RELATIVE_WORDS.search(subject):
        return ""
    verb, _, more = _ADVERB.sub("", rest[at:].strip()).partition(" ")
    if does == "did":
        verb = _past_of(verb)
    elif does == "does":
        verb = third_person(verb)
    elif does != "do":
        never = f" {does}{never}"
    if subject.split()[0].lower() in ANY:
        subject = _affirmed(f"{subject[:1].lower()}{subject[1:]}")
    return f"{capitalised(f'{subject}{never} {verb} {_affirmed(more)}'.strip())}."


def _affirmed(text: str) -> str:
    return " ".join(ANY.get(word, word) for word in text.split())


def _predicate_at(rest: str, does: str) -> int | None:
    """Return the start of the predicate after the subject; None if it is uncertain."""
    words = list(_WORD.finditer(rest))
    low = [word.group().lower().strip(",;:'’\"") for word in words]
    if len(words) < 2 or low[0] in _PRONOUNS:
        return words[1].start() if len(words) > 1 else None
    spans = [(name.span.start - len(_LEAD), name.span.end - len(_LEAD)) for name in names(_LEAD + rest)]
    named = [any(begin <= word.start() < end for begin, end in spans) for word in words]
    first = 2 if low[0] in _DETERMINERS else 1
    joined = {k for k, (one, _) in enumerate(pairwise(low), 1) if one in _PREPOSITIONS or one in _DETERMINERS}
    open_ = [k for k in range(first, len(words)) if not named[k] and k not in joined and low[k] not in _PREPOSITIONS]
    if does in _BE:
        return _after_be(words, low, named, open_)
    likely = None
    for k in open_:
        first_of_name = max((j for j in range(k) if not named[j]), default=-1)
        # After 'a' or 'an' a name is an adjective: 'a Swedish library'.
        after_name = named[k - 1] and low[first_of_name] not in ("a", "an") and not low[k - 1].endswith(_POSSESSIVE)
        if _ADVERB.match(f"{low[k]} "):
            continue
        following = low[k + 1] if k + 1 < len(low) else ""
        if does in _PERFECT:
            is_verb = _participle(low[k])
        else:
            # After 'did' and 'does' a verb has its base form: 'works' in 'did the Tarn Bridge works' is not a verb.
            is_verb = low[k] in _BASES or following in _DETERMINERS
            may_be = low[k].isalpha() and (not low[k].endswith("s") or low[k].endswith("ss"))
            if after_name and may_be and not is_verb:
                likely = likely or k
                continue
        if is_verb:
            # 'the water plant release', 'the Dutch government ban': either word may be the verb.
            unclear = not after_name and does not in _PERFECT and following in _BASES and not named[k + 1]
            return None if unclear or likely else words[k].start()
    return words[likely].start() if likely else None


def _after_be(words: list[re.Match[str]], low: list[str], named: list[bool], open_: list[int]) -> int | None:
    """The start of the predicate after a form of 'be': the first participle, second noun group, last word or place."""
    last = len(words) - 1
    for k in open_:
        if low[k] in _DETERMINERS or low[k] in ("being", "still"):
            return words[k].start()
        ends = k == last or named[k + 1] or low[k + 1] in {*_PREPOSITIONS, *_DETERMINERS, "when", "while", "because"}
        if _participle(low[k], ing=True) and (ends or low[k + 1].endswith("ly") or low[k + 1][:1].isdigit()):
            return words[k].start()
    if last in open_ and low[last].isalpha() and words[last].group().islower():
        return words[last].start()
    first = next((k for k in range(1, last) if low[k] in _PREPOSITIONS - {"of", "and"}), None)
    # 'the vaccine mandatory for nurses', 'the water plant in Odell': the second word may be the predicate.
    if first is None or any(k > first for k in open_) or sum(k < first for k in open_) > (low[0] not in _DETERMINERS):
        return None
    return words[first].start()


def _participle(word: str, *, ing: bool = False) -> bool:
    regular = len(word) > 4 and word.endswith("ed")
    return regular or word in IRREGULAR or word == "been" or (ing and len(word) > 5 and word.endswith("ing"))


def _past_of(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)
    return f"{verb}{verb[-1] if doubled else ''}ed"


def third_person(verb: str) -> str:
    """Return the third person singular of a verb in the present tense."""
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"

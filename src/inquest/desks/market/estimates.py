"""What analysts' firms did with their estimates: 'X lowered its 2026 delivery estimate to 1.85 million'.

An estimate is told as the act it is: who, what of, from what, to what. A company's own forecast is no analyst's: a firm
counts where the text makes it one (its analysts, an estimate for another company) or where its name says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from inquest.desks.market.analyst_clauses import CUT, KEEP, RAISE, SAME, clause_end
from inquest.text.entities import same_name
from inquest.text.numerals import number_of
from inquest.text.sentences import fold

__all__ = ["CONSENSUS", "Estimate", "estimates_in", "same_amount"]

CONSENSUS = "Analysts' consensus"
"""What all analysts together expect, in the place of a firm."""

_NAME = r"[A-Z][\w.&'’-]*(?:\s+(?:[A-Z][\w.&'’-]*|&|of|and(?=\s[A-Z]))){0,4}?"
_ANALYST = r"(?P<analyst>(?:['’]s)?\s+(?:analysts?|strategists?|economists?)\b(?:\s+[A-Z][\w.'’-]+){0,3})?"
_AT_FIRM = rf"(?:[Aa]nalysts?|[Ss]trategists?)\s+(?:at|from|with)\s+(?P<firm_at>{_NAME})"
_WORD = r"estimates?|forecasts?|projections?|expectations?"
_ACT = re.compile(
    rf"(?:{_AT_FIRM}|(?P<same>{SAME})|(?P<firm>{_NAME}){_ANALYST}):?\s*(?<=[\s:])(?:(?:has|have|had|also)\s+)*(?P<verb>(?i:{RAISE}|{CUT}|{KEEP}))\s+"
    rf"(?:(?:its|their|his|her|the\s+(?:firm|bank|brokerage)['’]s|the|an?)\s+)?(?P<of>(?:(?!(?:to|from|and|targets?|ratings?)\b)[\w.&'’/-]+\s+){{0,7}}?)(?P<word>(?i:{_WORD}))\b"
)
_SUM = (
    r"(?P<{0}>(?:US\$|C\$|A\$|HK\$|[$€£¥]|(?:USD|EUR|GBP|CHF)\s)?\d[\d,]*(?:\.\d+)?"
    r"(?:\s?(?:%|percent\b|per\s?cent\b)|\s?(?:[MBKmbk]|[bm]n|million|billion|trillion|thousand)\b)?"
    r"(?:\s(?:a|per)\sshare\b|\s(?!(?:this|versus|minus|plus|thus|towards|times|earlier)\b)[a-z]{{3,}}s\b)?)"
)
_CHANGE = re.compile(
    rf"\b(?:to|at)\s+(?:about\s+|around\s+|just\s+|only\s+)?{_SUM.format('to')}"
    rf"(?:\s*[,(]?\s*(?:down\s+|up\s+)?from\s+(?:about\s+|around\s+)?{_SUM.format('before')})?"
    rf"|\bfrom\s+(?:about\s+|around\s+)?{_SUM.format('before2')}\s*(?:to|→|->)\s*(?:about\s+|around\s+)?{_SUM.format('to2')}",
    re.I,
)
_FOR = re.compile(
    r"^\s+(?:for|of|on)\s+(?P<what>(?:[\w.&'’/-]+\s+){0,6}?[\w.&'’/-]+)(?=\s+(?:to|from|by)\b|[,.;(]|$)", re.I
)
_ALL = re.compile(
    rf"\b[Cc]onsensus(?:\s+(?P<of>(?:[\w-]+\s+){{0,4}}?)(?:{_WORD}))?(?:\s+(?:for|of|on)\s+(?P<for>[^,.;]{{1,60}}?))?:?\s+"
    rf"(?P<verb>(?:now\s+)?(?:stands?|sits|is|fell|dropped|slipped|rose|climbed)(?:\s+now)?|now:?)\s+"
    rf"(?:(?:at|to|now)\s+)*(?:about\s+|around\s+)?{_SUM.format('to')}"
    rf"(?:\s+(?:for|in)\s+(?P<period>(?:fiscal\s+)?\d{{4}}|[a-z]+\s+quarter))?",
    re.M,
)
# What a broker's or a bank's name says of it: no company but theirs is so called.
_HOUSE_WORDS = frozenset(
    (
        "securities capital research partners bank banking advisors advisory equity equities brokers brokerage "
        "investments financial markets"
    ).split()
)
_HOUSES = frozenset(
    (
        "goldman sachs|goldman|morgan stanley|jpmorgan|jpmorgan chase|j.p. morgan|jp morgan|bofa|bank of america|"
        "merrill lynch|citi|citigroup|ubs|barclays|hsbc|deutsche bank|wells fargo|jefferies|bernstein|wedbush|"
        "piper sandler|stifel|raymond james|evercore|evercore isi|td cowen|cowen|oppenheimer|needham|mizuho|nomura|"
        "macquarie|rbc|bmo|scotiabank|truist|keybanc|robert w. baird|baird|william blair|guggenheim|cantor fitzgerald|"
        "canaccord genuity|loop capital|rosenblatt|susquehanna|d.a. davidson|da davidson|moffettnathanson|"
        "redburn|berenberg|kepler cheuvreux|oddo bhf|societe generale|bnp paribas|exane bnp paribas|natixis|santander|"
        "credit suisse|commerzbank|dz bank|metzler|stifel europe|morningstar|argus|cfra|china international capital|"
        "clsa|daiwa|haitong|lseg|factset|visible alpha"
    ).split("|")
)
_NO_FIRM = frozenset("the a an it he she they company management board analysts analyst and on in after but".split())
_PROPER = re.compile(
    r"\b(?:[A-Z]\.[A-Z]|(?!January|February|March|April|May|June|July|August|September|October|November|December)"
    r"[A-Z][a-z]{2})"
)
_SCALES = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "trillion": 12}
_PLAIN = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?([a-z]+)?", re.I)


class Estimate(NamedTuple):
    """An act with an estimate as a text tells it; amounts as written."""

    firm: str
    action: str
    """cut estimate, raised estimate, kept estimate; of all analysts together: estimate."""
    of: str
    """What is estimated: '2026 delivery', 'Quarvane's 2026 earnings'; '' where the sentence does not say."""
    before: str | None
    to: str | None


def estimates_in(text: str, company: str = "", subject: str = "") -> tuple[Estimate, ...]:
    """The analysts' estimates that a title or sentence tells of, in its order. `company`: whom they are about, who is
    no analyst of itself; `subject`: the one firm that the sentence tells another act of, which goes on to be meant."""
    return (*_acts(text, company, subject), *_consensus(text))


def same_amount(one: str | None, other: str | None) -> bool:
    """Whether two amounts are the same however they are written ('1.85M', '1.85 million vehicles'), or one is not
    given."""
    return not (one and other) or _value(one) == _value(other)


def _acts(text: str, company: str, subject: str) -> Iterator[Estimate]:
    for match in _ACT.finditer(text):
        firm = subject if match["same"] else _firm(match["firm_at"] or match["firm"] or "")
        if not firm or (company and same_name(firm, company)):
            continue
        end = clause_end(text, match.end())
        further = _FOR.match(text[match.end() : end])
        what = further["what"] if further else ""
        if _names_other(what, company) and not _is_of(text, company):
            continue  # what the firm expects of a whole country is no estimate of the company's
        of = " ".join((match["of"] or "").split())
        by_analysts = bool(match["firm_at"] or match["analyst"] or match["same"])
        if not (by_analysts or _is_house(firm) or _is_of(f"{of} {what}", company)):
            continue  # 'Quarvane cut its 2026 forecast' is a company's word on itself
        change = _CHANGE.search(text, match.end(), _amounts_end(text, match.end(), end))
        if change is None:
            continue
        told = f"{of} {further.group().strip()}" if of and further else of or what
        before, to = change["before"] or change["before2"], change["to"] or change["to2"]
        yield Estimate(firm, _action(match["verb"]), told, before, to)


def _consensus(text: str) -> Iterator[Estimate]:
    for match in _ALL.finditer(text):
        verb = match["verb"].split()[-1] if match["verb"].lower().startswith("now ") else match["verb"].split()[0]
        action = {"fell": "cut estimate", "dropped": "cut estimate", "slipped": "cut estimate",
                  "rose": "raised estimate", "climbed": "raised estimate"}.get(verb, "estimate")  # fmt: skip
        of = " ".join(part for each in (match["of"], match["for"], match["period"]) if (part := (each or "").strip()))
        yield Estimate(CONSENSUS, action, of, None, match["to"].strip())


def _amounts_end(text: str, start: int, end: int) -> int:
    """An amount belongs to the estimate only where no reason or further act stands between."""
    stop = re.compile(r",?\s(?:citing|because|after|amid|while)\b|;", re.I).search(text, start, end)
    return stop.start() if stop else end


def _firm(written: str) -> str:
    words = re.sub(r"['’]s?$", "", written.strip(" .,'’")).split()
    while words and fold(words[0]).strip(".,'’") in _NO_FIRM:
        words = words[1:]
    return " ".join(words)


def _is_house(firm: str) -> bool:
    plain = fold(firm)
    words = plain.replace(".", "").replace(",", "").split()
    return plain in _HOUSES or " ".join(words[:2]) in _HOUSES or (len(words) > 1 and words[-1] in _HOUSE_WORDS)


def _is_of(text: str, company: str) -> bool:
    """Whether a text names the company."""
    names = [word for word in fold(company).split() if len(word) > 2]
    return bool(names) and bool(re.search(rf"(?<!\w){re.escape(names[0])}(?!\w)", fold(text)))


def _names_other(what: str, company: str) -> bool:
    """Whether an estimate is said to be for somebody or some place that is not the company."""
    return bool(company) and bool(_PROPER.search(what)) and not _is_of(what, company)


def _action(verb: str) -> str:
    if re.match(RAISE, verb, re.I):
        return "raised estimate"
    return "cut estimate" if re.match(CUT, verb, re.I) else "kept estimate"


def _value(written: str) -> float:
    found = _PLAIN.search(written)
    if not found:
        return -1.0
    number = number_of(found[1], worldly=False)[0]
    return float(f"{number:.12g}") * 10.0 ** _SCALES.get((found[2] or "").lower(), 0)

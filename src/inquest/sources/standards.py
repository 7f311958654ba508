"""Standards, schemes and registries named in a text, in all their spellings, with the edition."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from inquest.sources.standards_book import Standard, standards_book
from inquest.text.lexicon import pattern
from inquest.text.sentences import Span, fold, sentences


class NamedStandard(NamedTuple):
    """A standard that a text names. `edition` as written: '2018', '5.1', 'AR5'; '' if none is named."""

    standard: Standard
    span: Span
    text: str
    edition: str = ""


_JOINT = r"[\s_-]{0,3}"
_HYPHENS = str.maketrans(dict.fromkeys("‐‑–", "-"))
"""Replaced character by character, so that places stay. Patterns with sets of them would take long to compile."""
_EDITION = pattern(__name__, "edition")
_OF_REGISTRIES = ("regist", "certificate", "credit", "retired", "cancel", "redeemed", "issued")


def named_standards(text: str) -> tuple[NamedStandard, ...]:
    """Find the standards that a text names, in order, with repetitions; of overlapping names the longest counts.

    An abbreviation that is also a word or another name (REC, GO, CAR, CER, CDP) counts
    in its own letters, and only beside a word of its subject in the same sentence.
    """
    spelled, marks, owners = _patterns()
    plain = text.translate(_HYPHENS)
    found = [_named(text, match, owners[_key(match.group())]) for match in spelled.finditer(plain)]
    taken = [each.span for each in found]
    bounds = sentences(text)
    for match in marks.finditer(plain):
        if any(match.start() < span.end and span.start < match.end() for span in taken):
            continue
        owner = owners[_mark_key(match.group())]
        if _has_subject(owner, text, match, bounds):
            found.append(_named(text, match, owner))
    return tuple(sorted(found, key=lambda each: each.span))


def standard_called(name: str) -> tuple[Standard, ...]:
    """Return the standards that a name may mean, the best first: by id, spelling or abbreviation, else by a part of the
    name; a family includes its members."""
    wanted, letters, book = fold(name).strip(), _key(name), standards_book()
    if not letters:
        return ()
    exact = [each for each in book if letters in map(_key, (each.id, each.name, *each.spellings, *each.marks))]
    if not exact:
        exact = [each for each in book if wanted in fold(each.name) or wanted in each.id or wanted in fold(each.kind)]
    members = [each for family in exact for each in book if each.family == family.id and each not in exact]
    return tuple(dict.fromkeys([*exact, *members]))


def _named(text: str, match: re.Match[str], owner: Standard) -> NamedStandard:
    after = _EDITION.match(text, match.end())
    edition = next((group for group in after.groups() if group), "") if after else ""
    end = after.end() if after and edition else match.end()
    if not edition:
        name = match.group()
        within = re.search(r"\bAR[456]\b|(?:19|20)\d\d", name)
        reports = {"fourth": "AR4", "fifth": "AR5", "sixth": "AR6"} if "report" in name.lower() else {}
        ordinal = next((short for word, short in reports.items() if word in name.lower()), "")
        edition = within.group() if within else ordinal
    return NamedStandard(owner, Span(match.start(), end), text[match.start() : end], edition)


def _has_subject(owner: Standard, text: str, match: re.Match[str], bounds: list[Span]) -> bool:
    near = owner.beside
    if any(_mark_key(match.group()) == _mark_key(name) for name in owner.registries):
        near = (*near, *_OF_REGISTRIES)
    if not near:
        return True
    around = next((span for span in bounds if span.start <= match.start() < span.end), Span(0, len(text)))
    rest = text[around.start : match.start()] + " " + text[match.end() : around.end]
    # A word with a capital is a name and is case-sensitive.
    flags = {word: re.NOFLAG if word != word.lower() else re.I for word in near}
    return any(re.search(rf"(?<!\w){re.escape(word)}", rest, flag) for word, flag in flags.items())


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], dict[str, Standard]]:
    owners: dict[str, Standard] = {}
    spellings: list[str] = []
    marks: list[str] = []
    for standard in standards_book():
        for name in standard.spellings:
            owners[_key(name)] = standard
            spellings.append(name)
        for name in (*standard.marks, *standard.registries):
            # A registry that serves several schemes belongs to the first.
            owners.setdefault(_mark_key(name), standard)
            marks.append(name)
    return (_either(spellings, re.I, plural=True), _either(marks, re.NOFLAG, plural=False), owners)


def _either(names: list[str], flags: re.RegexFlag, *, plural: bool) -> re.Pattern[str]:
    longest_first = sorted(dict.fromkeys(names), key=len, reverse=True)
    forms = "|".join(_JOINT.join(re.escape(word) for word in re.split(r"[\s-]+", name)) for name in longest_first)
    return re.compile(rf"(?<![\w.])(?:{forms}){'s?' if plural else ''}(?![\w])", flags)


def _key(name: str) -> str:
    """Reduce a spelling to letters and digits, without a plural's s."""
    return re.sub(r"[\W_]+", "", name).lower().removesuffix("s")


def _mark_key(name: str) -> str:
    return "=" + re.sub(r"[\s_-]+", "", name)

"""Changes between two runs on the same topic: level, sources, verdicts, origin."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from inquest.claims.sameness import parse_statement, same_statement
from inquest.domain.assessment import Verdict
from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.source import Source
from inquest.domain.topic import ReviewFlag
from inquest.domain.topic_history import CaseChanges, ChangedVerdict, LevelChange, OriginChange, PageChange
from inquest.text.sentences import fold, shorten
from inquest.text.urls import comparison_key

_SHOWN = 5
_LONGEST = 160


def what_changed(before: Case, after: Case) -> CaseChanges:
    """Everything that differs in what the two runs found. The order of sources and claims, ids, wording of claims that
    say the same, cost and time are no changes; sources that were left out as evidence count as not there."""
    then, now = _pages(before), _pages(after)
    level_then, level_now = _level(before), _level(after)
    origin_then, origin_now = _origin(before), _origin(after)
    (flags_then, disputed_then), (flags_now, disputed_now) = _doubts(before), _doubts(after)
    known = set(map(_same, disputed_then))
    out_then, out_now = _unasked(before), _unasked(after)
    # An engine that the plan no longer names (no network, no key) was not asked either, and has no outage.
    gone = dict.fromkeys(f"engine {name}" for name in _engines(before) if name not in _engines(after))
    missed = [source for key, source in then.items() if key not in now]
    unasked = {*out_now, *gone}
    reached = [source for source in missed if not _out_of_reach(source, after, unasked)]
    return CaseChanges(
        before=before.id,
        after=after.id,
        level=None if level_then is level_now else LevelChange(before=level_then, after=level_now),
        new_sources=tuple(_page(source) for key, source in now.items() if key not in then),
        gone_sources=tuple(_page(source) for source in reached),
        unreached=tuple(_page(source) for source in missed if source not in reached),
        changed_pages=tuple(
            _page(source) for key, source in now.items() if key in then and then[key].snapshot != source.snapshot
        ),
        verdicts=tuple(_verdicts(before, after)),
        origin=None if _same_origin(origin_then, origin_now) else OriginChange(before=origin_then, after=origin_now),
        new_flags=tuple(flag for flag in flags_now if flag not in flags_then),
        newly_disputed=tuple(text for text in disputed_now if _same(text) not in known),
        outages=tuple(dict.fromkeys((*(each for each in out_now if each not in out_then), *gone))),
        still_out=tuple(each for each in out_now if each in out_then),
    )


def change_lines(changes: CaseChanges) -> tuple[str, ...]:
    """The changes for a person, weightiest first, and who could not be asked; () where there is none of either."""
    found = []
    if changes.level:
        before, after = changes.level.before, changes.level.after
        found.append(f"The level is {after.value if after else 'not known'}; it was {_or_unknown(before)}.")
    found += [f"Flagged for review now: {flag.value.replace('_', ' ')}." for flag in changes.new_flags]
    if changes.origin:
        found.append(f"The origin is {changes.origin.after or 'unknown'}; it was {changes.origin.before or 'unknown'}.")
    for each in changes.verdicts:
        text = shorten(each.text, _LONGEST)
        if each.before is None:
            found.append(f"New claim, {_or_unknown(each.after)}: {text}")
        elif each.after is None:
            found.append(f"No longer among the claims ({_or_unknown(each.before)} then): {text}")
        else:
            found.append(f"The verdict is {_or_unknown(each.after)}; it was {_or_unknown(each.before)}: {text}")
    found += [f"Disputed now: {shorten(text, _LONGEST)}" for text in changes.newly_disputed]
    found += _page_lines("New source", changes.new_sources)
    found += _page_lines("Changed page", changes.changed_pages)
    found += _page_lines("Not found this time", changes.gone_sources)
    found += _page_lines("Could not be looked for or read this time", changes.unreached)
    if changes.outages:
        found.append(f"Could not be asked this time, and could then: {_some(changes.outages)}.")
    if changes.still_out:
        found.append(f"Could be asked neither then nor now: {_some(changes.still_out)}.")
    return tuple(found)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _doubts(case: Case) -> tuple[tuple[ReviewFlag, ...], tuple[str, ...]]:
    """Why a person should look at the case, and the claims that were disputed."""
    result = case.investigation
    return (result.review_flags, result.disputed_claims) if result else ((), ())


def _unasked(case: Case) -> dict[str, None]:
    return dict.fromkeys(f"{note.what} {note.where}".strip() for note in case.outages)


def _out_of_reach(source: Source, after: Case, unasked: Container[str]) -> bool:
    """True where a page may be missing for no other reason than that it, or who led to it, could not be asked."""
    pages = {comparison_key(note.where) for note in after.outages if note.what == "page"}
    return comparison_key(source.url) in pages or any(f"engine {name}" in unasked for name in source.engines)


def _engines(case: Case) -> tuple[str, ...]:
    return case.plan.engines if case.plan else ()


def _page_lines(what: str, pages: Sequence[PageChange]) -> Iterator[str]:
    for page in pages[:_SHOWN]:
        yield f"{what} (tier {page.tier}): {shorten(page.title, _LONGEST) or page.url} <{page.url}>"
    if len(pages) > _SHOWN:
        yield f"{what}: {len(pages) - _SHOWN} more."


def _or_unknown(value: object) -> str:
    return str(getattr(value, "value", value)).replace("_", " ") if value is not None else "not known"


def _pages(case: Case) -> dict[str, Source]:
    """By address in any spelling; the first of several."""
    found: dict[str, Source] = {}
    for source in case.sources:
        if source.excluded is None:
            found.setdefault(comparison_key(source.url), source)
    return found


def _page(source: Source) -> PageChange:
    return PageChange(source_id=source.id, url=source.url, title=source.title, tier=source.rating.tier)


def _level(case: Case) -> object:
    return case.investigation.recommended_verification_level if case.investigation else None


def _origin(case: Case) -> str:
    if case.investigation is None:
        return ""
    if source := case.investigation.original_source:
        return f"{source.name} <{source.url}>"
    trace = case.investigation.origin
    return trace.name if trace else ""


def _same_origin(one: str, other: str) -> bool:
    """By address where both have one, else by name: an origin that is named first and read later is the same."""
    if one == other:
        return True
    if "<" in one and "<" in other:
        return comparison_key(one.rpartition("<")[2].rstrip(">")) == comparison_key(
            other.rpartition("<")[2].rstrip(">")
        )
    return bool(one and other) and _same(one.partition(" <")[0]) == _same(other.partition(" <")[0])


def _same(text: str) -> str:
    return " ".join(fold(text).split())


def _verdicts(before: Case, after: Case) -> Iterator[ChangedVerdict]:
    """Claims by their words, else by what they state: the verdicts that differ, and claims of one run alone."""
    then, now = _checked(before), _checked(after)
    parsed = {claim.text: parse_statement(claim.text) for claim in (*then, *now)}
    left = list(then)
    pairs: dict[str, Claim] = {}
    for same in (_same_words, lambda one, other: same_statement(parsed[one.text], parsed[other.text])):
        for claim in now:
            twin = next((each for each in left if same(claim, each)), None) if claim.id not in pairs else None
            if twin is not None:
                pairs[claim.id] = twin
                left.remove(twin)
    for claim, verdict in now.items():
        known = then[pairs[claim.id]] if claim.id in pairs else None
        if known is not verdict:
            yield ChangedVerdict(text=claim.text, before=known, after=verdict)
    for claim in left:
        yield ChangedVerdict(text=claim.text, before=then[claim], after=None)


def _same_words(one: Claim, other: Claim) -> bool:
    return _same(one.text) == _same(other.text)


def _checked(case: Case) -> dict[Claim, Verdict]:
    """The claims that were looked into, with their verdicts, in their order."""
    verdicts = {each.claim_id: each.verdict for each in case.assessments if each.checked}
    return {claim: verdicts[claim.id] for claim in case.claims if claim.id in verdicts}

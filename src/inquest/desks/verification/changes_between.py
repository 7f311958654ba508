"""Changes between two runs of the same request: level, sources, verdicts, contradictions, origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from inquest.claims.merging import parse_statement, same_statement
from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding, Verdict
from inquest.domain.investigation import CaseChanges, Change, Contradiction, PageChange
from inquest.domain.source import Source
from inquest.domain.value import firsts
from inquest.text.sentences import fold, shorten
from inquest.text.urls import comparison_key

_SHOWN = 5
_LONGEST = 160
_Judged = list[tuple[Claim, Assessment]]


def what_changed(before: Case, after: Case) -> CaseChanges:
    """Return the differences in the results of two runs; order, ids and equivalent wording do not count."""
    then, now = _pages(before), _pages(after)
    checked = _checked(after)
    earlier, unmatched = _matched(_checked(before), checked)
    out_then, out_now = _outages(before), _outages(after)
    # An engine missing from the plan (no network, no key) was not queried either, but has no outage.
    engines = [case.plan.engines if case.plan else () for case in (before, after)]
    dropped = [f"engine {name}" for name in engines[0] if name not in engines[1]]
    unasked = {*out_now, *dropped}
    missing = [source for key, source in then.items() if key not in now]
    unread = {comparison_key(note.where) for note in after.outages if note.what == "page"}
    gone = [
        source
        for source in missing
        if comparison_key(source.url) not in unread and not any(f"engine {name}" in unasked for name in source.engines)
    ]
    flags, new_flags = (each.investigation.review_flags if each.investigation else () for each in (before, after))
    levels = [
        each.investigation.recommended_verification_level.value if each.investigation else None
        for each in (before, after)
    ]
    return CaseChanges(
        before=before.id,
        after=after.id,
        level=None if levels[0] == levels[1] else Change(before=levels[0], after=levels[1]),
        new_sources=_page_changes(source for key, source in now.items() if key not in then),
        gone_sources=_page_changes(gone),
        unreached=_page_changes(source for source in missing if source not in gone),
        changed_pages=_page_changes(
            source for key, source in now.items() if key in then and then[key].snapshot != source.snapshot
        ),
        verdicts=tuple(_verdicts(checked, earlier, unmatched, after)),
        contradictions=tuple(
            Contradiction(text=claim.text, url=url, quote=finding.quote)
            for claim, found in checked
            if claim.id in earlier
            for known in [_against(before, earlier[claim.id])]
            for key, (url, finding) in _against(after, found).items()
            if key not in known
        ),
        origin=_origin_change(before, after),
        new_flags=tuple(flag for flag in new_flags if flag not in flags),
        outages=tuple(dict.fromkeys((*(each for each in out_now if each not in out_then), *dropped))),
        still_out=tuple(each for each in out_now if each in out_then),
    )


def change_lines(changes: CaseChanges) -> tuple[str, ...]:
    """Describe the changes, most important first, and then the outages; () without either."""
    lines = []
    if changes.level:
        lines.append(f"The level is {_shown(changes.level.after)}; it was {_shown(changes.level.before)}.")
    lines += [f"Newly flagged for review: {_shown(flag.value)}." for flag in changes.new_flags]
    if changes.origin:
        lines.append(f"The origin is {_shown(changes.origin.after)}; it was {_shown(changes.origin.before)}.")
    for each in changes.verdicts:
        text = shorten(each.text, _LONGEST)
        if each.before is None:
            lines.append(f"New claim, {_shown(each.after)}: {text}")
        elif each.after is None:
            lines.append(f"No longer among the claims ({_shown(each.before)} before): {text}")
        else:
            lines.append(f"The verdict is {_shown(each.after)}; it was {_shown(each.before)}: {text}")
    for new in changes.contradictions:
        quote, text = shorten(new.quote, _LONGEST), shorten(new.text, _LONGEST)
        lines.append(f"Contradicted now by <{new.url}>, “{quote}”: {text}")
    for what, pages in (
        ("New source", changes.new_sources),
        ("Changed page", changes.changed_pages),
        ("Not found this time", changes.gone_sources),
        ("Could not be searched for or read this time", changes.unreached),
    ):
        lines += [f"{what} (tier {p.tier}): {shorten(p.title, _LONGEST) or p.url} <{p.url}>" for p in pages[:_SHOWN]]
        lines += [f"{what}: {len(pages) - _SHOWN} more."] if len(pages) > _SHOWN else []
    if changes.outages:
        lines.append(f"Could not be queried this time, but could be before: {_some(changes.outages)}.")
    if changes.still_out:
        lines.append(f"Could be queried neither then nor now: {_some(changes.still_out)}.")
    return tuple(lines)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _shown(value: str | None) -> str:
    return value.replace("_", " ") if value else "unknown"


def _outages(case: Case) -> list[str]:
    return list(dict.fromkeys(f"{note.what} {note.where}".strip() for note in case.outages))


def _pages(case: Case) -> dict[str, Source]:
    """Sources by normalised address, the first of duplicates."""
    return firsts((comparison_key(source.url), source) for source in case.sources if source.excluded is None)


def _page_changes(sources: Iterable[Source]) -> tuple[PageChange, ...]:
    return tuple(PageChange(url=each.url, title=each.title, tier=each.rating.tier) for each in sources)


def _origin_change(before: Case, after: Case) -> Change | None:
    """The change of the origin: of its address, or else its name, because it may be named first and read later."""
    (name, url), (new_name, new_url) = _origin(before), _origin(after)
    if comparison_key(url) == comparison_key(new_url) if url and new_url else _folded(name) == _folded(new_name):
        return None
    was, now = (f"{name} <{url}>" if url else name or None for name, url in ((name, url), (new_name, new_url)))
    return Change(before=was, after=now)


def _origin(case: Case) -> tuple[str, str]:
    """The name and address of the origin, '' if unknown."""
    found = case.investigation
    if found and found.original_source:
        return found.original_source.name, found.original_source.url
    return (found.origin.name if found and found.origin else ""), ""


def _folded(text: str) -> str:
    return " ".join(fold(text).split())


def _matched(then: _Judged, now: _Judged) -> tuple[dict[str, Assessment], _Judged]:
    """The earlier assessments by the new ids of their claims (matched by words, else by statements), and those of
    claims that are gone."""
    unmatched = list(then)
    parsed = {claim.text: parse_statement(claim.text) for claim, _ in (*then, *now)}
    earlier: dict[str, Assessment] = {}
    for by_words in (True, False):
        for claim, _ in now:
            for each in () if claim.id in earlier else tuple(unmatched):
                text = each[0].text
                same_words = _folded(claim.text) == _folded(text)
                if same_words if by_words else same_statement(parsed[claim.text], parsed[text]):
                    earlier[claim.id] = each[1]
                    unmatched.remove(each)
                    break
    return earlier, unmatched


def _verdicts(now: _Judged, earlier: dict[str, Assessment], unmatched: _Judged, after: Case) -> Iterator[Change]:
    """Verdicts that differ, and claims that are in only one run."""
    for claim, found in now:
        was = earlier[claim.id].verdict if claim.id in earlier else None
        if was is not found.verdict:
            yield Change(text=claim.text, before=was, after=found.verdict)
    checked = {claim.id for claim, _ in now}
    unchecked = {_folded(claim.text) for claim in after.claims if claim.id not in checked}
    for claim, gone in unmatched:
        # A claim that was unverified and has now not been checked is as open as before.
        if gone.verdict is not Verdict.UNVERIFIED or _folded(claim.text) not in unchecked:
            yield Change(text=claim.text, before=gone.verdict, after=None)


def _against(case: Case, found: Assessment) -> dict[str, tuple[str, Finding]]:
    """The findings against a claim by the normalised addresses of their pages, each with the address."""
    urls = {source.id: source.url for source in case.sources if source.excluded is None}
    against = [each for each in case.findings if each.id in found.contradicting and each.source_id in urls]
    return {comparison_key(urls[each.source_id]): (urls[each.source_id], each) for each in reversed(against)}


def _checked(case: Case) -> _Judged:
    """The checked claims with their assessments, in the order of the case."""
    found = {each.claim_id: each for each in case.assessments if each.checked}
    return [(claim, found[claim.id]) for claim in case.claims if claim.id in found]

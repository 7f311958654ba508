"""The part of the HTML report on claims: the table of verdicts, and for each claim both sides side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from inquest.domain.assessment import Verdict
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding
from inquest.domain.report import EarlierCheck
from inquest.reports import wording
from inquest.reports.check_claim import explained, headline, said_of
from inquest.reports.check_parts import group_heading
from inquest.reports.check_view import CheckView
from inquest.reports.html_check import claim_after, claim_before
from inquest.reports.html_parts import SIGNS, lang, link, more, phrase, refs, section, table, witness
from inquest.reports.plain import one_line
from inquest.reports.view import VERDICT_WORDS, ReportView, Told, Verified
from inquest.text.phrases import capitalised

__all__ = ["by_verdict", "evidence", "tally", "verdicts"]

AT_ONCE = 4
"""Witnesses shown on one side of a claim before the rest folds away."""


def tally(view: ReportView) -> str:
    """How many claims have which verdict."""
    items = "".join(
        f'<li class="{verdict.value}"><a href="#verdicts">{sign(verdict)} {number} '
        f"{VERDICT_WORDS[verdict].lower()}</a></li>"
        for verdict, number in view.verdict_counts
    )
    return f"<ul class=tally>{items}</ul>" if items else ""


def sign(verdict: Verdict) -> str:
    """Beside the word, so that nothing is said by colour alone."""
    return f"<span aria-hidden=true>{SIGNS[verdict]}</span>"


def badge(checked: Verified) -> str:
    """The verdict."""
    verdict = checked.assessment.verdict
    return f'<span class="verdict {verdict.value}">{sign(verdict)} {checked.word}</span>'


def verdicts(view: ReportView) -> str:
    """One line per claim."""
    head = ("", "Claim", "Verdict", "Confidence", "Independent", "For", "Against")
    body = [
        (
            _to_claim(view, c, escape(c.claim.id)),
            _to_claim(view, c, phrase(_short(view, c.claim)), " class=quiet"),
            badge(c) + (" <span class=single>single source</span>" if c.assessment.single_source else ""),
            _meter(c),
            str(c.assessment.independent_sources),
            str(len(c.supporting)),
            str(len(c.contradicting)),
        )
        for c in view.claims
    ]
    found = table(head, body, "verdicts") if body else ""
    rest = "".join(f"<li>{escape(claim.id)} {phrase(_short(view, claim))}</li>" for claim in view.unchecked)
    if rest:
        found += f"<p>Not checked before the case was ended:</p><ul>{rest}</ul>"
    return section("verdicts", "Verdicts", found)


def _meter(checked: Verified) -> str:
    share = checked.assessment.confidence
    return f'<span class=meter><i style="width:{share:.0%}"></i></span>{wording.confidence(checked)}'


def _to_claim(view: ReportView, checked: Verified, words: str, attribute: str = "") -> str:
    return f'<a{attribute} href="#{view.anchors[checked.claim.id]}">{words}</a>'


def _short(view: ReportView, claim: Claim) -> str:
    return headline(claim.text) if view.is_check else claim.text


def by_verdict(view: ReportView) -> dict[str, tuple[str, str]]:
    """Of a check: the claims of each verdict as a part of its own, with its title in the contents."""
    found = {
        verdict.value: (VERDICT_WORDS[verdict], group_heading(verdict, len(claims)), claims)
        for verdict, claims in CheckView(view).groups
    }
    parts = {
        name: (title, section(name, heading, "\n".join(_claim(view, checked) for checked in claims)))
        for name, (title, heading, claims) in found.items()
    }
    beside = _reviews("Checked by others in the same matter", view.reviews_beside)
    return parts | {"beside": ("Checked by others", section("beside", "Checked by others", beside))}


def evidence(view: ReportView) -> str:
    """Each claim with its reasons and what speaks for and against it."""
    beside = _reviews("Checked by others in the same matter", view.reviews_beside)
    return section("evidence", "Evidence", "\n".join(_claim(view, checked) for checked in view.claims) + beside)


def _reviews(heading: str, reviews: Sequence[EarlierCheck]) -> str:
    """What others said of a claim they checked: pointers, set apart from the quotes."""
    items = "".join(f"<li>{link(check.review.url, wording.review_words(check))}</li>" for check in reviews)
    return f"<div class=reviews><p class=meta>{heading}:</p><ul class=reasons>{items}</ul></div>" if items else ""


def _claim(view: ReportView, checked: Verified) -> str:
    claim = checked.claim
    said_by = ", ".join(f'<a href="#{source_id}">{source_id}</a>' for source_id in claim.source_ids)
    reasons = "".join(f"<li>{phrase(reason)}</li>" for reason in checked.assessment.reasons)
    sides = "".join(
        f'<div class="{name}"><h4>{heading}</h4>{_side(view, told)}</div>'
        for name, heading, told in (("for", "For", checked.supporting), ("against", "Against", checked.contradicting))
        if checked.supporting or checked.contradicting
    )
    alone = "" if checked.supporting and checked.contradicting else " alone"
    both = f'\n<div class="sides{alone}">{sides}</div>' if sides else ""
    return (
        f'<article id="{view.anchors[claim.id]}">\n<p class=kicker>{escape(claim.id)} · {wording.claim_type(claim)}'
        f"{' · said by ' + said_by if said_by else ''}{f' · page {claim.page}' if claim.page else ''}"
        f' <a class=up href="#verdicts" aria-label="Back to the verdicts">↑</a></p>\n'
        f"<h3 dir=auto>{phrase(_short(view, claim))}</h3>\n{claim_before(view, checked) if view.is_check else ''}"
        f"<p class=standing>{badge(checked)} {wording.standing(checked)}</p>\n"
        f"<ul class=reasons>{reasons}</ul>{_reviews(wording.reviews_heading(), checked.reviews)}{both}\n"
        f"{claim_after(view, checked) if view.is_check else ''}</article>"
    )


def _side(view: ReportView, side: Sequence[Told]) -> str:
    if not side:
        return f"<p class=none>{capitalised(wording.nothing_found(view))}.</p>"
    shown, rest = side[:AT_ONCE], side[AT_ONCE:]
    if len(rest) == 1:
        shown, rest = side, ()
    found = f"<ul class=quotes>{''.join(_told(view, told) for told in shown)}</ul>"
    if rest:
        found += more(f"{len(rest)} more", f"<ul class=quotes>{''.join(_told(view, told) for told in rest)}</ul>")
    return found


def _told(view: ReportView, told: Told) -> str:
    source = told.source
    quotes = "".join(
        f"<p dir=auto><q{lang(source)}>{phrase(finding.quote)}</q>{refs(view, (finding.id,))}</p>"
        f"{_explained(view, finding)}"
        for finding in told.findings
    )
    said = dict.fromkeys(words for finding in told.findings for words in said_of(view, finding))
    kinds = "".join(f" · {escape(one_line(words))}" for words in said)
    return f"<li>{quotes}<p class=by>{witness(source)}{kinds}</p>{_copies(view, told)}</li>"


def _explained(view: ReportView, finding: Finding) -> str:
    words = explained(view, finding)
    return f"<p class=explained dir=auto>{phrase(words)}</p>" if words else ""


def _copies(view: ReportView, told: Told) -> str:
    heading = phrase(wording.copies_heading(told))
    if not told.copies:
        return f"<p class=copies>{heading}</p>" if told.origin else ""
    by_source: dict[str, list[str]] = {}
    for finding in told.copies:
        by_source.setdefault(finding.source_id, []).append(finding.id)
    names = ", ".join(
        f'<a href="#{source_id}">{source_id}</a> {phrase(view.sources[source_id].domain)}{refs(view, ids)}'
        for source_id, ids in by_source.items()
    )
    return f"<p class=copies>{heading}: {names}</p>"

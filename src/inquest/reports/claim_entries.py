"""A claim as an entry of the report: its verdict and reasons, the quotes on both sides, and the checks of the desks."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.standalone import without_dateline
from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.claim import Claim
from inquest.domain.event import ClaimDecision, DecisionKind
from inquest.domain.finding import Finding, PartVerdict, Stance, Verdict
from inquest.domain.report import EarlierCheck
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.reports import wording
from inquest.reports.desk_checks import check_line, desk_name, found_by, in_short
from inquest.reports.parts import Block, Cell, Entry, Line, Part, Said, Table, joined, line, one_line, text
from inquest.reports.view import VERDICT_WORDS, Checked, Evidence, ReportView
from inquest.reports.words import say
from inquest.text.phrases import capitalised, day, ended, listed
from inquest.text.sentences import shorten
from inquest.verdicts.testimony import Standing, as_testimony

LONG_CLAIM = 240  # characters of a claim shown in a heading or a table; the rest is cut
_NEAR = 320  # characters of a sentence close to an unverified claim
AT_FIRST = 12  # claims in the first table of verdicts; the rest are in an annex
_DECIDING = 200  # characters of the deciding quote in the table
AT_ONCE = 4  # witnesses shown on each side of a claim before the rest is folded


def headline(text: str) -> str:
    """Shorten a claim for a heading or a table."""
    words = one_line(text)
    return words if len(words) <= LONG_CLAIM else words[:LONG_CLAIM].rsplit(" ", 1)[0] + " …"


def has_entry(view: ReportView, checked: Checked) -> bool:
    """Return True if a claim has more to show than its table row: a quote, a check for or against it, or an earlier
    check by others."""
    checks = view.checks(checked.claim.id) if view.is_check else ()
    decisive = any(each.stance.decides for each in checks)
    return bool(not checked.silent or decisive or checked.reviews or checked.assessment.parts)


def verdicts(view: ReportView) -> Part:
    """Return the most important decided claims, each with its quote; if none was decided, the open ones."""
    decided = _decided_claims(view)
    table = _verdict_table(view, decided[:AT_FIRST]) if decided else _open_table(view)
    return Part("verdicts", say("verdicts"), tables=(table,))


def further(view: ReportView) -> Part:
    """Return the remaining decided claims and the open ones with reasons."""
    decided = _decided_claims(view)
    tables = (_verdict_table(view, decided[AT_FIRST:]), _open_table(view)) if decided else ()
    return Part("further", say("further"), tables=tables)


def _decided_claims(view: ReportView) -> list[Checked]:
    return [checked for checked in view.claims if has_entry(view, checked)]


def _verdict_table(view: ReportView, claims: Sequence[Checked]) -> Table:
    head = ("", say("claim"), say("verdict"), say("decides"))
    return Table("verdicts", head, tuple(_decided(view, checked) for checked in claims))


def _open_table(view: ReportView) -> Table:
    rows = [_open(view, checked) for checked in view.claims if not has_entry(view, checked)]
    rows += [_row(view, each, say("could_not_check"), view.why_unchecked(each.id)) for each in view.unchecked]
    return Table("open", ("", say("claim"), say("verdict"), say("why")), tuple(rows))


def _decided(view: ReportView, checked: Checked) -> tuple[Cell, ...]:
    claim = checked.claim
    words = text(headline(claim.text) if view.is_check else claim.text)
    return (line(Said(claim.id, claim=claim.id)),), words, verdict_cell(view, checked), deciding_quotes(checked)


def verdict_cell(view: ReportView, checked: Checked) -> Cell:
    """Return the verdict with its weight and who decided it."""
    verdict = line(Said(checked.word, tone=checked.assessment.verdict.value))
    last = view.decided(checked.claim.id)
    how = "accepted_by" if last and last.kind is DecisionKind.ACCEPT else "decided_by"
    return (verdict, *text(wording.weight(checked)), *((line(say(how, who=last.by)),) if last else ()))


def deciding_quotes(checked: Checked) -> Cell:
    """Return the weightiest quote on the side of the verdict, or on both sides if it rests on both; a party's own
    statement only if there is no other. A verdict of a person without a quote on its side: the person's reason."""

    def own(each: Evidence) -> bool:
        return each.source.rating.press_release or as_testimony(each.findings[0]).standing is Standing.PARTY

    both = tuple(sorted(side, key=own) for side in (checked.supporting, checked.contradicting))
    sides = {
        Verdict.VERIFIED: both[:1],
        Verdict.CONTRADICTED: both[1:],
    }.get(checked.assessment.verdict, both)
    quotes = [side[0] for side in sides if side]
    if not quotes and (decision := checked.assessment.decision):
        return text(decision.reason)

    def shown(finding: Finding) -> Said:
        return Said(shorten(without_dateline(one_line(finding.quote)), _DECIDING), (finding.id,), quoted=True)

    return tuple(line(shown(each.findings[0]), f" — {wording.witness(each.source)[0]}") for each in quotes)


def _open(view: ReportView, checked: Checked) -> tuple[Cell, ...]:
    claim = checked.claim
    checks = view.checks(claim.id) if view.is_check else ()
    near = _nearest(view, claim)
    heading = (line(f"{say('nearest')}:"),) if near else ()
    more = (*map(in_short, checks), *decision_lines(view, claim.id), *heading, *near)
    return _row(view, claim, checked.word, checked.reasons, more)


def _row(
    view: ReportView, claim: Claim, word: str, reasons: Sequence[str], more: tuple[Line, ...] = ()
) -> tuple[Cell, ...]:
    page = f" ({say('page', page=claim.page)})" if claim.page else ""
    return (
        (line(Said(claim.id, anchor=view.anchors[claim.id])),),
        text(f"{one_line(claim.text)}{page}"),
        (line(Said(word, tone=Verdict.UNVERIFIED.value)),),
        (*(line(reason) for reason in reasons), *more),
    )


def evidence(view: ReportView) -> Part:
    """Return each claim with its reasons and the evidence for and against it."""
    return Part("evidence", say("evidence"), entries=_entries(view, view.claims), blocks=others(view).blocks)


def group(view: ReportView, verdict: Verdict, claims: Sequence[Checked]) -> Part:
    """Return the claims of one verdict: 'Contradicted (2)'."""
    word, entries = VERDICT_WORDS[verdict], _entries(view, claims)
    return Part(verdict.value, f"{word} ({len(entries)})", entries=entries, title=word)


def _entries(view: ReportView, claims: Sequence[Checked]) -> tuple[Entry, ...]:
    return tuple(claim_entry(view, checked) for checked in claims if has_entry(view, checked))


def others(view: ReportView) -> Part:
    """Return checks by others on the same subject that match no claim of the case."""
    lines = tuple(map(_review, (each for each in view.case.reviews if each.claim_id not in view.shown_claims)))
    return Part("beside", say("beside_short"), blocks=(Block(say("beside"), lines, "notes"),))


def _review(check: EarlierCheck) -> Line:
    return line(Said(wording.review_words(check), url=check.review.url))


def claim_entry(view: ReportView, checked: Checked) -> Entry:
    """Return everything shown about a claim."""
    claim, a = checked.claim, checked.assessment
    standing, decided = wording.standing(checked), decision_lines(view, claim.id)
    verdict = line(Said(checked.word, tone=a.verdict.value), f" ({standing})." if standing else ".")
    reviews = tuple(map(_review, checked.reviews))
    shown = (
        Block("", own_words(view, claim) if view.is_check else (), "own"),
        Block("", decided if a.overruled and decided else (verdict, *decided), "standing"),
        Block("", tuple(line(reason) for reason in checked.reasons), "prose"),
        Block(say("reviewed"), reviews, "notes"),
        _side(view, "for", checked.supporting),
        _side(view, "against", checked.contradicting),
        Block(say("nearest"), _nearest(view, claim), "notes"),
        *blocks(view, checked),
    )
    kicker: list[Said] = [Said(claim.id), Said(wording.CLAIM_TYPES[claim.type.value])]
    if claim.source_ids and not view.is_check:
        kicker.append(Said(say("said_by", who=", ".join(claim.source_ids))))
    kicker += [Said(say("page", page=claim.page))] if claim.page else []
    return Entry(
        line(headline(claim.text) if view.is_check else claim.text),
        shown,
        anchor=view.anchors[claim.id],
        kicker=Line(tuple(joined(kicker, " · "))),
        kind="claim",
    )


def own_words(view: ReportView, claim: Claim) -> tuple[Line, ...]:
    """The claim as the report words it, with page and date, and the paragraphs of disclosure standards it points to."""
    report = view.report
    lines: list[Line] = []
    heading = headline(claim.text)
    quote = claim.quote or (claim.text if heading != one_line(claim.text) else "")
    if quote:
        parts: list[Said | str] = [say("in_these_words")]
        if one_line(quote) != heading:
            parts = [Said(quote, quoted=True), " — "]
        if claim.quote and report:
            page = f", {say('page', page=claim.page)}" if claim.page else ""
            place = f" {wording.titled(report)}{page}, {wording.date_words(report)}"
            parts += [Said(report.id, source=report.id), place]
        else:
            parts += [say("as_given")]
        lines.append(line(*parts))
    elif report and not report.url.startswith(GIVEN_CLAIMS):
        lines.append(line(say("given_not_found")))
    if claim.context:
        lines.append(line(say("read_with"), *joined(Said(each.quote, quoted=True) for each in claim.context)))
    pointing = (
        line(say("points_to", **{name: getattr(each, name) for name in ("standard", "paragraph", "subject", "reason")}))
        for each in claim.disclosures
    )
    return (*lines, *pointing)


def blocks(view: ReportView, checked: Checked) -> tuple[Block, ...]:
    """Return the blocks after the two sides of a claim."""
    claim_id = checked.claim.id
    sums = tuple(line(f"{capitalised(found_by(f))}: {f.summary}") for f in view.summaries(claim_id))
    sided = {f.source_id for each in (*checked.supporting, *checked.contradicting) for f in each.findings}
    neutral = [each for each in view.sources_with(claim_id, Stance.NEUTRAL) if each not in sided]
    named = [Said(f"{each} {view.sources[each].domain}".strip(), source=each) for each in neutral]
    return (
        Block(say("its_statements"), tuple(_part(each, checked) for each in checked.assessment.parts)),
        Block(say("desk_checks"), tuple(check_line(view, each, checked) for each in view.checks(claim_id))),
        Block(say("neither_side"), (line(*joined(named)),) if named else ()),
        Block(say("would_change"), tuple(line(each) for each in checked.assessment.would_change)),
        Block(say("desk_sums"), sums, "notes", folded=True),
        Block(say("history"), _history(view, claim_id), "notes", folded=True),
    )


def _part(part: PartVerdict, checked: Checked) -> Line:
    """Return one statement of the claim with its verdict and findings."""
    sides = {say("for_it"): part.supporting, say("against_it"): part.contradicting}
    ids = [Said(side, finding_ids=found) for side, found in sides.items() if found]
    word = VERDICT_WORDS[part.verdict].lower()
    if part.verdict is Verdict.UNVERIFIED and not ids:
        lacks = checked.assessment.lacks
        word = say("nothing_on_it_and", lacks=lacks) if lacks else say("nothing_on_it")
    mark = Said(word, tone=part.verdict.value)
    return line(Said(part.words, quoted=True), ": ", mark, *(["; "] if ids else []), *joined(ids))


def _history(view: ReportView, claim_id: str) -> tuple[Line, ...]:
    """Return the verdict round by round; () if there was only one round."""
    changes = {each.iteration: each for each in view.record.changes if each.claim_id == claim_id}
    sent = [each for each in view.record.reinvestigations if each.claim_id == claim_id]
    if len(changes) < 2 and not sent:
        return ()
    found: list[Line] = []
    for number in sorted({*changes, *(each.iteration for each in sent)}):
        for each in (each for each in sent if each.iteration == number):
            desks = listed([desk_name(name) for name in each.desks]) or say("the_desks")
            wanted = each.required_evidence.rstrip(".")
            sought = f" {say('sought', words=wanted)}" if wanted else ""
            asked = f" {say('asked_for', words='; '.join(each.refined_queries))}" if each.refined_queries else ""
            gap = ended(capitalised(each.evidence_gap))
            found.append(line(f"{say('sent_again', number=number, desks=desks)} {gap}{sought}{asked}"))
        if change := changes.get(number):
            mark = Said(VERDICT_WORDS[change.verdict].lower(), tone=change.verdict.value)
            sure = "" if change.verdict is Verdict.UNVERIFIED else f", {say('confidence', share=change.confidence)}"
            found.append(line(f"{say('round', number=number)}: ", mark, f"{sure}. ", ended(capitalised(change.why))))
        elif number <= view.rounds_run:
            found.append(line(say("round_same", number=number)))
        else:
            found.append(line(say("round_not_run", number=number)))
    return tuple(found)


def _nearest(view: ReportView, claim: Claim) -> tuple[Line, ...]:
    """The sentences closest to an unverified claim, each with its source."""
    return tuple(
        line(
            Said(shorten(each.quote, _NEAR), quoted=True, language=source.language or ""),
            " — ",
            Said(source.id, source=source.id),
            f" {', '.join(wording.witness(source))}{f', {wording.place(each)}' if each.where else ''}",
        )
        for each in view.case.nearest_to(claim.id)
        if (source := view.sources.get(each.source_id)) is not None
    )


def _side(view: ReportView, kind: str, side: Sequence[Evidence]) -> Block:
    return Block(say(kind), tuple(each for found in side for each in _quotes(view, found)), kind, AT_ONCE)


def _quotes(view: ReportView, found: Evidence) -> tuple[Line, ...]:
    """Return the quotes of one witness, with its copies below the last."""
    lines = []
    for each in found.findings:
        summary = one_line(each.summary) if view.is_check and view.is_witness(each) else ""
        below: tuple[Line, ...] = () if summary in ("", one_line(each.quote)) else (line(ended(summary)),)
        if translated := view.translations.get(each.id):
            below = (line(say("translated", text=one_line(translated))), *below)
        if each is found.findings[-1]:
            below += _copies(view, found)
        about = tuple(Said(f" · {words}") for words in _about(view, each))
        quote = Said(each.quote, (each.id,), quoted=True, language=found.source.language or "")
        lines.append(line(quote, below=below, by=(*witness(found.source), *about)))
    return tuple(lines)


def _about(view: ReportView, finding: Finding) -> tuple[str, ...]:
    """Return notes on a quote: the kind of contradiction; in a check also who found it in which round, and whether it
    is a press release."""
    if not view.is_check:
        return tuple(filter(None, (wording.kind(finding),)))
    kind = wording.CONTRADICTIONS[finding.contradiction_type.value] if finding.contradiction_type else ""
    release = say("press_release") if view.sources[finding.source_id].rating.press_release else ""
    return tuple(filter(None, (release, kind, found_by(finding))))


def _copies(view: ReportView, found: Evidence) -> tuple[Line, ...]:
    heading = wording.copies_heading(found)
    if not heading:
        return ()
    by_source = grouped((finding.source_id, finding.id) for finding in found.copies)
    parts: list[Said] = []
    for source_id, ids in by_source.items():
        domain = Said(f" {view.sources[source_id].domain}", tuple(ids))
        parts += [*([Said(", ")] if parts else []), Said(source_id, source=source_id), domain]
    return (line(heading, ": " if parts else ".", *parts),)


def witness(source: Source) -> tuple[Said, ...]:
    """Return the witness: 'S1 Notice of violation · inspectorate.example · 2 May 2023 · tier 1'."""
    return Said(source.id, source=source.id), Said(f" {' · '.join((wording.titled(source), *wording.witness(source)))}")


def decision_lines(view: ReportView, claim_id: str) -> tuple[Line, ...]:
    """Return the current decision on a verdict with its reason and the verdict of the run."""
    last = view.decided(claim_id)
    return (line(*_decision_words(last)),) if last else ()


def decisions(view: ReportView) -> Part:
    """Return every decision and comment by claim, oldest first."""
    named: list[tuple[Cell, ClaimDecision]] = [
        ((line(Said(claim.id, claim=claim.id)),), each)
        for claim in view.case.claims
        for each in view.claim_decisions.get(claim.id, ())
    ]
    named += [(text(each.claim or each.claim_id), each) for each in view.claim_decisions.get("", ())]
    rows = [(name, (line(*_decision_words(each)),)) for name, each in named]
    table = Table("decided", (say("claim"), say("decision_or_comment")), tuple(rows))
    return Part("people", say("people"), tables=(table,), title=say("decisions"))


def _decision_words(each: ClaimDecision) -> tuple[Said | str, ...]:
    by = {"who": each.by, "day": day(each.at)}
    if each.kind in (DecisionKind.COMMENT, DecisionKind.MORE):
        return (f"{say(f'decision_{each.kind.value}', **by)} {ended(each.why)}",)
    if each.kind is DecisionKind.ACCEPT:
        return (say("decision_accept", **by), _tone(each.found), f". {ended(each.why)}" if each.why else ".")
    reason = say("decision_reason", why=ended(each.why)) if each.why else "."
    return say("decision_overrule", **by), _tone(each.decided), reason, say("run_found"), _tone(each.found), "."


def _tone(verdict: Verdict) -> Said:
    return Said(VERDICT_WORDS[verdict], tone=verdict.value)

"""Parts of the report that only the investigation of a topic has: level, origin, consistency, posts (leads, never
evidence), context and review."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.verification.investigation_result import confidence_reason, levels
from inquest.domain.claim import Mention
from inquest.domain.investigation import (
    TITLE_CLAIM,
    ActorProfile,
    ClaimSupport,
    ConsistencyRow,
    InvestigationResult,
    MatchOfDetail,
    OriginHop,
    RelatedEvent,
    Review,
    ReviewDecision,
)
from inquest.domain.languages import day_of, share, whole
from inquest.domain.reasons import in_words
from inquest.domain.search import PostKind, SocialEvidence, SocialSource
from inquest.domain.topic import VerificationLevel
from inquest.domain.value import grouped
from inquest.reports import wording
from inquest.reports.claim_entries import deciding_quotes, verdict_cell
from inquest.reports.parts import Block, Cell, Line, Part, Said, Table, joined, line, named_rows, text, to_sources
from inquest.reports.view import ReportView
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised, day, ended, listed
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import name_of

_LEVEL_TONE = {
    VerificationLevel.UNVERIFIED: "unverified",
    VerificationLevel.VERIFIED: "verified",
    VerificationLevel.CERTIFIED: "verified",
}
_SUCCESS = Words("success")
_FLAG = Words("review_flags")
_ROWS = 30  # rows shown of a table, after which the number of the rest is given; the JSON has all


def before(view: ReportView) -> tuple[Part, ...]:
    """Return the part before the summary: the level."""
    result = view.case.investigation
    return () if result is None else (level(view, result),)


def after(view: ReportView) -> tuple[Part, ...]:
    """Return the parts after the evidence, in order."""
    result = view.case.investigation
    if result is None:
        return ()
    return consistency(result), social(result.social), context(result), review(result, view.decisions)


def _lines(sentences: Sequence[str]) -> Cell:
    return tuple(map(line, sentences))


def level(view: ReportView, result: InvestigationResult) -> Part:
    """Return the old and new level with reasons and confidence."""
    raised = result.upgrade
    now = raised.new_level
    change = f" ({say('level_raised', before=_level(raised.before))})" if raised.upgraded else ""
    title = next((each for each in view.claims if each.claim.id == TITLE_CLAIM), None)
    unknown = (line(say("undetermined")),)
    trace = result.origin
    source = (Said(trace.source_id, source=trace.source_id), " ") if trace and trace.source_id else ()
    named = (line(*source, trace.name, "" if trace.readable else say("unread")),) if trace else ()
    table = named_rows(
        (say("the_headline"), (*verdict_cell(view, title), *deciding_quotes(title)) if title else ()),
        (say("decided_by_person"), _decided(view.decisions)),
        (
            say("level_found" if view.decisions else "level_short"),
            (line(Said(_level(now), tone=_LEVEL_TONE[now]), change),),
        ),
        (say("why"), _lines(raised.reasons)),
        (say("confidence_head"), _lines((ended(in_words(confidence_reason(result))), *result.confidence_reasons))),
        (say("confirm"), _found(result, True)),
        (say("contradict"), _found(result, False)),
        (say("origin_head"), named if trace and (trace.source_id or trace.name) else unknown),
        (say("credibility"), text(_credibility(result))),
        (say("success_head"), text(listed([_SUCCESS[each] for each in result.success]) or say("none"))),
        (say("for_a_person"), text(_flags(result) or say("no_review"))),
    )
    return Part("level", say("level"), tables=(table,))


def _level(level: VerificationLevel) -> str:
    return in_words(levels("level", level=level.value))


def _of_100(number: float) -> str:
    return say("score", score=f"{number:.0f}")


def _credibility(result: InvestigationResult) -> str:
    """Return the credibility score with its basis; without one there is no score."""
    score = _of_100(result.credibility_assessment)
    if any(each.confirms is not None for each in result.additional_sources):
        return f"{score}: {say('credible_by_sources')}"
    return f"{score}: {say('credible_by_posts')}" if result.social.credibility else say("credible_by_none")


def _decided(decisions: Sequence[Review]) -> Cell:
    """Return the last decision, which is the valid one."""
    if not decisions:
        return ()
    last = decisions[-1]
    decided = Said(_level(last.level_decided), tone=_LEVEL_TONE[last.level_decided])
    how = say("as_found" if last.decision is ReviewDecision.ACCEPT else "otherwise")
    why = f" {ended(last.why)}" if last.why else ""
    return (line(decided, f", {how}: {last.by}, {day(last.at)}.{why}"),)


def _flags(result: InvestigationResult) -> str:
    return capitalised("; ".join(_FLAG[flag] for flag in result.review_flags))


def _found(result: InvestigationResult, side: bool) -> Cell:
    """Return a line for each source that counts, together with those that depend on it."""
    named = [each for each in result.additional_sources if each.confirms is side]
    lines = [
        line(Said(each.id, source=each.id), f" {each.name} ({say('tier', tier=each.credibility_tier)})")
        for each in named
        if each.counted
    ]
    if others := [each.id for each in named if not each.counted]:
        lines.append(line(f"{say('repeat_these')} " if lines else "", *to_sources(others).parts))
    return tuple(lines)


def origin(view: ReportView, result: InvestigationResult) -> Part:
    """Return the origin of the story and each step back to it, in the words of the credit."""
    trace = result.origin
    if trace is None:
        return Part("origin", say("where_from"))
    source = view.sources.get(trace.source_id or "")
    first = view.sources.get(trace.earliest_source_id or "")
    if source:
        origin: Cell = (line(Said(source.id, source=source.id), " ", Said(wording.titled(source), url=source.url)),)
        origin += (line(" · ".join(wording.witness(source))),)
    elif trace.name:
        origin = text(f"{trace.name}{say('unread')}")
    else:
        named = [
            Said(each, source=each) if each in view.sources else Said(f"{each}{say('unread')}")
            for each in trace.candidates
        ]
        first_of = f"{say('undetermined')} {say('any_first')} " if named else say("undetermined")
        origin = (line(first_of, *joined(named, ", ")),)
    dated = line(Said(first.id, source=first.id), f" {name_of(first)}, {wording.date_words(first)}") if first else None
    report = trace.credibility
    credibility: list[str] = []
    if report:
        category = wording.CATEGORIES.get(report.category, report.category)
        given = (say("score", score=report.score), say("tier", tier=report.tier), category)
        credibility = [f"{say('credible' if report.credible else 'not_credible')}: {', '.join(given)}"]
    table = named_rows(
        (say("origin_head"), origin),
        (say("confidence_head"), text(share(trace.confidence) if trace.confidence else "")),
        (say("earliest"), (dated,) if dated else ()),
        (say("why"), _lines(trace.reasons)),
        (say("origin_credibility"), _lines([*credibility, *(report.reasons if report else ())])),
    )
    hops = tuple(_hop(view, hop) for hop in trace.chain)
    chain = Table("hops", tuple(map(say, ("who", "has_it_from", "in_words"))), hops)
    return Part("origin", say("where_from"), tables=(table, chain))


def _hop(view: ReportView, hop: OriginHop) -> tuple[Cell, ...]:
    credited = view.sources.get(hop.credits)
    whom = line(Said(credited.id, source=credited.id), f" {name_of(credited)}") if credited else line(hop.credits)
    words = (
        line(Said(hop.quote, quoted=True)) if hop.how == "words" and hop.quote else line(say("by_credit", how=hop.how))
    )
    who = line(Said(hop.source_id, source=hop.source_id), f" {name_of(view.sources[hop.source_id])}")
    return (who,), (whom,), (words,)


def consistency(result: InvestigationResult) -> Part:
    """Return numbers, dates and places side by side, and the sources for and against each claim."""
    table = result.consistency
    score = say("none_compared") if table.score is None else say("agree_to", score=table.score)
    spoken = sorted((row for row in table.rows if row.agreeing or row.deviating), key=lambda row: -row.deviating)
    support = [each for each in table.claims if each.confirming or each.contradicting or each.both or each.party]
    more = max(0, len(spoken) - _ROWS)
    intro = (score, *((say("more_in_json", number=more),) if more else ()))
    details = tuple(map(say, "claim detail claim_says so_do others_say".split()))
    sides = tuple(map(say, "claim supported_by contradicted_by says_both own_statement".split()))
    tables = (
        Table("details", details, tuple(map(_detail, spoken[:_ROWS]))),
        Table("support", sides, tuple(map(_support, support[:_ROWS]))),
    )
    return Part("consistency", say("consistency"), intro, tables)


def _detail(row: ConsistencyRow) -> tuple[Cell, ...]:
    same = [cell.source_id for cell in row.cells if cell.match is MatchOfDetail.AGREES]
    others = grouped((cell.value, cell.source_id) for cell in row.cells if cell.match is MatchOfDetail.DEVIATES)
    differ = tuple(line(Said(value, strong=True), " ", *to_sources(ids).parts) for value, ids in others.items())
    return (
        (line(Said(row.claim_id, claim=row.claim_id)),),
        text(say(f"detail_{row.detail.value}")),
        text(row.claimed),
        (to_sources(same),) if same else text("–"),
        differ or text("–"),
    )


def _support(each: ClaimSupport) -> tuple[Cell, ...]:
    named = (each.confirming, each.contradicting, each.both, each.party)
    return (
        (line(Said(each.claim_id, claim=each.claim_id), f" {each.text}"),),
        *(((to_sources(ids),) if ids else text("–")) for ids in named),
    )


def context(result: InvestigationResult) -> Part:
    """Return earlier events, the actors, and the place with its press."""
    found = result.context
    events = Table("events", (say("when"), say("what"), say("with")), tuple(map(_event, found.events)))
    local = found.local
    lines = [line(Said(each.source_id, source=each.source_id), f": {ended(each.reason)}") for each in local.sources]
    lines += [_quoted(mention) for mention in local.passages]
    blocks = (*map(_actor, found.actors), Block(say("the_place", place=local.place), tuple(lines)))
    intro = (say("richness", number=found.details, score=f"{found.richness:g}"),)
    return Part("context", say("context"), intro, (events,), blocks)


def _event(event: RelatedEvent) -> tuple[Cell, ...]:
    by_quote = grouped((mention.quote, mention.source_id) for mention in event.mentions)
    quotes = tuple(line(Said(quote, quoted=True), " ", *to_sources(ids).parts) for quote, ids in by_quote.items())
    return text(day_of(event.date)), quotes, text(listed(list(event.actors)))


def _actor(actor: ActorProfile) -> Block:
    lines = [_quoted(mention) for mention in actor.described_as]
    for each in actor.statements:
        when = f" ({day_of(each.said)})" if each.said else ""
        lines.append(line(f"{say('earlier' if each.earlier else 'on_topic')}{when}: ", *_quoted(each.mention).parts))
    return Block(actor.name, tuple(lines))


def _quoted(mention: Mention) -> Line:
    return line(Said(mention.quote, quoted=True), " ", Said(mention.source_id, source=mention.source_id))


def review(result: InvestigationResult, decisions: Sequence[Review]) -> Part:
    """Return the reasons for a review and the decisions."""
    rows: list[tuple[str, Cell]] = []
    if result.requires_human_review:
        rows.append((say("to_be_looked_at"), text(result.review_reason or _flags(result))))
    for each in decisions:
        what = say(
            "accepts" if each.decision is ReviewDecision.ACCEPT else "topic_decides", level=_level(each.level_decided)
        )
        why = f" {ended(each.why)}" if each.why else ""
        rows.append((f"{each.by}, {day(each.at)}", text(f"{what}{why}")))
    if rows and not decisions:
        rows.append((say("decided"), text(say("nobody_decided"))))
    return Part("review", say("review"), tables=(named_rows(*rows),))


_POSTS, _LONGEST = 30, 400


def social(found: SocialEvidence) -> Part:
    """Return the posts, their authors and their spread; without posts, the networks that were searched."""
    silent = tuple((text(capitalised(name)), text(ended(capitalised(why)))) for name, why in found.not_asked.items())
    unasked = Table("silent", (say("could_not_ask"), say("why")), silent)
    if not found.posts:
        reasons = _lines(found.reasons) if found.asked or found.not_asked else ()
        return Part("posts", say("posts"), tables=(named_rows((say("found"), reasons)), unasked))
    timeline, engagement = found.timeline, found.engagement
    first, last = (wording.moment(at) if at else "" for at in (timeline.first, timeline.last))
    named = ("likes", "reposts", "replies", "quotes", "views")
    numbers = [_number(value, name) for name in named if (value := getattr(engagement, name))]
    figures = named_rows(
        (say("found"), _lines(found.reasons)),
        (say("trust"), text(_of_100(found.credibility) if found.credibility is not None else "")),
        (say("verified_accounts"), text(listed([f"@{name}" for name in found.verified_accounts]))),
        (say("posted"), text(say("span_to", low=first, high=last) if first != last else first)),
        (say("first_post"), (line(Said(timeline.first_url, url=timeline.first_url)),) if timeline.first_url else ()),
        (say("response"), text(listed(numbers))),
        (say("spread"), text(say("shape", shape=engagement.shape.value))),
    )
    head = tuple(map(say, "who trust_short when the_post response marks".split()))
    posts = Table("posts", head, tuple(_post(post) for post in found.posts[:_POSTS]))
    more = len(found.posts) - _POSTS
    intro = (say("posts_pointer"), *((say("more_in_json", number=more),) if more > 0 else ()))
    buckets = [
        f"{wording.moment(each.start)}: {say('posts_by', number=each.posts, apart=each.accounts)}"
        for each in timeline.buckets[:_POSTS]
    ]
    mentions = Block(say("mentions"), _lines(buckets))
    return Part("posts", say("posts"), intro, (figures, unasked, posts), (mentions,))


def _number(value: int, name: str) -> str:
    return say("reaction", name=name, figure=whole(value))


def _post(post: SocialSource) -> tuple[Cell, ...]:
    who = f"@{post.author}" if post.author else say("no_account")
    trust = line(f"{_of_100(post.author_credibility)} ({say('account', kind=post.verification_status.value)})")
    numbers = [_number(value, name) for name, value in post.engagement_metrics.items() if value]
    return (
        (line(f"{capitalised(post.platform)}: ", Said(who, url=post.url)),),
        (trust, *_lines(post.reasons)),
        text(wording.moment(post.timestamp) if post.timestamp else say("undated")),
        (line(Said(shorten(post.content, _LONGEST), quoted=True)),),
        text(listed(numbers) or "–"),
        _marks(post) or text("–"),
    )


def _marks(post: SocialSource) -> Cell:
    said = [line(say("post_counts") if post.independent else say("post_not_counted", kind=post.kind.value))]
    said += [line(say("post_label", label=label)) for label in post.labels]
    said += [line(say("post_edited", at=wording.moment(post.edited)))] if post.edited else []
    copied = say("repost" if post.kind is PostKind.REPOST else "same_words")
    linked = say("quotes_post" if post.kind is PostKind.QUOTE else "passes_on")
    said += [line(Said(what, url=url)) for what, url in ((copied, post.copy_of), (linked, post.passes_on)) if url]
    seen = post.eyewitness
    if seen is not None and seen.likely:
        said.append(line(Said(say("eyewitness"), strong=True)))
        said += [line(f"{sign.kind}: ", Said(sign.quote, quoted=True)) for sign in seen.signs]
        said += [line(reason) for reason in seen.reasons if "“" not in reason]
    return tuple(said)

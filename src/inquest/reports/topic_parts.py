"""The parts of the report that only the investigation of a topic has: the level and why, where the story comes from,
its details side by side, posts (leads, and never evidence), context, and what a person decides."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.verification.investigation_notes import confidence_words
from inquest.domain.claim import Mention
from inquest.domain.investigation import (
    ActorProfile,
    ClaimSupport,
    ConsistencyRow,
    InvestigationResult,
    MatchOfDetail,
    OriginHop,
    RelatedEvent,
)
from inquest.domain.leads import PostKind
from inquest.domain.social import SocialEvidence, SocialSource
from inquest.domain.topic import VerificationLevel
from inquest.domain.topic_history import Review, ReviewDecision
from inquest.reports import wording
from inquest.reports.parts import Block, Cell, Line, Part, Said, Table, joined, line, named_rows, text, to_sources
from inquest.reports.view import ReportView
from inquest.text.lexicon import entries
from inquest.text.phrases import capitalised, count, day, ended, listed
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import name_of

_LEVEL_TONE = {
    VerificationLevel.UNVERIFIED: "unverified",
    VerificationLevel.VERIFIED: "verified",
    VerificationLevel.CERTIFIED: "verified",
}
_SUCCESS = entries(__name__, "success")
_FLAG = entries(__name__, "review_flags")
_ROWS = 30
"""Rows of a table; a longer one says how many more there are. The JSON has all."""


def before(view: ReportView) -> tuple[Part, ...]:
    """What stands before the summary; nothing, where the case is no topic's or has no result."""
    result = view.case.investigation
    return () if result is None else (level(view, result),)


def after(view: ReportView) -> tuple[Part, ...]:
    """What stands after the evidence, in its order; parts without content are left out."""
    result = view.case.investigation
    if result is None:
        return ()
    parts = (
        origin(view, result),
        consistency(view, result),
        social(result.social),
        context(view, result),
        review(result, view.decisions),
    )
    return tuple(part for part in parts if not part.empty)


def level(view: ReportView, result: InvestigationResult) -> Part:
    """The level before and after, why, and how firmly it stands."""
    raised = result.upgrade
    now = raised.new_level
    change = f" (it was {raised.before.value} before)" if raised.upgraded else " (as before)"
    rows: list[tuple[str, Cell]] = [
        ("Decided by a person", _decided(view.decisions)),
        ("Level" if not view.decisions else "Level found", (line(Said(now.value, tone=_LEVEL_TONE[now]), change),)),
        ("Why", tuple(line(reason) for reason in raised.reasons)),
        ("Confidence", (line(confidence_words(result)), *map(line, result.confidence_reasons))),
        ("Confirm it", _found(result, True)),
        ("Contradict it", _found(result, False)),
        ("Origin", _origin(view, result)),
        ("Credibility", text(f"{result.credibility_assessment:.0f} of 100: {_credible_by(result)}")),
        ("Criteria of success met", text(listed([_SUCCESS[each] for each in result.success]) or "none")),
        ("For a person", text(_flags(result) or "nothing calls for a review")),
    ]
    return Part("level", "The verification level", tables=named_rows(rows))


def _credible_by(result: InvestigationResult) -> str:
    if result.additional_sources:
        return "the best independent sources and the origin"
    posts_alone = "half of what those who posted are worth, for no source was read"
    return posts_alone if result.social.credibility else "no source was read"


def _decided(decisions: Sequence[Review]) -> Cell:
    """The last decision, which is what holds: whoever reads the level alone must not miss it."""
    if not decisions:
        return ()
    last = decisions[-1]
    decided = Said(last.level_decided.value, tone=_LEVEL_TONE[last.level_decided])
    how = "as found" if last.decision is ReviewDecision.ACCEPT else "otherwise than found"
    why = f" {ended(last.why)}" if last.why else ""
    return (line(decided, f", {how}: {last.by}, {day(last.at)}.{why}"),)


def _flags(result: InvestigationResult) -> str:
    return capitalised("; ".join(_FLAG[flag] for flag in result.review_flags))


def _found(result: InvestigationResult, side: bool) -> Cell:
    """A line for each source that counts; who has it from them counts once with them."""
    named = [each for each in result.additional_sources if each.confirms is side]
    lines = [
        line(Said(each.id, source=each.id), f" {each.name} (tier {each.credibility_tier})")
        for each in named
        if each.counted
    ]
    if others := [each.id for each in named if not each.counted]:
        lines.append(line("Others who repeat these: " if lines else "", *to_sources(others).parts))
    return tuple(lines)


def _origin(view: ReportView, result: InvestigationResult) -> Cell:
    """The origin of the story, or each that can have been the first."""
    trace = result.origin
    unread = ", whose report could not be read"
    if trace is None or not (trace.source_id or trace.name or trace.candidates):
        return text("It cannot be told.")
    if source := view.sources.get(trace.source_id or ""):
        named = line(Said(source.id, source=source.id), " ", Said(wording.titled(source), url=source.url))
        return named, line(" · ".join(wording.witness(source)))
    if trace.name:
        return text(f"{trace.name}{'' if trace.readable else unread}")
    each = (Said(name, source=name) if name in view.sources else Said(f"{name}{unread}") for name in trace.candidates)
    return (line("It cannot be told. Each of these can have been the first: ", *joined(each, ", ")),)


def origin(view: ReportView, result: InvestigationResult) -> Part:
    """Where the story comes from, each step back in the words that credit the next."""
    trace = result.origin
    if trace is None:
        return Part("origin", "Where it comes from")
    first = view.sources.get(trace.earliest_source_id or "")
    dated: Cell = ()
    if first:
        dated = (line(Said(first.id, source=first.id), f" {name_of(first)}, {wording.date_words(first)}"),)
    rows: list[tuple[str, Cell]] = [
        ("Origin", _origin(view, result)),
        ("Confidence", text(f"{trace.confidence:.0%}" if trace.confidence else "")),
        ("Earliest dated mention", dated),
        ("Why", tuple(line(reason) for reason in trace.reasons)),
        ("Credibility of the origin", _credibility(result)),
    ]
    tables = [*named_rows(rows)]
    if trace.chain:
        hops = tuple(_hop(view, hop) for hop in trace.chain)
        tables.append(Table("hops", ("Who", "has it from", "In these words"), hops))
    return Part("origin", "Where it comes from", tables=tuple(tables))


def _credibility(result: InvestigationResult) -> Cell:
    report = result.origin.credibility if result.origin else None
    if report is None:
        return ()
    word = "credible" if report.credible else "not credible enough to confirm anything"
    first = line(f"{capitalised(word)}: {report.score} of 100, tier {report.tier}, {report.category}")
    return (first, *(line(reason) for reason in report.reasons))


def _hop(view: ReportView, hop: OriginHop) -> tuple[Cell, ...]:
    credited = view.sources.get(hop.credits)
    teller = view.sources[hop.source_id]
    whom = line(Said(credited.id, source=credited.id), f" {name_of(credited)}") if credited else line(hop.credits)
    words = line(Said(hop.quote, quoted=True)) if hop.how == "words" and hop.quote else line(f"(its {hop.how})")
    return (line(Said(teller.id, source=teller.id), f" {name_of(teller)}"),), (whom,), (words,)


def consistency(view: ReportView, result: InvestigationResult) -> Part:
    """Numbers, dates and places side by side, and who confirms which claim."""
    table = result.consistency
    score = "Nothing could be compared." if table.score is None else f"The sources agree to {table.score:g} of 100."
    spoken = sorted((row for row in table.rows if row.agreeing or row.deviating), key=lambda row: -row.deviating)
    tables = []
    if spoken:
        rows = tuple(_detail(row) for row in spoken[:_ROWS])
        head = ("Claim", "Detail", "The claim says", "So do", "Others say")
        tables.append(Table("details", head, rows))
    support = [each for each in table.claims if each.confirming or each.contradicting or each.both or each.party]
    if support:
        head = ("Claim", "Confirmed by", "Contradicted by", "Says both", "A party's own statement")
        tables.append(Table("support", head, tuple(_support(each) for each in support[:_ROWS])))
    more = max(0, len(spoken) - _ROWS)
    intro = (score, *((f"{capitalised(count(more, 'further detail'))} in the JSON.",) if more else ()))
    return Part("consistency", "Details side by side", intro, tuple(tables))


def _detail(row: ConsistencyRow) -> tuple[Cell, ...]:
    same = [cell.source_id for cell in row.cells if cell.match is MatchOfDetail.AGREES]
    others: dict[str, list[str]] = {}
    for cell in row.cells:
        if cell.match is MatchOfDetail.DEVIATES:
            others.setdefault(cell.value, []).append(cell.source_id)
    differ = tuple(line(Said(value, strong=True), " ", *to_sources(ids).parts) for value, ids in others.items())
    return (
        (line(Said(row.claim_id, claim=row.claim_id)),),
        text(row.detail.value),
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


def context(view: ReportView, result: InvestigationResult) -> Part:
    """Earlier events of the same actors, who these are, and the place with its own press."""
    found = result.context
    rows = tuple(_event(event) for event in found.events)
    tables = (Table("events", ("When", "What", "With"), rows),) if rows else ()
    blocks = [_actor(actor) for actor in found.actors]
    local = found.local
    lines = [line(Said(each.source_id, source=each.source_id), f": {ended(each.reason)}") for each in local.sources]
    lines += [_quoted(mention) for mention in local.passages]
    blocks.append(Block(f"The place: {local.place}", tuple(lines)))
    intro = (f"{capitalised(count(found.details, 'quoted detail'))}; {found.richness:g} of 100.",)
    return Part("context", "What is known around it", intro, tables, tuple(b for b in blocks if b.lines))


def _event(event: RelatedEvent) -> tuple[Cell, ...]:
    by_quote: dict[str, list[str]] = {}
    for mention in event.mentions:
        by_quote.setdefault(mention.quote, []).append(mention.source_id)
    quotes = tuple(line(Said(quote, quoted=True), " ", *to_sources(ids).parts) for quote, ids in by_quote.items())
    return text(event.date), quotes, text(listed(list(event.actors)))


def _actor(actor: ActorProfile) -> Block:
    lines = [_quoted(mention) for mention in actor.described_as]
    for each in actor.statements:
        when = f" ({each.said})" if each.said else ""
        lines.append(
            line(f"{'Before the event' if each.earlier else 'On the matter'}{when}: ", *_quoted(each.mention).parts)
        )
    return Block(actor.name, tuple(lines))


def _quoted(mention: Mention) -> Line:
    return line(Said(mention.quote, quoted=True), " ", Said(mention.source_id, source=mention.source_id))


def review(result: InvestigationResult, decisions: Sequence[Review]) -> Part:
    """Why a person should look at it, and what has been decided."""
    rows: list[tuple[str, Cell]] = []
    if result.requires_human_review:
        rows.append(("To be looked at", text(result.review_reason or _flags(result))))
    for each in decisions:
        what = "accepts" if each.decision is ReviewDecision.ACCEPT else "decides otherwise:"
        why = f" {ended(each.why)}" if each.why else ""
        rows.append((f"{each.by}, {day(each.at)}", text(f"{what} {each.level_decided.value}.{why}")))
    if rows and not decisions:
        rows.append(("Decided", text("Nobody has decided on it yet.")))
    return Part("review", "Review by a person", tables=named_rows(rows))


POINTER = (
    "Posts are leads and no evidence: they carry no verdict and raise no level. What reads as an eyewitness's account "
    "is not thereby one. They are shown as the networks gave them for this case, and may have been changed or deleted "
    "since: look again before quoting one, and think twice before naming a private person."
)
_POSTS, _LONGEST = 30, 400
_ONE = {"replies": "reply"}
_STANDING = {"verified_account": "verified", "community_member": "with a history", "anonymous": "unknown"}


def social(found: SocialEvidence) -> Part:
    """Who posted, when, how far they may be trusted, and how it spread; where there is no post, who was asked; an
    empty part where nobody was to be asked."""
    if not found.posts:
        if not (found.asked or found.not_asked):
            return Part("posts", "Posts")
        said = [line(reason) for reason in found.reasons]
        return Part("posts", "Posts", tables=(*named_rows([("Found", tuple(said))]), *_silent(found)))
    tables = [*_figures(found), *_silent(found)]
    head = ("Who", "Trust", "When", "The post", "Response", "Marks")
    tables.append(Table("posts", head, tuple(_post(post) for post in found.posts[:_POSTS])))
    more = len(found.posts) - _POSTS
    intro = (POINTER, *((f"{capitalised(count(more, 'further post'))} in the JSON.",) if more > 0 else ()))
    buckets = found.timeline.buckets
    lines = tuple(
        line(f"{wording.moment(each.start)}: {count(each.posts, 'post')} by {count(each.accounts, 'account')}")
        for each in buckets[:_POSTS]
    )
    blocks = (Block("When it was mentioned", lines),) if lines else ()
    return Part("posts", "Posts", intro, tuple(tables), blocks)


def _silent(found: SocialEvidence) -> tuple[Table, ...]:
    """Who could not be asked, and what would change that."""
    rows = tuple((text(name), text(ended(capitalised(why)))) for name, why in found.not_asked.items())
    return (Table("silent", ("Could not be asked", "Why"), rows),) if rows else ()


def _figures(found: SocialEvidence) -> tuple[Table, ...]:
    timeline, engagement = found.timeline, found.engagement
    spans = [f"{wording.moment(b.start)} to {wording.moment(b.end)}: {count(b.posts, 'post')}" for b in timeline.bursts]
    first = f"{wording.moment(timeline.first)}" if timeline.first else ""
    last = f" to {wording.moment(timeline.last)}" if timeline.last and timeline.last != timeline.first else ""
    named = ("likes", "reposts", "replies", "quotes", "views")
    numbers = [_number(value, name) for name in named if (value := getattr(engagement, name))]
    trust = f"{found.credibility:.0f} of 100" if found.credibility is not None else ""
    rows: list[tuple[str, Cell]] = [
        ("Found", tuple(line(reason) for reason in found.reasons)),
        ("Trust in those who posted", text(trust)),
        ("Verified accounts", text(listed([f"@{name}" for name in found.verified_accounts]))),
        ("From", text(f"{first}{last}")),
        ("Many at once", tuple(line(each) for each in spans)),
        ("Response", text(listed(numbers))),
        ("How it spread", text(engagement.shape.value)),
    ]
    return named_rows(rows)


def _number(value: int, name: str) -> str:
    """'3,600 views', '1 reply'."""
    return f"{value:,} {name}" if value != 1 else f"1 {_ONE.get(name, name.removesuffix('s'))}"


def _post(post: SocialSource) -> tuple[Cell, ...]:
    who = f"@{post.author}" if post.author else "nobody is shown"
    trust = line(f"{post.author_credibility:.0f} of 100 ({_STANDING[post.verification_status.value]})")
    numbers = [_number(value, name) for name, value in post.engagement_metrics.items() if value]
    return (
        (line(f"{post.platform}: ", Said(who, url=post.url)),),
        (trust, *(line(reason) for reason in post.reasons)),
        text(wording.moment(post.timestamp) if post.timestamp else "not known"),
        (line(Said(shorten(post.content, _LONGEST), quoted=True)),),
        text(listed(numbers) or "–"),
        _marks(post) or text("–"),
    )


def _marks(post: SocialSource) -> Cell:
    said = [line("counted by itself" if post.independent else f"{post.kind.value}, not counted")]
    said += [line(f"marked there as “{label}”") for label in post.labels]
    if post.edited:
        said.append(line(f"edited {wording.moment(post.edited)}"))
    if post.copy_of:
        what = "repost of" if post.kind is PostKind.REPOST else "same words as an earlier post"
        said.append(line(Said(what, url=post.copy_of)))
    if post.passes_on:
        said.append(
            line(Said("quotes a post" if post.kind is PostKind.QUOTE else "passes a page on", url=post.passes_on))
        )
    seen = post.eyewitness
    if seen is not None and seen.likely:
        said.append(line(Said("reads as an eyewitness's", strong=True)))
        said += [line(f"{sign.kind}: ", Said(sign.quote, quoted=True)) for sign in seen.signs if sign.quote]
        shown = [sign.quote for sign in seen.signs if sign.quote]
        said += [line(reason) for reason in seen.reasons if not any(quote in reason for quote in shown)]
    return tuple(said)

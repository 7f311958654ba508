"""Posts about a topic, as a part of its report: leads, and never evidence."""

from __future__ import annotations

from inquest.domain.leads import PostKind
from inquest.domain.social import SocialEvidence, SocialSource
from inquest.reports import wording
from inquest.reports.parts import Block, Cell, Part, Said, Table, line, text
from inquest.text.phrases import capitalised, count, ended, listed
from inquest.text.sentences import shorten

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
        return Part(
            "posts", "Posts", tables=(Table("scope", ("", ""), ((text("Found"), tuple(said)),)), *_silent(found))
        )
    tables = [_figures(found), *_silent(found)]
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


def _figures(found: SocialEvidence) -> Table:
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
    return Table("scope", ("", ""), tuple((text(name), cell) for name, cell in rows if cell))


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

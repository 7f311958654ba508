"""A case told as lines of a chat, with the markers of spec 004; and a page analysed before there is a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.domain.brief import Brief
from inquest.domain.errors import PageError
from inquest.domain.event import Event, EventType
from inquest.domain.value import Value

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_STARS = 5


class SourceAnalysis(Value):
    """What a page that the user named is (spec 004, `analyze_source_tool`)."""

    url: str
    title: str
    content_summary: str
    """At most 500 characters of the page's own words."""
    key_claims: tuple[str, ...]
    domain: str
    credibility_score: int
    """1 to 5; 0: it could not be read."""
    is_user_provided: bool = True
    is_reachable: bool
    error: str | None = None
    snapshot: str | None = None


def chat_line(event: Event) -> str:
    """The event as a line of chat; '' for what a chat does not tell."""
    text = " ".join(event.text.split())
    if event.type is EventType.SOURCE_FOUND:
        return _source(event)
    if event.marker:
        return f"[{event.marker}] {text}"
    return f"[PROGRESS] {text}" if event.type in (EventType.CLAIM_EXTRACTED, EventType.FACT_CHECKED) else ""


def _source(event: Event) -> str:
    said = event.data
    stars = said.get("stars")
    given = min(max(stars, 0), _STARS) if isinstance(stars, int) else 0
    lines = (
        f"📄 **{' '.join(event.text.split())}**",
        f"   {'⭐' * given}{' ' if given else ''}{given}/{_STARS} | {said.get('domain') or ''}",
        f"   💡 Key finding: “{' '.join(str(said.get('key_finding') or '').split())}”",
    )
    return "\n".join(lines)


async def analyse_source(app: Resources, url: str) -> SourceAnalysis:
    """Read the page and say what it is; one that cannot be had is said to be so and why. Raises InputError."""
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.ratings import rate_urls
    from inquest.text.sentences import shorten

    (rated,) = rate_urls([url])
    try:
        page = await app.pages(await app.door()).read(url)
    except PageError as error:
        return SourceAnalysis(
            url=url,
            title="",
            content_summary="",
            key_claims=(),
            domain=rated["domain"],
            credibility_score=0,
            is_reachable=False,
            error=error.sentence,
        )
    document = page[1]
    reading = await LocalAnalyst(app.reader, app.encoder).read(Brief(text=document.title or url), "", document)
    return SourceAnalysis(
        url=url,
        title=document.title,
        content_summary=shorten(reading.summary, 500),
        key_claims=tuple(each.text for each in reading.key_claims),
        domain=rated["domain"],
        credibility_score=rated["stars"],
        is_reachable=True,
        snapshot=document.snapshot,
    )

"""The bundled collection, ready to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inquest.app.cases.case_request import ClaimsRequest, InquiryRequest, TopicRequest, request_of
from inquest.app.desks.briefs import brief_of
from inquest.domain.brief import Brief

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

NAME, TECHNICAL = "demo", "demo-technical"
"""The two collections; the second is asked by the check of claims alone."""


async def prepare(app: Resources, mode: str) -> Brief:
    """Put the bundled documents into the collection 'demo' (what is there already is skipped), and give its brief."""
    from inquest.demo import folder

    given = await _filled(app)
    text = (folder() / "brief.txt").read_text("utf-8")
    return await brief_of(app, request_of(InquiryRequest, {"brief": text, "mode": mode, **_asked(given, NAME)}))


async def prepare_check(app: Resources) -> Brief:
    """Put the bundled documents into the collections 'demo' and 'demo-technical', and give the brief of a check of the
    bundled report's claims."""
    from inquest.demo import folder, report, technical_documents

    given = await _filled(app)
    await app.collections.add(TECHNICAL, technical_documents(), ratings=folder() / "technical" / "ratings.csv")
    asked = {"report": str(report()), **given["check"], **_asked(given, NAME, TECHNICAL)}
    return await brief_of(app, request_of(ClaimsRequest, asked))


async def prepare_topic(app: Resources, mode: str) -> Brief:
    """Put the bundled documents into the collection 'demo', and give the brief of a headline that went round with two
    digits changed. The topic is kept with the user's others."""
    from inquest.demo import topic

    given = await _filled(app)
    asked = {"topic": str(topic()), "again": True, "mode": mode, **_asked(given, NAME)}
    return await brief_of(app, request_of(TopicRequest, asked))


def _asked(given: dict[str, Any], *collections: str) -> dict[str, Any]:
    return {"collections": collections, "engines": ["collection"], "as_of": given.get("as_of")}


async def _filled(app: Resources) -> dict[str, Any]:
    """The settings of the demo (demo.toml), when its first collection is there."""
    import tomllib

    from inquest.demo import documents, folder

    await app.collections.add(NAME, documents(), ratings=folder() / "ratings.csv")
    return tomllib.loads((folder() / "demo.toml").read_text("utf-8"))

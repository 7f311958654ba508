"""Collections of the user's documents: uploading, searching and removing them."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, UploadFile
from pydantic import BaseModel, Field

from inquest.api.access import Acting, Administrating, CurrentPerson, Editing, Opened
from inquest.api.problems import problems
from inquest.api.shapes import Body, Number, kept_for_good
from inquest.app.access import accounts
from inquest.app.cases.case_request import Short
from inquest.app.files import KINDS_KEPT
from inquest.app.tools.for_models import fit
from inquest.app.wiring.collections import Added, added_json, found_json, records_in_words, search_filter

router = APIRouter(prefix="/collections", tags=["collections"])

Name = Annotated[str, Path(min_length=1, max_length=100)]


class Names(BaseModel):
    """The collections that you may see."""

    collections: list[str]


class InfoShape(BaseModel):
    """Figures of a collection."""

    info: dict[str, Any]


class DocumentsForm(Body):
    """Documents that are sent with the request."""

    files: list[UploadFile] = Field(min_length=1, max_length=100, description=KINDS_KEPT)
    team_id: Number | None = Field(None, examples=[1])


class AddedShape(BaseModel):
    """The result of adding documents."""

    added: dict[str, Any]


class TeamOf(Body):
    """The new owner of a collection."""

    team_id: Number = Field(examples=[1])


class SearchQuery(Body):
    """A search in a collection."""

    q: Annotated[str, Field(min_length=1, max_length=2_000)]
    limit: int = Field(10, ge=1, le=100)
    since: Short | None = Field(None, description="2024, 2024-03 or 2024-03-05")
    until: Short | None = Field(None, description="2024, 2024-03 or 2024-03-05")
    exact: bool = False


class FoundShape(BaseModel):
    """Documents, best first."""

    results: list[dict[str, Any]]
    notes: list[str]


@router.get("", responses=problems())
async def list_collections(person: CurrentPerson, app: Opened) -> Names:
    """The collections that you may see."""
    return Names(collections=await accounts.seen_collections(app, person))


@router.get("/{name}", responses=problems(404))
async def info(name: Name, person: CurrentPerson, app: Opened) -> InfoShape:
    """The figures of a collection."""
    await accounts.require_collections(app, person, [name])
    found = asdict(await asyncio.to_thread(app.collections.info, name))
    return InfoShape(info=fit({key: str(each) if isinstance(each, datetime) else each for key, each in found.items()}))


@router.post("/{name}/documents", responses=problems(404, 409, 413, 415))
async def add_documents(
    name: Name, form: Annotated[DocumentsForm, Form(media_type="multipart/form-data")], acting: Editing
) -> AddedShape:
    """Add documents. A new name creates a collection of your team."""
    added = await documents_added(acting, name, form.files, form.team_id)
    home = f"{acting.app.settings.home}/"
    made = added_json(added)
    made["problems"] = [str(each).replace(home, "") for each in added.problems]
    return AddedShape(added=fit(made) | {"in_words": records_in_words(added)})


async def documents_added(acting: Acting, name: str, files: list[UploadFile], team_id: int | None = None) -> Added:
    """Add uploaded documents to a collection of the person's. Raises as `claim_collection` and `Collections.add`."""
    app = acting.app
    await accounts.claim_collection(app, acting.person, name, team_id)
    paths = await kept_for_good(files, app.settings.home / "uploads", name)
    try:
        return await app.collections.add(name, paths)
    finally:
        if name not in app.collections.names():
            await accounts.disown_collection(app, name)


@router.get("/{name}/search", responses=problems(404))
async def search(name: Name, person: CurrentPerson, app: Opened, query: Annotated[SearchQuery, Query()]) -> FoundShape:
    """Search a collection by words and, if it has vectors, by meaning."""
    await accounts.require_collections(app, person, [name])
    notes: list[str] = []
    wanted = search_filter(query.limit, query.since, query.until, exact=query.exact)
    found = await app.collections.search(name, query.q, wanted, note=notes.append)
    return FoundShape(results=fit([found_json(each) for each in found]), notes=notes)


@router.put("/{name}/team", status_code=204, responses=problems(404))
async def give(name: Name, body: TeamOf, acting: Administrating) -> None:
    """Give a collection to a team. Until then only admins see one that was created in the terminal."""
    await accounts.give_collection(acting.app, acting.person, name, body.team_id)


@router.delete("/{name}", status_code=204, responses=problems(404, 409))
async def remove(name: Name, acting: Editing) -> None:
    """Remove a collection and its index, but not the pages that cases cite."""
    await accounts.require_collections(acting.app, acting.person, [name])
    await acting.app.collections.remove(name)
    await accounts.disown_collection(acting.app, name)

"""The news desk and the academic desk as nodes for LangGraph graphs of other programs (spec 000 §2, 002 §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from inquest.app.nodes.sibyl_state import SibylState
from inquest.domain.errors import InputError, InquestError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.client import Inquest

State = Any
"""A `SibylState`, a mapping with its keys, or an object with its attributes. If a node were annotated with the class
itself, LangGraph would use it as the node's own schema, and its reducers would conflict with those of the graph."""


class Node(Protocol):
    """A node in the form that LangGraph accepts."""

    async def __call__(self, state: State) -> dict[str, Any]:
        """The changes to the state."""
        ...


async def investigate_news(state: State) -> dict[str, Any]:
    """Investigate what the press and public bodies say about the claims that the routing plan assigns to `news_media`.
    Returns the changes to the state: findings, agent_status, info_requests, info_responses, events. An outage is a
    finding of type `error`, never an exception. Raises InputError if the state does not have the documented shape."""
    return await _investigated("news", state)


async def investigate_academic(state: State) -> dict[str, Any]:
    """Investigate what literature, standards and benchmarks say about the claims that the routing plan assigns to
    `academic`. Otherwise like `investigate_news`."""
    return await _investigated("academic", state)


def nodes_of(inquest: Inquest) -> tuple[Node, Node]:
    """`investigate_news` and `investigate_academic` that share the connections and limits of an open `Inquest`."""

    async def news(state: State) -> dict[str, Any]:
        return await _investigated("news", state, inquest.app)

    async def academic(state: State) -> dict[str, Any]:
        return await _investigated("academic", state, inquest.app)

    return news, academic


async def _investigated(name: str, state: State, app: App | None = None) -> dict[str, Any]:
    # Imported here, so that merely building a graph does not load what runs in it.
    from inquest.app.build import open_app
    from inquest.app.nodes.sibyl import failed, investigate_state

    read = _read(state)
    try:
        if app is not None:
            return await investigate_state(app, name, read)
        async with open_app() as opened:
            return await investigate_state(opened, name, read)
    except InquestError as error:
        return failed(read, name, error)


def _read(state: State) -> SibylState:
    try:
        # By attributes too: a state, or a claim in it, may be of a class defined by the graph's author.
        return SibylState.model_validate(state, from_attributes=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "state"
        raise InputError(f"The state cannot be used: {where}: {first['msg']}.", advice="See SibylState.") from error

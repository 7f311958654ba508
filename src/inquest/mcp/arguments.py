"""The arguments that tools share, each described once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

if TYPE_CHECKING:
    from inquest.app.cases.requests import CaseOptions


@dataclass(frozen=True)
class CaseArguments:
    """What every case can be told, whatever it is about."""

    engines: Annotated[list[str] | None, Field(description="names, best first; none: whatever is ready")] = None
    collections: Annotated[
        list[str] | None, Field(description="collections of the user's own documents to ask, too")
    ] = None
    languages: Annotated[
        list[str] | None, Field(description="languages of the pages that are looked for, like de; none: any")
    ] = None
    as_of: Annotated[str | None, Field(description="a date: nothing published after it counts as evidence")] = None
    budget_usd: Annotated[
        float | None, Field(ge=0, description="US dollars; when they are spent it stops and reports")
    ] = None
    deadline: Annotated[str | None, Field(description="like 90s or 5m; when it is over it stops and reports")] = None

    @property
    def options(self) -> CaseOptions:
        """As the use cases take them."""
        return {
            "engines": self.engines,
            "collections": self.collections or (),
            "languages": self.languages,
            "as_of": self.as_of,
            "budget_usd": self.budget_usd,
            "deadline": self.deadline,
        }

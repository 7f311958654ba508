"""A link by which somebody without an account reads one case."""

from __future__ import annotations

from datetime import datetime

from inquest.domain.value import Value


class Share(Value):
    """One link. What it is proved with is never kept, only its digest."""

    id: int
    case_id: str
    name: str
    """Who it is for, as whoever made it calls them."""
    by: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    used_at: datetime | None = None
    """When it was last opened, to the minute; None: never."""

    def ended(self, now: datetime) -> bool:
        """True once it opens nothing any more."""
        return self.revoked_at is not None or self.expires_at <= now

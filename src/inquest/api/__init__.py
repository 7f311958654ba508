"""The face for programs and pages: REST and server-sent events, `inquest serve`.

Nothing is imported here: `inquest.api.server` loads what it needs.
"""

from __future__ import annotations

__all__: list[str] = []

"""The face for programs and pages: REST and server-sent events, `inquest serve`.

Nothing is imported here: `inquest.api.server` loads what it needs.
"""

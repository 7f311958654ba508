"""The interface for programs and pages: REST and server-sent events, `inquest serve` (`inquest.api.server`)."""

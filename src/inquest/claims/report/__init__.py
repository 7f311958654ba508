"""The checkable claims of a company's report: found, typed, and judged by their worth (P1)."""

"""The checkable claims of a company's report: found, typed, and scored by check-worthiness (P1)."""

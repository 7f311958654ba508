"""Topics with known truth: kinds of events in many wordings, pages that tell of them, and what the rules make of it."""

"""Two analysts behind one contract: `local` (rules, needs nothing) and `model` (asks a model service)."""

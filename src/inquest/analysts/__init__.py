"""Two analysts with one interface: `local` (rules, no dependencies) and `model` (uses a model service)."""

"""The simulated web: search engines, pages and a model on loopback, in their real formats, after set times."""

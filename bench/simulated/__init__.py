"""The simulated web: search engines, pages and a model on loopback, in their real forms, after set times."""

"""The newsroom page: server-rendered HTML on the same use cases as the API, readable without JavaScript.

Nothing is imported here: `inquest.web.pages` loads what it needs.
"""

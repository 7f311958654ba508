"""The newsroom page: HTML made on the server over the same use cases as the API, readable without JavaScript.

Nothing is imported here: `inquest.web.pages` loads what it needs.
"""

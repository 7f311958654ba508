"""The routes of the API; their use cases are in `inquest.app`."""

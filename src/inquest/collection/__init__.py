"""The user's own documents: taking them in, and finding them again by their words."""

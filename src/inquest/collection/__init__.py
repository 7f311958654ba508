"""The user's own documents: adding and searching them."""

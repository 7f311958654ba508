"""Services with copies of pages that block us or are gone, found by discovery (`kit.discover`)."""

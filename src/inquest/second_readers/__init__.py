"""Services with copies of pages that block us or are gone: one file each, found by discovery (`kit.discover`)."""

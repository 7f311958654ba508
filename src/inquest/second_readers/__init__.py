"""Who is asked for pages that bar us or are gone: one file each, found by discovery (`kit.discover`)."""

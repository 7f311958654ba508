"""One file per search engine; each is found by discovery (`kit.discover`), none registers itself."""

"""Office documents and books: each format is a reader of XML parts that lays out blocks; no macro or link is run."""

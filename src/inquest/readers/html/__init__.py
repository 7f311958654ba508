"""Web pages: the article, its tables, dates and metadata."""

"""Views of a case: Markdown, HTML, JSON, PDF. No basis of a verdict is computed here."""

"""Views of a case: Markdown, HTML, JSON, PDF. Nothing that a verdict rests on is computed here."""

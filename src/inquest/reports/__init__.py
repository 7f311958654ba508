"""Views of a case for people and programs: Markdown, HTML, JSON, PDF. Nothing is computed here that a verdict rests on."""

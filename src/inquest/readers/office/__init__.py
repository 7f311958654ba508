"""Office documents and e-books; macros and links are never followed."""

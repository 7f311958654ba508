"""PDF documents: text, tables, forms, scans, and drawings of their pages."""

"""Measures of speed and quality: `python -m bench.quality NAME --data PATH`, `python -m bench.speed NAME`."""

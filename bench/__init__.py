"""Speed and quality, measured: `python -m bench.quality NAME --data PATH`, `python -m bench.speed NAME`."""

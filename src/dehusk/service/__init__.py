"""dehusk for other programs: over HTTP (`dehusk serve`), and for language models (`dehusk mcp`).

Both are faces of the operations that `operations.py` declares, which run in child processes.
"""

"""The board: what a club shows on its screens, and what other programs read (docs/board.md).

Everything here only reads, and shows what anybody may know.  ``tables``, ``league`` and ``players``
say what is shown, ``feed`` tells it while it happens, ``api`` answers requests, ``pages`` holds the
web pages.
"""

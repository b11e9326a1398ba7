"""Practice: a table without rules and server, drills with a score, the first five shots.

``layout``, ``history``, ``shot``, ``goals``, ``run`` and the data in ``drills`` and ``lessons`` are
pure; ``own_table`` is the table that a client plays at, ``app`` and ``controls`` the client at it.
"""

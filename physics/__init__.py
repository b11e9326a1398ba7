"""A table, balls and a stroke in; a trajectory and its events out.

Between contacts every ball moves in closed form; the time of the next contact is solved
for exactly; Bullet resolves the contact at that instant.  See ``docs/engine.md``.
"""

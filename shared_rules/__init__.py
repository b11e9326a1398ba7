"""What both ends agree on: rules of play, shot events, match state, wire messages.

Pure Python: no I/O, no clock of its own, no hidden randomness, no Bullet, no Panda3D.
"""

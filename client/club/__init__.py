"""A club night played by bots: groups, then a double elimination, at a server that is there.

:mod:`client.club.official` asks for what an official asks for, :mod:`client.club.evening` holds the
night, :mod:`client.club.command` is ``headstring club``.
"""

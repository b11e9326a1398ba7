"""The house bot: a client like any other, which looks at the table and answers over the socket.

:mod:`client.bot.brain` decides, :mod:`physics.pots` sees the pots that are on,
:mod:`client.bot.imagine` tries a stroke before it is played, :mod:`client.bot.player` sits at the
socket.
"""

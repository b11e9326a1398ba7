"""The whole program: a server process, headless clients and spectators over real sockets."""

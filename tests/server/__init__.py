"""Tests of the match server, over real sockets with faults injected, and of its pure parts."""

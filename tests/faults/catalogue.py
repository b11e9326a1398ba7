"""Every fault that is tried, and how: a scenario of ours, or the tests that hold it.

``docs/reliability.md`` is made from it (``tests.faults``), and names every entry and nothing else.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.faults import network, offenders
from tests.faults.scene import Play


@dataclass(frozen=True)
class Fault:
    """One entry.

    ``play``: the scenario, with ``settings`` of the server; its evidence must say ``lost`` nothing,
    ``noticed`` (kinds of lines that others may be told), ``codes`` (that the offender gets) and
    ``at_times`` (codes that he may get as well, as it comes).
    """

    name: str
    what: str
    play: Play
    noticed: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    at_times: frozenset[str] = frozenset()
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Held:
    """An entry that tests of another file hold: what they hold, in words, and their names."""

    name: str
    what: str
    noticed: str
    codes: str
    tests: tuple[str, ...]


_AWAY = frozenset({"Bob away", "Bob back"})
_QUICK_KEEPALIVE = {"ping_interval_real_s": 0.3, "ping_timeout_real_s": 0.3}

FAULTS = (
    Fault(
        "long line",
        "a player's line takes 20 to 300 ms each way, every piece of data another",
        network.long_line,
    ),
    Fault("stalls", "a player's line carries nothing for a second", network.stalls),
    Fault(
        "cuts on the way up",
        "a player's line is cut behind each byte of a stroke; he sends it again under its id",
        network.cuts_on_the_way_up,
        _AWAY,
    ),
    Fault(
        "cuts on the way down",
        "a player's line is cut behind each byte of an answer, and at ten places of the event",
        network.cuts_on_the_way_down,
        _AWAY,
    ),
    Fault(
        "cuts at any time",
        "a player's line is cut again and again, every 150 ms",
        network.cuts_again_and_again,
        _AWAY,
    ),
    Fault(
        "half-open, and back",
        "a player's line stays open and carries nothing; he comes back on another by his token",
        network.half_open,
        _AWAY,
    ),
    Fault(
        "half-open, found by the keepalive",
        "the same, and the server finds it (pings every 0.3 s here) before he comes back",
        network.half_open_for_long,
        _AWAY,
        settings=_QUICK_KEEPALIVE,
    ),
    Fault(
        "doubled and reordered commands",
        "every command is sent twice, old ones are sent again, and one for a turn that is over",
        network.doubled_and_late,
        codes=frozenset({"stale_state"}),
    ),
    Fault(
        "slow handshakes",
        "connections that ask a byte at a time, and some that never sign in (1 s allowed here)",
        offenders.slow_handshakes,
        codes=frozenset({"closed", "goodbye: nobody signed in"}),
        settings={"sign_in_real_s": 1.0},
    ),
    Fault(
        "flood",
        "a spectator sends pings, or nonsense, without end",
        offenders.floods,
        codes=frozenset({"flooding", "goodbye: flooding", "not_msgpack"}),
    ),
    Fault(
        "oversize messages",
        "messages of 17 KB and 60 KB, and of a megabyte",
        offenders.too_large,
        codes=frozenset({"too_large", "closed 1009"}),
    ),
    Fault(
        "malformed frames and messages",
        "frames unmasked, with reserved bits or opcodes, out of order, too long; no websocket at "
        "all; text; bytes that are no message",
        offenders.malformed_frames,
        codes=frozenset(
            {"closed 1002", "closed 1007", "not_msgpack", "malformed", "unknown_message"}
        ),
    ),
    Fault(
        "password guessing",
        "passwords of an account, five on each new connection",
        offenders.guesses_passwords,
        codes=frozenset({"bad_password", "flooding"}),
    ),
    Fault(
        "a spectator's commands",
        "a spectator strikes, concedes, calls time, wants to be referee and to sit down",
        offenders.plays_as_a_spectator,
        codes=frozenset({"not_at_this_table", "no_referee", "table_full"}),
    ),
    Fault(
        "the other side's commands",
        "a player strikes in the other's turn, and names the other's seat",
        offenders.plays_for_the_other,
        codes=frozenset({"not_your_turn", "malformed"}),
        at_times=frozenset({"balls_moving", "match_over", "stale_state"}),
    ),
    Fault(
        "forged results",
        "a player says how the shot ended, that he has won, and what the state is",
        offenders.forges_results,
        codes=frozenset({"malformed", "not_allowed", "unknown_message"}),
    ),
    Fault(
        "replayed tokens and commands",
        "a token that was ended, tokens made up, and a player's own commands from somebody else",
        offenders.replays_tokens,
        codes=frozenset({"bad_token", "not_at_this_table"}),
        at_times=frozenset({"flooding"}),
    ),
    Fault(
        "spectators who don't read",
        "they read nothing more; one vanishes in the middle of a message",
        offenders.stops_reading,
    ),
)

HELD = (
    Held(
        "lost, doubled and reordered messages",
        "5 % of all messages either way are dropped, 5 % doubled, 5 % overtaken, in 50 racks",
        "nothing: the turn is the same for all",
        "`stale_state`, `not_your_turn`",
        ("tests/faults/test_lossy.py",),
    ),
    Held(
        "requests sent twice",
        "every request that there is, again on the same connection, after a cut, after a SIGKILL",
        "nothing: it is done once",
        "the same answer",
        ("tests/faults/test_twice.py", "tests/server/test_once.py"),
    ),
    Held(
        "a million wrong messages",
        "right ones mutated by structure and by bytes, to decoder, session and house "
        "(`make fuzz-wire`)",
        "nothing",
        "the code of what is wrong; never `internal`",
        ("tests/faults/test_wire_fuzz.py",),
    ),
    Held(
        "SIGKILL under load",
        "a server with three tables is killed fifty times, on both databases (`make kills`)",
        "the line is cut; all come back to the same state",
        "nobody",
        ("tests/server/test_restart.py",),
    ),
    Held(
        "killed and hanging workers",
        "the process that simulates a shot dies, hangs or fails",
        "`shot_voided`: the table is as before, the clock anew",
        "nobody",
        ("tests/server/test_workers.py",),
    ),
    Held(
        "full disk",
        "the file system, or the database file, takes no more",
        "the table stands still, and so do clocks, until it takes writes again",
        "`internal`; the same request again is carried out once",
        ("tests/server/test_outage.py", "tests/server/test_disk.py"),
    ),
    Held(
        "locked database and lost commits",
        "another program holds the file; PostgreSQL's line breaks before or after a COMMIT, or "
        "it restarts",
        "the table stands still until the outcome is known",
        "`internal`; the same request again is carried out once",
        ("tests/server/test_outage.py",),
    ),
    Held(
        "a clock that jumps",
        "the machine's clock is set by years, either way",
        "nothing: no deadline moves",
        "nobody",
        ("tests/server/test_clocks.py", "tests/server/test_outage.py"),
    ),
    Held(
        "SIGTERM during fifty shots",
        "the server is asked to end; half of the shots are over in time",
        "`goodbye`, and back after the restart; nobody forfeits",
        "nobody",
        ("tests/server/test_going_down.py",),
    ),
)

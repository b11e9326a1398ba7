"""``/metrics``: that it counts what happens, and who may see it."""

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.config import ServerConfig
from server.config.setting import ConfigFaults
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    eventually,
    in_loop,
    serving,
    table_after_break,
    two_players,
)
from tests.server.web.fetch import fetch, handshake
from tests.server.wire_client import WireClient


def _read(page: str) -> dict[tuple[str, str], float]:
    """Samples by name and the value of their label."""
    return {
        (sample.name, "".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


@in_loop
async def test_what_happens_is_counted(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, watch="everyone")
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        dan = await WireClient.connect(server.port)
        await dan.send(m.Hello(protocol=m.PROTOCOL, token="x" * 43))
        await dan.until(lambda x: isinstance(x, m.Refused))
        await ann.strike(fake.SAFE)  # it is Bob's turn
        await bob.strike(fake.HANGS)
        await ann.until(lambda x: bool(ann.said("shot_voided")))
        page = await fetch(server.port, "/metrics")
        assert page.status == 200 and page.headers["content-type"].startswith("text/plain")
        seen = _read(page.body)
        for name, value in {
            ("headstring_connections_total", ""): 4,
            ("headstring_connected", "player"): 2,
            ("headstring_connected", "spectator"): 1,
            ("headstring_connected", "not_signed_in"): 1,
            ("headstring_shots_total", ""): 2,
            ("headstring_void_shots_total", ""): 1,
            ("headstring_sign_ins_total", "ok"): 3,
            ("headstring_sign_ins_total", "bad_token"): 1,
            ("headstring_refused_total", "not_your_turn"): 1,
            ("headstring_stroke_seconds_count", ""): 2,
            ("headstring_workers_living", ""): 1,
            ("headstring_outbox_messages", ""): 0,
            ("headstring_writes_waiting", ""): 0,
        }.items():
            assert seen.get(name) == value, name
        assert sum(count for (name, _), count in seen.items() if name == "headstring_tables") == 1
        assert 10 <= seen["headstring_commit_seconds_count", ""] <= server.store.journal.commits
        assert seen["headstring_sent_bytes_total", ""] > 1000
        assert seen["headstring_loop_lag_seconds_count", ""] >= 1
        assert seen["headstring_loop_work_seconds_count", ""] >= 1
        secrets = (ann.token, ann.invitation or "", "Ann", ann.table)
        assert not [secret for secret in secrets if secret in page.body]


@in_loop
async def test_only_this_machine_sees_it_unless_there_is_a_token(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert (await fetch(server.port, "/metrics", X_Forwarded_For="203.0.113.9")).status == 404
    async with serving(tmp_path, metrics_token="sesame") as server:
        for said, status in (("", 401), ("Bearer wrong", 401), ("Bearer sesame", 200)):
            page = await fetch(server.port, "/metrics", Authorization=said)
            assert page.status == status
        far = await fetch(
            server.port, "/metrics", Authorization="Bearer sesame", X_Forwarded_For="203.0.113.9"
        )
        assert far.status == 200


@in_loop
async def test_an_address_of_its_own(tmp_path: Path) -> None:
    async with serving(tmp_path, metrics_address="127.0.0.1:0") as server:
        assert server.listener.pages is not None
        own = server.listener.pages.port
        assert (await fetch(own, "/metrics", X_Forwarded_For="203.0.113.9")).status == 200
        assert (await fetch(server.port, "/metrics")).status == 404
        assert (await fetch(own, "/healthz")).status == 404
        assert (await fetch(own, "/", **handshake())).status == 400


@pytest.mark.parametrize("address", ["9100", "host", "host:x", "http://x:1", "a:70000", ":1"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ConfigFaults):
        ServerConfig(metrics_address=address)


@in_loop
async def test_a_table_that_is_shown_late_tells_nothing_here_either(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:

        async def phases() -> set[str]:
            seen = _read((await fetch(server.port, "/metrics")).body)
            return {label for (name, label), n in seen.items() if name == "headstring_tables" and n}

        rules = {"match": {"games_to_win": 1}, "concede_scope": "match"}
        ann, bob = await two_players(server, delay_s=300.0, overrides=rules)
        assert await phases() == {"waiting_for_players"}
        assert isinstance(await ann.give(c.Concede()), m.Accepted)
        await bob.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert await phases() == {"waiting_for_players"}
        cid, dan = [await WireClient.connect(server.port, name) for name in ("Cid", "Dan")]
        await cid.open(overrides=rules)
        await dan.join(cid.table)
        await cid.give(c.Concede())
        await dan.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert await phases() == {"waiting_for_players", "MATCH_OVER"}


@in_loop
async def test_an_adjourned_table_is_told_when_it_is_shown(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(effect="adjourn"))
        room = server.house.floor.tables[ann.table].room
        await bob.close()
        await eventually(
            lambda: (
                (a := room.absence.away(1)) is not None
                and a.claim_from is not None
                and a.claim_from < server.clock.now()
            )
        )
        await ann.ask(m.ClaimAbsence, table=ann.table, ask="adjourn")
        seen = _read((await fetch(server.port, "/metrics")).body)
        assert seen["headstring_tables", "adjourned"] == 1

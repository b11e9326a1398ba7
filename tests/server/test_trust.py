"""What a modified client may try (BR-089): each is refused, counted, and changes nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgpack

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.messages.oversight import AwardTable
from shared_rules.state import Option, Phase, Stroke
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, lag, serving, table_after_break, two_players
from tests.server.signing_in import hello
from tests.server.test_refusals import Unchanged
from tests.server.wire_client import RAISED_DEG, WireClient


def stroke(**fields: Any) -> c.Strike:
    fields = {"speed": 2.0, "heading_deg": 0.0, "elevation_deg": RAISED_DEG, **fields}
    return c.Strike(stroke=Stroke(**fields))


class Cheat:
    """Somebody whose every message is refused; ``check`` wants each of them counted."""

    def __init__(self, server: MatchServer, table: str) -> None:
        self.server, self.same = server, Unchanged(server, table)
        self.before = dict(server.house.metrics.refused)
        self.codes: list[str] = []

    async def raw(self, who: WireClient, message: Mapping[str, Any], code: str) -> None:
        """Bytes that no client of ours would make."""
        start = len(who.seen)
        await who.raw(msgpack.packb({"id": who.next_id(), "table": who.table, **message}))
        await self._refused(await who.until(lambda x: isinstance(x, m.Refused), start), code)

    async def gives(self, who: WireClient, command: Any, code: str) -> None:
        await self._refused(await who.give(command), code)

    async def again(self, who: WireClient, request: m.Play, code: str) -> None:
        await self._refused(await who.ask_again(request), code)

    async def asks(self, who: WireClient, kind: Any, code: str, **fields: Any) -> None:
        await self._refused(await who.ask(kind, **fields), code)

    async def _refused(self, answer: Any, code: str) -> None:
        assert isinstance(answer, m.Refused) and answer.code == code, answer
        self.codes.append(code)
        await self.same.check()

    def check(self) -> None:
        counted = self.server.house.metrics.refused
        for code in set(self.codes):
            assert counted[code] - self.before.get(code, 0) == self.codes.count(code), code


@in_loop
async def test_what_a_player_may_try(tmp_path: Path) -> None:
    """BR-089: out of turn, too fast, tip too far out, a result of one's own, a replayed id."""
    async with serving(tmp_path, messages_burst=1000.0) as server:
        ann, bob = await table_after_break(server)
        cheat = Cheat(server, ann.table)
        await cheat.gives(ann, stroke(), "not_your_turn")
        await cheat.gives(ann, c.PlaceCue(x=0.0, y=0.0), "not_your_turn")
        await cheat.gives(bob, stroke(tip=(0.8, 0.8)), "stroke_out_of_range")
        for fields in ({"speed": 13.01}, {"speed": 1e9}, {"speed": 2.0, "tip": [1.2, 0.0]}):
            strike = {"c": "strike", "stroke": {"heading_deg": 0.0, **fields}}
            await cheat.raw(bob, {"m": "play", "command": strike}, "out_of_range")
        # a stroke for the other side, and results of one's own making
        for message, code in (
            ({"m": "play", "seat": 1, "command": {"c": "concede"}}, "malformed"),
            ({"m": "play", "command": {"c": "concede", "seat": 1}}, "malformed"),
            ({"m": "play", "command": {"c": "concede"}, "result": {"winner": 0}}, "malformed"),
            ({"m": "play", "command": {"c": "game_won", "seat": 0}}, "malformed"),
            ({"m": "play", "command": {"c": "finish_shot", "shot": 2, "events": [], "balls": {}}},
             "malformed"),
            ({"m": "play", "command": {"c": "award_loss", "seat": 1, "scope": "match",
                                       "reason": "I say so"}}, "not_allowed"),
            ({"m": "room_event", "announcements": [{"a": "match_won", "seat": 0}]},
             "unknown_message"),
            ({"m": "snapshot", "state": None}, "unknown_message"),
        ):  # fmt: skip
            await cheat.raw(ann, message, code)
        request = ann.play(c.Choose(option=Option.PASS_BACK))
        await cheat.again(ann, request, "option_not_available")
        reused = m.Play(id=request.id, table=ann.table, command=c.Concede())
        await cheat.again(ann, reused, "id_reused")
        award = AwardTable(table=ann.table, seat=0)
        await cheat.asks(ann, m.Oversee, "not_allowed", act=award, reason="I won")
        cheat.check()


@in_loop
async def test_ball_in_hand_on_a_ball(tmp_path: Path) -> None:
    """BR-089: ball in hand that overlaps a ball, or lies off the table."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        await lag(ann, bob)
        await ann.give(c.PlaceCue(x=-0.8, y=0.0))
        await ann.strike(fake.MISS)
        await bob.until_state(lambda s: s.phase is Phase.DECIDE_AFTER_BREAK_FOUL)
        await bob.give(c.Choose(option=Option.BALL_IN_HAND_ANYWHERE))
        state = await bob.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        cheat = Cheat(server, ann.table)
        for ball, place in state.balls.items():
            if ball:
                near = c.PlaceCue(x=place.x + 0.02, y=place.y)
                await cheat.gives(bob, near, "placement_overlaps_ball")
        await cheat.gives(bob, c.PlaceCue(x=1.26, y=0.0), "outside_bed")
        await cheat.gives(bob, stroke(), "cue_ball_not_placed")
        await cheat.gives(ann, c.PlaceCue(x=0.0, y=0.2), "not_your_turn")
        cheat.check()


@in_loop
async def test_what_those_who_watch_may_try(tmp_path: Path) -> None:
    """Players' and referees' commands of a spectator, a stranger and a player of another table."""
    async with serving(tmp_path, messages_burst=1000.0) as server:
        ann, bob = await table_after_break(server, referee=True)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        stranger = await WireClient.connect(server.port, "Zoe")
        other = await WireClient.connect(server.port, "Cid")
        await other.open()
        stranger.table = other.table = ann.table
        cheat = Cheat(server, ann.table)
        for who in (eve, stranger, other):
            for command in (stroke(), c.Concede(), c.WarnSlowPlay(), c.RequestTimeOut()):
                await cheat.gives(who, command, "not_at_this_table")
        await cheat.asks(eve, m.JoinTable, "table_full", table=ann.table)
        await cheat.asks(eve, m.JoinTable, "table_full", table=ann.table, invitation=ann.invitation)
        for guess in (None, ann.invitation, "AAAAAAAA"):
            await cheat.asks(
                eve, m.OfficiateTable, "wrong_invitation", table=ann.table, invitation=guess
            )
        cheat.check()
        assert isinstance(await bob.strike(fake.POT), m.Accepted)  # and play goes on


@in_loop
async def test_tokens_that_are_replayed_or_made_up(tmp_path: Path) -> None:
    """A revoked token, one cut short, one of another server: all the same ``bad_token``."""
    async with serving(tmp_path) as server:
        ann, welcome = await hello(server, account="Ann", password="correct horse 8", register=True)
        assert welcome.account
        await ann.ask(m.EndSession)
        (mine,) = (await ann.ask(m.ListSessions)).sessions
        await ann.ask(m.EndSession, session=mine.session)
        for token in (ann.token, ann.token[:-1], ann.token.swapcase(), mine.session):
            _, answer = await hello(server, token=token)
            assert answer.code == "bad_token"
        assert server.house.metrics.refused["bad_token"] == 4

"""A table without a network: real rules and real physics, and sessions fed with its messages.

Time is the test's own: nothing waits.  Server time is local time plus 1000 seconds.
"""

from server import shots
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.changes import changes_of
from shared_rules.commands import Actor, Order
from shared_rules.match import Applied, apply, new_match
from shared_rules.refusal import Refusal
from shared_rules.state import MatchState, Phase
from shared_rules.view import public_state
from tests.client.builders import TABLE, description, members

OFFSET = 1000.0


def wanted_rack(state: MatchState) -> bool:
    """Whether the server has to rack now."""
    return state.phase is Phase.RERACK or (
        state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked
    )


class LocalTable:
    """One match; ``watchers`` are (session, seat or None); who has none speaks as its referee."""

    def __init__(self, **changes) -> None:
        self.state: MatchState = new_match(description(**changes))
        self.seq = 10
        self.now = 0.0
        self.flight: m.ShotInFlight | None = None
        self.result: shots.ShotResult | None = None
        self.watchers: list[tuple] = []
        self.refusals: list[m.Refused] = []
        self.aims: list[m.Aim] = []
        self.deaf = False
        self.rack_seed = 5

    @property
    def preset(self) -> str:
        """The table that is played on."""
        return self.state.description.frame.preset

    # --- people ----------

    def seat(self, session, seat) -> None:
        """Sign a session in and give it a seat, or let it watch (None)."""
        from client.net.session import Opened, Received

        session.handle(Opened(self.now))
        session.take_outgoing()
        session.handle(Received(self._welcome(session.name), self.now))
        request = session.join(TABLE) if seat is not None else session.watch(TABLE)
        session.take_outgoing()
        session.handle(Received(m.Accepted(re=request, table=TABLE), self.now))
        self.watchers.append((session, seat))
        session.handle(Received(self.snapshot(seat), self.now))

    def _welcome(self, name):
        return m.Welcome(
            protocol=m.PROTOCOL, server="test", name=name, token="t" * 24, clock=self.now + OFFSET
        )

    def snapshot(self, seat) -> m.Snapshot:
        return m.Snapshot(
            table=TABLE, seq=self.seq, clock=self.now + OFFSET,
            role="spectator" if seat is None else "player", seat=seat, players=members(),
            spectators=0, table_preset=self.preset, state=public_state(self.state, seat),
            in_flight=self.flight,
        )  # fmt: skip

    # --- the match ----------

    def order(self, by: Actor, command) -> None:
        """Give an order; everyone is told what has happened.

        Raises:
            Refusal: it is not taken.
        """
        from client.net.session import Received

        order = Order(by=by, at=self.now + OFFSET, command=command)
        before = self.state
        applied = apply(before, order)
        self.state = applied.state
        self.took(order, applied)
        flight = None
        if self.state.phase is Phase.SHOT_RUNNING and self.result is None:
            self.result = shots.play(shots.job_of(self.state))
            running = self.state.running
            flight = self.flight = m.ShotInFlight(
                shot=running.number, started_at=running.started_at,
                trajectory=self.result.trajectory,
            )  # fmt: skip
        self.seq += 1
        for session, seat in self.watchers:
            event = m.RoomEvent(
                table=TABLE, seq=self.seq, clock=self.now + OFFSET, by=str(by),
                announcements=applied.announcements,
                changes=changes_of(public_state(before, seat), public_state(self.state, seat)),
                in_flight=flight,
            )  # fmt: skip
            session.handle(Received(event, self.now))

    def took(self, order: Order, applied: Applied) -> None:
        """An order was taken; for tables that keep them."""

    def start(self) -> None:
        self.order(Actor.SERVER, c.StartMatch())

    def pump(self, now: float) -> None:
        """Time passes: requests are answered, shots end, racks are set up."""
        self.now = now
        for session, seat in self.watchers:
            session.tick(now)
            for message in session.take_outgoing():
                if not self.deaf:
                    self._answer(session, seat, message)
        self._go_on()

    def _go_on(self) -> None:
        state = self.state
        if state.phase is Phase.SHOT_RUNNING:
            running = state.running
            if self.now + OFFSET >= running.started_at + self.result.duration:
                done, self.result = self.result, None
                self.flight = None
                self.order(
                    Actor.SERVER,
                    c.FinishShot(shot=running.number, events=done.events, balls=done.balls),
                )
        elif wanted_rack(state):
            rules = state.description.ruleset
            left = [ball for ball in state.balls if ball] if state.rerack is not None else []
            fifteenth = left[0] if left else None
            gap = rules.rack.gap_mm
            balls = shots.rack(rules.discipline, self.rack_seed, gap, self.preset, fifteenth)
            self.order(Actor.SERVER, c.RackBalls(seed=self.rack_seed, balls=balls))
        elif state.phase in (Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES):
            self.order(Actor.SERVER, c.NextGame())

    def _answer(self, session, seat, message) -> None:
        from client.net.session import Received

        if isinstance(message, m.Ping):
            pong = m.Pong(re=message.id, clock=self.now + OFFSET)
            session.handle(Received(pong, self.now))
        elif isinstance(message, m.Aim):
            self.aims.append(message)
            shown = m.Aiming(
                table=TABLE, seat=seat, heading_deg=message.heading_deg,
                elevation_deg=message.elevation_deg, tip=message.tip,
            )  # fmt: skip
            for other, _ in self.watchers:
                if other is not session:
                    other.handle(Received(shown, self.now))
        elif isinstance(message, m.Play):
            try:
                by = Actor.REFEREE if seat is None else Actor.of(seat)
                self.order(by, message.command)
                answer = m.Accepted(re=message.id, table=TABLE, version=self.state.version)
            except Refusal as refusal:
                answer = m.Refused(
                    code=refusal.code.value, fault=refusal.fault.value,
                    message=refusal.message, re=message.id,
                )  # fmt: skip
                self.refusals.append(answer)
            session.handle(Received(answer, self.now))

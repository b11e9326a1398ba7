"""A player for a Headstring server that needs docs/protocol.md and docs/trajectory.md only.

    pip install websockets msgpack
    python client.py ws://127.0.0.1:4747 --name Ann --open     # opens a table of nine-ball
    python client.py ws://127.0.0.1:4747 --name Bob            # sits down at the first free one

It plays by itself, prints rulings, draws the running shot with ``--draw``, and comes back after
its connection was cut (``--cut 3`` cuts it on purpose, after every third stroke).
"""

import argparse
import asyncio
import random
import time

import msgpack
from aiming import lag_stroke, place, stroke
from trajectory_reader import read
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

STROKES = ("PLACE_CUE_FOR_BREAK", "PLACE_CUE_ANYWHERE", "PLACE_CUE_HEAD", "AWAIT_SHOT")
WISHES = ("break", "ball_in_hand_anywhere", "accept_table", "disagree")


class Player:
    """One person at one table."""

    def __init__(self, options):
        self.options = options
        self.token = self.table = self.state = self.seat = self.socket = None
        self.seq = 0
        self.answered_version = 0  # state.version with our last command carried out
        # Ids are remembered by the server for ever: a chance start never meets an old one.
        self.next_id = random.randrange(1, 2**52)
        self.waiting = {}  # id to the request that has no answer yet
        self.clock_offset, self.clock_rate = 0.0, 1.0
        self.elevation_deg, self.strokes, self.over = 6.0, 0, False
        self.showing = None  # the task that draws

    async def run(self):
        """Play until the match is over, however often the connection is lost."""
        while not self.over:
            try:
                async with connect(
                    self.options.server, compression=None, max_size=4 * 2**20
                ) as self.socket:
                    await self.sign_in()
                    while not self.over:
                        await self.hear(await self.receive())
            except (ConnectionClosed, InvalidStatus, OSError) as lost:
                print(f"connection lost: {lost}", flush=True)
                await asyncio.sleep(1.0)

    # -- messages

    async def send(self, name, /, **fields):
        """One message: a msgpack map in a binary frame."""
        await self.socket.send(msgpack.packb({"m": name, **fields}))

    async def receive(self):
        """The next message; maps of balls have integer keys."""
        return msgpack.unpackb(await self.socket.recv(), strict_map_key=False)

    async def ask(self, name, /, **fields):
        """Send a request; its answer comes to ``answered``."""
        self.next_id += 1
        self.waiting[self.next_id] = (name, fields)
        await self.send(name, id=self.next_id, **fields)

    async def sign_in(self):
        """As a new guest, or with the token; then to the table."""
        who = {"token": self.token} if self.token else {"name": self.options.name}
        await self.send("hello", protocol=1, client="python example", **who)
        welcome = await self.receive()
        if welcome["m"] == "refused":
            raise SystemExit(f"{welcome['code']}: {welcome['message']}")
        self.token, self.clock_rate = welcome["token"], welcome["time_scale"]
        unanswered, self.waiting = self.waiting, {}
        await self.ask("ping")
        self.pinged_at = time.monotonic()
        if self.table:
            await self.ask("join_table", table=self.table, last_seen=self.seq)
            # Did it arrive? Sent again with the same id a command is never carried out twice.
            for number, (name, fields) in unanswered.items():
                if name == "play":
                    self.waiting[number] = (name, fields)
                    await self.send(name, id=number, **fields)
        elif self.options.open:
            await self.ask("open_table", overrides={"match": {"games_to_win": 1}})
        else:
            await self.ask("list_tables")

    async def hear(self, message):
        """Take in one message, whatever it is."""
        match message["m"]:
            case "pong":
                self.waiting.pop(message["re"], None)
                self.set_clock(message["clock"])
            case "accepted" | "refused" | "tables":
                await self.answered(message)
            case "snapshot":
                self.table, self.seat = message["table"], message["seat"]
                self.seq, self.state = message["seq"], message["state"]
                await self.see(message)
            case "room_event" | "presence" if message["seq"] > self.seq + 1:
                await self.ask("join_table", table=self.table)  # something is missing
            case "room_event" if message["seq"] > self.seq:
                self.seq = message["seq"]
                self.state = {**(self.state or {}), **message["changes"]}
                for announcement in message["announcements"]:
                    self.tell(announcement)
                await self.see(message)
            case "presence":
                self.seq = max(self.seq, message["seq"])
            case "table_closed":
                print("table closed:", message["reason"])
                self.over = True
            case "goodbye":
                print("goodbye:", message["reason"])
                self.over = not message["come_back"]

    async def answered(self, message):
        """The answer to one of our requests."""
        name, fields = self.waiting.pop(message["re"], (None, {}))
        if message["m"] == "tables":
            await self.sit_down(message["tables"])
        elif message["m"] == "accepted":
            self.table = message["table"] or self.table
            if name == "open_table":
                print("opened table", self.table, flush=True)
            if name == "play":
                # The event may have come before this answer, or is still to come.
                self.answered_version, self.elevation_deg = message["version"], 6.0
                await self.act()
        elif message["code"] == "elevation_too_low":
            self.elevation_deg += 5.0  # over the rail or ball behind the cue ball
            await self.act()
        elif message["fault"] == "server":
            await asyncio.sleep(0.5)
            await self.ask(name, **fields)
        elif message["code"] == "table_full" and self.table is None:
            await self.sit_down([])  # somebody was quicker
        elif message["code"] not in ("stale_state", "not_your_turn", "time_is_up"):
            raise SystemExit(f"{name} {fields}: {message['code']}: {message['message']}")

    async def sit_down(self, tables):
        """Join the first table with a free seat, or ask again in a moment."""
        free = [t["table"] for t in tables if None in t["players"] and not t["private"]]
        if free:
            await self.ask("join_table", table=free[0])
        else:
            await asyncio.sleep(0.5)
            await self.ask("list_tables")

    # -- the table

    async def see(self, message):
        """A new state of the table: watch what runs, do what is due."""
        if message["in_flight"]:
            self.show(message["in_flight"])
        if self.state:
            self.over = self.state["phase"] == "MATCH_OVER"
            await self.act()

    async def act(self):
        """Do what the state asks of us, if anything."""
        if self.state["version"] < self.answered_version:
            return  # what our last command has led to is still on its way
        if any(name == "play" for name, _ in self.waiting.values()):
            return
        command = self.command()
        if command is None:
            return
        await self.ask("play", table=self.table, command=command, version=self.state["version"])
        if command["c"] == "strike":
            self.strokes += 1
            if self.options.cut and self.strokes % self.options.cut == 0:
                self.socket.transport.abort()

    def command(self):
        """The command that is due from us in this state, or None."""
        state, lag = self.state, self.state["lag"]
        if state["decider"] == self.seat:
            option = next((o for o in WISHES if o in state["options"]), state["options"][0])
            return {"c": "choose", "option": option}
        if state["phase"] == "LAG" and not lag["struck"][self.seat]:
            return {"c": "strike", "stroke": lag_stroke(self.elevation_deg)}
        if state["phase"] in STROKES and state["shooter"] == self.seat and state["racked"]:
            if state["cue_in_hand"] != "none" and not state["cue_placed"]:
                x, y = place(state)
                return {"c": "place_cue", "x": x, "y": y}
            return {"c": "strike", "stroke": stroke(state, self.elevation_deg)}
        return None

    def tell(self, announcement):
        """Print what others would like to read."""
        players = self.state["description"]["players"]
        names = {0: players[0], 1: players[1], None: "lag", "referee": "the referee"}
        match announcement["a"]:
            case "judged":
                ruling = announcement["ruling"]
                shot, who = ruling["shot"], names[ruling["shooter"]]
                fouls = [foul["code"] for foul in ruling["fouls"]]
                print(
                    f"shot {shot}, {who}: pocketed {ruling['pocketed']}, fouls {fouls}", flush=True
                )
            case "chosen":
                print(f"{names[announcement['seat']]} chooses {announcement['option']}", flush=True)
            case "game_won" | "match_won":
                print(announcement["a"], names[announcement["seat"]], flush=True)

    # -- the shot that runs

    def set_clock(self, clock):
        """Server's clock = offset + rate · ours, from the middle of a round trip."""
        middle = (self.pinged_at + time.monotonic()) / 2
        self.clock_offset = clock - self.clock_rate * middle

    def show(self, in_flight):
        """Draw the shot at the pace of the server's clock."""
        if self.showing:
            self.showing.cancel()
        if self.options.draw:
            self.showing = asyncio.create_task(self.draw_shot(in_flight))

    async def draw_shot(self, in_flight):
        shot = read(in_flight["trajectory"])
        frame = self.state["description"]["frame"]
        while True:
            t = self.clock_offset + self.clock_rate * time.monotonic() - in_flight["started_at"]
            print(f"shot {in_flight['shot']} after {min(t, shot.duration):.2f} s")
            print(picture({b: shot.at(b, max(t, 0.0))[0] for b in shot.balls}, frame), flush=True)
            if t >= shot.duration:
                return
            await asyncio.sleep(0.5)


def picture(balls, frame):
    """The table as text, head to the left: a letter or digit a ball."""
    columns, rows = 60, 15
    cells = [[" "] * columns for _ in range(rows)]
    for ball, (x, y, z) in balls.items():
        column = round((x / frame["length"] + 0.5) * (columns - 1))
        row = round((0.5 - y / frame["width"]) * (rows - 1))
        if z > 0.0 and 0 <= column < columns and 0 <= row < rows:
            cells[row][column] = "0123456789abcdefAB"[ball]
    edge = "+" + "-" * columns + "+"
    return "\n".join([edge, *("|" + "".join(row) + "|" for row in cells), edge])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("server", help="ws://host:4747")
    parser.add_argument("--name", required=True, help="a guest's name")
    parser.add_argument("--open", action="store_true", help="open a table, don't join one")
    parser.add_argument("--draw", action="store_true", help="draw each shot twice a second")
    parser.add_argument("--cut", type=int, metavar="N", help="lose the line at every Nth stroke")
    asyncio.run(Player(parser.parse_args()).run())

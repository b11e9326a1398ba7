"""What people are told and shown: both languages whole, nothing seen too early."""

import ast
import inspect
from pathlib import Path
from typing import get_args

import msgpack
import msgspec
import pytest
from msgspec.structs import replace

import shared_rules
from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import refusal_words
from shared_rules.allowed import PLAYER_KINDS, allowed
from shared_rules.catalogue import ANNOUNCEMENTS, FOULS, OPTIONS, REASONS
from shared_rules.commands import Order
from shared_rules.fouls import RULE_IDS, Fault, foul_of, named_foul
from shared_rules.placement import check_placement
from shared_rules.refusal import Code, Refusal, fault_of
from shared_rules.state import Foul, Option, Phase, Ruling
from shared_rules.table import Position
from shared_rules.view import public_state
from shared_rules.wording import (
    announcement_text,
    foul_text,
    lag_fault_text,
    option_text,
    reason_text,
    refusal_text,
)
from tests.shared_rules.table import REFEREE, SEAT, SERVER, STROKE, Match, contact, pocketed

PACKAGE = Path(inspect.getfile(shared_rules)).parent
NAMES = ("Ann", "Ben")


class TestCatalogue:
    def test_every_foul_code_and_option_and_announcement_is_there(self):
        assert set(RULE_IDS) | {f"1.2{x}" for x in "abcdef"} == set(FOULS)
        assert {option.value for option in Option} == set(OPTIONS)
        tags = {kind.__struct_config__.tag for kind in get_args(an.Announcement)}
        special = {
            "push_out_taken_back",
            "chosen_by_clock",
            "stalemate_settled",
            "clock_ran_out_both",
            "not_counted",
            "called_safety",
            "racked_on",
            "two_foul_warning_points",
        }
        judged = {key for key in ANNOUNCEMENTS if key.startswith("judged_")}
        assert tags - {"judged"} | special | judged == set(ANNOUNCEMENTS)
        assert {code.value for code in Code} == set(refusal_words.CODES)

    def test_every_fixed_refusal_sentence_has_its_czech(self):
        said = set(_refusal_sentences())
        assert len(said) > 30, "the search has lost its way"
        assert said - set(refusal_words.SENTENCES) == set(), "no Czech for these"

    @pytest.mark.parametrize("table", [FOULS, OPTIONS, ANNOUNCEMENTS, REASONS])
    def test_both_languages_have_the_same_places(self, table):
        for key, (english, czech) in table.items():
            assert english and czech, key
            assert _places(english) >= _places(czech), key

    def test_each_fault_has_a_foul_with_a_rule(self):
        for fault in Fault:
            for codes in ("epbf", "wpa"):
                foul = foul_of(fault, codes)
                if foul is None:
                    assert (fault, codes) in {
                        (Fault.NINE_ON_FOUL, "wpa"),
                        (Fault.FIRST_BALL_BEHIND, "epbf"),
                        (Fault.NEVER_OUT, "epbf"),
                        (Fault.BREAKING_FOUL, "epbf"),
                        (Fault.BAD_BREAK, "epbf"),
                        (Fault.OPPONENTS_BALL, "epbf"),
                        (Fault.JUMP, "epbf"),
                        (Fault.INTO_TOUCHING, "epbf"),
                    }
                else:
                    assert foul.rule_id == RULE_IDS[foul.code]
        assert named_foul("5i") == Foul(code="5i", rule_id="N9.5i")
        assert named_foul("5z") is None


def _places(text):
    return {part.split("}")[0] for part in text.split("{")[1:]}


def _refusal_sentences():
    """String literals that the rules raise as refusals a player may get, without variables."""
    skip = {"judge.py", "wire.py", "ruleset.py", "rack.py", "outcome.py"}
    for path in PACKAGE.glob("*.py"):
        if path.name in skip or path.name.startswith("scenario"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
                code, *rest = node.args
                internal = getattr(code, "attr", "") == "MALFORMED"
                for argument in rest:
                    if isinstance(argument, ast.Constant) and not internal:
                        yield argument.value


class TestWording:
    def test_a_foul_with_its_rule(self):
        foul = Foul(code="5k", rule_id="N9.5k")
        assert "cushion" in foul_text(foul, "en") and "mantinelu" in foul_text(foul, "cs")
        assert lag_fault_text("1.2a", "cs").startswith("Koule")

    def test_refusals(self):
        match = Match()
        match.broken()
        with pytest.raises(Refusal) as refused:
            match.give(SEAT[0], c.Strike(stroke=STROKE))
        refusal = refused.value
        assert refusal_text(refusal.code, "en", refusal.message) == refusal.message
        assert refusal_text(refusal.code, "cs", refusal.message) == "na řadě je soupeř"
        assert refusal_text("not_your_turn", "cs", "another sentence") == "na řadě je soupeř"
        assert refusal_text("unheard_of", "cs", "as it came") == "as it came"
        assert fault_of(refusal.code) == refusal.fault == "player"

    def test_reasons(self):
        assert reason_text("nine", "cs") == "zahraná devítka"
        assert reason_text("his own words", "cs") == "his own words"
        assert option_text(Option.PASS_BACK, "cs").startswith("Odmítám")

    @pytest.mark.parametrize("language", ["en", "cs"])
    def test_every_announcement_of_a_match_can_be_said(self, language):
        match = Match(referee=True)
        said = []
        match.lag()
        for order in [
            (SEAT[0], c.Choose(option=Option.BREAK)),
            (SEAT[0], c.RequestTimeOut()),
            (SEAT[0], c.EndTimeOut()),
        ]:
            match.give(*order)
            said += match.said
        match.rack()
        said += match.said
        match.strike(contact(1), pocketed(2))
        said += match.said
        for by, order in [
            (SEAT[0], c.DeclarePushOut()),
            (SEAT[0], c.DeclarePushOut(on=False)),
            (REFEREE, c.WarnSlowPlay()),
            (REFEREE, c.ImposeShotClock(limit_s=30.0)),
            (REFEREE, c.AnnounceNoProgress()),
            (SEAT[1], c.RequestWatcher()),
            (SEAT[1], c.ChangeCue(cue="jump")),
            (REFEREE, c.UpholdJudgement()),
            (SEAT[1], c.RequestRuling()),
            (REFEREE, c.Resume()),
            (SEAT[1], c.AgreeStalemate()),
            (SERVER, c.AwardLoss(seat=0, scope="match", reason="gone home")),
        ]:
            match.give(by, order)
            said += match.said
        said += [
            an.ClockRanOut(purpose="shot", seat=1),
            an.ClockRanOut(purpose="lag"),
            an.ShotVoided(shot=1, reason="x"),
            an.TwoFoulWarning(seat=0),
            an.Spotted(ball=9, position=Position(0, 0)),
            an.BallsRestored(balls=(3, 4)),
            an.FoulCalled(seat=0, foul=Foul(code="6.4", rule_id="F6.4")),
            an.PlacementWarned(seat=0),
            an.SetWon(seat=1),
            an.GameWon(seat=1, reason="three_fouls"),
            an.Chosen(seat="referee", option=Option.WARNING),
            an.Chosen(seat=1, option=Option.BREAK, by_clock=True),
            an.StalemateAgreed(seat=0, settled=True),
            an.WedgedResolved(pocketed=(3,), on_lip=()),
            an.Judged(ruling=Ruling(shot=1, shooter=0, replay=True)),
            an.Judged(ruling=Ruling(shot=1, shooter=0, push_out=True)),
            an.Judged(
                ruling=Ruling(
                    shot=1,
                    shooter=0,
                    fouls=(Foul(code="5a", rule_id="N9.5a"),),
                    counted=False,
                )
            ),
            an.Judged(ruling=Ruling(shot=1, shooter=None, lag_fouls=((), ()), relag=True)),
            an.Judged(ruling=Ruling(shot=1, shooter=None, lag_fouls=((), ()))),
        ]
        for announcement in said:
            text = announcement_text(announcement, language, NAMES)
            assert text and "{" not in text, announcement
        assert any("Ann" in announcement_text(a, language, NAMES) for a in said)


class TestView:
    def test_the_other_lag_stroke_stays_unseen_until_both_are_in(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        mine, theirs, others = (public_state(match.state, seat) for seat in (0, 1, None))
        assert mine.lag.strokes[0].stroke == STROKE
        assert theirs.lag.strokes == others.lag.strokes == (None, None)
        assert theirs.lag.struck == (True, False)
        assert b"speed" not in msgspec.json.encode(theirs.lag), (
            "nothing of the stroke goes over the wire"
        )
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        assert len(public_state(match.state, None).running.strokes) == 2

    def test_nothing_else_is_hidden(self):
        match = Match()
        match.broken()
        shown = public_state(match.state, 0)
        assert match.state.last_shot is not None and shown.last_shot is None
        assert replace(shown, last_shot=match.state.last_shot) == match.state
        fresh = Match().to_break()
        assert public_state(fresh, 0) is fresh


class TestAllowed:
    def test_reasons_for_what_is_greyed_out(self):
        match = Match()
        match.broken()
        mine, theirs = allowed(match.state, SEAT[1]), allowed(match.state, SEAT[0])
        assert c.Strike in mine and c.DeclarePushOut in mine and c.Strike not in theirs
        assert theirs.why_not(c.Strike).code == Code.NOT_YOUR_TURN
        assert mine.why_not(c.PlaceCue).code == Code.WRONG_STATE
        assert mine.why_not(c.Strike) is None
        assert mine.kinds | set(mine.refused) == set(PLAYER_KINDS)

    def test_options_are_the_deciders_alone(self):
        match = Match()
        match.to_break()
        match.strike(contact(1))
        assert allowed(match.state, SEAT[1]).options == match.state.options != ()
        assert allowed(match.state, SEAT[0]).options == ()

    def test_the_clock_is_looked_at_if_told(self):
        match = Match()
        match.lag()
        deadline = match.state.clock.deadline
        assert c.Choose in allowed(match.state, SEAT[0], deadline - 0.1)
        assert allowed(match.state, SEAT[0], deadline).why_not(c.Choose).code == Code.TIME_IS_UP

    def test_places(self):
        """A client asks about a place before it sends it."""
        match = Match()
        match.to_break()
        check_placement(match.state, 0, Position(-1.0, 0.0))
        assert _not_there(match, 0, Position(0.0, 0.0)) == Code.OUTSIDE_HEAD_AREA
        match.strike(contact(1), pocketed(0))
        match.give(SEAT[1], c.Choose(option=Option.BALL_IN_HAND_ANYWHERE))
        place = match.state.balls[5]
        assert _not_there(match, 1, place) == Code.PLACEMENT_OVERLAPS_BALL

    def test_lag_places(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        check_placement(match.state, 0, Position(-1.0, 0.3))
        assert _not_there(match, 1, Position(-1.0, 0.3)) == Code.OUTSIDE_HEAD_AREA


def _not_there(match, seat, place):
    with pytest.raises(Refusal) as refused:
        check_placement(match.state, seat, place)
    return refused.value.code


def test_orders_and_announcements_travel():
    match = Match()
    match.broken()
    for order in match.log:
        plain = msgspec.to_builtins(order, str_keys=False)
        raw = msgpack.unpackb(msgpack.packb(plain), strict_map_key=False)
        assert msgspec.convert(raw, Order) == order
    plain = msgspec.to_builtins(match.said, str_keys=False)
    raw = msgpack.unpackb(msgpack.packb(plain), strict_map_key=False)
    assert msgspec.convert(raw, tuple[an.Announcement, ...]) == match.said


def test_frozen_balls_are_declared_while_a_stroke_is_awaited():
    match = Match()
    match.to_break()
    frame = match.description.frame
    x = frame.length / 2 - frame.cushion_reach(4)
    match.strike(
        contact(1),
        pocketed(3),
        balls={b: p for b, p in match.state.balls.items() if b != 3}
        | {0: Position(0.0, 0.0), 4: Position(x, 0.2)},
    )
    assert match.state.phase == Phase.AWAIT_SHOT
    assert match.state.frozen.to_rail == ((4, "foot"),)

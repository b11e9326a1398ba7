"""The judged facts of a shot, and what nine-ball makes of them where a key decides."""

import pytest

from shared_rules import events as ev
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.facts import facts_of
from shared_rules.lag import judge_lag
from shared_rules.nine_ball import judge_shot
from shared_rules.ruleset import LagRules, make_ruleset
from shared_rules.situation import Situation
from shared_rules.state import Option
from shared_rules.table import Position, TableFrame
from shared_rules.verdict import Shoots
from tests.shared_rules.table import contact, pocketed, rail

STRUCK = ev.CueStrike()
EPBF = make_ruleset("nine_ball_epbf")
WPA = make_ruleset("nine_ball_wpa")


def codes(*events, rules=EPBF, frozen=(), **situation):
    facts = facts_of((STRUCK, *events), frozen_to_rail=frozenset(frozen))
    table = Situation(
        ruleset=rules,
        on_table=frozenset(situation.pop("on_table", range(1, 10))),
        frozen_to_rail=frozenset(frozen),
        **situation,
    )
    return [foul.code for foul in judge_shot(facts, table).fouls]


class TestFacts:
    def test_first_contact_from_either_side_of_the_event(self):
        facts = facts_of((STRUCK, ev.BallBall(a=4, b=CUE), contact(1)))
        assert facts.first_contact == 4 and facts.first_contacts == {4}

    def test_no_contact_is_nothing_at_all(self):
        facts = facts_of((STRUCK, rail(CUE)))
        assert facts.first_contact is None and facts.touches_after_contact() == ()

    def test_tie_is_of_contacts_of_the_cue_ball(self):
        events = (
            ev.BallBall(a=CUE, b=5, tie=1),
            ev.BallBall(a=CUE, b=2, tie=1),
            ev.BallBall(a=CUE, b=3, tie=2),
        )
        assert facts_of((STRUCK, *events)).first_contacts == {5, 2}

    def test_a_frozen_ball_counts_after_leaving_only(self):
        frozen = frozenset({(2, "foot")})
        stays = (contact(2), rail(2, still_frozen=True), rail(2))
        assert facts_of(stays, frozen_to_rail=frozen).railed == frozenset()
        leaves = (contact(2), ev.LeavesRail(ball=2, rail="foot"), rail(2))
        assert facts_of(leaves, frozen_to_rail=frozen).railed == {2}
        elsewhere = (contact(2), rail(2, "left"), rail(2))
        assert len(facts_of(elsewhere, frozen_to_rail=frozen).touches) == 2

    def test_a_facing_is_the_rail_whose_end_it_is(self):
        frozen = frozenset({(2, "foot")})
        jaw = ev.Jaw(ball=2, pocket="foot_left", rail="foot")
        for stays in (jaw, ev.Jaw(ball=2, pocket="foot_left", rail="foot", still_frozen=True)):
            facts = facts_of((contact(2), stays), frozen_to_rail=frozen)
            assert facts.railed == frozenset() and not facts.touches_after_contact()
        still = ev.Jaw(ball=2, pocket="foot_left", rail="foot", still_frozen=True)
        assert facts_of((contact(2), still)).railed == frozenset()
        leaves = (contact(2), ev.LeavesRail(ball=2, rail="foot"), jaw)
        assert facts_of(leaves, frozen_to_rail=frozen).railed == {2}
        # The other facing of the pocket is another rail, and the liner is none of a cushion's.
        for other in (ev.Jaw(ball=2, pocket="foot_left", rail="left"),
                      ev.Jaw(ball=2, pocket="foot_left")):  # fmt: skip
            assert facts_of((contact(2), other), frozen_to_rail=frozen).railed == {2}

    def test_jaws_and_rail_tops_are_rail(self):
        events = (
            contact(2),
            ev.Jaw(ball=2, pocket="side_left"),
            ev.RailTop(ball=CUE, rail="foot"),
        )
        assert len(facts_of(events).touches_after_contact()) == 2

    def test_the_cushion_at_the_very_instant_of_contact_is_after_it(self):
        events = (STRUCK, rail(CUE, at=0.5), ev.BallBall(at=0.5, a=CUE, b=2))
        assert facts_of(events).touches_after_contact()
        earlier = (STRUCK, rail(CUE, at=0.4), ev.BallBall(at=0.5, a=CUE, b=2))
        assert not facts_of(earlier).touches_after_contact()

    def test_held_balls_are_pocketed(self):
        events = (STRUCK, contact(2), ev.SupportedOverPocket(ball=3, pocket="foot_left", by=4))
        assert facts_of(events).pocketed == (3,)


class TestKeys:
    """The same events under one key turned at a time: behaviour goes by keys, not by names."""

    def test_own_cushion(self):
        events = (contact(1), ev.LeavesRail(ball=1, rail="foot"), rail(1))
        frozen = [(1, "foot")]
        assert codes(*events, frozen=frozen) == ["5k"]
        assert codes(*events, frozen=frozen, rules=WPA) == []
        mixed = make_ruleset("nine_ball_epbf", {"rail": {"frozen_same_cushion": "after_leaving"}})
        assert codes(*events, frozen=frozen, rules=mixed) == []

    def test_own_cushion_at_its_facing(self):
        jaw = ev.Jaw(ball=1, pocket="foot_left", rail="foot")
        events, frozen = (contact(1), ev.LeavesRail(ball=1, rail="foot"), jaw), [(1, "foot")]
        assert codes(*events, frozen=frozen) == ["5k"]
        assert codes(*events, frozen=frozen, rules=WPA) == []
        assert codes(contact(1), jaw, frozen=frozen, rules=WPA) == ["6.3"]
        kiss = ev.BallBall(a=1, b=5)
        assert codes(events[0], events[1], kiss, jaw, frozen=frozen) == []
        other = ev.Jaw(ball=1, pocket="foot_left", rail="left")
        assert codes(contact(1), other, frozen=frozen) == []
        assert codes(contact(1), other, frozen=frozen, rules=WPA) == []

    def test_counting_jumped_balls_on_the_break(self):
        events = (contact(1), rail(1), rail(2), rail(3), ev.OffTable(ball=7))
        assert codes(*events, is_break=True) == ["5b", "5d"]
        assert codes(*events, is_break=True, rules=WPA) == ["6.5"]
        mixed = make_ruleset("nine_ball_epbf", {"rail": {"count_pocketed": True}})
        assert codes(*events, is_break=True, rules=mixed) == ["5d"]

    def test_how_many_must_reach_a_cushion(self):
        events = (contact(1), rail(1), rail(2), rail(3))
        lenient = make_ruleset("nine_ball_epbf", {"break": {"min_railed": 3}})
        assert codes(*events, is_break=True, rules=lenient) == []

    def test_half_distance(self):
        events = (
            ev.BallBall(a=CUE, b=1, frozen_start=True),
            rail(1),
            ev.Travel(ball=CUE, mm=400.0),
            ev.Travel(ball=1, mm=700.0),
        )
        assert codes(*events) == ["5g"]
        assert codes(*events, rules=WPA) == []
        assert codes(*events, threatened=frozenset()) == [], "a graze, or far away"
        assert codes(*events, threatened=frozenset({1})) == ["5g"]

    def test_scoop(self):
        events = (ev.Scoop(), contact(1), rail(1))
        assert codes(*events) == ["5o"] and codes(*events, rules=WPA) == []

    def test_full_pocket(self):
        events = (
            contact(1),
            rail(1),
            ev.CueTouchesPocketedBall(ball=4, pocket_full=True),
        )
        assert codes(*events) == ["5m"] and codes(*events, rules=WPA) == []

    def test_near_cushion_limit(self):
        near = {"near_rails": (("foot", 2),)}
        assert codes(contact(1), rail(1), **near) == ["5k"]
        three = make_ruleset("nine_ball_epbf", {"rail": {"near_cushion_limit": 3}})
        assert codes(contact(1), rail(1), rules=three, **near) == []

    def test_wrong_ball_without_a_rail(self):
        assert codes(contact(5)) == ["5a"]
        assert codes(contact(5), rules=WPA) == ["6.2", "6.3"]

    def test_nothing_hit(self):
        assert codes(rail(CUE)) == ["5a"] and codes(rail(CUE), rules=WPA) == ["6.3"]

    def test_a_scratch_counts_as_driven_to_a_rail(self):
        assert codes(contact(1), pocketed(CUE)) == ["5c"]

    def test_grazing_a_near_ball_is_fair(self):
        tip = ev.TipOnCueAtContact(b=1, graze=True)
        assert codes(tip, contact(1), rail(1)) == []
        tip = ev.TipOnCueAtContact(b=1)
        assert codes(tip, contact(1), rail(1)) == ["5g"]

    def test_the_tip_on_a_pair_declared_touching(self):
        events = (ev.TipOnCueAtContact(b=1), contact(1))
        assert not facts_of(events, frozen_to_cue=frozenset({1})).tip_on_cue
        assert facts_of(events, frozen_to_cue=frozenset({2})).tip_on_cue

    @pytest.mark.parametrize(
        ("by", "ball", "code"), [("cue", 3, "5e"), ("shaft", 3, "5f"), ("hand", CUE, "5f")]
    )
    def test_touching(self, by, ball, code):
        event = ev.EquipmentContact(by=by, ball=ball)
        assert codes(event, contact(1), rail(1)) == [code]

    def test_break_options_that_a_club_offers(self):
        only = make_ruleset("nine_ball_epbf", {"break": {"foul_options": ["accept_table"]}})
        facts = facts_of((STRUCK, contact(1), pocketed(CUE)))
        verdict = judge_shot(
            facts, Situation(ruleset=only, on_table=frozenset(range(1, 10)), is_break=True)
        )
        assert verdict.next == Shoots("other", "anywhere")
        facts = facts_of((STRUCK, contact(1)))
        verdict = judge_shot(
            facts, Situation(ruleset=only, on_table=frozenset(range(1, 10)), is_break=True)
        )
        assert verdict.next.options == (Option.ACCEPT_TABLE,)


class TestLag:
    FRAME = TableFrame()

    def judge(self, *events, resting=None, referee=False):
        resting = resting or {LAG_A: Position(-1.2, 0.3), LAG_B: Position(-1.1, -0.3)}
        rules = LagRules(late_stroke="relag")
        return judge_lag(events, resting, rules, self.FRAME, referee=referee)

    BOTH = (ev.CueStrike(ball=LAG_A), ev.CueStrike(ball=LAG_B), rail(LAG_A), rail(LAG_B))

    def test_gaps_from_the_places_where_no_event_tells(self):
        verdict = self.judge(*self.BOTH)
        assert verdict.winner == 0
        assert verdict.gaps_mm[0] == pytest.approx(70.0 - 27.514, abs=1e-3)

    def test_a_ball_beyond_the_nose_is_bad(self):
        resting = {LAG_A: Position(-1.245, 0.6), LAG_B: Position(-0.8, -0.3)}
        verdict = self.judge(*self.BOTH, resting=resting)
        assert verdict.faults == (("1.2e",), ()) and verdict.winner == 1

    @pytest.mark.parametrize(
        ("event", "code"),
        [
            (ev.CrossesLongString(ball=LAG_A), "1.2a"),
            (rail(LAG_A), "1.2b"),
            (ev.OffTable(ball=LAG_A), "1.2c"),
            (ev.Pocketed(ball=LAG_A, pocket="head_left"), "1.2c"),
            (rail(LAG_A, "left"), "1.2d"),
            (ev.Jaw(ball=LAG_A, pocket="side_left"), "1.2d"),
            (ev.Jaw(ball=LAG_A, pocket="foot_left", rail="left"), "1.2d"),
            (ev.Jaw(ball=LAG_A, pocket="foot_left", rail="foot"), "1.2b"),
            (ev.CueRecontact(ball=LAG_A), "1.2f"),
        ],
    )
    def test_each_fault_loses_to_a_fair_lag(self, event, code):
        verdict = self.judge(*self.BOTH, event)
        assert verdict.faults == ((code,), ()) and verdict.winner == 1

    def test_a_corner_jaw_of_no_known_cushion_proves_neither(self):
        verdict = self.judge(*self.BOTH, ev.Jaw(ball=LAG_A, pocket="foot_left"))
        assert verdict.faults == ((), ())

    def test_at_rest_against_the_cushion_is_fair(self):
        rest = ev.Rest(ball=LAG_A, gap_to_head_cushion_mm=-1e-9)
        verdict = self.judge(*self.BOTH, rest)
        assert verdict.faults == ((), ()) and verdict.winner == 0

    def test_both_bad_is_undecided(self):
        verdict = self.judge(*self.BOTH, rail(LAG_A, "left"), rail(LAG_B, "right"))
        assert verdict.winner is None

    def test_a_ball_that_never_reached_the_foot_cushion(self):
        verdict = self.judge(ev.CueStrike(ball=LAG_A), ev.CueStrike(ball=LAG_B), rail(LAG_B))
        assert verdict.faults == (("1.2b",), ())

    def test_the_victim_of_an_intruder_has_done_nothing(self):
        verdict = self.judge(
            ev.CueStrike(ball=LAG_A),
            ev.CueStrike(ball=LAG_B),
            ev.CrossesLongString(ball=LAG_A),
            ev.BallBall(a=LAG_A, b=LAG_B),
            rail(LAG_B, "right"),
            rail(LAG_A),
        )
        assert verdict.faults == (("1.2a",), ()) and verdict.winner == 1

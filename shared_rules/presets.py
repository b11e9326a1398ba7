"""The named presets: overrides that make each out of the defaults, which are EPBF nine-ball.

DIFFERENCES.md.  A preset says its discipline; no override can change that.
"""

from typing import Any


def merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """``base`` with the keys of ``over``, map by map."""
    merged = dict(base)
    for key, value in over.items():
        mine = merged.get(key)
        if isinstance(mine, dict) and isinstance(value, dict):
            merged[key] = merge(mine, value)
        else:
            merged[key] = value
    return merged


# What the WPA's general chapters and its chapter on fouls say for every discipline.
_WPA: dict[str, Any] = {
    "codes": "wpa",
    "lag": {"placement": "server", "late_stroke": "relag"},
    "match": {"break_order": "alternate"},
    "wedged": "held_is_pocketed",
    "pocket": {"full_touch": "ignore"},
    "restore_after_foul": True,
    "rail": {
        "count_pocketed": True,
        "frozen_same_cushion": "after_leaving",
        "near_cushion_limit": None,
    },
    "touching": {"mode": "free_if_frozen"},
    "scoop": "report",
    "jump": {"tip_rule": "none"},
    "spot": {"contact": True},
    "three_foul": {"unwarned": "counts_as_second"},
    "shot_clock": {"imposed_max_s": None},
    "concede_scope": "match",
    "late": {"effect": "award_match"},
    "advice": "unsportsmanlike",
    "practice": "unsportsmanlike",
    "play_suspended": "unsportsmanlike",
}

_NINE_BALL_WPA = merge(
    _WPA,
    {
        "id": "nine_ball_wpa",
        "break": {"foul_options": ["ball_in_hand_anywhere"]},
    },
)

# E8.1, E8.9p, E8.11: breaks, stalemate and ball in hand as the WPA has them for every game.
_EIGHT_BALL = merge(
    _WPA,
    {
        "id": "eight_ball",
        "discipline": "eight_ball",
        "call": "required",
        "break": {
            "foul_options": ["accept_table", "ball_in_hand_head"],
            "illegal_options": ["accept_table", "rerack_self_breaks", "rerack_offender_breaks"],
        },
        "push_out": {"enabled": False},
        "three_foul": {"limit": None},
    },
)

# S14.1: the lag decides; S14.3a: the break is played from the head area.
_STRAIGHT_POOL = merge(
    _WPA,
    {
        "id": "straight_pool",
        "discipline": "straight_pool",
        "call": "required",
        "match": {"games_to_win": 1},
        "break": {
            "called": "shot",
            "foul_options": ["accept_table", "require_rebreak"],
            "min_railed": 2,
        },
        "push_out": {"enabled": False},
        "three_foul": {"penalty": "points"},
        "stalemate": {"breaker": "lag"},
    },
)

# BB.0, BB.3, BB.15: two groups, no calls; breaks and stalemates as the WPA has them.  BB.5a: baulk.
_BLACK_BALL = merge(
    _WPA,
    {
        "id": "black_ball",
        "discipline": "black_ball",
        "break": {"area": "baulk", "foul_options": ["cue_in_position", "cue_in_hand_baulk"]},
        "push_out": {"enabled": False},
        "three_foul": {"limit": None},
        "touching": {"mode": "play_away"},
        "jump": {"over_ball": "foul"},
        "spot": {"order": "black_next_rest"},
        "stalemate": {"no_legal_shot": True},
    },
)

PRESETS: dict[str, dict[str, Any]] = {
    "nine_ball_epbf": {"id": "nine_ball_epbf"},
    "nine_ball_wpa": _NINE_BALL_WPA,
    "eight_ball": _EIGHT_BALL,
    "straight_pool": _STRAIGHT_POOL,
    "black_ball": _BLACK_BALL,
}
"""Overrides that make each named preset out of the defaults."""

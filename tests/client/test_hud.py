"""The HUD: nothing overlaps or leaves the screen, in both languages and at every size."""

import itertools
from dataclasses import replace

import pytest
from msgspec import structs

from client.hud.describe import CAPTIONS, HELP
from client.hud.game import strip
from client.hud.hud import Hud
from client.hud.keyed import with_keys
from client.hud.layout import TABLE_ASPECT, Box, clear_area
from client.hud.model import (
    Button,
    ClockFace,
    Dialog,
    HudModel,
    Minimap,
    Player,
    Power,
    Raised,
    TipBall,
)
from client.play.keys import OWN_KEYS
from client.practice.drills import DRILLS
from client.practice.lessons import LESSONS
from client.scene import WindowOptions, open_window
from client.scene.fonts import load_font
from client.words import WORDS, decimal, say
from shared_rules.catalogue import ANNOUNCEMENTS, FOULS, OPTIONS
from shared_rules.groups import Group
from shared_rules.ruleset import make_ruleset
from tests.client import builders

SIZES = [(1280, 720), (1000, 600), (1920, 1080), (2560, 1080), (800, 600), (1280, 1024)]
SCALED = [*((size, 1.0) for size in SIZES), (SIZES[0], 1.3), (SIZES[2], 1.3)]
SCALED += [(size, 2.0) for size in ((1280, 720), (1920, 1080), (800, 600))] + [(SIZES[0], 3.0)]


def full_model(language: str, **changes) -> HudModel:
    """A frame with the longest of everything."""
    words = tuple((k, say(language, k)) for k in CAPTIONS)
    longest = max((p[1 if language == "cs" else 0] for p in FOULS.values()), key=len)
    content = {
        "players": (
            Player("Maximiliana Svatoplukovičová Veselá", 12, 2, True, True, True, "note " * 3),
            Player("Bob", 11, 0, note="…", present=False),
        ),
        "race": say(language, "race_sets", a=1, b=2, n=13),
        "title": "Nine-ball EPBF",
        "balls": tuple((n, n > 3) for n in (4, 5, 6, 7, 8, 9, 2, 1, 3)),
        "on": (4,),
        "clock": ClockFace(299, say(language, "clock_decision"), True, 0.4),
        "prompt": say(language, "prompt_lag"),
        "hint": say(language, "hint_aim"),
        "ruling": ((longest, "bad"), (say(language, "rule", id="N9.5k"), "note")),
        "toast": longest,
        "link": say(language, "link_ms", ms=1250) + " · " + say(language, "watching", n=1999),
        "buttons": tuple(
            Button(a, say(language, a), key)
            for a, key in (
                ("strike", "Space"), ("move_cue", "B"), ("push_out", "P"), ("time_out", "T")
            )
        ),
        "corner": (
            Button("view", say(language, "view", name=say(language, "view_broadcast")), "C"),
            Button("help", say(language, "help"), "F1"),
            Button("language", say(language, "language"), "L"),
            Button("menu", say(language, "menu"), "Esc"),
        ),
        "tip": TipBall((0.4, -0.4), 0.51, True),
        "power": Power(9.99, 1.0),
        "raised": Raised(
            27.4, 12.3, "rail", say(language, "raised", n="27.4"),
            say(language, "least_over", n="12.3", thing=say(language, "over_cue_ball")),
        ),
        "minimap": Minimap(2.54, 1.27, -0.635),
        "again": Button("again", say(language, "again"), "I"),
        "words": words,
    }  # fmt: skip
    return HudModel(**{**content, **changes})


@pytest.fixture(scope="module")
def hud():
    base = open_window(WindowOptions(size=(640, 360), offscreen=True))
    made = Hud(base.render2d, (640, 360))
    yield made
    made.destroy()


def at_scale(hud, size, ui_scale) -> None:
    hud.ui_scale = ui_scale
    hud.resize(size)
    hud.ui_scale = 1.0


def overlap(a, b) -> bool:
    return a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1


def written(hud, part="dialog") -> dict[str, tuple[float, float, float, float]]:
    """Left, top, right, bottom of every text of a part, in design units."""
    (dialog,) = [c for c in hud._canvases if c.node.name == part]
    found = {}
    for path in dialog.node.find_all_matches("**/+TextNode"):
        low, high = path.get_tight_bounds(hud.root)
        found[path.node().text] = (low.x, -high.z, high.x, -low.z)
    return found


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("size", "ui_scale"), SCALED)
def test_nothing_overlaps_or_leaves_the_screen(hud, size, ui_scale, language):
    at_scale(hud, size, ui_scale)
    hud.show(full_model(language))
    bounds = {k: v for k, v in hud.bounds().items() if k != "minimap balls"}
    assert {"side", "minimap", "power", "tip", "ruling", "actions", "prompt", "toast"} <= set(
        bounds
    )
    if ui_scale <= 2.0:
        assert hud.scale == pytest.approx(max(0.78, ui_scale * min(size[0] / 1280, size[1] / 720)))
    w, h = hud.sheet.width, hud.sheet.height
    for name, (left, top, right, bottom) in bounds.items():
        inside = left >= -1 and top >= -1 and right <= w + 1 and bottom <= h + 1
        assert inside, f"{name} leaves the screen: {bounds[name]}"
    for one, other in itertools.combinations(bounds, 2):
        assert not overlap(bounds[one], bounds[other]), f"{one} lies over {other}"
    names = ("Maximiliana", "note")  # of people, who may be called as they like
    assert [text for text in hud.cut_off if not text.startswith(names)] == []
    # Capitals of the smallest print keep seven pixels even in a small window.
    assert 11.5 * hud.scale >= 8.5


WORDS_OF_PRACTICE = (
    "practice_prompt",
    "arrange_prompt",
    *(stage.words for stage in LESSONS.stages),
)


@pytest.mark.parametrize("arranges", [False, True])
@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("size", "ui_scale"), SCALED)
def test_what_practice_shows_has_room(hud, size, ui_scale, language, arranges):
    at_scale(hud, size, ui_scale)
    more = say(language, "practice_headline", n=5, of=5, points=15, best=15)
    prompt = max((say(language, words) for words in WORDS_OF_PRACTICE), key=len)
    buttons = ("strike", "practice_arrange", "practice_repeat", "practice_undo", "practice_redo")
    model = full_model(
        language, players=(Player(""), Player("")), clock=None, prompt=prompt,
        hint=say(language, "arrange_hint" if arranges else "practice_hint"),
        headline=(max((say(language, f"drill_{d.name}") for d in DRILLS), key=len), more),
        tray=tuple((n, n % 2 == 0) for n in range(16)) if arranges else (), chosen=3,
        title=say(language, "practice_title"), link=say(language, "practice_link"),
        buttons=tuple(Button(b, say(language, b), "G") for b in buttons[arranges:]),
    )  # fmt: skip
    if arranges:
        model = replace(model, tip=None, power=None, raised=None, minimap=None)
    hud.show(with_keys(model, OWN_KEYS, language))
    bounds = {k: v for k, v in hud.bounds().items() if k != "minimap balls"}
    assert {"tray" if arranges else "headline", "actions", "prompt"} <= set(bounds)
    for name, (left, top, right, bottom) in bounds.items():
        inside = left >= -1 and top >= -1
        inside &= right <= hud.sheet.width + 1 and bottom <= hud.sheet.height + 1
        assert inside, f"{name} leaves the screen: {bounds[name]}"
    for one, other in itertools.combinations(bounds, 2):
        assert not overlap(bounds[one], bounds[other]), f"{one} lies over {other}"
    assert hud.cut_off == []


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("size", "ui_scale"), SCALED)
def test_a_choice_leaves_the_table_in_sight_and_its_text_fits(hud, size, ui_scale, language):
    at_scale(hud, size, ui_scale)
    options = ["accept_table", "ball_in_hand_anywhere", "rerack_self_breaks"]
    options.append("rerack_offender_breaks")
    words = [OPTIONS[o][1 if language == "cs" else 0] for o in options]
    buttons = tuple(
        Button(f"choose:{o}", label, str(k + 1))
        for k, (o, label) in enumerate(zip(options, words, strict=True))
    )
    notes = tuple(say(language, f"then_{o}", name="Maximiliana") for o in options)
    dialog = Dialog(say(language, "choice_break_foul"), "…", buttons, notes, docked=True)
    hud.show(full_model(language, dialog=dialog, tip=None, power=None, prompt="", buttons=()))
    left, top, right, bottom = hud.bounds()["dialog"]
    assert top > (0.30 if hud.layout.folded else 0.69) * hud.sheet.height
    assert bottom <= hud.sheet.height
    table = table_in(hud, hud.insets)
    assert not overlap(table, (left, top, right, bottom))
    if not hud.layout.folded:
        assert table[3] - table[1] > 0.4 * hud.sheet.height
    assert left >= 0 and right <= hud.sheet.width
    assert not overlap((left, top, right, bottom), hud.bounds()["corner"])
    for button in buttons:
        assert hud.find(button.action) is not None
    own = [text for text in hud.cut_off if not text.startswith("Maximiliana")]
    assert own == []
    texts = written(hud)
    for one, other in itertools.combinations(texts, 2):
        assert not overlap(texts[one], texts[other]), f"{one!r} lies over {other!r}"


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(
    ("size", "ui_scale"), [((1280, 720), 1.0), ((800, 600), 1.3), ((800, 600), 2.0)]
)
@pytest.mark.parametrize("prompt", ["prompt_lag", "prompt_place_lag", "prompt_push_out"])
def test_what_is_wanted_is_readable_to_its_end(hud, size, ui_scale, language, prompt):
    at_scale(hud, size, ui_scale)
    hud.show(full_model(language, prompt=say(language, prompt), players=(Player("A"), Player("B"))))
    assert hud.cut_off == []
    assert not overlap(hud.bounds()["prompt"], hud.bounds()["actions"])


def test_a_passing_message_of_one_line_ends_above_the_table(hud):
    hud.resize((1280, 720))
    hud.show(full_model("en", toast="Push-out announced"))
    assert hud.bounds()["toast"][3] <= hud.insets[3] * hud.sheet.height + 13  # and a margin


def table_in(hud, insets):
    """Left, top, right, bottom of a table seen from above, in design units."""
    w, h = hud.sheet.width, hud.sheet.height
    left, right, bottom, top = insets
    x, y = (left + 1 - right) / 2 * w, (top + 1 - bottom) / 2 * h
    high = min((1 - left - right) * w / TABLE_ASPECT, (1 - bottom - top) * h)
    return (x - high * TABLE_ASPECT / 2, y - high / 2, x + high * TABLE_ASPECT / 2, y + high / 2)


@pytest.mark.parametrize(("size", "ui_scale"), SCALED)
def test_the_table_from_above_lies_between_the_panels(hud, size, ui_scale):
    at_scale(hud, size, ui_scale)
    ruling = (("a ruling", "bad"), ("Rule N9.5k", "note"))
    shown = {"toast": "", "prompt": "prompt", "hint": "hint", "ruling": ruling, "minimap": None}
    if hud.layout.folded:  # there the ruling may lie over the table, and little is pressed
        shown |= {"ruling": (), "buttons": (Button("strike", "Strike", "Space"),)}
    hud.show(full_model("en", **shown))
    table = table_in(hud, hud.insets)
    for name, bounds in hud.bounds().items():
        assert not overlap(table, bounds), f"the table lies under {name}"
    w, h = hud.sheet.width, hud.sheet.height
    assert table[3] - table[1] > 0.45 * min(h, w / TABLE_ASPECT)


def test_of_the_places_between_the_panels_the_roomiest_is_found():
    corner = Box(0, 0, 300, 200)
    assert clear_area(1000, 500, (corner,), 2.0) == Box(308, 8, 684, 484)
    assert clear_area(500, 1000, (corner,), 2.0) == Box(8, 208, 484, 784)
    assert clear_area(400, 200, (Box(0, 0, 400, 200),), 2.0) == Box(0, 0, 400, 200)  # nowhere


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("size", "ui_scale"), SCALED)
def test_a_menu_with_everything_and_the_keys_have_room(hud, size, ui_scale, language):
    at_scale(hud, size, ui_scale)
    actions = ("back", "ruling", "stalemate", "concede", "claim_foul", "claim_win", "claim_adjourn")
    actions += ("leave", "help", "language")
    words = [say(language, a) for a in actions]
    words.append(say(language, "view", name=say(language, "view_broadcast")))
    buttons = tuple(Button(f"b{k}", word, str(k)) for k, word in enumerate(words))
    notes = tuple(say(language, "why_grace", n=120) for _ in buttons)
    dialog = Dialog(say(language, "menu_title"), "", buttons, notes)
    hud.show(full_model(language, dialog=dialog))
    left, top, right, bottom = hud.bounds()["dialog"]
    assert left >= 0 and top >= 0 and right <= hud.sheet.width and bottom <= hud.sheet.height
    assert [t for t in hud.cut_off if not t.startswith(("Maximiliana", "note"))] == []
    texts = written(hud)
    for one, other in itertools.combinations(texts, 2):
        assert not overlap(texts[one], texts[other]), f"{one!r} lies over {other!r}"
    keys = tuple(
        (say(language, k) if k.startswith("key_") else k, say(language, v)) for k, v in HELP
    )
    seen = set()
    for page in range(4):
        hud.show(full_model(language, help=keys, help_page=page))
        left, top, right, bottom = hud.bounds()["help_sheet"]
        assert left >= 0 and top >= 0 and right <= hud.sheet.width and bottom <= hud.sheet.height
        texts = written(hud, "help_sheet")
        for one, other in itertools.combinations(texts, 2):
            assert not overlap(texts[one], texts[other]), f"{one!r} lies over {other!r}"
        seen |= set(texts)
    assert {meaning for _, meaning in keys} <= seen


def test_a_point_belongs_to_the_topmost_region(hud):
    hud.resize((1280, 720))
    hud.show(full_model("en"))
    x, y = hud.centre_of("strike")
    assert hud.at(x, y).action == "strike"
    assert hud.at(640, 300) is None
    help_sheet = tuple((str(k), "…") for k in range(14))
    hud.show(full_model("en", help=help_sheet))
    assert hud.at(640, 360).action == "help"
    with pytest.raises(LookupError):
        hud.centre_of("no such thing")


def test_power_and_tip_are_read_where_they_are_drawn(hud):
    hud.resize((1280, 720))
    hud.show(full_model("en"))
    assert hud.power_at(0) == 1.0 and hud.power_at(720) == 0.0
    x, y = hud.centre_of("tip")
    assert hud.tip_at(x, y) == pytest.approx((0.0, 0.0), abs=1e-6)
    a, b = hud.tip_at(x + 10, y - 10)
    assert a > 0 and b > 0


def test_a_grey_button_keeps_its_reason(hud):
    hud.show(full_model("en", buttons=(Button("strike", "Strike", "", "the balls are moving"),)))
    assert hud.find("strike").why_not == "the balls are moving"


def test_every_entry_has_both_languages_and_the_same_places():
    import string

    for key, pair in WORDS.items():
        assert len(pair) == 2 and all(pair), key
        english, czech = (
            {name for _, name, _, _ in string.Formatter().parse(text) if name} for text in pair
        )
        assert english == czech, key


def test_the_font_has_every_letter_that_is_shown():
    font = load_font("medium")
    catalogue = [*WORDS.values(), *FOULS.values(), *OPTIONS.values(), *ANNOUNCEMENTS.values()]
    letters = {letter for pair in catalogue for text in pair for letter in text} - set(" {}\n")
    missing = [letter for letter in letters if font.get_glyph(ord(letter)) is None]
    assert missing == []


def test_numbers_are_written_as_the_language_does():
    assert decimal("en", 0.3) == "0.30" and decimal("cs", 0.3) == "0,30"
    with pytest.raises(KeyError):
        say("en", "no such key")


def test_br_047_the_tray_shows_what_is_down_in_order_to_each_group_its_own():
    """BR-047: right of what is left; with groups each player's on his side, the 8 nobody's."""
    nine = builders.state(down=(3, 8, 1, 7, 4, 6))
    left = [(2, True), (5, True), (9, True)]
    assert list(strip(nine)) == [*left, *((n, False) for n in (3, 8, 1, 7, 4, 6))]
    eight = builders.description(ruleset=make_ruleset("eight_ball"))
    order = (12, 3, 8, 1, 11, 4, 6, 7, 10, 13, 14, 15)
    groups = (Group.STRIPES, Group.SOLIDS)
    state = builders.state(description=eight, down=order, groups=groups)
    shown = strip(state)
    assert [n for n, _ in shown] == [12, 11, 10, 13, 14, 15, 2, 5, 9, 8, 3, 1, 4, 6, 7]
    assert [n for n, there in shown if there] == [2, 5, 9]
    open_table = strip(structs.replace(state, groups=None))
    assert [n for n, _ in open_table] == [2, 5, 9, *order]
    assert strip(structs.replace(state, racked=False)) == ()

"""The HUD: nothing overlaps or leaves the screen, in both languages and at every size."""

import itertools

import pytest

from client.hud.hud import PANELS, TABLE_ASPECT, Hud
from client.hud.model import (
    Button,
    ClockFace,
    Dialog,
    HudModel,
    Player,
    Power,
    TipBall,
)
from client.scene import WindowOptions, open_window
from client.scene.fonts import load_font
from client.words import WORDS, decimal, say
from shared_rules.catalogue import ANNOUNCEMENTS, FOULS, OPTIONS

SIZES = [(1280, 720), (1000, 600), (1920, 1080), (2560, 1080), (800, 600), (1280, 1024)]


def full_model(language: str, **changes) -> HudModel:
    """A frame with the longest of everything."""
    words = tuple((k, say(language, k)) for k in ("fouls", "last_shot", "tip", "miscue", "help"))
    longest = max((p[1 if language == "cs" else 0] for p in FOULS.values()), key=len)
    content = {
        "players": (
            Player("Maximiliana Svatoplukovičová Veselá", 12, 2, True, True, True, "note " * 3),
            Player("Bob", 11, 0, note="…", present=False),
        ),
        "race": say(language, "race_sets", a=1, b=2, n=13),
        "title": "Nine-ball EPBF",
        "balls": tuple((n, n > 3) for n in range(1, 10)),
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
        "words": words,
    }  # fmt: skip
    return HudModel(**{**content, **changes})


@pytest.fixture(scope="module")
def hud():
    base = open_window(WindowOptions(size=(640, 360), offscreen=True))
    made = Hud(base.render2d, (640, 360))
    yield made
    made.destroy()


def overlap(a, b) -> bool:
    return a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1


def written(hud) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, right, bottom of every text of the dialog, in design units."""
    (dialog,) = [c for c in hud._canvases if c.node.name == "dialog"]
    found = {}
    for path in dialog.node.find_all_matches("**/+TextNode"):
        low, high = path.get_tight_bounds(hud.root)
        found[path.node().text] = (low.x, -high.z, high.x, -low.z)
    return found


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("size", "ui_scale"), [*((s, 1.0) for s in SIZES), (SIZES[0], 3.0)])
def test_nothing_overlaps_or_leaves_the_screen(hud, size, ui_scale, language):
    hud.ui_scale = ui_scale
    hud.resize(size)
    hud.ui_scale = 1.0
    hud.show(full_model(language))
    bounds = hud.bounds()
    w, h = hud.sheet.width, hud.sheet.height
    for name, (left, top, right, bottom) in bounds.items():
        inside = left >= -1 and top >= -1 and right <= w + 1 and bottom <= h + 1
        assert inside, f"{name} leaves the screen: {bounds[name]}"
    for one, other in itertools.combinations(bounds, 2):
        assert not overlap(bounds[one], bounds[other]), f"{one} lies over {other}"
    # Capitals of the smallest print keep seven pixels even in a small window.
    assert 11.5 * hud.scale >= 8.5


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("size", SIZES)
def test_a_choice_leaves_the_table_in_sight_and_its_text_fits(hud, size, language):
    hud.resize(size)
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
    assert top > 0.70 * hud.sheet.height and bottom <= hud.sheet.height
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
@pytest.mark.parametrize(("size", "ui_scale"), [((1280, 720), 1.0), ((800, 600), 1.3)])
@pytest.mark.parametrize("prompt", ["prompt_lag", "prompt_place_lag", "prompt_push_out"])
def test_what_is_wanted_is_readable_to_its_end(hud, size, ui_scale, language, prompt):
    hud.ui_scale = ui_scale
    hud.resize(size)
    hud.ui_scale = 1.0
    hud.show(full_model(language, prompt=say(language, prompt), players=(Player("A"), Player("B"))))
    assert hud.cut_off == []
    assert not overlap(hud.bounds()["prompt"], hud.bounds()["actions"])


def test_a_passing_message_of_one_line_ends_above_the_table(hud):
    hud.resize((1280, 720))
    hud.show(full_model("en", toast="Push-out announced"))
    assert hud.bounds()["toast"][3] <= hud.insets[3] * hud.sheet.height + 13  # and a margin


@pytest.mark.parametrize("size", SIZES)
def test_the_table_from_above_lies_between_the_panels(hud, size):
    hud.resize(size)
    hud.show(full_model("en", toast="", prompt="prompt"))
    w, h = hud.sheet.width, hud.sheet.height
    left, right, bottom, top = hud.overhead_insets
    x, y = (left + 1 - right) / 2 * w, (top + 1 - bottom) / 2 * h
    high = min((1 - left - right) * w / TABLE_ASPECT, (1 - bottom - top) * h)
    table = (x - high * TABLE_ASPECT / 2, y - high / 2, x + high * TABLE_ASPECT / 2, y + high / 2)
    for name, bounds in hud.bounds().items():
        assert not overlap(table, bounds), f"the table lies under {name}"
    if size == (800, 600):
        assert high > 1.14 * (w - PANELS[0] - PANELS[1]) / TABLE_ASPECT


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

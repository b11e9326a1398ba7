"""Every screen in both languages, at every size: nothing overlaps, is cut off or out of reach."""

import itertools
from unittest.mock import Mock

import pytest

from client.hud.entry import Entry
from client.hud.page import Field, Heading, Page, Paragraph, Pick, Press
from client.hud.page_view import PageView
from client.net.lobby_visit import LobbyVisit
from client.net.session import Opened, Received, Session
from client.play.settings import Preferences, Settings
from client.practice.layout import racked
from client.practice.practising import Practising
from client.scene import WindowOptions, open_window
from client.screens import lobby_page
from client.screens.layouts import LayoutsScreen
from client.screens.lobby_page import Chosen
from client.screens.officiate import OfficiateScreen
from client.screens.practice import PracticeScreen
from client.screens.rule_card import rule_card
from client.screens.rules import CARDS, RulesScreen
from client.screens.servers import ServersScreen
from client.screens.settings import SettingsScreen
from client.screens.start import StartScreen
from client.screens.talk import TalkScreen
from client.screens.terms import TermsScreen
from client.screens.window import Window
from client.screens.writing import WritingScreen
from shared_rules import messages as m
from shared_rules.ruleset import make_ruleset
from tests.client.builders import state
from tests.client.local_table import LocalTable

SIZES = [
    ((1280, 720), 1.0), ((800, 600), 1.0), ((1920, 1080), 1.0), ((1280, 720), 2.0),
    ((800, 600), 2.0), ((1920, 1080), 2.0), ((2560, 1080), 1.3), ((1280, 720), 0.5),
]  # fmt: skip
LONG = "Maximiliana Svatoplukovičová Vese"[:32]


@pytest.fixture(scope="module")
def base():
    return open_window(WindowOptions(size=(640, 360), offscreen=True))


def at_a_table() -> Session:
    """A referee at a table with long names, where something was said."""
    table, session = LocalTable(referee=True), Session(LONG)
    table.seat(session, None)
    assert session.view is not None
    session.view.role, session.view.state = "referee", state(racked=True)
    line = m.ChatLine(number=1, at=1.0, by=LONG, text="příliš žluťoučký kůň " * 6)
    said = m.Said(channel="players", table=session.view.table, line=line)
    session.handle(Received(said, 1.0))
    return session


def full_lobby(language: str, chosen: Chosen) -> Page:
    """A lobby with the longest of everything."""
    session = Session(LONG)
    session.handle(Opened(0.0))
    welcome = m.Welcome(protocol=1, server="s", name=LONG, token="t" * 20, clock=5.0)
    session.handle(Received(welcome, 0.0))
    ratings = {"nine_ball": 1712, "straight_pool": 1500}
    people = tuple(
        m.LobbyPerson(name=f"{LONG[:29]} {k}", account=k > 1, status="playing", ratings=ratings,
                      table="ABCDEF")
        for k in range(3)
    )  # fmt: skip
    tables = tuple(
        m.LobbyTable(
            table=f"T{k}", ruleset="nine_ball_epbf", discipline="nine_ball",
            players=(LONG, None if k else LONG), status="adjourned", games=(10, 11), sets=(1, 0),
            games_to_win=13, sets_to_win=2, shot_clock_s=35.0, watch="invited", private=k == 1,
            rated=True,
        )
        for k in range(3)
    )  # fmt: skip
    terms = m.TableTerms(overrides={"match": {"games_to_win": 9}}, rated=True)
    open_to_all = m.ChallengeSummary(
        challenge="C1", by="Bob", to=None, terms=terms, rating=1650, expires_at=9.0
    )
    mine = m.ChallengeSummary(
        challenge="C2", by=LONG, to="Ann", terms=terms, rating=1650, expires_at=9.0
    )
    visit = LobbyVisit(session)
    shown = m.LobbyShown(seq=1, here=1999, people=people, tables=tables, challenges=(open_to_all,))
    session.handle(Received(shown, 1.0))
    session.handle(Received(m.Challenged(challenge=mine), 1.0))
    line = m.ChatLine(number=1, at=1.0, by=LONG, text="příliš žluťoučký kůň " * 6)
    session.handle(Received(m.Said(channel="lobby", table=None, line=line), 1.0))
    visit.step()
    visit.made["C3"] = LONG
    visit.waiting = True
    entry, code = Field("line", "…", "x" * 200, 120), Field("code", "…")
    elsewhere = (Field("table", "…", "ABCDEF"), Field("table_code", "…"))
    address = "ws://a-rather-long-name.example.org:4747"
    return lobby_page.describe(visit, chosen, language, entry, code, elsewhere, address)


def pages(window, language):
    """All screens' pages."""
    notice = "A sentence that is long enough to need a second line where the window is narrow. " * 2
    window.preferences.change(language=language)
    screens = {
        "start": StartScreen(window),
        "settings": SettingsScreen(window),
        "rules": RulesScreen(window),
        "table_rules": RulesScreen(window, make_ruleset("eight_ball", {"target": 40})),
        "servers": ServersScreen(window),
        "practice": PracticeScreen(window),
        "terms": TermsScreen(window, "Open", lambda terms: None, opens=True),
        "officiate": OfficiateScreen(window, at_a_table()),
        "talk": TalkScreen(window, at_a_table()),
        "ruling": WritingScreen(window, "ruling", lambda line: None),
    }
    practising = Practising(LONG, screens["practice"].kept, executor=Mock())
    practising.put(racked("9ft", "straight_pool", 1))
    practising.kept.keep_layout("W" * 40, practising.layout)
    screens["layouts"] = LayoutsScreen(window, practising)
    screens["servers"]._way = "register"
    found = {name: screen.page() for name, screen in screens.items()}
    found["lobby"] = full_lobby(language, Chosen("T1", f"{LONG[:29]} 2"))
    return {
        name: Page(p.title, p.columns, p.footer, notice if name != "start" else "", "bad")
        for name, p in found.items()
    }


def texts(canvas):
    """Left, top, right, bottom of each text on a canvas, in its own units."""
    boxes = []
    for path in canvas.node.find_all_matches("**/+TextNode"):
        bounds = path.get_tight_bounds(canvas.node)
        if bounds is not None:
            low, high = bounds
            boxes.append((path.node().text, (low.x, -high.z, high.x, -low.z)))
    return boxes


def overlap(a, b) -> bool:
    return a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_nothing_overlaps_is_cut_off_or_out_of_reach(base, size, scale, language):
    window = Window(base, Preferences(Settings(name=LONG, quality="low")))
    view = PageView(base.render2d, size, scale)
    try:
        for name, page in pages(window, language).items():
            for focus in [w.action for w in page.active()][:1]:
                view.show(page, focus)
            where = f"{name} at {size} × {scale} in {language}"
            assert view.cut_off == [], where
            assert view._bottom - view._top >= 60, f"{where}: no room for what matters"
            for column in view._columns:
                found = texts(column.canvas)
                for one, other in itertools.combinations(found, 2):
                    assert not overlap(one[1], other[1]), f"{where}: {one[0]!r}, {other[0]!r}"
                for text, (left, _, right, bottom) in found:
                    inside = left >= -1 and right <= column.width + 1 and bottom <= column.height
                    assert inside, f"{where}: {text!r} leaves its column"
                assert column.x >= 0 and column.x + column.width <= view.width + 1
            for one, other in itertools.combinations(texts(view._frame), 2):
                assert not overlap(one[1], other[1]), f"{where}: {one[0]!r}, {other[0]!r}"
            for widget in page.active():
                action = f"{widget.action}:+" if isinstance(widget, Pick) else widget.action
                x, y = view.centre_of(action)
                assert 0 <= x <= size[0] and 0 <= y <= size[1], f"{where}: {action}"
                hit = view.at(x, y)
                assert hit is not None and hit.action == action, f"{where}: {action}"
    finally:
        view.destroy()


def test_letters_are_as_large_as_is_asked_for_as_far_as_there_is_room(base):
    view = PageView(base.render2d, (1280, 720), 2.0)
    try:
        assert view.scale == pytest.approx(2.0)
        view.resize((800, 600))
        assert view.scale == pytest.approx(1.25)
        view.ui_scale = 0.5
        view.resize((800, 600))
        assert view.scale >= 0.78
    finally:
        view.destroy()


def test_a_page_that_is_as_before_is_not_drawn_again(base):
    view = PageView(base.render2d, (1280, 720))
    page = Page("T", ((Heading("a"), Press("p", "P"), Paragraph("x" * 400)),), (Press("b", "B"),))
    try:
        view.show(page, "p")
        nodes = [column.canvas.node.get_child(0) for column in view._columns]
        view.show(page, "p")
        assert nodes == [column.canvas.node.get_child(0) for column in view._columns]
        view.show(page, "b")
        assert nodes != [column.canvas.node.get_child(0) for column in view._columns]
    finally:
        view.destroy()


# --- a line of text ---------------------------------------------------------------------------


def test_a_line_is_written_with_caret_words_and_paste():
    entry = Entry.of("Žluť").typed("oučký").key("home").typed("  ").key("delete")
    assert (entry.text, entry.caret) == ("  luťoučký", 2)
    assert Entry.of("ab cd").key("backspace", whole_word=True).text == "ab "
    assert Entry.of("ab cd").key("home").key("arrow_right", whole_word=True).caret == 2
    assert Entry.of("a").typed("b\nc\x00\x07d").text == "ab cd"
    assert Entry.of("x" * 70, 64).typed("y").text == "x" * 64
    assert Entry.of("ab").key("arrow_left").key("arrow_left").key("arrow_left").caret == 0
    assert Entry.of("ab").key("f1") == Entry.of("ab")
    assert Entry.of("abc").placed(99).caret == 3 and Entry.of("abc").placed(-4).caret == 0


# --- rule cards -------------------------------------------------------------------------------


def card_text(rules, language="en") -> str:
    return Page("", rule_card(rules, language)).texts()


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("name", CARDS)
def test_every_game_has_its_card_in_both_languages(name, language):
    text = card_text(CARDS[name], language)
    assert len(text) > 500 and "{" not in text


def test_a_card_says_what_the_keys_say_not_what_the_name_does():
    plain = card_text(CARDS["nine_ball_epbf"])
    assert "push-out may be announced" in plain and "3 fouls in a row lose" in plain
    club = make_ruleset(
        "nine_ball_epbf",
        {"id": "club", "push_out": {"enabled": False}, "three_foul": {"limit": None},
         "match": {"games_to_win": 5, "break_order": "loser"}},
    )  # fmt: skip
    text = card_text(club)
    assert "push-out" not in text and "fouls in a row" not in text
    assert "win 5 games" in text and "loser of a game breaks" in text
    assert "push_out.enabled" in text  # what was changed is named
    assert "to spot it" in card_text(CARDS["eight_ball"])
    assert "The 8 on the break wins" in card_text(
        make_ruleset("eight_ball", {"break": {"eight": "win"}})
    )
    assert "reaches 40 points" in card_text(make_ruleset("straight_pool", {"target": 40}))


@pytest.mark.parametrize("size", [(800, 600), (1280, 720), (640, 1100)])
def test_the_rack_at_the_foot_of_the_start_page_lies_below_all_that_is_written(
    user, monkeypatch, size
):
    from client.hud import page_view

    drawn = []
    monkeypatch.setattr(page_view, "draw_backdrop", lambda *at: drawn.append(at[1:]))
    ann = user(size=size)
    ann.step(3)
    view = ann.top.view
    w, h, top = drawn[-1]
    assert (w, h) == (view.width, view.height)
    assert all(top >= view._top + column.height for column in view._columns)
    before = len(drawn)
    ann.step(20)
    assert len(drawn) == before, "drawn once"

"""What only a person can judge: a referee's controls, and a player's claim where there is none."""

from client.hud.model import Button, Dialog
from client.net.view import TableView
from client.play.permits import Permits
from client.words import say
from shared_rules import commands as c
from shared_rules.fouls import RULE_IDS, called_foul
from shared_rules.state import MatchState, Phase
from shared_rules.wording import foul_text

PAGE = 7
"""Fouls on a page of their list."""


def referee_buttons(
    view: TableView, state: MatchState, language: str, permits: Permits
) -> tuple[Button, ...]:
    """What a referee has at hand."""
    if view.role != "referee" or state.phase is Phase.MATCH_OVER:
        return ()
    stopped = state.phase is Phase.SUSPENDED
    halt = "resume" if stopped else "suspend"
    why = permits.why_not(c.Resume if stopped else c.Suspend)
    return (
        Button("call_foul", say(language, "call_foul"), "F", permits.why_not(c.CallFoul)),
        Button("halt", say(language, halt), "H", why, strong=stopped),
        Button("officiate", say(language, "officiate"), "F2"),
    )


def claims_foul(permits: Permits) -> tuple[type[c.CommandBase], str]:
    """How a player says that the other has fouled: the command, and why he can't."""
    why = permits.why_not(c.Claim)
    if why and not permits.why_not(c.CallFoul):
        return c.CallFoul, ""
    return c.Claim, why


def called_fouls(state: MatchState) -> list[str]:
    """Codes of the fouls that a person may call in this game, each named once."""
    rules = state.description.ruleset
    found: dict[str, str] = {}
    for code in RULE_IDS:
        foul = called_foul(code, rules.discipline, rules.codes)
        if foul is not None:
            found.setdefault(foul_text(foul, "en"), code)
    return list(found.values())


def referee_sheet(
    sheet: str, view: TableView, state: MatchState, language: str, permits: Permits
) -> Dialog | None:
    """``foul``: by whom; ``foul:SEAT:PAGE``: which."""
    back = Button("back", say(language, "back"), "Esc")
    names = (view.name_of(0), view.name_of(1))
    if sheet == "foul":
        asked = tuple(
            Button(f"sheet:foul:{s}:0", say(language, "foul_by", name=names[s]), str(s + 1))
            for s in (0, 1)
            if s != view.seat
        )
        return Dialog(say(language, "call_foul"), "", (*asked, back))
    if sheet.startswith("foul:"):
        seat, page = map(int, sheet.split(":")[1:])
        return _fouls(state, names[seat], seat, page, language, back)
    return None


def _fouls(
    state: MatchState, name: str, seat: int, page: int, language: str, back: Button
) -> Dialog:
    codes = called_fouls(state)
    pages = -(-len(codes) // PAGE)
    shown = codes[page % pages * PAGE : (page % pages + 1) * PAGE]
    rules = state.description.ruleset
    buttons = []
    for k, code in enumerate(shown):
        foul = called_foul(code, rules.discipline, rules.codes)
        assert foul is not None
        label = f"{foul_text(foul, language)} ({foul.rule_id})"
        buttons.append(Button(f"foul:{seat}:{code}", label, str(k + 1)))
    if pages > 1:
        more = say(language, "more_fouls", page=page % pages + 1, pages=pages)
        buttons.append(Button(f"sheet:foul:{seat}:{page + 1}", more, "9"))
    return Dialog(say(language, "foul_by", name=name), "", (*buttons, back))


def foul_order(action: str) -> c.CallFoul:
    """The order of ``foul:SEAT:CODE``."""
    _, seat, code = action.split(":", 2)
    return c.CallFoul(seat=0 if seat == "0" else 1, foul=code)

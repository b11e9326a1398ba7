"""What the lobby looks like, from what the server has told of it.  Pure."""

from dataclasses import dataclass, replace

from client.hud.page import Beside, Field, Heading, Page, Paragraph, Pick, Press, Widget
from client.net.lobby_visit import LobbyVisit
from client.net.session import Session
from client.reasons import reason_text
from client.words import say
from shared_rules import messages as m
from shared_rules.presets import PRESETS

FILTERS = ("all", "free", "watch")
LINES_SHOWN = 14
MOST_SHOWN = 60
"""So many tables and people at most: a page of thousands can't be read."""


@dataclass(frozen=True)
class Chosen:
    """What is opened of the lists: a table, a person; and which tables are listed."""

    table: str = ""
    person: str = ""
    filter: str = "all"

    def toggled(self, kind: str, what: str) -> "Chosen":
        """Opened, or closed again."""
        if kind == "table":
            return replace(self, table="" if self.table == what else what)
        return replace(self, person="" if self.person == what else what)

    def filtered(self, which: str) -> "Chosen":
        """Other tables listed."""
        return replace(self, filter=which, table="")


def describe(
    visit: LobbyVisit,
    chosen: Chosen,
    language: str,
    line: Field,
    code: Field,
    elsewhere: tuple[Field, Field],
    here: str,
) -> Page:
    """The page of the lobby.

    Args:
        code: an invitation to a table that is listed.
        elsewhere: a table that is not, and the invitation to it.
        here: the server's address.
    """
    footer = (
        Press("back", say(language, "lobby_leave")),
        Press("club", say(language, "lobby_club")),
        Press("settings", say(language, "start_settings")),
    )
    title = say(language, "lobby_title", name=visit.session.name, server=here)
    if not visit.inside:
        return Page(title, ((Paragraph(_on_the_way(visit, language)),),), footer)
    company = visit.session.company
    columns = (
        (*_tables(visit, chosen, language, code), *_elsewhere(elsewhere, language)),
        _people(visit, chosen, language),
        _talk(visit, language, line),
    )
    page = Page(say(language, "lobby_here", title=title, n=company.here), columns, footer)
    if lost := lost_words(visit.session, language):
        return replace(page, notice=lost, tone="bad")
    return page


def lost_words(session: Session, language: str) -> str:
    """That the connection is lost, and why; empty while it isn't."""
    if session.phase != "lost":
        return ""
    return say(language, "lobby_lost", why=reason_text(language, session.reason))


def _on_the_way(visit: LobbyVisit, language: str) -> str:
    session = visit.session
    if session.phase == "lost":
        why = reason_text(language, session.reason)
        return say(language, "lobby_unreached", why=why[:1].upper() + why[1:])
    return say(language, "lobby_connecting")


# --- tables -----------------------------------------------------------------------------------


def _tables(visit: LobbyVisit, chosen: Chosen, language: str, code: Field) -> tuple[Widget, ...]:
    company, me = visit.session.company, visit.session.name
    tables = [t for t in company.tables.values() if _is_listed(t, chosen.filter, me)]
    tables.sort(key=lambda t: (me not in t.players, None not in t.players, t.table))
    rows: list[Widget] = [
        Heading(say(language, "lobby_tables", n=len(tables))),
        Beside(
            (
                Press("open", say(language, "lobby_open"), strong=True),
                Press("cancel", say(language, "lobby_cancel"))
                if visit.waiting
                else Press("quick", say(language, "lobby_quick")),
            )
        ),
    ]
    if visit.waiting:
        rows.append(Paragraph(say(language, "lobby_waiting"), "note"))
    rows.append(
        Pick("filter", say(language, "lobby_filter"), say(language, f"filter_{chosen.filter}"))
    )
    if not tables:
        rows.append(Paragraph(say(language, "lobby_no_tables"), "note"))
    for table in tables[:MOST_SHOWN]:
        rows.append(
            Press(
                f"table:{table.table}",
                _players(table, language),
                _about(table, language),
                on=table.table == chosen.table,
            )
        )
        if table.table == chosen.table:
            rows += _opened(table, me, language, code)
    return tuple(rows)


def _elsewhere(fields: tuple[Field, Field], language: str) -> tuple[Widget, ...]:
    """The way to a table by its name and a code, as a friend or a club hands them on."""
    why = "" if fields[0].text.strip() else say(language, "why_no_table")
    ways = (("sit", "lobby_sit"), ("watch", "lobby_watch"), ("judge", "lobby_judge"))
    presses = tuple(Press(f"go_{way}", say(language, key), why_not=why) for way, key in ways)
    return (Heading(say(language, "lobby_elsewhere")), *fields, Beside(presses))


def _is_listed(table: m.LobbyTable, which: str, me: str) -> bool:
    if which == "free":
        return None in table.players or me in table.players
    return which != "watch" or table.watch == "everyone"


def _players(table: m.LobbyTable, language: str) -> str:
    free = say(language, "seat_free")
    return " – ".join(name or free for name in table.players)


def _about(table: m.LobbyTable, language: str) -> str:
    game = game_words(table.ruleset, table.discipline, language)
    score = f"{table.games[0]} : {table.games[1]}"
    race = say(language, "race_to", n=table.games_to_win)
    if table.races is not None:
        race = say(language, "race_each", a=table.races[0], b=table.races[1])
    parts = [game, score, race]
    if table.sets_to_win > 1:
        parts.append(say(language, "sets_score", a=table.sets[0], b=table.sets[1]))
    parts.append(say(language, f"table_{table.status}"))
    if table.shot_clock_s:
        parts.append(say(language, "clock_of", n=f"{table.shot_clock_s:g}"))
    if table.rated:
        parts.append(say(language, "is_rated"))
    parts.append(say(language, "is_private" if table.private else f"watch_{table.watch}"))
    return " · ".join(parts)


def _opened(table: m.LobbyTable, me: str, language: str, code: Field) -> list[Widget]:
    mine = me in table.players
    closed = table.private or table.watch == "invited"
    full = "" if mine or None in table.players else say(language, "why_full")
    over = say(language, "table_over") if table.status == "over" else ""
    unseen = say(language, "watch_nobody") if table.watch == "nobody" else ""
    sit = say(language, "lobby_back_to_table" if mine else "lobby_sit")
    rows: list[Widget] = [code] if closed and not mine else []
    presses = [Press(f"sit:{table.table}", sit, why_not=full or over)]
    if not mine:
        watch = say(language, "lobby_watch")
        presses.append(Press(f"watch:{table.table}", watch, why_not=unseen or over))
    return [*rows, Beside(tuple(presses))]


def game_words(ruleset: str, discipline: str, language: str) -> str:
    """A game as it is listed: a club's own rules under their name, with the game's."""
    if ruleset in PRESETS:
        return say(language, f"game_{ruleset}")
    return f"{ruleset} ({say(language, discipline)})"


# --- people -----------------------------------------------------------------------------------


def _people(visit: LobbyVisit, chosen: Chosen, language: str) -> tuple[Widget, ...]:
    company, me = visit.session.company, visit.session.name
    people = sorted(company.people.values(), key=lambda p: (not _follows(visit, p.name), p.name))
    rows: list[Widget] = [*_challenges(visit, language)]
    rows.append(Heading(say(language, "lobby_people", n=len(people))))
    for person in people[:MOST_SHOWN]:
        if person.name == me:
            continue
        rows.append(
            Press(
                f"person:{person.name}",
                person.name,
                _about_person(visit, person, language),
                on=person.name == chosen.person,
            )
        )
        if person.name == chosen.person:
            rows.append(_with_person(visit, person, language))
    return tuple(rows)


def _follows(visit: LobbyVisit, name: str) -> bool:
    return visit.relations is not None and name in visit.relations.follow


def _about_person(visit: LobbyVisit, person: m.LobbyPerson, language: str) -> str:
    parts = [say(language, f"person_{person.status}")]
    if not person.account:
        parts.append(say(language, "person_guest"))
    parts += [f"{say(language, d)} {r}" for d, r in sorted(person.ratings.items())]
    for kind in ("follow", "mute", "block"):
        if visit.relations is not None and person.name in getattr(visit.relations, kind):
            parts.append(say(language, f"is_{kind}"))
    return " · ".join(parts)


def _with_person(visit: LobbyVisit, person: m.LobbyPerson, language: str) -> Beside:
    busy = "" if person.status != "playing" else say(language, "person_playing")
    presses = [Press(f"challenge:{person.name}", say(language, "lobby_challenge"), why_not=busy)]
    if person.table:
        presses.append(Press(f"watch:{person.table}", say(language, "lobby_watch")))
    for kind in ("follow", "mute", "block"):
        on = visit.relations is not None and person.name in getattr(visit.relations, kind)
        label = say(language, f"{'un' if on else 'do_'}{kind}")
        presses.append(Press(f"{kind}:{person.name}", label, on=on))
    return Beside(tuple(presses))


def _challenges(visit: LobbyVisit, language: str) -> list[Widget]:
    company, me = visit.session.company, visit.session.name
    rows: list[Widget] = [Heading(say(language, "lobby_challenges"))]
    rows.append(Press("challenge_all", say(language, "lobby_challenge_all")))
    others = [c for c in company.challenges.values() if c.by != me]
    for challenge in [*visit.mine.values(), *others]:
        rows.append(Paragraph(_challenge_words(challenge, language)))
        accept = Press(f"accept:{challenge.challenge}", say(language, "lobby_accept"), strong=True)
        decline = Press(f"decline:{challenge.challenge}", say(language, "lobby_decline"))
        rows.append(Beside((accept, decline) if challenge.to is not None else (accept,)))
    made = dict(visit.made)
    made |= {c.challenge: c.to for c in company.challenges.values() if c.by == me}
    for challenge_id, whom in made.items():
        who = whom or say(language, "anybody")
        label = say(language, "lobby_withdraw", name=who)
        rows.append(Press(f"withdraw:{challenge_id}", label))
    return rows


def _challenge_words(challenge: m.ChallengeSummary, language: str) -> str:
    rating = f" ({challenge.rating})" if challenge.rating is not None else ""
    terms = challenge.terms
    game = game_words(terms.ruleset, terms.ruleset, language) if terms.ruleset in PRESETS else ""
    parts = [game or terms.ruleset]
    race = terms.overrides.get("match", {}).get("games_to_win")
    target = terms.overrides.get("target")
    if isinstance(race, int):
        parts.append(say(language, "race_to", n=race))
    if isinstance(target, int):
        parts.append(say(language, "points_to", n=target))
    if terms.shot_clock is not None:
        parts.append(say(language, "clock_of", n=f"{terms.shot_clock.limit_s:g}"))
    if terms.rated:
        parts.append(say(language, "is_rated"))
    key = "challenge_to_me" if challenge.to is not None else "challenge_open"
    what = " · ".join(parts)
    return say(language, key, name=f"{challenge.by}{rating}", what=what)


# --- talk -------------------------------------------------------------------------------------


def _talk(visit: LobbyVisit, language: str, line: Field) -> tuple[Widget, ...]:
    muted = visit.relations.mute if visit.relations is not None else ()
    said = [one for one in visit.lines if one.by not in muted][-LINES_SHOWN:]
    rows: list[Widget] = [Heading(say(language, "lobby_talk")), line]
    rows.append(Press("say", say(language, "lobby_send")))
    if not said:
        rows.append(Paragraph(say(language, "lobby_silence"), "note", small=True))
    rows += [Paragraph(f"{one.by}: {one.text}") for one in reversed(said)]
    return tuple(rows)

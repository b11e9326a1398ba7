"""What may be entered into a log, and what is refused: the one way to a longer log.

A refusal changes nothing; its message says what stands against it.
"""

from server.competitions import acts as a
from server.competitions import bracket, ladder, swiss
from server.competitions.competition import Competition, append
from server.competitions.corrections import original
from server.competitions.fixtures import Fixture
from server.competitions.setup import (
    MOST_IN_BRACKET,
    DoubleElimination,
    Elimination,
    Ladder,
    RoundRobin,
    SingleElimination,
    Swiss,
)
from server.competitions.teams import check_board, check_boards, check_line_up
from shared_rules.refusal import Code, Refusal


def record(competition: Competition, at: float, by: str, act: a.AnyAct) -> Competition:
    """The competition after one more act, entered at ``at`` by ``by``.

    Raises:
        Refusal: the act isn't taken; nothing has changed.
    """
    if competition.log and at < competition.log[-1].at:
        raise Refusal(Code.OUT_OF_RANGE, "the time of an entry isn't before that of the last")
    entry = a.Entry(number=len(competition.log) + 1, at=at, by=by, act=act)
    return append(competition, checked(competition, entry))


def checked(competition: Competition, entry: a.Entry) -> a.Entry:
    """The line as it may be recorded; a late entry into a bracket gets its slot here.

    Raises:
        Refusal: it may not.
    """
    match act := entry.act:
        case a.Entered():
            return _entered(competition, entry, act)
        case a.SettingsChanged() | a.Seeded():
            _before_the_draw(competition, act)
        case a.Withdrawn():
            _known(competition, act.entrant)
            if act.entrant in competition.facts.left:
                raise Refusal(Code.WRONG_STATE, f"{act.entrant} has already left")
        case a.Drawn():
            _drawn(competition, act)
        case a.Challenged():
            ladder.may_challenge(competition.facts, act.challenger, act.challenged, entry.at)
            if act.match in competition.fixtures:
                raise Refusal(Code.MALFORMED, f"there is already a match {act.match}")
        case a.LineUp():
            _line_up(competition, act)
        case a.BoardResult():
            _board(competition, act)
        case a.Result() | a.Forfeit() | a.WalkOver():
            match = _match(competition, act.match)
            if not match.is_open:
                raise Refusal(Code.WRONG_STATE, f"match {act.match} isn't open")
            check_settling(competition, match, act)
        case a.LagOff():
            for who in act.order:
                _known(competition, who)
            if len(set(act.order)) != len(act.order):
                raise Refusal(Code.MALFORMED, "somebody is named twice")
        case a.Corrected():
            _corrected(competition, act)
        case a.StationsSet():
            if len(set(act.stations)) != len(act.stations):
                raise Refusal(Code.MALFORMED, "a station is named twice")
        case a.Called() | a.CalledOff() | a.Arrived() | a.Held():
            _on_the_floor(competition, act)
        case a.Paused() if competition.facts.paused_at is not None:
            raise Refusal(Code.WRONG_STATE, "it is paused already")
        case a.Resumed():
            _resumed(competition, entry, act)
    return entry


def _resumed(competition: Competition, entry: a.Entry, act: a.Resumed) -> None:
    if act.since is None and competition.facts.paused_at is None:
        raise Refusal(Code.WRONG_STATE, "it isn't paused")
    if act.since is not None:
        last = competition.log[-1].at if competition.log else 0.0
        if entry.by != "server" or not last <= act.since <= entry.at:
            raise Refusal(Code.NOT_ALLOWED, "only the server knows since when it was down")


def _known(competition: Competition, who: str) -> a.Entrant:
    entrant = competition.facts.entrants.get(who)
    if entrant is None:
        raise Refusal(Code.UNKNOWN_PERSON, f"{who} isn't entered")
    return entrant


def _match(competition: Competition, name: str) -> Fixture:
    match = competition.fixtures.get(name)
    if match is None:
        raise Refusal(Code.UNKNOWN_MATCH, f"there is no match {name}")
    return match


def _before_the_draw(competition: Competition, act: a.SettingsChanged | a.Seeded) -> None:
    if competition.facts.started:
        raise Refusal(Code.WRONG_STATE, "this is settled by the draw")
    if isinstance(act, a.Seeded):
        for who in act.order:
            _known(competition, who)
        if len(set(act.order)) != len(act.order):
            raise Refusal(Code.MALFORMED, "somebody is named twice")


def _entered(competition: Competition, entry: a.Entry, act: a.Entered) -> a.Entry:
    facts, form = competition.facts, competition.settings.format
    who = act.entrant.id
    if who == swiss.BYE:
        raise Refusal(Code.BAD_NAME, "an entrant needs an id")
    if who in facts.entrants and (facts.started or who not in facts.left):
        raise Refusal(Code.NAME_TAKEN, f"{who} is already entered")
    taken = {player for other in facts.present for player in facts.entrants[other].people}
    if not taken.isdisjoint(act.entrant.people):
        raise Refusal(Code.NAME_TAKEN, "one of these players is already entered")
    if not facts.started or not isinstance(form, Elimination):
        return _with_slot(entry, act, None)
    slot = bracket.free_slot(facts, entry)
    if slot is None:
        raise Refusal(Code.WRONG_STATE, "no bye is left that a late entrant could take")
    return _with_slot(entry, act, slot)


def _with_slot(entry: a.Entry, act: a.Entered, slot: int | None) -> a.Entry:
    return a.Entry(
        number=entry.number,
        at=entry.at,
        by=entry.by,
        act=a.Entered(entrant=act.entrant, slot=slot),
    )


def _drawn(competition: Competition, act: a.Drawn) -> None:
    """Whether a draw is one of those who are in; by hand it may be any."""
    facts, form = competition.facts, competition.settings.format
    if act.round != len(facts.draws) + 1 or (facts.started and not isinstance(form, Swiss)):
        raise Refusal(Code.WRONG_STATE, f"round {act.round} isn't the next to be drawn")
    named = [who for who in act.places if who is not None]
    if sorted(named) != sorted(facts.present) or len(named) < 2:
        raise Refusal(Code.MALFORMED, "a draw names everyone who is in, once, and two at least")
    match form:
        case Swiss():
            if act.round > form.rounds:
                raise Refusal(Code.WRONG_STATE, f"all {form.rounds} rounds are drawn")
            if any(match.is_open for match in competition.fixtures.values()):
                raise Refusal(Code.WRONG_STATE, f"round {act.round - 1} isn't over")
            fits = len(act.places) == len(named) + len(named) % 2
        case SingleElimination() | DoubleElimination():
            fits = len(act.places) == bracket.size_for(len(named)) <= MOST_IN_BRACKET
        case RoundRobin() | Ladder():
            fits = len(act.places) == len(named)
    if not fits:
        raise Refusal(Code.MALFORMED, "the draw has not as many places as this format wants")


def _line_up(competition: Competition, act: a.LineUp) -> None:
    teams = competition.settings.teams
    if teams is None:
        raise Refusal(Code.WRONG_STATE, "only team matches have line-ups")
    match = _match(competition, act.match)
    if act.entrant not in match.pair:
        raise Refusal(Code.NOT_ALLOWED, f"{act.entrant} doesn't play match {act.match}")
    if match.outcome is not None:
        raise Refusal(Code.WRONG_STATE, f"match {act.match} is settled")
    check_line_up(teams, _known(competition, act.entrant), act)


def _board(competition: Competition, act: a.BoardResult) -> None:
    teams, match = competition.settings.teams, _match(competition, act.match)
    if teams is None:
        raise Refusal(Code.WRONG_STATE, "only team matches have boards")
    if not match.is_open:
        raise Refusal(Code.WRONG_STATE, f"match {act.match} isn't open")
    if act.sides != match.sides:
        raise Refusal(Code.NOT_ALLOWED, f"match {match.id} is played by {match.sides}")
    check_board(teams, act)


def check_settling(competition: Competition, match: Fixture, act: a.Settling) -> None:
    """Whether this may settle that match, open or settled.

    Raises:
        Refusal: others play it, the score isn't one of its race, or it can't end level here.
    """
    if act.sides != match.sides:
        raise Refusal(Code.NOT_ALLOWED, f"match {match.id} is played by {match.sides}")
    if isinstance(act, a.Forfeit | a.WalkOver):
        who = act.loser if isinstance(act, a.Forfeit) else act.winner
        if who not in act.sides:
            raise Refusal(Code.NOT_ALLOWED, f"{who} doesn't play match {match.id}")
        return
    assert match.reason is not None
    races, score = match.reason.races, act.score
    teams = competition.settings.teams
    if teams is not None:
        check_boards(teams, act)
        ahead = score[0] - score[1]
    else:
        if act.boards:
            raise Refusal(Code.MALFORMED, "only team matches have boards")
        there = sum(mine >= race for mine, race in zip(score, races, strict=True))
        beyond = any(mine > race for mine, race in zip(score, races, strict=True))
        if beyond or there == 2 or (there == 0 and not act.short):
            raise Refusal(
                Code.OUT_OF_RANGE, f"match {match.id} is a race to {races}; the score is {score}"
            )
        ahead = (races[1] - score[1]) - (races[0] - score[0])
    if ahead == 0 and isinstance(competition.settings.format, Elimination | Ladder):
        raise Refusal(Code.NOT_ALLOWED, f"match {match.id} can't end level: someone must go on")


def _corrected(competition: Competition, act: a.Corrected) -> None:
    """Whether this line may be corrected so.  A line taken back may be put in force again."""
    lines = competition.log
    if not 1 <= act.entry <= len(lines):
        raise Refusal(Code.UNKNOWN_MATCH, f"the log has no line {act.entry}")
    first = lines[act.entry - 1].act
    if not isinstance(first, a.Settling | a.Withdrawn | a.LagOff):
        raise Refusal(Code.NOT_ALLOWED, "only results, withdrawals and lag-offs are corrected")
    now = original(competition, act.entry)
    if (now.act if now is not None else None) != act.old:
        raise Refusal(Code.STALE_STATE, f"line {act.entry} doesn't say that any more")
    if act.new is None:
        return
    if isinstance(first, a.Settling) and isinstance(act.new, a.Settling):
        if act.new.match != first.match:
            raise Refusal(Code.NOT_ALLOWED, f"line {act.entry} is about match {first.match}")
        match = _match(competition, act.new.match)
        settled = competition.facts.settled.get((match.id, match.pair))
        if settled is not None and settled.entry != act.entry:
            raise Refusal(Code.WRONG_STATE, f"line {act.entry} isn't what settled the match")
        check_settling(competition, match, act.new)
    elif not (isinstance(first, a.LagOff) and isinstance(act.new, a.LagOff)):
        raise Refusal(Code.NOT_ALLOWED, "a correction puts like in the place of like")


def _on_the_floor(
    competition: Competition, act: a.Called | a.CalledOff | a.Arrived | a.Held
) -> None:
    facts, match = competition.facts, _match(competition, act.match)
    if isinstance(act, a.Held):
        return
    if isinstance(act, a.Called):
        if not match.is_open:
            raise Refusal(Code.WRONG_STATE, f"match {act.match} can't be played now")
        if act.sides != match.sides:
            raise Refusal(Code.NOT_ALLOWED, f"match {match.id} is played by {match.sides}")
        if act.station not in facts.stations:
            raise Refusal(Code.UNKNOWN_TABLE, f"there is no station {act.station}")
        people = competition.people_of(match)
        for name, call in competition.calls.items():
            if name == act.match:
                continue
            if call.station == act.station:
                raise Refusal(Code.TABLE_FULL, f"match {name} is at {act.station}")
            if not people.isdisjoint(competition.people_of(competition.fixtures[name])):
                raise Refusal(Code.ALREADY_PLAYING, f"somebody of match {act.match} plays {name}")
    elif act.match not in competition.calls:
        raise Refusal(Code.WRONG_STATE, f"match {act.match} isn't at a station")
    elif isinstance(act, a.Arrived) and act.entrant not in match.pair:
        raise Refusal(Code.NOT_ALLOWED, f"{act.entrant} doesn't play match {act.match}")

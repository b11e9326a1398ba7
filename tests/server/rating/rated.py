"""Rated matches for tests: arranged by a challenge, and conceded."""

from typing import Any

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.wire_client import WireClient

RATED = m.TableTerms(rated=True, overrides={"match": {"games_to_win": 1}, "concede_scope": "match"})


def name_of(client: WireClient) -> str:
    """The name under which somebody is signed in."""
    return str(next(x.name for x in client.seen if isinstance(x, m.Welcome)))


async def match(one: WireClient, other: WireClient, terms: m.TableTerms = RATED) -> str:
    """A match of both by a challenge of the first; its table, once it is in the lag."""
    asked = await one.ask(m.Challenge, who=name_of(other), terms=terms)
    assert isinstance(asked, m.Accepted), asked
    answer = await other.ask(m.AnswerChallenge, challenge=asked.challenge, accept=True)
    assert isinstance(answer, m.Accepted) and answer.table, answer
    for client in (one, other):
        await in_lag(client, answer.table)
    return answer.table


async def in_lag(client: WireClient, table: str) -> None:
    """Return once somebody who has been seated sees the lag."""
    client.table = table
    await client.until_state(lambda s: s.description.match_id == table and s.phase is Phase.LAG)


async def lose(loser: WireClient, winner: WireClient) -> None:
    """The loser gives the match up, and both go."""
    answer = await loser.give(c.Concede())
    assert isinstance(answer, m.Accepted), answer
    await winner.until_state(lambda s: s.phase is Phase.MATCH_OVER)


async def rating(client: WireClient, **fields: Any) -> m.RatingListed:
    found = await client.ask(m.GetRating, **fields)
    assert isinstance(found, m.RatingListed), found
    return found

"""Finding a game: the lobby, challenges, quick match, rematch; whom one follows or blocks."""

from typing import Annotated, Literal

import msgspec

from shared_rules.messages.base import Message, RequestId, ShortText, TableId
from shared_rules.messages.tables import TableTerms
from shared_rules.state import Name, Seat

Reason = Annotated[str, msgspec.Meta(max_length=100)]
Relation = Literal["follow", "mute", "block"]
Found = Literal["challenge", "quick_match", "rematch", "competition"]
MAX_EXPIRY_S = 3600.0


class EnterLobby(Message, frozen=True, kw_only=True, tag="enter_lobby"):
    """Be told who and what is here: ``lobby`` now, ``lobby_changes`` from then on."""

    id: RequestId


class LeaveLobby(Message, frozen=True, kw_only=True, tag="leave_lobby"):
    id: RequestId


class Challenge(Message, frozen=True, kw_only=True, tag="challenge"):
    """Ask somebody (None: anybody) for a match; ``expires_s`` of the server's clock."""

    id: RequestId
    who: Name | None = None
    terms: TableTerms = TableTerms()
    expires_s: Annotated[float, msgspec.Meta(ge=5.0, le=MAX_EXPIRY_S)] = 120.0


class AnswerChallenge(Message, frozen=True, kw_only=True, tag="answer_challenge"):
    """Accept a challenge, or decline one that was made to oneself, with a reason."""

    id: RequestId
    challenge: ShortText
    accept: bool
    reason: Reason = ""


class WithdrawChallenge(Message, frozen=True, kw_only=True, tag="withdraw_challenge"):
    id: RequestId
    challenge: ShortText


class QuickMatch(Message, frozen=True, kw_only=True, tag="quick_match"):
    """Wait for somebody who wants the same terms and is rated at most ``within`` apart."""

    id: RequestId
    terms: TableTerms = TableTerms()
    within: Annotated[float, msgspec.Meta(ge=25.0, le=5000.0)] = 400.0


class LeaveQueue(Message, frozen=True, kw_only=True, tag="leave_queue"):
    """Wait for a quick match no more."""

    id: RequestId


class Rematch(Message, frozen=True, kw_only=True, tag="rematch"):
    """Once more at the same terms, seats changed: when both have said it."""

    id: RequestId
    table: TableId


class Relate(Message, frozen=True, kw_only=True, tag="relate"):
    """Follow, mute (for oneself) or block somebody; ``on`` false: no more."""

    id: RequestId
    who: Name
    relation: Relation
    on: bool = True


class ListRelations(Message, frozen=True, kw_only=True, tag="list_relations"):
    """Answered by ``relations``."""

    id: RequestId


class LobbyPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is here.  ``ratings``: whole points by discipline; ``table``: he plays there."""

    name: str
    account: bool
    status: Literal["free", "playing", "watching"]
    ratings: dict[str, int]
    table: str | None = None


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, as far as it matters to who looks for a game or for one to watch."""

    table: str
    ruleset: str
    discipline: str
    players: tuple[str | None, str | None]
    status: Literal["waiting", "playing", "adjourned", "over"]
    games: tuple[int, int]
    sets: tuple[int, int]
    games_to_win: int
    sets_to_win: int
    shot_clock_s: float | None
    watch: Literal["everyone", "invited", "nobody"]
    private: bool
    rated: bool
    races: tuple[int, int] | None = None


class ChallengeSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A challenge that stands; ``to``: None is anybody; ``expires_at`` of the server's clock."""

    challenge: str
    by: str
    to: str | None
    terms: TableTerms
    rating: int | None
    expires_at: float


class LobbyShown(Message, frozen=True, kw_only=True, tag="lobby"):
    """All of the lobby, as of ``seq``; ``here``: how many people are, also those not listed."""

    seq: int
    here: int
    people: tuple[LobbyPerson, ...]
    tables: tuple[LobbyTable, ...]
    challenges: tuple[ChallengeSummary, ...]


class LobbyChanges(Message, frozen=True, kw_only=True, tag="lobby_changes"):
    """What is new or different, whole, and the names of what is no more."""

    seq: int
    here: int
    people: tuple[LobbyPerson, ...]
    tables: tuple[LobbyTable, ...]
    challenges: tuple[ChallengeSummary, ...]
    people_gone: tuple[str, ...]
    tables_gone: tuple[str, ...]
    challenges_gone: tuple[str, ...]


class Challenged(Message, frozen=True, kw_only=True, tag="challenged"):
    """Somebody challenges the receiver."""

    challenge: ChallengeSummary


class ChallengeOver(Message, frozen=True, kw_only=True, tag="challenge_over"):
    """To both whom it concerned: what has become of a challenge."""

    challenge: str
    outcome: Literal["declined", "withdrawn", "expired", "gone"]
    reason: str = ""


class MatchFound(Message, frozen=True, kw_only=True, tag="match_found"):
    """The receiver sits at a table, with his opponent; a ``snapshot`` follows."""

    table: str
    seat: Seat
    opponent: str
    how: Found
    invitation: str
    referee_invitation: str | None = None
    challenge: str | None = None


class QueueLeft(Message, frozen=True, kw_only=True, tag="queue_left"):
    """The receiver waits for a quick match no more, and didn't ask for that."""

    reason: str


class RematchOffered(Message, frozen=True, kw_only=True, tag="rematch_offered"):
    table: str
    by: str


class FriendSeated(Message, frozen=True, kw_only=True, tag="friend_seated"):
    """Somebody whom the receiver follows has sat down at a table."""

    name: str
    table: str
    ruleset: str
    watch: Literal["everyone", "invited"]


class Relations(Message, frozen=True, kw_only=True, tag="relations"):
    """Names, sorted."""

    re: int
    follow: tuple[str, ...]
    mute: tuple[str, ...]
    block: tuple[str, ...]

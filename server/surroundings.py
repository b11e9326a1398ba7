"""What a table needs of the server that it stands in."""

from collections.abc import Callable
from dataclasses import dataclass

from server.clock import ServerClock
from server.config import ServerConfig
from server.keeper import RunShot, Settling
from server.metrics import Metrics
from server.person import Person
from server.rating.book import RatingBook
from server.storage.store import Store


@dataclass(frozen=True)
class Surroundings:
    """What a table needs of the server."""

    store: Store
    clock: ServerClock
    config: ServerConfig
    metrics: Metrics
    run_shot: RunShot
    is_free: Callable[[Person, str], bool]  # plays at no other table than this one
    let_go: Callable[[Person], None]
    removed: Callable[[str], None]  # the table is closed
    seated: Callable[[Person, str], None]  # a person has sat down at this table
    hears: Callable[[str, str], bool]  # the first wants to read what the second writes
    ratings: RatingBook
    settling: Callable[[str], Settling]  # of a table: what others write with its orders

"""The server's pure parts: buckets, outbox, history, absence, memory, clock, settings."""

import asyncio

import pytest

from server import admission
from server.absence import Absence, Away
from server.clock import ServerClock
from server.config import ServerConfig, database_url
from server.flood import Bucket
from server.history import History, Views, first_number
from server.memory import MOST_REMEMBERED, AnswerMemory, remember
from server.outbox import Outbox, Reseed
from server.storage.records import Terms
from shared_rules.commands import Concede
from shared_rules.messages import Accepted, Play, Refused
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.ruleset_keys import DisconnectRules


def test_bucket_gives_its_burst_then_its_rate() -> None:
    bucket = Bucket(rate=2.0, burst=3.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(0.4)
    assert bucket.take(0.6)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_outbox_reseeds_a_slow_reader_once_and_keeps_answers_in_order() -> None:
    outbox = Outbox(max_messages=4, max_bytes=100)
    assert outbox.put(b"a1")
    for n in range(9):
        outbox.put_event("T", b"e%d" % n)
    assert outbox.put(b"a2")
    assert [outbox.pop() for _ in range(4)] == [b"a1", Reseed("T"), b"a2", None]
    assert outbox.bytes == 0 and outbox.reseeds == 1
    outbox.put_event("T", b"e9")
    assert outbox.pop() == b"e9"


def test_outbox_is_bounded_by_bytes_and_leaves_other_tables_alone() -> None:
    outbox = Outbox(max_messages=100, max_bytes=50)
    outbox.put_event("U", b"u" * 10)
    for _ in range(5):
        outbox.put_event("T", b"t" * 20)
    assert outbox.bytes <= 50
    assert outbox.pop() == b"u" * 10
    assert outbox.pop() == Reseed("T")
    assert outbox.pop() is None


def test_outbox_takes_one_message_that_is_too_large_when_nothing_waits() -> None:
    outbox = Outbox(max_messages=4, max_bytes=10)
    assert outbox.put(b"x" * 50)
    assert not outbox.put(b"y")


def test_outbox_drops_passing_news_when_anything_waits() -> None:
    outbox = Outbox(4, 100)
    outbox.put_passing("T", b"aim1")
    outbox.put_passing("T", b"aim2")
    assert outbox.pop() == b"aim1" and outbox.pop() is None


def _views(data: bytes) -> Views:
    return Views((data, data), data)


def test_history_gives_the_rest_or_says_too_far_back() -> None:
    history = History(first=first_number(3), max_events=3, max_bytes=1000)
    start = history.seq
    for n in range(5):
        history.add(_views(b"%d" % n))
    assert history.seq == start + 5
    missed = history.between(start + 3, history.seq)
    assert missed is not None and [v.spectator for v in missed] == [b"3", b"4"]
    assert history.between(start + 5, history.seq) == []
    assert history.between(start + 1, history.seq) is None
    assert history.between(start + 6, history.seq) is None
    assert history.between(first_number(2) + 4, history.seq) is None


def test_history_is_bounded_by_bytes() -> None:
    history = History(0, max_events=1000, max_bytes=100)
    for _ in range(20):
        history.add(_views(b"x" * 30))
    assert history.between(history.seq - 3, history.seq) is not None
    assert history.between(history.seq - 4, history.seq) is None


def test_views_count_shared_bytes_once() -> None:
    shared = b"x" * 10
    assert Views((shared, shared), shared).size == 10
    assert Views((b"y" * 20, shared), shared).size == 30


def test_absence_grace_then_budget() -> None:
    absence = Absence(DisconnectRules(grace_s=60.0, claim_s=0.0, budget_s=100.0))
    absence.left(0, 10.0)
    absence.left(0, 30.0)  # told twice: counted from the first
    assert absence.due() == (70.0, 0)
    absence.back(0, 60.0)
    assert absence.used == (50.0, 0.0) and absence.due() is None
    absence.left(0, 100.0)
    assert absence.due() == (150.0, 0)  # only 50 s of the budget are left
    assert not absence.exhausted(0, 149.0) and absence.exhausted(0, 150.0)


def test_who_has_left_on_purpose_has_less_time_and_the_other_may_claim_before_it_is_over() -> None:
    absence = Absence(DisconnectRules(grace_s=60.0, left_grace_s=20.0, claim_s=30.0, budget_s=85.0))
    absence.left(0, 0.0, "left")
    absence.left(0, 5.0, "dropped")  # the socket's end is no second absence
    assert absence.away(0) == Away("left", since=0.0, claim_from=20.0, until=50.0)
    absence.back(0, 10.0)
    absence.left(0, 10.0, "dropped")
    assert absence.away(0) == Away("dropped", since=10.0, claim_from=70.0, until=85.0)  # the budget
    short = Absence(DisconnectRules(grace_s=5.0, left_grace_s=20.0, claim_s=0.0))
    short.left(1, 0.0, "left")
    assert short.due() == (5.0, 1), "leaving never has more time than dropping"


def test_with_both_away_nobody_can_claim_and_the_longer_grace_decides() -> None:
    absence = Absence(DisconnectRules(grace_s=60.0, claim_s=60.0))
    absence.left(0, 0.0)
    assert absence.due() == (120.0, 0)
    absence.left(1, 40.0)
    assert absence.due() == (100.0, 0)
    absence.back(0, 50.0)
    assert absence.due() == (160.0, 1)


def test_absence_stands_still_while_adjourned_and_starts_afresh() -> None:
    absence = Absence(DisconnectRules(claim_s=0.0))
    absence.left(0, 0.0)
    absence.left(1, 10.0)
    absence.stand_still(20.0)
    assert absence.due() is None and absence.is_away(0) and absence.used == (20.0, 10.0)
    absence.back(1, 1000.0)
    absence.restart(0, 1000.0)
    assert absence.due() == (1060.0, 0) and absence.used == (20.0, 10.0)


def _play(number: int) -> Play:
    return Play(id=number, table="T", command=Concede())


def _find(memory: AnswerMemory, request: Play) -> Accepted | Refused | None:
    return asyncio.run(memory.settled(request))


def test_memory_answers_again_and_refuses_a_reused_id() -> None:
    memory = AnswerMemory()
    answer = Accepted(re=5, table="T", version=3)
    assert _find(memory, _play(5)) is None
    memory.keep(_play(5), answer)
    assert _find(memory, _play(5)) == answer
    with pytest.raises(Refusal) as refusal:
        _find(memory, Play(id=5, table="U", command=Concede()))
    assert refusal.value.code is Code.ID_REUSED


def test_memory_comes_back_from_what_was_stored() -> None:
    answer = Accepted(re=5, table="T", version=3)
    memory = AnswerMemory([remember(_play(5), answer)])
    assert _find(memory, _play(5)) == answer


def test_memory_is_bounded_and_forgets_our_own_faults() -> None:
    memory = AnswerMemory()
    memory.keep(_play(1), Refused(code="internal", fault="server", message="", re=1))
    assert _find(memory, _play(1)) is None
    for number in range(1, MOST_REMEMBERED + 2):
        memory.keep(_play(number), Accepted(re=number))
    assert _find(memory, _play(1)) is None and _find(memory, _play(2)) is not None


def test_clock_goes_on_from_where_it_was_and_runs_faster() -> None:
    real = [50.0]
    clock = ServerClock(start=1000.0, scale=20.0, source=lambda: real[0])
    assert clock.now() == pytest.approx(1000.0)
    real[0] = 51.5
    assert clock.now() == pytest.approx(1030.0)
    assert clock.real(10.0) == pytest.approx(0.5) and clock.real(-1.0) == 0.0
    with pytest.raises(ValueError):
        ServerClock(scale=0.0)


@pytest.mark.parametrize(
    "changes", [{"port": 70000}, {"workers": 0}, {"time_scale": 0.0}, {"physics": "nothing"}]
)
def test_settings_that_make_no_sense(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        ServerConfig(**changes)  # type: ignore[arg-type]


def test_database_urls() -> None:
    assert database_url("postgresql+asyncpg://db/x") == "postgresql+asyncpg://db/x"
    assert database_url("club.sqlite3").startswith("sqlite+aiosqlite:///")
    assert database_url(None).endswith("server.sqlite3")


def test_who_may_sit_and_watch() -> None:
    def terms(**fields: object) -> Terms:
        rules = make_ruleset("nine_ball_epbf")
        return Terms(ruleset=rules, preset="9ft", invitation="ABCD2345", **fields)  # type: ignore[arg-type]

    admission.check_seat(terms(), None)
    admission.check_seat(terms(private=True), " abcd2345 ")
    admission.check_watching(terms(watch="invited"), "ABCD2345")
    for check, kept, invitation, code in (
        (admission.check_seat, terms(private=True), None, Code.WRONG_INVITATION),
        (admission.check_seat, terms(private=True), "ABCD234", Code.WRONG_INVITATION),
        (admission.check_watching, terms(watch="invited"), "š", Code.WRONG_INVITATION),
        (admission.check_watching, terms(watch="nobody"), "ABCD2345", Code.WATCHING_NOT_ALLOWED),
    ):
        with pytest.raises(Refusal) as refusal:
            check(kept, invitation)
        assert refusal.value.code is code

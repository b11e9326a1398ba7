"""What limits guessing, without a server: addresses, tries, and which passwords may be chosen."""

import contextlib

import pytest

from server.accounts.addresses import is_local, sender_of
from server.accounts.guessing import PINS, PasswordGuesses
from server.accounts.passwords import check_password
from shared_rules.refusal import Code, Refusal


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1", True), ("10.9.8.7", True), ("172.31.0.1", True), ("172.32.0.1", False),
        ("192.168.0.1", True), ("192.169.0.1", False), ("169.254.3.4", True), ("::1", True),
        ("fe80::1%eth0", True), ("fd00::5", True), ("2001:db8::5", False), ("8.8.8.8", False),
        ("::ffff:192.168.1.2", True), ("::ffff:8.8.8.8", False), ("100.64.0.1", False),
        ("0.0.0.0", False), ("nonsense", False), ("", False),
    ],
)  # fmt: skip
def test_which_addresses_are_local(address: str, local: bool) -> None:
    assert is_local(address) is local


def test_limits_count_by_the_network_of_an_ipv6_address() -> None:
    assert sender_of("2001:db8:1:2::5") == sender_of("2001:db8:1:2:ffff::9")
    assert sender_of("2001:db8:1:2::5") != sender_of("2001:db8:1:3::5")
    assert sender_of("::ffff:8.8.8.8") == sender_of("8.8.8.8") != sender_of("8.8.8.9")


def test_strangers_lock_nobody_out() -> None:
    """Guesses from a thousand addresses: the owner's own addresses and his tokens are untouched."""
    guesses = PasswordGuesses(rate=0.2, burst=10.0)
    guesses.check("ann", "192.0.2.1", 0.0)
    guesses.succeeded("ann", "192.0.2.1")
    looked_at = 0
    for n in range(1000):
        address = f"198.51.{n // 250}.{n % 250}"
        try:
            guesses.check("ann", address, n / 10)
        except Refusal:
            continue
        guesses.failed("ann", address, n / 10)
        looked_at += 1
    assert looked_at < 40  # 20, and one in ten seconds
    guesses.check("ann", "192.0.2.1", 100.0)
    with pytest.raises(Refusal):
        for n in range(3):
            guesses.check("ann", f"203.0.113.{n}", 100.0)
    guesses.check("ann", "203.0.113.5", 111.0)  # and from elsewhere a little later


def test_made_up_names_by_the_ten_thousand_empty_no_account_s_bucket() -> None:
    """Who has guessed an account's tries away gets none back by crowding it out of memory."""
    guesses = PasswordGuesses(rate=1e6, burst=1e6, limits=PINS)
    for n in range(30):
        with contextlib.suppress(Refusal):
            guesses.check("ann", f"198.51.100.{n}", 0.0)
    try_all(guesses, [f"made up {n}" for n in range(30_000)], "203.0.113.7", 1.0)
    with pytest.raises(Refusal):
        guesses.check("ann", "203.0.113.8", 2.0)
    assert len(guesses._by_account) <= 16_384
    guesses.check("ann", "203.0.113.8", 3_000.0)


def test_a_try_that_the_address_has_none_left_for_costs_the_account_nothing() -> None:
    guesses = PasswordGuesses(rate=0.001, burst=5.0)
    assert try_all(guesses, [f"made up {n}" for n in range(1000)], "203.0.113.7", 0.0) == 5
    assert sum(bucket.level < bucket.burst for bucket in guesses._by_account.values()) <= 5


def try_all(guesses: PasswordGuesses, keys: list[str], address: str, now: float) -> int:
    """Wrong passwords for these accounts; how many were looked at."""
    looked_at = 0
    for key in keys:
        try:
            guesses.check(key, address, now)
        except Refusal:
            continue
        guesses.failed(key, address, now)
        looked_at += 1
    return looked_at


@pytest.mark.parametrize(
    ("home", "guesser"),
    [("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9")],
)
def test_behind_one_router_nobody_waits_for_what_another_guesses(home: str, guesser: str) -> None:
    guesses = PasswordGuesses(rate=0.2, burst=10.0)
    guesses.know("ann", home)
    assert try_all(guesses, [f"account {n}" for n in range(100)], guesser, 0.0) == 10
    guesses.check("ann", home, 0.0)
    guesses.succeeded("ann", home)
    with pytest.raises(Refusal) as refused:  # who guesses is held to it at every account
        guesses.check("bob", guesser, 0.0)
    assert refused.value.code is Code.FLOODING
    guesses.check("bob", "192.0.2.2", 0.0)
    # nor did a right one make room for the guesser
    assert try_all(guesses, ["bob", "cid"], guesser, 0.0) == 0


def test_guesses_at_an_account_from_its_own_address_hold_it_up_for_seconds_only() -> None:
    guesses = PasswordGuesses(rate=0.2, burst=10.0)
    guesses.know("ann", "192.0.2.1")
    assert try_all(guesses, ["ann"] * 100, "192.0.2.1", 0.0) == 4
    looked_at = sum(try_all(guesses, ["ann"], "192.0.2.1", now / 10) for now in range(36_000))
    assert looked_at <= 3600 / 5 + 10
    guesses.check("ann", "192.0.2.1", 3605.0)


def test_wrong_passwords_wait_longer_each_time_and_are_forgotten() -> None:
    guesses = PasswordGuesses(rate=10.0, burst=100.0)
    now, waits = 0.0, []
    for _ in range(12):
        start = now
        while True:
            try:
                guesses.check("ann", "192.0.2.1", now)
                break
            except Refusal:
                now += 0.5
        waits.append(now - start)
        guesses.failed("ann", "192.0.2.1", now)
    assert waits[:4] == [0, 0, 0, 0] and waits[4:] == [1, 2, 4, 8, 16, 32, 64, 64]
    guesses.check("ann", "192.0.2.1", now + 1000.0)


@pytest.mark.parametrize(
    ("password", "fine"),
    [
        ("short 7", False), ("tr7kx9qz", True), ("x" * 129, False), ("ab 3" * 32, False),
        ("it rains on the cloth of the table by the window " * 2, True),
        ("Annabel1", False), ("ａnnabel22", False), ("lebanna1", False), ("žluťoučký kůň", True),
        ("Annabel plays on Tuesdays", True),
    ],
)  # fmt: skip
def test_which_passwords_may_be_chosen(password: str, fine: bool) -> None:
    try:
        check_password(password, "Annabel")
    except Refusal as refusal:
        assert not fine and refusal.code is Code.WEAK_PASSWORD
    else:
        assert fine


_FIRST_TRIED = {
    "what lists of leaked passwords begin with, as far as it is long enough": """
        12345678 123456789 1234567890 12345678910 password qwerty123 qwertyuiop password1
        Password1 P@ssw0rd Aa123456 Aa123456789 admin123 Admin@123 1q2w3e4r 1q2w3e4r5t
        qwerty12 abcd1234 abc12345 iloveyou princess sunshine football baseball superman
        letmein1 welcome1 monkey123 11111111 00000000 88888888 1111111111 12341234 11223344
        123123123 147258369 asdf1234 1qaz2wsx qazwsxedc pass1234 passw0rd Pass@123 India@123
        trustno1 secret123 changeme guest123 test1234 123qweasd a123456789 123456789a
        password12 12345qwert computer starwars whatever
    """,
    "runs either way, also over the end of the row of digits": """
        87654321 0987654321 9876543210 45678901 78901234 7890123456 90123456 10987654
        zyxwvuts hgfedcba mnopqrst
    """,
    "rows of keys: American, Czech, German and French ones": """
        asdfghjk asdfghjkl zxcvbnm, qwertzui qwertzuiop yxcvbnm, ěščřžýáí +ěščřžýáíé
        azertyui qsdfghjklm poiuytrewq
    """,
    "patterns said again and again": """
        aaaaaaaaaaaa abababab abcabcabc 1212121212 xyzxyzxyz aaaabbbb
    """,
    "words, of the game and of Czech": """
        billiards headstring snooker1 kulecnik1 kulečník heslo123 heslo1234 slunicko
        milacek1 ahojahoj Praha2024 Sparta1893 beruska1
    """,
    "the account's own name, backwards and twice too": """
        Annabel! Annabel12 annabel2024 ANNABEL! lebannA1 annabelannabel @nnabel1
    """,
}


@pytest.mark.parametrize("kind", _FIRST_TRIED)
def test_passwords_that_are_tried_first(kind: str) -> None:
    taken = []
    for password in _FIRST_TRIED[kind].split():
        with contextlib.suppress(Refusal):
            check_password(password, "Annabel")
            taken.append(password)
    assert taken == []

"""What limits guessing, without a server: addresses, tries, and which passwords may be chosen."""

import pytest

from server.accounts.addresses import is_local, sender_of
from server.accounts.guessing import PasswordGuesses
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
        ("short 7", False), ("eight 88", True), ("x" * 129, False), ("abc " * 32, True),
        ("password", False), ("PassWord1", False), ("aaaaaaaaaaaa", False), ("12345678", False),
        ("hgfedcba", False), ("Annabel1", False), ("ａnnabel22", False), ("žluťoučký kůň", True),
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

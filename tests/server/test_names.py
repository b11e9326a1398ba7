"""Names: which there may be, and which are the same."""

import string
from pathlib import Path

import pytest
from confusable_homoglyphs.confusables import confusables_data

from server.config import database_url
from server.names import LONGEST_KEY, clean_name, name_key
from server.storage.database import make_engine
from server.storage.migrating import upgrade
from server.storage.store import Store
from shared_rules.refusal import Code, Refusal
from tests.server.bench_table import in_loop, serving
from tests.server.signing_in import OTHER, SECRET, refused, signed_in


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Zdeněk Šíp", "Božena Čapková", "Jiří Ťuhýk", "  a  b ", "O'Neil", "李小龙", "7",
        "Иван 2", "שָּׁלוֹם", "Nguyễn", "नेहा", "Łukasz Żak", "Sørén Þór", "Strauß", "Νίκος", "김철수",
        "山田 Tarō", "ナカムラ", "Ə. Əliyev", "Ａｎｎ",
    ],
)  # fmt: skip
def test_names_that_people_have(name: str) -> None:
    assert clean_name(name) == " ".join(name.split())


@pytest.mark.parametrize(
    "name",
    [
        "", "   ", "x" * 33, "a\x00b", "a\u202eb", "...", "<b>", "a\u200bb",
        "\u3164", "\u1160x", "ab\u034f", "a\uffa0", "a\ufe0f",  # show nothing
        "a" + "\u0301" * 5, "a\u0489",  # stacks of marks, enclosing marks
        "\u0410nn", "Pet\u03b5r",  # Cyrillic and Greek letters among Latin ones
        "\ufdfa" * 20,  # eighteen letters each
        "Ad\u0251m", "\u1d00dam", "\u1d0dax",  # phonetic letters, small capitals
        "\ua4e1\ua4f2\ua4e2\ua4f4", "\u13df\u13bb\u13a1",  # Lisu, Cherokee
        "Hans \u0665", "\u0967",  # digits of other alphabets
        "\u039d\u0391\u039d",  # Greek, and reads as NAN
        "김Иван", "नேहா",  # two alphabets
    ],
)  # fmt: skip
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        clean_name(name)
    assert refusal.value.code is Code.BAD_NAME


@pytest.mark.parametrize(
    "names",
    [
        ("ŠÍP", "šíp", "ｓ̌íｐ", "Sip", "S.I.P.", "S1p", "Slp"),
        ("O’Neil", "O'Neil", "ONeil", "0 neil"),
        ("Iris", "lris", "Irıs", "IRIS", "1ris"),
        ("Adam", "Adam.", "Ad am", "Adām", "Adám", "_adam_", "Adarn"),
        ("Coco", "\u0421\u043e\u0441\u043e"),  # all of it Cyrillic
        ("hope", "\u0397\u039f\u03a1\u0395"),  # all of it Greek
        ("Ahha", "\u0410\u041d\u041d\u0410", "\u0430\u043d\u043d\u0430"),
        ("Νίκος", "νίκος", "ΝΙΚΟΣ"),
        ("поп", "ποπ"),  # Cyrillic and Greek
        ("山田ロ", "山田口"),  # katakana, and the mouth
        ("Ёжик", "ежик"),
    ],
)
def test_names_that_are_the_same(names: tuple[str, ...]) -> None:
    assert len({name_key(name) for name in names}) == 1


def test_names_that_are_not() -> None:
    names = (
        "Ivan",
        "Иван",
        "Ann",
        "Anna",
        "Van",
        "Nan",
        "Ray",
        "Uay",
        "Jan",
        "नेहा",
        "नहा",
        "7",
        "1",
    )
    assert len({name_key(name) for name in names}) == len(names)


def test_all_that_unicode_calls_alike_of_ours_is_the_same() -> None:
    ours = string.ascii_letters + string.digits
    pairs = [
        (c, other["c"])
        for c in ours
        for other in confusables_data.get(c, [])
        if all(x in ours for x in other["c"])
    ]
    assert ("I", "l") in pairs and ("m", "rn") in pairs
    assert [(a, b) for a, b in pairs if name_key(a) != name_key(b)] == []


def test_the_longest_names_have_keys_that_fit() -> None:
    for letter in "mæWŵ김":
        assert len(name_key(clean_name(letter * 32))) <= LONGEST_KEY


@in_loop
async def test_a_name_that_looks_like_anothers_is_taken_for_guests_and_accounts(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        await signed_in(server, account="Adam", password=SECRET, register=True)
        await signed_in(server, name="Iris")
        for name in ("Ad am", "Adām", "ADARN", "lris", "1r1s"):
            assert await refused(server, name=name) == "name_taken"
            fields = {"account": name, "password": OTHER, "register": True}
            assert await refused(server, **fields) == "name_taken"
        for name in ("\u1d00dam", "\ua4f2ris"):
            assert await refused(server, name=name) == "bad_name"
        assert (await signed_in(server, account="ADÁM", password=SECRET)).token


@in_loop
async def test_keys_of_old_names_are_made_anew(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "old.sqlite3"))
    engine = make_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(lambda c: upgrade(c, "0006"))
        for n, (name, key) in enumerate((("Ad am", "ad am"), ("Adam", "adam"), ("Iris", "iris"))):
            person = f"INSERT INTO people VALUES ('p{n}', '{name}', '{key}', {5.0 - n})"
            account = f"INSERT INTO accounts VALUES ('p{n}', '{key}', 'x', 'player', {5.0 - n})"
            await connection.exec_driver_sql(person)
            await connection.exec_driver_sql(account)
    await engine.dispose()
    store = await Store.open(url)
    adam, iris = await store.people.account(name_key("adam")), await store.people.account("lrls")
    assert adam is not None and adam[0].person == "p1"  # the older one
    assert iris is not None and iris[0].name == "Iris"
    other = await store.people.person("p0")
    assert other is not None and other.account and other.name == "Ad am"
    await store.close()

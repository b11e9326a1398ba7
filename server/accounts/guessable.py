"""How many guesses a password is likely to stand, before there is any.

zxcvbn knows the passwords, words and names that people use most, runs, dates, repeats, keys that
lie side by side, and all of it backwards or with digits for letters.  Its keyboards are American,
so a password is looked at once more by the places of its keys; and it is told the words of this
place.
"""

import unicodedata

from zxcvbn_rs_py import zxcvbn

LOOKED_AT = 16
"""Characters at a time.  What zxcvbn does for each way of writing letters as signs grows without
bound with the length (a fifth of a second for forty odd signs), and it lets no other Python code
run meanwhile; the worst of sixteen that a search has found take it 13 ms."""

# What lies on the same key of an American keyboard: Czech, Slovak and German ones, French ones.
_KEYS = (
    str.maketrans("+ěščřžýáíéľťyzYZ", "123456789025zyZY"),
    str.maketrans("&é\"'(-è_çàaqzwAQZWmM,?", "1234567890qawzQAWZ;:mM"),
)
# Words for passwords that zxcvbn doesn't know: of the game, and what is common in Czech.
_WORDS = """
    headstring headstring8 billiard billiards biliard biliár kulečník kulecnik kulecnik1 karambol
    snooker poolhall poolclub eightball nineball blackball osmička osmicka devítka devitka tágo tago
    heslo mojeheslo tajneheslo tajné heslicko heslíčko noveheslo ahoj ahojahoj nevim nevím neznam
    slunicko sluníčko beruska beruška kocicka kočička kocka pejsek pes medvidek medvídek motylek
    motýlek lasko láska laska milacek miláček zlaticko zlatíčko princezna andilek andílek hvezda
    hvězda hvezdicka kytka kyticka kytička jahoda jahudka malina broskev pivo pivecko pívo hospoda
    sparta spartapraha slavie slavia slaviapraha banik baník praha brno ostrava plzen plzeň olomouc
    liberec zlin zlín morava cechy čechy slovensko bratislava kosice košice internet pocitac počítač
    fotbal hokej maminka tatinek tatínek babicka babička dedecek rodina domov prazdniny prázdniny
    vanoce vánoce leto léto podzim zima jaro
""".split()  # noqa: SIM905


def guesses_log10(password: str, name: str) -> float:
    """Decimal logarithm of the guesses that find a password of the account of that name.

    A password is no easier than any part of it: beginning and end are looked at, and the harder
    one counts.
    """
    words = _words_of(name) + _WORDS
    parts = {password[:LOOKED_AT], password[-LOOKED_AT:]}
    return max(_guesses_log10(part, words) for part in parts)


def _guesses_log10(part: str, words: list[str]) -> float:
    typed = {part, *(part.translate(keys) for keys in _KEYS)}
    return min(zxcvbn(keys, words).guesses_log10 for keys in typed)


def _words_of(name: str) -> list[str]:
    """A name and its parts, with and without accents."""
    folded = name.casefold()
    apart = unicodedata.normalize("NFKD", folded)
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    found = (folded, plain, *folded.split(), *plain.split())
    return list(dict.fromkeys(word for word in found if len(word) > 1))

"""How many guesses a password is likely to stand, before there is any.

zxcvbn knows the passwords, words and names that people use most, runs, dates, repeats, keys that
lie side by side, and all of it backwards or with digits for letters.  Its keyboards are American,
so a password is looked at once more by the places of its keys; and it is told the words of this
place.
"""

import unicodedata

from zxcvbn_rs_py import zxcvbn

LONGEST_LOOKED_AT = 40
"""Characters; zxcvbn's work grows with the square, and so many in a row are enough to tell."""

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
    """Decimal logarithm of the guesses that find a password of the account of that name."""
    looked_at = password[:LONGEST_LOOKED_AT]
    words = _words_of(name) + _WORDS
    typed = {looked_at, *(looked_at.translate(keys) for keys in _KEYS)}
    return min(zxcvbn(keys, words).guesses_log10 for keys in typed)


def _words_of(name: str) -> list[str]:
    """A name and its parts, with and without accents."""
    folded = name.casefold()
    apart = unicodedata.normalize("NFKD", folded)
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    found = (folded, plain, *folded.split(), *plain.split())
    return list(dict.fromkeys(word for word in found if len(word) > 1))

"""Why a connection ended, in Czech: by the English sentence, as the link or the server says it.

In English a reason speaks for itself.  A star stands for a name, an address or what a system says.
"""

import re

from shared_rules.wording import refusal_text

REASONS: dict[str, str] = {
    # the link
    "nothing answers at *; is the server running?": "na * nic neodpovídá; běží server?",
    "there is no machine called *": "počítač * neexistuje nebo není dostupný",
    "the server at * cannot be reached: *": "server * není dostupný: *",
    "the server at * did not answer in time": "server * neodpověděl včas",
    "what answers at * is no Headstring server": "na * neodpovídá server Headstring",
    "what answers at * says nothing; if it has TLS, its address begins with wss://": (
        "* neodpovídá nic; je-li server šifrovaný, začíná jeho adresa wss://"
    ),
    "what answers at * speaks no TLS; its address may begin with ws://": (
        "na * není šifrované spojení; adresa možná začíná ws://"
    ),
    "TLS with * failed: *": "šifrované spojení s * selhalo: *",
    "the certificate of * is not of anybody whom this computer trusts; --ca names the club's own": (
        "certifikátu serveru * tento počítač nevěří; vlastní certifikát klubu udá --ca"
    ),
    "the certificate of * is for another name": "certifikát serveru * je pro jiné jméno",
    "the certificate of * is out of date, or this computer's clock is wrong": (
        "certifikát serveru * neplatí nyní, nebo jdou hodiny počítače špatně"
    ),
    "the certificate of * can't be trusted: *": "certifikátu serveru * nelze věřit: *",
    "* holds no certificate in PEM": "v souboru * není certifikát (PEM)",
    "can't read *: *": "soubor * nelze přečíst: *",
    "this computer is on no network": "tento počítač není v žádné síti",
    "the network can't be searched: *": "síť nelze prohledat: *",
    "the connection failed: *": "spojení selhalo: *",
    "the connection was closed": "spojení bylo uzavřeno",
    "* is no websocket address": "* není adresa serveru (ws:// nebo wss://)",
    "the server's answer makes no sense: *": "odpověď serveru nedává smysl: *",
    "the server sent a shot that this version can't read: *": (
        "server poslal strk, který tato verze neumí přečíst: *"
    ),
    "the private server did not start: * can't be written to (*); "
    "HEADSTRING_DATA names another folder": (
        "vlastní server se nespustil: do * nelze zapisovat (*); "
        "jinou složku určí proměnná HEADSTRING_DATA"
    ),
    "the private server did not start: *": "vlastní server se nespustil: *",
    "the private server has ended; start again, and the match goes on": (
        "vlastní server skončil; spusťte program znovu a zápas bude pokračovat"
    ),
    "the server is full; try again later": "server je plný; zkuste to později",
    "too many connections from your address": "z vaší adresy je příliš mnoho spojení",
    "the server is starting; come back in a moment": "server se spouští; zkuste to za chvíli",
    "the server is going down; come back in a minute": ("server se vypíná; vraťte se za minutu"),
    "pages of that site may not connect to this server": (
        "stránky tohoto webu se k serveru nesmějí připojit"
    ),
    "you are signed out; sign in again with your password": (
        "už nejste přihlášen(a); přihlaste se znovu heslem"
    ),
    # the server's last words
    "you have signed out": "odhlásili jste se",
    "your sign-in was revoked": "vaše přihlášení bylo zrušeno",
    "your password was reset": "vaše heslo bylo změněno",
    "your PIN was taken back": "váš PIN byl zrušen",
    "you are suspended: *": "váš přístup je pozastaven: *",
    "an official has sent you away: *": "pořadatel vás odhlásil: *",
    "adjourned by an official: *": "pořadatel zápas přerušil: *",
    "closed by an official: *": "pořadatel stůl zavřel: *",
    "reopened by an official: *": "pořadatel stůl znovu otevřel: *",
    "the server restarts": "server se restartuje",
    "you have come back elsewhere": "přihlásili jste se jinde",
    "you don't read what you are sent": "spojení nestačí přijímat, co server posílá",
    "nobody signed in": "nikdo se nepřihlásil",
    "a fault of the server": "chyba serveru",
    "flooding": "příliš mnoho zpráv najednou",
    "closed": "spojení bylo uzavřeno",
    # a quick match that is waited for no more
    "you sit at a table now": "sedíte už u stolu",
    "that was before; you don't wait any more": "to už bylo; nečekáte dál",
    "the server can't write a match down just now": "server teď nemůže zápas zapsat",
    # a table that is closed
    "the player who opened it has left": "hráč, který ho otevřel, odešel",
    "the player who opened it did not come back": "hráč, který ho otevřel, se nevrátil",
    "the match is over": "zápas skončil",
}
_PATTERNS = [
    (re.compile("(.+)".join(re.escape(part) for part in english.split("*")), re.DOTALL), czech)
    for english, czech in REASONS.items()
]


def reason_text(language: str, reason: str) -> str:
    """A reason in a language; one that is not known stays as it came."""
    if language != "cs":
        return reason
    for pattern, czech in _PATTERNS:
        if found := pattern.fullmatch(reason):
            parts = czech.split("*")
            return "".join(a + b for a, b in zip(parts, (*found.groups(), ""), strict=True))
    return refusal_text("", language, reason)

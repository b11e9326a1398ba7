"""The connection, and what a banner says of the table.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
    "link_good": ("connected, {ms} ms", "spojení {ms} ms"),
    "link_ms": ("{ms} ms", "{ms} ms"),
    "link_measuring": ("connected", "spojeno"),
    "link_silent": ("no answer for {n} s", "server {n} s neodpovídá"),
    "link_connecting": ("connecting …", "připojuji se …"),
    "link_lost": ("connection lost", "spojení ztraceno"),
    "link_over": ("disconnected", "odpojeno"),
    "watching": ("{n} watching", "diváků: {n}"),
    "banner_lost": (
        "Connection lost ({reason}). Coming back by itself…",
        "Spojení ztraceno ({reason}). Obnovuji je…",
    ),
    "banner_unreached": (
        "{sentence} Trying again…  (Esc: menu)",
        "{sentence} Zkouším to znovu…  (Esc: nabídka)",
    ),
    "banner_over": ("{reason}  Press Esc to leave.", "{reason}  Klávesou Esc odejdete."),
    "banner_connecting": ("Connecting to the server …", "Připojuji se k serveru …"),
    "banner_starting": (
        "Starting a private server; the first time takes a minute …",
        "Spouštím vlastní server; poprvé to trvá minutu …",
    ),
    "banner_waiting": (
        "Waiting for the second player …",
        "Čeká se na druhého hráče …",
    ),
    "banner_invitation": (
        "Waiting for the second player. Table {table}, invitation {code}",
        "Čeká se na druhého hráče. Stůl {table}, pozvánka {code}",
    ),
    "banner_suspended": ("Play is suspended.", "Hra je přerušena."),
    "banner_time_out": ("{name} has taken a time-out.", "{name} má time out."),
    "banner_closed": ("The table was closed: {reason}", "Stůl byl zavřen: {reason}"),
    "banner_rack": ("The balls are being racked …", "Staví se koule …"),
}

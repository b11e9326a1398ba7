"""What referees do, and how one comes to a table.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
    "ref_title": ("The referee's decisions", "Rozhodnutí rozhodčího"),
    "ref_reason": ("Why", "Důvod"),
    "ref_reason_hint": ("may be left empty", "může zůstat prázdné"),
    "ref_told": (
        "Everyone is told, and it stays in the record of the match.",
        "Oznámí se všem a zůstane v záznamu zápasu.",
    ),
    "ref_against": ("Against a player", "Proti hráči"),
    "ref_player": ("Player", "Hráč"),
    "ref_conduct": ("Unsportsmanlike conduct", "Nesportovní chování"),
    "ref_conduct_advice": ("Has taken advice", "Přijetí rady"),
    "ref_conduct_practice": ("Has practised", "Trénink během zápasu"),
    "ref_conduct_play_suspended": (
        "Has played while play was stopped",
        "Hra v době přerušení",
    ),
    "ref_award_game": ("Loses the game to {name}", "Ztrácí hru, získává ji {name}"),
    "ref_award_set": ("Loses the set to {name}", "Ztrácí set, získává ho {name}"),
    "ref_award_match": ("Loses the match to {name}", "Ztrácí zápas, získává ho {name}"),
    "ref_balls": ("Balls", "Koule"),
    "ref_choose_balls": ("choose the balls first", "nejdřív vyberte koule"),
    "ref_restore": (
        "Put them back where they lay before the stroke",
        "Vrátit tam, kde ležely před strkem",
    ),
    "ref_disturbed": (
        "Somebody else has moved them: put them back",
        "Pohnul jimi někdo jiný: vrátit je",
    ),
    "ref_wedged_in": (
        "Jammed over a pocket: they count as pocketed",
        "Zaklíněné nad kapsou: platí jako potopené",
    ),
    "ref_wedged_out": (
        "Jammed outside a pocket: they stay on the table",
        "Zaklíněné mimo kapsu: zůstávají na stole",
    ),
    "ref_play": ("Play", "Hra"),
    "ref_again": (
        "The stroke was disturbed: it is played again",
        "Strk byl narušen: hraje se znovu",
    ),
    "ref_void": (
        "The table can't be put back: the rack is played again",
        "Stůl nelze vrátit: hra se opakuje",
    ),
    "ref_uphold": ("The judgement stands", "Rozhodnutí platí"),
    "ref_slow": ("Warn for slow play", "Napomenout za zdržování"),
    "ref_limit": ("Time for a stroke", "Čas na strk"),
    "ref_clock": ("Limit the time for a stroke", "Omezit čas na strk"),
    "ref_no_progress": ("The game makes no progress", "Hra nikam nevede"),
    "ref_stale": ("Stalemate", "Pat"),
    "ref_no_shot": ("Stalemate: no legal shot is possible", "Pat: žádný správný strk není možný"),
    "ruling_body": (
        "Play stops until the referee has settled it.",
        "Hra se zastaví, dokud rozhodčí nerozhodne.",
    ),
    "talk_players": (
        "Players and referee read this; who watches does not.",
        "Čtou to hráči a rozhodčí, diváci ne.",
    ),
    "talk_watchers": (
        "Those who watch read this; the players do not.",
        "Čtou to diváci, hráči ne.",
    ),
    "terms_referee": ("With a referee", "S rozhodčím"),
    "referee_invited": (
        "For the referee: table {table}, code {code}.",
        "Pro rozhodčího: stůl {table}, kód {code}.",
    ),
    "key_foul": ("call or claim a foul", "ohlásit nebo uplatnit chybu"),
    "key_referee": ("referee: stop play, other decisions", "rozhodčí: přerušit hru, další"),
    "key_talk": ("talk at the table", "rozhovor u stolu"),
    "lobby_elsewhere": ("A table that is not listed", "Stůl, který tu není uveden"),
    "lobby_table": ("Table", "Stůl"),
    "lobby_judge": ("Be the referee", "Být rozhodčím"),
    "why_no_table": ("write the table's name first", "nejdřív napište označení stolu"),
}

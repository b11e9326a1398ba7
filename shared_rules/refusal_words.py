"""Refusals in Czech: by the English sentence where the rules have a fixed one, else by the code.

In English a refusal speaks for itself; its sentence is written where it is raised.
"""

SENTENCES: dict[str, str] = {
    # whose turn, which phase
    "it is your opponent's turn": "na řadě je soupeř",
    "the choice is not yours": "volba nepřísluší vám",
    "only a player may do that": "to může jen hráč",
    "a player may not do that": "to hráč nemůže",
    "the match is over": "zápas skončil",
    "the balls are still moving": "koule jsou ještě v pohybu",
    "play is suspended": "hra je přerušena",
    "a time-out is running": "probíhá time out",
    "there is nothing to choose now": "teď není co volit",
    "a push-out cannot be announced now": "teď nelze ohlásit push out",
    "a time-out may be taken at the table or between sets": (
        "time out si lze vzít jen u stolu nebo mezi sety"
    ),
    "that cannot be done now": "to teď nelze",
    "a push-out is only for the stroke right after a break without a foul": (
        "push out lze hrát jen bezprostředně po rozehrání bez chyby"
    ),
    "only who took the time-out may end it early": "time out může ukončit jen ten, kdo si ho vzal",
    "no referee sits at this table": "u tohoto stolu není rozhodčí",
    "balls moved by a foul stay where they are (N9.5e)": (
        "koule, které se pohnuly při chybě, se nevracejí (N9.5e)"
    ),
    "no snooker is declared in this game": "v této hře se snooker neohlašuje",
    "the snooker is declared already": "snooker už je ohlášen",
    "there is a straight way to a ball on": "k některé kouli na řadě vede přímá cesta",
    "balls have to be spotted first (BB.13b)": "nejprve se musí koule vrátit na stůl (BB.13b)",
    "you have agreed already": "už jste souhlasil(a)",
    "at this table the players do not settle rulings": (
        "u tohoto stolu se hráči o rozhodnutích nedohadují"
    ),
    "you have asked already; ask again after the next stroke": (
        "už jste se ptal(a); znovu je to možné po příštím strku"
    ),
    "no stroke of the game that is over can be judged again": (
        "žádný strk skončené hry už nelze znovu posoudit"
    ),
    "there is no stroke that could have been disturbed": (
        "není tu strk, který by mohl být narušen"
    ),
    "no game is being played that could be given up": "nehraje se hra, kterou by šlo vzdát",
    "the lag balls are placed by the server": "koule k rozhodovacímu strku staví server",
    "the cue ball is not in hand": "bílou kouli nemáte v ruce",
    "the balls are being racked": "koule se teprve staví",
    "place the cue ball first": "nejprve položte bílou kouli",
    "no lag is open": "teď se rozhodovací strk nehraje",
    "your lag stroke is in; wait for your opponent's": (
        "váš rozhodovací strk je zadán; počkejte na soupeře"
    ),
    "only a player takes a time-out": "time out si bere jen hráč",
    "a time-out is for the player at the table": "time out si může vzít jen hráč u stolu",
    "there is no extension of the shot clock at this table": (
        "u tohoto stolu se čas na strk neprodlužuje"
    ),
    "no shot clock is running": "žádný čas na strk neběží",
    "you have had your extension of this rack": "prodloužení jste v této hře už využili",
    "your time-outs are used up": "time out už máte vyčerpán",
    "the time for this has run out": "čas na to vypršel",
    "that is not among the options": "tato možnost se nenabízí",
    "one ball of each group stands in the back corners": (
        "v zadních rozích stojí po jedné kouli z každé skupiny"
    ),
    # calls
    "shots are not called in this game": "v této hře se strky neohlašují",
    "nothing is called on the break": "při rozehrání se nic neohlašuje",
    "call a ball and its pocket, or a safety, first": (
        "nejprve ohlaste kouli a kapsu, nebo jistotu"
    ),
    "only one ball is called for a stroke (G.1.6c)": "na jeden strk lze ohlásit jen jednu kouli",
    "the 8 may be called only when all of your group are off the table (E8.6b)": (
        "osmičku lze ohlásit, až když na stole není žádná koule vaší skupiny (E8.6b)"
    ),
    "that ball is not of your group": "tato koule nepatří do vaší skupiny",
    "a ball is spotted only with the cue ball in hand behind the string": (
        "koule se vrací na bod jen při hře z ruky v předním poli"
    ),
    "there is a ball to play at that is not behind the head string": (
        "před přední linií nebo na ní leží hratelná koule"
    ),
    "a ball held up only by another counts as pocketed by itself (D8.3)": (
        "koule, kterou drží jen jiná koule, platí za spadlou sama (D8.3)"
    ),
    # places
    "the cue ball must be placed in baulk; the baulk line itself is outside": (
        "bílá koule musí stát v rozstřelovém poli; sama čára do něj nepatří"
    ),
    "the ball must lie on the bed, clear of the cushions": (
        "koule musí ležet na hrací ploše mimo mantinely"
    ),
    "the cue ball must be placed behind the head string; the string itself is outside": (
        "bílá koule musí stát v předním poli; sama přední linie do něj nepatří"
    ),
    "a lag ball is placed behind the head string on one's own half of the table": (
        "koule k rozhodovacímu strku se staví do předního pole na vlastní polovinu stolu"
    ),
    "the opponent's ball is in the way there": "tam překáží koule soupeře",
    # strokes
    "a stroke is given in finite numbers": "strk se zadává konečnými čísly",
    "the cue moves faster than 0 and at most 13.0 m/s": (
        "rychlost tága je větší než 0 a nejvýše 13 m/s"
    ),
    "the heading is from -360 to 360 degrees": "směr je od -360 do 360 stupňů",
    "the cue is raised by 0 to 85.0 degrees": "tágo lze zvednout o 0 až 85 stupňů",
    "the tip would miss the ball": "kůže tága by kouli minula",
    # officials
    "no rack is wanted now": "teď se koule nestaví",
    "each player must first have his last visits": "každý hráč má nejprve své poslední náběhy",
    "that has been announced already": "to už bylo ohlášeno",
    "no game is being played": "žádná hra se nehraje",
    "the cue ball is in hand: its player places it": (
        "bílá koule je v ruce: položí ji hráč, který je na řadě"
    ),
    "no set is being played": "žádný set se nehraje",
    "a shot clock may be imposed only after a warning": (
        "časový limit lze vyhlásit až po varování"
    ),
    "only who plays the shot can foul on it": "chybovat může jen ten, kdo strk hraje",
    "a foul is called before the next stroke": "chybu lze ohlásit jen před dalším strkem",
    "you may call only what you saw your opponent do": (
        "ohlásit smíte jen to, co jste u soupeře viděl(a)"
    ),
    "the game is over; its last stroke stands": "hra skončila; její poslední strk platí",
    "only object balls wedged by a shot can be resolved": (
        "posoudit lze jen barevné koule zaklíněné při strku"
    ),
    "the stroke that wedged them is closed": "strk, při kterém se zaklínily, je už uzavřen",
    "that clock is not running any more": "tyto hodiny už neběží",
    "the stroke counts as not played": "tento strk platí za neodehraný",
    "the time is not over yet": "čas ještě nevypršel",
}

CODES: dict[str, str] = {
    "not_msgpack": "zpráva není platný msgpack",
    "malformed": "zpráva je chybná",
    "too_large": "zpráva je příliš velká",
    "unknown_message": "neznámá zpráva",
    "unsupported_protocol": "tato verze protokolu se nepodporuje",
    "flooding": "příliš mnoho zpráv najednou",
    "id_reused": "číslo požadavku už bylo použito",
    "out_of_range": "hodnota je mimo meze",
    "not_signed_in": "nejste přihlášen(a)",
    "already_signed_in": "už jste přihlášen(a)",
    "name_taken": "toto jméno už někdo má",
    "bad_name": "takové jméno nelze použít",
    "bad_token": "přihlašovací klíč neplatí",
    "bad_password": "jméno nebo heslo nesouhlasí",
    "weak_password": (
        "takové heslo nelze použít: má 8 až 128 znaků a nesmí jít snadno uhádnout "
        "(běžné heslo, slovo nebo jméno, řada kláves, opakování, vaše vlastní jméno)"
    ),
    "guests_not_allowed": "na tento server se chodí jen s účtem",
    "pins_not_allowed": "odsud se PINem přihlásit nelze, je potřeba heslo",
    "suspended": "váš přístup je pozastaven",
    "muted": "teď nesmíte psát",
    "unknown_person": "nikdo takový tu není",
    "unknown_act": "takový zásah v záznamech není",
    "unknown_table": "takový stůl není",
    "unknown_match": "takový zápas není",
    "table_full": "stůl je obsazen",
    "table_closed": "stůl je zavřen",
    "wrong_invitation": "pozvánka nesouhlasí",
    "watching_not_allowed": "tento stůl nelze sledovat",
    "unfinished_match": "váš zápas ještě neskončil: dohrajte ho, vzdejte ho, nebo si založte účet",
    "not_at_this_table": "u tohoto stolu nejste",
    "already_playing": "už hrajete u jiného stolu",
    "is_referee": "u tohoto stolu jste rozhodčí",
    "own_match": "o vlastním zápase rozhoduje někdo jiný",
    "too_many_tables": "stolů je příliš mnoho",
    "opponent_present": "soupeř je u stolu",
    "grace_running": "soupeř má ještě čas se vrátit",
    "bad_ruleset": "taková pravidla nejsou",
    "account_needed": "o hodnocení se hraje jen s účtem",
    "unknown_challenge": "taková výzva už není",
    "not_here": "teď tu není",
    "blocked": "tento člověk od vás nic nechce",
    "too_many": "to je příliš mnoho, počkejte",
    "chat_is_off": "u tohoto stolu se nepíše",
    "balls_moving": "koule jsou ještě v pohybu",
    "play_suspended": "hra je přerušena",
    "time_out_running": "probíhá time out",
    "time_out_used": "time out už máte vyčerpán",
    "no_extension": "prodloužit čas na strk teď nejde",
    "not_your_turn": "na řadě je soupeř",
    "not_at_table": "nejste u stolu",
    "not_decider": "volba nepřísluší vám",
    "option_not_available": "tato možnost se nenabízí",
    "push_out_not_available": "push out teď nelze hrát",
    "call_required": "nejprve ohlaste kouli a kapsu",
    "one_ball_only": "ohlásit lze jen jednu kouli",
    "eight_not_callable": "osmičku teď nelze ohlásit",
    "not_own_group": "to není koule vaší skupiny",
    "not_snookered": "výhled na kouli není zakryt",
    "spotting_pending": "nejprve se musí koule vrátit na stůl",
    "legal_ball_in_front_of_head_string": "před přední linií leží hratelná koule",
    "outside_head_area": "bílá koule musí stát v předním poli",
    "outside_bed": "koule musí ležet na hrací ploše",
    "placement_overlaps_ball": "tam překáží jiná koule",
    "no_restoration_right": "koule se nevracejí na původní místo",
    "three_visits_not_played": "každý hráč má nejprve své poslední náběhy",
    "warning_required_first": "nejprve je třeba varovat",
    "limit_too_long": "takový časový limit je příliš dlouhý",
    "next_shot_already_begun": "další strk už začal",
    "equipment_out_of_spec": "vybavení neodpovídá předpisům",
    "back_corners_same_group": "v zadních rozích jsou koule téže skupiny",
    "wrong_state": "to teď nelze",
    "cue_ball_not_placed": "nejprve položte bílou kouli",
    "stroke_out_of_range": "takový strk nelze zahrát",
    "elevation_too_low": "tágo by narazilo do mantinelu nebo do koule za bílou, zvedněte je",
    "not_allowed": "to nemáte dovoleno",
    "match_over": "zápas skončil",
    "time_is_up": "čas vypršel",
    "no_referee": "u tohoto stolu není rozhodčí",
    "stale_state": "stav se mezitím změnil",
    "bad_scenario": "situace nedává smysl",
    "unknown_ball": "taková koule není",
    "unknown_event": "taková událost není",
    "unknown_action": "taková zpráva není",
    "discipline_not_supported": "pravidla této hry tu nejsou",
    "internal": "chyba serveru",
    "shutting_down": "server se vypíná",
    "overloaded": "server je přetížen",
}
"""Czech for every refusal code."""

"""The client's own words in English and Czech; what the rules say comes from shared_rules.wording.

One table, so that no language can lack an entry.  ``{}`` places are filled by name.
"""

WORDS: dict[str, tuple[str, str]] = {
    # scoreboard and clock
    "race": ("race to {n}", "do {n} her"),
    "race_sets": ("sets {a} : {b} · race to {n}", "sety {a} : {b} · do {n} her"),
    "race_points": ("to {n} points", "do {n} bodů"),
    "to_the_rack": ("{n} to the rack", "do postavení {n}"),
    "games_won": ("games {a} : {b}", "hry {a} : {b}"),
    "run": ("run {n}", "náběh {n}"),
    "high_runs": ("high runs {a} and {b}", "nejvyšší náběhy {a} a {b}"),
    "fouls": ("fouls", "chyby"),
    "on_two_fouls": ("on two fouls", "má dvě chyby"),
    "breaks": ("breaks", "rozehrává"),
    "at_table": ("at the table", "u stolu"),
    "decides": ("decides", "rozhoduje"),
    "lagging": ("lags", "rozhodovací strk"),
    "lagged": ("has lagged", "už zahrál(a)"),
    "away": ("away", "není připojen(a)"),
    "away_for": ("away, back within {n} s", "odpojen(a), zbývá {n} s"),
    "left": ("has left", "odešel/odešla"),
    "left_for": ("has left, back within {n} s", "odešel/odešla, zbývá {n} s"),
    "overdue_for": ("overdue, ruled in {n} s", "nevrací se, rozhodnutí za {n} s"),
    "slow_line": ("slow line, {ms} ms", "pomalé spojení, {ms} ms"),
    "clock_shot": ("to shoot", "na strk"),
    "clock_decision": ("to decide", "na rozhodnutí"),
    "clock_lag": ("to lag", "na rozhodovací strk"),
    "clock_time_out": ("time-out", "time out"),
    "nine_ball": ("Nine-ball", "Devítka"),
    "eight_ball": ("Eight-ball", "Osmička"),
    "straight_pool": ("Straight pool 14.1", "Nekonečná 14.1"),
    "black_ball": ("Black ball", "Black ball"),
    "changed_rules": ("changed", "upraveno"),
    "group_left": ("{group}: {n} left", "{group}: zbývá {n}"),
    "on_the_eight": ("on the 8", "hraje na osmičku"),
    "on_the_black": ("on the black", "hraje na černou"),
    "has_free_shot": ("has a free shot", "má volný strk"),
    "last_shot": ("Last shot", "Poslední strk"),
    "rule": ("Rule {id}", "Pravidlo {id}"),
    "rule_at": ("Rule {id}, {s} s into the shot", "Pravidlo {id}, {s} s od začátku strku"),
    # the link
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
    # prompts
    "prompt_lag": (
        "Lag: off the foot cushion, and stop as near to the head cushion as you can",
        "Rozhodovací strk: od zadního mantinelu zpět co nejblíž k přednímu",
    ),
    "prompt_lag_done": (
        "Your lag is in. Both balls are struck together once {name} is ready",
        "Váš strk je zadán. Obě koule vyběhnou, až bude hotov(a) {name}",
    ),
    "prompt_lag_watched": (
        "Both lag for the choice of who breaks",
        "Oba hráči zahrají rozhodovací strk o rozehrání",
    ),
    "prompt_shoot": (
        "Your shot: ball {n} must be hit first",
        "Hrajete: první se musí zasáhnout koule {n}",
    ),
    "prompt_open": (
        "Your shot: any ball but the black may be hit first",
        "Hrajete: první se smí zasáhnout kterákoli koule kromě černé",
    ),
    "prompt_group": ("Your shot: hit {group} first", "Hrajete: první zasáhněte {group}"),
    "prompt_black": ("Your shot: the black", "Hrajete: na řadě je černá"),
    "prompt_free_shot": (
        "Free shot: any ball may be hit first",
        "Volný strk: první se smí zasáhnout kterákoli koule",
    ),
    "snooker_hint": (
        "Snooker declared: the hit is enough, no ball has to reach a rail",
        "Snooker ohlášen: stačí zásah, k mantinelu nic dojít nemusí",
    ),
    "prompt_break": (
        "Your break: hit ball 1 first",
        "Rozehráváte: první se musí zasáhnout jednička",
    ),
    "prompt_break_any": ("Your break", "Rozehráváte"),
    "prompt_call": (
        "Your shot: call a ball and a pocket (K), or a safety (J)",
        "Hrajete: ohlaste kouli a kapsu (K), nebo jistotu (J)",
    ),
    "prompt_call_ball": ("Which ball? {ball}", "Která koule? {ball}"),
    "prompt_call_pocket": (
        "Ball {ball}: which pocket? {pocket}",
        "Koule {ball}: která kapsa? {pocket}",
    ),
    "prompt_called": ("Called: ball {ball}, {pocket}", "Ohlášeno: koule {ball}, {pocket}"),
    "prompt_safety": ("Called: safety", "Ohlášena jistota"),
    "hint_call": (
        "click it on the table, or ← → and Enter · Esc: no call",
        "klepněte na stůl, nebo ← → a Enter · Esc: neohlašovat",
    ),
    "prompt_push_out": (
        "Push-out: any stroke that loses no cue ball is fair",
        "Push out: stačí neztratit bílou kouli",
    ),
    "prompt_place_anywhere": (
        "Ball in hand: place the cue ball anywhere",
        "Hra z ruky: položte bílou kamkoli na stůl",
    ),
    "prompt_place_head": (
        "Place the cue ball behind the head string",
        "Položte bílou do předního pole, za přední čáru",
    ),
    "prompt_place_baulk": (
        "Place the cue ball in baulk, behind the line",
        "Položte bílou do rozstřelového pole, za čáru",
    ),
    "prompt_place_lag": (
        "Place your ball behind the head string, on your half",
        "Položte svou kouli do předního pole na své polovině",
    ),
    "prompt_wait": ("{name} is at the table", "Hraje {name}"),
    "prompt_wait_choice": ("{name} decides", "Rozhoduje {name}"),
    "prompt_running": ("The balls are moving", "Koule se pohybují"),
    "prompt_next": ("The next game is about to begin", "Za chvíli začne další hra"),
    "prompt_referee": ("The referee decides", "Rozhoduje rozhodčí"),
    "prompt_won_game": ("{name} has won the game", "Hru vyhrává {name}"),
    "hint_aim": (
        "drag to aim, Shift for fine · ↑ ↓ power · hold Space to draw back, release to strike",
        "táhněte myší, Shift jemně · ↑ ↓ síla · podržte mezerník a pusťte: strk",
    ),
    "hint_place": (
        "click, or move with the arrows and press Enter",
        "klepněte, nebo posouvejte šipkami a potvrďte klávesou Enter",
    ),
    "hint_watch": ("drag to look round · C changes the view", "táhněte myší · C mění pohled"),
    "three_foul_points": (
        "You are warned: one more foul in a row costs {n} points and a new break",
        "Jste upozorněni: další chyba po sobě vás stojí {n} bodů a nové rozehrání",
    ),
    "three_foul_hint": (
        "You are on two fouls: a third in a row loses the game",
        "Máte dvě chyby: třetí po sobě znamená ztrátu hry",
    ),
    # buttons
    "strike": ("Strike", "Strk"),
    "push_out": ("Push-out", "Push out"),
    "call": ("Call a shot", "Ohlásit"),
    "safety": ("Safety", "Jistota"),
    "spot": ("Spot a ball", "Vrátit kouli na bod"),
    "snooker": ("Snooker", "Snooker"),
    "time_out": ("Time-out", "Time out"),
    "end_time_out": ("Play on", "Hrát dál"),
    "move_cue": ("Move the cue ball", "Přemístit bílou"),
    "move_lag": ("Move your ball", "Přemístit kouli"),
    "put_down": ("Put it down", "Položit"),
    "view": ("View: {name}", "Pohled: {name}"),
    "help": ("Keys", "Klávesy"),
    "language": ("Česky", "English"),
    "menu": ("Menu", "Nabídka"),
    "concede": ("Concede …", "Vzdát …"),
    "stalemate": ("Agree to a stalemate", "Souhlasit s patem"),
    "ruling": ("Ask for a ruling", "Požádat rozhodčího"),
    "claim_win": ("Claim the win: my opponent is gone", "Nárokovat výhru: soupeř je pryč"),
    "claim_adjourn": ("Adjourn the match", "Odložit zápas"),
    "why_adjourned": ("the match is adjourned", "zápas je odložen"),
    "why_grace": ("your opponent has {n} s to come back", "soupeř má ještě {n} s na návrat"),
    "leave": ("Leave the table", "Odejít od stolu"),
    "back": ("Back to the table", "Zpět ke stolu"),
    "reset_tip": ("Centre the tip", "Tágo na střed"),
    "space_key": ("Space", "Mezerník"),
    # dialogs
    "menu_title": ("Headstring", "Headstring"),
    "concede_title": ("Concede?", "Opravdu vzdát?"),
    "concede_game": ("Your opponent wins this game.", "Soupeř vyhraje tuto hru."),
    "concede_match": ("Your opponent wins the match.", "Soupeř vyhraje zápas."),
    "concede_yes": ("Yes, concede", "Ano, vzdávám"),
    "concede_no": ("No, play on", "Ne, hraji dál"),
    "leave_title": ("Leave the table?", "Odejít od stolu?"),
    "leave_body": (
        "The match goes on: if you are not back in time, you lose the game.",
        "Zápas pokračuje: když se včas nevrátíte, ztratíte hru.",
    ),
    "leave_body_offline": (
        "The match waits: it goes on when you play again.",
        "Zápas počká: bude pokračovat, až budete zase hrát.",
    ),
    "leave_yes": ("Leave", "Odejít"),
    "leave_no": ("Stay", "Zůstat"),
    "over_title": ("{name} wins the match", "Zápas vyhrává {name}"),
    "over_body": ("Final score {score}.", "Konečný stav {score}."),
    "choice_lag": ("You won the lag", "Vyhráli jste rozhodovací strk"),
    "choice_break_foul": ("Foul on the break", "Chyba při rozehrání"),
    "choice_illegal_break": ("Illegal break", "Neplatné rozehrání"),
    "choice_rebreak": ("Breaking foul", "Faul při rozstřelu"),
    "choice_eight_on_break": ("The 8 fell on the break", "Osmička spadla při rozehrání"),
    "choice_free_shot": ("Foul: you have a free shot", "Chyba soupeře: máte volný strk"),
    "choice_push_out": ("{name} has played a push-out", "{name}: push out"),
    "choice_body": ("It is your choice.", "Volba je na vás."),
    # what follows from an option
    "then_break": ("You break the first rack.", "Rozehráváte první hru."),
    "then_give_break": ("{name} breaks.", "Rozehrává {name}."),
    "then_accept_table": (
        "You shoot; the balls stay as they lie.",
        "Hrajete vy; koule zůstanou, kde jsou.",
    ),
    "then_ball_in_hand_anywhere": (
        "You place the cue ball anywhere and shoot.",
        "Položíte bílou kamkoli a hrajete.",
    ),
    "then_cue_in_position": (
        "You shoot from where the cue ball lies; any ball may be hit first.",
        "Hrajete z místa, kde bílá leží; první smí být kterákoli koule.",
    ),
    "then_cue_in_hand_baulk": (
        "You place the cue ball in baulk; any ball may be hit first.",
        "Položíte bílou do rozstřelového pole; první smí být kterákoli koule.",
    ),
    "then_ball_in_hand_head": (
        "You place the cue ball behind the head string and shoot.",
        "Položíte bílou do předního pole a hrajete.",
    ),
    "then_rerack_self_breaks": (
        "New rack, and you break.",
        "Koule se postaví znovu a rozehrajete vy.",
    ),
    "then_rerack_offender_breaks": (
        "New rack, and {name} breaks again.",
        "Koule se postaví znovu a {name} rozehraje znovu.",
    ),
    "then_spot_8_and_continue": (
        "The 8 comes back to the foot spot, and you shoot.",
        "Osmička se vrátí na zadní bod a hrajete dál.",
    ),
    "then_spot_8_ball_in_hand_head": (
        "The 8 comes back; you place the cue ball behind the head string and shoot.",
        "Osmička se vrátí; položíte bílou do předního pole a hrajete.",
    ),
    "then_rebreak": ("New rack, and you break.", "Koule se postaví znovu a rozehrajete vy."),
    "then_require_rebreak": (
        "New rack, and {name} breaks again.",
        "Koule se postaví znovu a znovu rozehraje {name}.",
    ),
    "then_pass_back": ("{name} must shoot from here.", "{name} musí hrát z této pozice."),
    # rulings
    "ruled_good": ("Legal stroke", "Správný strk"),
    "ruled_illegal_break": (
        "Illegal break: nothing pocketed, fewer than four balls to a rail (E8.3d)",
        "Neplatné rozehrání: nic nespadlo a k mantinelu došly méně než čtyři koule (E8.3d)",
    ),
    "ruled_first": ("First contact: {balls}", "První zásah: {balls}"),
    "ruled_railed": ("To a rail: {balls}", "K mantinelu: {balls}"),
    "ruled_pocketed": ("Pocketed: {balls}", "Spadly: {balls}"),
    "ruled_off": ("Off the table: {balls}", "Mimo stůl: {balls}"),
    "ruled_spotted": ("Spotted: {balls}", "Zpět na stůl: {balls}"),
    "ruled_push_out": ("Push-out", "Push out"),
    "ruled_next": ("Next: {name}", "Dál hraje {name}"),
    "ruled_lag": ("{name} wins the lag", "Rozhodovací strk vyhrává {name}"),
    "ruled_relag": ("The lag is played again", "Rozhodovací strk se opakuje"),
    "ruled_gap": ("{name}: {cm} cm to the cushion", "{name}: {cm} cm k mantinelu"),
    "ruled_lag_fault": ("{name}: {fault}", "{name}: {fault}"),
    "referee": ("referee", "rozhodčí"),
    "ruled_not_counted": ("Not counted: no warning was given", "Nepočítá se: chybělo upozornění"),
    "cue_ball": ("cue ball", "bílá"),
    # reasons of the client's own
    "why_busy": ("the server has not answered yet", "server ještě neodpověděl"),
    "why_lost": ("there is no connection", "není spojení"),
    "why_watching": ("you are watching", "jen se díváte"),
    "why_place_first": ("put the cue ball down first", "nejdřív položte bílou"),
    "why_not_now": ("not now", "teď to nejde"),
    "cancelled": ("Stroke taken back", "Strk zrušen"),
    # tip
    "tip": ("Tip on the cue ball", "Místo úderu"),
    "miscue": ("miscue!", "kiks!"),
    "tip_centre": ("centre", "střed"),
    "tip_right": ("right {n}", "vpravo {n}"),
    "tip_left": ("left {n}", "vlevo {n}"),
    "tip_above": ("top {n}", "nahoře {n}"),
    "tip_below": ("bottom {n}", "dole {n}"),
    # views
    "view_auto": ("automatic", "samočinně"),
    "view_cue": ("cue", "od tága"),
    "view_overhead": ("overhead", "shora"),
    "view_orbit": ("free", "volný"),
    "view_broadcast": ("broadcast", "televizní"),
    "view_follow": ("follow", "za koulí"),
    # help
    "key_drag": ("drag", "táhnout"),
    "key_aim": ("aim; with Shift finely", "míření; se Shiftem jemně"),
    "key_right_drag": ("right drag", "pravé táhnout"),
    "key_fine": ("aim finely (0.01° a pixel)", "míření jemně (0,01° na bod)"),
    "key_turn": ("turn the cue; Shift 0.01°, Ctrl 1°", "otočit tágo; Shift 0,01°, Ctrl 1°"),
    "key_power": ("power; wheel too", "síla; i kolečkem"),
    "key_strike": ("hold: draw back, release: strike", "držet: nápřah, pustit: strk"),
    "key_tip": ("move the tip", "místo úderu"),
    "key_centre": ("tip to the centre", "tágo na střed"),
    "key_call": ("call ball and pocket; a safety", "ohlásit kouli a kapsu; jistotu"),
    "key_push_out": ("announce a push-out, or not", "ohlásit push out, odvolat"),
    "key_snooker": ("declare a snooker (black ball)", "ohlásit snooker (black ball)"),
    "key_move": ("take the ball in hand again", "znovu přemístit bílou"),
    "key_enter": ("put the ball down", "položit kouli"),
    "key_time_out": ("time-out", "time out"),
    "key_view": ("next view; 1 to 5 choose, 0 automatic", "další pohled; 1 až 5, 0 samočinně"),
    "key_zoom": ("closer, farther", "blíž, dál"),
    "key_language": ("čeština", "English"),
    "key_menu": ("menu; concede, leave; take back", "nabídka; vzdát, odejít; zrušit"),
}


def say(language: str, key: str, **values: object) -> str:
    """The words of a key in ``en`` or ``cs``.

    Raises:
        KeyError: there is no such key, or a value for a place is missing.
    """
    return WORDS[key][1 if language == "cs" else 0].format(**values)


def decimal(language: str, value: float, digits: int = 2) -> str:
    """A number as the language writes it: Czech has a decimal comma."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if language == "cs" else text

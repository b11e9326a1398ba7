"""Every phrase in which the rules speak to people: one table, English and Czech side by side.

``wording`` looks things up here.  Czech uses the words of the Czech rulebooks (koule, mantinel,
prostrk …; the lag is "rozhodovací strk", the break "rozehrání", as EPBF has them).  Fouls are by
code, options and refusals by their values, announcements by their tags; ``{}`` places are filled
by name.
"""

Phrase = tuple[str, str]

FOULS: dict[str, Phrase] = {
    "2b": (
        "The break was played from outside the head area in spite of a warning",
        "Rozehrání z místa mimo přední pole přes upozornění",
    ),
    "5a": (
        "The ball with the lowest number was not hit first",
        "Koule s nejnižším číslem nebyla zasažena jako první",
    ),
    "5b": (
        "No ball reached a cushion or a pocket after the hit (on the break: fewer than four)",
        "Po zásahu se žádná koule nedotkla mantinelu ani nespadla do díry "
        "(při rozehrání: méně než čtyři koule)",
    ),
    "5c": ("The cue ball was pocketed", "Bílá koule spadla do díry"),
    "5d": ("A ball left the table", "Koule se dostala mimo stůl"),
    "5e": ("The cue touched another ball than the cue ball", "Tágo se dotklo jiné koule než bílé"),
    "5f": (
        "A ball was touched by hand, clothes or a thing",
        "Dotek koule rukou, oděvem nebo předmětem",
    ),
    "5g": ("Push-through: tip, cue ball and object ball in contact at once", "Prostrk"),
    "5h": ("Push shot: the tip stayed on the cue ball", "Tlačený strk"),
    "5i": ("No foot was on the floor", "Hráč při strku nestál nohou na zemi"),
    "5j": ("A ball was played while balls were moving", "Hra koulemi, které jsou v pohybu"),
    "5k": (
        "After a hit on a ball at the cushion, no ball was pocketed or reached another cushion",
        "Po zásahu koule u mantinelu žádná koule nespadla do díry ani nedošla k jinému mantinelu",
    ),
    "5l": (
        "A third safety in a row on a ball near the cushion",
        "Třetí jistota po sobě na kouli u mantinelu",
    ),
    "5m": (
        "The cue ball touched a ball in a full pocket",
        "Bílá koule se dotkla koule v plné kapse",
    ),
    "5n": (
        "Another ball was touched while the cue ball was placed",
        "Dotek jiné koule při stavění bílé koule",
    ),
    "5o": (
        "False jump: the cue ball was scooped up from below its centre",
        "Falešný jump: bílá koule nadskočila po zásahu pod středem",
    ),
    "5p": ("The 9 was pocketed on a foul", "Devítka spadla do díry při chybě"),
    "5.5b": (
        "Bad break: nothing pocketed and fewer than two balls over the centre string",
        "Nesprávný rozstřel: žádná koule nespadla a středovou čáru přešly méně než dvě",
    ),
    "5.9": (
        "The cue ball was played into a ball that it touched",
        "Bílá byla hrána do koule, které se dotýkala",
    ),
    "5.13a": (
        "An opponent's ball was pocketed and none of one's own",
        "Potopena soupeřova koule bez současného potopení vlastní",
    ),
    "5.13c": ("The cue ball jumped over another ball", "Bílá přeskočila jinou kouli"),
    "9g": ("The time for the stroke ran out", "Překročen časový limit na strk"),
    "9h": ("Practising during the match", "Trénování během zápasu"),
    "2.3b": (
        "Illegal break: nothing pocketed and fewer than four balls to a rail",
        "Neplatné rozehrání: nic nespadlo a k mantinelu došly méně než čtyři koule",
    ),
    "4.3b": (
        "Breaking foul: no called ball, nor the cue ball and two others driven to a rail",
        "Faul při rozstřelu: nepadla hlášená koule ani nenarazily na mantinel bílá a dvě barevné",
    ),
    "6.1": (
        "The cue ball was pocketed or left the table",
        "Bílá koule spadla do díry nebo opustila stůl",
    ),
    "6.2": ("A wrong ball was hit first", "Jako první byla zasažena nesprávná koule"),
    "6.3": (
        "No ball was hit, or no ball reached a rail afterwards",
        "Nebyla zasažena žádná koule, nebo poté žádná nedošla k mantinelu",
    ),
    "6.4": ("No foot was on the floor", "Hráč při strku nestál nohou na zemi"),
    "6.5": ("A ball was driven off the table", "Koule vyskočila ze stolu"),
    "6.6": ("A ball was touched", "Dotek koule"),
    "6.7": ("Double hit or push-through", "Dvojitý úder nebo prostrk"),
    "6.8": ("Push shot: the tip stayed on the cue ball", "Tlačený strk"),
    "6.9": ("A stroke was played while balls were moving", "Strk, když byly koule v pohybu"),
    "6.10": (
        "The cue ball was played from outside the head area",
        "Bílá koule byla hrána z místa mimo přední pole",
    ),
    "6.11": (
        "The cue ball was not played out of the head area before it met a ball there",
        "Bílá koule z ruky nebyla zahrána přes přední čáru dříve, než zasáhla kouli v předním poli",
    ),
    "6.12": ("The cue was laid on the table to aim", "Tágo odložené na stůl k zaměření"),
    "6.13": ("Played out of turn", "Hra mimo pořadí"),
    "6.14": ("Three fouls in a row", "Tři chyby po sobě"),
    "6.15": ("The time for the stroke ran out", "Překročen časový limit na strk"),
    "6.16": ("Unsportsmanlike conduct", "Nesportovní chování"),
    "1.2a": ("The lag ball crossed the long string", "Koule se dostala na polovinu soupeře"),
    "1.2b": (
        "The lag ball did not touch the foot cushion exactly once",
        "Koule se nedotkla zadního mantinelu právě jednou",
    ),
    "1.2c": (
        "The lag ball was pocketed or left the table",
        "Koule spadla do díry nebo vyskočila ze stolu",
    ),
    "1.2d": ("The lag ball touched a side cushion", "Koule se dotkla podélného mantinelu"),
    "1.2e": (
        "The lag ball stopped beyond the nose of the head cushion",
        "Koule se zastavila za hranou předního mantinelu",
    ),
    "1.2f": ("Foul stroke in the lag", "Chybný úder při rozhodovacím strku"),
}

OPTIONS: dict[str, Phrase] = {
    "break": ("I break", "Rozehrávám sám"),
    "give_break": ("The opponent breaks", "Rozehrání přenechávám soupeři"),
    "accept_table": ("Play the balls as they lie", "Hraji z postavení koulí na stole"),
    "ball_in_hand_anywhere": (
        "Cue ball in hand, anywhere on the table",
        "Bílá koule z ruky kdekoliv na stole",
    ),
    "ball_in_hand_head": (
        "Cue ball in hand behind the head string",
        "Bílá koule z ruky v předním poli",
    ),
    "rerack_self_breaks": (
        "Rack again, and I break",
        "Koule znovu postavit a rozehrávám sám",
    ),
    "rerack_offender_breaks": (
        "Rack again, and the opponent breaks",
        "Koule znovu postavit a rozehrává soupeř",
    ),
    "pass_back": ("Decline: the opponent plays on", "Odmítám, dál hraje soupeř"),
    "spot_8_and_continue": (
        "The 8 is spotted, and I play on",
        "Osmička zpět na stůl a hraji dál",
    ),
    "spot_8_ball_in_hand_head": (
        "The 8 is spotted; cue ball in hand behind the head string",
        "Osmička zpět na stůl; bílá koule z ruky v předním poli",
    ),
    "rebreak": ("A new rack, and I break", "Nové postavení a rozehrávám sám"),
    "require_rebreak": (
        "The opponent has to break again",
        "Soupeř musí rozehrát znovu",
    ),
    "cue_in_position": (
        "Play the cue ball from where it lies",
        "Hraji bílou z místa, kde leží",
    ),
    "cue_in_hand_baulk": (
        "Cue ball in hand in baulk",
        "Bílá koule z ruky v rozstřelovém poli",
    ),
    "relag": ("The lag is repeated", "Rozhodovací strk se opakuje"),
    "lag_stands": ("The lag stands", "Rozhodovací strk platí"),
    "warning": ("Warning", "Napomenutí"),
    "standard_foul": ("Standard foul", "Běžný faul"),
    "serious_foul": ("Serious foul", "Závažný faul"),
    "loss_of_rack": ("Loss of the game", "Ztráta hry"),
    "loss_of_set": ("Loss of the set", "Ztráta setu"),
    "loss_of_match": ("Loss of the match", "Ztráta zápasu"),
    "ejection": ("Ejection", "Vyloučení"),
    "disagree": ("I do not agree; play goes on", "Nesouhlasím, hraje se dál"),
    "agree": ("I agree", "Souhlasím"),
}

ANNOUNCEMENTS: dict[str, Phrase] = {
    "match_started": ("The match begins", "Zápas začíná"),
    "lag_opened": ("Lag for the break", "Rozhodovací strk o rozehrání"),
    "lag_stroked": ("{name} has lagged", "Rozhodovací strk hráče {name} je zadán"),
    "cue_placed": ("The ball is placed", "Koule je položena"),
    "push_out_declared": ("Push-out announced", "Ohlášen push out"),
    "push_out_taken_back": ("The push-out is taken back", "Push out je odvolán"),
    "called": (
        "{name} calls ball {ball}, {pocket}",
        "{name} ohlašuje kouli č. {ball}, {pocket}",
    ),
    "snooker_declared": ("{name} is snookered", "{name} je snookerován(a)"),
    "called_safety": ("{name} calls a safety", "{name} ohlašuje jistotu"),
    "groups_set": ("{name} has the {group}", "{name} hraje {group}"),
    "struck": ("Stroke {shot}", "Strk {shot}"),
    "judged_legal": ("A legal stroke", "Správný strk"),
    "judged_foul": ("Foul", "Chyba"),
    "judged_points": ("points: {n}", "body: {n}"),
    "judged_illegal_break": (
        "Illegal break: the opponent chooses",
        "Neplatné rozehrání: soupeř volí",
    ),
    "judged_push_out": ("Push-out: the opponent decides", "Push out: rozhoduje soupeř"),
    "judged_lag": ("{name} wins the lag", "Rozhodovací strk vyhrává {name}"),
    "judged_relag": ("Undecided: lag again", "Nerozhodně: rozhodovací strk se opakuje"),
    "judged_lag_open": (
        "Late lag stroke: the referee decides",
        "Pozdní rozhodovací strk: rozhodne rozhodčí",
    ),
    "judged_replay": ("The stroke is played again", "Strk se opakuje"),
    "not_counted": (
        "Without a warning before it, this foul is not counted among those in a row",
        "Bez předchozího upozornění se tato chyba do chyb po sobě nepočítá",
    ),
    "spotted": ("Ball {ball} is spotted", "Koule č. {ball} se vrací na stůl"),
    "chosen": ("{name}: {option}", "{name}: {option}"),
    "chosen_by_clock": (
        "The time ran out. {name}: {option}",
        "Čas vypršel. {name}: {option}",
    ),
    "racked_on": ("The rack stands, {name} goes on", "Koule stojí, pokračuje {name}"),
    "reracking": (
        "{n} balls are racked, {name} goes on",
        "Staví se {n} koulí, pokračuje {name}",
    ),
    "racked": ("Game {rack}: {name} breaks", "Hra {rack}: rozehrává {name}"),
    "two_foul_warning": (
        "{name} is warned: one more foul in a row is a serious foul",
        "{name} je upozorněn(a): další chyba po sobě bude závažný faul",
    ),
    "two_foul_warning_points": (
        "{name} is warned: one more foul in a row costs {n} points and a new break",
        "{name} je upozorněn(a): další chyba po sobě znamená body {n} a nové rozehrání",
    ),
    "turn_started": ("{name} is at the table", "U stolu je {name}"),
    "shot_voided": (
        "The stroke does not count; the table is as before it",
        "Strk se nepočítá; stůl je jako před ním",
    ),
    "clock_imposed": (
        "From the next turn both players have {limit} s a stroke",
        "Od příštího náběhu mají oba hráči {limit} s na strk",
    ),
    "slow_play_warned": (
        "Slow play: the next step is a time limit for both players",
        "Zdržování hry: příště následuje časový limit pro oba hráče",
    ),
    "clock_ran_out": ("{name} has run out of time", "Čas vypršel: {name}"),
    "credited": ("{name}: the network was late, it counts", "Zdržela síť, platí to: {name}"),
    "clock_ran_out_both": ("The time has run out", "Čas vypršel"),
    "shot_extended": (
        "{name} takes the extension: {limit} s more",
        "{name} si bere prodloužení: o {limit} s víc",
    ),
    "time_out_started": (
        "{name} takes a time-out of at most {minutes} min",
        "{name} má time out, nejvýše {minutes} min",
    ),
    "time_out_ended": ("The time-out is over", "Time out skončil"),
    "suspended": ("Play is suspended", "Hra je přerušena"),
    "resumed": ("Play goes on", "Hra pokračuje"),
    "stalemate_agreed": ("{name} agrees to a stalemate", "{name} souhlasí s patem"),
    "stalemate_settled": (
        "Stalemate agreed: the game is played again",
        "Dohodnut pat: hra se opakuje",
    ),
    "game_won": ("{name} wins the game", "Hru vyhrává {name}"),
    "set_won": ("{name} wins the set", "Set vyhrává {name}"),
    "match_won": ("{name} wins the match", "Zápas vyhrává {name}"),
    "placement_warned": (
        "The cue ball lies outside the head area: a stroke from there is a foul",
        "Bílá koule stojí mimo přední pole: strk odtud je chyba",
    ),
    "no_progress": (
        "No progress: visits left to each player before a stalemate: {visits}",
        "Hra nikam nevede: do patu zbývá každému hráči náběhů: {visits}",
    ),
    "balls_restored": ("Balls were put back: {balls}", "Koule vráceny na místo: {balls}"),
    "foul_called": ("Foul called by the referee", "Chyba ohlášená rozhodčím"),
    "watcher_requested": (
        "{name} asks for a neutral person to judge the next stroke",
        "{name} žádá o nezávislou osobu k posouzení příštího strku",
    ),
    "cue_changed": ("{name} changes the cue", "{name} mění tágo"),
    "judgement_upheld": ("The judgement stands", "Rozhodnutí platí"),
    "official_acted": ("{who}: {act}", "{who}: {act}"),
    "claimed": (
        "{name} asks the opponent to agree: {act}",
        "{name} žádá soupeře o souhlas: {act}",
    ),
    "ruling_revised": (
        "The ruling on stroke {shot} is revised",
        "Rozhodnutí o strku {shot} se mění",
    ),
    "wedged_resolved": ("Wedged balls were resolved", "Zaklíněné koule byly posouzeny"),
}

POCKETS: dict[str, Phrase] = {
    "head_left": ("head pocket on the left", "levá přední kapsa"),
    "head_right": ("head pocket on the right", "pravá přední kapsa"),
    "side_left": ("side pocket on the left", "levá střední kapsa"),
    "side_right": ("side pocket on the right", "pravá střední kapsa"),
    "foot_left": ("foot pocket on the left", "levá zadní kapsa"),
    "foot_right": ("foot pocket on the right", "pravá zadní kapsa"),
}
"""Pockets as they are called; left and right as seen from the head."""

GROUPS: dict[str, Phrase] = {
    "solids": ("solids (1–7)", "celé (1–7)"),
    "stripes": ("stripes (9–15)", "půlené (9–15)"),
    "reds": ("reds", "červené"),
    "yellows": ("yellows", "žluté"),
}

REASONS: dict[str, Phrase] = {
    "nine": ("the 9 was pocketed", "zahraná devítka"),
    "black": ("the black was pocketed", "zahraná černá"),
    "black_on_foul": (
        "the black was pocketed on a foul (BB.14a)",
        "černá spadla při chybě (BB.14a)",
    ),
    "black_too_early": (
        "the black was pocketed before the group was cleared (BB.14b)",
        "černá spadla dříve, než byla skupina dohrána (BB.14b)",
    ),
    "eight": ("the 8 was pocketed as called", "osmička zahrána podle ohlášení"),
    "eight_on_break": ("the 8 fell on the break", "osmička spadla při rozehrání"),
    "eight_on_foul": (
        "the 8 was pocketed on a foul (E8.8a)",
        "osmička spadla při chybě (E8.8a)",
    ),
    "eight_too_early": (
        "the 8 was pocketed before the group was cleared (E8.8b)",
        "osmička spadla dříve, než byla skupina dohrána (E8.8b)",
    ),
    "eight_not_called": (
        "the 8 fell into a pocket that was not called (E8.8c)",
        "osmička spadla do neohlášené kapsy (E8.8c)",
    ),
    "eight_off_table": (
        "the 8 was driven off the table (E8.8d)",
        "osmička opustila stůl (E8.8d)",
    ),
    "target": ("the points needed are reached", "dosažen potřebný počet bodů"),
    "three_fouls": ("too many fouls in a row", "příliš mnoho chyb po sobě"),
    "advice": ("the opponent has accepted advice", "soupeř přijal radu"),
    "play_suspended": (
        "the opponent has played on while play was suspended",
        "soupeř hrál, když byla hra přerušena",
    ),
    "concession": ("the opponent gave up", "soupeř vzdal"),
    "disqualify": ("the opponent did not appear", "soupeř se nedostavil"),
    "award_match": ("the opponent did not appear", "soupeř se nedostavil"),
}
"""Why a game or match was won; other reasons are given as they were written."""

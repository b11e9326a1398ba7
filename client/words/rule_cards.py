"""The sentences of the rule cards: which stand there follows from the keys of a ruleset."""

from client.words.phrase import Words

WORDS: Words = {
    "card_aim": ("What it is about", "O co jde"),
    "card_break": ("The break", "Rozehrání"),
    "card_stroke": ("A legal stroke", "Správný strk"),
    "card_foul": ("After a foul", "Po chybě"),
    "card_match": ("The match", "Zápas"),
    "card_here": ("At this table", "U tohoto stolu"),
    "goal_nine_ball": (
        "Nine balls. The lowest on the table must be hit first; any ball may fall. "
        "Who pockets the 9 with a legal stroke wins the game.",
        "Devět koulí. Jako první se musí zasáhnout nejnižší na stole; spadnout smí kterákoli. "
        "Kdo správným strkem potopí devítku, vyhrává hru.",
    ),
    "goal_eight_ball": (
        "Fifteen balls, solids (1–7) and stripes (9–15). Pocket your whole group, then the 8, "
        "each called. The 8 too early, or in another pocket than called, loses the game.",
        "Patnáct koulí, celé (1–7) a půlené (9–15). Potopte celou svou skupinu a pak osmičku, "
        "vše hlášeně. Osmička předčasně nebo v jiné kapse znamená prohranou hru.",
    ),
    "goal_straight_pool": (
        "Fifteen balls; every called ball pocketed is a point. When one is left, the other "
        "fourteen are racked again and play goes on. Who reaches {n} points first wins.",
        "Patnáct koulí, každá hlášená potopená je bod. Když zbude jedna, ostatních čtrnáct se "
        "znovu postaví a hraje se dál. Vyhrává, kdo první získá {n} bodů.",
    ),
    "goal_black_ball": (
        "Seven reds, seven yellows and the black. Pocket your whole group, then the black. "
        "The black too early loses the game. Nothing is called.",
        "Sedm červených, sedm žlutých a černá. Potopte celou svou skupinu a pak černou. "
        "Černá předčasně znamená prohranou hru. Nic se nehlásí.",
    ),
    "break_head": (
        "The cue ball is placed behind the head string.",
        "Bílá se klade do předního pole, za přední čáru.",
    ),
    "break_baulk": (
        "The cue ball is placed in baulk, behind the line.",
        "Bílá se klade do rozstřelového pole, za čáru.",
    ),
    "break_railed": (
        "A ball must fall, or at least {n} balls must reach a rail.",
        "Musí spadnout koule, nebo k mantinelu dojít aspoň {n} koule.",
    ),
    "break_straight": (
        "Unless a called ball falls, the cue ball and {n} object balls must reach a rail.",
        "Nespadne-li hlášená koule, musí k mantinelu dojít bílá a {n} další koule.",
    ),
    "break_options": ("After a foul on it the opponent chooses: {options}.",
                      "Po chybě při něm soupeř volí: {options}."),
    "break_illegal": ("Where too few balls move, he chooses: {options}.",
                      "Rozběhne-li se málo koulí, volí: {options}."),
    "break_eight_choice": ("The 8 on the break: its player chooses to spot it or to break again.",
                           "Osmička při rozehrání: hráč volí její návrat na stůl, nebo nové."),
    "break_eight_spot": ("The 8 on the break comes back to the table, and play goes on.",
                         "Osmička při rozehrání se vrátí na stůl a hraje se dál."),
    "break_eight_win": ("The 8 on the break wins the game.",
                        "Osmička při rozehrání znamená vyhranou hru."),
    "push_out_card": (
        "Right after the break a push-out may be announced: then only a lost cue ball is a foul, "
        "and the opponent chooses who plays on.",
        "Hned po rozehrání lze ohlásit push out: pak je chybou jen ztráta bílé a soupeř volí, "
        "kdo hraje dál.",
    ),
    "stroke_rail": (
        "A ball that may be hit is hit first, and then a ball falls or one reaches a rail.",
        "První je zasažena koule, která smí, a pak některá spadne nebo dojde k mantinelu.",
    ),
    "stroke_called": (
        "Ball and pocket are called before the stroke, or a safety; how the ball gets there does "
        "not matter.",
        "Před strkem se hlásí koule a kapsa, nebo jistota; na cestě koule nezáleží.",
    ),
    "stroke_touching_play_away": (
        "A ball that the cue ball touches must be played away from.",
        "Od koule, které se bílá dotýká, se musí hrát pryč.",
    ),
    "stroke_touching_free_if_frozen": (
        "From a ball that the cue ball is frozen to, one may play in any direction.",
        "Od koule, ke které je bílá přilehlá, se smí hrát kterýmkoli směrem.",
    ),
    "stroke_touching_half_distance": (
        "Close to a ball the stroke must not follow the cue ball far: it would be a double hit.",
        "Je-li bílá těsně u koule, nesmí ji tágo sledovat daleko: byl by to dvojdotyk.",
    ),
    "stroke_no_jump": (
        "Jumping over a ball is a foul.",
        "Přeskočit kouli je chyba.",
    ),
    "foul_in_hand": (
        "The opponent has the cue ball in hand, anywhere on the table.",
        "Soupeř má bílou z ruky kdekoli na stole.",
    ),
    "foul_straight": (
        "A foul costs {foul} point, on the break {breaking}; the balls stay as they lie, and a "
        "scratch gives ball in hand behind the head string.",
        "Chyba stojí {foul} bod, při rozehrání {breaking}; koule zůstanou, spadne-li bílá, "
        "hraje se z ruky z předního pole.",
    ),
    "foul_black": (
        "The opponent has a free shot: any ball may be hit first, from where the cue ball lies or "
        "in hand from baulk, and his visit goes on.",
        "Soupeř má volný strk: první smí být kterákoli koule, z místa nebo z ruky z "
        "rozstřelového pole, a jeho náběh pokračuje.",
    ),
    "three_loss": (
        "{n} fouls in a row lose the game; before the last one there is a warning.",
        "{n} chyby po sobě znamenají ztrátu hry; před poslední je hráč upozorněn.",
    ),
    "three_points": (
        "{n} fouls in a row cost {points} points more, and a new break.",
        "{n} chyby po sobě stojí dalších {points} bodů a nové rozehrání.",
    ),
    "match_race_each": (
        "Handicap: the first player wins with {a} games, the second with {b}.",
        "Handicap: první hráč vyhrává, získá-li {a} her, druhý {b}.",
    ),
    "match_sets_each": (
        "Handicap: the first player wins with {a} sets of {n} games, the second with {b}.",
        "Handicap: první hráč vyhrává, získá-li {a} sady po {n} hrách, druhý {b}.",
    ),
    "match_race": ("The first to win {n} games wins.", "Vyhrává, kdo první získá {n} her."),
    "match_sets": ("{sets} sets to win, each to {n} games.",
                   "Na {sets} vítězné sety, každý do {n} her."),
    "order_winner": ("The winner of a game breaks the next.", "Rozehrává vítěz předchozí hry."),
    "order_alternate": ("The players break in turn.", "Hráči se v rozehrání střídají."),
    "order_loser": ("The loser of a game breaks the next.",
                    "Rozehrává poražený z předchozí hry."),
    "lag_card": ("A lag decides who chooses the first break.",
                 "O prvním rozehrání rozhoduje rozhodovací strk."),
    "concede_card_game": ("Conceding loses the game.", "Vzdáním se ztrácí hra."),
    "concede_card_match": ("Conceding loses the match.", "Vzdáním se ztrácí zápas."),
    "time_outs_card": ("Each player has {n} time-out of {minutes} minutes at most in a set.",
                       "Každý hráč má v setu {n} time out, nejvýš {minutes} minut."),
    "away_card": (
        "Who loses the connection has {n} s to come back, {total} s in a match altogether.",
        "Kdo ztratí spojení, má {n} s na návrat, za celý zápas {total} s.",
    ),
    "guide_card_none": ("There is no aiming line.", "Čára míření se nekreslí."),
    "guide_card_first_contact": ("The aiming line goes to the first contact.",
                                 "Čára míření vede k prvnímu zásahu."),
    "guide_card_full": ("The aiming line shows the whole way.",
                        "Čára míření ukazuje celou dráhu."),
}  # fmt: skip

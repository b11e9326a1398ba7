"""The dialogs: every choice, with what follows from it.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
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
    "choice_late_lag": ("The lag came too late", "Rozhodovací strk přišel pozdě"),
    "choice_penalty": ("Unsportsmanlike conduct: the penalty", "Nesportovní chování: trest"),
    "choice_body": ("It is your choice.", "Volba je na vás."),
    # what follows from an option
    "then_break": ("You break the first rack.", "Rozehráváte první hru."),
    "then_give_break": ("{name} breaks.", "Rozehrává {name}."),
    "then_accept_table": (
        "You shoot; the balls stay as they lie.",
        "Hrajete vy; koule zůstanou, kde jsou.",
    ),
    "then_accept_table_head": (
        "The balls stay as they lie; you place the cue ball behind the head string and shoot.",
        "Koule zůstanou, kde jsou; položíte bílou do předního pole a hrajete.",
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
    "then_relag": ("Both lag once more.", "Oba zahrají rozhodovací strk znovu."),
    "then_lag_stands": (
        "The lag is judged as it was played.",
        "Strk se posoudí tak, jak byl zahrán.",
    ),
    "then_warning": ("Play goes on; the warning is on record.", "Hraje se dál; je to v zápisu."),
    "then_standard_foul": (
        "As after any foul: the opponent has the cue ball in hand.",
        "Jako po každé chybě: soupeř má bílou z ruky.",
    ),
    "then_serious_foul": (
        "As after a foul, and it weighs as the ruleset says.",
        "Jako po chybě, s vahou, jakou určují pravidla.",
    ),
    "then_loss_of_rack": ("The opponent wins this game.", "Soupeř vyhrává tuto hru."),
    "then_loss_of_set": ("The opponent wins this set.", "Soupeř vyhrává tento set."),
    "then_loss_of_match": ("The opponent wins the match.", "Soupeř vyhrává zápas."),
    "then_ejection": (
        "The player is out, and the opponent wins the match.",
        "Hráč je vyloučen a soupeř vyhrává zápas.",
    ),
    "then_disagree": (
        "Everything stays as it was, and the clock goes on.",
        "Vše zůstane, jak bylo, a hodiny jdou dál.",
    ),
    "then_agree": ("It is carried out at once.", "Provede se to hned."),
    "then_pass_back": ("{name} must shoot from here.", "{name} musí hrát z této pozice."),
}

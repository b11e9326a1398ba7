"""What is wanted of the player now.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
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
        "Your shot: call a ball and a pocket ([call]), or a safety ([safety])",
        "Hrajete: ohlaste kouli a kapsu ([call]), nebo jistotu ([safety])",
    ),
    "prompt_call_ball": ("Which ball? {ball}", "Která koule? {ball}"),
    "prompt_call_pocket": (
        "Ball {ball}: which pocket? {pocket}",
        "Koule {ball}: která kapsa? {pocket}",
    ),
    "prompt_called": ("Called: ball {ball}, {pocket}", "Ohlášeno: koule {ball}, {pocket}"),
    "prompt_safety": ("Called: safety", "Ohlášena jistota"),
    "hint_call": (
        "click it on the table, or [turn_left] [turn_right] and Enter · Esc: no call",
        "klepněte na stůl, nebo [turn_left] [turn_right] a Enter · Esc: neohlašovat",
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
    "prompt_again": ("Once more: {what}", "Ještě jednou: {what}"),
    "hint_again": (
        "the match goes on · [again] or Esc: back to it",
        "zápas běží dál · [again] nebo Esc: zpět k němu",
    ),
    "prompt_wait": ("{name} is at the table", "Hraje {name}"),
    "prompt_wait_choice": ("{name} decides", "Rozhoduje {name}"),
    "prompt_running": ("The balls are moving", "Koule se pohybují"),
    "prompt_next": ("The next game is about to begin", "Za chvíli začne další hra"),
    "prompt_referee": ("The referee decides", "Rozhoduje rozhodčí"),
    "prompt_won_game": ("{name} has won the game", "Hru vyhrává {name}"),
    "hint_aim": (
        "drag to aim, Shift for fine · [power_up] [power_down] power · "
        "hold [strike] to draw back, release to strike",
        "táhněte myší, Shift jemně · [power_up] [power_down] síla · "
        "[strike] podržet a pustit: strk",
    ),
    "hint_place": (
        "click, or [turn_left] [turn_right] [power_up] [power_down] and Enter",
        "klepněte, nebo [turn_left] [turn_right] [power_up] [power_down] a Enter",
    ),
    "hint_watch": (
        "drag to look round · [view] changes the view",
        "táhněte myší · [view] mění pohled",
    ),
    "three_foul_points": (
        "You are warned: one more foul in a row costs {n} points and a new break",
        "Jste upozorněni: další chyba po sobě vás stojí {n} bodů a nové rozehrání",
    ),
    "three_foul_hint": (
        "You are on two fouls: a third in a row loses the game",
        "Máte dvě chyby: třetí po sobě znamená ztrátu hry",
    ),
}

"""Names of the actions that have a key (client.play.keys), as the settings list them."""

from client.words.phrase import Words

WORDS: Words = {
    "act_strike": ("Draw back and strike", "Nápřah a strk"),
    "act_turn_left": ("Turn the cue left", "Otočit tágo vlevo"),
    "act_turn_right": ("Turn the cue right", "Otočit tágo vpravo"),
    "act_power_up": ("More power", "Větší síla"),
    "act_power_down": ("Less power", "Menší síla"),
    "act_tip_up": ("Tip up", "Úder výš"),
    "act_tip_left": ("Tip left", "Úder vlevo"),
    "act_tip_down": ("Tip down", "Úder níž"),
    "act_tip_right": ("Tip right", "Úder vpravo"),
    "act_reset_tip": ("Tip to the centre", "Úder na střed"),
    "act_move_cue": ("Take the ball in hand again", "Znovu přemístit bílou"),
    "act_call": ("Call a shot", "Ohlásit"),
    "act_safety": ("Call a safety", "Ohlásit jistotu"),
    "act_spot": ("Spot a ball", "Vrátit kouli na bod"),
    "act_snooker": ("Declare a snooker", "Ohlásit snooker"),
    "act_push_out": ("Push-out", "Push out"),
    "act_time_out": ("Time-out", "Time out"),
    "act_view": ("Next view", "Další pohled"),
    "act_zoom_in": ("Closer", "Blíž"),
    "act_zoom_out": ("Farther", "Dál"),
    "act_mute": ("Sound off or on", "Vypnout, zapnout zvuk"),
    "act_quieter": ("Quieter", "Tišeji"),
    "act_louder": ("Louder", "Hlasitěji"),
    "act_language": ("Change language", "Změnit jazyk"),
    "act_help": ("Show the keys", "Ukázat klávesy"),
}

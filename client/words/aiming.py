"""Tip, views and the sheet of keys.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
    # tip
    "tip": ("Tip on the cue ball", "Místo úderu"),
    "miscue": ("miscue!", "kiks!"),
    "tip_centre": ("centre", "střed"),
    "tip_right": ("right {n}", "vpravo {n}"),
    "tip_left": ("left {n}", "vlevo {n}"),
    "tip_above": ("top {n}", "nahoře {n}"),
    "tip_below": ("bottom {n}", "dole {n}"),
    "raised": ("butt up {n}°", "tágo zdviženo {n}°"),
    "least_over": ("at least {n}°: {thing}", "nejméně {n}°: {thing}"),
    "over_rail": ("the rail", "mantinel"),
    "over_ball": ("ball {n}", "koule {n}"),
    "over_cue_ball": ("cue ball", "bílá"),
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
    "key_rise": (
        "hold: power rises and falls, release: strike",
        "držet: síla roste a klesá, pustit: strk",
    ),
    "key_push": (
        "hold, or the middle button: the mouse strokes",
        "držet, nebo prostřední tlačítko: strk myší",
    ),
    "key_raise": ("raise, lower the butt; Shift 0.1°", "tágo výš, níž; se Shiftem 0,1°"),
    "key_again": ("the last shot again, slowly", "poslední strk znovu a pomalu"),
    "key_skip": ("skip to the end of the shot", "přeskočit na konec strku"),
    "key_tip": ("move the tip", "místo úderu"),
    "key_centre": ("tip to the centre", "tágo na střed"),
    "key_call": ("call ball and pocket; a safety", "ohlásit kouli a kapsu; jistotu"),
    "key_push_out": ("announce a push-out, or not", "ohlásit push out, odvolat"),
    "key_snooker": ("declare a snooker (black ball)", "ohlásit snooker (black ball)"),
    "key_move": ("take the ball in hand again", "znovu přemístit bílou"),
    "key_enter": ("put the ball down", "položit kouli"),
    "help_next": ("click: next page · Esc: close", "klepnutí: další strana · Esc: zavřít"),
    "help_close": ("click or Esc: close", "klepnutí nebo Esc: zavřít"),
    "key_time_out": ("time-out", "time out"),
    "key_view": ("next view; 1 to 5 choose, 0 automatic", "další pohled; 1 až 5, 0 samočinně"),
    "key_zoom": ("closer, farther", "blíž, dál"),
    "key_language": ("čeština", "English"),
    "key_menu": ("menu; concede, leave; take back", "nabídka; vzdát, odejít; zrušit"),
}

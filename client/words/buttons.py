"""Buttons, and why they cannot be pressed.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
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
    # reasons of the client's own
    "why_busy": ("the server has not answered yet", "server ještě neodpověděl"),
    "why_lost": ("there is no connection", "není spojení"),
    "why_watching": ("you are watching", "jen se díváte"),
    "why_place_first": ("put the cue ball down first", "nejdřív položte bílou"),
    "why_not_now": ("not now", "teď to nejde"),
    "cancelled": ("Stroke taken back", "Strk zrušen"),
}

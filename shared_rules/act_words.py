"""What officials do, in words: acts by the name of their command, English and Czech."""

ACTS: dict[str, tuple[str, str]] = {
    "choose": ("a decision", "rozhodnutí"),
    "warn_slow_play": ("a warning for slow play", "napomenutí za zdržování hry"),
    "impose_shot_clock": ("a time limit for the stroke", "časový limit na strk"),
    "suspend": ("play is suspended", "přerušení hry"),
    "resume": ("play goes on", "pokračování hry"),
    "call_foul": ("a foul", "chyba"),
    "unsportsmanlike": ("unsportsmanlike conduct", "nesportovní chování"),
    "award_loss": ("a loss is awarded", "kontumace"),
    "outside_interference": ("outside interference", "vnější zásah do hry"),
    "announce_no_progress": ("the game makes no progress", "hra nikam nevede"),
    "declare_stalemate": ("a stalemate", "pat"),
    "restore_balls": ("balls are put back", "vrácení koulí na místo"),
    "uphold_judgement": ("the judgement stands", "rozhodnutí platí"),
    "resolve_wedged": ("wedged balls", "zaklíněné koule"),
}

BY: dict[str, tuple[str, str]] = {
    "referee": ("Referee", "Rozhodčí"),
    "players": ("By agreement", "Po dohodě hráčů"),
}
"""Who acts."""

"""Sound, and the news that are signalled.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
    "sound": ("Sound", "Zvuk"),
    "louder": ("Louder", "Hlasitěji"),
    "quieter": ("Quieter", "Tišeji"),
    "mute": ("Sound off or on", "Vypnout nebo zapnout zvuk"),
    "key_sound": ("sound off, on; quieter, louder", "zvuk vypnout, zapnout; tišeji, hlasitěji"),
    "sound_level": ("Sound {n} %", "Zvuk {n} %"),
    "sound_muted": ("Sound is off", "Zvuk je vypnutý"),
    "sound_none": (
        "There is no sound device: you play without sound",
        "Nenašlo se zvukové zařízení: hrajete bez zvuku",
    ),
    "sound_damaged": (
        "Sound files are missing or damaged: some sounds are off",
        "Zvukové soubory chybí nebo jsou poškozené: některé zvuky nebudou slyšet",
    ),
    # news
    "news_said": ("{name}: {text}", "{name}: {text}"),
    "news_challenged": ("{name} challenges you", "{name} vás vyzývá"),
    "news_challenge_declined": ("The challenge was declined", "Výzva byla odmítnuta"),
    "news_challenge_withdrawn": ("The challenge was withdrawn", "Výzva byla stažena"),
    "news_challenge_expired": ("The challenge has expired", "Výzva vypršela"),
    "news_challenge_gone": ("The challenge is void", "Výzva už neplatí"),
    "news_match_called": (
        "{name} against you: at {station}",
        "{name} proti vám: stanoviště {station}",
    ),
    "news_call_waits": (
        "Your match against {name} is not called any more: it will be again",
        "Výzva k vašemu zápasu proti hráči {name} neplatí: přijde nová",
    ),
    "news_call_settled": (
        "Your match against {name} is not played any more",
        "Váš zápas proti hráči {name} se už nehraje",
    ),
    "called_rating_difference": (
        "You need {a}, {name} needs {b}: your ratings are {one} and {other}",
        "Vy hrajete na {a}, {name} na {b}: vaše ratingy jsou {one} a {other}",
    ),
    "called_level": (
        "Both need {a}: ratings {one} and {other} give no handicap",
        "Oba hrajete na {a}: ratingy {one} a {other} nedávají handicap",
    ),
    "called_no_rating": (
        "Both need {a}: there is no rating of one of you",
        "Oba hrajete na {a}: jeden z vás nemá rating",
    ),
    "called_chart": (
        "from a difference of {d}: {a} – {b}",
        "od rozdílu {d}: {a} – {b}",
    ),
    "news_match_found": ("You play {name}", "Hrajete s hráčem {name}"),
    "news_rematch": ("{name} offers a rematch", "{name} nabízí odvetu"),
    "news_friend": ("{name} has sat down at a table", "{name} sedí u stolu"),
}

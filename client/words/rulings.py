"""What a shot meant.  English and Czech."""

from client.words.phrase import Words

WORDS: Words = {
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
}

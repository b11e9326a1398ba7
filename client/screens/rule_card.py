"""The card of a game: its rules in plain sentences, from the keys of the ruleset.  Pure."""

from client.hud.page import Heading, Paragraph, Widget
from client.words import say
from shared_rules.ruleset import Ruleset
from shared_rules.state import Option
from shared_rules.wording import option_text


def rule_card(rules: Ruleset, language: str) -> tuple[tuple[Widget, ...], ...]:
    """Two columns of headings and sentences."""

    def part(key: str, *sentences: str) -> tuple[Widget, ...]:
        texts = tuple(Paragraph(sentence) for sentence in sentences if sentence)
        return (Heading(say(language, key)), *texts)

    first = (
        *part("card_aim", say(language, f"goal_{rules.discipline}", n=rules.target)),
        *part("card_break", *_break(rules, language)),
        *part("card_stroke", *_stroke(rules, language)),
    )
    second = (
        *part("card_foul", *_foul(rules, language)),
        *part("card_match", *_match(rules, language)),
        *part("card_here", *_here(rules, language)),
    )
    return first, second


def _options(options: tuple[str, ...], language: str) -> str:
    texts = [option_text(Option(option), language) for option in options]
    return "; ".join(text[:1].lower() + text[1:] if text[:2] != "I " else text for text in texts)


def _break(rules: Ruleset, language: str) -> list[str]:
    keys = rules.break_
    straight = rules.discipline == "straight_pool"
    railed = "break_straight" if straight else "break_railed"
    said = [say(language, f"break_{keys.area}"), say(language, railed, n=keys.min_railed)]
    if len(keys.foul_options) > 1:
        options = _options(keys.foul_options, language)
        said.append(say(language, "break_options", options=options))
    if keys.illegal_options:
        options = _options(keys.illegal_options, language)
        said.append(say(language, "break_illegal", options=options))
    if rules.discipline == "eight_ball":
        said.append(say(language, f"break_eight_{keys.eight}"))
    if rules.push_out.enabled:
        said.append(say(language, "push_out_card"))
    return said


def _stroke(rules: Ruleset, language: str) -> list[str]:
    said = [say(language, "stroke_rail")]
    if rules.call == "required":
        said.append(say(language, "stroke_called"))
    said.append(say(language, f"stroke_touching_{rules.touching.mode}"))
    if rules.jump.over_ball == "foul":
        said.append(say(language, "stroke_no_jump"))
    return said


def _foul(rules: Ruleset, language: str) -> list[str]:
    points = rules.points
    if rules.discipline == "straight_pool":
        first = say(language, "foul_straight", foul=-points.foul, breaking=-points.breaking_foul)
    else:
        black = rules.discipline == "black_ball"
        first = say(language, "foul_black" if black else "foul_in_hand")
    limit = rules.three_foul.limit
    if limit is None:
        return [first]
    if rules.three_foul.penalty == "points":
        return [first, say(language, "three_points", n=limit, points=-points.third_foul)]
    return [first, say(language, "three_loss", n=limit)]


def _match(rules: Ruleset, language: str) -> list[str]:
    keys = rules.match
    said = []
    if keys.races is not None:
        key = "match_sets_each" if keys.sets_to_win > 1 else "match_race_each"
        said.append(say(language, key, a=keys.races[0], b=keys.races[1], n=keys.games_to_win))
    elif keys.sets_to_win > 1:
        said.append(say(language, "match_sets", sets=keys.sets_to_win, n=keys.games_to_win))
    elif rules.discipline != "straight_pool" or keys.games_to_win > 1:
        said.append(say(language, "match_race", n=keys.games_to_win))
    said.append(say(language, "lag_card"))
    if keys.games_to_win > 1 or keys.sets_to_win > 1:
        said.append(say(language, f"order_{keys.break_order}"))
    said.append(say(language, f"concede_card_{rules.concede_scope}"))
    return said


def _here(rules: Ruleset, language: str) -> list[str]:
    out, away = rules.time_out, rules.disconnect
    said = []
    if out.in_last_set:
        minutes = f"{out.max_s / 60:g}"
        said.append(say(language, "time_outs_card", n=out.in_last_set, minutes=minutes))
    said.append(say(language, "away_card", n=f"{away.grace_s:g}", total=f"{away.budget_s:g}"))
    said.append(say(language, f"guide_card_{rules.aids.guide_line}"))
    if rules.changed:
        said.append(say(language, "rules_changed", keys=", ".join(rules.changed)))
    return said

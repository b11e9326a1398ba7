"""What a server tells beside one's own table, as a line to read in passing."""

from client.called import called_lines
from client.hud.rulings import Line
from client.net.company import News
from client.words import say
from shared_rules import messages as m

LONGEST_LINE = 140


def news_line(language: str, news: News) -> Line | None:
    """The line, or None for what is shown elsewhere."""
    if isinstance(news, m.Said):
        text = news.line.text
        if len(text) > LONGEST_LINE:
            text = text[: LONGEST_LINE - 1] + "…"
        return say(language, "news_said", name=news.line.by, text=text), "plain"
    if isinstance(news, m.Challenged):
        return say(language, "news_challenged", name=news.challenge.by), "note"
    if isinstance(news, m.ChallengeOver):
        return say(language, f"news_challenge_{news.outcome}"), "note"
    if isinstance(news, m.MatchFound):
        return say(language, "news_match_found", name=news.opponent), "good"
    if isinstance(news, m.MatchCalled):
        called = say(language, "news_match_called", name=news.opponent, station=news.station)
        return ". ".join([called, *called_lines(news, language)[:1]]), "good"
    if isinstance(news, m.MatchCallOver):
        key = "news_call_waits" if news.waits else "news_call_settled"
        return say(language, key, name=news.opponent), "note"
    if isinstance(news, m.RematchOffered):
        return say(language, "news_rematch", name=news.by), "note"
    if isinstance(news, m.FriendSeated):
        return say(language, "news_friend", name=news.name), "plain"
    return None

"""The bench's stored matches are such as a server reads."""

from server.bench.sections import Size, storage


def test_every_question_is_answered_and_timed() -> None:
    title, *lines = storage(Size(matches=60))
    assert title.startswith("60 stored matches")
    assert len(lines) == 8 and all("median" in line for line in lines)

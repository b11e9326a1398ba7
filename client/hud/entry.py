"""A line of text being written: what keys and a paste make of it.  Pure."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Entry:
    """The text, where the caret stands (characters before it), and the most characters."""

    text: str = ""
    caret: int = 0
    most: int = 64

    @classmethod
    def of(cls, text: str, most: int = 64) -> "Entry":
        """A text with the caret at its end."""
        text = text[:most]
        return cls(text, len(text), most)

    def typed(self, letters: str) -> "Entry":
        """Letters typed or pasted at the caret; line breaks become spaces, signs that can't be
        written are left out, and so is what has no room."""
        letters = "".join(" " if c in "\r\n\t" else c for c in letters)
        letters = "".join(c for c in letters if c.isprintable())[: self.most - len(self.text)]
        text = self.text[: self.caret] + letters + self.text[self.caret :]
        return replace(self, text=text, caret=self.caret + len(letters))

    def key(self, name: str, whole_word: bool = False) -> "Entry":
        """A key that moves the caret or takes letters away; others change nothing."""
        at, text = self.caret, self.text
        left = self._word_left() if whole_word else max(at - 1, 0)
        right = self._word_right() if whole_word else min(at + 1, len(text))
        match name:
            case "backspace":
                return replace(self, text=text[:left] + text[at:], caret=left)
            case "delete":
                return replace(self, text=text[:at] + text[right:])
            case "arrow_left":
                return replace(self, caret=left)
            case "arrow_right":
                return replace(self, caret=right)
            case "home":
                return replace(self, caret=0)
            case "end":
                return replace(self, caret=len(text))
        return self

    def placed(self, caret: int) -> "Entry":
        """The caret put somewhere, as by the mouse."""
        return replace(self, caret=min(max(caret, 0), len(self.text)))

    def _word_left(self) -> int:
        before = self.text[: self.caret].rstrip()
        return before.rfind(" ") + 1

    def _word_right(self) -> int:
        after = self.text[self.caret :]
        start = len(after) - len(after.lstrip())
        end = after.find(" ", start)
        return len(self.text) if end < 0 else self.caret + end

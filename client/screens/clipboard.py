"""The system's clipboard, by ``pyperclip``."""

import pyperclip


class NoClipboard(RuntimeError):
    """It can't be read or written; the message says why."""


def paste() -> str:
    """The text that lies in the clipboard.

    Raises:
        NoClipboard: it can't be read here (on Linux xclip, xsel or wl-clipboard is needed).
    """
    try:
        return str(pyperclip.paste())
    except pyperclip.PyperclipException as error:
        raise NoClipboard("xclip, xsel, wl-clipboard") from error
    except OSError as error:
        raise NoClipboard(str(error)) from error


def copy(text: str) -> None:
    """Put a text into the clipboard.

    Raises:
        NoClipboard: it can't be written here.
    """
    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException as error:
        raise NoClipboard("xclip, xsel, wl-clipboard") from error
    except OSError as error:
        raise NoClipboard(str(error)) from error

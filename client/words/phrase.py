"""What a table of words is: by key the English and the Czech, with ``{}`` places filled by name."""

Words = dict[str, tuple[str, str]]

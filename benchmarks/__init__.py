"""What is measured beside the tests: speed against another engine, the figures of a page."""

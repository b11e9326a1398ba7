"""Everything seen and heard, made by the scripts in this package; the results are committed."""

"""Tests of the rules: what both ends must agree on."""

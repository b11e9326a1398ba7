"""Tests of the web pages."""

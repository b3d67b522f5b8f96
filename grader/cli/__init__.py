"""The commands behind make: their words, what they run, and how a failure becomes a sentence."""

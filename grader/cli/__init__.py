"""The commands behind make: their options, their functions, and errors as sentences."""

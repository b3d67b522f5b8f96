"""The commands behind make: options, functions, and errors as sentences."""

"""The commands between two checks: watch, hint, debug, predict, progress, submit."""

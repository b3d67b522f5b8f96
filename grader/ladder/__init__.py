"""`make ladder-<name>`: every rung of an assignment as a table, plots and a file of times."""

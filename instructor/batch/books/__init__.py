"""The files about a class: gradebook, pages, JUnit, made from the result.json files alone."""

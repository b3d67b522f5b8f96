"""`make crosscheck`: compares the CPU device's times, counts and findings with a GPU's own."""

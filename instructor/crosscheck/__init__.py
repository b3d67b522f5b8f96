"""`make crosscheck`: the CPU device's times, counts and findings beside a GPU's own."""

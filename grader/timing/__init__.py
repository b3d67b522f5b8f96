"""From programs and cases to times and points, measured on a GPU or modelled on the CPU device.

Both have one interface (clock.py).
"""

"""From programs and cases to times and points, measured on a GPU or modelled on the CPU device.

Measured and modelled times have the same interface (clock.py).
"""

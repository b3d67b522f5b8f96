"""From programs and cases to times and points, measured on a GPU or modelled on the CPU device.

The two ways have one interface.
"""

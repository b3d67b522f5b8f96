"""The modelled time of a program that was profiled on the CPU device: docs/cpu-device.md.

python -m cpudevice.model cpudevice-profile.json --model t4
"""

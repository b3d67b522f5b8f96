"""Chooses the clock: measured on a GPU, modelled on the CPU device."""

from pathlib import Path

from cpudevice.model.gpu import Gpu
from grader.base.device import Device
from grader.timing.clock import Clock
from grader.timing.measured import MeasuredClock
from grader.timing.modelled import ModelledClock


def choose_clock(root: Path, device: Device, model: Gpu) -> Clock:
    return MeasuredClock(root, device) if device.measures else ModelledClock(root, model)

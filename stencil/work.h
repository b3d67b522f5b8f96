// The work of an item: in a real program, tracing a ray or moving a particle by one step.
#pragma once

#include "random.h"

// A chain of `rounds` steps, each of which needs the step before. The same on host and device.
HARNESS_HOST_DEVICE inline unsigned work(unsigned value, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    value = value * 1664525u + 1013904223u;
    value ^= value >> 16;
  }
  return value;
}

// After its work an item lives on or dies; an eighth dies.
HARNESS_HOST_DEVICE inline bool survives(unsigned value) {
  return value >= 1u << 29;
}

// The order of the keys of bitonic_sort: IEEE 754's totalOrder, as an order of integers.
#pragma once

#include "random.h"

// Converts the bits of a float to an int and back, so that floats are in total order exactly when
// the ints are in the order of <. A float is sign and magnitude: of two negative floats the float
// with the larger magnitude is less, so the 31 bits of the magnitude are inverted.
HARNESS_HOST_DEVICE inline int total_order(int bits) {
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}

// The contracts of the two parts: sorting pairs in device memory.
#pragma once

#include <cstddef>

#include "workspace.h"

// The bytes that the workspace of a call for n pairs holds at least: a second copy of keys and
// values, and half a byte per pair besides, for counts, samples and the like.
constexpr size_t workspace_bytes(int n) {
  const auto pairs = static_cast<size_t>(n);
  return 8 * pairs + pairs / 2 + (size_t{4} << 20);
}

// Part bitonic_sort: sorts n pairs (keys[i], indices[i]) by ascending key, with a sorting network.
//
// keys, indices   device pointers to n elements each, sorted in place; they belong to the
//                 caller, do not overlap and begin on a 16-byte boundary. Nothing after element
//                 n - 1 may be touched, whatever n is:
//                 no padding to a power of two.
// n               >= 0
// workspace       holds workspace_bytes(n) bytes; most rungs need no scratch
//
// Every float is a key. The order is IEEE 754's totalOrder, see total_order.h: NaNs of negative
// sign, -inf, negative numbers, -0, +0, positive numbers, +inf, NaNs of positive sign; NaNs of
// equal sign by their bits. No bit of a key may change. Pairs of equal keys may end in any order.
// The function may return before the device has finished. Throws CudaError when a launch fails.
void bitonic_sort(float* keys, unsigned* indices, int n, Workspace& workspace);

// Part merge_sort: sorts n pairs (keys[i], values[i]) by ascending key, stably: pairs of equal keys
// keep their order.
//
// keys, values    as above; the result is in place, whatever happens in the workspace meanwhile
// n               >= 0
// workspace       holds workspace_bytes(n) bytes
//
// The function may return before the device has finished. Throws CudaError when a launch fails.
void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace);

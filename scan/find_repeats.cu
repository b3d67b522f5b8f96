// find_repeats: all i with input[i] == input[i + 1], in ascending order, and how many there are.
// Yours to edit.
//
// The contract is in scan.h, the explanation in README.md.
//   make check-scan PART=find_repeats                                         grades it
//   make build/cpu/scan/find_repeats && build/cpu/scan/find_repeats --n 1000  runs it once
#include "scan.h"

#include "cuda_check.h"

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  // TODO(1): a kernel that writes 1 for each i with input[i] == input[i + 1] and 0 for the others.
  // Which i is the last element's? About 5 lines.
  // TODO(2): scan the flags: the sum before a repeat is the repeat's place in the output. Copy what
  // you wrote for the other part. About 3 lines.
  // TODO(3): a kernel that puts each repeat in place. About 5 lines.
  // TODO(4): how many repeats? Read the count back with cudaMemcpy. n may be 0 or 1. About 4 lines.
  return 0;
}

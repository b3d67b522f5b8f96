// Data races in global memory: between threads, warps and blocks.

// Threads of a block exchange values.
// finding: race @b @a
void exchange() {
  a.scratch[i] = value;                            // @a
  __syncthreads();                                 // right
  value = a.scratch[i - t + (t + 32) % kThreads];  // @b
}

// Lanes of a warp exchange values.
// finding: race @b @a
void between_lanes() {
  a.scratch[i] = value;      // @a
  __syncwarp();              // right
  value = a.scratch[i ^ 1];  // @b
}

// All threads count in the same variable.
// finding: race @a @a
void count() {
  atomicAdd(&a.scratch[0], 1);      // right
  a.scratch[0] = a.scratch[0] + 1;  // wrong @a
}

// A __device__ variable as a counter.
// finding: race @a @a
void device_variable() {
  atomicAdd(&table[3], value);  // right
  table[3] += value;            // wrong @a
}

// The largest element, by a test and a store.
// finding: race @a @a
void maximum() {
  atomicMax(&a.scratch[0], value);                             // right
  a.scratch[0] = value > a.scratch[0] ? value : a.scratch[0];  // wrong @a
}

// Threads append to a list.
// finding: race @a @a
void append() {
  const int place = atomicAdd(&a.counters[1], 1);  // right
  const int place = a.counters[1]++;               // wrong @a
  a.counters[2 + place % 64] = 1;
}

// A block reads what the next block writes.
// finding: race @b @a
// not in: last_block
void next_block() {
  a.scratch[i] = value;                                     // @a
  value = a.scratch[i];                                     // right
  value = a.scratch[(group + 1) % kGroups * kThreads + t];  // wrong @b
}

// Blocks have a place each, and one block sets all places to zero.
// finding: race @b @a
// not in: last_block
void reset_by_one() {
  if (group == 0 && t == 7) {                       // wrong
    for (int j = 0; j < kGroups; ++j) {             // wrong
      a.scratch[j] = 1;                             // wrong @a
    }                                               // wrong
  }                                                 // wrong
  if (t == 0) atomicAdd(&a.scratch[group], value);  // @b
}

// All blocks write different values to the same place.
// finding: race @a @a
// not in: last_block
void same_place() {
  a.scratch[i] = group;             // right
  a.scratch[i % kThreads] = group;  // wrong @a
}

// The index of a block leaves out a dimension.
// finding: race @a @a
// not in: last_block
void overlapping_tiles() {
  a.scratch[group * kThreads + t] = value;        // right
  a.scratch[group * (kThreads - 1) + t] = value;  // wrong @a
}

// Blocks add under a lock, which is given back without a fence.
// finding: race @a @a
// not in: last_block
void lock() {
  if (t == 0) {
    while (atomicCAS(&a.counters[1], 0, 1) != 0) {
    }
    __threadfence();
    a.scratch[0] = a.scratch[0] + 1;  // @a
    __threadfence();                  // right
    atomicExch(&a.counters[1], 0);
  }
}

// A block takes over from the block before, by a flag without a fence.
// finding: race @b @a
// not in: last_block branch
void chain() {
  if (t == 0) {
    if (group > 0) {
      while (atomicAdd(&a.counters[group], 0) == 0) {
      }
      __threadfence();
      value += a.scratch[group - 1];  // @b
    }
    a.scratch[group] = value;  // @a
    __threadfence();           // right
    atomicExch(&a.counters[group + 1], 1);
  }
}

// Data races in shared memory.

// Each thread reads what another thread has written.
// finding: race @b @a
void exchange() {
  __shared__ int tile[kThreads];
  tile[t] = value;                 // @a
  __syncthreads();                 // right
  value = tile[kThreads - 1 - t];  // @b
}

// Each thread overwrites what another thread has yet to read.
// finding: race @a @b
void overwrite() {
  __shared__ int tile[kThreads];
  tile[t] = value;
  __syncthreads();
  const int other = tile[kThreads - 1 - t];  // @a
  __syncthreads();                           // right
  tile[t] = other + 1;                       // @b
  __syncthreads();
  value = tile[t];
}

// All threads count in the same variable.
// finding: race @a @a
void count() {
  __shared__ int total;
  if (t == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);  // right
  total += 1;            // wrong @a
  __syncthreads();
  value += total;
}

// A thread sets a counter to zero, which all threads then change by atomics.
// finding: race @b @a
void reset() {
  __shared__ int total;
  if (t == 0) total = 0;     // @a
  __syncthreads();           // right
  atomicAdd(&total, value);  // @b
  __syncthreads();
  value = total;
}

// A thread computes a value for all threads.
// finding: race @b @a
void broadcast() {
  __shared__ int factor;
  if (t == 40) factor = value + 1;  // @a
  __syncthreads();                  // right
  value *= factor;                  // @b
}

// A sum by a tree, with a barrier missing in the loop.
// finding: race @a @a
void tree() {
  __shared__ int sums[kThreads];
  sums[t] = value;
  __syncthreads();
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    if (t < distance) sums[t] += sums[t + distance];  // @a
    __syncthreads();                                  // right
  }
  __syncthreads();  // wrong
  value += sums[0];
}

// A prefix sum in a single array, without a barrier between reads and writes.
// finding: race @a @b
void prefix_sum() {
  __shared__ int sums[kThreads];
  sums[t] = value;
  for (int distance = 1; distance < kThreads; distance *= 2) {
    __syncthreads();
    const int before = t >= distance ? sums[t - distance] : 0;  // @a
    __syncthreads();                                            // right
    sums[t] += before;                                          // @b
  }
  __syncthreads();
  value = sums[t];
}

// Each warp leaves a sum for the others.
// finding: race @b @a
void between_warps() {
  __shared__ int sums[kThreads / 32];
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAll, value, distance);
  if (lane == 0) sums[t / 32] = value;  // @a
  __syncthreads();                      // right
  value = sums[0] + sums[1];            // @b
}

// Lanes of a warp exchange values.
// finding: race @b @a
void between_lanes() {
  __shared__ int tile[kThreads];
  tile[t] = value;      // @a
  __syncwarp();         // right
  value = tile[t ^ 1];  // @b
}

// A warp adds up in steps that only a volatile variable keeps apart.
// finding: race @a @a
void volatile_sum() {
  __shared__ volatile int sums[kThreads + 32];
  sums[t] = value;
  if (t < 32) sums[kThreads + t] = 0;
  __syncthreads();
  if (t < 32) {
    for (int distance = 32; distance > 0; distance /= 2) {
      const int sum = sums[t] + sums[t + distance];  // right
      __syncwarp();                                  // right
      sums[t] = sum;                                 // right
      __syncwarp();                                  // right
      sums[t] = sums[t] + sums[t + distance];        // wrong @a
    }
  }
  __syncthreads();
  value = sums[0];
}

// Threads with the same digit count in the same bin.
// finding: race @a @a
void histogram() {
  __shared__ int bins[8];
  if (t < 8) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[value % 8], 1);         // right
  bins[value % 8] = bins[value % 8] + 1;  // wrong @a
  __syncthreads();
  value = bins[t % 8];
}

// Two threads have the same place, since the index is wrong.
// finding: race @a @a
void same_place() {
  __shared__ int tile[kThreads];
  tile[t] = t;      // right
  tile[t / 2] = t;  // wrong @a
  __syncthreads();
  value += tile[t / 2];
}

// A barrier object in shared memory, used by other threads before its initialisation is certain.
// finding: race @b @a
void own_barrier() {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (t == 0) init(&barrier, kThreads);  // @a
  __syncthreads();                       // right
  if (t != 1) (void)barrier.arrive();    // @b
}

// A flag between two warps, which the second warp may read before the flag has a first value.
// finding: race @b @a
void first_value_of_a_flag() {
  __shared__ volatile int flag;
  __shared__ int sent;
  if (t == 0) flag = 0;  // @a
  __syncthreads();       // right
  if (t == 0) {
    sent = value;
    __threadfence_block();
    flag = 1;
  } else if (t == 32) {
    while (flag == 0) {  // @b
    }
    value = sent;
  }
}

// A lane changes a value that the warp has already seen, through another, volatile name.
// finding: race @b @a
void second_store() {
  __shared__ int number;
  volatile int* const name = &number;
  if (t == 0) number = value;
  __syncwarp();
  if (t == 0) *name = value + 1;  // @a
  __syncwarp();                   // right
  if (t == 1) value = *name;      // @b
}

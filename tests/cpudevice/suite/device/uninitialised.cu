// Reads of unwritten memory.

// A half of the threads fills a table that all read.
// finding: uninitialised @a
void shared_half() {
  __shared__ int tile[kThreads];
  if (t < kThreads) tile[t] = value;      // right
  if (t < kThreads / 2) tile[t] = value;  // wrong
  __syncthreads();
  value = tile[kThreads - 1 - t];  // @a
}

// A counter in shared memory that no thread sets to zero.
// finding: uninitialised @a
// not in: loop work_list persistent last_block
void shared_counter() {
  __shared__ int total;
  if (t == 0) total = 0;  // right
  __syncthreads();
  atomicAdd(&total, 1);  // @a
  __syncthreads();
  value = total;
}

// An array from cudaMalloc is assumed to be zero.
// finding: uninitialised @a
void sums() {
  a.fresh[i] = 0;       // right
  a.fresh[i] += value;  // @a
}

// Counters from cudaMalloc are assumed to be zero.
// finding: uninitialised @a
void atomics() {
  atomicAdd(&a.scratch[i], 1);  // right
  atomicAdd(&a.fresh[i], 1);    // wrong @a
}

// An element of a group is left out.
// finding: uninitialised @a
void gap() {
  a.fresh[i] = value;               // right
  if (t != 11) a.fresh[i] = value;  // wrong
  __syncthreads();
  value = a.fresh[i - t + (t + 1) % kThreads];  // @a
}

// Memory from malloc in a kernel.
// finding: uninitialised @a
void device_heap() {
  int* own = static_cast<int*>(malloc(4 * sizeof(int)));
  own[0] = value;
  own[1] = value;   // right
  value += own[1];  // @a
  free(own);
}

// An edge of a tile with a halo is not loaded.
// finding: uninitialised @a
// not in: loop work_list persistent last_block
void halo() {
  __shared__ int tile[kThreads + 2];
  tile[t + 1] = value;
  if (t == 0) tile[0] = tile[kThreads + 1] = 0;  // right
  if (t == 0) tile[0] = 0;                       // wrong
  __syncthreads();
  value = tile[t] + tile[t + 2];  // @a
}

// A tree over fewer elements than the tree has leaves.
// finding: uninitialised @a
// not in: loop work_list persistent last_block
void leaves() {
  __shared__ int sums[kThreads];
  if (t < 50) sums[t] = value;   // wrong
  sums[t] = t < 50 ? value : 0;  // right
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (t < distance) sums[t] += sums[t + distance];  // @a
  }
  __syncthreads();
  value = sums[0];
}

// Of two copies of the block, the wait leaves out the second copy.
// finding: uninitialised @b @a
void copy_not_waited_for() {
  __shared__ int first[kThreads], second[kThreads];
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, first, a.in, sizeof(first));
  cooperative_groups::memcpy_async(block, second, a.in, sizeof(second));  // @a
  cooperative_groups::wait(block);                                        // right
  cooperative_groups::wait_prior<1>(block);                               // wrong
  value += first[t] + second[t];                                          // @b
  block.sync();
}

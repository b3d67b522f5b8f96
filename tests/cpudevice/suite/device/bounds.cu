// Accesses past the bounds of arrays.

// The last thread of all reads one element too many. (In a tail the compiler leaves the read out,
// since the result is unused.)
// finding: bad_access @a
// not in: tail
void past_end() {
  value += a.scratch[i + 1 < kItems ? i + 1 : i];  // right
  value += a.scratch[i + 1];                       // wrong @a
}

// The first thread of all reads the element before the first.
// finding: bad_access @a
void before_start() {
  value += a.scratch[i > 0 ? i - 1 : i];  // right
  value += a.scratch[i - 1];              // wrong @a
}

// A loop over the array in steps of the grid goes one step too far.
// finding: bad_access @a
void stride_loop() {
  for (int j = i; j < kItems; j += kThreads)     // right
    for (int j = i; j <= kItems; j += kThreads)  // wrong
      value += a.scratch[j];                     // @a
}

// A store past the end.
// finding: bad_access @a
void store_past_end() {
  if (2 * i < kItems) a.scratch[2 * i] = value;   // right
  if (2 * i <= kItems) a.scratch[2 * i] = value;  // wrong @a
}

// A matrix is read by rows of the wrong length.
// finding: bad_access @a
void wrong_pitch() {
  value += a.scratch[group * kThreads + t];         // right
  value += a.scratch[group * (kThreads + 16) + t];  // wrong @a
}

// An atomic past the end.
// finding: bad_access @a
void atomic_past_end() {
  atomicAdd(&a.scratch[i % kItems], 1);  // right
  atomicAdd(&a.scratch[i + a.one], 1);   // wrong @a
}

// A table in shared memory without a place for the last neighbour.
// finding: bad_access @a
void shared_past_end() {
  __shared__ int tile[kThreads + 1];  // right
  __shared__ int tile[kThreads];      // wrong
  tile[t + a.one] = value;            // @a
  __syncthreads();
  value += tile[t > 0 ? t : 1];
}

// A table in shared memory is read before its beginning. (In a reduction the array of the structure
// lies before the table, and its accesses race with these reads.)
// finding: bad_access @a
// not in: reduction
void shared_before_start() {
  __shared__ int tile[kThreads];
  tile[t] = value;
  __syncthreads();
  value += tile[t > 0 ? t - a.one : 0];  // right
  value += tile[t - a.one];              // wrong @a
}

// A local array is read past its end.
// finding: bad_access @a
void local_past_end() {
  const int own[4] = {value, t, group, i};
  value = own[t & 3];            // right
  value = own[(t & 3) + a.one];  // wrong @a
}

// A __device__ array.
// finding: bad_access @a
void device_array() {
  value += table[i % kItems];  // right
  value += table[i + a.one];   // wrong @a
}

// A __constant__ array.
// finding: bad_access @a
void constant_array() {
  value += weights[i % kItems];  // right
  value += weights[i + a.one];   // wrong @a
}

// Memory from malloc in a kernel is too small.
// finding: bad_access @a
void device_heap() {
  int* own = static_cast<int*>(malloc(4 * sizeof(int)));  // right
  int* own = static_cast<int*>(malloc(4));                // wrong
  for (int j = 0; j < 4; ++j)
    own[j] = value;  // @a
  value = own[0];
  free(own);
}

// Memory from malloc is used after it was freed.
// finding: bad_access @a
void freed_on_device() {
  int* own = static_cast<int*>(malloc(8));
  own[0] = value;
  value = own[0];  // right
  free(own);
  value = own[0];  // wrong @a
}

// A vector of four elements at a misaligned address.
// finding: misaligned @a
void vector() {
  const int first = t & ~3;                                      // right
  const int first = (t & ~3) + a.one;                            // wrong
  value += reinterpret_cast<const int4*>(&a.scratch[first])->y;  // @a
}

// A thread reads a local variable of another thread.
// finding: bad_access @a
void local_of_another() {
  __shared__ const int* places[kThreads];
  int own[2] = {value, t};
  places[t] = own;
  __syncthreads();
  value = places[t][value & 1];      // right
  value = places[t ^ 1][value & 1];  // wrong @a
  __syncthreads();
}

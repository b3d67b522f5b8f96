// The structures of kernels, with each pattern in place of `STEP;`. All threads of a
// block come to the step together, once for each group of the block, with
//
//     t      the thread's number in the block       group   the group of elements
// lane   the thread's number in the warp        i       the thread's element of the group
//     value  the element; the step may change it    a       the arrays
//
// A barrier stands between two steps of a block.

// structure: straight
__global__ void NAME(Arrays a) {
  const int t = threadIdx.x, lane = t % 32, group = blockIdx.x, i = group * kThreads + t;
  int value = a.in[i];
  STEP;
  a.out[i] = value;
}
void run(Arrays a) {
  NAME<<<kGroups, kThreads>>>(a);
}

// structure: loop
__global__ void NAME(Arrays a) {
  const int t = threadIdx.x, lane = t % 32;
  for (int round = 0; round < 3; ++round) {
    const int group = round * gridDim.x + blockIdx.x, i = group * kThreads + t;
    int value = a.in[i];
    STEP;
    a.out[i] = value;
    __syncthreads();
  }
}
void run(Arrays a) {
  NAME<<<kGroups / 3, kThreads>>>(a);
}

// structure: branch
__global__ void NAME(Arrays a) {
  const int t = threadIdx.x, lane = t % 32, group = blockIdx.x, i = group * kThreads + t;
  int value = a.in[i];
  if (group % 3 == 1) {
    value = -value;
  } else {
    STEP;
  }
  a.out[i] = value;
}
void run(Arrays a) {
  NAME<<<kGroups, kThreads>>>(a);
}

// structure: reduction
__global__ void NAME(Arrays a) {
  __shared__ int sums[kThreads];
  const int t = threadIdx.x, lane = t % 32, group = blockIdx.x, i = group * kThreads + t;
  int value = a.in[i];
  STEP;
  sums[t] = value;
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (t < distance) sums[t] += sums[t + distance];
  }
  if (t == 0) atomicAdd(&a.out[0], sums[0]);
}
void run(Arrays a) {
  NAME<<<kGroups, kThreads>>>(a);
}

// structure: work_list
__global__ void NAME(Arrays a) {
  __shared__ int next;
  const int t = threadIdx.x, lane = t % 32;
  int group = blockIdx.x;
  while (group < kGroups) {
    const int i = group * kThreads + t;
    int value = a.in[i];
    STEP;
    a.out[i] = value;
    if (t == 0) next = gridDim.x + atomicAdd(&a.counters[kItems - 1], 1);
    __syncthreads();
    group = next;
    __syncthreads();
  }
}
void run(Arrays a) {
  NAME<<<4, kThreads>>>(a);
}

// structure: persistent
__global__ void NAME(Arrays a) {
  const int t = threadIdx.x, lane = t % 32;
  for (int group = blockIdx.x; group < kGroups; group += gridDim.x) {
    const int i = group * kThreads + t;
    int value = a.in[i];
    __syncthreads();
    STEP;
    a.out[i] = value;
  }
}
void run(Arrays a) {
  NAME<<<4, kThreads>>>(a);
}

// structure: tail
__global__ void NAME(Arrays a) {
  const int t = threadIdx.x, lane = t % 32, group = blockIdx.x, i = group * kThreads + t;
  int value = i < a.n ? a.in[i] : 0;
  STEP;
  if (i < a.n) a.out[i] = value;
}
void run(Arrays a) {
  a.n = kItems - 27;
  NAME<<<(a.n + kThreads - 1) / kThreads, kThreads>>>(a);
}

// structure: call
template <class Element>
__device__ __noinline__ Element NAME_step(const Arrays& a, int t, int group, Element value) {
  const int lane = t % 32, i = group * kThreads + t;
  STEP;
  return value;
}
__global__ void NAME(Arrays a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a.out[i] = NAME_step<int>(a, threadIdx.x, blockIdx.x, a.in[i]);
}
void run(Arrays a) {
  NAME<<<kGroups, kThreads>>>(a);
}

// structure: last_block
__global__ void NAME(Arrays a) {
  __shared__ bool last;
  const int t = threadIdx.x, lane = t % 32;
  a.out[blockIdx.x * kThreads + t] = a.in[blockIdx.x * kThreads + t];
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(&a.counters[kItems - 1], 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (int group = 0; group < kGroups; ++group) {
    const int i = group * kThreads + t;
    int value = a.out[i];
    STEP;
    a.out[i] = value;
    __syncthreads();
  }
}
void run(Arrays a) {
  NAME<<<kGroups, kThreads>>>(a);
}

// structure: two_dimensions
__global__ void NAME(Arrays a) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x, lane = t % 32;
  const int group = blockIdx.y * gridDim.x + blockIdx.x, i = group * kThreads + t;
  int value = a.in[i];
  STEP;
  a.out[i] = value;
}
void run(Arrays a) {
  NAME<<<dim3(2, kGroups / 2), dim3(16, kThreads / 16)>>>(a);
}

// A sector that a block begins and another block completes counts as parted if the block begins
// later than the first wave of blocks: a block on each of the 8 multiprocessors.
constexpr int kBlocks = 99;
constexpr int kAhead = 9;
constexpr int kThreads = 64;

// Block b writes the part that is kAhead behind the part of block b - 1: blocks that begin together
// no neighbours.
__device__ int part() {
  return blockIdx.x * kAhead % kBlocks + blockIdx.x * kAhead / kBlocks;
}

// Every block's part begins with a sector.
// kernel whole: parted_sectors=0
__global__ void whole(float* out) {
  out[part() * kThreads + threadIdx.x] = 1;
}

// Every block's part begins within a sector: 98 sectors are shared.
// kernel parted: parted_sectors=98
__global__ void parted(float* out) {
  out[part() * kThreads + threadIdx.x + 4] = 1;
}

// The same sectors, but neighbouring blocks begin in turn.
// kernel neighbours: parted_sectors=0
__global__ void neighbours(float* out) {
  out[blockIdx.x * kThreads + threadIdx.x + 4] = 1;
}

// Two warps of a block complete each other's sectors.
// kernel joined: parted_sectors=0
__global__ void joined(float* out) {
  const int half = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  out[part() * kThreads + lane / 4 * 8 + half * 4 + lane % 4] = 1;
}

// The sectors are in the cache, since the kernel has read them.
// kernel read_before: parted_sectors=0
__global__ void read_before(float* out) {
  out[part() * kThreads + threadIdx.x + 4] += 1;
}

// Neighbouring threads do not write neighbouring floats.
// kernel scattered: parted_sectors=98
__global__ void scattered(float* out) {
  out[part() * kThreads + threadIdx.x * 37 % kThreads + 4] = 1;
}

int main() {
  const size_t bytes = (kBlocks + 1) * kThreads * sizeof(float);
  // Each kernel has separate memory: the L2 cache would keep a kernel's sectors for the next.
  for (void (*kernel)(float*) : {whole, parted, neighbours, joined, read_before, scattered}) {
    float* out;
    cudaMalloc(&out, bytes);
    kernel<<<kBlocks, kThreads>>>(out);
  }
  return cudaDeviceSynchronize();
}

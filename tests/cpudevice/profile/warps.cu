// Warp functions, which hold lanes together, and partial masks.

// kernel shuffles: warp_syncs=6
__global__ void shuffles(const int* in, int* out) {
  int x = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) {
    x += __shfl_down_sync(~0u, x, d);  // warp_sync: requests=5 lanes=160
  }
  const unsigned votes = __ballot_sync(~0u, x & 1);  // warp_sync: requests=1 lanes=32
  out[threadIdx.x] = x + __popc(votes);              // global_store: requests=1
}

// Each half of the warp meets alone.
// kernel halves
__global__ void halves(int* out) {
  const int i = threadIdx.x;
  if (i < 16) {
    __syncwarp(0x0000ffff);  // warp_sync: requests=1 lanes=16
    out[i] = 1;              // global_store: requests=1 lanes=16
  } else {
    out[i] = 2;              // global_store: requests=1 lanes=16
    __syncwarp(0xffff0000);  // warp_sync: requests=1 lanes=16
  }
  __syncwarp();     // warp_sync: requests=1 lanes=32
  out[i + 32] = i;  // global_store: requests=1 lanes=32
}

// A leader works for its warp while the others wait in the shuffle.
// kernel leader: same_address_atomics=4
__global__ void leader(int* counter, int* out) {
  int place = 0;
  if (threadIdx.x % 32 == 0) place = atomicAdd(counter, 32);  // atomic_global: requests=4 lanes=4
  place = __shfl_sync(~0u, place, 0);                         // warp_sync: requests=4 lanes=128
  out[place + threadIdx.x % 32] = 1;  // global_store: requests=4 lanes=128 sectors=16
}

// What a vote or a reduction does here, a loop over 32 lanes, is one instruction on a GPU.

// kernel joined: warp_syncs=2 warp_instructions<12 active_lane_average=32
__global__ void joined(const int* in, int* out) {
  const int x = in[threadIdx.x];
  const int least = __reduce_min_sync(~0u, x);         // warp_sync: requests=1 lanes=32
  out[threadIdx.x] = least + __any_sync(~0u, x == 3);  // warp_sync: requests=1 lanes=32
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  cudaMemset(a, 0, 1 << 16);
  shuffles<<<1, 32>>>(a, b);
  halves<<<1, 32>>>(b);
  leader<<<1, 128>>>(a, b);
  joined<<<1, 32>>>(a, b);
  return cudaDeviceSynchronize();
}

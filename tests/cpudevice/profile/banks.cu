// Wavefronts per request to shared memory.
struct Wide {
  double a, b;
};

// kernel banks: static_shared=16896 barriers=1
__global__ void banks(float* out) {
  __shared__ float4 storage[1056];
  float* words = reinterpret_cast<float*>(storage);
  double* doubles = reinterpret_cast<double*>(storage);
  char* characters = reinterpret_cast<char*>(storage);
  const int i = threadIdx.x;
  for (int k = i; k < 1056; k += 32) {
    storage[k] = make_float4(0, 0, 0, 0);  // shared_store: requests=33 wavefronts=132
  }
  __syncthreads();           // barrier: requests=1 lanes=32
  float sum = words[i];      // shared_load: requests=1 wavefronts=1 ideal_wavefronts=1 conflicts=0
  sum += words[2 * i];       // shared_load: wavefronts=2 ideal_wavefronts=1 conflicts=1
  sum += words[32 * i];      // shared_load: wavefronts=32 conflicts=31
  sum += words[33 * i];      // shared_load: wavefronts=1
  sum += words[5];           // shared_load: wavefronts=1
  sum += words[i / 2 * 32];  // shared_load: wavefronts=16
  sum += doubles[i];         // shared_load: bytes=256 wavefronts=2 ideal_wavefronts=2
  sum += doubles[16 * i];    // shared_load: wavefronts=32 ideal_wavefronts=2
  sum += storage[i].x;       // shared_load: wavefronts=4
  sum += characters[i];      // shared_load: wavefronts=1
  sum += characters[128 * i];           // shared_load: wavefronts=32
  if (i < 8) sum += words[32 * i + 1];  // shared_load: lanes=8 wavefronts=8 ideal_wavefronts=1
  out[i] = sum;
}

// kernel dynamic: dynamic_shared=4096 static_shared=0
__global__ void dynamic(float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x * 32 + threadIdx.y] = 1;  // shared_store: requests=32 wavefronts=1024
  __syncthreads();
  const int i = threadIdx.y * 32 + threadIdx.x;
  out[i] = tile[i];  // shared_load: requests=32 wavefronts=32
}

int main() {
  float* out;
  cudaMalloc(&out, 1 << 16);
  banks<<<1, 32>>>(out);
  dynamic<<<1, dim3(32, 32), 4096>>>(out);
  return cudaDeviceSynchronize();
}

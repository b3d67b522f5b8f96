// memcpy and its kind with constant lengths, which a compiler expands in place, and whole objects.
// nvcc moves the bytes of memcpy one by one.
#include <algorithm>
#include <array>
#include <cstring>

struct Floats {
  float value[16];
};

// kernel copies: local_bytes=0
__global__ void copies(const char* in, char* out) {
  const int i = threadIdx.x;
  memcpy(out + 12 * i, in + 12 * i, 12);            // global_load: requests=12 lanes=384
  memcpy(out + 64 * i, in + 64 * i, 64);            // global_store: requests=64 lanes=2048
  std::memmove(out + 48 * i, in + 48 * i, 48);      // global_load: requests=48 lanes=1536
  __builtin_memcpy(out + 24 * i, in + 24 * i, 24);  // global_store: requests=24 lanes=768
  memcpy(out + 8 * i, in + 8 * i, 3);               // global_load: requests=3 lanes=96
  memcpy(out + 200 * i, in + 200 * i, 200);         // global_store: requests=200 lanes=6400
}

// kernel fills: local_bytes=0
__global__ void fills(char* out) {
  const int i = threadIdx.x;
  memset(out + 4 * i, 0, 4);             // global_store: requests=4 lanes=128
  memset(out + 64 * i, i, 64);           // global_store: requests=64 lanes=2048
  std::fill_n(out + 100 * i, 100, '-');  // global_store: requests=100 lanes=3200
  strcpy(out + 8 * i, "seven..");        // global_store: requests=8 lanes=256
}

// kernel comparisons: local_bytes=0
__global__ void comparisons(const char* in, int* out) {
  const int i = threadIdx.x;
  out[i] = memcmp(in + 32 * i, in + 32 * i + 1024, 32);  // global_load: requests=64 lanes=2048
}

// kernel objects: local_bytes=0
__global__ void objects(const Floats* in, Floats* out) {
  const int i = threadIdx.x;
  out[i] = in[i];                  // global_load: requests=4 lanes=128 sectors=128
  out[i + 32] = Floats{};          // global_store: requests=4 lanes=128
  std::swap(out[i], out[i + 32]);  // global_store: requests=8 lanes=256
}

// The usual way to look at the bits of a number, and a few numbers that stay in registers.
// kernel registers: local_bytes=0
__global__ void registers(const float* in, float* out) {
  const int i = threadIdx.x;
  const float x = in[i];
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  float three[3];
  memcpy(three, in + 3 * i, sizeof three);  // global_load: requests=12 lanes=384
  memcpy(out + i, &bits, sizeof bits);      // global_store: requests=4 lanes=128
  out[i + 32] = three[0] + three[1] + three[2];
}

// Mathematics with a result behind a pointer: into an array, and into a local variable.
// kernel results: local_bytes=0
__global__ void results(const float* in, float* out) {
  const int i = threadIdx.x;
  const float part = modff(in[i], &out[i]);  // global_store: requests=1 lanes=32 sectors=4
  int exponent;
  out[i + 32] = frexpf(part, &exponent);  // global_store: requests=1 lanes=32
  out[i + 64] = exponent;                 // global_store: requests=1 lanes=32
}

// The host's own arrays: each copy is three loads and three stores of 8 bytes.
// host host_work: instructions>11999
void copy_on_the_host() {
  static char from[24 * 2000], to[24 * 2000];
  for (int i = 0; i < 2000; ++i)
    memcpy(to + 24 * i, from + 24 * i, 24);
}

int main() {
  char *a, *b;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  cudaMemset(a, 0, 1 << 16);
  copies<<<1, 32>>>(a, b);
  fills<<<1, 32>>>(b);
  comparisons<<<1, 32>>>(a, reinterpret_cast<int*>(b));
  objects<<<1, 32>>>(reinterpret_cast<Floats*>(a), reinterpret_cast<Floats*>(b));
  registers<<<1, 32>>>(reinterpret_cast<float*>(a), reinterpret_cast<float*>(b));
  results<<<1, 32>>>(reinterpret_cast<float*>(a), reinterpret_cast<float*>(b));
  copy_on_the_host();
  cudaFree(a);
  cudaFree(b);
}

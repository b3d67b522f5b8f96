// Memory of the host: kernels access the memory over the link, and the host's threads copy.
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

constexpr int kSize = 1 << 16;  // floats: 256 KiB

// Each sector crosses the link once, even if the first-level cache serves it again.
// kernel from_pinned: link_load_bytes=262144 link_store_bytes=0
__global__ void from_pinned(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + in[i];
}

// kernel to_pinned: link_load_bytes=0 link_store_bytes=262144
__global__ void to_pinned(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// Every eighth float lies in another sector: all sectors cross.
// kernel strided: link_load_bytes=262144
__global__ void strided(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[8 * i];  // global_load: requests=256 sectors=8192
}

// kernel from_registered: link_load_bytes=262144
__global__ void from_registered(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];  // global_load: requests=2048 sectors=8192
}

// kernel on_the_device: link_load_bytes=0 link_store_bytes=0
__global__ void on_the_device(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// Many threads that copy at the same time, each in many pieces.
void copy_in_threads(float* to, const float* from, int piece) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([=] {
      const int share = kSize / 8;
      for (int round = 0; round < 10; ++round) {
        for (int begin = t * share; begin < (t + 1) * share; begin += piece)
          memcpy(to + begin, from + begin, piece * sizeof(float));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

// 8 threads, and the main one before it first calls CUDA again and at the end:
// 10 + 2 times 256 KiB, 2 times 64 KiB
// host host_copy: times=10 bytes=3276800
// host malloc_managed: times=1 bytes=262144
// host managed_first_touch_host: times=1 bytes=262144
// host host_register: times=1 bytes=262144
// host host_unregister: times=1 bytes=262144
int main() {
  float *pinned, *device, *managed;
  cudaMallocHost(&pinned, kSize * sizeof(float));
  cudaMalloc(&device, kSize * sizeof(float));
  cudaMallocManaged(&managed, kSize * sizeof(float));
  auto* plain = static_cast<float*>(aligned_alloc(4096, kSize * sizeof(float)));

  copy_in_threads(pinned, plain, 1024);
  memcpy(managed, pinned, kSize * sizeof(float));
  for (int i = 0; i < kSize; ++i)
    pinned[i] = 2;
  memset(pinned, 0, 65536);
  from_pinned<<<kSize / 256, 256>>>(pinned, device);
  to_pinned<<<kSize / 256, 256>>>(device, pinned);
  strided<<<kSize / 8 / 256, 256>>>(pinned, device);
  on_the_device<<<kSize / 256, 256>>>(device, device);
  cudaHostRegister(plain, kSize * sizeof(float), 0);
  from_registered<<<kSize / 256, 256>>>(plain, device);
  cudaDeviceSynchronize();
  cudaHostUnregister(plain);
  // After the last call of CUDA: counted all the same.
  memcpy(plain, pinned, 65536);
  return plain[0] != 0;
}

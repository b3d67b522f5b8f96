// Two devices: the current device of a thread, memory and streams of each device, copies and
// access between the devices
// environment: CUDACPU_DEVICES=2
// expect: done
#include <cstdio>
#include <cstring>
#include <thread>

#include "check.h"

constexpr int kCount = 1000;

__global__ void add_kernel(const int* a, const int* b, int* sum) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) sum[i] = a[i] + b[i];
}

__global__ void fill_kernel(int* out, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) out[i] = value;
}

int current() {
  int device = -1;
  CHECK_OK(cudaGetDevice(&device));
  return device;
}

int device_of(const void* pointer) {
  cudaPointerAttributes attributes;
  CHECK_OK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes.device;
}

void check_devices() {
  int count, other = -1;
  CHECK_OK(cudaGetDeviceCount(&count));
  CHECK(count == 2 && current() == 0);
  CHECK_ERROR(cudaErrorInvalidDevice, cudaSetDevice(2));
  CHECK_OK(cudaSetDevice(1));
  std::thread([&] { other = current(); }).join();
  CHECK(current() == 1 && other == 0);
  cudaDeviceProp properties;
  CHECK_OK(cudaGetDeviceProperties(&properties, 1));
  char bus[2][16];
  for (int device = 0; device < 2; ++device) {
    CHECK_OK(cudaDeviceGetPCIBusId(bus[device], sizeof bus[device], device));
    CHECK_OK(cudaDeviceGetByPCIBusId(&other, bus[device]));
    CHECK(other == device);
  }
  CHECK(strcmp(bus[0], bus[1]) != 0);
}

void check_access() {
  int can = -1;
  CHECK_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  CHECK(can == 1);
  CHECK_OK(cudaDeviceCanAccessPeer(&can, 1, 1));
  CHECK(can == 0);
  CHECK_OK(cudaSetDevice(0));
  CHECK_ERROR(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  CHECK_OK(cudaDeviceEnablePeerAccess(1, 0));
  CHECK_ERROR(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
}

int main() {
  check_devices();
  check_access();
  int *parts[2], *sum, result[kCount];
  cudaStream_t streams[2];
  for (int device = 0; device < 2; ++device) {
    CHECK_OK(cudaSetDevice(device));
    CHECK_OK(cudaStreamCreate(&streams[device]));
    CHECK_OK(cudaMalloc(&parts[device], kCount * sizeof(int)));
    fill_kernel<<<4, 256, 0, streams[device]>>>(parts[device], 10 + device);
    int of_stream = -1;
    CHECK_OK(cudaStreamGetDevice(streams[device], &of_stream));
    CHECK(of_stream == device && device_of(parts[device]) == device);
  }
  for (cudaStream_t stream : streams)
    CHECK_OK(cudaStreamSynchronize(stream));
  // Device 1 reads what device 0 has, and device 0 gets a copy.
  CHECK_OK(cudaMalloc(&sum, kCount * sizeof(int)));
  add_kernel<<<4, 256>>>(parts[0], parts[1], sum);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaMemcpyPeer(parts[0], 0, sum, 1, kCount * sizeof(int)));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaMemcpyPeer(parts[0], 0, sum, 2, sizeof(int)));
  CHECK_OK(cudaMemcpy(result, parts[0], sizeof result, cudaMemcpyDeviceToHost));
  for (int value : result)
    CHECK(value == 21);
  for (int device = 0; device < 2; ++device) {
    CHECK_OK(cudaSetDevice(device));
    CHECK_OK(cudaDeviceReset());
  }
  // With several devices, a reset keeps all memory.
  CHECK_OK(cudaMemcpy(result, parts[1], sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(result[0] == 11);
  puts("done");
}

// Allocation of every kind, invalid calls of free, and running out of memory.
// expect: done
// stderr: cudaFree got 0x
// stderr: which was freed before
// stderr: 256 bytes inside the 1000-byte cudaMalloc at 0x
// stderr: which no CUDA function allocated
// stderr: cudaFree cannot free 0x
// stderr: cudaMalloc of 1099511627776 bytes: the simulated device has
// stderr: cudaMemPrefetchAsync: 0x
// stderr: is not managed memory
#include <cstdint>
#include <vector>

#include "check.h"

void test_device_memory() {
  char* p;
  CHECK_OK(cudaMalloc(&p, 1000));
  CHECK(uintptr_t(p) % 256 == 0);
  CHECK_OK(cudaMemset(p, 7, 1000));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(p + 256));
  CHECK_OK(cudaFree(p));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(p));
  int local = 0;
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(&local));
  CHECK_OK(cudaFree(nullptr));
  CHECK_OK(cudaMalloc(&p, 0));
  CHECK(p == nullptr);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 4));
  CHECK_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&p, size_t{1} << 40));
}

// Allocating without end comes to an end, and everything can be had again afterwards.
void test_exhaustion() {
  size_t free_before, free_after, total;
  CHECK_OK(cudaMemGetInfo(&free_before, &total));
  std::vector<void*> pieces;
  cudaError_t error = cudaSuccess;
  while (error == cudaSuccess && pieces.size() < 1000) {
    void* p;
    error = cudaMalloc(&p, total / 10);
    if (error == cudaSuccess) pieces.push_back(p);
  }
  CHECK(error == cudaErrorMemoryAllocation && pieces.size() <= 10 && pieces.size() >= 9);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  for (void* p : pieces)
    CHECK_OK(cudaFree(p));
  CHECK_OK(cudaMemGetInfo(&free_after, &total));
  CHECK(free_before == free_after);
}

// More than a process may have mappings.
void test_many() {
  std::vector<int*> pieces(40000);
  for (size_t i = 0; i < pieces.size(); ++i) {
    CHECK_OK(cudaMallocManaged(&pieces[i], 4 * (1 + i % 100)));
    if (pieces[i]) *pieces[i] = int(i);
  }
  for (size_t i = 0; i < pieces.size(); ++i)
    CHECK(*pieces[i] == int(i));
  for (size_t i = 0; i < pieces.size(); i += 2)
    CHECK_OK(cudaFree(pieces[i]));
  for (size_t i = 0; i < pieces.size(); i += 2)
    CHECK_OK(cudaMallocManaged(&pieces[i], 64));
  for (size_t i = 1; i < pieces.size(); i += 2)
    CHECK(*pieces[i] == int(i));
  for (int* p : pieces)
    CHECK_OK(cudaFree(p));
  for (int i = 0; i < 20000; ++i) {
    void* p;
    CHECK_OK(cudaMalloc(&p, size_t{64} << 20));
    CHECK_OK(cudaFree(p));
  }
}

void test_host_memory() {
  int* pinned;
  CHECK_OK(cudaMallocHost(&pinned, 4000));
  pinned[999] = 1;
  int* mapped;
  CHECK_OK(cudaHostGetDevicePointer(&mapped, pinned, 0));
  CHECK(mapped[999] == 1);
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(pinned));
  CHECK_OK(cudaFreeHost(pinned));
  CHECK_OK(cudaHostAlloc(&pinned, 16, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  unsigned flags;
  CHECK_OK(cudaHostGetFlags(&flags, pinned));
  CHECK_OK(cudaFreeHost(pinned));
  CHECK_ERROR(cudaErrorInvalidValue, cudaHostAlloc(&pinned, 16, 0x80));
  static int registered[100];
  CHECK_OK(cudaHostRegister(registered, sizeof(registered), cudaHostRegisterMapped));
  CHECK_ERROR(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(registered, 4, 0));
  CHECK_OK(cudaHostGetDevicePointer(&mapped, registered, 0));
  CHECK_OK(cudaHostUnregister(registered));
  CHECK_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(registered));
}

void test_managed_memory() {
  int* p;
  CHECK_OK(cudaMallocManaged(&p, 1 << 20));
  p[100] = 5;
  CHECK_OK(cudaMemPrefetchAsync(p, 1 << 20, 0));  // CUDA 12
  CHECK_OK(cudaMemPrefetchAsync(p, 1 << 20, cudaCpuDeviceId, cudaStreamPerThread));
  CHECK_OK(cudaMemPrefetchAsync(p, 1 << 20, {cudaMemLocationTypeDevice, 0}, 0, 0));  // CUDA 13
  CHECK_OK(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetReadMostly, 0));
  cudaMemLocation host = {};
  host.type = cudaMemLocationTypeHost;
  CHECK_OK(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetPreferredLocation, host));
  CHECK_ERROR(cudaErrorInvalidDevice, cudaMemPrefetchAsync(p, 4, 3));
  int* d;
  CHECK_OK(cudaMalloc(&d, 4));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemPrefetchAsync(d, 4, 0));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMallocManaged(&p, 0));
  CHECK_OK(cudaFree(d));
}

void test_pitched_memory() {
  char* p;
  size_t pitch;
  CHECK_OK(cudaMallocPitch(&p, &pitch, 1000, 20));
  CHECK(pitch >= 1000 && pitch % 256 == 0);
  CHECK_OK(cudaMemset2D(p, pitch, 3, 1000, 20));
  CHECK_OK(cudaFree(p));
  cudaPitchedPtr volume;
  CHECK_OK(cudaMalloc3D(&volume, make_cudaExtent(100, 10, 5)));
  CHECK(volume.xsize == 100 && volume.ysize == 10 && volume.pitch >= 100);
  CHECK_OK(cudaMemset3D(volume, 1, make_cudaExtent(100, 10, 5)));
  CHECK_OK(cudaFree(volume.ptr));
}

void test_pools() {
  cudaMemPool_t pool;
  CHECK_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ull, read = 0;
  CHECK_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read));
  CHECK(read == threshold);
  float* p;
  CHECK_OK(cudaMallocAsync(&p, 400, 0));
  CHECK_OK(cudaMemsetAsync(p, 0, 400, 0));
  CHECK_OK(cudaFreeAsync(p, 0));
  CHECK_OK(cudaMemPoolTrimTo(pool, 0));
}

__device__ int device_variable;
__managed__ int managed_variable = 4;

void test_attributes() {
  cudaPointerAttributes a;
  int local = 0, *p;
  CHECK_OK(cudaPointerGetAttributes(&a, &local));
  CHECK(a.type == cudaMemoryTypeUnregistered && a.devicePointer == nullptr);
  CHECK_OK(cudaMalloc(&p, 400));
  CHECK_OK(cudaPointerGetAttributes(&a, p + 10));
  CHECK(a.type == cudaMemoryTypeDevice && a.devicePointer == p + 10 && a.device == 0 &&
        !a.hostPointer);
  CHECK_OK(cudaMallocManaged(&p, 400));
  CHECK_OK(cudaPointerGetAttributes(&a, p));
  CHECK(a.type == cudaMemoryTypeManaged && a.hostPointer == p);
  CHECK_OK(cudaMallocHost(&p, 400));
  CHECK_OK(cudaPointerGetAttributes(&a, p));
  CHECK(a.type == cudaMemoryTypeHost);
  CHECK_OK(cudaGetSymbolAddress((void**)&p, device_variable));
  CHECK_OK(cudaPointerGetAttributes(&a, p));
  CHECK(a.type == cudaMemoryTypeDevice);
  CHECK_OK(cudaPointerGetAttributes(&a, &managed_variable));
  CHECK(a.type == cudaMemoryTypeManaged && managed_variable == 4);
}

int main() {
  test_device_memory();
  test_exhaustion();
  test_many();
  test_host_memory();
  test_managed_memory();
  test_pitched_memory();
  test_pools();
  test_attributes();
  CHECK_OK(cudaDeviceReset());
  printf("done\n");
}

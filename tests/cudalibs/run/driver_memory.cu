// The driver API's memory in three parts: reserved addresses, pages, and pages mapped at addresses.
// expect: done
#include <cuda.h>

#include <vector>

#include "../../cpudevice/run/check.h"

#define CHECK_CU(call) CHECK((call) == CUDA_SUCCESS)

constexpr size_t kMiB = size_t{1} << 20;

__global__ void count_kernel(int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] += i;
}

CUmemAllocationProp properties() {
  CUmemAllocationProp p = {};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.location.id = 0;
  return p;
}

void allow(CUdeviceptr pointer, size_t bytes, CUmemAccess_flags flags) {
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = flags;
  CHECK_CU(cuMemSetAccess(pointer, bytes, &access, 1));
}

size_t free_memory() {
  size_t available, total;
  CHECK_CU(cuMemGetInfo(&available, &total));
  return available;
}

// An array that grows without a copy: new pages are mapped behind the old pages.
void test_growth(size_t unit) {
  const CUmemAllocationProp made_of = properties();
  const size_t before = free_memory(), all = 4 * unit;
  CUdeviceptr x;
  CHECK_CU(cuMemAddressReserve(&x, all, 0, 0, 0));
  CHECK(x % unit == 0 && free_memory() == before);
  for (size_t size = 0; size < 2 * unit; size += unit) {
    CUmemGenericAllocationHandle pages;
    CHECK_CU(cuMemCreate(&pages, unit, &made_of, 0));
    CHECK_CU(cuMemMap(x + size, unit, 0, pages, 0));
    CHECK_CU(cuMemRelease(pages));
    allow(x + size, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
  CHECK(free_memory() == before - 2 * unit);
  const int n = static_cast<int>(2 * unit / sizeof(int));
  int* ints = reinterpret_cast<int*>(x);
  CHECK_OK(cudaMemset(ints, 0, 2 * unit));  // over both mappings
  count_kernel<<<8, 256>>>(ints, n);
  std::vector<int> back(n);
  CHECK_OK(cudaMemcpy(back.data(), ints, 2 * unit, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i += 1000)
    CHECK(back[i] == i);
  CHECK(back[n - 1] == n - 1);
  CHECK_CU(cuMemUnmap(x, 2 * unit));
  CHECK(free_memory() == before);
  CHECK_CU(cuMemAddressFree(x, all));
}

// The same pages at two addresses: the second address allows reads only.
void test_two_addresses(size_t unit) {
  const CUmemAllocationProp made_of = properties();
  CUmemGenericAllocationHandle pages;
  CUdeviceptr x, y;
  CHECK_CU(cuMemCreate(&pages, unit, &made_of, 0));
  CHECK_CU(cuMemAddressReserve(&x, unit, 0, 0, 0));
  CHECK_CU(cuMemAddressReserve(&y, unit, 0, 0, 0));
  CHECK_CU(cuMemMap(x, unit, 0, pages, 0));
  CHECK_CU(cuMemMap(y, unit, 0, pages, 0));
  allow(x, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  allow(y, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemLocation here = made_of.location;
  unsigned long long flags = 0;
  CHECK_CU(cuMemGetAccess(&flags, &here, y));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CHECK_CU(cuMemsetD32(y, 1, 1000));
  CHECK_CU(cuMemsetD32(x, 7, 1000));
  std::vector<int> back(1000);
  CHECK_CU(cuMemcpyDtoH(back.data(), y, 4000));
  CHECK(back[0] == 7 && back[999] == 7);
  CHECK_CU(cuMemUnmap(x, unit));
  CHECK_CU(cuMemUnmap(y, unit));
  CHECK_CU(cuMemRelease(pages));
  CHECK_CU(cuMemAddressFree(x, unit));
  CHECK_CU(cuMemAddressFree(y, unit));
}

void test_errors(size_t unit) {
  CUmemAllocationProp made_of = properties();
  CUmemGenericAllocationHandle pages;
  CUdeviceptr x;
  CHECK(cuMemCreate(&pages, unit + 1, &made_of, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemCreate(&pages, size_t{1} << 50, &made_of, 0) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(cuMemAddressReserve(&x, unit, 3, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  made_of.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  CHECK(cuMemCreate(&pages, unit, &made_of, 0) == CUDA_ERROR_INVALID_VALUE);
}

int main() {
  CHECK_CU(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuDevicePrimaryCtxRetain(&context, device));
  CHECK_CU(cuCtxSetCurrent(context));
  const CUmemAllocationProp made_of = properties();
  size_t unit;
  CHECK_CU(cuMemGetAllocationGranularity(&unit, &made_of, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(unit >= 4096 && unit <= 64 * kMiB);
  test_growth(unit);
  test_two_addresses(unit);
  test_errors(unit);
  CHECK_CU(cuDevicePrimaryCtxRelease(device));
  printf("done\n");
}

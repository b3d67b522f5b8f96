// Complex numbers, the names of types, and NVTX, by every name in programs.
// expect: done
#include <cuComplex.h>
#include <curand_kernel.h>
#include <library_types.h>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include "../../cpudevice/run/check.h"

__global__ void complex_kernel(cuDoubleComplex* out) {
  const cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuComplex(1, -2);
  const cuFloatComplex product = cuCmulf(a, b), quotient = cuCdivf(product, b);
  CHECK(cuCabsf(a) == 5 && cuCabsf(make_cuComplex(0, 0)) == 0);
  CHECK(cuCabsf(make_cuComplex(3e30f, 4e30f)) == 5e30f);  // no square overflows
  CHECK(cuCrealf(product) == 11 && cuCimagf(product) == -2);
  CHECK(cuCrealf(quotient) == 3 && cuCimagf(quotient) == 4);
  CHECK(cuCimagf(cuConjf(a)) == -4);
  const cuFloatComplex fused = cuCfmaf(a, b, cuCaddf(a, b));
  CHECK(fused.x == 15 && fused.y == 0);
  *out = cuComplexFloatToDouble(cuCsubf(a, b));
}

void check_complex() {
  cuDoubleComplex* d_out;
  cuDoubleComplex out;
  cudaMalloc(&d_out, sizeof *d_out);
  complex_kernel<<<1, 1>>>(d_out);
  cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  CHECK(cuCreal(out) == 2 && cuCimag(out) == 6);
  CHECK(fabs(cuCabs(make_cuDoubleComplex(-3e200, 4e200)) / 5e200 - 1) < 1e-15);
  cudaFree(d_out);
}

void check_ranges() {
  CHECK(nvtxRangePushA("outer") == 0 && nvtxRangePush("inner") == 1);
  CHECK(nvtxRangePop() == 1 && nvtxRangePop() == 0 && nvtxRangePop() < 0);
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.message.ascii = "phase";
  CHECK(nvtxRangePushEx(&attributes) == 0 && nvtxRangePop() == 0);
  const nvtxRangeId_t first = nvtxRangeStartA("first"), second = nvtxRangeStart("second");
  CHECK(first != second);
  nvtxRangeEnd(first);
  nvtxRangeEnd(second);
  nvtxMark("here");
  nvtxNameCudaStreamA(nullptr, "default");
}

int main() {
  check_complex();
  check_ranges();
  CHECK(CUDA_R_16BF == 14 && PATCH_LEVEL == 2);
  CHECK(CURAND_RNG_PSEUDO_XORWOW == 101);  // of curand.h, by way of curand_kernel.h
  puts("done");
}

// How fast a GPU could multiply if nothing else took any time.
#pragma once

#include "cuda_check.h"

enum class Unit { kLanes, kTensorCores };  // of fp32; of bf16 with sums in fp32

// Multiplications with an addition that a multiprocessor can start per clock; 0 where we do not
// know. NVIDIA's data sheets and the CUDA programming guide have them.
inline int products_per_clock(Unit unit, int architecture) {
  switch (architecture) {
    case 80:
      return unit == Unit::kLanes ? 64 : 1024;
    case 86:
    case 89:
      return unit == Unit::kLanes ? 128 : 512;
    case 90:
      return unit == Unit::kLanes ? 128 : 2048;
    default:
      return 0;
  }
}

// The time in ms of so many products at the GPU's highest clock; 0 where we do not know. Throws
// CudaError.
inline double peak_ms(Unit unit, double products) {
  int device;
  int multiprocessors;
  int major;
  int minor;
  int clock_khz;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
  const double per_ms =
      1.0 * products_per_clock(unit, 10 * major + minor) * multiprocessors * clock_khz;
  return per_ms > 0 ? products / per_ms : 0;
}

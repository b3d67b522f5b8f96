// The driver's names of cudaProfilerStart() and cudaProfilerStop().
#ifndef CUDAPROFILER_H
#define CUDAPROFILER_H

#include "cuda.h"

inline CUresult cuProfilerStart() {
  return static_cast<CUresult>(cudaProfilerStart());
}
inline CUresult cuProfilerStop() {
  return static_cast<CUresult>(cudaProfilerStop());
}

#endif

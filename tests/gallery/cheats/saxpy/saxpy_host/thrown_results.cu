// verdict: cpu=ok gpu=ok,timeout case=2^20 speed=0..0.1
// Throws every result: the C++ library's search for the handler is not in the program's own code.
#include "saxpy.h"

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  for (int i = 0; i < n; ++i) {
    try {
      throw scale * x[i] + y[i];
    } catch (float value) {
      result[i] = value;
    }
  }
}

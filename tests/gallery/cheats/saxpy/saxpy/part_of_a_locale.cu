// verdict: =forbidden
// Part of a locale works through memory, behind a table of virtual functions.
#include "saxpy.h"

#include <locale>

#include "cuda_check.h"

void saxpy(int n, float, const float* x, const float*, float* result) {
  const auto& letters = std::use_facet<std::ctype<char>>(std::locale());
  char* const bytes = reinterpret_cast<char*>(result);
  letters.toupper(bytes, bytes + n * sizeof(float));
  CUDA_CHECK(cudaMemcpy(result, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
}

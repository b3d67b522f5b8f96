// verdict: =forbidden
// A stream whose buffer is device memory, read by uninstrumented code of the library.
#include "saxpy.h"

#include <istream>
#include <streambuf>

#include "cuda_check.h"

namespace {

struct DeviceBuffer : std::streambuf {
  DeviceBuffer(char* begin, size_t bytes) { setg(begin, begin, begin + bytes); }
};

}  // namespace

void saxpy(int n, float, const float* x, const float*, float* result) {
  DeviceBuffer buffer(reinterpret_cast<char*>(const_cast<float*>(x)), n * sizeof(float));
  std::istream(&buffer).getline(reinterpret_cast<char*>(result), n * sizeof(float), '\n');
  CUDA_CHECK(cudaGetLastError());
}

// cuFFT: transforms of real and complex numbers in one to three dimensions, compared with sums over
// all elements; arrays in batches, with gaps and in place; streams and graphs.
// flags: -lcufft
// expect: done
#include <cufft.h>
#include <cufftXt.h>

#ifndef _CUFFT_H_
#error programs ask for this name
#endif

#include <cmath>
#include <complex>
#include <vector>

#include "../../cpudevice/run/check.h"

#define FFT(call) CHECK((call) == CUFFT_SUCCESS)

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

Complex element(int i) {
  return {(i * 37 + 11) % 101 / 101.0 - 0.4, (i * 53 + 5) % 89 / 89.0 - 0.6};
}

// The transform along one dimension of an array whose last dimensions have `step` elements.
Numbers along(const Numbers& in, int n, int step, int sign) {
  Numbers out(in.size());
  Numbers roots(n);
  for (int k = 0; k < n; ++k)
    roots[k] = std::polar(1.0, sign * 2 * M_PI * k / n);
  for (size_t i = 0; i < in.size(); ++i) {
    const size_t first = i / (n * step) * (n * step) + i % step;
    const long long k = i / step % n;
    for (long long j = 0; j < n; ++j)
      out[i] += in[first + j * step] * roots[j * k % n];
  }
  return out;
}

Numbers transformed(Numbers in, const std::vector<int>& n, int sign) {
  int step = 1;
  for (size_t d = n.size(); d-- > 0; step *= n[d])
    in = along(in, n[d], step, sign);
  return in;
}

double difference(const Numbers& a, const Numbers& b) {
  double most = a.size() == b.size() ? 0 : INFINITY, scale = 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return most / scale;
}

template <typename T>
struct OnDevice {
  T* data = nullptr;
  size_t count;
  explicit OnDevice(size_t count) : count(count) {
    CHECK_OK(cudaMallocManaged(&data, count * sizeof(T)));
    CHECK_OK(cudaMemset(data, 0, count * sizeof(T)));
    CHECK_OK(cudaDeviceSynchronize());
  }
  ~OnDevice() { cudaFree(data); }
  operator T*() const { return data; }
};

int product(const std::vector<int>& n) {
  int all = 1;
  for (const int one : n)
    all *= one;
  return all;
}

cufftHandle plan_of(std::vector<int> n, cufftType type, int batch = 1) {
  cufftHandle plan;
  FFT(cufftPlanMany(&plan, static_cast<int>(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                    batch));
  return plan;
}

// Forward and back, of complex numbers and in place.
void check_complex(const std::vector<int>& n) {
  const int count = product(n);
  Numbers in(count);
  OnDevice<cufftDoubleComplex> wide(count);
  OnDevice<cufftComplex> a(count), b(count);
  for (int i = 0; i < count; ++i) {
    in[i] = element(i);
    wide[i] = {in[i].real(), in[i].imag()};
    a[i] = {static_cast<float>(in[i].real()), static_cast<float>(in[i].imag())};
  }
  const cufftHandle wide_plan = plan_of(n, CUFFT_Z2Z), plan = plan_of(n, CUFFT_C2C);
  FFT(cufftExecZ2Z(wide_plan, wide, wide, CUFFT_FORWARD));
  FFT(cufftExecC2C(plan, a, b, CUFFT_INVERSE));
  CHECK_OK(cudaDeviceSynchronize());
  Numbers there(count), back(count);
  for (int i = 0; i < count; ++i) {
    there[i] = {wide[i].x, wide[i].y};
    back[i] = {b[i].x, b[i].y};
  }
  CHECK(difference(there, transformed(in, n, -1)) < 1e-12);
  CHECK(difference(back, transformed(in, n, 1)) < 1e-5);
  FFT(cufftDestroy(wide_plan));
  FFT(cufftDestroy(plan));
}

// From real numbers and back: half of the last dimension is kept.
void check_real(const std::vector<int>& n) {
  const int last = n.back(), half = last / 2 + 1, lines = product(n) / last;
  Numbers in(lines * last);
  OnDevice<double> x(lines * last), back(lines * last), padded(lines * 2 * half);
  OnDevice<cufftDoubleComplex> y(lines * half);
  for (int i = 0; i < lines * last; ++i) {
    x[i] = element(i).real();
    padded[i / last * 2 * half + i % last] = x[i];
    in[i] = x[i];
  }
  const cufftHandle forward = plan_of(n, CUFFT_D2Z), inverse = plan_of(n, CUFFT_Z2D);
  FFT(cufftExecD2Z(forward, x, y));
  CHECK_OK(cudaDeviceSynchronize());
  Numbers got;
  for (const cufftDoubleComplex* one = y; one < y + lines * half; ++one)
    got.push_back({one->x, one->y});
  FFT(cufftExecZ2D(inverse, y, back));
  FFT(cufftExecD2Z(forward, padded, reinterpret_cast<cufftDoubleComplex*>(padded.data)));
  CHECK_OK(cudaDeviceSynchronize());
  const Numbers all = transformed(in, n, -1);
  Numbers expected(lines * half), in_place(lines * half), there_and_back;
  for (int i = 0; i < lines * half; ++i) {
    expected[i] = all[i / half * last + i % half];
    in_place[i] = {padded[2 * i], padded[2 * i + 1]};
  }
  CHECK(difference(got, expected) < 1e-12);
  CHECK(difference(in_place, expected) < 1e-12);
  for (int i = 0; i < lines * last; ++i)
    there_and_back.push_back(back[i] / (lines * last));
  CHECK(difference(there_and_back, in) < 1e-12);
  FFT(cufftExecZ2D(inverse, reinterpret_cast<cufftDoubleComplex*>(padded.data), padded));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < lines * last; ++i)
    there_and_back[i] = padded[i / last * 2 * half + i % last] / (lines * last);
  CHECK(difference(there_and_back, in) < 1e-12);
  FFT(cufftDestroy(forward));
  FFT(cufftDestroy(inverse));
}

// Columns of a matrix: each is an array whose elements are a row apart. A 2x3 part of each of two
// 4x5 matrices goes to every second place of the output.
void check_layouts() {
  constexpr int kRows = 6, kColumns = 4;
  OnDevice<cufftComplex> matrix(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i)
    matrix[i] = {static_cast<float>(i % 7), static_cast<float>(i % 3)};
  Numbers before(kRows * kColumns), after(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i)
    before[i] = {matrix[i].x, matrix[i].y};
  int n[2] = {kRows}, embed[2] = {kRows};
  cufftHandle plan;
  FFT(cufftPlanMany(&plan, 1, n, embed, kColumns, 1, embed, kColumns, 1, CUFFT_C2C, kColumns));
  FFT(cufftExecC2C(plan, matrix, matrix, CUFFT_FORWARD));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kRows * kColumns; ++i)
    after[i] = {matrix[i].x, matrix[i].y};
  CHECK(difference(after, along(before, kRows, kColumns, -1)) < 1e-5);
  FFT(cufftDestroy(plan));

  OnDevice<float> in(2 * 4 * 5);
  OnDevice<cufftComplex> out(2 * 12);
  for (int i = 0; i < 40; ++i)
    in[i] = static_cast<float>(i * i % 13);
  n[0] = 2, n[1] = 3;
  int in_embed[2] = {4, 5}, out_embed[2] = {2, 3};
  FFT(cufftPlanMany(&plan, 2, n, in_embed, 1, 20, out_embed, 2, 12, CUFFT_R2C, 2));
  FFT(cufftExecR2C(plan, in, out));
  CHECK_OK(cudaDeviceSynchronize());
  for (int b = 0; b < 2; ++b) {
    Numbers part;
    for (int i = 0; i < 6; ++i)
      part.push_back(in[20 * b + i / 3 * 5 + i % 3]);
    const Numbers expected = transformed(part, {2, 3}, -1);
    for (int row = 0; row < 2; ++row) {
      for (int k = 0; k < 2; ++k) {
        const cufftComplex got = out[12 * b + (row * 3 + k) * 2];
        CHECK(std::abs(Complex(got.x, got.y) - expected[row * 3 + k]) < 1e-4);
        CHECK(out[12 * b + (row * 3 + k) * 2 + 1].x == 0);
      }
    }
  }
  FFT(cufftDestroy(plan));
}

__global__ void scale(cufftComplex* data, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = {data[i].x * factor, data[i].y * factor};
}

// A transform, a kernel and the transform back, in a stream and then as a graph.
void check_streams() {
  constexpr int kLength = 1000, kBatch = 3, kCount = kLength * kBatch;
  OnDevice<cufftComplex> data(kCount);
  for (int i = 0; i < kCount; ++i)
    data[i] = {static_cast<float>(i % 17), 1.f};
  cudaStream_t stream;
  CHECK_OK(cudaStreamCreate(&stream));
  cufftHandle plan;
  size_t bytes = 1, same = 2;
  FFT(cufftCreate(&plan));
  FFT(cufftMakePlan1d(plan, kLength, CUFFT_C2C, kBatch, &bytes));
  FFT(cufftGetSize(plan, &same));
  CHECK(bytes == same);
  FFT(cufftSetStream(plan, stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  for (const bool captured : {false, true}) {
    if (captured) CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    FFT(cufftExecC2C(plan, data, data, CUFFT_FORWARD));
    scale<<<kCount / 256 + 1, 256, 0, stream>>>(data, kCount, 1.f / kLength);
    FFT(cufftXtExec(plan, data, data, CUFFT_INVERSE));
    if (captured) CHECK_OK(cudaStreamEndCapture(stream, &graph));
  }
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphLaunch(executable, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCount; ++i)
    CHECK(fabsf(data[i].x - i % 17) < 1e-3f && fabsf(data[i].y - 1) < 1e-3f);
  FFT(cufftDestroy(plan));
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

void check_errors() {
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 8, static_cast<cufftType>(5), 1) == CUFFT_INVALID_TYPE);
  int n[4] = {2, 2, 2, 2};
  CHECK(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) ==
        CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 1, n, n, 1, 2, nullptr, 1, 2, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  FFT(cufftPlan2d(&plan, 4, 4, CUFFT_C2C));
  OnDevice<cufftComplex> data(16);
  CHECK(cufftExecC2C(plan, data, data, 0) == CUFFT_INVALID_VALUE);
  FFT(cufftDestroy(plan));
  CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2C(plan, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
}

void check_types_as_values() {
  OnDevice<double> x(8);
  OnDevice<cufftDoubleComplex> y(5);
  for (int i = 0; i < 8; ++i)
    x[i] = 1;
  long long n[1] = {8};
  size_t bytes;
  cufftHandle plan;
  FFT(cufftCreate(&plan));
  FFT(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 0, CUDA_R_64F, nullptr, 1, 0, CUDA_C_64F, 1,
                          &bytes, CUDA_C_64F));
  FFT(cufftXtExec(plan, x, y, CUFFT_FORWARD));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(fabs(y[0].x - 8) < 1e-12 && fabs(y[1].x) < 1e-12);
  FFT(cufftDestroy(plan));
}

int main() {
  for (int n = 1; n <= 34; ++n) {
    check_complex({n});
    check_real({n});
  }
  // A power of two, a prime with a special formula, others, and products of them.
  for (const int n : {256, 61, 67, 211, 134, 1000, 1009}) {
    check_complex({n});
    check_real({n});
  }
  for (const std::vector<int>& n :
       {std::vector<int>{4, 6}, {7, 5}, {1, 8}, {9, 1}, {3, 4, 5}, {4, 2, 67}}) {
    check_complex(n);
    check_real(n);
  }
  check_layouts();
  check_streams();
  check_errors();
  check_types_as_values();
  puts("done");
}

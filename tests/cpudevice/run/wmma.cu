// Warp matrix functions: every type, shape and layout, compared with products of plain loops.
// expect: done
#include <mma.h>

#include <cmath>
#include <vector>

#include "check.h"

using namespace nvcuda;

// Small whole numbers: products and sums are exact in every type.
template <typename T>
struct Value {
  using Stored = T;
  static T of(int i) { return T(static_cast<float>(i)); }
};
template <>
struct Value<wmma::precision::tf32> {
  using Stored = float;
  static float of(int i) { return static_cast<float>(i); }
};

constexpr int kPitch = 48;

template <bool shared, int m, int n, int k, typename T, typename OrderA, typename OrderB,
          typename C, typename Stored>
__global__ void product_kernel(const Stored* a, const Stored* b, const C* c, C* d,
                               wmma::layout_t layout) {
  __shared__ __align__(32) Stored tile_a[32 * kPitch], tile_b[32 * kPitch];
  if (shared) {
    for (int i = threadIdx.x; i < 32 * kPitch; i += 32) {
      tile_a[i] = a[i];
      tile_b[i] = b[i];
    }
    __syncwarp();
  }
  wmma::fragment<wmma::matrix_a, m, n, k, T, OrderA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, OrderB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, C> sum;
  wmma::load_matrix_sync(fa, shared ? tile_a : a, kPitch);
  wmma::load_matrix_sync(fb, shared ? tile_b : b, kPitch);
  wmma::load_matrix_sync(sum, c, kPitch, layout);
  wmma::mma_sync(sum, fa, fb, sum);
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = sum.x[i] + sum.x[i];
  wmma::store_matrix_sync(d, sum, kPitch, layout);
}

template <int m, int n, int k, typename T, typename OrderA, typename OrderB, typename C>
void test(wmma::layout_t layout) {
  using Stored = typename Value<T>::Stored;
  constexpr int size = 32 * kPitch;
  Stored *a, *b;
  C *c, *d;
  CHECK_OK(cudaMallocManaged(&a, size * sizeof *a));
  CHECK_OK(cudaMallocManaged(&b, size * sizeof *b));
  CHECK_OK(cudaMallocManaged(&c, size * sizeof *c));
  CHECK_OK(cudaMallocManaged(&d, size * sizeof *d));
  const auto at = [](bool row_major, int r, int column) {
    return row_major ? r * kPitch + column : column * kPitch + r;
  };
  constexpr bool a_rows = std::is_same<OrderA, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<OrderB, wmma::row_major>::value;
  const bool c_rows = layout == wmma::mem_row_major;
  const auto of_a = [](int r, int i) { return (r * 3 + i * 5 + 1) % 7; };
  const auto of_b = [](int i, int column) { return (column * 2 + i * 3 + 2) % 5; };
  const auto of_c = [](int r, int column) { return (r + column * 4) % 9; };
  for (int shared = 0; shared < 2; ++shared) {
    for (int i = 0; i < size; ++i) {
      a[i] = b[i] = Value<T>::of(100);
      c[i] = d[i] = C(0.0f);
    }
    for (int r = 0; r < m; ++r)
      for (int i = 0; i < k; ++i)
        a[at(a_rows, r, i)] = Value<T>::of(of_a(r, i));
    for (int i = 0; i < k; ++i)
      for (int column = 0; column < n; ++column)
        b[at(b_rows, i, column)] = Value<T>::of(of_b(i, column));
    for (int r = 0; r < m; ++r)
      for (int column = 0; column < n; ++column)
        c[at(c_rows, r, column)] = C(static_cast<float>(of_c(r, column)));
    if (shared)
      product_kernel<true, m, n, k, T, OrderA, OrderB><<<1, 32>>>(a, b, c, d, layout);
    else
      product_kernel<false, m, n, k, T, OrderA, OrderB><<<1, 32>>>(a, b, c, d, layout);
    CHECK_OK(cudaDeviceSynchronize());
    for (int r = 0; r < 32; ++r) {
      for (int column = 0; column < 32; ++column) {
        int sum = 0;
        if (r < m && column < n) {
          sum = of_c(r, column);
          for (int i = 0; i < k; ++i)
            sum += of_a(r, i) * of_b(i, column);
        }
        CHECK(static_cast<float>(d[at(c_rows, r, column)]) == 2.0f * static_cast<float>(sum));
      }
    }
  }
  for (void* p :
       {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(d)})
    cudaFree(p);
}

template <int m, int n, int k, typename T, typename C>
void test_orders() {
  using wmma::col_major;
  using wmma::row_major;
  test<m, n, k, T, row_major, row_major, C>(wmma::mem_row_major);
  test<m, n, k, T, row_major, col_major, C>(wmma::mem_col_major);
  test<m, n, k, T, col_major, row_major, C>(wmma::mem_col_major);
  test<m, n, k, T, col_major, col_major, C>(wmma::mem_row_major);
}

template <typename T, typename C>
void test_shapes() {
  test_orders<16, 16, 16, T, C>();
  test_orders<32, 8, 16, T, C>();
  test_orders<8, 32, 16, T, C>();
}

__global__ void rounding_kernel(float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(a, 1.0f + 0x1.8p-11f);  // of which 1 remains, without rounding
  wmma::fill_fragment(b, 1.0f);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, a, b, sum);
  if (threadIdx.x == 0) out[0] = sum.x[0];
  for (float& x : a.x)
    x = wmma::__float_to_tf32(x);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, a, b, sum);
  if (threadIdx.x == 0) out[1] = sum.x[0];
  // A fragment without values is NaN.
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> unset;
  wmma::mma_sync(sum, a, b, unset);
  if (threadIdx.x == 0) out[2] = sum.x[0];
  // Sums of halves are rounded at the end: 2048 + 16 * 0.5 and not 2048 sixteen times.
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> h;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> g;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> halves;
  wmma::fill_fragment(h, half(0.5f));
  wmma::fill_fragment(g, half(1.0f));
  wmma::fill_fragment(halves, half(2048.0f));
  wmma::mma_sync(halves, h, g, halves);
  if (threadIdx.x == 0) out[3] = halves.x[0];
}

__global__ void saturating_kernel(int* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum, most;
  wmma::fill_fragment(a, 255);
  wmma::fill_fragment(b, 255);
  wmma::fill_fragment(most, 2147483647);
  wmma::mma_sync(sum, a, b, most, true);
  out[0] = sum.x[0];
  wmma::mma_sync(sum, a, b, most);
  out[1] = sum.x[0];
}

int main() {
  test_shapes<half, float>();
  test_shapes<half, half>();
  test_shapes<__nv_bfloat16, float>();
  test_shapes<signed char, int>();
  test_shapes<unsigned char, int>();
  test_orders<16, 16, 8, wmma::precision::tf32, float>();
  test_orders<8, 8, 4, double, double>();
  float* out;
  int* integers;
  CHECK_OK(cudaMallocManaged(&out, 4 * sizeof *out));
  CHECK_OK(cudaMallocManaged(&integers, 2 * sizeof *integers));
  rounding_kernel<<<1, 32>>>(out);
  saturating_kernel<<<1, 32>>>(integers);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 8 && out[1] == 8 * (1 + 0x1p-10f) && std::isnan(out[2]) && out[3] == 2056);
  CHECK(integers[0] == 2147483647);
  CHECK(integers[1] == static_cast<int>(2147483647u + 16u * 255 * 255));
  printf("done\n");
}

// cuBLAS: decompositions of batches of matrices, and systems, inverses and least squares of
// decompositions, of real and complex numbers; all are compared with products of the matrices
// expect: done
#include <cublas_v2.h>

#include <complex>
#include <cstring>
#include <vector>

#include "cublas_check.h"

using Wide = std::complex<double>;
cublasHandle_t handle;
constexpr int kCount = 3, kPitch = 9;

Wide wide(float x) {
  return x;
}
Wide wide(double x) {
  return x;
}
template <typename T>
auto wide(T z) -> decltype(Wide(z.x, z.y)) {
  return Wide(z.x, z.y);
}
void narrow(Wide z, float& x) {
  x = static_cast<float>(z.real());
}
void narrow(Wide z, double& x) {
  x = z.real();
}
template <typename T>
auto narrow(Wide z, T& x) -> decltype(x.y, void()) {
  x.x = static_cast<decltype(x.x)>(z.real());
  x.y = static_cast<decltype(x.x)>(z.imag());
}

unsigned state = 7;
double next() {
  return int((state = state * 1664525 + 1013904223) >> 20) % 2001 / 1000.0 - 1;
}

// A batch of matrices on the device, and a copy of the first contents.
template <typename T>
struct Batch {
  int rows, columns;
  T** pointers;
  std::vector<Wide> first;

  Batch(int rows, int columns) : rows(rows), columns(columns), first(kCount * kPitch * columns) {
    CHECK_OK(cudaMallocManaged(&pointers, kCount * sizeof(T*)));
    for (int b = 0; b < kCount; ++b) {
      CHECK_OK(cudaMallocManaged(&pointers[b], kPitch * columns * sizeof(T)));
      for (int j = 0; j < columns; ++j) {
        for (int i = 0; i < rows; ++i) {
          narrow(Wide(next(), next()), pointers[b][i + j * kPitch]);
          first[(b * columns + j) * kPitch + i] = (*this)(b, i, j);
        }
      }
    }
  }
  ~Batch() {
    for (int b = 0; b < kCount; ++b)
      cudaFree(pointers[b]);
    cudaFree(pointers);
  }
  Wide operator()(int b, int i, int j) const { return wide(pointers[b][i + j * kPitch]); }
  Wide was(int b, int i, int j) const { return first[(b * columns + j) * kPitch + i]; }
  Wide was(int b, int i, int j, cublasOperation_t op) const {
    return op == CUBLAS_OP_N ? was(b, i, j) : op == CUBLAS_OP_T ? was(b, j, i) : conj(was(b, j, i));
  }
  const T* const* constant() const { return pointers; }
};

int* integers(int n) {
  int* place = nullptr;
  CHECK_OK(cudaMallocManaged(&place, n * sizeof(int)));
  memset(place, 0x55, n * sizeof(int));
  return place;
}

// The functions of each type, called by a number of the type.
#define NAMED(name, L, T)                                  \
  template <typename... Arguments>                         \
  cublasStatus_t name(T, Arguments... arguments) {         \
    return cublas##L##name##Batched(handle, arguments...); \
  }
#define NAMES(L, T)   \
  NAMED(getrf, L, T)  \
  NAMED(getrs, L, T)  \
  NAMED(getri, L, T)  \
  NAMED(matinv, L, T) \
  NAMED(geqrf, L, T)  \
  NAMED(gels, L, T)
NAMES(S, float)
NAMES(D, double)
NAMES(C, cuComplex)
NAMES(Z, cuDoubleComplex)

template <typename T>
struct Tests {
  double tolerance;

  void near(Wide a, Wide b, int line) const {
    if (abs(a - b) <= tolerance) return;
    printf("line %d: %g%+gi and %g%+gi\n", line, a.real(), a.imag(), b.real(), b.imag());
  }

  // P L U is the decomposed matrix, and no factor is larger than 1.
  void check_factors(const Batch<T>& a, const int* pivots) const {
    const int n = a.rows;
    for (int b = 0; b < kCount; ++b) {
      std::vector<int> row(n);
      for (int i = 0; i < n; ++i)
        row[i] = i;
      for (int i = 0; pivots && i < n; ++i)
        std::swap(row[i], row[pivots[b * n + i] - 1]);
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          Wide sum = i <= j ? a(b, i, j) : 0;
          for (int l = 0; l < i && l <= j; ++l)
            sum += a(b, i, l) * a(b, l, j);
          near(sum, a.was(b, row[i], j), __LINE__);
          if (pivots && i > j) CHECK(abs(a(b, i, j)) < 1.5);
        }
      }
    }
  }

  void systems(bool pivoted) const {
    constexpr int n = 6, columns = 2;
    Batch<T> a(n, n), inverse(n, n);
    for (int b = 0; !pivoted && b < kCount; ++b) {
      for (int i = 0; i < n; ++i) {  // so that no pivot is small
        a.first[(b * n + i) * kPitch + i] += 8;
        narrow(a.was(b, i, i), a.pointers[b][i + i * kPitch]);
      }
    }
    int* info = integers(kCount);
    int* pivots = pivoted ? integers(kCount * n) : nullptr;
    BLAS(getrf(T(), n, a.pointers, kPitch, pivots, info, kCount));
    BLAS(getri(T(), n, a.constant(), kPitch, pivots, inverse.pointers, kPitch, info, kCount));
    CHECK_OK(cudaDeviceSynchronize());
    for (int b = 0; b < kCount; ++b)
      CHECK(info[b] == 0);
    check_factors(a, pivots);
    check_inverse(a, inverse);
    for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      Batch<T> x(n, columns);
      int wrong = 5;
      BLAS(getrs(T(), op, n, columns, a.constant(), kPitch, pivots, x.pointers, kPitch, &wrong,
                 kCount));
      CHECK_OK(cudaDeviceSynchronize());
      CHECK(wrong == 0);
      for (int b = 0; b < kCount; ++b) {
        for (int j = 0; j < columns; ++j) {
          for (int i = 0; i < n; ++i) {
            Wide sum = 0;
            for (int l = 0; l < n; ++l)
              sum += a.was(b, i, l, op) * x(b, l, j);
            near(sum, x.was(b, i, j), __LINE__);
          }
        }
      }
    }
    cudaFree(info);
    cudaFree(pivots);
  }

  void check_inverse(const Batch<T>& a, const Batch<T>& inverse) const {
    for (int b = 0; b < kCount; ++b) {
      for (int j = 0; j < a.rows; ++j) {
        for (int i = 0; i < a.rows; ++i) {
          Wide sum = 0;
          for (int l = 0; l < a.rows; ++l)
            sum += a.was(b, i, l) * inverse(b, l, j);
          near(sum, i == j ? 1 : 0, __LINE__);
        }
      }
    }
  }

  // The second matrix has a column of zeros and no inverse, and the others have inverses.
  void inverses() const {
    constexpr int n = 5;
    Batch<T> a(n, n), inverse(n, n);
    int* info = integers(kCount);
    BLAS(matinv(T(), n, a.constant(), kPitch, inverse.pointers, kPitch, info, kCount));
    CHECK_OK(cudaDeviceSynchronize());
    check_inverse(a, inverse);
    for (int i = 0; i < n; ++i)
      narrow(0, a.pointers[1][i + 2 * kPitch]);
    BLAS(matinv(T(), n, a.constant(), kPitch, inverse.pointers, kPitch, info, kCount));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(info[0] == 0 && info[1] == 3 && info[2] == 0);
    BLAS(getrf(T(), n, a.pointers, kPitch, static_cast<int*>(nullptr), info, kCount));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(info[0] == 0 && info[1] == 3 && info[2] == 0);
    CHECK(matinv(T(), 33, a.constant(), 33, inverse.pointers, 33, info, kCount) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(getrf(T(), n, a.pointers, n - 1, info, info, kCount) == CUBLAS_STATUS_INVALID_VALUE);
    cudaFree(info);
  }

  // A' (A x - b) is 0 for the x for which A x is nearest to b.
  void least_squares(int m, int n) const {
    constexpr int columns = 2;
    Batch<T> a(m, n), x(m, columns);
    int wrong = 5;
    int* singular = integers(kCount);
    BLAS(gels(T(), CUBLAS_OP_N, m, n, columns, a.pointers, kPitch, x.pointers, kPitch, &wrong,
              singular, kCount));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(wrong == 0);
    for (int b = 0; b < kCount; ++b) {
      CHECK(singular[b] == 0);
      for (int j = 0; j < columns; ++j) {
        std::vector<Wide> rest(m);
        for (int i = 0; i < m; ++i) {
          rest[i] = -x.was(b, i, j);
          for (int l = 0; l < n; ++l)
            rest[i] += a.was(b, i, l) * x(b, l, j);
        }
        for (int l = 0; l < n; ++l) {
          Wide sum = 0;
          for (int i = 0; i < m; ++i)
            sum += conj(a.was(b, i, l)) * rest[i];
          near(sum, 0, __LINE__);
        }
      }
    }
    CHECK(gels(T(), CUBLAS_OP_T, m, n, columns, a.pointers, kPitch, x.pointers, kPitch, &wrong,
               singular, kCount) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(gels(T(), CUBLAS_OP_N, m, n, columns, a.pointers, m - 1, x.pointers, kPitch, &wrong,
               singular, kCount) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(wrong == -6);
    cudaFree(singular);
  }

  // The reflections, applied to R from the last to the first, give the matrix again.
  void reflections(int m, int n) const {
    const int steps = m < n ? m : n;
    Batch<T> a(m, n), tau(steps, 1);
    int wrong = 5;
    BLAS(geqrf(T(), m, n, a.pointers, kPitch, tau.pointers, &wrong, kCount));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK(wrong == 0);
    for (int b = 0; b < kCount; ++b) {
      for (int j = 0; j < n; ++j) {
        std::vector<Wide> column(m);
        for (int i = 0; i <= j && i < m; ++i)
          column[i] = a(b, i, j);
        for (int k = steps - 1; k >= 0; --k) {
          Wide sum = column[k];
          for (int i = k + 1; i < m; ++i)
            sum += conj(a(b, i, k)) * column[i];
          sum *= tau(b, k, 0);
          column[k] -= sum;
          for (int i = k + 1; i < m; ++i)
            column[i] -= sum * a(b, i, k);
        }
        for (int i = 0; i < m; ++i)
          near(column[i], a.was(b, i, j), __LINE__);
      }
    }
  }

  void run() const {
    systems(true);
    systems(false);
    inverses();
    least_squares(8, 3);
    least_squares(4, 4);
    reflections(7, 4);
    reflections(3, 5);
  }
};

int main() {
  static_assert(CUBLAS_GEMM_AUTOTUNE == 999 && CUBLAS_GEMM_ALGO23 == 23 &&
                    CUBLAS_GEMM_ALGO15_TENSOR_OP == 115,
                "as in NVIDIA's header");
  BLAS(cublasCreate(&handle));
  Tests<float>{2e-3}.run();
  Tests<double>{1e-9}.run();
  Tests<cuComplex>{2e-3}.run();
  Tests<cuDoubleComplex>{1e-9}.run();
  BLAS(cublasDestroy(handle));
  printf("done\n");
}

// cuBLAS with matrices of which a part is stored: bands, triangles, packed triangles, of real and
// complex numbers. All are compared with products of whole matrices; what is not stored is NaN.
// expect: done
#include <cublas_v2.h>

#include <complex>
#include <type_traits>
#include <vector>

#include "cublas_check.h"

using Wide = std::complex<double>;
cublasHandle_t handle;
constexpr int kSize = 5, kWidth = 3, kPitch = 7, kDiagonals = 2;
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasDiagType_t kDiagonalTypes[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
constexpr cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

template <typename T>
constexpr bool kComplex = !std::is_arithmetic_v<T>;

template <typename T>
T narrow(Wide z) {
  if constexpr (kComplex<T>) {
    using Part = decltype(T{}.x);
    return {Part(z.real()), Part(z.imag())};
  } else {
    return T(z.real());
  }
}
template <typename T>
Wide wide(T x) {
  if constexpr (kComplex<T>) {
    return {x.x, x.y};
  } else {
    return x;
  }
}

// Distinct numbers; real numbers where the type is real.
unsigned state = 1;
template <typename T>
Wide any() {
  const auto next = [] { return int((state = state * 1664525 + 1013904223) >> 24) % 9 - 4; };
  const double real = next() + 0.5, imaginary = next();
  return {real, kComplex<T> ? imaginary : 0};
}

// A whole matrix, column by column.
struct Whole {
  int rows, columns;
  std::vector<Wide> at;
  Whole(int rows, int columns) : rows(rows), columns(columns), at(size_t(rows) * columns) {}
  Wide& operator()(int i, int j) { return at[i + j * rows]; }
  Wide operator()(int i, int j) const { return at[i + j * rows]; }
};
template <typename T>
Whole numbers(int rows, int columns) {
  Whole a(rows, columns);
  for (Wide& z : a.at)
    z = any<T>();
  return a;
}
Whole turned(const Whole& a, cublasOperation_t op) {
  if (op == CUBLAS_OP_N) return a;
  Whole to(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j)
      to(j, i) = op == CUBLAS_OP_C ? std::conj(a(i, j)) : a(i, j);
  }
  return to;
}
Whole operator*(const Whole& a, const Whole& b) {
  Whole to(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int l = 0; l < a.columns; ++l)
        to(i, j) += a(i, l) * b(l, j);
    }
  }
  return to;
}
Whole operator*(Wide factor, Whole a) {
  for (Wide& z : a.at)
    z *= factor;
  return a;
}
Whole operator+(Whole a, const Whole& b) {
  for (size_t i = 0; i < a.at.size(); ++i)
    a.at[i] += b.at[i];
  return a;
}

bool is_stored(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}
enum Shape { kSymmetric, kHermitian, kTriangle, kUnitTriangle };

// The matrix of which a triangle of `a` is stored, of `diagonals` beside the main one.
Whole completed(Whole a, Shape shape, cublasFillMode_t fill, int diagonals = kSize) {
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (std::abs(i - j) > diagonals) {
        a(i, j) = 0;
      } else if (i == j) {
        if (shape == kHermitian) a(i, j) = a(i, j).real();
        if (shape == kUnitTriangle) a(i, j) = 1;
      } else if (!is_stored(fill, i, j)) {
        const bool same = shape == kSymmetric || shape == kHermitian;
        a(i, j) = same ? (shape == kHermitian ? std::conj(a(j, i)) : a(j, i)) : 0;
      }
    }
  }
  return a;
}

// Numbers on the device, NaN where nothing is put.
template <typename T>
struct Device {
  T* data;
  size_t n;
  explicit Device(size_t n) : n(n) {
    cudaMalloc(&data, n * sizeof(T));
    const std::vector<T> nan(n, narrow<T>({NAN, NAN}));
    cudaMemcpy(data, nan.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit Device(const Whole& a, int pitch = kPitch) : Device(size_t(a.columns) * pitch) {
    for (int j = 0; j < a.columns; ++j) {
      for (int i = 0; i < a.rows; ++i)
        put(i + j * pitch, a(i, j));
    }
  }
  Device(const Device&) = delete;
  ~Device() { cudaFree(data); }
  void put(size_t i, Wide z) {
    const T x = narrow<T>(z);
    cudaMemcpy(data + i, &x, sizeof x, cudaMemcpyHostToDevice);
  }
  Wide get(size_t i) const {
    T x;
    cudaMemcpy(&x, data + i, sizeof x, cudaMemcpyDeviceToHost);
    return wide(x);
  }
};
bool near(Wide a, Wide b) {
  return std::abs(a - b) <= 1e-3 * (1 + std::abs(b));
}
template <typename T>
bool holds(const Device<T>& device, const Whole& a, int pitch = kPitch) {
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (!near(device.get(i + j * pitch), a(i, j))) return false;
    }
  }
  return true;
}

// Three ways to store a triangle, and the place of element (i, j).
int in_full(cublasFillMode_t, int i, int j) {
  return i + j * kPitch;
}
int in_band(cublasFillMode_t fill, int i, int j) {
  return i - j + (fill == CUBLAS_FILL_MODE_UPPER ? kDiagonals : 0) + j * kPitch;
}
int in_packed(cublasFillMode_t fill, int i, int j) {
  int before = 0;
  for (int column = 0; column < j; ++column)
    before += fill == CUBLAS_FILL_MODE_LOWER ? kSize - column : column + 1;
  return before + (fill == CUBLAS_FILL_MODE_LOWER ? i - j : i);
}
using Place = int (*)(cublasFillMode_t, int, int);

template <typename T>
struct Half : Device<T> {
  Half(const Whole& a, cublasFillMode_t fill, Place place, bool unit = false)
      : Device<T>(size_t(kSize) * kPitch) {
    for (int j = 0; j < kSize; ++j) {
      for (int i = 0; i < kSize; ++i) {
        const bool far = place == in_band && std::abs(i - j) > kDiagonals;
        if (is_stored(fill, i, j) && !far && !(unit && i == j))
          this->put(place(fill, i, j), a(i, j));
      }
    }
  }
};
// Whether the stored triangle holds `a`, and the rest is untouched.
template <typename T>
bool half_holds(const Device<T>& half, const Whole& a, cublasFillMode_t fill, Place place) {
  size_t numbers = 0;
  for (size_t i = 0; i < half.n; ++i)
    numbers += !std::isnan(half.get(i).real());
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      if (is_stored(fill, i, j) && !near(half.get(place(fill, i, j)), a(i, j))) return false;
    }
  }
  return numbers == kSize * (kSize + 1) / 2;
}

// y = alpha A x + beta y, x counted from the end, two places apart.
template <typename T, typename Multiply>
void check_product(const Whole& a, Multiply multiply) {
  const Whole x = numbers<T>(a.columns, 1), y = numbers<T>(a.rows, 1);
  Device<T> backwards(size_t(2) * a.columns), out(y);
  for (int i = 0; i < a.columns; ++i)
    backwards.put(2 * (a.columns - 1 - i), x(i, 0));
  const Wide f = any<T>(), g = any<T>();
  const T alpha = narrow<T>(f), beta = narrow<T>(g);
  BLAS(multiply(&alpha, backwards.data, -2, &beta, out.data, 1));
  CHECK(holds(out, f * (a * x) + g * y));
  const Device<T> nothing(a.rows);  // y is not read where beta is 0
  const T zero = narrow<T>(0);
  BLAS(multiply(&alpha, backwards.data, -2, &zero, nothing.data, 1));
  CHECK(holds(nothing, f * (a * x)));
}

// x = A x and back.
template <typename T, typename Multiply, typename Solve>
void check_triangle(const Whole& a, Multiply multiply, Solve solve) {
  const Whole x = numbers<T>(kSize, 1);
  const Device<T> in_place(x);
  BLAS(multiply(in_place.data, 1));
  CHECK(holds(in_place, a * x));
  BLAS(solve(in_place.data, 1));
  CHECK(holds(in_place, x));
}

// The triangle of A + alpha x x', and of A + alpha x y' + alpha' y x'.
template <typename T, typename F, typename One, typename Two>
void check_ranks(const Whole& before, Shape shape, cublasFillMode_t fill, Place place, One one,
                 Two two) {
  const auto op = shape == kHermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const Whole a = completed(before, shape, fill), x = numbers<T>(kSize, 1),
              y = numbers<T>(kSize, 1);
  const Device<T> left(x), right(y);
  const Half<T> first(a, fill, place), second(a, fill, place);
  const Wide f = any<F>(), g = any<T>();
  const F alpha = narrow<F>(f);
  const T factor = narrow<T>(g);
  BLAS(one(&alpha, left.data, 1, first.data));
  CHECK(half_holds(first, a + f * (x * turned(x, op)), fill, place));
  BLAS(two(&factor, left.data, 1, right.data, 1, second.data));
  const Whole xy = g * (x * turned(y, op));
  CHECK(half_holds(second, a + xy + turned(xy, op), fill, place));
}

// The functions of a type: for symmetric matrices, and, where cuBLAS has functions, for bands and
// packed triangles, which are Hermitian if the numbers are complex.
template <typename T>
struct Blas;
template <typename T>
struct HermitianBlas;
#define ONE_SHAPE(L, sy)                          \
  static constexpr auto mv = cublas##L##sy##mv;   \
  static constexpr auto r = cublas##L##sy##r;     \
  static constexpr auto r2 = cublas##L##sy##r2;   \
  static constexpr auto mm = cublas##L##sy##mm;   \
  static constexpr auto rk = cublas##L##sy##rk;   \
  static constexpr auto r2k = cublas##L##sy##r2k; \
  static constexpr auto rkx = cublas##L##sy##rkx;
#define ALL(L, l, T, R, sb, sp, geru)                                     \
  template <>                                                             \
  struct Blas<T> {                                                        \
    using Real = R;                                                       \
    ONE_SHAPE(L, sy)                                                      \
    static constexpr auto gb = cublas##L##gbmv;                           \
    static constexpr auto ge = cublas##L##gemv;                           \
    static constexpr auto bmv = cublas##L##sb##mv;                        \
    static constexpr auto pmv = cublas##L##sp##mv;                        \
    static constexpr auto pr = cublas##L##sp##r;                          \
    static constexpr auto pr2 = cublas##L##sp##r2;                        \
    static constexpr auto trmv = cublas##L##trmv, trsv = cublas##L##trsv; \
    static constexpr auto tbmv = cublas##L##tbmv, tbsv = cublas##L##tbsv; \
    static constexpr auto tpmv = cublas##L##tpmv, tpsv = cublas##L##tpsv; \
    static constexpr auto trmm = cublas##L##trmm;                         \
    static constexpr auto trsm = cublas##L##trsm;                         \
    static constexpr auto trsm_batched = cublas##L##trsmBatched;          \
    static constexpr auto tpttr = cublas##L##tpttr;                       \
    static constexpr auto trttp = cublas##L##trttp;                       \
    static constexpr auto ger = cublas##L##geru;                          \
  };
ALL(S, s, float, float, sb, sp, ger)
ALL(D, d, double, double, sb, sp, ger)
ALL(C, c, cuComplex, float, hb, hp, gerc)
ALL(Z, z, cuDoubleComplex, double, hb, hp, gerc)
template <>
struct HermitianBlas<cuComplex> {
  using Real = float;
  ONE_SHAPE(C, he)
};
template <>
struct HermitianBlas<cuDoubleComplex> {
  using Real = double;
  ONE_SHAPE(Z, he)
};

template <typename T>
void check_general() {
  for (const auto op : kOperations) {
    Whole a = numbers<T>(kSize, kWidth);
    const Device<T> full(a);
    check_product<T>(turned(a, op), [&](const T* alpha, auto... rest) {
      return Blas<T>::ge(handle, op, kSize, kWidth, alpha, full.data, kPitch, rest...);
    });
    Device<T> band(size_t(kWidth) * kPitch);
    for (int j = 0; j < kWidth; ++j) {
      for (int i = 0; i < kSize; ++i) {
        if (i - j > 2 || j - i > 1)
          a(i, j) = 0;
        else
          band.put(1 + i - j + j * kPitch, a(i, j));
      }
    }
    check_product<T>(turned(a, op), [&](const T* alpha, auto... rest) {
      return Blas<T>::gb(handle, op, kSize, kWidth, 2, 1, alpha, band.data, kPitch, rest...);
    });
  }
  const Whole x = numbers<T>(kSize, 1), y = numbers<T>(kWidth, 1), a = numbers<T>(kSize, kWidth);
  const Device<T> left(x), right(y), to(a);
  const Wide f = any<T>();
  const T alpha = narrow<T>(f);
  BLAS(Blas<T>::ger(handle, kSize, kWidth, &alpha, left.data, 1, right.data, 1, to.data, kPitch));
  CHECK(holds(to, a + f * (x * turned(y, CUBLAS_OP_C))));
}

// Full triangles, of functions for symmetric or Hermitian matrices.
template <typename T, typename Functions, typename Factor>
void check_full(Shape shape) {
  const auto turn = shape == kHermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  for (const auto fill : kFills) {
    const Whole a = completed(numbers<T>(kSize, kSize), shape, fill);
    const Half<T> half(a, fill, in_full);
    check_product<T>(a, [&](const T* alpha, auto... rest) {
      return Functions::mv(handle, fill, kSize, alpha, half.data, kPitch, rest...);
    });
    check_ranks<T, Factor>(
        a, shape, fill, in_full,
        [&](auto... rest) { return Functions::r(handle, fill, kSize, rest..., kPitch); },
        [&](auto... rest) { return Functions::r2(handle, fill, kSize, rest..., kPitch); });
    for (const auto side : kSides) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const Whole b = numbers<T>(left ? kSize : kWidth, left ? kWidth : kSize);
      const Whole c = numbers<T>(b.rows, b.columns);
      const Device<T> in(b), out(c);
      const Wide f = any<T>(), g = any<T>();
      const T alpha = narrow<T>(f), beta = narrow<T>(g);
      BLAS(Functions::mm(handle, side, fill, b.rows, b.columns, &alpha, half.data, kPitch, in.data,
                         kPitch, &beta, out.data, kPitch));
      CHECK(holds(out, f * (left ? a * b : b * a) + g * c));
    }
    for (const auto op : {CUBLAS_OP_N, turn}) {
      const bool plain = op == CUBLAS_OP_N;
      const Whole x = numbers<T>(plain ? kSize : kWidth, plain ? kWidth : kSize);
      const Whole y = numbers<T>(x.rows, x.columns);
      const Whole of_x = turned(x, op), of_y = turned(y, op);
      const Device<T> left(x), right(y);
      const Half<T> first(a, fill, in_full), second(a, fill, in_full), third(a, fill, in_full);
      const Wide f = any<Factor>(), g = any<T>(), h = any<Factor>();
      const Factor alpha = narrow<Factor>(f), beta = narrow<Factor>(h);
      const T factor = narrow<T>(g);
      BLAS(Functions::rk(handle, fill, op, kSize, kWidth, &alpha, left.data, kPitch, &beta,
                         first.data, kPitch));
      CHECK(half_holds(first, f * (of_x * turned(of_x, turn)) + h * a, fill, in_full));
      BLAS(Functions::r2k(handle, fill, op, kSize, kWidth, &factor, left.data, kPitch, right.data,
                          kPitch, &beta, second.data, kPitch));
      const Whole xy = g * (of_x * turned(of_y, turn));
      CHECK(half_holds(second, xy + turned(xy, turn) + h * a, fill, in_full));
      // y = 2 x: the product is Hermitian too if the factor is real.
      const Device<T> twice(Wide(2) * x);
      const T real = narrow<T>(g.real());
      BLAS(Functions::rkx(handle, fill, op, kSize, kWidth, &real, left.data, kPitch, twice.data,
                          kPitch, &beta, third.data, kPitch));
      const Whole product = of_x * turned(of_x, turn);
      CHECK(half_holds(third, Wide(2 * g.real()) * product + h * a, fill, in_full));
    }
  }
}

template <typename T>
void check_bands_and_packed() {
  using R = typename Blas<T>::Real;
  const Shape shape = kComplex<T> ? kHermitian : kSymmetric;
  for (const auto fill : kFills) {
    const Whole any = numbers<T>(kSize, kSize);
    const Whole banded = completed(any, shape, fill, kDiagonals), a = completed(any, shape, fill);
    const Half<T> band(banded, fill, in_band), packed(a, fill, in_packed);
    check_product<T>(banded, [&](const T* alpha, auto... rest) {
      return Blas<T>::bmv(handle, fill, kSize, kDiagonals, alpha, band.data, kPitch, rest...);
    });
    check_product<T>(a, [&](const T* alpha, auto... rest) {
      return Blas<T>::pmv(handle, fill, kSize, alpha, packed.data, rest...);
    });
    check_ranks<T, R>(
        a, shape, fill, in_packed,
        [&](auto... rest) { return Blas<T>::pr(handle, fill, kSize, rest...); },
        [&](auto... rest) { return Blas<T>::pr2(handle, fill, kSize, rest...); });
    const Half<T> spread(a, fill, in_full), again(a, fill, in_packed);
    const Device<T> full(size_t(kSize) * kPitch), tight(size_t(kSize) * kPitch);
    BLAS(Blas<T>::tpttr(handle, fill, kSize, again.data, full.data, kPitch));
    CHECK(half_holds(full, a, fill, in_full));
    BLAS(Blas<T>::trttp(handle, fill, kSize, spread.data, kPitch, tight.data));
    CHECK(half_holds(tight, a, fill, in_packed));
  }
}

template <typename T>
void check_triangles(cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal) {
  const bool unit = diagonal == CUBLAS_DIAG_UNIT;
  Whole any = numbers<T>(kSize, kSize);
  for (Wide& z : any.at)
    z *= 0.25;
  const Shape shape = unit ? kUnitTriangle : kTriangle;
  const Whole a = completed(any, shape, fill), banded = completed(any, shape, fill, kDiagonals);
  const Half<T> full(a, fill, in_full, unit), band(banded, fill, in_band, unit);
  const Half<T> packed(a, fill, in_packed, unit);
  using B = Blas<T>;
  const auto with = [&](auto function, auto... matrix) {
    return [=](auto... x) { return function(handle, fill, op, diagonal, kSize, matrix..., x...); };
  };
  check_triangle<T>(turned(a, op), with(B::trmv, full.data, kPitch),
                    with(B::trsv, full.data, kPitch));
  check_triangle<T>(turned(banded, op), with(B::tbmv, kDiagonals, band.data, kPitch),
                    with(B::tbsv, kDiagonals, band.data, kPitch));
  check_triangle<T>(turned(a, op), with(B::tpmv, packed.data), with(B::tpsv, packed.data));
  for (const auto side : kSides) {
    const bool left = side == CUBLAS_SIDE_LEFT;
    const Whole b = numbers<T>(left ? kSize : kWidth, left ? kWidth : kSize);
    const Device<T> in(b), out(size_t(b.columns) * kPitch), other(size_t(b.columns) * kPitch);
    const T two = narrow<T>(2), half = narrow<T>(0.5);
    BLAS(B::trmm(handle, side, fill, op, diagonal, b.rows, b.columns, &two, full.data, kPitch,
                 in.data, kPitch, out.data, kPitch));
    CHECK(holds(out, Wide(2) * (left ? turned(a, op) * b : b * turned(a, op))));
    BLAS(B::trmm(handle, side, fill, op, diagonal, b.rows, b.columns, &two, full.data, kPitch,
                 in.data, kPitch, other.data, kPitch));
    BLAS(B::trsm(handle, side, fill, op, diagonal, b.rows, b.columns, &half, full.data, kPitch,
                 out.data, kPitch));
    CHECK(holds(out, b));
    T* const pointers[] = {full.data, other.data};
    T** on_device;
    cudaMalloc(&on_device, sizeof pointers);
    cudaMemcpy(on_device, pointers, sizeof pointers, cudaMemcpyHostToDevice);
    BLAS(B::trsm_batched(handle, side, fill, op, diagonal, b.rows, b.columns, &half, on_device,
                         kPitch, on_device + 1, kPitch, 1));
    CHECK(holds(other, b));
    cudaFree(on_device);
  }
}

template <typename T>
void check_type() {
  check_general<T>();
  check_full<T, Blas<T>, T>(kSymmetric);
  if constexpr (kComplex<T>)
    check_full<T, HermitianBlas<T>, typename HermitianBlas<T>::Real>(kHermitian);
  check_bands_and_packed<T>();
  for (const auto fill : kFills) {
    for (const auto op : kOperations) {
      for (const auto diagonal : kDiagonalTypes)
        check_triangles<T>(fill, op, diagonal);
    }
  }
}

int main() {
  BLAS(cublasCreate_v2(&handle));  // the name in a toolkit's library
  check_type<float>();
  check_type<double>();
  check_type<cuComplex>();
  check_type<cuDoubleComplex>();
  // A band of three diagonals needs columns of three elements.
  const Device<float> x(size_t(kSize) * kPitch);
  CHECK(cublasStbmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, kSize, 2, x.data,
                    2, x.data, 1) == CUBLAS_STATUS_INVALID_VALUE);
  BLAS(cublasDestroy_v2(handle));
  puts("done");
}

// cuBLAS: the first level, vectors.
#include <cmath>
#include <functional>
#include <utility>

#include "cublas/call.h"
#include "cublas/number.h"
#include "cublas_v2.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

// BLAS's size of a number: the absolute value, but not for complex numbers.
template <typename T>
T size_of(T x) {
  return std::abs(x);
}
template <typename T>
T size_of(std::complex<T> z) {
  return std::abs(z.real()) + std::abs(z.imag());
}

// Returns the index, counted from 1, of the first element whose size `before` puts before all
// others; 0 for an empty vector.
template <typename T, typename Before>
int extreme(const T* x, int n, int inc, Before before) {
  if (n <= 0 || inc <= 0) return 0;
  const auto size = [=](int i) { return size_of(Number<T>::load(x[int64_t{i} * inc])); };
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (before(size(i), size(best))) best = i;
  }
  return best + 1;
}

// A sum of squares, scaled by the largest number, so that no square overflows.
struct Squares {
  double scale = 0, sum = 1;
  void add(double number) {
    const double value = std::abs(number);
    if (value == 0) return;
    if (scale < value) {
      sum = 1 + sum * (scale / value) * (scale / value);
      scale = value;
    } else {
      sum += (value / scale) * (value / scale);
    }
  }
  template <typename T>
  void add(std::complex<T> number) {
    add(number.real());
    add(number.imag());
  }
};

template <typename T, typename Out>
cublasStatus_t length(cublasHandle_t handle, const char* name, int n, const T* x, int incx,
                      Out* result) {
  return run(handle, name, [=, to = Result<Out>(handle, result)](Call& call) {
    call.reads_vector(x, n, incx, "vector x");
    Squares squares;
    for (int64_t i = 0; call.valid && incx > 0 && i < n; ++i)
      squares.add(Number<T>::load(x[i * incx]));
    Out value;
    Number<Out>::store(value, static_cast<Real<Sum<T>>>(squares.scale * std::sqrt(squares.sum)));
    to.put(call, value);
  });
}

// The sum of the products of x and y; x is conjugate if `conjugates` says so.
template <typename T>
cublasStatus_t dot(cublasHandle_t handle, const char* name, bool conjugates, int n, const T* x,
                   int incx, const T* y, int incy, T* result) {
  return run(handle, name, [=, to = Result<T>(handle, result)](Call& call) {
    const T* a = call.reads_vector(x, n, incx, "vector x");
    const T* b = call.reads_vector(y, n, incy, "vector y");
    if (!call.valid) return;
    const auto sum = sum_of<Sum<T>>(n, [=](int64_t i) {
      const auto left = Number<T>::load(a[i * incx]);
      return (conjugates ? conjugate(left) : left) * Number<T>::load(b[i * incy]);
    });
    T value;
    Number<T>::store(value, sum);
    to.put(call, value);
  });
}

template <typename F, typename T>
cublasStatus_t axpy(cublasHandle_t handle, const char* name, int n, const F* alpha, const T* x,
                    int incx, T* y, int incy) {
  return run(handle, name, [=, factor = Factor<F>(handle, alpha)](Call& call) {
    const T* a = call.reads_vector(x, n, incx, "vector x");
    T* b = call.writes_vector(y, n, incy, "vector y");
    const Sum<T> f = Number<F>::load(factor.get(call));
    for (int64_t i = 0; call.valid && i < n; ++i) {
      T& place = b[i * incy];
      Number<T>::store(place, Number<T>::load(place) + f * Number<T>::load(a[i * incx]));
    }
  });
}

template <typename F, typename T>
cublasStatus_t scale(cublasHandle_t handle, const char* name, int n, const F* alpha, T* x,
                     int incx) {
  return run(handle, name, [=, factor = Factor<F>(handle, alpha)](Call& call) {
    call.writes_vector(x, n, incx, "vector x");
    const auto f = Number<F>::load(factor.get(call));
    for (int64_t i = 0; call.valid && incx > 0 && i < n; ++i)
      Number<T>::store(x[i * incx], Number<T>::load(x[i * incx]) * f);
  });
}

// Turns each pair of numbers by an angle, of which cosine and sine are given.
template <typename C, typename S, typename T>
cublasStatus_t rotate(cublasHandle_t handle, const char* name, int n, T* x, int incx, T* y,
                      int incy, const C* c, const S* s) {
  return run(handle, name,
             [=, cosine = Factor<C>(handle, c), sine = Factor<S>(handle, s)](Call& call) {
               T* a = call.writes_vector(x, n, incx, "vector x");
               T* b = call.writes_vector(y, n, incy, "vector y");
               const auto cos = Number<C>::load(cosine.get(call));
               const Sum<T> sin = Number<S>::load(sine.get(call));
               for (int64_t i = 0; call.valid && i < n; ++i) {
                 const auto left = Number<T>::load(a[i * incx]);
                 const auto right = Number<T>::load(b[i * incy]);
                 Number<T>::store(a[i * incx], cos * left + sin * right);
                 Number<T>::store(b[i * incy], cos * right - conjugate(sin) * left);
               }
             });
}

// A place that a function reads and writes, on the host or the device as the pointer mode says.
template <typename T>
struct InPlace {
  Factor<T> in;
  Result<T> out;
  InPlace(cublasHandle_t handle, T* place) : in(handle, place), out(handle, place) {}
};

// The rotation that makes b of (a, b) zero: a gets the length, and b a number from which c and s
// can be restored, as in BLAS.
template <typename T>
void find_rotation(T& a, T& b, T& c, T& s) {
  const T larger = std::abs(a) > std::abs(b) ? a : b;
  if (a == 0 && b == 0) {
    c = 1;
    s = 0;
    return;
  }
  const T r = std::copysign(std::hypot(a, b), larger);
  c = a / r;
  s = b / r;
  b = std::abs(a) > std::abs(b) ? s : c != 0 ? 1 / c : T(1);
  a = r;
}
// The rotation for complex numbers, with a real cosine; b stays as it is.
template <typename T>
void find_rotation(std::complex<T>& a, std::complex<T>& b, T& c, std::complex<T>& s) {
  const T of_a = std::abs(a);
  if (of_a == 0) {
    c = 0;
    s = 1;
    a = b;
    return;
  }
  const T r = std::hypot(of_a, std::abs(b));
  const std::complex<T> direction = a / of_a;
  c = of_a / r;
  s = direction * std::conj(b) / r;
  a = direction * r;
}

template <typename T, typename C>
cublasStatus_t make_rotation(cublasHandle_t handle, const char* name, T* a, T* b, C* c, T* s) {
  return run(handle, name,
             [=, at_a = InPlace<T>(handle, a), at_b = InPlace<T>(handle, b),
              at_c = Result<C>(handle, c), at_s = Result<T>(handle, s)](Call& call) {
               auto x = Number<T>::load(at_a.in.get(call)), y = Number<T>::load(at_b.in.get(call));
               C cosine = 0;
               Sum<T> sine = 0;
               find_rotation(x, y, cosine, sine);
               const auto put = [&](const Result<T>& to, Sum<T> value) {
                 T number;
                 Number<T>::store(number, value);
                 to.put(call, number);
               };
               put(at_a.out, x);
               put(at_b.out, y);
               at_c.put(call, cosine);
               put(at_s, sine);
             });
}

// The matrix of a modified rotation: the flag says which of the four numbers are stored.
template <typename T>
struct Modified {
  T flag, h11, h21, h12, h22;

  static Modified of(const T* p) {
    Modified m = {p[0], p[1], p[2], p[3], p[4]};
    if (m.flag == -2) return {-2, 1, 0, 0, 1};
    if (m.flag == 0) m.h11 = m.h22 = 1;
    if (m.flag == 1) {
      m.h12 = 1;
      m.h21 = -1;
    }
    return m;
  }
};

template <typename T>
cublasStatus_t rotate_modified(cublasHandle_t handle, const char* name, int n, T* x, int incx, T* y,
                               int incy, const T* parameters) {
  struct Five {
    T at[5];
  };
  const auto* five = reinterpret_cast<const Five*>(parameters);
  return run(handle, name, [=, matrix = Factor<Five>(handle, five)](Call& call) {
    T* a = call.writes_vector(x, n, incx, "vector x");
    T* b = call.writes_vector(y, n, incy, "vector y");
    const auto h = Modified<T>::of(matrix.get(call).at);
    for (int64_t i = 0; call.valid && i < n; ++i) {
      const T left = a[i * incx], right = b[i * incy];
      a[i * incx] = h.h11 * left + h.h12 * right;
      b[i * incy] = h.h21 * left + h.h22 * right;
    }
  });
}

// Makes y1 zero by a modified rotation of (sqrt(d1) x1, sqrt(d2) y1). Factors that grow too large
// or too small are scaled back by 4096, as the definition of BLAS does.
template <typename T>
Modified<T> find_modified(T& d1, T& d2, T& x1, T y1) {
  constexpr T kScale = 4096, kLargest = kScale * kScale, kSmallest = 1 / kLargest;
  Modified<T> h = {-1, 0, 0, 0, 0};
  if (d1 < 0) {
    d1 = d2 = x1 = 0;
    return h;
  }
  const T p2 = d2 * y1;
  if (p2 == 0) return {-2, 1, 0, 0, 1};
  const T p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
  if (std::abs(q1) > std::abs(q2)) {
    h = {0, 1, -y1 / x1, p2 / p1, 1};
    const T u = 1 - h.h12 * h.h21;
    if (u <= 0) {
      d1 = d2 = x1 = 0;
      return {-1, 0, 0, 0, 0};
    }
    d1 /= u;
    d2 /= u;
    x1 *= u;
  } else if (q2 < 0) {
    d1 = d2 = x1 = 0;
    return h;
  } else {
    h = {1, p1 / p2, -1, 1, x1 / y1};
    const T u = 1 + h.h11 * h.h22, before = d1;
    d1 = d2 / u;
    d2 = before / u;
    x1 = y1 * u;
  }
  const auto rescale = [&](T& d, T& first, T& second, T* x) {
    while (d != 0 && (std::abs(d) <= kSmallest || std::abs(d) >= kLargest)) {
      const bool small = std::abs(d) <= kSmallest;
      const T factor = small ? kScale : 1 / kScale;
      h.flag = -1;
      d *= factor * factor;
      first /= factor;
      second /= factor;
      if (x) *x /= factor;
    }
  };
  rescale(d1, h.h11, h.h12, &x1);
  rescale(d2, h.h21, h.h22, static_cast<T*>(nullptr));
  return h;
}

template <typename T>
cublasStatus_t make_modified(cublasHandle_t handle, const char* name, T* d1, T* d2, T* x1,
                             const T* y1, T* parameters) {
  return run(handle, name,
             [=, at_d1 = InPlace<T>(handle, d1), at_d2 = InPlace<T>(handle, d2),
              at_x1 = InPlace<T>(handle, x1), at_y1 = Factor<T>(handle, y1),
              found = Result<T>(handle, parameters)](Call& call) {
               T a = at_d1.in.get(call), b = at_d2.in.get(call), x = at_x1.in.get(call);
               const auto h = find_modified(a, b, x, at_y1.get(call));
               at_d1.out.put(call, a);
               at_d2.out.put(call, b);
               at_x1.out.put(call, x);
               const auto put = [&](int i, T value) {
                 Result<T> one = found;
                 one.place += i;
                 one.put(call, value);
               };
               put(0, h.flag);
               if (h.flag == -1 || h.flag == 1) put(1, h.h11);
               if (h.flag == -1 || h.flag == 0) put(2, h.h21);
               if (h.flag == -1 || h.flag == 0) put(3, h.h12);
               if (h.flag == -1 || h.flag == 1) put(4, h.h22);
             });
}

}  // namespace

#define ANY(L, l, T, asum_name, nrm2_name)                                                       \
  cublasStatus_t cublasI##l##amax(cublasHandle_t handle, int n, const T* x, int incx,            \
                                  int* result) {                                                 \
    return run(handle, "cublasI" #l "amax", [=, to = Result<int>(handle, result)](Call& call) {  \
      call.reads_vector(x, n, incx, "vector x");                                                 \
      if (call.valid) to.put(call, extreme(x, n, incx, std::greater<>()));                       \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublasI##l##amin(cublasHandle_t handle, int n, const T* x, int incx,            \
                                  int* result) {                                                 \
    return run(handle, "cublasI" #l "amin", [=, to = Result<int>(handle, result)](Call& call) {  \
      call.reads_vector(x, n, incx, "vector x");                                                 \
      if (call.valid) to.put(call, extreme(x, n, incx, std::less<>()));                          \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##asum_name(cublasHandle_t handle, int n, const T* x, int incx,           \
                                   Real<T>* result) {                                            \
    return run(                                                                                  \
        handle, "cublas" #asum_name, [=, to = Result<Real<T>>(handle, result)](Call& call) {     \
          call.reads_vector(x, n, incx, "vector x");                                             \
          const auto size = [=](int64_t i) { return size_of(Number<T>::load(x[i * incx])); };    \
          if (call.valid) to.put(call, sum_of<Real<T>>(incx > 0 ? n : 0, size));                 \
        });                                                                                      \
  }                                                                                              \
  cublasStatus_t cublas##nrm2_name(cublasHandle_t handle, int n, const T* x, int incx,           \
                                   Real<T>* result) {                                            \
    return length(handle, "cublas" #nrm2_name, n, x, incx, result);                              \
  }                                                                                              \
  cublasStatus_t cublas##L##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,       \
                                 int incx, T* y, int incy) {                                     \
    return axpy(handle, "cublas" #L "axpy", n, alpha, x, incx, y, incy);                         \
  }                                                                                              \
  cublasStatus_t cublas##L##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,       \
                                 int incy) {                                                     \
    return run(handle, "cublas" #L "copy", [=](Call& call) {                                     \
      const T* a = call.reads_vector(x, n, incx, "vector x");                                    \
      T* b = call.writes_vector(y, n, incy, "vector y", false);                                  \
      for (int64_t i = 0; call.valid && i < n; ++i)                                              \
        b[i * incy] = a[i * incx];                                                               \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##L##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) { \
    return run(handle, "cublas" #L "swap", [=](Call& call) {                                     \
      T* a = call.writes_vector(x, n, incx, "vector x");                                         \
      T* b = call.writes_vector(y, n, incy, "vector y");                                         \
      for (int64_t i = 0; call.valid && i < n; ++i)                                              \
        std::swap(a[i * incx], b[i * incy]);                                                     \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##L##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) { \
    return scale(handle, "cublas" #L "scal", n, alpha, x, incx);                                 \
  }                                                                                              \
  cublasStatus_t cublas##L##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,    \
                                const Real<T>* c, const T* s) {                                  \
    return rotate(handle, "cublas" #L "rot", n, x, incx, y, incy, c, s);                         \
  }                                                                                              \
  cublasStatus_t cublas##L##rotg(cublasHandle_t handle, T* a, T* b, Real<T>* c, T* s) {          \
    return make_rotation(handle, "cublas" #L "rotg", a, b, c, s);                                \
  }
ANY(S, s, float, Sasum, Snrm2)
ANY(D, d, double, Dasum, Dnrm2)
ANY(C, c, cuComplex, Scasum, Scnrm2)
ANY(Z, z, cuDoubleComplex, Dzasum, Dznrm2)
#undef ANY

#define REAL(L, T)                                                                              \
  cublasStatus_t cublas##L##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, \
                                int incy, T* result) {                                          \
    return dot(handle, "cublas" #L "dot", false, n, x, incx, y, incy, result);                  \
  }                                                                                             \
  cublasStatus_t cublas##L##rotm(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,  \
                                 const T* parameters) {                                         \
    return rotate_modified(handle, "cublas" #L "rotm", n, x, incx, y, incy, parameters);        \
  }                                                                                             \
  cublasStatus_t cublas##L##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1,      \
                                  T* parameters) {                                              \
    return make_modified(handle, "cublas" #L "rotmg", d1, d2, x1, y1, parameters);              \
  }
REAL(S, float)
REAL(D, double)
#undef REAL

#define COMPLEX(L, T, R, scal_name, rot_name)                                                      \
  cublasStatus_t cublas##L##dotu(cublasHandle_t handle, int n, const T* x, int incx, const T* y,   \
                                 int incy, T* result) {                                            \
    return dot(handle, "cublas" #L "dotu", false, n, x, incx, y, incy, result);                    \
  }                                                                                                \
  cublasStatus_t cublas##L##dotc(cublasHandle_t handle, int n, const T* x, int incx, const T* y,   \
                                 int incy, T* result) {                                            \
    return dot(handle, "cublas" #L "dotc", true, n, x, incx, y, incy, result);                     \
  }                                                                                                \
  cublasStatus_t cublas##scal_name(cublasHandle_t handle, int n, const R* alpha, T* x, int incx) { \
    return scale(handle, "cublas" #scal_name, n, alpha, x, incx);                                  \
  }                                                                                                \
  cublasStatus_t cublas##rot_name(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,    \
                                  const R* c, const R* s) {                                        \
    return rotate(handle, "cublas" #rot_name, n, x, incx, y, incy, c, s);                          \
  }
COMPLEX(C, cuComplex, float, Csscal, Csrot)
COMPLEX(Z, cuDoubleComplex, double, Zdscal, Zdrot)
#undef COMPLEX

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha,
                            cudaDataType type_alpha, const void* x, cudaDataType type_x, int incx,
                            void* y, cudaDataType type_y, int incy, cudaDataType type) {
  if (type_x != type_y) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_number(type_x, type_alpha, type, [&](auto* number, auto* factor) {
    return axpy(handle, "cublasAxpyEx", n, typed(alpha, factor), typed(x, number), incx,
                typed(y, number), incy);
  });
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha,
                            cudaDataType type_alpha, void* x, cudaDataType type_x, int incx,
                            cudaDataType type) {
  return with_number(type_x, type_alpha, type, [&](auto* number, auto* factor) {
    return scale(handle, "cublasScalEx", n, typed(alpha, factor), typed(x, number), incx);
  });
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                           int incx, const void* y, cudaDataType type_y, int incy, void* result,
                           cudaDataType type_result, cudaDataType type) {
  if (type_x != type_y || type_x != type_result) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_number(type_x, type_x, type, [&](auto* number, auto*) {
    return dot(handle, "cublasDotEx", false, n, typed(x, number), incx, typed(y, number), incy,
               typed(result, number));
  });
}

cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                            int incx, const void* y, cudaDataType type_y, int incy, void* result,
                            cudaDataType type_result, cudaDataType type) {
  if (type_x != type_y || type_x != type_result) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_number(type_x, type_x, type, [&](auto* number, auto*) {
    return dot(handle, "cublasDotcEx", true, n, typed(x, number), incx, typed(y, number), incy,
               typed(result, number));
  });
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                            int incx, void* result, cudaDataType type_result, cudaDataType type) {
  return with_number(type_x, type_x, type, [&](auto* number, auto*) {
    using R = Real<std::remove_pointer_t<decltype(number)>>;
    if (type_result != real_type(type_x)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return length(handle, "cublasNrm2Ex", n, typed(x, number), incx, static_cast<R*>(result));
  });
}

cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void* x, cudaDataType type_x, int incx,
                           void* y, cudaDataType type_y, int incy, const void* c, const void* s,
                           cudaDataType type_cs, cudaDataType type) {
  if (type_x != type_y) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_number(type_x, type_cs, type, [&](auto* number, auto* factor) {
    using F = std::remove_pointer_t<decltype(factor)>;
    // A complex sine has a real cosine.
    return rotate(handle, "cublasRotEx", n, typed(x, number), incx, typed(y, number), incy,
                  static_cast<const Real<F>*>(c), typed(s, factor));
  });
}

// Warp matrix functions: nvcuda::wmma. Matrices in fragments, which all lanes of a warp hold
// together.
//
// Half, bfloat16, tf32, signed and unsigned char, double. CUDA leaves open which elements a lane
// holds; the CPU device uses the layout of mma.sync in PTX. A fragment that nothing has filled
// holds NaN, for integers some large number: on a GPU the fragment holds old values of the
// registers, often zeros.
//
// The products are summed as src/matrices/matrix.cpp says. Where possible a matrix in shared memory
// is loaded by rows of 16 bytes, as by ldmatrix; in other loads and stores each lane accesses its
// own elements.
#pragma once

#include "cudacpu/numbers/bf16.h"
#include "cudacpu/numbers/fp16.h"

#ifdef __CUDACC__
#include "cudacpu/device/matrix/matrix.h"
#include "cudacpu/device/matrix/memory.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

CUDACPU_DEVICE inline float __float_to_tf32(float x) {
  return cudacpu::bits_as<float>(cudacpu::tf32_from(x));
}

namespace detail {

using cudacpu::Element;
using cudacpu::MatrixLayout;
using cudacpu::MatrixProduct;

template <typename T>
struct Type;
#define CUDACPU_WMMA_TYPE(T, Stored, name, pattern) \
  template <>                                       \
  struct Type<T> {                                  \
    using type = Stored;                            \
    static constexpr Element element = name;        \
    static constexpr unsigned unset = pattern;      \
  };
CUDACPU_WMMA_TYPE(__half, __half, Element::kHalf, 0x7DAD7DAD)
CUDACPU_WMMA_TYPE(__nv_bfloat16, __nv_bfloat16, Element::kBfloat16, 0x7FAD7FAD)
CUDACPU_WMMA_TYPE(precision::tf32, float, Element::kTf32, 0x7FADADAD)
CUDACPU_WMMA_TYPE(signed char, signed char, Element::kInt8, 0x6D6D6D6D)
CUDACPU_WMMA_TYPE(unsigned char, unsigned char, Element::kUint8, 0xADADADAD)
CUDACPU_WMMA_TYPE(float, float, Element::kFloat, 0x7FADADAD)
CUDACPU_WMMA_TYPE(int, int, Element::kInt32, 0x6DADADAD)
CUDACPU_WMMA_TYPE(double, double, Element::kDouble, 0x7FF5ADAD)
#undef CUDACPU_WMMA_TYPE

// The shapes that CUDA has for a type of the factors.
constexpr bool has_shape(Element type, int m, int n, int k) {
  if (type == Element::kTf32) return m == 16 && n == 16 && k == 8;
  if (type == Element::kDouble) return m == 8 && n == 8 && k == 4;
  return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}

template <typename Use, int m, int n, int k, typename T>
struct Place;
template <int m, int n, int k, typename T>
struct Place<matrix_a, m, n, k, T> {
  static_assert(has_shape(Type<T>::element, m, n, k), "WMMA has no such shape for this type");
  static constexpr MatrixLayout layout{m, k, cudacpu::run_of(Type<T>::element), true};
};
template <int m, int n, int k, typename T>
struct Place<matrix_b, m, n, k, T> {
  static_assert(has_shape(Type<T>::element, m, n, k), "WMMA has no such shape for this type");
  static constexpr MatrixLayout layout{n, k, cudacpu::run_of(Type<T>::element), false};
};
template <int m, int n, int k, typename T>
struct Place<accumulator, m, n, k, T> {
  static constexpr MatrixLayout layout{m, n, 2, true};
};

template <typename Use>
constexpr bool is_factor = !std::is_same<Use, accumulator>::value;
// Do the elements of a run lie side by side in memory?
template <typename Use, typename Order>
constexpr bool is_along =
    std::is_same<Use, matrix_b>::value == std::is_same<Order, col_major>::value;

}  // namespace detail

// The name is distinct because a profile recognises the type by the name
// (compiler/counts/values.py).
template <typename Use, int m, int n, int k, typename T, typename Order = void>
class cudacpu_fragment {
  using Type = detail::Type<T>;

 public:
  using element_type = T;
  using storage_element_type = typename Type::type;
  static constexpr cudacpu::MatrixLayout cudacpu_layout = detail::Place<Use, m, n, k, T>::layout;
  // Of a and b in half precision two or four lanes hold each element on a GPU: the program sees 16.
  static constexpr int num_elements =
      detail::is_factor<Use> && std::is_same<T, __half>::value ? 16 : cudacpu_layout.elements();
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];

  CUDACPU_DEVICE CUDACPU_INLINED cudacpu_fragment() {
    unsigned unset[sizeof x / sizeof(unsigned)];
#pragma GCC unroll 16
    for (unsigned& word : unset)
      word = Type::unset;
    cudacpu::copy_registers<sizeof x>(x, unset);
  }
};
template <typename Use, int m, int n, int k, typename T, typename Order = void>
using fragment = cudacpu_fragment<Use, m, n, k, T, Order>;

namespace detail {

template <typename Fragment>
CUDACPU_DEVICE CUDACPU_INLINED void load(Fragment& f, const void* p, unsigned ldm, bool along) {
  using Stored = typename Fragment::storage_element_type;
  constexpr MatrixLayout layout = Fragment::cudacpu_layout;
  constexpr int elements = layout.elements();
  Stored values[elements];
  cudacpu::load_matrix<layout.rows, layout.depth, layout.run, layout.down>(
      values, static_cast<const Stored*>(p), ldm, along, "wmma::load_matrix_sync()");
#pragma GCC unroll 16
  for (int i = 0; i < Fragment::num_elements; i += elements)
    cudacpu::copy_registers<sizeof values>(f.x + i, values);
}

}  // namespace detail

template <typename Use, int m, int n, int k, typename T, typename Order>
CUDACPU_DEVICE CUDACPU_INLINED void load_matrix_sync(fragment<Use, m, n, k, T, Order>& f,
                                                     const typename detail::Type<T>::type* p,
                                                     unsigned ldm) {
  static_assert(detail::is_factor<Use>, "an accumulator is loaded with a layout");
  detail::load(f, p, ldm, detail::is_along<Use, Order>);
}
template <int m, int n, int k, typename T>
CUDACPU_DEVICE CUDACPU_INLINED void load_matrix_sync(fragment<accumulator, m, n, k, T>& f,
                                                     const T* p, unsigned ldm, layout_t layout) {
  detail::load(f, p, ldm, layout == mem_row_major);
}

template <int m, int n, int k, typename T>
CUDACPU_DEVICE CUDACPU_INLINED void store_matrix_sync(T* p,
                                                      const fragment<accumulator, m, n, k, T>& f,
                                                      unsigned ldm, layout_t layout) {
  constexpr cudacpu::MatrixLayout place = fragment<accumulator, m, n, k, T>::cudacpu_layout;
  cudacpu::store_matrix<place.rows, place.depth>(p, f.x, ldm, layout == mem_row_major,
                                                 "wmma::store_matrix_sync()");
}

template <typename Use, int m, int n, int k, typename T, typename Order>
CUDACPU_DEVICE CUDACPU_INLINED void fill_fragment(fragment<Use, m, n, k, T, Order>& f,
                                                  const typename detail::Type<T>::type& value) {
#pragma GCC unroll 16
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = value;
}

template <int m, int n, int k, typename A, typename OrderA, typename B, typename OrderB, typename D,
          typename C>
CUDACPU_DEVICE CUDACPU_INLINED void mma_sync(fragment<accumulator, m, n, k, D>& d,
                                             const fragment<matrix_a, m, n, k, A, OrderA>& a,
                                             const fragment<matrix_b, m, n, k, B, OrderB>& b,
                                             const fragment<accumulator, m, n, k, C>& c,
                                             bool satf = false) {
  using detail::Element;
  static_assert(std::is_same<A, B>::value, "both factors have one type");
  constexpr Element type = detail::Type<A>::element, sum = detail::Type<C>::element;
  constexpr bool is_half = type == Element::kHalf;
  constexpr bool is_integer = type == Element::kInt8 || type == Element::kUint8;
  constexpr Element from = detail::Type<D>::element;
  static_assert(is_half ? (sum == Element::kFloat || sum == Element::kHalf) &&
                              (from == Element::kFloat || from == Element::kHalf)
                : is_integer               ? sum == Element::kInt32 && from == sum
                : type == Element::kDouble ? sum == Element::kDouble && from == sum
                                           : sum == Element::kFloat && from == sum,
                "WMMA has no accumulator of this type for these factors");
  const detail::MatrixProduct product{m, n, k, type, type, sum, from, is_integer && satf};
  cudacpu::multiply(product, a.x, b.x, c.x, d.x, "wmma::mma_sync()");
}

}  // namespace wmma
}  // namespace nvcuda

#endif

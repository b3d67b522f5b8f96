// Iterators that change the written values: by a function of the value, or of the value and its
// index.
#pragma once

#include "iterators.h"

namespace thrust {
namespace detail {

// An element of a transform_output_iterator or a transform_input_output_iterator.
template <typename Element, typename Read, typename Write>
struct TransformedElement {
  Element element;
  Read read;
  Write write;
  template <typename T>
  CUDACPU_HOST_DEVICE const TransformedElement& operator=(const T& value) const {
    Element to = element;
    *to = write(value);
    return *this;
  }
  CUDACPU_HOST_DEVICE operator std::decay_t<std::invoke_result_t<Read, value_of<Element>>>() const {
    return read(*element);
  }
};
struct Unchanged {
  template <typename T>
  CUDACPU_HOST_DEVICE T operator()(T value) const {
    return value;
  }
};

}  // namespace detail

template <typename Read, typename Write, typename Base>
class transform_input_output_iterator
    : public detail::Positioned<transform_input_output_iterator<Read, Write, Base>,
                                std::decay_t<std::invoke_result_t<Read, detail::value_of<Base>>>,
                                detail::TransformedElement<Base, Read, Write>> {
 public:
  static constexpr bool is_on_device = detail::is_on_device<Base>::value;
  CUDACPU_HOST_DEVICE transform_input_output_iterator(Base base, Read read, Write write)
      : base_(base), read_(read), write_(write) {}
  CUDACPU_HOST_DEVICE transform_input_output_iterator(Base base, Write write)
      : base_(base), read_(), write_(write) {}
  CUDACPU_HOST_DEVICE detail::TransformedElement<Base, Read, Write> at(std::ptrdiff_t i) const {
    return {base_ + i, read_, write_};
  }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(
      const transform_input_output_iterator& a, const transform_input_output_iterator& b) {
    return a.base_ - b.base_;
  }
  CUDACPU_HOST_DEVICE auto unwrapped() const {
    const auto base = detail::unwrap(base_ + this->position_);
    return transform_input_output_iterator<Read, Write, std::decay_t<decltype(base)>>(base, read_,
                                                                                      write_);
  }

 private:
  Base base_;
  Read read_;
  Write write_;
};
template <typename Base, typename Read, typename Write>
CUDACPU_HOST_DEVICE transform_input_output_iterator<Read, Write, Base>
make_transform_input_output_iterator(Base base, Read read, Write write) {
  return {base, read, write};
}

template <typename Write, typename Base>
using transform_output_iterator = transform_input_output_iterator<detail::Unchanged, Write, Base>;
template <typename Write, typename Base>
CUDACPU_HOST_DEVICE transform_output_iterator<Write, Base> make_transform_output_iterator(
    Base base, Write write) {
  return {base, write};
}

namespace detail {

template <typename Function>
struct TabulatedElement {
  Function function;
  std::ptrdiff_t index;
  template <typename T>
  CUDACPU_HOST_DEVICE const TabulatedElement& operator=(const T& value) const {
    Function call = function;
    call(index, value);
    return *this;
  }
};

}  // namespace detail

// Calls function(index, value) for each written value.
template <typename Function, typename System = void, typename Distance = std::ptrdiff_t>
class tabulate_output_iterator
    : public detail::Positioned<tabulate_output_iterator<Function, System, Distance>,
                                detail::TabulatedElement<Function>> {
 public:
  static constexpr bool is_anywhere = true;
  CUDACPU_HOST_DEVICE tabulate_output_iterator(Function function) : function_(function) {}
  CUDACPU_HOST_DEVICE detail::TabulatedElement<Function> at(std::ptrdiff_t i) const {
    return {function_, i};
  }

 private:
  Function function_;
};
template <typename Function>
CUDACPU_HOST_DEVICE tabulate_output_iterator<Function> make_tabulate_output_iterator(
    Function function) {
  return {function};
}

}  // namespace thrust

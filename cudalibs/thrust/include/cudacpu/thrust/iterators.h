// Iterators that make their elements: counting, constant, transform, zip, permutation, discard.
#pragma once

#include "functional.h"
#include "pointer.h"

namespace thrust {
namespace detail {

// The common part of iterators with a position and a way to make an element of the position.
// Derived has at(position), which returns a `Reference`. If made from other iterators, Derived also
// has bases_between(a, b): the distance from the iterators in `b` to the iterators in `a`.
template <typename Derived, typename Value, typename Reference = Value>
class Positioned {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Reference;

  CUDACPU_HOST_DEVICE explicit Positioned(difference_type position = 0) : position_(position) {}
  CUDACPU_HOST_DEVICE Reference operator*() const { return self().at(position_); }
  CUDACPU_HOST_DEVICE Reference operator[](difference_type i) const {
    return self().at(position_ + i);
  }
  CUDACPU_HOST_DEVICE Derived& operator+=(difference_type n) {
    position_ += n;
    return static_cast<Derived&>(*this);
  }
  CUDACPU_HOST_DEVICE Derived& operator-=(difference_type n) { return *this += -n; }
  CUDACPU_HOST_DEVICE Derived& operator++() { return *this += 1; }
  CUDACPU_HOST_DEVICE Derived& operator--() { return *this += -1; }
  CUDACPU_HOST_DEVICE Derived operator++(int) {
    const Derived before = self();
    ++position_;
    return before;
  }
  CUDACPU_HOST_DEVICE friend Derived operator+(Derived i, difference_type n) { return i += n; }
  CUDACPU_HOST_DEVICE friend Derived operator-(Derived i, difference_type n) { return i += -n; }
  CUDACPU_HOST_DEVICE friend difference_type operator-(const Derived& a, const Derived& b) {
    return a.position_ - b.position_ + Derived::bases_between(a, b);
  }
  CUDACPU_HOST_DEVICE friend bool operator==(const Derived& a, const Derived& b) {
    return a - b == 0;
  }
  CUDACPU_HOST_DEVICE friend bool operator!=(const Derived& a, const Derived& b) {
    return a - b != 0;
  }
  CUDACPU_HOST_DEVICE friend bool operator<(const Derived& a, const Derived& b) {
    return a - b < 0;
  }
  CUDACPU_HOST_DEVICE static difference_type bases_between(const Derived&, const Derived&) {
    return 0;
  }

 protected:
  difference_type position_;

 private:
  CUDACPU_HOST_DEVICE const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace detail

// Stands for an argument of a template that follows from the other arguments.
struct use_default {};

// The position is the current integer. The other arguments say what always holds: where the
// iterator can be used, random access, and the type of a distance.
template <typename T, typename System = use_default, typename Traversal = use_default,
          typename Difference = use_default>
class counting_iterator
    : public detail::Positioned<counting_iterator<T, System, Traversal, Difference>, T> {
 public:
  CUDACPU_HOST_DEVICE explicit counting_iterator(T first = T())
      : detail::Positioned<counting_iterator, T>(static_cast<std::ptrdiff_t>(first)) {}
  CUDACPU_HOST_DEVICE T at(std::ptrdiff_t i) const { return static_cast<T>(i); }
};
template <typename T>
CUDACPU_HOST_DEVICE counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

// The other arguments are the type of the position, and where the iterator can be used.
template <typename T, typename Position = use_default, typename System = use_default>
class constant_iterator : public detail::Positioned<constant_iterator<T, Position, System>, T> {
 public:
  CUDACPU_HOST_DEVICE explicit constant_iterator(T value = T(), std::ptrdiff_t position = 0)
      : detail::Positioned<constant_iterator, T>(position), value_(value) {}
  CUDACPU_HOST_DEVICE T at(std::ptrdiff_t) const { return value_; }

 private:
  T value_;
};
template <typename T>
CUDACPU_HOST_DEVICE constant_iterator<T> make_constant_iterator(T value,
                                                                std::ptrdiff_t position = 0) {
  return constant_iterator<T>(value, position);
}

struct discard {
  template <typename T>
  CUDACPU_HOST_DEVICE const discard& operator=(const T&) const {
    return *this;
  }
};
template <typename System = void>
class discard_iterator : public detail::Positioned<discard_iterator<System>, discard> {
 public:
  CUDACPU_HOST_DEVICE discard at(std::ptrdiff_t) const { return {}; }
};
CUDACPU_HOST_DEVICE inline discard_iterator<> make_discard_iterator() {
  return discard_iterator<>();
}

namespace detail {
template <typename Function, typename Base>
using result_of = decltype(std::declval<Function&>()(std::declval<value_of<Base>>()));
template <typename T, typename Otherwise>
using unless_default = std::conditional_t<std::is_same<T, use_default>::value, Otherwise, T>;
}  // namespace detail

// `Result` and `Value` are the program's types of the iterator's results and elements.
template <typename Function, typename Base, typename Result = use_default,
          typename Value = use_default>
class transform_iterator
    : public detail::Positioned<
          transform_iterator<Function, Base, Result, Value>,
          detail::unless_default<Value, std::decay_t<detail::unless_default<
                                            Result, detail::result_of<Function, Base>>>>> {
 public:
  static constexpr bool is_on_device = detail::is_on_device<Base>::value;
  CUDACPU_HOST_DEVICE explicit transform_iterator(Base base, Function function = Function())
      : base_(base), function_(function) {}
  CUDACPU_HOST_DEVICE auto at(std::ptrdiff_t i) const { return function_(base_[i]); }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const transform_iterator& a,
                                                          const transform_iterator& b) {
    return a.base_ - b.base_;
  }
  CUDACPU_HOST_DEVICE auto unwrapped() const {
    const auto base = detail::unwrap(base_ + this->position_);
    using Plain = std::decay_t<decltype(base)>;
    return transform_iterator<Function, Plain, Result, Value>(base, function_);
  }

 private:
  Base base_;
  mutable Function function_;  // the call operator need not be const
};
template <typename Base, typename Function>
CUDACPU_HOST_DEVICE transform_iterator<Function, Base> make_transform_iterator(Base base,
                                                                               Function function) {
  return transform_iterator<Function, Base>(base, function);
}

template <typename Elements, typename Indices>
class permutation_iterator
    : public detail::Positioned<permutation_iterator<Elements, Indices>, detail::value_of<Elements>,
                                typename std::iterator_traits<Elements>::reference> {
 public:
  static constexpr bool is_on_device =
      detail::is_on_device<Elements>::value || detail::is_on_device<Indices>::value;
  CUDACPU_HOST_DEVICE permutation_iterator(Elements elements, Indices indices)
      : elements_(elements), indices_(indices) {}
  CUDACPU_HOST_DEVICE decltype(auto) at(std::ptrdiff_t i) const {
    return elements_[static_cast<std::ptrdiff_t>(indices_[i])];
  }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const permutation_iterator& a,
                                                          const permutation_iterator& b) {
    return a.indices_ - b.indices_;
  }
  CUDACPU_HOST_DEVICE auto unwrapped() const {
    const auto elements = detail::unwrap(elements_);
    const auto indices = detail::unwrap(indices_ + this->position_);
    return permutation_iterator<std::decay_t<decltype(elements)>, std::decay_t<decltype(indices)>>(
        elements, indices);
  }

 private:
  Elements elements_;
  Indices indices_;
};
template <typename Elements, typename Indices>
CUDACPU_HOST_DEVICE permutation_iterator<Elements, Indices> make_permutation_iterator(
    Elements elements, Indices indices) {
  return {elements, indices};
}

template <typename Iterators>
class zip_iterator;
template <typename... Iterators>
class zip_iterator<tuple<Iterators...>>
    : public detail::Positioned<zip_iterator<tuple<Iterators...>>,
                                tuple<detail::value_of<Iterators>...>,
                                tuple<typename std::iterator_traits<Iterators>::reference...>> {
 public:
  using Reference = tuple<typename std::iterator_traits<Iterators>::reference...>;
  static constexpr bool is_on_device = (detail::is_on_device<Iterators>::value || ...);
  CUDACPU_HOST_DEVICE explicit zip_iterator(tuple<Iterators...> iterators)
      : iterators_(iterators) {}
  CUDACPU_HOST_DEVICE Reference at(std::ptrdiff_t i) const {
    return std::apply([i](const auto&... each) { return Reference(each[i]...); }, iterators_);
  }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const zip_iterator& a,
                                                          const zip_iterator& b) {
    return std::get<0>(a.iterators_) - std::get<0>(b.iterators_);
  }
  CUDACPU_HOST_DEVICE auto unwrapped() const {
    const std::ptrdiff_t n = this->position_;
    return std::apply(
        [n](const auto&... each) {
          using Plain = tuple<std::decay_t<decltype(detail::unwrap(each + n))>...>;
          return zip_iterator<Plain>(Plain(detail::unwrap(each + n)...));
        },
        iterators_);
  }
  CUDACPU_HOST_DEVICE const tuple<Iterators...>& get_iterator_tuple() const { return iterators_; }

 private:
  tuple<Iterators...> iterators_;
};
template <typename... Iterators>
CUDACPU_HOST_DEVICE zip_iterator<tuple<Iterators...>> make_zip_iterator(
    tuple<Iterators...> iterators) {
  return zip_iterator<tuple<Iterators...>>(iterators);
}
template <typename... Iterators>
CUDACPU_HOST_DEVICE zip_iterator<tuple<Iterators...>> make_zip_iterator(Iterators... iterators) {
  return zip_iterator<tuple<Iterators...>>(tuple<Iterators...>(iterators...));
}

// Calls a function of several arguments with the elements of a tuple.
template <typename Function>
struct zip_function {
  Function function;
  template <typename Tuple>
  CUDACPU_HOST_DEVICE decltype(auto) operator()(Tuple&& elements) const {
    return std::apply(function, static_cast<Tuple&&>(elements));
  }
};
template <typename Function>
CUDACPU_HOST_DEVICE zip_function<Function> make_zip_function(Function function) {
  return {function};
}

template <typename Iterator>
CUDACPU_HOST_DEVICE auto distance(Iterator first, Iterator last) {
  return last - first;
}
template <typename Iterator, typename Distance>
CUDACPU_HOST_DEVICE void advance(Iterator& place, Distance n) {
  place += n;
}
template <typename Iterator>
CUDACPU_HOST_DEVICE Iterator next(Iterator place, std::ptrdiff_t n = 1) {
  return place + n;
}
template <typename Iterator>
CUDACPU_HOST_DEVICE Iterator prev(Iterator place, std::ptrdiff_t n = 1) {
  return place - n;
}
template <typename Iterator>
using iterator_traits = std::iterator_traits<Iterator>;
template <typename Iterator>
struct iterator_value {
  using type = typename std::iterator_traits<Iterator>::value_type;
};
template <typename Iterator>
using iterator_value_t = typename iterator_value<Iterator>::type;
template <typename Iterator>
struct iterator_difference {
  using type = typename std::iterator_traits<Iterator>::difference_type;
};

// From the element before `base` towards the first.
template <typename Base>
class reverse_iterator : public detail::Positioned<reverse_iterator<Base>, detail::value_of<Base>,
                                                   typename std::iterator_traits<Base>::reference> {
 public:
  static constexpr bool is_on_device = detail::is_on_device<Base>::value;
  CUDACPU_HOST_DEVICE explicit reverse_iterator(Base base) : base_(base) {}
  CUDACPU_HOST_DEVICE decltype(auto) at(std::ptrdiff_t i) const { return base_[-1 - i]; }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const reverse_iterator& a,
                                                          const reverse_iterator& b) {
    return b.base_ - a.base_;
  }
  CUDACPU_HOST_DEVICE Base base() const { return base_ - this->position_; }
  CUDACPU_HOST_DEVICE auto unwrapped() const {
    const auto plain = detail::unwrap(base());
    return reverse_iterator<std::decay_t<decltype(plain)>>(plain);
  }

 private:
  Base base_;
};
template <typename Base>
CUDACPU_HOST_DEVICE reverse_iterator<Base> make_reverse_iterator(Base base) {
  return reverse_iterator<Base>(base);
}

}  // namespace thrust

// host_vector, device_vector and universal_vector.
#pragma once

#include <initializer_list>
#include <vector>

#include "algorithms.h"
#include "allocators.h"
#include "cudacpu/complex.h"
#include "selections.h"
#include "sorted_ranges.h"

namespace thrust {

template <typename T, typename Allocator = device_allocator<T>>
class device_vector;

template <typename T, typename Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
 public:
  using Base = std::vector<T, Allocator>;
  using Base::Base;
  host_vector() = default;
  template <typename U, typename Other>
  host_vector(const std::vector<U, Other>& other) : Base(other.begin(), other.end()) {}
  template <typename U, typename Other>
  host_vector(const device_vector<U, Other>& other) {
    *this = other;
  }
  template <typename In, typename = std::enable_if_t<detail::is_on_device<In>::value>>
  host_vector(In first, In last) {
    assign(first, last);
  }
  template <typename In, typename = std::enable_if_t<!detail::is_on_device<In>::value>,
            typename = typename std::iterator_traits<In>::iterator_category>
  host_vector(In first, In last, int = 0) : Base(first, last) {}
  template <typename U, typename Other>
  host_vector& operator=(const std::vector<U, Other>& other) {
    Base::assign(other.begin(), other.end());
    return *this;
  }
  template <typename U, typename Other>
  host_vector& operator=(const device_vector<U, Other>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  using Base::assign;
  template <typename In, typename = std::enable_if_t<detail::is_on_device<In>::value>>
  void assign(In first, In last) {
    using Value = detail::value_of<In>;
    const size_t n = static_cast<size_t>(last - first);
    if constexpr (std::is_same<T, Value>::value && !std::is_same<T, bool>::value) {
      this->resize(n);
      thrust::copy(first, last, this->data());
    } else {
      const host_vector<Value> values(first, last);
      Base::assign(values.begin(), values.end());
    }
  }
};

// Of managed memory: host and device use the elements as they are.
template <typename T, typename Allocator = universal_allocator<T>>
using universal_vector = host_vector<T, Allocator>;
namespace cuda {
template <typename T, typename Allocator = device_allocator<T>>
using vector = device_vector<T, Allocator>;
}  // namespace cuda

template <typename T, typename Allocator>
class device_vector {
 public:
  using allocator_type = Allocator;
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;

  device_vector() = default;
  explicit device_vector(const Allocator& allocator) : allocator_(allocator) {}
  explicit device_vector(size_t n) { resize(n); }
  device_vector(size_t n, const Allocator& allocator) : allocator_(allocator) { resize(n); }
  device_vector(size_t n, const T& value) { resize(n, value); }
  device_vector(size_t n, const T& value, const Allocator& allocator) : allocator_(allocator) {
    resize(n, value);
  }
  device_vector(const device_vector& other) : allocator_(other.allocator_) { *this = other; }
  template <typename U, typename Other>
  device_vector(const device_vector<U, Other>& other) {
    assign(other.begin(), other.end());
  }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <typename U, typename Other>
  device_vector(const std::vector<U, Other>& other) {
    assign(other.begin(), other.end());
  }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <typename In, typename = std::enable_if_t<!std::is_integral<In>::value>>
  device_vector(In first, In last) {
    assign(first, last);
  }
  ~device_vector() { give_back(); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <typename U, typename Other>
  device_vector& operator=(const device_vector<U, Other>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <typename U, typename Other>
  device_vector& operator=(const std::vector<U, Other>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }
  template <typename In, typename = std::enable_if_t<!std::is_integral<In>::value>>
  void assign(In first, In last) {
    const size_t n = static_cast<size_t>(std::distance(first, last));
    make_room(n, false);
    size_ = n;
    if constexpr (detail::is_on_device<In>::value) {
      thrust::copy(first, last, begin());
    } else {
      const Values values(first, last);  // whatever the iterator is
      if (size_) cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
    }
  }
  void assign(size_t n, const T& value) {
    clear();
    resize(n, value);
  }

  size_t size() const { return size_; }
  size_t max_size() const { return ~size_t{0} / sizeof(T); }
  Allocator get_allocator() const { return allocator_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  void reserve(size_t n) { make_room(n, true); }
  void shrink_to_fit() {}
  void clear() { size_ = 0; }
  void resize(size_t n) {
    if constexpr (kConstructs) {
      make_room(n, true);  // the allocator says what becomes of new elements, mostly nothing
      size_ = n;
    } else {
      resize(n, T());
    }
  }
  void resize(size_t n, const T& value) {
    const size_t before = size_;
    make_room(n, true);
    size_ = n;
    if (n > before) thrust::fill(begin() + before, end(), value);
  }
  void push_back(const T& value) {
    make_room(size_ + 1 > capacity_ ? 2 * size_ + 1 : 0, true);
    ++size_;
    back() = value;
  }
  template <typename... Arguments>
  void emplace_back(Arguments&&... arguments) {
    push_back(T(static_cast<Arguments&&>(arguments)...));
  }
  void pop_back() { --size_; }
  iterator insert(iterator place, const T& value) { return insert(place, &value, &value + 1); }
  template <typename In>
  iterator insert(iterator place, In first, In last) {
    const difference_type at = place - begin();
    host_vector<T> values(begin(), end());
    const host_vector<T> more(first, last);
    values.insert(values.begin() + at, more.begin(), more.end());
    assign(values.begin(), values.end());
    return begin() + at;
  }
  iterator erase(iterator first, iterator last) {
    const host_vector<T> rest(last, end());
    if (!rest.empty())
      cudaMemcpy(first.get(), rest.data(), rest.size() * sizeof(T), cudaMemcpyHostToDevice);
    size_ -= static_cast<size_t>(last - first);
    return first;
  }
  iterator erase(iterator place) { return erase(place, place + 1); }
  void swap(device_vector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(allocator_, other.allocator_);
  }

  iterator begin() { return iterator(data_); }
  iterator end() { return begin() + size_; }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return begin() + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  auto rbegin() { return thrust::make_reverse_iterator(end()); }
  auto rend() { return thrust::make_reverse_iterator(begin()); }
  auto rbegin() const { return thrust::make_reverse_iterator(end()); }
  auto rend() const { return thrust::make_reverse_iterator(begin()); }
  pointer data() { return begin(); }
  const_pointer data() const { return begin(); }
  reference operator[](size_t i) { return begin()[i]; }
  const_reference operator[](size_t i) const { return begin()[i]; }
  reference front() { return begin()[0]; }
  const_reference front() const { return begin()[0]; }
  reference back() { return begin()[size_ - 1]; }
  const_reference back() const { return begin()[size_ - 1]; }

  friend bool operator==(const device_vector& a, const device_vector& b) {
    return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
  }
  friend bool operator!=(const device_vector& a, const device_vector& b) { return !(a == b); }

 private:
  // A vector<bool> has no array of its values.
  struct Plain {
    T value;
    Plain(const T& value) : value(value) {}
  };
  using Values = std::vector<std::conditional_t<std::is_same<T, bool>::value, Plain, T>>;
  template <typename A, typename = void>
  struct Constructs : std::false_type {};
  template <typename A>
  struct Constructs<A, std::void_t<decltype(std::declval<A&>().construct(std::declval<T*>()))>>
      : std::true_type {};
  static constexpr bool kConstructs = Constructs<Allocator>::value;

  void make_room(size_t n, bool keep) {
    if (n <= capacity_) return;
    T* fresh = thrust::raw_pointer_cast(allocator_.allocate(n));
    if (keep && size_) cudaMemcpy(fresh, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    give_back();
    data_ = fresh;
    capacity_ = n;
  }
  void give_back() {
    using Pointer = decltype(allocator_.allocate(0));
    if (data_) allocator_.deallocate(Pointer(data_), capacity_);
    data_ = nullptr;
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
  Allocator allocator_;
};

template <typename T, typename Allocator>
void swap(device_vector<T, Allocator>& a, device_vector<T, Allocator>& b) noexcept {
  a.swap(b);
}

}  // namespace thrust

// host_vector and device_vector.
#pragma once

#include <initializer_list>
#include <vector>

#include "algorithms.h"

namespace thrust {

template <typename T>
class device_vector;

template <typename T>
class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  host_vector(const std::vector<T>& other) : std::vector<T>(other) {}
  host_vector(const device_vector<T>& other) { *this = other; }
  host_vector& operator=(const device_vector<T>& other) {
    this->resize(other.size());
    thrust::copy(other.begin(), other.end(), this->data());
    return *this;
  }
};

template <typename T>
class device_vector {
 public:
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
  explicit device_vector(size_t n) { resize(n); }
  device_vector(size_t n, const T& value) { resize(n, value); }
  device_vector(const device_vector& other) { *this = other; }
  device_vector(device_vector&& other) noexcept { swap(other); }
  device_vector(const std::vector<T>& other) { assign(other.begin(), other.end()); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <typename In, typename = std::enable_if_t<!std::is_integral<In>::value>>
  device_vector(In first, In last) {
    assign(first, last);
  }
  ~device_vector() { cudaFree(data_); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  device_vector& operator=(const std::vector<T>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <typename In, typename = std::enable_if_t<!std::is_integral<In>::value>>
  void assign(In first, In last) {
    make_room(static_cast<size_t>(last - first), false);
    size_ = static_cast<size_t>(last - first);
    if constexpr (detail::is_on_device<In>::value) {
      thrust::copy(first, last, begin());
    } else {
      const std::vector<T> values(first, last);  // whatever the iterator is
      if (size_) cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
    }
  }
  void assign(size_t n, const T& value) {
    clear();
    resize(n, value);
  }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  void reserve(size_t n) { make_room(n, true); }
  void shrink_to_fit() {}
  void clear() { size_ = 0; }
  void resize(size_t n, const T& value = T()) {
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
  void pop_back() { --size_; }
  iterator erase(iterator first, iterator last) {
    const std::vector<T> rest = host_copy(last - begin(), size_);
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
  }

  iterator begin() { return iterator(data_); }
  iterator end() { return begin() + size_; }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return begin() + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
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
  std::vector<T> host_copy(size_t first, size_t last) const {
    std::vector<T> values(last - first);
    if (last > first)
      cudaMemcpy(values.data(), data_ + first, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
  void make_room(size_t n, bool keep) {
    if (n <= capacity_) return;
    void* fresh = nullptr;
    if (cudaMalloc(&fresh, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    if (keep && size_) cudaMemcpy(fresh, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    cudaFree(data_);
    data_ = static_cast<T*>(fresh);
    capacity_ = n;
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace thrust

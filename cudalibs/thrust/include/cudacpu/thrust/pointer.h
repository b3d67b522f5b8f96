// device_ptr and device_reference: pointers into device memory through which the host may read.
#pragma once

#include <ostream>

#include "execution.h"

namespace thrust {

// An element of device memory, which the host reads and writes by copies.
template <typename T>
class device_reference {
 public:
  using Plain = std::remove_const_t<T>;
  CUDACPU_HOST_DEVICE explicit device_reference(T* place) : place_(place) {}
  device_reference(const device_reference&) = default;

  CUDACPU_HOST_DEVICE operator Plain() const {
    if (::cudacpu::in_kernel()) return *place_;
    alignas(Plain) unsigned char bytes[sizeof(Plain)];
    cudaMemcpy(bytes, place_, sizeof(Plain), cudaMemcpyDeviceToHost);
    return *reinterpret_cast<Plain*>(bytes);
  }
  CUDACPU_HOST_DEVICE const device_reference& operator=(const Plain& value) const {
    if (::cudacpu::in_kernel()) {
      *place_ = value;
    } else {
      cudaMemcpy(place_, &value, sizeof(Plain), cudaMemcpyHostToDevice);
    }
    return *this;
  }
  CUDACPU_HOST_DEVICE const device_reference& operator=(const device_reference& other) const {
    return *this = static_cast<Plain>(other);
  }
#define CUDACPU_UPDATE(sign)                                                           \
  template <typename U>                                                                \
  CUDACPU_HOST_DEVICE const device_reference& operator sign##=(const U& value) const { \
    return *this = static_cast<Plain>(static_cast<Plain>(*this) sign value);           \
  }
  CUDACPU_UPDATE(+)
  CUDACPU_UPDATE(-)
  CUDACPU_UPDATE(*)
  CUDACPU_UPDATE(/)
#undef CUDACPU_UPDATE
  CUDACPU_HOST_DEVICE device_ptr<T> operator&() const {
    return device_ptr<T>(place_);
  }

 private:
  T* place_;
};

// Stream operators that are templates, such as for complex numbers and strings, do not see through
// the class.
template <typename T, typename Character, typename Traits>
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out,
                                                  const device_reference<T>& element) {
  return out << static_cast<std::remove_const_t<T>>(element);
}

template <typename T>
class device_ptr {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr;
  using reference = device_reference<T>;

  CUDACPU_HOST_DEVICE device_ptr() : place_(nullptr) {}
  CUDACPU_HOST_DEVICE device_ptr(std::nullptr_t) : place_(nullptr) {}
  CUDACPU_HOST_DEVICE explicit device_ptr(T* place) : place_(place) {}
  template <typename U, typename = std::enable_if_t<std::is_convertible<U*, T*>::value>>
  CUDACPU_HOST_DEVICE device_ptr(const device_ptr<U>& other) : place_(other.get()) {}

  CUDACPU_HOST_DEVICE T* get() const { return place_; }
  CUDACPU_HOST_DEVICE reference operator*() const { return reference(place_); }
  CUDACPU_HOST_DEVICE reference operator[](difference_type i) const {
    return reference(place_ + i);
  }
  CUDACPU_HOST_DEVICE explicit operator bool() const { return place_ != nullptr; }
  CUDACPU_HOST_DEVICE device_ptr& operator+=(difference_type n) {
    place_ += n;
    return *this;
  }
  CUDACPU_HOST_DEVICE device_ptr& operator-=(difference_type n) { return *this += -n; }
  CUDACPU_HOST_DEVICE device_ptr& operator++() { return *this += 1; }
  CUDACPU_HOST_DEVICE device_ptr& operator--() { return *this += -1; }
  CUDACPU_HOST_DEVICE device_ptr operator++(int) { return device_ptr(place_++); }
  CUDACPU_HOST_DEVICE device_ptr operator--(int) { return device_ptr(place_--); }
  CUDACPU_HOST_DEVICE friend device_ptr operator+(device_ptr p, difference_type n) {
    return p += n;
  }
  CUDACPU_HOST_DEVICE friend device_ptr operator-(device_ptr p, difference_type n) {
    return p += -n;
  }
  CUDACPU_HOST_DEVICE friend difference_type operator-(device_ptr a, device_ptr b) {
    return a.place_ - b.place_;
  }
  CUDACPU_HOST_DEVICE friend bool operator==(device_ptr a, device_ptr b) {
    return a.place_ == b.place_;
  }
  CUDACPU_HOST_DEVICE friend bool operator!=(device_ptr a, device_ptr b) {
    return a.place_ != b.place_;
  }
  CUDACPU_HOST_DEVICE friend bool operator<(device_ptr a, device_ptr b) {
    return a.place_ < b.place_;
  }
  CUDACPU_HOST_DEVICE friend void swap(device_ptr& a, device_ptr& b) {
    T* const place = a.place_;
    a.place_ = b.place_;
    b.place_ = place;
  }

 private:
  T* place_;
};

// Memory of no type: only its address.
template <>
class device_ptr<void> {
 public:
  CUDACPU_HOST_DEVICE device_ptr() : place_(nullptr) {}
  CUDACPU_HOST_DEVICE explicit device_ptr(void* place) : place_(place) {}
  CUDACPU_HOST_DEVICE void* get() const { return place_; }

 private:
  void* place_;
};

template <typename T>
CUDACPU_HOST_DEVICE device_ptr<T> device_pointer_cast(T* pointer) {
  return device_ptr<T>(pointer);
}
template <typename T>
CUDACPU_HOST_DEVICE device_ptr<T> device_pointer_cast(device_ptr<T> pointer) {
  return pointer;
}
template <typename T>
CUDACPU_HOST_DEVICE T* raw_pointer_cast(device_ptr<T> pointer) {
  return pointer.get();
}
template <typename T>
CUDACPU_HOST_DEVICE T* raw_pointer_cast(T* pointer) {
  return pointer;
}
inline device_ptr<void> device_malloc(size_t bytes) {
  void* memory = nullptr;
  cudaMalloc(&memory, bytes);
  return device_ptr<void>(memory);
}
template <typename T>
device_ptr<T> device_malloc(size_t count) {
  return device_ptr<T>(static_cast<T*>(device_malloc(count * sizeof(T)).get()));
}
template <typename T>
void device_free(device_ptr<T> pointer) {
  cudaFree(const_cast<std::remove_const_t<T>*>(pointer.get()));
}

}  // namespace thrust

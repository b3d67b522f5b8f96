// CUB's iterators beside Thrust's: through a cache modifier, with an index, by a texture.
#pragma once

#include "thread.h"

namespace cub {

template <CacheLoadModifier kHow, typename T, typename Offset = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public thrust::detail::Positioned<CacheModifiedInputIterator<kHow, T, Offset>, T> {
 public:
  CUDACPU_HOST_DEVICE CacheModifiedInputIterator(const T* data) : ptr(data) {}
  CUDACPU_DEVICE T at(std::ptrdiff_t i) const { return ThreadLoad<kHow>(ptr + i); }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const CacheModifiedInputIterator& a,
                                                          const CacheModifiedInputIterator& b) {
    return a.ptr - b.ptr;
  }
  const T* ptr;
};

namespace detail {

// An element that can only be written.
template <CacheStoreModifier kHow, typename T>
struct StoredElement {
  T* place;
  CUDACPU_DEVICE T operator=(T value) const {
    ThreadStore<kHow>(place, value);
    return value;
  }
};

}  // namespace detail

template <CacheStoreModifier kHow, typename T, typename Offset = std::ptrdiff_t>
class CacheModifiedOutputIterator
    : public thrust::detail::Positioned<CacheModifiedOutputIterator<kHow, T, Offset>, T,
                                        detail::StoredElement<kHow, T>> {
 public:
  CUDACPU_HOST_DEVICE CacheModifiedOutputIterator(T* data) : ptr_(data) {}
  CUDACPU_HOST_DEVICE detail::StoredElement<kHow, T> at(std::ptrdiff_t i) const {
    return {ptr_ + i};
  }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const CacheModifiedOutputIterator& a,
                                                          const CacheModifiedOutputIterator& b) {
    return a.ptr_ - b.ptr_;
  }

 private:
  T* ptr_;
};

// Elements with their indices, counted from the place where the iterator was made or normalized.
template <typename In, typename Offset = std::ptrdiff_t,
          typename Value_ = typename std::iterator_traits<In>::value_type>
class ArgIndexInputIterator
    : public thrust::detail::Positioned<ArgIndexInputIterator<In, Offset, Value_>,
                                        KeyValuePair<Offset, Value_>> {
 public:
  CUDACPU_HOST_DEVICE ArgIndexInputIterator(In in, std::ptrdiff_t position = 0)
      : thrust::detail::Positioned<ArgIndexInputIterator, KeyValuePair<Offset, Value_>>(position),
        in_(in) {}
  CUDACPU_HOST_DEVICE KeyValuePair<Offset, Value_> at(std::ptrdiff_t i) const {
    return {static_cast<Offset>(i), in_[i]};
  }
  CUDACPU_HOST_DEVICE static std::ptrdiff_t bases_between(const ArgIndexInputIterator& a,
                                                          const ArgIndexInputIterator& b) {
    return a.in_ - b.in_;
  }
  CUDACPU_HOST_DEVICE void normalize() {
    in_ += this->position_;
    this->position_ = 0;
  }

 private:
  In in_;
};

// Reads elements through a texture object, in words of up to 16 bytes.
template <typename T, typename Offset = std::ptrdiff_t>
class TexObjInputIterator : public thrust::detail::Positioned<TexObjInputIterator<T, Offset>, T> {
  template <size_t bytes, typename Word, typename Smaller>
  using Choose = std::conditional_t<sizeof(T) % bytes == 0, Word, Smaller>;
  using Word =
      Choose<16, uint4,
             Choose<8, uint2, Choose<4, unsigned, Choose<2, unsigned short, unsigned char>>>>;
  static constexpr int kWords = sizeof(T) / sizeof(Word);

 public:
  template <typename Given>
  cudaError_t BindTexture(Given* data, size_t bytes, size_t offset = 0) {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = const_cast<std::remove_cv_t<Given>*>(data);
    what.res.linear.desc = cudaCreateChannelDesc<Word>();
    what.res.linear.sizeInBytes = bytes;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    this->position_ = static_cast<std::ptrdiff_t>(offset);
    return cudaCreateTextureObject(&texture_, &what, &how, nullptr);
  }
  cudaError_t UnbindTexture() { return cudaDestroyTextureObject(texture_); }
  CUDACPU_DEVICE T at(std::ptrdiff_t i) const {
    Word words[kWords];
    for (int word = 0; word < kWords; ++word)
      words[word] = tex1Dfetch<Word>(texture_, static_cast<int>(i) * kWords + word);
    T value;
    memcpy(&value, words, sizeof(T));
    return value;
  }

 private:
  cudaTextureObject_t texture_ = 0;
};

}  // namespace cub

// cudaCreateChannelDesc<T>(): the channels of a vector type.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

namespace cudacpu {

template <typename T>
struct ChannelsOf;  // no definition: an array cannot hold elements of type T

#define CUDACPU_CHANNELS(T, bits, count, kind)                                        \
  template <>                                                                         \
  struct ChannelsOf<T> {                                                              \
    static cudaChannelFormatDesc get() {                                              \
      return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, \
              cudaChannelFormatKind##kind};                                           \
    }                                                                                 \
  };
#define CUDACPU_CHANNELS_OF(name, scalar, bits, kind) \
  CUDACPU_CHANNELS(scalar, bits, 1, kind)             \
  CUDACPU_CHANNELS(name##1, bits, 1, kind)            \
  CUDACPU_CHANNELS(name##2, bits, 2, kind)            \
  CUDACPU_CHANNELS(name##4, bits, 4, kind)

CUDACPU_CHANNELS_OF(char, signed char, 8, Signed)
CUDACPU_CHANNELS(char, 8, 1, Signed)
CUDACPU_CHANNELS_OF(uchar, unsigned char, 8, Unsigned)
CUDACPU_CHANNELS_OF(short, short, 16, Signed)
CUDACPU_CHANNELS_OF(ushort, unsigned short, 16, Unsigned)
CUDACPU_CHANNELS_OF(int, int, 32, Signed)
CUDACPU_CHANNELS_OF(uint, unsigned int, 32, Unsigned)
CUDACPU_CHANNELS_OF(float, float, 32, Float)
#undef CUDACPU_CHANNELS_OF
#undef CUDACPU_CHANNELS

}  // namespace cudacpu

template <typename T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudacpu::ChannelsOf<T>::get();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}

#endif

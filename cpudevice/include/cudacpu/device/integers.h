// Integer intrinsics: bits, wide products, averages, dot products.
#pragma once

#include "../standard.h"

#define CUDACPU_D CUDACPU_DEVICE inline

// ---- bits ----
CUDACPU_D int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
CUDACPU_D int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
CUDACPU_D int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32;
}
CUDACPU_D int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
CUDACPU_D int __ffs(int x) {
  return __builtin_ffs(x);
}
CUDACPU_D int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
CUDACPU_D unsigned int __brev(unsigned int x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}
CUDACPU_D unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}
// The position of the offset-th set bit counted from `base` (upwards if offset is positive), or ~0.
CUDACPU_D unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return mask >> (base & 31) & 1 ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
    if (mask >> i & 1 && --left == 0) return static_cast<unsigned int>(i);
  }
  return ~0u;
}
// Each nibble of the selector names one of the eight bytes of y:x; the nibble's top bit asks for
// the byte's sign instead.
CUDACPU_D unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int nibble = selector >> (4 * i);
    unsigned int byte = static_cast<unsigned int>(bytes >> (8 * (nibble & 7))) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
CUDACPU_D unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(
      (static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
CUDACPU_D unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >>
                                   (shift & 31));
}
CUDACPU_D unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
CUDACPU_D unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// ---- products ----
CUDACPU_D int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
CUDACPU_D unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32);
}
// Uses 32-bit halves, because __int128 is not available everywhere the semantic check runs.
CUDACPU_D unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  const unsigned long long x0 = x & 0xffffffffu, x1 = x >> 32, y0 = y & 0xffffffffu, y1 = y >> 32;
  const unsigned long long low = x0 * y0, cross = x1 * y0 + (low >> 32);
  return x1 * y1 + (cross >> 32) + ((x0 * y1 + (cross & 0xffffffffu)) >> 32);
}
CUDACPU_D long long __mul64hi(long long x, long long y) {
  unsigned long long high =
      __umul64hi(static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
  if (x < 0) high -= static_cast<unsigned long long>(y);
  if (y < 0) high -= static_cast<unsigned long long>(x);
  return static_cast<long long>(high);
}
CUDACPU_D int mulhi(int x, int y) {
  return __mulhi(x, y);
}
CUDACPU_D unsigned int mulhi(unsigned int x, unsigned int y) {
  return __umulhi(x, y);
}
CUDACPU_D unsigned int mulhi(int x, unsigned int y) {
  return __umulhi(static_cast<unsigned int>(x), y);
}
CUDACPU_D unsigned int mulhi(unsigned int x, int y) {
  return __umulhi(x, static_cast<unsigned int>(y));
}
CUDACPU_D long long mul64hi(long long x, long long y) {
  return __mul64hi(x, y);
}
CUDACPU_D unsigned long long mul64hi(unsigned long long x, unsigned long long y) {
  return __umul64hi(x, y);
}
CUDACPU_D int __mul24(int x, int y) {
  const int x24 = static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8;
  const int y24 = static_cast<int>(static_cast<unsigned int>(y) << 8) >> 8;
  return static_cast<int>(static_cast<long long>(x24) * y24);
}
CUDACPU_D unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
CUDACPU_D int mul24(int x, int y) {
  return __mul24(x, y);
}
CUDACPU_D unsigned int umul24(unsigned int x, unsigned int y) {
  return __umul24(x, y);
}

// ---- sums, averages, differences ----
CUDACPU_D unsigned int __sad(int x, int y, unsigned int z) {
  const long long difference = static_cast<long long>(x) - y;
  return z + static_cast<unsigned int>(difference < 0 ? -difference : difference);
}
CUDACPU_D unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
CUDACPU_D int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
CUDACPU_D int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
CUDACPU_D unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
CUDACPU_D unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// ---- dot products of the parts of a word ----
CUDACPU_D int __dp4a(int a, int b, int sum) {
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return sum;
}
CUDACPU_D unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
  for (int i = 0; i < 32; i += 8)
    sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}
CUDACPU_D int __dp4a(char4 a, char4 b, int sum) {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
CUDACPU_D unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int sum) {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
CUDACPU_D int __dp2a_lo(int a, int b, int sum) {
  return sum + static_cast<short>(a) * static_cast<signed char>(b) +
         static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8);
}
CUDACPU_D int __dp2a_hi(int a, int b, int sum) {
  return __dp2a_lo(a, b >> 16, sum);
}
CUDACPU_D unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int sum) {
  return sum + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
CUDACPU_D unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int sum) {
  return __dp2a_lo(a, b >> 16, sum);
}

#undef CUDACPU_D

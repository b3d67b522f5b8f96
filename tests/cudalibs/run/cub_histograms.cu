// CUB's histograms of whole arrays: bins of equal width or by borders, of a single channel or
// several, of rows within longer rows
// expect: done
#include <cub/cub.cuh>

#include <cstdio>

#include "cub_call.h"

void check_one_channel() {
  const Managed<float> in{-1, 0, 0.5f, 3, 3.9f, 4, 7.5f, 8};
  const Managed<int> out;
  CUB(DeviceHistogram::HistogramEven(memory, bytes, in.data, out.data, 5, 0.0f, 8.0f, 8));
  CHECK(out.is({2, 2, 1, 1}));
  const Managed<float> borders{0, 1, 4, 8};
  CUB(DeviceHistogram::HistogramRange(memory, bytes, in.data, out.data, 4, borders.data, 8));
  CHECK(out.is({2, 2, 2}));
  // The first three of every four samples.
  CUB(DeviceHistogram::HistogramEven(memory, bytes, in.data, out.data, 3, 0.0f, 8.0f, 3, 2,
                                     4 * sizeof(float)));
  CHECK(out.is({3, 2}));
  CUB(DeviceHistogram::HistogramRange(memory, bytes, in.data, out.data, 4, borders.data, 3, 2,
                                      4 * sizeof(float), 0));
  CHECK(out.is({2, 1, 2}));
  // Bins so wide: the product with a distance does not fit in 32 bits.
  const Managed<int> wide{0, 1 << 30, (1 << 30) + (1 << 29)};
  CUB(DeviceHistogram::HistogramEven(memory, bytes, wide.data, out.data, 5, 0, 2147483647, 3));
  CHECK(out.is({1, 0, 1, 1}));
}

// Red, green and blue of pixels with a fourth channel.
void check_channels() {
  const Managed<unsigned char> pixels{0, 10, 255, 9, 64, 20, 255, 9, 128, 30, 0, 9, 255, 40, 1, 9};
  const Managed<int> red, green, blue;
  int* bins[3] = {red.data, green.data, blue.data};
  int levels[3] = {5, 3, 2};
  unsigned lower[3] = {0, 10, 0}, upper[3] = {256, 30, 256};
  CUB(DeviceHistogram::MultiHistogramEven<4, 3>(memory, bytes, pixels.data, bins, levels, lower,
                                                upper, 4));
  CHECK(red.is({1, 1, 1, 1}) && green.is({1, 1}) && blue.is({4}));
  // Two rows of a pixel each, and the arrays as objects.
  const cuda::std::array<int*, 3> places{red.data, green.data, blue.data};
  const cuda::std::array<int, 3> counts{5, 3, 2};
  const cuda::std::array<unsigned, 3> first{0, 10, 0}, last{256, 30, 256};
  CUB(DeviceHistogram::MultiHistogramEven<4, 3>(memory, bytes, pixels.data, places, counts, first,
                                                last, 1, 2, size_t(8)));
  CHECK(red.is({1, 0, 1, 0}) && green.is({1, 0}) && blue.is({2}));
  const Managed<int> red_borders{0, 100, 200, 256, 300}, other_borders{0, 20, 256};
  const int* borders[3] = {red_borders.data, other_borders.data, other_borders.data};
  CUB(DeviceHistogram::MultiHistogramRange<4, 3>(memory, bytes, pixels.data, bins, levels, borders,
                                                 4));
  CHECK(red.is({2, 1, 1, 0}) && green.is({1, 3}) && blue.is({2}));
}

int main() {
  check_one_channel();
  check_channels();
  puts("done");
}

#include "profile/gpu/texels.h"

#include <algorithm>

#include "profile/trace/event.h"

namespace cudacpu::profile {
namespace {

// The second word of an event.
//
// kTexture: the place of the first element; the top bit: the next element is read too. kTextureBox:
// the first element's x, y and z, for each coordinate whether the next element is read too, and the
// number of the texture.
constexpr unsigned kXBits = 17, kYBits = 16, kZBits = 14;
constexpr unsigned kMostTextures = 1 << 14;
constexpr uint64_t kPair = uint64_t{1} << 63;

struct TexelBox {
  uint64_t x, y, z;
  unsigned pairs;  // a bit per dimension
  unsigned texture;
};

uint64_t encode(const TexelBox& b) {
  return b.x | b.y << kXBits | b.z << (kXBits + kYBits) |
         uint64_t{b.pairs} << (kXBits + kYBits + kZBits) |
         uint64_t{b.texture} << (kXBits + kYBits + kZBits + 3);
}
TexelBox decode(uint64_t word) {
  const auto take = [&](unsigned bits) {
    const uint64_t value = word & ((uint64_t{1} << bits) - 1);
    word >>= bits;
    return value;
  };
  TexelBox b;
  b.x = take(kXBits);
  b.y = take(kYBits);
  b.z = take(kZBits);
  b.pairs = static_cast<unsigned>(take(3));
  b.texture = static_cast<unsigned>(word);
  return b;
}

// The textures from which threads have fetched.
struct Shape {
  uint64_t place;
  size_t pitch, slice;
  unsigned element_bytes;
  bool tiled;
  bool operator==(const Shape& o) const {
    return place == o.place && pitch == o.pitch && slice == o.slice &&
           element_bytes == o.element_bytes && tiled == o.tiled;
  }
};
std::vector<Shape>& shapes() {
  static auto* const list = new std::vector<Shape>;
  return *list;
}

// Kernels alternate between few textures: checks the last texture first.
unsigned number_of(const Shape& shape) {
  static unsigned last;
  auto& list = shapes();
  if (last < list.size() && list[last] == shape) return last;
  const auto found = std::find(list.begin(), list.end(), shape);
  last = static_cast<unsigned>(found - list.begin());
  if (last == kMostTextures)
    return last = 0;  // never seen in practice; the count would be
                      // slightly off
  if (found == list.end()) list.push_back(shape);
  return last;
}

constexpr uint64_t kTileWidth = 64, kTileRows = 8, kTileBytes = kTileWidth * kTileRows;

uint64_t place_of(const Shape& s, uint64_t x, uint64_t y, uint64_t z) {
  const uint64_t byte = x * s.element_bytes;
  if (!s.tiled) return s.place + byte + y * s.pitch + z * s.slice;
  const uint64_t tiles_per_row = (s.pitch + kTileWidth - 1) / kTileWidth;
  const uint64_t rows = (s.slice / s.pitch + kTileRows - 1) / kTileRows;
  const uint64_t tile = (z * rows + y / kTileRows) * tiles_per_row + byte / kTileWidth;
  return s.place + tile * kTileBytes + byte % 64 / 32 * 256 + y % 8 / 2 * 64 + byte % 32 / 16 * 32 +
         y % 2 * 16 + byte % 16;
}

constexpr int kLanesPerPass = 4;

// Counts the different lines that hold the elements of four neighbouring lanes.
int count_lines(const std::vector<uint64_t>& places, size_t begin) {
  int count = 0;
  for (size_t i = begin; i < places.size(); ++i) {
    size_t before = begin;
    while (before < i && places[before] / kLineBytes != places[i] / kLineBytes)
      ++before;
    count += before == i;
  }
  return count;
}

}  // namespace

bool encode_fetch(const observe::TextureRead& read, uint64_t place, uint8_t* kind, uint64_t* word) {
  *kind = kTextureBox;
  // Elements outside are the border, which is not read; if an element wraps around, the first
  // element stands for both.
  TexelBox b{};
  uint64_t* const coordinates[3] = {&b.x, &b.y, &b.z};
  for (int d = 0; d < 3; ++d) {
    const int first = read.first[d], second = read.second[d];
    if (first < 0 && second < 0) return false;
    *coordinates[d] = static_cast<uint64_t>(first < 0 ? second : first);
    if (second == first + 1 && first >= 0) b.pairs |= 1u << d;
  }
  if (read.is_one_row) {
    *kind = kTexture;
    *word = (place + b.x * read.element_bytes) | (b.pairs ? kPair : 0);
  } else {
    b.texture =
        number_of({place, read.pitch, read.slice, read.element_bytes, !read.is_linear_memory});
    *word = encode(b);
  }
  return true;
}

void list_texels(uint8_t kind, Request* request, Texels* texels) {
  texels->places.clear();
  bool volume = false;
  int lines = 0;
  size_t first_of_four = 0;
  for (uint32_t rest = request->lanes, last = 0; rest; rest &= rest - 1) {
    const uint32_t lane = __builtin_ctz(rest);
    if (lane / kLanesPerPass != last / kLanesPerPass) {
      lines += count_lines(texels->places, first_of_four);
      first_of_four = texels->places.size();
    }
    last = lane;
    uint64_t& word = request->address[lane];
    if ((kind & ~7) == kTexture) {
      const bool pair = word & kPair;
      word &= ~kPair;
      texels->places.push_back(word);
      if (pair) texels->places.push_back(word + request->bytes);
      continue;
    }
    const TexelBox b = decode(word);
    const Shape& shape = shapes()[b.texture];
    for (unsigned corner = 0; corner < 8; ++corner) {
      if (corner & ~b.pairs) continue;
      texels->places.push_back(
          place_of(shape, b.x + (corner & 1), b.y + (corner >> 1 & 1), b.z + (corner >> 2)));
    }
    volume |= b.pairs >> 2;
    word = place_of(shape, b.x, b.y, b.z);
  }
  lines += count_lines(texels->places, first_of_four);
  const int fours = (request->lane_count + kLanesPerPass - 1) / kLanesPerPass;
  texels->passes = std::max(fours * (volume ? 2 : 1), lines);
}

void list_lines_of(std::vector<uint64_t>& places, LineList* list) {
  for (uint64_t& place : places)
    place /= kSectorBytes;
  std::sort(places.begin(), places.end());
  list->count = 0;
  for (const uint64_t sector : places) {
    if (list->count == 0 || list->parts[list->count - 1].line != sector / 4)
      list->parts[list->count++] = {sector / 4, 0};
    list->parts[list->count - 1].sectors |= 1u << sector % 4;
  }
}

}  // namespace cudacpu::profile

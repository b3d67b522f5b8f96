// Texture fetches in the profile: a request each, however many elements the filter reads.
//
// An array is assumed to lie in memory as NVIDIA's public documents on block-linear surfaces (the
// Tegra X1 technical reference manual) describe: tiles of 64 bytes by 8 rows, in which a 32-byte
// sector holds 16 bytes of two rows. So neighbours in both directions share sectors; the tiles of a
// slice follow each other row by row, and slices are apart. On GPUs that also tile several slices
// together, fetches along z miss a little less than in the profile.
#pragma once

#include <cstdint>
#include <vector>

#include "diagnostics/observer.h"
#include "profile/gpu/requests.h"

namespace cudacpu::profile {

// The elements that a request of a warp fetches, and how long the texture unit is busy with the
// request.
struct Texels {
  std::vector<uint64_t> places;  // the first byte of each element
  // A pass for each line that four neighbouring lanes touch; at least a pass for each four lanes,
  // and two for filtering in 3-D.
  int passes;
};

// Encodes a fetch from a texture that begins at `place` as an event and its second word; returns
// false if all elements lie outside.
bool encode_fetch(const observe::TextureRead& read, uint64_t place, uint8_t* kind, uint64_t* word);

// Decodes the second words of a texture event, which `request` holds as addresses: replaces the
// word by the first element of each lane, and puts all elements into `texels`.
void list_texels(uint8_t kind, Request* request, Texels* texels);

// Lists the lines of `places`, each once.
void list_lines_of(std::vector<uint64_t>& places, LineList* list);

}  // namespace cudacpu::profile

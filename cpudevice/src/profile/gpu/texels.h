// Texture fetches in the profile: one request each, whatever the filter makes it read.
//
// An array is taken to lie in memory as NVIDIA's public documents on block-linear surfaces (the
// Tegra X1 technical reference manual) describe it: tiles of 64 bytes by 8 rows, in which a 32-byte
// sector holds 16 bytes of two rows. So neighbours in both directions share sectors; the tiles of a
// slice follow each other row by row, and slices are apart. Where GPUs also tile several slices
// together, fetches along z miss a little less than here.
#pragma once

#include <cstdint>
#include <vector>

#include "diagnostics/observer.h"
#include "profile/gpu/requests.h"

namespace cudacpu::profile {

// The elements that a request of a warp fetches, and how long the texture unit is busy with it.
struct Texels {
  std::vector<uint64_t> places;  // the first byte of each element
  // One for each line that four neighbouring lanes touch; at least one for each four lanes, and two
  // for filtering in 3-D.
  int passes;
};

// The event of a fetch from a texture that begins at `place`, and its second word; false if all of
// it lies outside.
bool encode_fetch(const observe::TextureRead& read, uint64_t place, uint8_t* kind, uint64_t* word);

// Decodes the second words of a texture event, which `request` has as addresses: puts the first
// element of each lane there, and all elements into `texels`.
void list_texels(uint8_t kind, Request* request, Texels* texels);

// The lines in which these places lie, each once.
void list_lines_of(std::vector<uint64_t>& places, LineList* list);

}  // namespace cudacpu::profile

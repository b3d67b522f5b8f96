#include "profile/gpu/touched_sectors.h"

namespace cudacpu::profile {

uint8_t* TouchedSectors::find(uint64_t number) {
  Chunk& chunk = chunks_[number];
  if (!chunk.used) chunk.lines.assign(kLinesPerChunk, 0);
  chunk.used = true;
  recent_[number % kRecent] = {number, chunk.lines.data()};
  return chunk.lines.data();
}

bool TouchedSectors::any(uint64_t address, size_t bytes) const {
  for (uint64_t line = address / kLineBytes; line < (address + bytes) / kLineBytes; ++line) {
    const auto chunk = chunks_.find(line / kLinesPerChunk);
    if (chunk == chunks_.end() || !chunk->second.used) {
      line |= kLinesPerChunk - 1;
    } else if (chunk->second.lines[line % kLinesPerChunk]) {
      return true;
    }
  }
  return false;
}

void TouchedSectors::clear() {
  // Most programs launch the same kernel on the same memory again: the chunks stay.
  for (auto& [number, chunk] : chunks_)
    chunk.used = false;
  for (Recent& recent : recent_)
    recent = Recent();
  if (chunks_.size() > 4096) chunks_.clear();
}

}  // namespace cudacpu::profile

// Texture fetches, checked as reads of elements: freed and unwritten elements, and races with
// copies and surface writes, are found as for other reads.
#include "diagnostics/observer.h"
#include "sanitize/access.h"

namespace cudacpu::observe {

void texture_read(const TextureRead& read, const void* site, const void*) {
  const auto each = [&](int d, auto function) {
    if (read.first[d] >= 0) function(static_cast<size_t>(read.first[d]));
    if (read.second[d] >= 0 && read.second[d] != read.first[d])
      function(static_cast<size_t>(read.second[d]));
  };
  each(2, [&](size_t z) {
    each(1, [&](size_t y) {
      each(0, [&](size_t x) {
        const char* element = read.data + z * read.slice + y * read.pitch + x * read.element_bytes;
        sanitize::access_range(element, read.element_bytes, false, site);
      });
    });
  });
}

}  // namespace cudacpu::observe

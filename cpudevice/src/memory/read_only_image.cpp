#include "memory/read_only_image.h"

#include <link.h>

#include <vector>

namespace cudacpu {
namespace {

struct Range {
  uintptr_t begin, end;
};

std::vector<Range>& segments() {
  static auto* const list = new std::vector<Range>;
  return *list;
}

unsigned long long files_loaded() {
  unsigned long long files = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<unsigned long long*>(data) = info->dlpi_adds;
        return 1;
      },
      &files);
  return files;
}

}  // namespace

void refresh_read_only_image() {
  static unsigned long long known_files = ~0ull;
  const unsigned long long files = files_loaded();
  if (files == known_files) return;
  known_files = files;
  segments().clear();
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const bool constant = segment.p_type == PT_GNU_RELRO ||
                                (segment.p_type == PT_LOAD && !(segment.p_flags & PF_W));
          const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (constant) segments().push_back({begin, begin + segment.p_memsz});
        }
        return 0;
      },
      nullptr);
}

bool in_read_only_image(uintptr_t address) {
  for (const Range& range : segments()) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

}  // namespace cudacpu

#include "scheduler/launch/code_range.h"

#include <link.h>

namespace cudacpu {

CodeRange code_range(const void* code) {
  struct Search {
    uintptr_t address;
    CodeRange found;
  } search{reinterpret_cast<uintptr_t>(code), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* search = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          CodeRange range{info->dlpi_addr + segment.p_vaddr,
                          info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
          if (segment.p_type == PT_LOAD && range.has(search->address)) {
            search->found = range;
            return 1;
          }
        }
        return 0;
      },
      &search);
  return search.found;
}

}  // namespace cudacpu

// The shadows of regions, and the numbers of sites.
#include "sanitize/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "api.h"

namespace cudacpu::sanitize {
namespace {

template <class T>
T* map_zeroed(size_t count) {
  void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "sanitize: no address space for %zu bytes of shadow memory\n",
            count * sizeof(T));
    abort();
  }
  return static_cast<T*>(memory);
}

// Zeroes memory that may be large and mostly untouched.
void zero(void* memory, size_t n) {
  constexpr uintptr_t kPage = 64 * 1024;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory), end = begin + n;
  const uintptr_t first = (begin + kPage - 1) / kPage * kPage, last = end / kPage * kPage;
  if (first >= last) {
    memset(memory, 0, n);
    return;
  }
  memset(memory, 0, first - begin);
  madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  memset(reinterpret_cast<void*>(last), 0, end - last);
}

// Calls word(state, bits) for the words of a range; `bits` names the bytes in it.
template <class Word>
void for_words(Region& region, uintptr_t address, size_t n, Word word) {
  size_t offset = address - region.begin;
  const size_t end = offset + n;
  while (offset < end) {
    const size_t index = offset / kWord, next = std::min((index + 1) * kWord, end);
    const unsigned bits = ((1u << (next - offset)) - 1) << offset % kWord;
    word(region.state[index], bits | bits << 4);
    offset = next;
  }
}

}  // namespace

Region arena;
Running now;

void prepare_arena() {
  if (arena.bytes) return;
  const char* base;
  size_t bytes;
  arena_range(&base, &bytes);
  arena.begin = reinterpret_cast<uintptr_t>(base);
  arena.bytes = bytes;
  arena.map_shadow();
}

void Region::map_shadow() {
  const size_t words = (bytes + kWord - 1) / kWord + 1;
  state = map_zeroed<uint8_t>(words);
  cells = map_zeroed<Cell>(words);
}

void Region::set_state(uintptr_t address, size_t n, uint8_t mask) {
  // Whole words at once: there may be 100 million.
  const size_t head = std::min(n, (kWord - address % kWord) % kWord);
  const size_t whole = (n - head) / kWord;
  const auto set = [mask](uint8_t& state, unsigned bits) { state |= bits & mask; };
  for_words(*this, address, head, set);
  uint8_t* first = state + (address + head - begin) / kWord;
  if (mask == kAllValid) {
    memset(first, kAllValid, whole);
  } else {
    for (size_t i = 0; i < whole; ++i)
      first[i] |= mask;
  }
  for_words(*this, address + head + whole * kWord, n - head - whole * kWord, set);
}

void Region::clear_state(uintptr_t address, size_t n, uint8_t mask) {
  const size_t head = std::min(n, (kWord - address % kWord) % kWord);
  const size_t whole = (n - head) / kWord;
  const auto clear = [mask](uint8_t& state, unsigned bits) { state &= ~(bits & mask); };
  for_words(*this, address, head, clear);
  uint8_t* first = state + (address + head - begin) / kWord;
  if (mask == kAllValid) {
    zero(first, whole);
  } else {
    for (size_t i = 0; i < whole; ++i)
      first[i] &= ~mask;
  }
  for_words(*this, address + head + whole * kWord, n - head - whole * kWord, clear);
}

void Region::forget_records(uintptr_t address, size_t n) {
  const size_t first = (address - begin) / kWord, last = (address - begin + n + kWord - 1) / kWord;
  zero(cells + first, (last - first) * sizeof(Cell));
}

Cell* byte_cells(Cell& cell) {
  if (!is_expanded(cell)) {
    auto* four = new Cell[kWord]{cell, cell, cell, cell};
    cell.write = uint64_t{kExpanded} << kEpochShift;
    cell.first_read = reinterpret_cast<uintptr_t>(four);
    cell.last_read = 0;
  }
  return reinterpret_cast<Cell*>(cell.first_read);
}

// ---- sites
// ----------------------------------------------------------------------------------------------------------

namespace {

std::vector<const void*>& sites() {
  static auto* const list = new std::vector<const void*>{nullptr};
  return *list;
}

unsigned find_site(const void* pc) {
  static auto* const numbers = new std::unordered_map<const void*, unsigned>;
  auto [found, fresh] = numbers->try_emplace(pc, 0u);
  if (fresh && sites().size() < kMostSites) {
    found->second = static_cast<unsigned>(sites().size());
    sites().push_back(pc);
  }
  return found->second;
}

}  // namespace

unsigned site_of(const void* pc) {
  constexpr size_t kCached = 1024;
  static struct {
    const void* pc;
    unsigned number;
  } cache[kCached];
  auto& entry = cache[reinterpret_cast<uintptr_t>(pc) % kCached];
  if (entry.pc != pc) entry = {pc, find_site(pc)};
  return entry.number;
}

const void* pc_of_site(unsigned site) {
  return sites()[site];
}

}  // namespace cudacpu::sanitize

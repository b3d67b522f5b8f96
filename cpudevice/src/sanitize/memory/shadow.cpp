// The shadows of regions, and the numbers of sites.
#include "sanitize/memory/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "memory/arena.h"

namespace cudacpu::sanitize {
namespace {

template <class T>
T* map(size_t count, int protection) {
  void* memory = mmap(nullptr, count * sizeof(T), protection,
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

// Calls word(state, bits) for the words of a range; `bits` names the range's bytes in the word.
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
  // States can be read everywhere; in an unopened unit no byte exists.
  const size_t words = bytes / kWord;
  arena.state = map<uint8_t>(words, PROT_READ);
  arena.lines = map<uint8_t>(words / kLine, PROT_READ);
  arena.cells = map<Cell>(words, PROT_NONE);
  arena.first_reads = map<Record>(words, PROT_NONE);
}

namespace {

struct Units {
  uint8_t* state;
  size_t state_bytes;
  Cell* cells;
  size_t cell_bytes;
  Record* first_reads;
  size_t read_bytes;
};

Units units(uintptr_t first, uintptr_t end) {
  const size_t word = (first - arena.begin) / kWord, words = (end - first) / kWord;
  return {arena.state + word,       words,
          arena.cells + word,       words * sizeof(Cell),
          arena.first_reads + word, words * sizeof(Record)};
}

// A page of the summary belongs to many units, so the page stays open.
bool open_summary(uintptr_t first, uintptr_t end) {
  const auto page_of = [](uintptr_t a) { return a / kLargestPage * kLargestPage; };
  const auto summary = reinterpret_cast<uintptr_t>(arena.lines);
  const uintptr_t from = page_of(summary + (first - arena.begin) / kWord / kLine);
  const uintptr_t to = page_of(summary + (end - 1 - arena.begin) / kWord / kLine) + kLargestPage;
  return mprotect(reinterpret_cast<void*>(from), to - from, PROT_READ | PROT_WRITE) == 0;
}

void out_of_memory(size_t bytes) {
  fprintf(stderr, "sanitize: no room for the %zu bytes of shadow memory that an allocation needs\n",
          bytes);
  abort();
}

}  // namespace

void open_shadow(uintptr_t address, size_t n) {
  const uintptr_t first = address / kShadowUnit * kShadowUnit;
  const uintptr_t end = (address + n + kShadowUnit - 1) / kShadowUnit * kShadowUnit;
  const Units u = units(first, end);
  if (!open_summary(first, end) || mprotect(u.state, u.state_bytes, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(u.cells, u.cell_bytes, PROT_READ | PROT_WRITE) != 0 ||
      mprotect(u.first_reads, u.read_bytes, PROT_READ | PROT_WRITE) != 0) {
    out_of_memory(u.state_bytes + u.cell_bytes + u.read_bytes);
  }
  constexpr size_t kLarge = size_t{16} << 20;
  if (u.cell_bytes >= kLarge) madvise(u.cells, u.cell_bytes, MADV_HUGEPAGE);
}

void close_shadow(uintptr_t first_unit, uintptr_t end_unit) {
  // New mappings are all zero and take no memory. The summary was cleared with the states.
  const Units u = units(first_unit, end_unit);
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(u.state, u.state_bytes, PROT_READ, kFlags, -1, 0) == MAP_FAILED ||
      mmap(u.cells, u.cell_bytes, PROT_NONE, kFlags, -1, 0) == MAP_FAILED ||
      mmap(u.first_reads, u.read_bytes, PROT_NONE, kFlags, -1, 0) == MAP_FAILED) {
    out_of_memory(u.state_bytes + u.cell_bytes + u.read_bytes);
  }
}

void Region::map_shadow() {
  const size_t words = (bytes + kWord - 1) / kWord + 1;
  state = map<uint8_t>(words, PROT_READ | PROT_WRITE);
  cells = map<Cell>(words, PROT_READ | PROT_WRITE);
  first_reads = map<Record>(words, PROT_READ | PROT_WRITE);
}

void Region::summarize(size_t line) {
  const uint8_t* states = state + line * kLine;
  lines[line] = std::count(states, states + kLine, kAllValid) == kLine ? kLineValid : 0;
}

void Region::set_state(uintptr_t address, size_t n, uint8_t mask) {
  // Sets whole words at once, because a range may have 100 million.
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
  if (n == 0) return;
  if (lines) {
    const size_t first = (address - begin) / kWord / kLine;
    const size_t last = (address + n - 1 - begin) / kWord / kLine;
    memset(lines + first, 0, last - first + 1);
  }
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

CellPlace byte_cell(CellPlace word, size_t byte) {
  struct Bytes {
    Cell cells[kWord];
    Record first_reads[kWord];
  };
  Cell& cell = word.cell;
  if (!is_expanded(cell)) {
    const Record first = word.first;
    auto* bytes = new Bytes{{cell, cell, cell, cell}, {first, first, first, first}};
    cell.write = uint64_t{kExpanded} << kEpochShift;
    cell.readers = reinterpret_cast<uintptr_t>(bytes);
  }
  auto* bytes = reinterpret_cast<Bytes*>(cell.readers);
  return {bytes->cells[byte], bytes->first_reads[byte]};
}

// ---- sites -----------------------------------------------------------------------------------

namespace {

std::vector<const void*>& sites() {
  static auto* const list = new std::vector<const void*>{nullptr};
  return *list;
}

}  // namespace

CachedSite cached_sites[kCachedSites];

unsigned find_site(const void* pc) {
  NoPreemption guard;
  static auto* const numbers = new std::unordered_map<const void*, unsigned>;
  auto [found, fresh] = numbers->try_emplace(pc, 0u);
  if (fresh && sites().size() < kMostSites) {
    found->second = static_cast<unsigned>(sites().size());
    sites().push_back(pc);
  }
  cached_sites[reinterpret_cast<uintptr_t>(pc) % kCachedSites] = {pc, found->second};
  return found->second;
}

const void* pc_of_site(unsigned site) {
  return sites()[site];
}

}  // namespace cudacpu::sanitize

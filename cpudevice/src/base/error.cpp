#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <atomic>
#include <string_view>

#include "cuda_runtime_api.h"
#include "cudacpu/runtime.h"

namespace cudacpu {
namespace {

constexpr int kMaxSentences = 20;

std::atomic<int> sticky{cudaSuccess};
std::atomic<int> sentences{0};
thread_local int last = cudaSuccess;
// Set when device memory is reserved, which any thread may do.
std::atomic<const void*> repeatable_begin{nullptr}, repeatable_end{nullptr};

struct ErrorEntry {
  int value;
  const char* name;
  const char* text;
};

#define CUDACPU_ENTRY(name, value, text) {value, #name, text},
constexpr ErrorEntry kErrors[] = {CUDACPU_ERRORS(CUDACPU_ENTRY)};
#undef CUDACPU_ENTRY

const ErrorEntry* find_entry(int error) {
  for (const ErrorEntry& entry : kErrors) {
    if (entry.value == error) return &entry;
  }
  return nullptr;
}

}  // namespace

void set_sticky_error(int error) {
  sticky = error;
}
int sticky_error() {
  return sticky.load(std::memory_order_relaxed);
}
void set_last_error(int error) {
  last = error;
}
int last_error() {
  return last;
}

const char* error_name(int error) {
  const ErrorEntry* entry = find_entry(error);
  return entry ? entry->name : "unrecognized error code";
}
const char* error_text(int error) {
  const ErrorEntry* entry = find_entry(error);
  return entry ? entry->text : "unrecognized error code";
}

void set_repeatable_addresses(const void* begin, const void* end) {
  repeatable_begin = begin;
  repeatable_end = end;
}

std::string repeatable(std::string text) {
  for (size_t at = 0; (at = text.find("0x", at)) != std::string::npos; at += 2) {
    char* end = nullptr;
    const auto address = strtoull(text.c_str() + at, &end, 16);
    const size_t length = static_cast<size_t>(end - (text.c_str() + at));
    constexpr unsigned long long kLeastAddress = 1ull << 32;
    const void* pointer = reinterpret_cast<const void*>(address);
    if (address < kLeastAddress || (pointer >= repeatable_begin && pointer < repeatable_end))
      continue;
    constexpr std::string_view kBefore = "address ";  // "wrote to address 0x…"
    size_t begin = at;
    if (at >= kBefore.size() && text.compare(at - kBefore.size(), kBefore.size(), kBefore) == 0)
      begin -= kBefore.size();
    text.replace(begin, at + length - begin, "a host address");
  }
  return text;
}

void explain(const char* format, ...) {
  const int number = ++sentences;
  if (number > kMaxSentences) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  fprintf(stderr, "CPU device: %s\n", CUDACPU_DIAGNOSTICS ? repeatable(text).c_str() : text);
  if (number == kMaxSentences)
    fprintf(stderr, "CPU device: further failing calls are not explained\n");
}

}  // namespace cudacpu

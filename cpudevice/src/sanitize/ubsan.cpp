// The functions that g++ -fsanitize=bounds,alignment calls: an index outside the array, and an
// address that does not suit the type.
#include <cstdlib>
#include <cstring>
#include <string>

#include "sanitize/findings/findings.h"
#include "sanitize/findings/thread_names.h"
#include "sanitize/memory/shadow.h"
#include "scheduler/threads/worker.h"

namespace {

// The structures have the compiler's layout.
struct SourceLocation {
  const char* file;
  uint32_t line, column;
};
struct TypeDescriptor {
  uint16_t kind;  // 0: an integer
  uint16_t info;  // of an integer: bit 0 signed, the other bits the logarithm of the width
  char name[1];
};
struct OutOfBounds {
  SourceLocation at;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};
struct TypeMismatch {
  SourceLocation at;
  const TypeDescriptor* type;
  unsigned char log_alignment;
  unsigned char kind;  // of the access: 0 a load, 1 a store, ...
};

using namespace cudacpu::sanitize;

// The compiler writes names as 'float [32]'.
std::string unquoted(const char* name) {
  std::string text = name;
  if (text.size() >= 2 && text.front() == '\'') text = text.substr(1, text.size() - 2);
  for (const std::string word : {"const ", "volatile ", "struct "}) {
    const size_t at = text.find(word);
    if (at != std::string::npos) text.erase(at, word.size());
  }
  return text;
}

std::string who() {
  if (!cudacpu::in_kernel()) return "the host";
  return thread_name(now.thread, cudacpu::context.worker->launch->block, blockIdx);
}

std::string index_text(const TypeDescriptor& type, uintptr_t value) {
  if (!(type.info & 1)) return std::to_string(value);
  const unsigned bits = 1u << (type.info >> 1);
  if (bits >= 64) return std::to_string(static_cast<intptr_t>(value));
  const unsigned shift = 64 - bits;
  return std::to_string(static_cast<intptr_t>(value << shift) >> shift);
}

}  // namespace

extern "C" void __ubsan_handle_out_of_bounds(OutOfBounds* data, uintptr_t index) {
  cudacpu::NoPreemption guard;
  Report report;
  report.cause = Cause::kBadAccess;
  report.place = {nullptr, data->at.file, static_cast<int>(data->at.line)};
  report.detail = data->at.column;
  const std::string type = unquoted(data->array->name);
  report.sentence =
      who() + " uses index " + index_text(*data->index, index) + " of an array of type " + type;
  const size_t bracket = type.find('[');
  const long elements =
      bracket == std::string::npos ? 0 : strtol(type.c_str() + bracket + 1, nullptr, 10);
  if (elements > 0) report.sentence += ", whose last is " + std::to_string(elements - 1);
  add_finding(report);
}
extern "C" void __ubsan_handle_out_of_bounds_abort(OutOfBounds* data, uintptr_t index) {
  __ubsan_handle_out_of_bounds(data, index);
}

extern "C" void __ubsan_handle_type_mismatch_v1(TypeMismatch* data, uintptr_t address) {
  const uintptr_t alignment = uintptr_t{1} << data->log_alignment;
  if (address % alignment == 0) return;  // the null pointer is another finding
  cudacpu::NoPreemption guard;
  Report report;
  report.cause = Cause::kMisaligned;
  report.place = {nullptr, data->at.file, static_cast<int>(data->at.line)};
  report.detail = data->at.column;
  report.sentence = who() + (data->kind == 1 ? " writes a " : " reads a ") +
                    unquoted(data->type->name) + " at an address that is not a multiple of " +
                    std::to_string(alignment) + " but " + std::to_string(address % alignment) +
                    " more: take single elements up to the next multiple";
  add_finding(report);
}

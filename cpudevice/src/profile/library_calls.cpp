// Functions of the C and C++ libraries as the program calls them: in the program's objects cudacc
// gives these functions names with the prefix __cudacpu_. No compiler has instrumented the library,
// so each wrapper reports the function's cost; docs/cpu-device.md has the list.
//
// A single pass through memory counts as bytes moved by the host, at the rate of a copy. Everything
// else counts as instructions.
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <new>

#include "cudacpu/runtime.h"
#include "memory/arena.h"
#include "profile/profiler.h"
#include "profile/record.h"
#include "profile/trace/recorder.h"

using namespace cudacpu;
using namespace cudacpu::profile;

#define READS(p, bytes) use_memory(p, bytes, Operation::kLoad, FRAME, CALLER)
#define WRITES(p, bytes) use_memory(p, bytes, Operation::kStore, FRAME, CALLER)
// For functions that read byte by byte, on the host with vector instructions.
#define SCANS(p, bytes)                        \
  worked_by_host((bytes) / kScannedBytes + 1); \
  READS(p, bytes)

namespace {

constexpr uint64_t kAllocation = 60;  // malloc, free and similar functions
// printf and similar functions: the price of a call, and of each written character.
constexpr uint64_t kFormatCall = 200, kFormatCharacter = 10;
constexpr uint64_t kNumberCall = 50;  // strtol and similar functions
constexpr size_t kScannedBytes = 8;   // for each instruction
constexpr uint64_t kRandom = 20;
constexpr uint64_t kTreeStep =
    // of std::map and similar containers: a turn of the tree, or a step to a neighbour
    20;
constexpr uint64_t kListNode = 3;  // of a std::list to reverse
constexpr uint64_t kThrow = 2000;  // an exception, from throw to catch
constexpr uint64_t kDynamicCast = 10;

uint64_t log2_up(size_t n) {
  return n < 2 ? 1 : 64 - __builtin_clzll(n - 1);
}

// False while the library counts a kernel's work, perhaps with instances of templates that the
// program uses too.
bool in_thread_of_kernel() {
  return recorder.next && !context.busy;
}

void* take_from_device(size_t bytes, uintptr_t caller) {
  NoPreemption guard;
  heap_used_by_kernel(caller);
  return bytes ? allocate(bytes, MemoryKind::kDevice, "malloc") : nullptr;
}

// Returns false if the pointer did not come from the heap.
bool give_to_device(void* pointer, uintptr_t caller) {
  if (!in_kernel() || !in_arena(pointer)) return false;
  NoPreemption guard;
  heap_used_by_kernel(caller);
  release(pointer, false, "free");
  return true;
}

bool on_host() {
  return !recorder.next && !recorder.launching;
}

// A text of `characters` characters was written, by the host or by a kernel's thread.
int formatted(int characters, uintptr_t caller) {
  if (!on_host()) {
    printed_by_kernel(caller);
  } else if (characters > 0) {
    worked_by_host(kFormatCall + kFormatCharacter * static_cast<uint64_t>(characters));
  }
  return characters;
}

// Wide characters are copied, or set.
void use_wide(void* to, const void* from, size_t bytes, uintptr_t frame, uintptr_t caller) {
  moved_by_host(bytes);
  if (from) use_memory(from, bytes, Operation::kLoad, frame, caller);
  use_memory(to, bytes, Operation::kStore, frame, caller);
}

// A number was read from a text of `characters` characters.
void number_read(ptrdiff_t characters) {
  worked_by_host(kNumberCall + kFormatCharacter * static_cast<uint64_t>(characters));
}

}  // namespace

extern "C" {

// ---- memory and strings ----

void* __cudacpu_memcpy(void* to, const void* from, size_t bytes) {
  moved_by_host(bytes);
  READS(from, bytes);
  WRITES(to, bytes);
  return memcpy(to, from, bytes);
}
void* __cudacpu_memmove(void* to, const void* from, size_t bytes) {
  moved_by_host(bytes);
  READS(from, bytes);
  WRITES(to, bytes);
  return memmove(to, from, bytes);
}
void* __cudacpu_memset(void* to, int value, size_t bytes) {
  moved_by_host(bytes);
  WRITES(to, bytes);
  return memset(to, value, bytes);
}
void* __cudacpu_memchr(const void* p, int value, size_t bytes) {
  void* const found = const_cast<void*>(memchr(p, value, bytes));
  SCANS(p, found ? static_cast<const char*>(found) - static_cast<const char*>(p) + 1 : bytes);
  return found;
}
int __cudacpu_memcmp(const void* a, const void* b, size_t bytes) {
  SCANS(a, bytes);
  SCANS(b, bytes);
  return memcmp(a, b, bytes);
}
size_t __cudacpu_strlen(const char* s) {
  const size_t length = strlen(s);
  SCANS(s, length + 1);
  return length;
}
char* __cudacpu_strchr(const char* s, int c) {
  SCANS(s, strlen(s) + 1);
  return const_cast<char*>(strchr(s, c));
}
int __cudacpu_strcmp(const char* a, const char* b) {
  SCANS(a, strlen(a) + 1);
  SCANS(b, strlen(b) + 1);
  return strcmp(a, b);
}
int __cudacpu_strncmp(const char* a, const char* b, size_t n) {
  SCANS(a, strnlen(a, n));
  SCANS(b, strnlen(b, n));
  return strncmp(a, b, n);
}
char* __cudacpu_strcpy(char* to, const char* from) {
  const size_t bytes = strlen(from) + 1;
  SCANS(from, bytes);
  WRITES(to, bytes);
  return strcpy(to, from);
}
char* __cudacpu_strncpy(char* to, const char* from, size_t n) {
  SCANS(from, strnlen(from, n));
  WRITES(to, n);
  return strncpy(to, from, n);
}

// Functions that search a text for another text or its characters: at most the price of a full
// scan.
#define SEARCH(T, name)                                 \
  T __cudacpu_##name(const char* text, const char* s) { \
    SCANS(text, strlen(text) + 1);                      \
    SCANS(s, strlen(s) + 1);                            \
    worked_by_host(strlen(text));                       \
    return name(const_cast<char*>(text), s);            \
  }
SEARCH(size_t, strspn)
SEARCH(size_t, strcspn)
SEARCH(char*, strpbrk)
SEARCH(char*, strstr)
#undef SEARCH
char* __cudacpu_strrchr(const char* s, int c) {
  SCANS(s, strlen(s) + 1);
  return const_cast<char*>(strrchr(s, c));
}
void* __cudacpu_memrchr(const void* p, int value, size_t bytes) {
  SCANS(p, bytes);
  return const_cast<void*>(memrchr(p, value, bytes));
}
size_t __cudacpu_strnlen(const char* s, size_t n) {
  const size_t length = strnlen(s, n);
  SCANS(s, length);
  return length;
}
char* __cudacpu_strcat(char* to, const char* from) {
  const size_t before = strlen(to), bytes = strlen(from) + 1;
  SCANS(to, before);
  SCANS(from, bytes);
  WRITES(to + before, bytes);
  return strcat(to, from);
}
char* __cudacpu_strncat(char* to, const char* from, size_t n) {
  const size_t before = strlen(to), bytes = strnlen(from, n) + 1;
  SCANS(to, before);
  SCANS(from, bytes);
  WRITES(to + before, bytes);
  return strncat(to, from, n);
}
char* __cudacpu_strdup(const char* s) {
  worked_by_host(kAllocation);
  SCANS(s, strlen(s) + 1);
  return strdup(s);
}
char* __cudacpu_strtok_r(char* s, const char* separators, char** rest) {
  const char* const text = s ? s : *rest;
  if (text) {
    SCANS(text, strlen(text) + 1);
    worked_by_host(strlen(text));
  }
  return strtok_r(s, separators, rest);
}
char* __cudacpu_strtok(char* s, const char* separators) {
  static thread_local char* rest;
  return __cudacpu_strtok_r(s, separators, &rest);
}

// Wide characters.
wchar_t* __cudacpu_wmemcpy(wchar_t* to, const wchar_t* from, size_t n) {
  use_wide(to, from, n * sizeof *to, FRAME, CALLER);
  return wmemcpy(to, from, n);
}
wchar_t* __cudacpu_wmemmove(wchar_t* to, const wchar_t* from, size_t n) {
  use_wide(to, from, n * sizeof *to, FRAME, CALLER);
  return wmemmove(to, from, n);
}
wchar_t* __cudacpu_wmemset(wchar_t* to, wchar_t value, size_t n) {
  use_wide(to, nullptr, n * sizeof *to, FRAME, CALLER);
  return wmemset(to, value, n);
}
wchar_t* __cudacpu_wmemchr(const wchar_t* s, wchar_t value, size_t n) {
  SCANS(s, n * sizeof *s);
  return const_cast<wchar_t*>(wmemchr(s, value, n));
}
int __cudacpu_wmemcmp(const wchar_t* a, const wchar_t* b, size_t n) {
  SCANS(a, n * sizeof *a);
  SCANS(b, n * sizeof *b);
  return wmemcmp(a, b, n);
}
size_t __cudacpu_wcslen(const wchar_t* s) {
  const size_t length = wcslen(s);
  SCANS(s, (length + 1) * sizeof *s);
  return length;
}

// ---- mathematical functions with two results, of which a pointer takes the second ----

// In a kernel the function leaves a local variable in registers.
#define RESULT(p)                                                                  \
  if (!recorder.next || recorder.frame - reinterpret_cast<uintptr_t>(p) >= kStack) \
  use_memory(p, sizeof *p, Operation::kStore, FRAME, CALLER, true)
#define TWO_RESULTS(T, f)                             \
  T __cudacpu_modf##f(T x, T* whole) {                \
    RESULT(whole);                                    \
    return modf##f(x, whole);                         \
  }                                                   \
  T __cudacpu_frexp##f(T x, int* exponent) {          \
    RESULT(exponent);                                 \
    return frexp##f(x, exponent);                     \
  }                                                   \
  T __cudacpu_remquo##f(T x, T y, int* quotient) {    \
    RESULT(quotient);                                 \
    return remquo##f(x, y, quotient);                 \
  }                                                   \
  void __cudacpu_sincos##f(T x, T* sine, T* cosine) { \
    RESULT(sine);                                     \
    RESULT(cosine);                                   \
    sincos##f(x, sine, cosine);                       \
  }
TWO_RESULTS(float, f)
TWO_RESULTS(double, )
TWO_RESULTS(long double, l)
#undef TWO_RESULTS

// ---- numbers from text ----

#define NUMBER(T, name)                              \
  T __cudacpu_##name(const char* text, char** end) { \
    char* behind;                                    \
    const T number = name(text, &behind);            \
    number_read(behind - text);                      \
    READS(text, static_cast<size_t>(behind - text)); \
    if (end) {                                       \
      WRITES(end, sizeof *end);                      \
      *end = behind;                                 \
    }                                                \
    return number;                                   \
  }
NUMBER(float, strtof)
NUMBER(double, strtod)
NUMBER(long double, strtold)
#undef NUMBER
#define NUMBER(T, symbol, name)                                  \
  T __cudacpu_##symbol(const char* text, char** end, int base) { \
    char* behind;                                                \
    const T number = name(text, &behind, base);                  \
    number_read(behind - text);                                  \
    READS(text, static_cast<size_t>(behind - text));             \
    if (end) {                                                   \
      WRITES(end, sizeof *end);                                  \
      *end = behind;                                             \
    }                                                            \
    return number;                                               \
  }
NUMBER(long, strtol, strtol)
NUMBER(long long, strtoll, strtoll)
NUMBER(unsigned long, strtoul, strtoul)
NUMBER(unsigned long long, strtoull, strtoull)
// The names that newer C libraries use.
NUMBER(long, __isoc23_strtol, strtol)
NUMBER(long long, __isoc23_strtoll, strtoll)
NUMBER(unsigned long, __isoc23_strtoul, strtoul)
NUMBER(unsigned long long, __isoc23_strtoull, strtoull)
#undef NUMBER
double __cudacpu_atof(const char* text) {
  return __cudacpu_strtod(text, nullptr);
}
int __cudacpu_atoi(const char* text) {
  return static_cast<int>(__cudacpu_strtol(text, nullptr, 10));
}
long __cudacpu_atol(const char* text) {
  return __cudacpu_strtol(text, nullptr, 10);
}
long long __cudacpu_atoll(const char* text) {
  return __cudacpu_strtoll(text, nullptr, 10);
}

// ---- searching and sorting: the comparisons are the program's own and counted as such ----

void* __cudacpu_bsearch(const void* key, const void* base, size_t n, size_t bytes,
                        int (*compare)(const void*, const void*)) {
  worked_by_host(4 * log2_up(n));
  return bsearch(key, base, n, bytes, compare);
}
void __cudacpu_qsort(void* base, size_t n, size_t bytes, int (*compare)(const void*, const void*)) {
  // A merge sort: each item is loaded and stored on each level.
  constexpr uint64_t kStep = 6;
  worked_by_host(n * log2_up(n) * (kStep + 2 * ((bytes + 7) / 8)));
  READS(base, n * bytes);
  WRITES(base, n * bytes);
  qsort(base, n, bytes, compare);
}
int __cudacpu_rand() {
  worked_by_host(kRandom);
  return rand();
}
int __cudacpu_rand_r(unsigned* seed) {
  worked_by_host(kRandom);
  return rand_r(seed);
}
#define RANDOM(T, name, Parameter, argument) \
  T __cudacpu_##name(Parameter) {            \
    worked_by_host(kRandom);                 \
    return name(argument);                   \
  }
RANDOM(long, random, void, )
RANDOM(double, drand48, void, )
RANDOM(long, lrand48, void, )
RANDOM(long, mrand48, void, )
RANDOM(double, erand48, unsigned short state[3], state)
RANDOM(long, nrand48, unsigned short state[3], state)
#undef RANDOM

// ---- text ----

int __cudacpu_vprintf(const char* format, va_list values) {
  return formatted(vprintf(format, values), CALLER);
}
int __cudacpu_printf(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = formatted(vprintf(format, values), CALLER);
  va_end(values);
  return result;
}
int __cudacpu_vfprintf(FILE* file, const char* format, va_list values) {
  return formatted(vfprintf(file, format, values), CALLER);
}
int __cudacpu_fprintf(FILE* file, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = formatted(vfprintf(file, format, values), CALLER);
  va_end(values);
  return result;
}
int __cudacpu_vsnprintf(char* to, size_t n, const char* format, va_list values) {
  if (n > 0) WRITES(to, 1);
  const int result = formatted(vsnprintf(to, n, format, values), CALLER);
  if (n > 0 && result > 0) WRITES(to, std::min(n, static_cast<size_t>(result) + 1));
  return result;
}
int __cudacpu_snprintf(char* to, size_t n, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = __cudacpu_vsnprintf(to, n, format, values);
  va_end(values);
  return result;
}
// Without a limit the number of characters is known only afterwards.
int __cudacpu_vsprintf(char* to, const char* format, va_list values) {
  const int result = formatted(vsprintf(to, format, values), CALLER);
  if (result >= 0) WRITES(to, static_cast<size_t>(result) + 1);
  return result;
}
int __cudacpu_sprintf(char* to, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = __cudacpu_vsprintf(to, format, values);
  va_end(values);
  return result;
}
int __cudacpu___isoc99_sscanf(const char* text, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = vsscanf(text, format, values);
  va_end(values);
  formatted(static_cast<int>(strlen(text)), CALLER);
  return result;
}
// g++ turns a printf of a single line or character into these calls.
int __cudacpu_puts(const char* s) {
  formatted(static_cast<int>(strlen(s)), CALLER);
  return puts(s);
}
int __cudacpu_putchar(int c) {
  formatted(1, CALLER);
  return putchar(c);
}
int __cudacpu_putc(int c, FILE* file) {
  formatted(1, CALLER);
  return putc(c, file);
}
int __cudacpu_fputs(const char* s, FILE* file) {
  formatted(static_cast<int>(strlen(s)), CALLER);
  return fputs(s, file);
}
int __cudacpu_fputc(int c, FILE* file) {
  formatted(1, CALLER);
  return fputc(c, file);
}
size_t __cudacpu_fwrite(const void* p, size_t bytes, size_t n, FILE* file) {
  READS(p, bytes * n);
  formatted(1, CALLER);
  return fwrite(p, bytes, n, file);
}

// ---- the heap: of the device in a kernel ----

void* __cudacpu_malloc(size_t bytes) {
  if (in_thread_of_kernel()) return take_from_device(bytes, CALLER);
  worked_by_host(kAllocation);
  return malloc(bytes);
}
void __cudacpu_free(void* pointer) {
  if (give_to_device(pointer, CALLER)) return;
  worked_by_host(kAllocation);
  free(pointer);
}
void* __cudacpu_calloc(size_t n, size_t bytes) {
  moved_by_host(n * bytes);
  worked_by_host(kAllocation);
  return calloc(n, bytes);
}
void* __cudacpu_aligned_alloc(size_t alignment, size_t bytes) {
  worked_by_host(kAllocation);
  return aligned_alloc(alignment, bytes);
}
int __cudacpu_posix_memalign(void** pointer, size_t alignment, size_t bytes) {
  worked_by_host(kAllocation);
  WRITES(pointer, sizeof *pointer);
  return posix_memalign(pointer, alignment, bytes);
}
void* __cudacpu_realloc(void* pointer, size_t bytes) {
  moved_by_host(bytes);
  worked_by_host(kAllocation);
  return realloc(pointer, bytes);
}
void* __cudacpu__Znwm(size_t bytes) {
  if (in_thread_of_kernel()) return take_from_device(bytes, CALLER);
  worked_by_host(kAllocation);
  return ::operator new(bytes);
}
void* __cudacpu__Znam(size_t bytes) {
  return __cudacpu__Znwm(bytes);
}
void __cudacpu__ZdlPv(void* pointer) {
  if (give_to_device(pointer, CALLER)) return;
  worked_by_host(kAllocation);
  ::operator delete(pointer);
}
void __cudacpu__ZdaPv(void* pointer) {
  __cudacpu__ZdlPv(pointer);
}
void __cudacpu__ZdlPvm(void* pointer, size_t) {
  __cudacpu__ZdlPv(pointer);
}
void __cudacpu__ZdaPvm(void* pointer, size_t) {
  __cudacpu__ZdlPv(pointer);
}

// ---- functions that the C++ library's containers call ----

size_t hash_bytes(const void*, size_t, size_t) __asm__("_ZSt11_Hash_bytesPKvmm");
size_t __cudacpu__ZSt11_Hash_bytesPKvmm(const void* p, size_t bytes, size_t seed) {
  worked_by_host(bytes);
  READS(p, bytes);
  return hash_bytes(p, bytes, seed);
}
void tree_insert(bool, void*, void*, void*) __asm__(
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
void __cudacpu__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left,
                                                                                 void* node,
                                                                                 void* parent,
                                                                                 void* head) {
  worked_by_host(kTreeStep);
  tree_insert(left, node, parent, head);
}
void* tree_erase(void*,
                 void*) __asm__("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
void* __cudacpu__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(void* node,
                                                                             void* head) {
  worked_by_host(kTreeStep);
  return tree_erase(node, head);
}
void* tree_next(void*) __asm__("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
void* __cudacpu__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(void* node) {
  worked_by_host(kTreeStep);
  return tree_next(node);
}
void* __cudacpu__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(void* node) {
  worked_by_host(kTreeStep);
  return tree_next(node);
}
void* tree_previous(void*) __asm__("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
void* __cudacpu__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(void* node) {
  worked_by_host(kTreeStep);
  return tree_previous(node);
}
void* __cudacpu__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(void* node) {
  worked_by_host(kTreeStep);
  return tree_previous(node);
}
// Each node, and the list itself, begins with the address of the next node.
void reverse_list(void*) __asm__("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void __cudacpu__ZNSt8__detail15_List_node_base10_M_reverseEv(void* list) {
  uint64_t nodes = 1;
  for (void* node = *static_cast<void**>(list); node != list; node = *static_cast<void**>(node))
    ++nodes;
  worked_by_host(kListNode * nodes);
  reverse_list(list);
}

// ---- functions that the compiler calls ----

[[noreturn]] void throw_exception(void*, void*, void (*)(void*)) __asm__("__cxa_throw");
[[noreturn]] void __cudacpu___cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
  worked_by_host(kThrow);
  throw_exception(exception, type, destroy);
}
[[noreturn]] void throw_again() __asm__("__cxa_rethrow");
[[noreturn]] void __cudacpu___cxa_rethrow() {
  worked_by_host(kThrow);
  throw_again();
}
void* cast_dynamically(const void*, const void*, const void*, ptrdiff_t) __asm__("__dynamic_cast");
void* __cudacpu___dynamic_cast(const void* object, const void* from, const void* to,
                               ptrdiff_t hint) {
  worked_by_host(kDynamicCast);
  return cast_dynamically(object, from, to, hint);
}

}  // extern "C"

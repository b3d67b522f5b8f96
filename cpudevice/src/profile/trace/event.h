// The events of a lane's trace.
//
// An event is a word, laid out so that the lowest of several words goes first when the lanes of a
// warp are put back into lockstep: the innermost in function calls, and then the lowest code
// address. Accesses and meetings have a second word.
//
//   63..40   2^24 - 1 - depth of the stack, in 16 bytes
//   39..8    code address
//    7..0    kind
#pragma once

#include <cstdint>

namespace cudacpu::profile {

enum class Operation : uint8_t { kLoad = 1, kStore = 2, kAtomic = 3 };
enum class Space : uint8_t { kGlobal = 0, kShared = 1, kLocal = 2, kConstant = 3 };

// Kinds: 0 is a basic block; a meeting has the top bit, an access an operation.
constexpr uint8_t kBasicBlock = 0;
constexpr uint8_t kMeeting = 0x80;
constexpr uint8_t kBarrier = kMeeting | 0;  // of the block; the second word is unused
// Meetings of a warp; the second word is the mask. Shuffles and reductions pass values between
// lanes.
constexpr uint8_t kWarpSync = kMeeting | 1;
constexpr uint8_t kShuffle = kMeeting | 2;
constexpr uint8_t kReduction = kMeeting | 3;
// A product of matrices, whose size is in the upper half of the second word; and a meeting of lanes
// that load or store a matrix, which is no instruction of its own.
constexpr uint8_t kMatrix = kMeeting | 4;
constexpr uint8_t kTogether = kMeeting | 5;

// The multiplications and types of a product: the second word without the mask.
constexpr uint64_t matrix_word(unsigned factors, unsigned sums, unsigned multiplications) {
  return uint64_t{multiplications} << 32 | uint64_t{factors} << 56 | uint64_t{sums} << 60;
}
constexpr uint64_t matrix_multiplications(uint64_t word) {
  return word >> 32 & 0xFFFFFF;
}
constexpr unsigned matrix_factors(uint64_t word) {
  return word >> 56 & 15;
}
constexpr unsigned matrix_sums(uint64_t word) {
  return static_cast<unsigned>(word >> 60);
}

// Texture fetches: the low bits are as for accesses, the second word as in texels.cpp.
constexpr uint8_t kTexture = 0x20;     // one or two neighbouring elements in linear order
constexpr uint8_t kTextureBox = 0x40;  // elements of a box
// __nanosleep(); the second word is the nanoseconds.
constexpr uint8_t kSleep = 0x60;
constexpr bool is_texture(uint8_t kind) {
  return !(kind & kMeeting) && kind != kBasicBlock && kind != kSleep && (kind >> 3 & 3) == 0;
}

constexpr uint8_t access_kind(Space space, Operation operation, unsigned log_bytes) {
  return static_cast<uint8_t>(static_cast<unsigned>(space) << 5 |
                              static_cast<unsigned>(operation) << 3 | log_bytes);
}
constexpr Space space_of(uint8_t kind) {
  return static_cast<Space>(kind >> 5 & 3);
}
constexpr Operation operation_of(uint8_t kind) {
  return static_cast<Operation>(kind >> 3 & 3);
}
// The store of an asynchronous copy, which a warp neither issues nor waits for, and all accesses of
// a bulk copy but the first. The values 5, 6 and 7 stand for a size of 4, 8 or 16 bytes.
constexpr unsigned kAsynchronous = 3;
constexpr bool is_asynchronous(uint8_t kind) {
  return !(kind & kMeeting) && (kind & 7) > 4;
}
constexpr unsigned bytes_of(uint8_t kind) {
  return 1u << (is_asynchronous(kind) ? (kind & 7) - kAsynchronous : kind & 7);
}

using Event = uint64_t;

// No stack is deeper than kDepthUnit and kMaxDepth allow: 256 MiB.
constexpr unsigned kDepthUnit = 16;
constexpr uint64_t kMaxDepth = (1 << 24) - 1;
constexpr unsigned kFrameShift = 36;  // turns a multiple of kDepthUnit into a multiple of 2^40

// An event is, from the top: kMaxDepth less the depth of `frame` below the thread's outermost
// frame, 24 bits; the distance of `caller` from the beginning of the program, 32 bits; the kind.
// The sum of a part that is the same for all events of a thread and a part of the event takes few
// instructions. Frames are multiples of kDepthUnit.
constexpr Event event_origin(uintptr_t outermost, uintptr_t program) {
  return (kMaxDepth << 40) - (outermost << kFrameShift) - (program << 8);
}
constexpr Event event_at(Event origin, uint8_t kind, uintptr_t frame, uintptr_t caller) {
  return origin + (frame << kFrameShift) + (caller << 8) + kind;
}
constexpr uint8_t kind_of(Event event) {
  return static_cast<uint8_t>(event);
}
constexpr uint32_t code_of(Event event) {
  return static_cast<uint32_t>(event >> 8);
}
// How many words of the trace an event takes.
constexpr unsigned words_of(Event event) {
  return kind_of(event) == kBasicBlock ? 1 : 2;
}

}  // namespace cudacpu::profile

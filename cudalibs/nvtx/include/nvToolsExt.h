// NVTX: ranges and marks for a profiler's time line. Without a profiler the functions do nothing,
// but ranges nest and are numbered as programs expect.
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

namespace cudacpu {
// The number of the host thread's open ranges, and the number of the last started range.
inline thread_local int nvtx_depth = 0;
inline nvtxRangeId_t nvtx_start() {
  static nvtxRangeId_t last = 0;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
}  // namespace cudacpu

// A push returns the level of the new range, a pop the level of the ended range: negative if no
// range is open.
inline int nvtxRangePushA(const char*) {
  return cudacpu::nvtx_depth++;
}
inline int nvtxRangePushW(const wchar_t*) {
  return cudacpu::nvtx_depth++;
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t*) {
  return cudacpu::nvtx_depth++;
}
inline int nvtxRangePop() {
  return cudacpu::nvtx_depth > 0 ? --cudacpu::nvtx_depth : -1;
}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
  return cudacpu::nvtx_depth++;
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t) {
  return nvtxRangePop();
}
inline nvtxRangeId_t nvtxRangeStartA(const char*) {
  return cudacpu::nvtx_start();
}
inline nvtxRangeId_t nvtxRangeStartW(const wchar_t*) {
  return cudacpu::nvtx_start();
}
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) {
  return cudacpu::nvtx_start();
}
inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
  return cudacpu::nvtx_start();
}
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
inline void nvtxMarkA(const char*) {}
inline void nvtxMarkW(const wchar_t*) {}
inline void nvtxMarkEx(const nvtxEventAttributes_t*) {}
inline void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {}
inline void nvtxInitialize(const void*) {}
inline void nvtxNameCategoryA(uint32_t, const char*) {}
inline void nvtxNameOsThreadA(uint32_t, const char*) {}
// A domain is null, as with NVTX when no tool is attached.
inline nvtxDomainHandle_t nvtxDomainCreateA(const char*) {
  return nullptr;
}
inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char*) {
  return nullptr;
}

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#endif
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif

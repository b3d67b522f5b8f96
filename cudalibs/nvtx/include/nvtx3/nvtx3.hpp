// NVTX's classes for C++: ranges that last as long as an object, marks, domains, and labels of
// events. No profiler listens, so labels are taken and dropped; the ranges are the ranges of
// nvToolsExt.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

// A domain is null, as with NVTX when no tool is attached. Any type with a `name` may stand for a
// domain.
class domain {
 public:
  struct global {};
  template <typename Domain = global>
  static const domain& get() noexcept {
    static const domain one;
    return one;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

// ---- labels ----
struct rgb {
  using component_type = uint8_t;
  constexpr rgb(uint8_t r, uint8_t g, uint8_t b) noexcept : red(r), green(g), blue(b) {}
  uint8_t red, green, blue;
};
struct argb : rgb {
  constexpr argb(uint8_t a, uint8_t r, uint8_t g, uint8_t b) noexcept : rgb(r, g, b), alpha(a) {}
  uint8_t alpha;
};
class color {
 public:
  using value_type = uint32_t;
  constexpr explicit color(value_type code) noexcept : value_(code) {}
  constexpr color(argb c) noexcept
      : value_(uint32_t{c.alpha} << 24 | uint32_t{c.red} << 16 | uint32_t{c.green} << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xFF, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

 private:
  value_type value_;
};
class category {
 public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};
template <typename Domain = domain::global>
class named_category_in : public category {
 public:
  named_category_in(id_type id, const char*) noexcept : category(id) {}
  named_category_in(id_type id, const wchar_t*) noexcept : category(id) {}
  // An object for each type of category, which has a `name` and an `id`.
  template <typename Category>
  static const named_category_in& get() noexcept {
    static const named_category_in one(Category::id, Category::name);
    return one;
  }
};
using named_category = named_category_in<domain::global>;
template <typename Domain = domain::global>
class registered_string_in {
 public:
  explicit registered_string_in(const char*) noexcept {}
  explicit registered_string_in(const wchar_t*) noexcept {}
  explicit registered_string_in(const std::string&) noexcept {}
  explicit registered_string_in(const std::wstring&) noexcept {}
  // An object for each type of message, which has a `message`.
  template <typename Message>
  static const registered_string_in& get() noexcept {
    static const registered_string_in one(Message::message);
    return one;
  }
  nvtxStringHandle_t get_handle() const noexcept { return nullptr; }
};
using registered_string = registered_string_in<domain::global>;
class message {
 public:
  using value_type = nvtxMessageValue_t;
  constexpr message(const char* text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII), value_{text} {}
  message(const std::string& text) noexcept : message(text.c_str()) {}
  message(std::string&&) = delete;  // an event would outlive the text
  message(const wchar_t* text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE), value_{} {
    value_.unicode = text;
  }
  message(const std::wstring& text) noexcept : message(text.c_str()) {}
  message(std::wstring&&) = delete;
  template <typename Domain>
  message(const registered_string_in<Domain>&) noexcept
      : type_(NVTX_MESSAGE_TYPE_REGISTERED), value_{} {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxMessageType_t get_type() const noexcept { return type_; }

 private:
  nvtxMessageType_t type_;
  value_type value_;
};
class payload {
 public:
  using value_type = typename nvtxEventAttributes_v2::payload_t;
  explicit payload(int64_t x) noexcept : type_(NVTX_PAYLOAD_TYPE_INT64) { value_.llValue = x; }
  explicit payload(int32_t x) noexcept : type_(NVTX_PAYLOAD_TYPE_INT32) { value_.iValue = x; }
  explicit payload(uint64_t x) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
    value_.ullValue = x;
  }
  explicit payload(uint32_t x) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
    value_.uiValue = x;
  }
  explicit payload(float x) noexcept : type_(NVTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = x; }
  explicit payload(double x) noexcept : type_(NVTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = x; }
  value_type get_value() const noexcept { return value_; }
  nvtxPayloadType_t get_type() const noexcept { return type_; }

 private:
  nvtxPayloadType_t type_;
  value_type value_{};
};

// Of several labels of a kind the first counts, as with NVTX.
class event_attributes {
 public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept {
    attributes_.version = NVTX_VERSION;
    attributes_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <typename... Labels>
  explicit event_attributes(const color& c, const Labels&... others) noexcept
      : event_attributes(others...) {
    attributes_.color = c.get_value();
    attributes_.colorType = c.get_type();
  }
  template <typename... Labels>
  explicit event_attributes(const category& c, const Labels&... others) noexcept
      : event_attributes(others...) {
    attributes_.category = c.get_id();
  }
  template <typename... Labels>
  explicit event_attributes(const payload& p, const Labels&... others) noexcept
      : event_attributes(others...) {
    attributes_.payload = p.get_value();
    attributes_.payloadType = p.get_type();
  }
  template <typename... Labels>
  explicit event_attributes(const message& m, const Labels&... others) noexcept
      : event_attributes(others...) {
    attributes_.message = m.get_value();
    attributes_.messageType = m.get_type();
  }
  const value_type* get() const noexcept { return &attributes_; }

 private:
  value_type attributes_{};
};

// ---- events ----
// A range of the thread, which lasts as long as the object.
template <typename Domain = domain::global>
class scoped_range_in {
 public:
  explicit scoped_range_in(const event_attributes& attributes) noexcept {
    nvtxDomainRangePushEx(domain::get<Domain>(), attributes.get());
  }
  template <typename... Labels>
  explicit scoped_range_in(const Labels&... labels) noexcept
      : scoped_range_in(event_attributes{labels...}) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes{}) {}
  ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<Domain>()); }
  void* operator new(size_t) = delete;
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
};
using scoped_range = scoped_range_in<domain::global>;

// A range that may end on another thread.
class range_handle {
 public:
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
  constexpr range_handle() noexcept = default;
  constexpr range_handle(std::nullptr_t) noexcept {}
  constexpr explicit operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }

 private:
  value_type id_ = 0;
};
inline bool operator==(range_handle a, range_handle b) noexcept {
  return a.get_value() == b.get_value();
}
inline bool operator!=(range_handle a, range_handle b) noexcept {
  return !(a == b);
}

template <typename Domain = domain::global>
range_handle start_range_in(const event_attributes& attributes) noexcept {
  return range_handle(nvtxDomainRangeStartEx(domain::get<Domain>(), attributes.get()));
}
template <typename Domain = domain::global, typename... Labels>
range_handle start_range_in(const Labels&... labels) noexcept {
  return start_range_in<Domain>(event_attributes{labels...});
}
template <typename... Labels>
range_handle start_range(const Labels&... labels) noexcept {
  return start_range_in<domain::global>(labels...);
}
template <typename Domain = domain::global>
void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<Domain>(), range.get_value());
}
inline void end_range(range_handle range) noexcept {
  end_range_in<domain::global>(range);
}

template <typename Domain = domain::global>
class unique_range_in {
 public:
  explicit unique_range_in(const event_attributes& attributes) noexcept
      : range_(start_range_in<Domain>(attributes)) {}
  template <typename... Labels>
  explicit unique_range_in(const Labels&... labels) noexcept
      : unique_range_in(event_attributes{labels...}) {}
  unique_range_in() noexcept : unique_range_in(event_attributes{}) {}
  unique_range_in(unique_range_in&& other) noexcept : range_(std::exchange(other.range_, {})) {}
  unique_range_in& operator=(unique_range_in&& other) noexcept {
    std::swap(range_, other.range_);
    return *this;
  }
  ~unique_range_in() noexcept {
    if (range_) end_range_in<Domain>(range_);
  }

 private:
  range_handle range_;
};
using unique_range = unique_range_in<domain::global>;

template <typename Domain = domain::global>
void mark_in(const event_attributes& attributes) noexcept {
  nvtxDomainMarkEx(domain::get<Domain>(), attributes.get());
}
template <typename Domain = domain::global, typename... Labels>
void mark_in(const Labels&... labels) noexcept {
  mark_in<Domain>(event_attributes{labels...});
}
template <typename... Labels>
void mark(const Labels&... labels) noexcept {
  mark_in<domain::global>(labels...);
}

}  // namespace v1
}  // namespace nvtx3

// Ranges of a function, with its name.
#define NVTX3_V1_FUNC_RANGE_IN(D)                                            \
  [[maybe_unused]] const ::nvtx3::v1::scoped_range_in<D> nvtx3_func_range__( \
      static_cast<const char*>(__func__))
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                         \
  ::nvtx3::v1::unique_range_in<D> nvtx3_func_range__ =                          \
      (C) ? ::nvtx3::v1::unique_range_in<D>(static_cast<const char*>(__func__)) \
          : ::nvtx3::v1::unique_range_in<D>()
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

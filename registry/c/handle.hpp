// SPDX-License-Identifier: MIT
// What the functions of <polycodec/host.h> have in common: handles, arguments, the border that no
// exception passes.
#pragma once

#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/host.h>

#include "core/io/source.hpp"
#include "core/schema/schema.hpp"
#include "core/value/value.hpp"
#include "registry/c/chosen_columns.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"
#include "registry/config/config.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::c {

/// The first part of each handle. `kind` tells handles apart that a caller mixed up.
struct Handle {
  explicit Handle(std::uint32_t of) noexcept : kind(of) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { kind = 0; }

  std::atomic<std::uint32_t> kind;
  std::atomic<std::uint32_t> holders{1};
};

template <std::uint32_t Kind>
struct HandleOf : Handle {
  static constexpr std::uint32_t own_kind = 0x50430000u + Kind;
  HandleOf() noexcept : Handle(own_kind) {}
};

[[noreturn, gnu::cold]] void throw_argument(const char* name, const char* problem);

/// The handle, of the right kind. Throws Status::invalid.
template <class T>
T& need(T* handle, const char* name) {
  if (handle == nullptr) throw_argument(name, "is NULL");
  if (handle->kind.load(std::memory_order_relaxed) != T::own_kind)
    throw_argument(name, "is a handle of another kind");
  return *handle;
}
/// A place for a result, or anything else that must be there.
template <class T>
T& place(T* pointer, const char* name) {
  if (pointer == nullptr) throw_argument(name, "is NULL");
  return *pointer;
}
/// `n` items of an array.
template <class T>
T* items(T* pointer, std::uint64_t n, const char* name) {
  if (pointer == nullptr && n != 0) throw_argument(name, "is NULL");
  if (n > static_cast<std::uint64_t>(PTRDIFF_MAX) / sizeof(T)) throw_argument(name, "is too long");
  return pointer;
}
/// The bytes of an argument.
inline std::string_view text(polycodec_bytes bytes, const char* name) {
  items(static_cast<const char*>(bytes.data), bytes.size, name);
  return to_string_view(bytes);
}
inline std::string string(polycodec_bytes bytes, const char* name) {
  return std::string(text(bytes, name));
}
/// Flags, all of them known.
inline std::uint32_t flags(std::uint32_t given, std::uint32_t known, const char* name) {
  if ((given & ~known) != 0) throw_argument(name, "has unknown flags");
  return given;
}

[[noreturn, gnu::cold]] void throw_struct_size(const char* name, std::uint32_t size,
                                               std::size_t known);
[[noreturn, gnu::cold]] void throw_newer_struct(const char* name);

/// A copy of a struct that begins with `struct_size`; all zero for NULL.
template <class T>
T read_struct(const T* given, const char* name) {
  constexpr std::uint32_t most = 4096;
  T known{};
  if (given == nullptr) return known;
  const std::uint32_t size = given->struct_size;
  if (size < sizeof(T) || size > most) throw_struct_size(name, size, sizeof(T));
  std::memcpy(&known, given, sizeof known);
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof known; i < size; ++i)
    if (bytes[i] != 0) throw_newer_struct(name);
  return known;
}

/// Runs the body of a function: the wall that no exception passes. `error` may be NULL.
template <class Body>
std::int32_t enter(polycodec_error* error, const Body& body) noexcept {
  if (error != nullptr) return guard(error, body);
  auto unused = make_error();
  return guard(&unused, body);
}

template <class T>
T* retain(T* handle) noexcept {
  if (handle == nullptr || handle->kind.load(std::memory_order_relaxed) != T::own_kind)
    return nullptr;
  handle->holders.fetch_add(1, std::memory_order_relaxed);
  return handle;
}
template <class T>
void release(T* handle) noexcept {
  if (handle == nullptr || handle->kind.load(std::memory_order_relaxed) != T::own_kind) return;
  if (handle->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete handle;
}

}  // namespace polycodec::c

// -- the handles --

struct polycodec_registry : polycodec::c::HandleOf<1> {
  /// Once the registry is open nothing fails any more: objects of the program are its own.
  explicit polycodec_registry(polycodec::Configuration from)
      : config(std::move(from)), registry(polycodec::Registry::open(config.registry)) {}
  polycodec_registry(const polycodec_registry& base, const polycodec::ProgramObjects& objects)
      : HandleOf(), config(base.config), registry(base.registry.derive(objects)) {}
  polycodec::Configuration config;
  polycodec::Registry registry;
};

struct polycodec_opened_codec : polycodec::c::HandleOf<2> {
  polycodec_opened_codec(polycodec::Codec opened, const polycodec::Limits& of)
      : codec(std::move(opened)), limits(of) {}
  polycodec::Codec codec;
  polycodec::Limits limits;  // of the registry
};

struct polycodec_source : polycodec::c::HandleOf<3> {
  explicit polycodec_source(polycodec::Source of) : source(std::move(of)) {}
  polycodec::Source source;
};

struct polycodec_value : polycodec::c::HandleOf<4> {
  polycodec_value() = default;
  explicit polycodec_value(polycodec::Value of) noexcept : value(std::move(of)) {}
  polycodec::Value value;
  polycodec::c::ChosenColumns columns;
  bool building = false;  // between polycodec_value_create() and polycodec_value_finish()
};

struct polycodec_schema : polycodec::c::HandleOf<5> {
  explicit polycodec_schema(polycodec::schema::Schema of) : schema(std::move(of)) {}
  polycodec::schema::Schema schema;
};

struct polycodec_budget : polycodec::c::HandleOf<9> {
  explicit polycodec_budget(std::shared_ptr<polycodec::Budget> of) : budget(std::move(of)) {}
  std::shared_ptr<polycodec::Budget> budget;
};

struct polycodec_message : polycodec::c::HandleOf<6> {
  std::vector<std::vector<polycodec_bytes>> parts;
  std::shared_ptr<const void> viewed;  // what has the bytes of the parts that are not the value's
  std::shared_ptr<const polycodec::Value> value;
};

namespace polycodec::c {

/// A new handle, at `*to`.
template <class T, class... Arguments>
void make(T** to, Arguments&&... arguments) {
  *to = new T(std::forward<Arguments>(arguments)...);
}

/// A holder of the value.
inline std::shared_ptr<const Value> share(polycodec_value& handle) {
  retain(&handle);
  return {&handle.value, [&handle](const Value*) { release(&handle); }};
}

/// Something of the caller's, which is given back when nobody uses it any more.
class Lent {
 public:
  /// Calls release(owner) at once if this throws.
  static std::shared_ptr<const void> hold(void* owner, void (*release)(void*));
  Lent(void* owner, void (*release)(void*)) noexcept : owner_(owner), release_(release) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent();

 private:
  void* owner_;
  void (*release_)(void*);
};

}  // namespace polycodec::c

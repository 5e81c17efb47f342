// SPDX-License-Identifier: MIT
// The exported object of a plugin in C++. codec.hpp, filter.hpp, store_format.hpp and function.hpp
// make what it offers.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/input.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace polycodec::detail {

/// A table of constant objects.
template <class Table, class Object, const Object&... objects>
const void* table_of() noexcept {
  static constexpr const Object* items[] = {&objects...};
  static constexpr Table table{sizeof(Table), sizeof...(objects), items};
  return &table;
}

/// What a function of the ABI does: `body(Call&)`, whose exceptions become its result.
template <class Body>
std::int32_t run(polycodec_call* c, polycodec_error* error, Body&& body) noexcept {
  return guard(error, [&] {
    Call call(c);
    body(call);
  });
}

/// The function `sniff` of a codec, filter or store format of class C.
template <class C, class Self>
std::int32_t sniff(const Self*, polycodec_call* c, const polycodec_input* input,
                   polycodec_sniff* sniff, polycodec_error* error) noexcept {
  return run(c, error, [&](Call& call) {
    const Sniff found = C::sniff(call, Input(call, input));
    sniff->score = found.score;
    copy_text(sniff->reason, found.reason);
  });
}
template <class C>
concept Sniffs = requires(Call& call, const Input& in) {
  { C::sniff(call, in) } -> std::same_as<Sniff>;
};

template <class... Interface>
const void* get_interface(const polycodec_plugin*, const char* id) {
  const void* found = nullptr;
  ((std::string_view(id) == Interface::id ? void(found = Interface::get()) : void()), ...);
  return found;
}

}  // namespace polycodec::detail

/// Defines the exported object of a plugin: POLYCODEC_DEFINE_PLUGIN(id, version, interfaces...).
/// An interface is polycodec::Codecs<...>, Filters<...>, StoreFormats<...>, Functions<...>,
/// Types<...>, or a class of yours with `static constexpr const char* id` and
/// `static const void* get()`. The symbol depends on how the plugin is built: exported in a shared
/// library, and named after the plugin when polycodec_add_plugin(... BUILTIN) links it into the
/// host.
#if defined(POLYCODEC_BUILTIN_SYMBOL)
#define POLYCODEC_PLUGIN_SYMBOL POLYCODEC_BUILTIN_SYMBOL
#else
#define POLYCODEC_PLUGIN_SYMBOL polycodec_plugin_v2
#endif
#define POLYCODEC_DEFINE_PLUGIN(plugin_id, plugin_version, ...)           \
  extern "C" {                                                            \
  POLYCODEC_EXPORT extern const polycodec_plugin POLYCODEC_PLUGIN_SYMBOL; \
  const polycodec_plugin POLYCODEC_PLUGIN_SYMBOL = {                      \
      sizeof(polycodec_plugin),                                           \
      POLYCODEC_ABI_VERSION,                                              \
      plugin_id,                                                          \
      plugin_version,                                                     \
      nullptr,                                                            \
      nullptr,                                                            \
      nullptr,                                                            \
      &::polycodec::detail::get_interface<__VA_ARGS__>};                  \
  }

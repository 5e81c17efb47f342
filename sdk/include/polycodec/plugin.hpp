// SPDX-License-Identifier: MIT
// The exported object of a plugin in C++, functions that data may call, and named types. Codecs,
// filters and stores: codec.hpp, filter.hpp, store_format.hpp. See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace polycodec::detail {

/// An interface that is a table of constant objects.
template <class Table, class Object, const Object&... objects>
struct TableOf {
  static const void* get() noexcept {
    static constexpr const Object* items[] = {&objects...};
    static constexpr Table table{sizeof(Table), sizeof...(objects), items};
    return &table;
  }
};
template <auto make>
inline constexpr auto made = make();

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

template <auto body>
concept IsFunction = requires(Call& call, View value, Builder& out) {
  { body(call, value, value, out) } -> std::convertible_to<Node>;
};

template <class... Interface>
const void* get_interface(const polycodec_plugin*, const char* id) {
  const void* found = nullptr;
  ((std::string_view(id) == Interface::id ? void(found = Interface::get()) : void()), ...);
  return found;
}

}  // namespace polycodec::detail

namespace polycodec {

/// The C object of a function `Node body(Call&, View args, View kwargs, Builder&)`, where `args` is
/// a LIST and `kwargs` an OBJECT or null. `path` is a constant array with static storage.
template <auto body, std::uint32_t n>
constexpr polycodec_function make_function(const char* const (&path)[n], const char* doc,
                                           std::uint32_t min_args,
                                           std::uint32_t max_args) noexcept {
  static_assert(detail::IsFunction<body>,
                "the form is: Node body(Call&, View args, View kwargs, Builder&)");
  polycodec_function function{};
  function.struct_size = sizeof function;
  function.n_path = n;
  function.path = path;
  function.doc = doc;
  function.min_args = min_args;
  function.max_args = max_args;
  function.call = [](auto*, auto* c, auto* args, auto* kwargs, auto** result, auto* error) {
    return detail::run(c, error, [&](Call& call) {
      Builder out(call);
      *result = out.root(body(call, View(args), kwargs == nullptr ? View() : View(kwargs), out));
    });
  };
  return function;
}

/// The functions of a plugin, for POLYCODEC_DEFINE_PLUGIN: constants that make_function() made.
template <const polycodec_function&... functions>
struct Functions : detail::TableOf<polycodec_functions, polycodec_function, functions...> {
  static constexpr const char* id = POLYCODEC_FUNCTIONS_INTERFACE;
};

/// A named type: literals only.
constexpr polycodec_type make_type(const char* name, const char* notation,
                                   const char* doc) noexcept {
  polycodec_type type{};
  type.struct_size = sizeof type;
  type.name = name;
  type.notation = notation;
  type.doc = doc;
  return type;
}

/// The types of a plugin, for POLYCODEC_DEFINE_PLUGIN: constants that make_type() made.
template <const polycodec_type&... types>
struct Types : detail::TableOf<polycodec_types, polycodec_type, types...> {
  static constexpr const char* id = POLYCODEC_TYPES_INTERFACE;
};

}  // namespace polycodec

/// Defines the exported object of a plugin: POLYCODEC_DEFINE_PLUGIN(id, version, interfaces...).
/// An interface is polycodec::Codecs<...>, Filters<...>, StoreFormats<...>, Functions<...>,
/// Types<...>, or a class of yours with `static constexpr const char* id` and
/// `static const void* get()`. The symbol depends on how the plugin is built: exported in a shared
/// library, and named by POLYCODEC_BUILTIN_SYMBOL where it is linked into a host.
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

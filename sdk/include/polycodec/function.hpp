// SPDX-License-Identifier: MIT
// Functions that data may call, and named types, in C++. See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>
#include <polycodec/plugin.hpp>
#include <polycodec/view.hpp>

#include <cstdint>

namespace polycodec {

/// The C object of a function `Node body(Call&, View args, View kwargs, Builder&)`, where `args` is
/// a LIST and `kwargs` an OBJECT or null. `path` is a constant array with static storage.
template <auto body, std::uint32_t n>
constexpr polycodec_function make_function(const char* const (&path)[n], const char* doc,
                                           std::uint32_t min_args,
                                           std::uint32_t max_args) noexcept {
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
struct Functions {
  static constexpr const char* id = POLYCODEC_FUNCTIONS_INTERFACE;
  static const void* get() noexcept {
    return detail::table_of<polycodec_functions, polycodec_function, functions...>();
  }
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
struct Types {
  static constexpr const char* id = POLYCODEC_TYPES_INTERFACE;
  static const void* get() noexcept {
    return detail::table_of<polycodec_types, polycodec_type, types...>();
  }
};

}  // namespace polycodec

// SPDX-License-Identifier: MIT
// Structs of options as the C++ interfaces have them.
#pragma once

#include "registry/c/handle.hpp"
#include "registry/c/reporter.hpp"

#include <cstdint>
#include <string>

namespace polycodec::c {

/// Limits, with those of `base` for each 0. Sets *deadline (or refuses one, if it is null).
Limits limits_of(const polycodec_limits* given, const Limits& base, std::uint64_t* deadline);

/// Options of one call with a registry of these limits. Throws Status::option for on_progress where
/// there is no `reporter`, which must outlive the options.
CallOptions call_options(const polycodec_call_options* given, const Limits& base,
                         Reporter* reporter = nullptr);
/// Those of decoding, which flags say.
void set_read_flags(ReadOptions& options, const polycodec_call_options* given);

/// Whether the options of a call, or null, have a flag.
inline bool has_flag(const polycodec_call_options* call, std::uint32_t flag) noexcept {
  return call != nullptr && (call->flags & flag) != 0;
}

/// The budget of the innermost polycodec_budget_walk() of this thread, or null.
std::shared_ptr<Budget> walking_budget();

WriteOptions write_options(const polycodec_write_options* given);

/// A codec with options and filters; empty text for NULL.
struct Format {
  std::string codec, options, filters;
  OptionsFrom from = OptionsFrom::host;
};
Format format_of(const polycodec_format* given, const char* name);

ProgramObjects objects_of(const polycodec_objects* given);
/// What a registry is opened with: the configuration, and what the struct adds to it.
Configuration configuration_of(const polycodec_registry_options& given);

}  // namespace polycodec::c

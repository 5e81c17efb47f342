// SPDX-License-Identifier: MIT
// Reading manifests.
#pragma once

#include "registry/load/plugins.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec {

/// The greatest manifest that is read, in bytes.
inline constexpr std::uint64_t max_manifest_bytes = std::uint64_t{1} << 20;
/// How the names of manifests end.
inline constexpr std::string_view manifest_suffix = ".polycodec.json";

/// The platform of this library, as manifests call it.
#if defined __aarch64__
inline constexpr std::string_view platform_name = "linux_arm64";
#else
inline constexpr std::string_view platform_name = "linux_amd64";
#endif

/// Parses and checks a manifest. `origin` is its path or another word for it, for messages only.
/// Throws Error(Status::plugin): not JSON, an unknown key (with near ones), a missing key, a wrong
/// type, a bad name, a name twice, an options schema that is not of the supported subset or does
/// not accept its own defaults. The message has the form `origin:line: what`.
Manifest parse_manifest(std::string_view text, std::string_view origin);
/// The same of a document that has passed these checks before. Throws Error for one that cannot
/// have.
Manifest read_checked_manifest(Value document, std::string_view origin);

}  // namespace polycodec

// SPDX-License-Identifier: MIT
// Code from schemas: what `polycodec fastbin generate` writes.
#pragma once

#include "fastbin/schema/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// A file to be written: its name, without a directory, and its text. The same schema and name give
/// the same bytes.
struct GeneratedFile {
  std::string name;
  std::string text;
};

/// `NAME.hpp`, with all enums and structs of the schema, and `fastbin_runtime.hpp`, which it
/// includes from beside it and which is the same for all schemas. C++20, nothing but the standard
/// library, no part of polycodec needed. `name` is an identifier, and the schema has a namespace.
/// Keywords and names that generated code needs itself get an underscore after them
/// (docs/fastbin.md, "Names").
std::vector<GeneratedFile> generate_cpp(const Schema& schema, std::string_view name);

/// `NAME.jl`, a module with all enums and structs of the schema, and `FastbinRuntime.jl`, which it
/// includes from beside it. `name` is an identifier, and the schema has a namespace.
std::vector<GeneratedFile> generate_julia(const Schema& schema, std::string_view name);

/// The name of the files for a schema that was read from `path`: the file's name up to its first
/// dot, with underscores for what identifiers cannot have.
std::string default_name(std::string_view path);

}  // namespace polycodec::fastbin

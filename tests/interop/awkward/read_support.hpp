// SPDX-License-Identifier: MIT
// Reading and writing awkward arrays in memory.
#pragma once

#include "shipped.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::test {

/// Named blobs in the order in which they were written.
using Blobs = std::vector<std::pair<std::string, std::string>>;

/// The codec with options in JSON.
inline Codec awkward_codec(std::string_view options = "{}") {
  return shipped("awkward", Json::parse(options));
}

/// A store in memory.
Source store_of(const Blobs& blobs);
/// Decodes all of a store, which the value keeps.
Value read_store(const Blobs& blobs, std::string_view options = "{}",
                 const CallOptions& call = default_call);
/// The same for a file or directory.
Value read_path(const std::string& path, std::string_view options = "{}",
                const CallOptions& call = default_call);
/// The same for a schema (its expression alone) and blobs in memory.
Value read_schema(std::string_view expression, Blobs blobs = {}, std::string_view options = "{}",
                  const CallOptions& call = default_call);

/// True if the plugin hdf5 is there, so that read_path() reads HDF5 files.
bool has_hdf5();

/// What the codec writes for a value.
Blobs rewritten(const Value& value, std::string_view options = "{}");
/// The content of a blob.
std::string blob(const Blobs& blobs, std::string_view name);

/// The error that reading ends with; nothing if it succeeds.
template <class Read>
std::optional<Error> refusal_of(Read read) {
  try {
    static_cast<void>(read());
    return std::nullopt;
  } catch (const Error& e) {
    return e;
  }
}

/// "" if the value is what the JSON says in the form of the vectors (README.md there), otherwise
/// where it is not.
std::string difference(const View& value, const Json& expected, const std::string& path = "$");

/// Little-endian bytes of numbers.
template <class T>
std::string bytes_of(std::initializer_list<T> numbers) {
  return {reinterpret_cast<const char*>(std::data(numbers)), numbers.size() * sizeof(T)};
}

/// The call of frombuffer for a blob.
std::string buffer(const std::string& blob, const std::string& dtype, std::size_t count);

}  // namespace polycodec::test

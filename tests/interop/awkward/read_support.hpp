// SPDX-License-Identifier: MIT
// Reading and writing awkward arrays without a registry: a host that dispatches to the functions of
// the plugin.
#pragma once

#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>
#include <polycodec/value.hpp>
#include <polycodec/view.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"
#include "core/dispatch/dispatch.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::test {

using Json = nlohmann::json;

/// What the manifest says that the format needs.
Allowlist default_allowlist();

/// The functions of the plugin.
const polycodec_functions& awkward_functions();

/// A call whose host has the plugin's functions behind dispatch().
class AwkwardHost : public TestCall {
 public:
  explicit AwkwardHost(Allowlist allowlist = default_allowlist(), const Limits& limits = {});

  mutable std::vector<std::string> denied;

 private:
  Allowlist allowlist_;
  FunctionTable table_;
};

/// What the codec lists.
Value list_store(const std::shared_ptr<BlobStore>& store, const AwkwardHost& host = AwkwardHost());
/// Decodes all of a store and validates the value, which keeps the store.
Value read_store(const std::shared_ptr<BlobStore>& store, std::string_view options = "{}",
                 const AwkwardHost& host = AwkwardHost());
/// The same for a file or directory.
Value read_path(const std::string& path, std::string_view options = "{}",
                const AwkwardHost& host = AwkwardHost());
/// The same for a schema (its expression alone) and blobs in memory.
Value read_schema(std::string_view expression,
                  std::vector<std::pair<std::string, std::string>> blobs = {},
                  std::string_view options = "{}", const AwkwardHost& host = AwkwardHost());

/// True if the plugin hdf5 is there, so that read_path() reads HDF5 files.
bool has_hdf5() noexcept;

/// What the codec writes for a value.
std::shared_ptr<MemoryStore> rewritten(NodeView value, std::string_view options = "{}");

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

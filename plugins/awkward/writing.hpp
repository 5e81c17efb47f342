// SPDX-License-Identifier: MIT
// What the parts of the encoder share: the expression, and where they are in the value.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/path.hpp>

#include "blob_writer.hpp"
#include "schema.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::awkward {

/// The characters of a STRING or BINARY.
inline std::string_view text_of(const polycodec_node& n) noexcept {
  return {static_cast<const char*>(n.as.data), static_cast<std::size_t>(polycodec_node_size(&n))};
}

/// One array, or whatever else the root is, that is being written.
struct Writing {
  Writing(const Call& of, const WriteSettings& with, std::string name, Writer& out)
      : call(of), settings(with), blobs(of, with, std::move(name), out) {}

  [[noreturn]] void refuse(const std::string& why, Status status = Status::unsupported) const {
    throw Error(status, why).path(path);
  }
  /// Refuses a name that JSON cannot hold.
  void check_name(std::string_view name) const;
  void work(std::uint64_t bytes) const { call.tick(bytes / 16 + 4); }
  std::uint64_t next_id() noexcept { return blobs.next_id(); }
  /// `{"call": [..], "args": [`
  void begin_call(std::initializer_list<std::string_view> function) {
    schema.begin("{\"call\": ").strings(function).raw(", \"args\": [");
  }

  const Call& call;
  const WriteSettings& settings;
  BlobWriter blobs;
  SchemaText schema;
  std::string path{path_root};
  std::uint32_t depth = 0;
};

/// One level of nesting, against the limit.
class Level {
 public:
  /// `counts` false: no level after all.
  explicit Level(Writing& state, bool counts = true) : state_(state), counts_(counts ? 1 : 0) {
    if (counts && state.depth >= state.call.limits().max_depth)
      state.refuse("the value nests deeper than max_depth (" + std::to_string(state.depth) + ")",
                   Status::limit);
    state.call.check_stack();
    state.depth += counts_;
  }
  ~Level() { state_.depth -= counts_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  Writing& state_;
  std::uint32_t counts_;
};

}  // namespace polycodec::awkward

// SPDX-License-Identifier: MIT
// Reading streams, and long lists piece by piece.
#pragma once

#include <polycodec/codec.hpp>

#include "plan.hpp"
#include "settings.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace polycodec::dynd {

/// Reads the values of a stream. With the option `chunk_items` a value of type `var * T` comes in
/// pieces of whole items: the first takes the type (in any form) and the count from the bytes along
/// with its items, every other one only items; after the last the next value starts.
class StreamReader {
 public:
  explicit StreamReader(const Settings& settings) : settings_(settings) {}
  /// After an error the stream is at the start of a value again.
  std::optional<Node> next(Call& call, Step& step, Builder& out);

 private:
  std::optional<Node> whole(const Call& call, Step& step, Builder& out);
  /// The next piece in `found`; false if the value that starts here is of another type and comes as
  /// a whole.
  bool piece(const Call& call, Step& step, Builder& out, std::optional<Node>& found);

  Settings settings_;
  PlanCache plans_;                         // types of the values before: most streams have one
  std::shared_ptr<const Program> program_;  // of the value that is being read; NULL between values
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace polycodec::dynd

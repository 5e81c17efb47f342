// SPDX-License-Identifier: MIT
// Reading a long list piece by piece.
#pragma once

#include <polycodec/codec.hpp>

#include "bytes_in.hpp"
#include "settings.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace polycodec::dynd {

/// What a stream hands out of a value of type `var * T`: pieces of whole items. The first takes the type (in any
/// form) and the count from the bytes along with its items, every other one only items; after the last the next value
/// starts. [thread-safe], but the calls are about one stream.
class ChunkState {
 public:
  /// The next piece; nothing if the value that starts here is of another type and comes as a whole. After an error
  /// the stream is at the start of a value again.
  std::optional<StreamStep> next(const Settings& settings, const Call& call, std::string_view bytes, bool final,
                                 Builder& out);

 private:
  std::mutex mutex_;
  std::shared_ptr<const Program> program_;  // of the value that is being read; NULL between values
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
};

/// The answer that more bytes are needed than the `size` there are; throws if the limit of input does not allow them.
StreamStep wait_for(const BytesIn& in, const Call& call, std::uint64_t size);

}  // namespace polycodec::dynd

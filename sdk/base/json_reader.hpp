// SPDX-License-Identifier: MIT
// JSON (RFC 8259) as a row of events, and as a document.
#pragma once

#include <base/json_cursor.hpp>
#include <base/json_keys.hpp>
#include <polycodec/builder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

enum class JsonEvent : std::uint8_t {
  null,
  boolean,
  number,
  string,
  key,
  begin_object,
  begin_list,
  end_object,
  end_list,
  end,
};

/// Reads JSON event by event; the stack that it uses does not depend on the nesting. `text` must
/// outlive it. Throws Error with the byte offset, and line and column in the message: malformed,
/// truncated or trailing (`json.syntax`), malformed (`json.duplicate_key`), limit. The last two
/// have a path. [one-thread]
class JsonReader {
 public:
  enum class Keys : bool { any, unique };
  /// One value, any number of them one after another, or a run of items of a list or of members of
  /// an object: at least one, with commas between them and no bracket around them.
  enum class Values : std::uint8_t { one, many, items, members };
  /// A container that is open, or its memory.
  struct Level {
    bool object = false;
    bool has_key = false;
    std::uint64_t count = 0;
    std::string key;
    JsonKeys keys;
  };

  /// `limit_word` is the detail word of the error about nesting. `levels`: those of a reader before
  /// it, whose memory it uses.
  JsonReader(std::string_view text, std::uint64_t max_depth, Keys keys = Keys::unique,
             std::string_view limit_word = "json.limit", Values values = Values::one,
             std::vector<Level> levels = {});

  /// Passes the next event. After JsonEvent::end the whole text has been read.
  JsonEvent next();

  /// A string or key without quotes and escapes, or a number as it is written; valid until next().
  std::string_view text() const noexcept { return token_; }
  bool boolean() const noexcept { return boolean_; }
  /// Where the last event begins and ends.
  std::size_t begin() const noexcept { return begin_; }
  std::size_t position() const noexcept { return cursor_.at(); }
  std::size_t depth() const noexcept { return depth_; }
  /// The path of the last value or key.
  std::string path() const;

  /// Throws an error about the last event, with its path.
  [[noreturn]] void fail(Status status, std::string_view word, std::string message) const;

  /// The memory for the next reader.
  std::vector<Level> take_levels() && noexcept { return std::move(levels_); }

 private:
  JsonEvent value();
  void begin_level(bool object);
  JsonEvent open(bool object);
  JsonEvent close(bool object) noexcept;

  JsonCursor cursor_;
  std::uint64_t max_depth_;
  Keys keys_;
  std::string_view limit_word_;
  Values values_;
  bool boolean_ = false;
  std::uint64_t count_ = 0;  // of the values outside of all others
  std::size_t begin_ = 0;
  std::size_t depth_ = 0;
  std::size_t run_depth_ = 0;  // of a run: that of its items
  std::string_view token_;
  std::vector<Level> levels_;
};

/// How read_json() reads.
struct JsonOptions {
  std::uint64_t max_nodes;
  std::uint64_t max_depth;
  JsonReader::Keys keys = JsonReader::Keys::unique;
  std::string_view limit_word = "json.limit";
  JsonReader::Values values = JsonReader::Values::one;
  /// Makes the node of a number; its errors get place and path.
  polycodec_node (*number)(Builder& builder, std::string_view token);
};

/// What reading allocates and leaves for the next document: small ones would spend their time on
/// it.
struct JsonMemory {
  std::vector<JsonReader::Level> levels;
  std::vector<polycodec_node> nodes;  // of the open containers, one after another
  std::vector<std::size_t> starts;    // where each of them begins
};

/// Puts what `text` has in `memory.nodes`: its values, or of members each key and its value.
/// Returns how many values and keys there are in all. Throws as JsonReader does, and limit for more
/// than `max_nodes` of them.
std::uint64_t read_json_values(Builder& builder, std::string_view text, const JsonOptions& options,
                               JsonMemory& memory);

/// Returns the document that `text` says: objects in member order. Of many values: the list of
/// them. Throws as read_json_values().
polycodec_node read_json(Builder& builder, std::string_view text, const JsonOptions& options,
                         JsonMemory& memory);
inline polycodec_node read_json(Builder& builder, std::string_view text,
                                const JsonOptions& options) {
  JsonMemory memory;
  return read_json(builder, text, options, memory);
}

}  // namespace polycodec

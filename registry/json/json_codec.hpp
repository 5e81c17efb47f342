// SPDX-License-Identifier: MIT
// The codec `json`: RFC 8259, of which nothing is interpreted, and JSON Lines.
#pragma once

#include <base/json_block.hpp>
#include <base/json_reader.hpp>
#include <polycodec/codec.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace polycodec::json {

class Json {
 public:
  static constexpr const char* name = "json";

  Json(Call&, const Options& options);

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;

  /// Finds values that follow each other, with or without space between them.
  class Reader {
   public:
    std::optional<Node> next(Call& call, Step& step, Builder& out);

   private:
    /// Looks at what came since the last time. The size of the value that `bytes` begin with, if
    /// all of it is there.
    std::optional<std::size_t> find_end(std::string_view bytes) noexcept;
    std::optional<std::size_t> find_bracket(std::string_view bytes) noexcept;

    std::size_t seen_ = 0;    // bytes of the value, all of which are before its end
    std::uint64_t open_ = 0;  // lists and objects around here
    JsonCarry carry_;
    bool is_escaped_ = false;
    JsonMemory memory_;
  };
  std::unique_ptr<Reader> open_reader(Call&) const { return std::make_unique<Reader>(); }

  /// Writes each value on a line of its own.
  struct Lines {
    static void append(const Call& call, NodeView value, Writer& out);
    static void finish(const Call&, Writer&) {}
  };
  std::unique_ptr<Lines> open_writer(Call&) const { return std::make_unique<Lines>(); }

 private:
  bool lines_ = false;
  bool tolerant_ = false;
  unsigned indent_ = 0;
};

/// Writes a value and a new line; `indent` as of JsonWriter. What JSON cannot hold is reported to
/// the call. Throws Error(unsupported, `json.lossy`) for losses that it does not allow.
void write(const Call& call, NodeView value, unsigned indent, Writer& out);
/// The same for the items of a list, each on a line of its own.
void write_lines(const Call& call, NodeView value, Writer& out);

}  // namespace polycodec::json

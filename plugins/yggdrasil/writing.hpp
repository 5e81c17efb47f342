// SPDX-License-Identifier: MIT
// What the parts of the encoder share: where it is in the value, and what is lost of it.
#pragma once

#include <base/memory_sink.hpp>
#include <model/loss.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/node_view.hpp>

#include "codec.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::yggdrasil {

/// Thrown where a loss is not allowed. Whoever writes the root looks for all losses then.
struct LossRefused {};

/// One value, or a text of JSON inside of a leaf, that is being written.
struct Writing {
  /// A container whose items are not all written yet.
  struct Frame {
    const polycodec_node* nodes;  ///< the first child
    std::uint64_t at;             ///< which child is being written
    std::uint64_t count;
    bool object;
  };

  Writing(const Settings& with, const Call& of, Writer& to)
      : settings(with), call(of), out(to), max_depth(of.limits().max_depth) {}

  /// Throws Error(Status::limit) for a value at this depth that is too deep.
  void check_depth(std::uint64_t depth) const;
  [[noreturn]] void too_deep() const;
  /// Throws Error for a text that may not be UTF-8, if it is not and must be.
  void check_text(std::string_view text, bool lenient) const;
  /// Throws Error where `what`, which yggdrasil has no type for, may not be written.
  void refuse_foreign(std::string_view what) const;
  /// Where the encoder is, as a path.
  std::string path() const;

  /// Tells of attributes that are left out. `header_has_units`: of leaves of the old dialects,
  /// whose units and titles the header of the message says. Throws LossRefused.
  void lose_attributes(const polycodec_node* attributes, bool header_has_units = false);
  /// The columns of an array that is written item by item.
  void lose_attributes_within(const polycodec_array& array);

  const Settings& settings;
  const Call& call;
  Writer& out;
  std::uint64_t max_depth;
  std::vector<Frame> frames;
  bool plain = false;               ///< typed leaves are not possible here
  Losses* gathering = nullptr;      ///< this writes only to find all losses
  const Writing* around = nullptr;  ///< what the leaf is in whose JSON this writes
  std::string_view part{};          ///< the member of that leaf

 private:
  std::string loss_path() const;

  std::set<std::string> lost_;  // what was said already
};

/// What `write` writes to a writer of its own.
template <class Write>
std::string written(const Call& call, Write&& write) {
  MemorySink sink(call.limits().max_output_bytes);
  Writer writer(sink.abi());
  write(writer);
  writer.flush();
  return std::string(sink.text());
}

// Strings of JSON (json_string.cpp).

/// The most bytes that one character takes.
inline constexpr std::ptrdiff_t max_escape = 12;
/// A string of JSON, or the name of a member with its colon. What is in it is UTF-8.
void put_string(Writer& out, const Settings& settings, std::string_view text, bool is_name = false);
/// Writes what is left of a text from a character on that copy_plain() stopped at, and returns the
/// end: at most six bytes for each of the text, and 15 bytes more.
char* put_escaped(const Settings& settings, const char* p, const char* end, char* to);
/// Appends a string of JSON.
void append_string(std::string& to, const Settings& settings, const Call& call,
                   std::string_view text);

}  // namespace polycodec::yggdrasil

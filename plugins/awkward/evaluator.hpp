// SPDX-License-Identifier: MIT
// From the expressions of a schema to values.
#pragma once

#include <base/wanted.hpp>
#include <polycodec/codec.hpp>

#include "settings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace polycodec::awkward {

/// The kind of a node, for messages.
inline std::string shown_kind(const polycodec_node& node) {
  return std::string(kind_name(node.kind));
}

/// True for the functions that give the bytes of a compressed blob.
bool is_decompressor(std::span<const std::string_view> spec);

/// Evaluates one schema. Errors have the path of the expression. For one thread and one use.
class Evaluator {
 public:
  /// `document` is the schema parsed from the blob `schema`; it lives as long as the value.
  Evaluator(const Call& call, const Input& input, Builder& out, std::string_view schema,
            const polycodec_node& document, const ReadSettings& settings);

  /// The value of the schema's expression. Columns and members that are not wanted may be missing:
  /// their blobs are not read.
  polycodec_node root(const Wanted& wanted);

 private:
  enum class Kind : std::uint8_t {
    call,
    read,
    list,
    tuple,
    dict,
    pairs,
    dtype,
    function,
    json,
    python,
    ref
  };

  /// An expression that others may refer to.
  struct Slot {
    const polycodec_node* expression;
    enum class State : std::uint8_t { untouched, running, done } state = State::untouched;
    polycodec_node value{};
    polycodec_array* deferred = nullptr;  ///< given to those who asked while it was running
    polycodec_node* target = nullptr;     ///< the same of a document: where its node will be
    bool referred = false;                ///< some expression refers to it
    bool document = false;  ///< a list, tuple or dict, which may contain a reference to itself
  };

  /// Members of an expression object.
  struct Members {
    Kind kind;
    const polycodec_node* value;  ///< of the identifying key
    NodeView object;
    const polycodec_node* find(std::string_view key) const;
  };

  /// A member of an object, or a column of a table, that somebody wants.
  struct Column {
    const polycodec_node* name;
    const polycodec_node* expression;
    const Wanted* wanted;
  };

  [[noreturn]] void fail(const polycodec_node& at, Status status, std::string_view word,
                         const std::string& why) const;
  /// Finds the expressions with ids, and what is called with three arguments: buffers.
  std::vector<const polycodec_node*> index();
  /// Unpacks the compressed blobs of these buffers, on several threads if they are large. What
  /// fails is left to the evaluation: so its errors come in order.
  void unpack_buffers(std::span<const polycodec_node* const> buffers);
  /// The same of the columns that are wanted whole, where others are not wanted.
  void unpack_columns(std::span<const Column> columns);
  std::string id_key(const polycodec_node& id) const;
  /// The id for messages.
  std::string shown_id(const polycodec_node& id) const;
  Members members(const polycodec_node& expression) const;

  polycodec_node evaluate(const polycodec_node& expression, const Wanted& wanted = all_wanted);
  polycodec_node evaluate_members(const polycodec_node& expression, const Members& members,
                                  const Wanted& wanted);
  polycodec_node call(const polycodec_node& expression, const Members& members,
                      const Wanted& wanted);
  /// `input` is that of a call on this thread.
  polycodec_node read(const Input& input, const Members& members) const;
  polycodec_node sequence(const polycodec_node& items, std::uint8_t kind);
  polycodec_node dict(const polycodec_node& entries, const Wanted& wanted);
  polycodec_node pairs(const polycodec_node& items, const Wanted& wanted);
  polycodec_node function(const polycodec_node& spec);
  polycodec_node python(const polycodec_node& text);
  polycodec_node reference(const polycodec_node& id);
  std::vector<std::string_view> spec_of(const polycodec_node& spec) const;
  /// Evaluates the first argument of frombuffer, a decompressor, for no more bytes than the others
  /// say are needed.
  std::optional<std::uint64_t> needed_bytes(const polycodec_node& type,
                                            const polycodec_node& count) const;
  polycodec_node apply(const polycodec_node& expression, std::span<const std::string_view> spec,
                       const polycodec_node& args, const polycodec_node* kwargs);

  const Call& call_;
  const Input& input_;
  Builder& out_;
  const polycodec_node& document_;
  const ReadSettings& settings_;
  std::string_view prefix_;
  std::string group_;  // that names are relative to
  const polycodec_node* schema_ = nullptr;
  std::map<std::string, Slot, std::less<>> slots_;
  /// What calls of decompressors gave: the bytes that were needed, and a node.
  std::unordered_map<const polycodec_node*, std::pair<std::uint64_t, polycodec_node>> unpacked_;
  std::uint32_t depth_ = 0, max_depth_;
  bool cyclic_ = false;
  std::optional<std::uint64_t> size_hint_;
};

}  // namespace polycodec::awkward

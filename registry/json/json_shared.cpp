// SPDX-License-Identifier: MIT
#include "registry/json/json_shared.hpp"

#include <base/cut_parts.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/utf.hpp>

#include "registry/json/json_cut.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::json {
namespace {

using Nodes = std::vector<polycodec_node>;
using Two = std::array<polycodec_node, 2>;

/// A cut, and the nodes of its run.
struct Cut {
  JsonCut at;
  Nodes nodes;
};

/// Puts the runs together, in the containers that were opened.
class Assembly {
 public:
  explicit Assembly(Builder& out) : out_(out) { levels_.emplace_back(); }

  /// False: the text is wrong.
  bool add(const Cut& cut) {
    switch (cut.at.kind) {
      case JsonCut::run:
        add(std::span<const polycodec_node>(cut.nodes));
        return true;
      case JsonCut::open:
        levels_.emplace_back();
        levels_.back().is_object = cut.at.is_object;
        return cut.at.text.empty() || set_key(cut.at.text);
      case JsonCut::close:
        close();
        return true;
      default:
        return cut.at.kind == JsonCut::end;
    }
  }
  /// The document, or the list of all values. Copies the runs on threads. Nothing if a key occurs
  /// twice.
  std::optional<polycodec_node> finish(const Call& call, bool is_many) {
    if (is_many) made_.push_back(Two{node(), {}});
    call.parallel_for(copies_.size(), 1, [&](const Call&, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        const Copy& copy = copies_[static_cast<std::size_t>(i)];
        std::ranges::copy(copy.from, copy.to);
      }
    });
    for (const auto& keys : objects_)
      if (!are_unique(keys)) return std::nullopt;
    return made_.back()[0];
  }
  /// Values and keys outside of runs.
  std::uint64_t count() const noexcept { return count_; }

 private:
  struct Level {
    bool is_object = false, has_key = false;
    polycodec_node key{};
    std::vector<std::span<const polycodec_node>> parts;
    std::uint64_t nodes = 0;
  };
  struct Copy {
    std::span<const polycodec_node> from;
    polycodec_node* to;
  };

  void add(std::span<const polycodec_node> part) {
    levels_.back().parts.push_back(part);
    levels_.back().nodes += part.size();
  }
  /// `text`: a key and a colon.
  bool set_key(std::string_view text) {
    if (!is_utf8(text)) return false;
    JsonCursor cursor(text);
    Level& level = levels_.back();
    level.key = out_.string_copy(cursor.string());
    level.has_key = true;
    cursor.expect(':');
    return cursor.at_end();
  }
  /// The container of the last level, whose nodes are copied in the end.
  polycodec_node node() {
    const Level& level = levels_.back();
    polycodec_node* to;
    const polycodec_node made =
        level.is_object ? out_.object(level.nodes / 2, &to) : out_.list(level.nodes, &to);
    // Each run has been checked.
    if (level.is_object && level.parts.size() > 1) objects_.emplace_back(to, level.nodes);
    for (const auto part : level.parts) {
      copies_.push_back({part, to});
      to += part.size();
    }
    return made;
  }
  void close() {
    const polycodec_node made = node();
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    ++count_;
    if (!level.has_key) {
      add(std::span<const polycodec_node>(made_.emplace_back(Two{made, {}}).data(), 1));
      return;
    }
    ++count_;
    add(std::span<const polycodec_node>(made_.emplace_back(Two{level.key, made})));
  }
  static bool are_unique(std::span<const polycodec_node> members) {
    SeededSet<std::string_view> keys;
    for (std::size_t i = 0; i < members.size(); i += 2)
      if (!keys.insert(NodeView(&members[i]).as_string()).second) return false;
    return true;
  }

  Builder& out_;
  std::vector<Level> levels_;
  std::deque<Two> made_;  // nodes of containers, after their keys
  std::vector<Copy> copies_;
  std::vector<std::span<const polycodec_node>> objects_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::optional<polycodec_node> read_shared(const Call& call, std::string_view text,
                                          const JsonOptions& options, Builder& out) try {
  const bool is_many = options.values == JsonReader::Values::many;
  JsonCutter cutter(text, is_many);
  std::deque<Cut> cuts;
  std::atomic<std::uint64_t> count{0};
  const bool is_whole = for_each_cut<Cut*>(
      call, text.size() / JsonCutter::least_bytes * 2 + 64,
      [&](const Call&, Cut*& cut) {
        for (;;) {
          cut = &cuts.emplace_back(Cut{cutter.next(), {}});
          if (cut->at.depth > options.max_depth) cut->at.kind = JsonCut::other;
          if (cut->at.kind == JsonCut::run) return true;
          if (cut->at.kind == JsonCut::end) return false;
          if (cut->at.kind == JsonCut::other)
            throw Error(Status::unsupported, "one thread is to read this text");
        }
      },
      [&](const Call& child, Cut* cut) {
        Builder builder(child);
        JsonOptions part = options;
        part.max_depth -= cut->at.depth - (is_many ? 0 : 1);
        if (!is_many)
          part.values = cut->at.is_object ? JsonReader::Values::members : JsonReader::Values::items;
        JsonMemory memory;
        count.fetch_add(read_json_values(builder, cut->at.text, part, memory),
                        std::memory_order_relaxed);
        cut->nodes = std::move(memory.nodes);
      });
  if (!is_whole) return std::nullopt;
  Assembly assembly(out);
  for (const Cut& cut : cuts)
    if (!assembly.add(cut)) return std::nullopt;
  if (count + assembly.count() > options.max_nodes) return std::nullopt;
  return assembly.finish(call, is_many);
} catch (const Error& e) {
  if (e.code() == Status::cancelled) throw;
  return std::nullopt;
}

}  // namespace polycodec::json

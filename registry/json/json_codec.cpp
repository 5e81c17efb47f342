// SPDX-License-Identifier: MIT
#include "registry/json/json_codec.hpp"

#include <base/json_number.hpp>
#include <base/json_part.hpp>
#include <polycodec/tolerant.hpp>

#include "registry/json/json_shared.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace polycodec::json {
namespace {

polycodec_node read(const Call& call, std::string_view text, const JsonOptions& options,
                    Builder& out, JsonMemory& memory) {
  if (text.size() >= least_shared && call.threads() > 1)
    if (const auto root = read_shared(call, text, options, out)) return *root;
  return read_json(out, text, options, memory);
}

polycodec_node read(const Call& call, std::string_view text, JsonReader::Values values,
                    Builder& out, JsonMemory& memory) {
  call.tick(text.size());
  // The list of many values is a level, too.
  const bool many = values == JsonReader::Values::many;
  const JsonOptions options{.max_nodes = call.limits().max_nodes,
                            .max_depth = call.limits().max_depth - (many ? 1u : 0u),
                            .values = values,
                            .number = text::number_node};
  if (call.projection() != nullptr) {
    const auto whole = [&](std::string_view part, const JsonOptions& how) {
      return read(call, part, how, out, memory);
    };
    if (const auto part = read_json_part(out, text, options, *call.projection(), whole))
      return *part;
    call.tick(text.size());
  }
  return read(call, text, options, out, memory);
}

/// After a value of a stream with more bytes, its memory is not kept for the next.
constexpr std::size_t most_kept = std::size_t{1} << 14;

bool is_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

Json::Json(Call&, const Options& options) {
  lines_ = options.choice<bool>("form", {{"json", false}, {"jsonl", true}, {"ndjson", true}});
  tolerant_ = tolerant_option(options);
  indent_ = static_cast<unsigned>(options.get("indent", std::int64_t{0}));
}

Node Json::decode(Call& call, const Input& input, Builder& out) const {
  MendNotes notes;
  std::string_view text = input.bytes();
  if (tolerant_) {
    // Text of comments alone stays as it is, and so an error: it has no value.
    const std::string_view mended = mended_json(text, notes, out);
    if (!std::ranges::all_of(mended, is_space)) text = mended;
  }
  try {
    JsonMemory memory;
    const polycodec_node root =
        read(call, text, lines_ ? JsonReader::Values::many : JsonReader::Values::one, out, memory);
    notes.report(call);
    return root;
  } catch (const Error& e) {
    if (e.code() != Status::trailing) throw;
    const std::string_view rest = text.substr(static_cast<std::size_t>(e.offset()));
    if (!rest.starts_with('{') && !rest.starts_with('[')) throw;
    throw Error(
        e.code(),
        e.message() + "; use from.options {\"form\": \"jsonl\"} for values that follow each other",
        e.offset())
        .detail(e.detail());
  }
}

void Json::encode(const Call& call, NodeView value, Writer& out) const {
  lines_ ? write_lines(call, value, out) : write(call, value, indent_, out);
}

void Json::Lines::append(const Call& call, NodeView value, Writer& out) {
  write(call, value, 0, out);
}

std::optional<std::size_t> Json::Reader::find_bracket(std::string_view bytes) noexcept {
  for (;;) {
    JsonCarry carry = carry_;
    const JsonMarks marks = json_marks(bytes, seen_, ',', carry);
    std::uint64_t open = open_;
    for (std::uint64_t left = marks.opens | marks.closes; left != 0; left &= left - 1) {
      const std::uint64_t bit = left & (0 - left);
      if ((marks.opens & bit) != 0)
        ++open;
      else if (--open == 0)
        return seen_ + static_cast<std::size_t>(std::countr_zero(bit)) + 1;
    }
    if (bytes.size() - seen_ < json_block_bytes) return std::nullopt;  // this block is not whole
    seen_ += json_block_bytes;
    open_ = open;
    carry_ = carry;
  }
}

std::optional<std::size_t> Json::Reader::find_end(std::string_view bytes) noexcept {
  if (bytes[0] == '{' || bytes[0] == '[') return find_bracket(bytes);
  if (bytes[0] == '}' || bytes[0] == ']') return 1;
  const bool is_string = bytes[0] == '"';
  for (seen_ = std::max(seen_, std::size_t{1}); seen_ < bytes.size(); ++seen_) {
    const char c = bytes[seen_];
    if (!is_string) {
      // A number or a word ends where something else begins.
      if (c == '"' || c == '[' || c == '{' || is_space(c)) return seen_;
      if (c == ']' || c == '}') return seen_ + 1;
    } else if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = true;
    } else if (c == '"') {
      return seen_ + 1;
    }
  }
  return std::nullopt;
}

std::optional<Node> Json::Reader::next(Call& call, Step& step, Builder& out) {
  const std::string_view bytes = step.bytes();
  const auto start =
      static_cast<std::size_t>(std::ranges::find_if_not(bytes, is_space) - bytes.begin());
  const std::string_view rest = bytes.substr(start);
  const std::size_t seen = seen_;
  const std::optional<std::size_t> end = rest.empty() ? std::nullopt : find_end(rest);
  call.tick(start + end.value_or(rest.size()) - seen);
  if (rest.empty() || (!end && !step.final())) {
    step.consume(start);
    step.want(std::uint64_t{rest.size()} + 1);
    return std::nullopt;
  }
  const std::string_view text = rest.substr(0, end.value_or(rest.size()));
  seen_ = 0;
  open_ = 0;
  carry_ = {};
  is_escaped_ = false;
  step.consume(start + text.size());
  try {
    const polycodec_node root = read(call, text, JsonReader::Values::one, out, memory_);
    // What a large value needed does not stay for all that follow.
    if (text.size() > most_kept) memory_ = {};
    return root;
  } catch (Error& e) {
    if (e.offset() != Error::no_offset) e.offset(e.offset() + start);
    throw;
  }
}

}  // namespace polycodec::json

// SPDX-License-Identifier: MIT
#include "registry/json/json_codec.hpp"

#include <base/json_number.hpp>
#include <base/json_part.hpp>
#include <base/json_reader.hpp>
#include <polycodec/tolerant.hpp>

#include "registry/json/json_shared.hpp"

#include <algorithm>

namespace polycodec::json {
namespace {

polycodec_node read(const Call& call, std::string_view text, const JsonOptions& options,
                    Builder& out) {
  if (text.size() >= least_shared && call.threads() > 1)
    if (const auto root = read_shared(call, text, options, out)) return *root;
  return read_json(out, text, options);
}

polycodec_node read(const Call& call, std::string_view text, JsonReader::Values values,
                    Builder& out) {
  call.tick(text.size());
  // The list of many values is a level, too.
  const bool many = values == JsonReader::Values::many;
  const JsonOptions options{.max_nodes = call.limits().max_nodes,
                            .max_depth = call.limits().max_depth - (many ? 1u : 0u),
                            .values = values,
                            .number = text::number_node};
  if (call.projection() != nullptr) {
    const auto whole = [&](std::string_view part, const JsonOptions& how) {
      return read(call, part, how, out);
    };
    if (const auto part = read_json_part(out, text, options, *call.projection(), whole))
      return *part;
    call.tick(text.size());
  }
  return read(call, text, options, out);
}

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
    const polycodec_node root =
        read(call, text, lines_ ? JsonReader::Values::many : JsonReader::Values::one, out);
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

bool Json::Reader::scan(std::string_view bytes) noexcept {
  for (; seen_ < bytes.size(); ++seen_) {
    const char c = bytes[seen_];
    if (in_string_) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
        if (open_ == 0) return ++seen_, true;
      }
      continue;
    }
    const bool opens = c == '"' || c == '[' || c == '{';
    // A number or a word ends where something else begins.
    if (open_ == 0 && seen_ != 0 && (opens || is_space(c))) return true;
    if (c == '"') {
      in_string_ = true;
    } else if (opens) {
      ++open_;
    } else if (c == ']' || c == '}') {
      if (open_ <= 1) return ++seen_, true;
      --open_;
    }
  }
  return false;
}

std::optional<Node> Json::Reader::next(Call& call, Step& step, Builder& out) {
  const std::string_view bytes = step.bytes();
  const auto start =
      static_cast<std::size_t>(std::ranges::find_if_not(bytes, is_space) - bytes.begin());
  const std::string_view rest = bytes.substr(start);
  call.tick(bytes.size() - seen_);
  if (rest.empty() || (!scan(rest) && !step.final())) {
    step.consume(start);
    step.want(std::uint64_t{rest.size()} + 1);
    return std::nullopt;
  }
  const std::string_view text = rest.substr(0, seen_);
  *this = {};
  step.consume(start + text.size());
  try {
    return read(call, text, JsonReader::Values::one, out);
  } catch (Error& e) {
    if (e.offset() != Error::no_offset) e.offset(e.offset() + start);
    throw;
  }
}

}  // namespace polycodec::json

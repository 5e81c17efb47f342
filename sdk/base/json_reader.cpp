// SPDX-License-Identifier: MIT
#include <base/json_reader.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <utility>

namespace polycodec {

JsonReader::JsonReader(std::string_view text, std::uint64_t max_depth, Keys keys,
                       std::string_view limit_word, Values values, std::vector<Level> levels)
    : cursor_(text),
      max_depth_(max_depth),
      keys_(keys),
      limit_word_(limit_word),
      values_(values),
      levels_(std::move(levels)) {
  if (const std::size_t bad = validate_utf8(text); bad != utf8_npos)
    cursor_.fail(Status::malformed, "json.syntax", "the text is not valid UTF-8", bad);
  if (values == Values::items || values == Values::members) {
    begin_level(values == Values::members);
    run_depth_ = depth_;
  } else if (text.starts_with("\xef\xbb\xbf")) {
    cursor_.rewind(3);
  }
}

JsonEvent JsonReader::next() {
  if (depth_ == 0) {
    if (values_ == Values::many ? !cursor_.at_end() : count_ == 0) {
      ++count_;
      return value();
    }
    if (!cursor_.at_end()) {
      const bool is_comment = cursor_.peek() == '/' || cursor_.peek() == '#';
      cursor_.fail(Status::trailing, "json.syntax",
                   std::string("the text continues after the value") +
                       (is_comment ? "; JSON has no comments, remove this one" : ""),
                   cursor_.at());
    }
    return JsonEvent::end;
  }
  Level& level = levels_[depth_ - 1];
  if (level.has_key) {
    level.has_key = false;
    cursor_.expect(':');
    return value();
  }
  const char mark = level.object ? '}' : ']';
  const bool first = level.count == 0;
  if (depth_ == run_depth_) [[unlikely]] {
    if (!first && cursor_.at_end()) return JsonEvent::end;
    if (!first) cursor_.expect(',');
  } else if (first ? cursor_.accept(mark) : !cursor_.accept(',')) {
    if (!first && !cursor_.accept(mark)) cursor_.unexpected(std::string("',' or '") + mark + "'");
    return close(level.object);
  }
  ++level.count;
  if (!level.object) return value();
  token_ = cursor_.string();
  begin_ = cursor_.token_at();
  level.key = token_;
  level.has_key = true;
  if (keys_ == Keys::unique && !level.keys.add(token_))
    fail(Status::malformed, "json.duplicate_key", "duplicate key " + quote(token_));
  return JsonEvent::key;
}

JsonEvent JsonReader::value() {
  const char c = cursor_.peek();
  begin_ = cursor_.at();
  switch (c) {
    case '"':
      token_ = cursor_.string();
      return JsonEvent::string;
    case '{':
    case '[':
      return open(c == '{');
    case 'n':
      cursor_.expect_word("null");
      return JsonEvent::null;
    case 't':
    case 'f':
      boolean_ = c == 't';
      cursor_.expect_word(boolean_ ? "true" : "false");
      return JsonEvent::boolean;
    default:
      if (!cursor_.at_number()) cursor_.unexpected("a value");
      token_ = cursor_.number();
      return JsonEvent::number;
  }
}

JsonEvent JsonReader::open(bool object) {
  cursor_.accept(object ? '{' : '[');
  if (depth_ >= max_depth_)
    throw text_error(Status::limit,
                     "nested deeper than max_depth (" + std::to_string(max_depth_) + ")",
                     cursor_.text(), cursor_.at())
        .detail(limit_word_)
        .path(path());
  begin_level(object);
  return object ? JsonEvent::begin_object : JsonEvent::begin_list;
}

void JsonReader::begin_level(bool object) {
  if (depth_ == levels_.size()) levels_.emplace_back();
  Level& level = levels_[depth_++];
  level.object = object;
  level.has_key = false;
  level.count = 0;
  level.keys.begin();
}

JsonEvent JsonReader::close(bool object) noexcept {
  --depth_;
  begin_ = cursor_.at() - 1;
  return object ? JsonEvent::end_object : JsonEvent::end_list;
}

std::string JsonReader::path() const {
  std::string path(path_root);
  if (values_ == Values::many && count_ != 0) append_index(path, count_ - 1);
  for (std::size_t i = 0; i < depth_; ++i) {
    if (path.size() > 400) return path + "...";
    const Level& level = levels_[i];
    if (level.count == 0) break;
    if (level.object)
      append_key(path, level.key);
    else
      append_index(path, level.count - 1);
  }
  return path;
}

void JsonReader::fail(Status status, std::string_view word, std::string message) const {
  throw text_error(status, std::move(message), cursor_.text(), begin_).detail(word).path(path());
}

std::uint64_t read_json_values(Builder& builder, std::string_view text, const JsonOptions& options,
                               JsonMemory& memory) {
  JsonReader reader(text, options.max_depth, options.keys, options.limit_word, options.values,
                    std::move(memory.levels));
  auto& nodes = memory.nodes;
  auto& starts = memory.starts;
  nodes.clear();
  starts.clear();
  std::uint64_t count = 0;
  const auto add = [&](const polycodec_node& node) {
    if (++count > options.max_nodes)
      reader.fail(Status::limit, options.limit_word,
                  "more values than max_nodes (" + std::to_string(options.max_nodes) + ")");
    nodes.push_back(node);
  };
  const auto close = [&](bool object) {
    const std::size_t first = starts.back();
    starts.pop_back();
    const auto entries = std::span<const polycodec_node>(nodes).subspan(first);
    polycodec_node* to;
    const polycodec_node node =
        object ? builder.object(entries.size() / 2, &to) : builder.list(entries.size(), &to);
    std::copy(entries.begin(), entries.end(), to);
    nodes.resize(first);
    add(node);
  };
  for (;;) {
    switch (reader.next()) {
      case JsonEvent::null:
        add(Builder::null());
        break;
      case JsonEvent::boolean:
        add(Builder::boolean(reader.boolean()));
        break;
      case JsonEvent::number:
        try {
          add(options.number(builder, reader.text()));
        } catch (const Error& e) {
          if (e.detail() != "json.number") throw;
          reader.fail(e.code(), "json.number", e.message());
        }
        break;
      case JsonEvent::string:
      case JsonEvent::key:
        add(builder.string_copy(reader.text()));
        break;
      case JsonEvent::begin_object:
      case JsonEvent::begin_list:
        starts.push_back(nodes.size());
        break;
      case JsonEvent::end_object:
        close(true);
        break;
      case JsonEvent::end_list:
        close(false);
        break;
      case JsonEvent::end:
        memory.levels = std::move(reader).take_levels();
        return count;
    }
  }
}

polycodec_node read_json(Builder& builder, std::string_view text, const JsonOptions& options,
                         JsonMemory& memory) {
  read_json_values(builder, text, options, memory);
  return options.values == JsonReader::Values::one ? memory.nodes.front()
                                                   : builder.list(memory.nodes);
}

}  // namespace polycodec

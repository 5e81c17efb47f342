// SPDX-License-Identifier: MIT
#include "core/text/text_writer.hpp"

#include <polycodec/path.hpp>

namespace polycodec::text {

void TextWriter::descend() {
  if (depth_ >= options_.limits.max_depth)
    throw Error(Status::limit, "the value nests deeper than max_depth (" +
                                   std::to_string(options_.limits.max_depth) +
                                   "), or a reference makes a cycle")
        .detail("text.limit");
  check_stack(depth_ + layers_);
  ++depth_;
}

TextWriter::Bracket::Bracket(TextWriter& writer, char open, char close, bool broken)
    : writer_(writer),
      close_(close),
      broken_(broken && writer.pretty()),
      compact_(!writer.pretty()) {
  writer_.descend();
  writer_.places_.emplace_back();
  if (broken_) ++writer_.lines_;
  writer_.out_.put(open);
}

void TextWriter::Bracket::line() {
  const std::size_t blanks = std::size_t{writer_.options_.indent} * writer_.lines_;
  if (broken_)
    writer_.out_.put_line(blanks);
  else if (!first_ && writer_.out_.column() >= writer_.options_.width)
    writer_.out_.put_line(blanks + 1);
  else if (!first_)
    writer_.out_.put(' ');
}

void TextWriter::Bracket::end() {
  --writer_.depth_;
  writer_.places_.pop_back();
  if (broken_) {
    --writer_.lines_;
    if (!first_) line();
  }
  writer_.out_.put(close_);
}

void TextWriter::key(std::string_view name) {
  places_.back().name = name;
  out_.put(name.starts_with('$') ? std::string_view("\"$") : std::string_view("\""));
  out_.put_escaped(name);
  out_.put("\": ");
}

std::string TextWriter::path() const {
  std::string path = "$";
  for (const Place& place : places_) {
    if (place.items == 0 || place.hidden) continue;
    if (place.name.data() != nullptr)
      append_key(path, place.name);
    else
      path += '[' + std::to_string(place.items - 1) + ']';
  }
  return path;
}

}  // namespace polycodec::text

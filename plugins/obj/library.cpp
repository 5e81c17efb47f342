// SPDX-License-Identifier: MIT
#include "library.hpp"

#include <base/decimal.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include <string>

namespace polycodec::obj {
namespace {

constexpr std::string_view options_suffix = "_options";

class LibraryWriter {
 public:
  LibraryWriter(const View& materials, std::string_view newline, Writer& out)
      : materials_(materials), newline_(newline), out_(out) {}

  void run() {
    for (std::uint64_t i = 0; i < materials_.size(); ++i) {
      path_ = "$.materials" + index_step(i);
      const View record = materials_.child(i);
      const auto name = record.is_object() ? record.find("name") : std::nullopt;
      if (!name) fail(Status::type, "a material is a record with a name");
      if (i != 0) out_.put_text(newline_);
      line("newmtl", words_of(*name));
      for (std::uint64_t k = 0; k < record.size(); ++k) {
        const std::string_view word = record.name(k);
        if (word == "name" || word == "library" || word.ends_with(options_suffix)) continue;
        std::string words;
        if (const auto options = record.find(std::string(word) + std::string(options_suffix)))
          for (std::uint64_t n = 0; n < options->size(); ++n)
            words += "-" + std::string(options->name(n)) + " " + words_of(options->child(n)) + " ";
        line(word, words + words_of(record.child(k)));
      }
    }
  }

 private:
  [[noreturn]] void fail(Status status, const std::string& message) const {
    throw Error(status, message).detail("obj.bad_member").path(path_);
  }

  std::string words_of(const View& value) const {
    if (value.is_string()) {
      std::string scratch;
      return std::string(value.as_string(scratch));
    }
    if (value.is_number()) {
      char text[max_decimal_size];
      return std::string(text,
                         static_cast<std::size_t>(print_decimal(text, value.as_double()) - text));
    }
    if (!value.is_list()) fail(Status::type, "a word of a material is text or numbers");
    std::string words;
    for (const View item : value) words += (words.empty() ? "" : " ") + words_of(item);
    return words;
  }

  void line(std::string_view word, const std::string& words) {
    const std::string text = std::string(word) + " " + words;
    if (text.find_first_of("\r\n") != std::string::npos)
      fail(Status::unsupported, "a line of a material library cannot hold newlines");
    if (text.find(" #") != std::string::npos || text.find("\t#") != std::string::npos)
      fail(Status::unsupported, "a '#' after whitespace would start a comment");
    out_.put_text(text);
    // A backslash at the end of the line would continue it with the next one.
    if (text.back() == '\\') out_.put_text(" ");
    out_.put_text(newline_);
  }

  const View& materials_;
  std::string_view newline_;
  Writer& out_;
  std::string path_;
};

}  // namespace

void write_library(const View& materials, std::string_view newline, Writer& out) {
  LibraryWriter(materials, newline, out).run();
}

}  // namespace polycodec::obj

// SPDX-License-Identifier: MIT
// JSON as values, and values as JSON.
#include <polycodec/detail/hex.hpp>
#include <polycodec/error.hpp>

#include "document.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

namespace polycodec::gltf {
namespace {

/// Goes over a text, and keeps how far it came where errors find it.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** seen) noexcept : at_(at), seen_(seen) {}
  reference operator*() const noexcept { return *at_; }
  Cursor& operator++() noexcept { return *seen_ = ++at_, *this; }
  Cursor operator++(int) noexcept {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Cursor& other) const noexcept { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const noexcept { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

/// Makes nodes of what the parser of nlohmann_json finds. It keeps no tree of its own, so the arena
/// bounds the memory.
class Maker {
 public:
  Maker(const Call& call, std::string_view text, std::uint64_t offset, Builder& out)
      : meter_(call), limits_(call.limits()), text_(text), offset_(offset), out_(out) {}

  Node run() {
    const char* const end = text_.data() + text_.size();
    nlohmann::json::sax_parse(Cursor(text_.data(), &seen_), Cursor(end, &seen_), this);
    return nodes_.front();
  }

  // What the parser calls.
  bool null() { return add(Builder::null()); }
  bool boolean(bool value) { return add(Builder::boolean(value)); }
  bool number_integer(std::int64_t value) { return add(Builder::integer(value)); }
  bool number_unsigned(std::uint64_t value) {
    return add(value > INT64_MAX ? Builder::unsigned_integer(value)
                                 : Builder::integer(static_cast<std::int64_t>(value)));
  }
  bool number_float(double value, const std::string&) { return add(Builder::real(value)); }
  bool string(std::string& text) {
    meter_.step(text.size());
    return add(out_.string_copy(text));
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return begin(); }
  bool key(std::string& text) {
    meter_.step(text.size());
    nodes_.push_back(out_.string_copy(text));
    return true;
  }
  bool end_object() {
    const auto members = taken();
    check_names(members);
    Node* to = nullptr;
    const Node object = out_.object(members.size() / 2, &to);
    std::copy(members.begin(), members.end(), to);
    return end(object);
  }
  bool start_array(std::size_t) { return begin(); }
  bool end_array() { return end(out_.list(taken())); }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::json::exception& error) {
    std::string what = error.what();
    if (const auto colon = what.rfind("; "); colon != std::string::npos) what.erase(0, colon + 2);
    const bool cut = seen_ == text_.data() + text_.size();
    fail(cut ? Status::truncated : Status::malformed, "bad_json",
         "the JSON is wrong" + (token.empty() ? "" : " at '" + token.substr(0, 20) + "'") + ": " +
             what.substr(0, 120));
  }

 private:
  bool add(const Node& node) {
    meter_.tick();
    nodes_.push_back(node);
    return true;
  }
  bool begin() {
    meter_.tick();
    if (frames_.size() >= limits_.max_depth)
      fail(Status::limit, "limit",
           "the JSON is nested deeper than max_depth (" + std::to_string(limits_.max_depth) + ")");
    frames_.push_back(nodes_.size());
    return true;
  }
  std::span<const Node> taken() const {
    return std::span<const Node>(nodes_).subspan(frames_.back());
  }
  bool end(const Node& container) {
    nodes_.resize(frames_.back());
    frames_.pop_back();
    return add(container);
  }
  void check_names(std::span<const Node> members) {
    const auto name = [&](std::size_t i) {
      return to_string_view(members[i].as.data, polycodec_node_size(&members[i]));
    };
    std::set<std::string_view> seen;  // a hash could be made to collide
    for (std::size_t i = 0; i < members.size(); i += 2)
      if (!seen.insert(name(i)).second)
        fail(Status::malformed, "bad_json",
             "an object ends with two members of the name '" + std::string(name(i).substr(0, 40)) +
                 "'");
  }
  [[noreturn]] void fail(Status status, const char* word, const std::string& message) const {
    throw Error(status, message, offset_ + static_cast<std::uint64_t>(seen_ - text_.data()))
        .detail(std::string("gltf.") + word);
  }

  Meter meter_;
  const polycodec_limits& limits_;
  const std::string_view text_;
  const std::uint64_t offset_;
  Builder& out_;
  const char* seen_ = text_.data();
  std::vector<Node> nodes_;
  std::vector<std::size_t> frames_;
};

class Printer {
 public:
  Printer(const Call& call, std::string& out) : call_(call), meter_(call), out_(out) {}

  void print(View value, const std::string& path) {
    call_.check_stack();
    meter_.tick();
    check_room(32);
    if (value.metadata() != nullptr) call_.report_loss(LossClass::data, path, "metadata");
    switch (value.kind()) {
      case POLYCODEC_KIND_NULL:
        out_ += "null";
        return;
      case POLYCODEC_KIND_BOOLEAN:
        out_ += value.as_bool() ? "true" : "false";
        return;
      case POLYCODEC_KIND_SIGNED:
        return number(value.as_int64());
      case POLYCODEC_KIND_UNSIGNED:
        return number(value.as_uint64());
      case POLYCODEC_KIND_FLOAT:
        if (!std::isfinite(value.as_double()))
          refuse(Status::range, "not_finite", "JSON has no number for this: it must be finite",
                 path);
        if (value.dtype() == POLYCODEC_DTYPE_FLOAT32)
          return number(static_cast<float>(value.as_double()));
        return number(value.as_double());
      case POLYCODEC_KIND_STRING:
        if (value.is_lenient_string())
          refuse(Status::unsupported, "bad_member", "JSON has text in UTF-8 alone", path);
        return text(value.as_string(scratch_));
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE: {
        char before = '[';
        for (std::uint64_t i = 0; i < value.size(); ++i) {
          out_ += before;
          print(value.child(i), at(path, i));
          before = ',';
        }
        out_ += value.size() == 0 ? "[]" : "]";
        return;
      }
      case POLYCODEC_KIND_OBJECT: {
        char before = '{';
        for (std::uint64_t i = 0; i < value.size(); ++i) {
          out_ += before;
          text(value.name(i));
          out_ += ':';
          print(value.child(i), path + "." + std::string(value.name(i)));
          before = ',';
        }
        out_ += value.size() == 0 ? "{}" : "}";
        return;
      }
      default:
        refuse(Status::unsupported, "bad_member",
               "JSON has nothing for this kind of value: " + std::string(kind_name(value.kind())),
               path);
    }
  }

 private:
  /// Throws if the text and `more` bytes are more than may be written: values may share parts.
  void check_room(std::uint64_t more) const {
    const std::uint64_t most = call_.limits().max_output_bytes;
    if (out_.size() > most || more > most - out_.size()) [[unlikely]]
      throw Error(Status::limit, "the text of the document would have more than " +
                                     std::to_string(most) + " bytes: raise max_output_bytes")
          .detail("limit.max_output_bytes");
  }
  template <class T>
  void number(T value) {
    char digits[40];
    const std::string_view printed(
        digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr -
                                         digits));
    out_ += printed;
    // What is read again is of the same type.
    if (std::is_floating_point_v<T> && printed.find_first_of(".e") == std::string_view::npos)
      out_ += ".0";
  }
  void text(std::string_view text) {
    meter_.step(text.size());
    check_room(text.size());
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out_ += '\\';
      if (static_cast<unsigned char>(c) >= 0x20) {
        out_ += c;
        continue;
      }
      append_hex(out_ += "\\u", static_cast<unsigned char>(c), 4);
    }
    out_ += '"';
  }

  const Call& call_;
  Meter meter_;
  std::string& out_;
  std::string scratch_;
};

}  // namespace

Node read_json(const Call& call, std::string_view text, std::uint64_t offset, Builder& out) {
  return Maker(call, text, offset, out).run();
}

void write_json(const Call& call, View value, const std::string& path, std::string& out) {
  Printer(call, out).print(value, path);
}

}  // namespace polycodec::gltf

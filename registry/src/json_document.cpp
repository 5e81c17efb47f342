// SPDX-License-Identifier: MIT
#include "json_document.hpp"

#include <polycodec/config.hpp>
#include <polycodec/near_names.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace polycodec {
namespace {

constexpr std::size_t max_json_depth = 64;

/// Iterates over characters and lets others see how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

/// Builds the document; notes where the value at `target` stands if one is wanted.
class Handler {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  Handler(const char* const* seen, const JsonPath* target) : seen_(seen), target_(target) {}

  bool null() { return add(nullptr) != nullptr; }
  bool boolean(bool v) { return add(v) != nullptr; }
  bool number_integer(number_integer_t v) { return add_number(v); }
  bool number_unsigned(number_unsigned_t v) { return add_number(v); }
  bool number_float(number_float_t v, const string_t&) { return add_number(v); }
  bool string(string_t& v) { return add(std::move(v)) != nullptr; }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return push(add(Json::object())); }
  bool start_array(std::size_t) { return push(add(Json::array())); }
  bool end_object() { return pop(); }
  bool end_array() { return pop(); }

  bool key(string_t& name) {
    if (!names_.back().insert(name).second) {
      problem = "the key '" + name + "' is given twice";
      return false;
    }
    path_.back() = name;
    key_ = std::move(name);
    note(0);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) {
    // The library's text repeats the position; what follows the last ": " of its prefix is the reason.
    const std::string_view what = e.what();
    const auto reason = what.find(": ");
    problem = "not JSON: " + std::string(reason == std::string_view::npos ? what : what.substr(reason + 2));
    return false;
  }

  Json root;
  std::string problem;
  const char* found = nullptr;

 private:
  template <class T>
  Json* add(T&& value, std::ptrdiff_t read_ahead = 0) {
    if (stack_.empty()) {
      root = std::forward<T>(value);
      return &root;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      path_.back() = std::to_string(parent.size());
      note(read_ahead);
      parent.push_back(std::forward<T>(value));
      return &parent.back();
    }
    // The key is new: looking for it once more would make large objects slow.
    auto& members = static_cast<Json::object_t::Container&>(parent.get_ref<Json::object_t&>());
    return &members.emplace_back(key_, std::forward<T>(value)).second;
  }

  /// A number ends where the next character has been read, which may be a line end.
  template <class T>
  bool add_number(T value) {
    return add(value, 1) != nullptr;
  }

  void note(std::ptrdiff_t read_ahead) {
    if (target_ != nullptr && found == nullptr && path_ == *target_) found = *seen_ - read_ahead;
  }

  bool push(Json* container) {
    if (stack_.size() == max_json_depth) {
      problem = "nested deeper than " + std::to_string(max_json_depth) + " levels";
      return false;
    }
    stack_.push_back(container);
    names_.emplace_back();
    path_.emplace_back();
    return true;
  }

  bool pop() {
    stack_.pop_back();
    names_.pop_back();
    path_.pop_back();
    return true;
  }

  const char* const* seen_;
  const JsonPath* target_;
  std::vector<Json*> stack_;
  std::vector<std::unordered_set<std::string>> names_;  // of the members of each open container
  JsonPath path_;
  std::string key_;
};

std::size_t line_of(std::string_view text, const char* at) {
  const auto end = text.begin() + std::min<std::ptrdiff_t>(at - text.data(), std::ssize(text));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

struct Parsed {
  Json root;
  std::string problem;
  const char* at;
  bool found;
};

Parsed run(std::string_view text, const JsonPath* target) {
  const char* seen = text.data();
  Handler handler(&seen, target);
  const char* end = text.data() + text.size();
  const bool ok = Json::sax_parse(CountingIterator(text.data(), &seen), CountingIterator(end, &seen), &handler);
  if (!ok && handler.problem.empty()) handler.problem = "not JSON";
  return {std::move(handler.root), std::move(handler.problem), handler.found != nullptr ? handler.found : seen,
          handler.found != nullptr};
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, std::string origin, Status status)
    : text_(text), origin_(std::move(origin)), status_(status) {
  // An empty view may have no address at all, which the counting of lines needs.
  if (text_.empty()) text_ = std::string_view("");
  Parsed parsed = run(text_, nullptr);
  if (!parsed.problem.empty()) {
    const auto line = line_of(text_, parsed.at);
    throw Error(status_, origin_ + ":" + std::to_string(line) + ": " + parsed.problem,
                static_cast<std::uint64_t>(parsed.at - text_.data()));
  }
  root_ = std::move(parsed.root);
}

void JsonDocument::fail(const JsonPath& path, const std::string& what) const {
  const char* at = path.empty() ? text_.data() : run(text_, &path).at;
  throw Error(status_, origin_ + ":" + std::to_string(line_of(text_, at)) + ": " + what);
}

std::size_t line_in_json(std::string_view text, std::vector<std::string> path) {
  if (text.empty()) return 1;
  for (; !path.empty(); path.pop_back())
    if (const Parsed parsed = run(text, &path); parsed.found) return line_of(text, parsed.at);
  const auto first = text.find_first_not_of(" \t\r\n");
  return line_of(text, text.data() + (first == text.npos ? 0 : first));
}

const char* json_kind(const Json& value) noexcept {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::boolean:
      return "a truth value";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return "an integer";
    case Json::value_t::number_float:
      return "a number";
    default:
      return "something else";
  }
}

std::string path_text(const JsonPath& path) {
  std::string text;
  for (const auto& part : path) {
    const bool index =
        !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (index)
      text += "[" + part + "]";
    else
      text += (text.empty() ? "" : ".") + part;
  }
  return text;
}

JsonObject::JsonObject(const JsonDocument& document, const Json& value, JsonPath path, std::vector<std::string> keys)
    : document_(document), value_(value), path_(std::move(path)) {
  if (!value_.is_object()) {
    const std::string name = path_.empty() ? "the document" : "'" + path_text(path_) + "'";
    document_.fail(path_, name + " must be an object, not " + json_kind(value_));
  }
  for (const auto& [key, unused] : value_.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      document_.fail(at(key), "unknown key '" + path_text(at(key)) + "'" + did_you_mean(key, keys));
  }
}

const Json* JsonObject::find(const char* key) const {
  const auto at = value_.find(key);
  return at == value_.end() ? nullptr : &*at;
}

const Json& JsonObject::need(const char* key) const {
  if (const Json* value = find(key)) return *value;
  fail({}, "the key '" + path_text(at(key)) + "' is missing");
}

void JsonObject::wrong_type(std::string_view key, const char* wanted, const Json& found) const {
  fail(key, "'" + path_text(at(key)) + "' must be " + wanted + ", not " + json_kind(found));
}

std::optional<std::string> JsonObject::find_text(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) wrong_type(key, "a text", *value);
  return value->get<std::string>();
}

std::string JsonObject::text(const char* key) const {
  return need(key), *find_text(key);
}

std::optional<bool> JsonObject::find_truth(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) wrong_type(key, "true or false", *value);
  return value->get<bool>();
}

bool JsonObject::truth(const char* key) const {
  return need(key), *find_truth(key);
}

std::optional<std::uint64_t> JsonObject::find_count(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number_unsigned()) wrong_type(key, "a whole number of at least 0", *value);
  return value->get<std::uint64_t>();
}

std::uint64_t JsonObject::count(const char* key) const {
  return need(key), *find_count(key);
}

const Json* JsonObject::find_list(const char* key) const {
  const Json* value = find(key);
  if (value != nullptr && !value->is_array()) wrong_type(key, "a list", *value);
  return value;
}

const Json* JsonObject::find_map(const char* key) const {
  const Json* value = find(key);
  if (value != nullptr && !value->is_object()) wrong_type(key, "an object", *value);
  return value;
}

std::vector<std::string> JsonObject::texts(const char* key) const {
  std::vector<std::string> all;
  const Json* list = find_list(key);
  if (list == nullptr) return all;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& item = (*list)[i];
    if (!item.is_string())
      document_.fail(at(key, i), "'" + path_text(at(key, i)) + "' must be a text, not " + json_kind(item));
    all.push_back(item.get<std::string>());
  }
  return all;
}

JsonPath JsonObject::at(std::string_view key) const {
  JsonPath path = path_;
  path.emplace_back(key);
  return path;
}

JsonPath JsonObject::at(std::string_view key, std::size_t index) const {
  JsonPath path = at(key);
  path.push_back(std::to_string(index));
  return path;
}

void JsonObject::fail(std::string_view key, const std::string& what) const {
  document_.fail(key.empty() ? path_ : at(key), what);
}

}  // namespace polycodec

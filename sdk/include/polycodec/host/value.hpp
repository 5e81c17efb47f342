// SPDX-License-Identifier: MIT
// Values. A program includes polycodec.hpp.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/detail/hex.hpp>
#include <polycodec/host/source_sink.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace polycodec {
inline namespace host {

class Frames;

/// How a value is printed as JSON.
struct TextOptions {
  bool plain = false;        ///< without types
  bool exact = false;        ///< with marks of how it is stored: reads back bit for bit
  std::uint32_t indent = 0;  ///< spaces for each level; 0: all on one line
  std::uint32_t width = 0;   ///< with indent: columns of a line of numbers; 0: 100
};

/// Where two values differ first.
struct Difference {
  std::string path, reason;
};

/// When two values are equal; see polycodec_compare_options.
struct CompareOptions {
  std::uint32_t flags = 0;            ///< POLYCODEC_COMPARE_*
  double absolute = 0, relative = 0;  ///< with max_groups
  std::uint64_t max_groups = 0;       ///< 0: the first difference alone is looked for
};

/// A value: a tree of nodes and columnar arrays (docs/value-model.md), which never changes once it
/// is made. It keeps all that it views. Counted: copies share it, on any thread.
///
/// Views of a value live as long as a Value of it, so a value that nobody names gives none.
class Value
    : public border::Counted<polycodec_value, polycodec_value_retain, polycodec_value_release> {
 public:
  using Counted::Counted;

  // -- reading --
  /// The root; null for a null handle.
  View view() const& noexcept {
    const polycodec_node* const root = this->root();
    return root != nullptr ? View(root) : View();
  }
  View view() const&& = delete;
  operator View() const& noexcept { return view(); }
  operator View() const&& = delete;
  /// The root as the structs of abi.h; null for a null handle.
  const polycodec_node* root() const& noexcept { return polycodec_value_root(raw()); }
  const polycodec_node* root() const&& = delete;
  /// The member or column, item or part at a path: `vertex.x`, `list[3]`, `["any key"]`. Throws
  /// Status::not_found with the known names, and Status::option for text that is not a path.
  View find(std::string_view path) const& {
    const polycodec_item found = found_at(path);
    if (found.node != nullptr) return View(found.node);
    if (found.array == nullptr) return View();
    return found.index == POLYCODEC_WHOLE ? View(*found.array)
                                          : View(*found.array).child(found.index);
  }
  View find(std::string_view path) const&& = delete;
  /// True if a projection may have left out parts.
  bool is_partial() const noexcept { return polycodec_value_is_partial(raw()) != 0; }

  /// A copy of the numbers at a path, however they are stored, as T; see polycodec_value_numbers. A
  /// name is taken of each item of a list. `present` (or null) gets 1, or 0 for an item that is
  /// missing. Throws Status::range for a number that is not exactly a T and for a missing item
  /// without `present`, Status::type for what is not a number, and Status::not_found.
  template <class T>
  std::vector<T> numbers(std::string_view path = "$",
                         std::vector<std::uint8_t>* present = nullptr) const {
    static_assert(dtype_of<T> != POLYCODEC_DTYPE_NONE && !std::same_as<T, bool>);
    return copied<T>(present,
                     [&](T* to, std::uint64_t capacity, std::uint8_t* is, std::uint64_t* n) {
                       border::call(polycodec_value_numbers, raw(), to_bytes(path), dtype_of<T>, to,
                                    capacity, is, n);
                     });
  }
  /// The same of times (since 1970) and durations as counts of `unit`, a polycodec_unit.
  std::vector<std::int64_t> times(std::string_view path, std::uint32_t unit,
                                  std::vector<std::uint8_t>* present = nullptr) const {
    return copied<std::int64_t>(
        present, [&](std::int64_t* to, std::uint64_t capacity, std::uint8_t* is, std::uint64_t* n) {
          border::call(polycodec_value_times, raw(), to_bytes(path), unit, to, capacity, is, n);
        });
  }
  /// The same of strings, as UTF-8.
  std::vector<std::string> texts(std::string_view path,
                                 std::vector<std::uint8_t>* present = nullptr) const {
    Sink out = Sink::contiguous();
    const auto ends = copied<std::uint64_t>(present, [&](std::uint64_t* to, std::uint64_t capacity,
                                                         std::uint8_t* is, std::uint64_t* n) {
      out.reset();
      border::call(polycodec_value_texts, raw(), to_bytes(path), out.raw(), to, capacity, is, n);
    });
    const std::string_view all = out.bytes();
    std::vector<std::string> texts;
    texts.reserve(ends.size());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      texts.emplace_back(all.substr(begin, end - begin));
      begin = end;
    }
    return texts;
  }

  // -- text, type, comparison --
  /// As typed JSON (docs/text-notation.md), or plain JSON; of a part, which is any node or array of
  /// the value or an item as polycodec_value_find() gives it, or of all.
  std::string text(TextOptions options = {}, const polycodec_item* part = nullptr) const {
    return border::text_of([&](polycodec_sink* out) { print_to(out, options, part); });
  }
  /// Writes that text to a sink, which takes less time where it is long.
  void print(const Sink& out, TextOptions options = {},
             const polycodec_item* part = nullptr) const {
    print_to(out.raw(), options, part);
  }
  /// The type, such as `3 * float64` (docs/type-notation.md); `part` as in text().
  std::string type(const polycodec_item* part = nullptr) const {
    return border::text_of(
        [&](polycodec_sink* out) { border::call(polycodec_value_type, raw(), part, out); });
  }
  /// Where the values differ first; nothing if they are equal. `flags`: POLYCODEC_COMPARE_*.
  std::optional<Difference> difference(const Value& other, std::uint32_t flags = 0) const {
    std::uint64_t n = 0;
    const std::string text =
        border::text_of([&](polycodec_sink* out) { compare(other, {.flags = flags}, n, out); });
    if (n == 0) return std::nullopt;
    const Value found = parse(text);
    const View first = found.find("groups[0].first[0]");
    return Difference{std::string(first["path"].as_string()),
                      std::string(first["reason"].as_string())};
  }
  /// {"count", "groups"}; see polycodec_value_compare.
  Value differences(const Value& other, const CompareOptions& options) const {
    std::uint64_t n = 0;
    return parse(border::text_of([&](polycodec_sink* out) { compare(other, options, n, out); }));
  }
  /// True if there are none.
  bool equals(const Value& other, const CompareOptions& options = {}) const {
    std::uint64_t n = 0;
    compare(other, options, n, nullptr);
    return n == 0;
  }

  // -- parts --
  /// The part at a path as a value of its own, of a list or an array up to `n` items from `first`
  /// on. It keeps this one, which it views.
  Value part(std::string_view path, std::uint64_t first = 0, std::uint64_t n = UINT64_MAX) const {
    return part(found_at(path), first, n);
  }
  /// The same of a node or an array of this value, or of an item of one; see items.h.
  Value part(const polycodec_item& item, std::uint64_t first = 0,
             std::uint64_t n = UINT64_MAX) const {
    return border::make<Value>(polycodec_value_part, raw(), &item, first, n);
  }
  /// Up to `n` items of an array of this value from `first` on; `array` as find() gives it.
  Value rows(const View& array, std::uint64_t first = 0, std::uint64_t n = UINT64_MAX) const {
    return part(item_of(array, POLYCODEC_WHOLE), first, n);
  }
  /// Item `i` of an array of this value: a list as an array, a row as an object. Throws
  /// Status::not_found.
  Value item(const View& array, std::uint64_t i) const { return part(item_of(array, i)); }
  /// A budget for walks of the program's own: as large as that of the library's.
  Budget budget(const Limits& limits = {}, const std::uint8_t* cancel = nullptr) const {
    polycodec_budget* made = nullptr;
    border::call(polycodec_budget_create, nullptr, raw(), limits.raw(), cancel, &made);
    return Budget(made);
  }

  // -- making --
  /// Of typed JSON or plain JSON, or with a type the JSON of a value of it, whose names `registry`
  /// (or null) knows. Nothing views the text.
  static Value parse(std::string_view text, std::string_view type = {},
                     const Registry* registry = nullptr);
  /// The value whose root make(Builder&) returns; see polycodec/builder.hpp. It lies in the arena
  /// of the Builder, which copies text and bytes (`*_copy`) or adopts them, and may refer to nodes
  /// of `kept`. At most `max_memory` bytes; 0: no bound. Throws Status::invalid with path and rule
  /// for what is not a value, or views other memory.
  template <class Make>
  requires std::is_invocable_r_v<Node, Make, Builder&>
  static Value build(Make&& make, std::initializer_list<Value> kept = {},
                     std::uint64_t max_memory = 0);
  /// A null value for Codec::decode_into().
  static Value reusable() {
    Value made;
    polycodec_arena* arena = nullptr;
    border::call(polycodec_value_create, std::uint64_t{0}, border::Place::of(made), &arena);
    return made;
  }

  // -- Arrow and DLPack (docs/arrow.md) --
  /// Hands the value, or the part at `path`, to an Arrow consumer, who calls the release functions.
  /// `flags`: POLYCODEC_EXCHANGE_*. Where this throws, all are marked as released.
  void to_arrow(ArrowSchema* schema, ArrowArray* array, std::string_view path = "$",
                std::uint32_t flags = 0) const {
    auto to = border::empty<polycodec_exchange>();
    to.flags = flags;
    to.schema = schema;
    to.array = array;
    export_to(to, path);
  }
  /// The same as a stream of one batch: a list of records gives its columns.
  void to_arrow(ArrowArrayStream* stream, std::string_view path = "$",
                std::uint32_t flags = 0) const {
    auto to = border::empty<polycodec_exchange>();
    to.flags = flags;
    to.stream = stream;
    export_to(to, path);
  }
  /// Takes an array or a stream from an Arrow producer: the structs are moved from, also where this
  /// throws.
  static Value from_arrow(ArrowSchema* schema, ArrowArray* array, const Limits& limits = {}) {
    auto from = border::empty<polycodec_exchange>();
    from.schema = schema;
    from.array = array;
    return import_from(from, limits);
  }
  static Value from_arrow(ArrowArrayStream* stream, const Limits& limits = {}) {
    auto from = border::empty<polycodec_exchange>();
    from.stream = stream;
    return import_from(from, limits);
  }
  /// Hands an n-d array of numbers of this value, as find() gives it, to a DLPack consumer, who
  /// calls its deleter. Tensor: DLManagedTensor or DLManagedTensorVersioned.
  void to_dlpack(const View& array, DLManagedTensor** tensor) const {
    auto to = border::empty<polycodec_exchange>();
    to.tensor = tensor;
    export_leaf(to, array);
  }
  void to_dlpack(const View& array, DLManagedTensorVersioned** tensor) const {
    auto to = border::empty<polycodec_exchange>();
    to.versioned_tensor = tensor;
    export_leaf(to, array);
  }
  /// Takes a tensor in the memory of the processor, also where this throws.
  static Value from_dlpack(DLManagedTensor* tensor) {
    auto from = border::empty<polycodec_exchange>();
    from.tensor = &tensor;
    return import_from(from, {});
  }
  static Value from_dlpack(DLManagedTensorVersioned* tensor) {
    auto from = border::empty<polycodec_exchange>();
    from.versioned_tensor = &tensor;
    return import_from(from, {});
  }

 private:
  static polycodec_item item_of(const View& array, std::uint64_t index) {
    if (array.array() == nullptr) throw Error(Status::invalid, "the view is not of an array");
    return {nullptr, array.array(), index};
  }
  polycodec_item found_at(std::string_view path) const {
    polycodec_item found{};
    border::call(polycodec_value_find, raw(), to_bytes(path), &found);
    return found;
  }
  void print_to(polycodec_sink* out, const TextOptions& options, const polycodec_item* part) const {
    auto how = border::empty<polycodec_text_options>();
    how.flags =
        (options.plain ? POLYCODEC_TEXT_PLAIN : 0u) | (options.exact ? POLYCODEC_TEXT_EXACT : 0u);
    how.indent = options.indent;
    how.width = options.width;
    border::call(polycodec_value_print, raw(), part, &how, out);
  }
  void compare(const Value& other, const CompareOptions& options, std::uint64_t& n,
               polycodec_sink* out) const {
    auto how = border::empty<polycodec_compare_options>();
    how.flags = options.flags;
    how.absolute = options.absolute;
    how.relative = options.relative;
    how.max_groups = options.max_groups;
    border::call(polycodec_value_compare, raw(), other.raw(), &how, &n, out);
  }
  void export_to(const polycodec_exchange& to, std::string_view path) const {
    if (path == "$") return border::call(polycodec_value_export, raw(), nullptr, &to);
    const polycodec_item part = found_at(path);
    border::call(polycodec_value_export, raw(), &part, &to);
  }
  void export_leaf(const polycodec_exchange& to, const View& array) const {
    const polycodec_item leaf = item_of(array, POLYCODEC_WHOLE);
    border::call(polycodec_value_export, raw(), &leaf, &to);
  }
  static Value import_from(const polycodec_exchange& from, const Limits& limits) {
    return border::make<Value>(polycodec_value_import, &from, limits.raw());
  }
  template <class T, class Copy>
  static std::vector<T> copied(std::vector<std::uint8_t>* present, const Copy& copy) {
    std::vector<T> all;
    std::uint64_t n = 0;
    std::vector<std::uint8_t> is(1);
    copy(nullptr, 0, present == nullptr ? nullptr : is.data(), &n);
    all.resize(static_cast<std::size_t>(n));
    if (present != nullptr) is.resize(all.size());
    if (n != 0) copy(all.data(), n, present == nullptr ? nullptr : is.data(), &n);
    if (present != nullptr) *present = std::move(is);
    return all;
  }
};

/// A value that is made in steps, where Value::build() is not enough, or, if it is never finished,
/// memory for what a Builder makes beside values, such as the numbers of a Mesh. For one thread.
class Draft {
 public:
  /// At most `max_memory` bytes; 0: no bound.
  explicit Draft(std::uint64_t max_memory = 0) {
    polycodec_arena* arena = nullptr;
    border::call(polycodec_value_create, max_memory, border::Place::of(value_), &arena);
    out_ = Builder(arena);
  }
  /// Makes nodes in the arena of the value; lives as long as this.
  Builder& out() noexcept { return out_; }
  /// Makes the value keep `other`, whose nodes it may then refer to.
  void keep(const Value& other) { border::call(polycodec_value_keep, value_.raw(), other.raw()); }
  /// The value, checked as by Value::build(), after which this is done.
  Value finish(const Node& root) {
    border::call(polycodec_value_finish, value_.raw(), out_.root(root));
    return std::move(value_);
  }

 private:
  Value value_;
  Builder out_{static_cast<polycodec_arena*>(nullptr)};
};

template <class Make>
requires std::is_invocable_r_v<Node, Make, Builder&> Value
Value::build(Make&& make, std::initializer_list<Value> kept, std::uint64_t max_memory) {
  Draft draft(max_memory);
  for (const Value& other : kept) draft.keep(other);
  const Node root = std::forward<Make>(make)(draft.out());
  return draft.finish(root);
}

/// The path of a member of the part that `path` names: `path.name`, or `path["any key"]`, for
/// find(). Those of path.hpp are for messages, and cut.
inline std::string member_path(std::string_view path, std::string_view name) {
  constexpr std::string_view plain =
      "_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string made(path);
  if (!name.empty() && name.find_first_not_of(plain) == name.npos)
    return made.append(1, '.').append(name);
  made += "[\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') made += '\\';
    if (byte >= 0x20)
      made += c;
    else
      append_hex(made += "\\u", byte, 4);
  }
  return made += "\"]";
}

/// A value in pieces for a wire: a header, and its buffers as they are (docs/frames.md). Keeps the
/// value.
class Frames : public border::Owned<polycodec_message, polycodec_message_free> {
 public:
  using Owned::Owned;
  explicit Frames(const Value& value) {
    border::call(polycodec_value_to_frames, value.raw(), border::Place::of(*this));
    border::call(polycodec_message_part, raw(), std::uint64_t{0}, &first_, &n_);
  }
  /// The pieces, the header first; they live as long as this.
  std::span<const polycodec_bytes> pieces() const& noexcept {
    return {first_, static_cast<std::size_t>(n_)};
  }
  std::span<const polycodec_bytes> pieces() const&& = delete;
  /// The value of pieces, which it views and `owner` keeps. They are checked as any input.
  /// `changing`: others may write to them.
  static Value join(std::span<const polycodec_bytes> pieces, std::shared_ptr<const void> owner,
                    bool changing = false, const Limits& limits = {}) {
    using Owner = std::shared_ptr<const void>;
    auto kept = std::make_unique<Owner>(std::move(owner));
    return border::make<Value>(
        polycodec_value_from_frames, pieces.data(), std::uint64_t{pieces.size()},
        changing ? POLYCODEC_SOURCE_CHANGING : 0u, static_cast<void*>(kept.release()),
        &border::give_back<Owner>, limits.raw());
  }

 private:
  const polycodec_bytes* first_ = nullptr;
  std::uint64_t n_ = 0;
};

/// A type of docs/type-notation.md.
class Type {
 public:
  /// Reads a type, whose names `registry` (or null) knows. `flags`: POLYCODEC_TYPE_*. Throws
  /// Status::malformed.
  explicit Type(std::string_view notation, const Registry* registry = nullptr,
                std::uint32_t flags = 0);
  /// The canonical text.
  std::string text() const { return std::string(description().find("type")->as_string()); }
  /// True if nothing of it is left open.
  bool is_concrete() const { return description()["concrete"].as_bool(); }
  /// The word for its kind, such as "list".
  std::string kind() const { return std::string(description()["kind"].as_string()); }
  /// All that there is to know; see polycodec_type_describe. Lives as long as this.
  View description() const& noexcept { return description_.view(); }
  View description() const&& = delete;

 private:
  Value description_;
};

/// Checks that `root` is a value of at most `limits`, and that all of it lies in `regions` unless
/// there are none. Throws Status::invalid with path and rule, and Status::limit.
inline void check_node(const polycodec_node* root, const Limits& limits = {},
                       std::span<const polycodec_bytes> regions = {}) {
  border::call(polycodec_node_check, root, limits.raw(), regions.data(),
               std::uint64_t{regions.size()});
}

}  // namespace host
}  // namespace polycodec

// SPDX-License-Identifier: MIT
// A type in datashape notation as an immutable tree. build.hpp makes types, parse.hpp reads and
// print.hpp writes them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polycodec::type {

/// What a type is. The comment shows the notation; the words of the last group are not part of
/// DyND's grammar.
enum class Kind : std::uint8_t {
  scalar,         // bool int8 .. float128 complex[float64]: see Type::dtype()
  string,         // string
  character,      // char char['ascii']
  bytes,          // bytes bytes[align=4]
  fixed_bytes,    // fixed_bytes[16] fixed_bytes[16, align=8]
  fixed_string,   // fixed_string[8] fixed_string[8, 'utf16']
  void_type,      // void
  type_type,      // type: values are types
  fixed_dim,      // 3 * T
  var_dim,        // var * T
  any_fixed_dim,  // Fixed * T
  any_dim,        // Dim * T
  variable_dim,   // N * T
  ellipsis_dim,   // A... * T, ... * T
  power_dim,      // 3**N * T: N repetitions, N not a number
  record,         // {x: T, y: U, ...}
  tuple,          // (T, U, ...)
  option,         // ?T
  pointer,        // pointer[T]
  array,          // array[T]: type and value together; T is a pattern
  callable,       // (T, ..., k: U) -> R
  variable,       // T
  constructed,    // T[U]
  kind,  // Any Scalar Bool Int UInt Float Complex Bytes FixedBytes String FixedString Categorical
         // State
  null,  // null: only the missing value
  any,   // any: the type is known only beside each value
  datetime,    // datetime datetime[unit='ns']
  timedelta,   // timedelta timedelta[unit='s']
  union_type,  // union[T, U]
  map,         // map[K, V]
  annotated,   // annotated[T, units='cm']
  extension,   // extension['name', T]
  indexed,     // indexed[T]: rows chosen by an index, such as a dictionary
};

/// Encodings of char and fixed_string.
enum class Encoding : std::uint8_t { ascii, utf8, utf16, utf32, ucs2 };

/// The value of an annotation. Floating values are finite.
using AnnotationValue = std::variant<std::string, std::int64_t, double>;

/// One `key=value` of an annotated type. Keys and strings are UTF-8.
struct Annotation {
  std::string key;
  AnnotationValue value;
  bool operator==(const Annotation&) const = default;
};

class Type;

namespace detail {

struct Node {
  Kind kind = Kind::void_type;
  std::uint8_t dtype = POLYCODEC_DTYPE_NONE;
  std::uint8_t unit = POLYCODEC_UNIT_NONE;
  std::uint8_t align = 0;
  Encoding encoding = Encoding::utf8;
  Kind base = Kind::void_type;
  bool variadic = false;
  bool keyword_variadic = false;
  std::uint64_t size = 0;
  std::string name{};
  std::string base_name{};
  std::vector<Type> items;
  std::vector<std::string> names{};
  std::vector<Annotation> annotations{};
  // What seal() works out.
  bool concrete = true;
  std::uint32_t depth = 1;
  std::uint32_t nodes = 1;
  std::size_t hash = 0;
};

Type seal(Node&& node);
const Node& void_node() noexcept;
const Type& void_type() noexcept;

}  // namespace detail

/// An immutable type. Copies share one tree and cost a reference count; reading one from several
/// threads is safe. A default-constructed or moved-from Type is `void`. The builders keep every
/// tree at most `max_depth` deep and `max_nodes` large, so that algorithms may recurse over one,
/// and so may its destructor. The views that the accessors return live as long as this Type or a
/// copy of it.
class Type {
 public:
  static constexpr std::uint32_t max_depth = 512;
  static constexpr std::uint32_t max_nodes = 1u << 20;

  Type() noexcept = default;

  Kind kind() const noexcept { return node().kind; }
  bool is(Kind k) const noexcept { return kind() == k; }
  /// True for the kinds that are written `dim * T`; their element() is T.
  bool is_dim() const noexcept { return kind() >= Kind::fixed_dim && kind() <= Kind::power_dim; }

  /// The element type of a scalar; POLYCODEC_DTYPE_NONE for every other kind.
  polycodec_dtype dtype() const noexcept { return static_cast<polycodec_dtype>(node().dtype); }
  /// fixed_dim: its length; fixed_bytes: bytes; fixed_string: code units; power_dim: length of a
  /// fixed base; else 0.
  std::uint64_t size() const noexcept { return node().size; }
  /// Alignment of bytes and fixed_bytes, 1 where none is written; 0 for every other kind.
  std::uint32_t align() const noexcept { return node().align; }
  /// The encoding of char (utf32 where none is written) and fixed_string (utf8).
  Encoding encoding() const noexcept { return node().encoding; }
  /// The unit of datetime and timedelta; POLYCODEC_UNIT_NONE where none is written, and for every
  /// other kind.
  polycodec_time_unit unit() const noexcept {
    return static_cast<polycodec_time_unit>(node().unit);
  }
  /// variable, constructed, variable_dim: its name; ellipsis_dim: its name or ""; power_dim: the
  /// exponent; kind: the word; extension: its name; "" for every other kind.
  std::string_view name() const noexcept { return node().name; }
  /// power_dim: fixed_dim, var_dim, any_fixed_dim, any_dim or variable_dim; void_type for every
  /// other kind.
  Kind base() const noexcept { return node().base; }
  /// power_dim over a dimension variable: the variable's name.
  std::string_view base_name() const noexcept { return node().base_name; }

  /// The types inside, in the order they are written; of a callable the positional arguments, then
  /// the keyword arguments, then the result; of a map key and value.
  std::span<const Type> items() const noexcept { return node().items; }
  /// The type inside a dimension, option, pointer, array, constructed, annotated, extension or
  /// indexed type: the first of items(). `void` for a type with nothing inside.
  const Type& element() const noexcept {
    return node().items.empty() ? detail::void_type() : node().items.front();
  }
  /// record: field names, one an item; callable: names of the keyword arguments. UTF-8.
  std::span<const std::string> names() const noexcept { return node().names; }
  /// The index of a field (record) or keyword (callable) by name.
  std::optional<std::size_t> find(std::string_view name) const noexcept {
    const auto all = names();
    const auto at = std::find(all.begin(), all.end(), name);
    return at == all.end() ? std::nullopt
                           : std::optional(static_cast<std::size_t>(at - all.begin()));
  }
  /// record, tuple: ends with `...`; callable: `...` is after the positional arguments.
  bool variadic() const noexcept { return node().variadic; }
  /// callable: `...` is after the keyword arguments.
  bool keyword_variadic() const noexcept { return node().keyword_variadic; }
  /// The parts of a callable; empty and void for every other kind.
  std::span<const Type> positional() const noexcept {
    return is(Kind::callable) ? items().first(items().size() - 1 - names().size())
                              : std::span<const Type>();
  }
  std::span<const Type> keywords() const noexcept {
    return is(Kind::callable) ? items().subspan(items().size() - 1 - names().size(), names().size())
                              : std::span<const Type>();
  }
  const Type& result() const noexcept {
    return is(Kind::callable) ? items().back() : detail::void_type();
  }
  /// The annotations of an annotated type, in order.
  std::span<const Annotation> annotations() const noexcept { return node().annotations; }

  /// True if a value can have exactly this type: no kind word, type or dimension variable, Fixed,
  /// Dim, ellipsis, power, variadic marker or callable anywhere, except inside array[...], whose
  /// argument is a pattern. O(1).
  bool is_concrete() const noexcept { return node().concrete; }
  /// Levels of nesting: 1 for a type with nothing inside. Each dimension is a level. O(1).
  std::uint32_t depth() const noexcept { return node().depth; }
  /// Number of types in the tree, itself included. O(1).
  std::uint32_t nodes() const noexcept { return node().nodes; }
  /// Equal types have equal hashes, within one process. O(1).
  std::size_t hash() const noexcept { return node().hash; }

  /// Structural equality: the same canonical text.
  friend bool operator==(const Type& a,
                         const Type& b) noexcept;  // NOLINT(bugprone-exception-escape)

 private:
  friend Type detail::seal(detail::Node&& node);
  const detail::Node& node() const noexcept { return node_ ? *node_ : detail::void_node(); }
  std::shared_ptr<const detail::Node> node_;
};

namespace detail {

inline void mix(std::size_t& hash, std::uint64_t value) noexcept {
  std::uint64_t h = (static_cast<std::uint64_t>(hash) ^ value) * 0x9e3779b97f4a7c15u;
  hash = static_cast<std::size_t>(h ^ (h >> 32));
}

inline bool is_symbolic(const Node& node) noexcept {
  switch (node.kind) {
    case Kind::any_fixed_dim:
    case Kind::any_dim:
    case Kind::variable_dim:
    case Kind::ellipsis_dim:
    case Kind::power_dim:
    case Kind::callable:
    case Kind::variable:
    case Kind::constructed:
    case Kind::kind:
      return true;
    default:
      return node.variadic;
  }
}

/// Makes a Type of a node whose own fields are valid. Throws Error(limit) if the tree grows past
/// the bounds of Type.
inline Type seal(Node&& node) {
  std::uint64_t nodes = 1;
  std::uint32_t depth = 0;
  bool concrete = !is_symbolic(node);
  std::size_t hash = 0;
  const std::hash<std::string_view> text_hash;
  mix(hash, static_cast<std::uint64_t>(node.kind) | std::uint64_t{node.dtype} << 8 |
                std::uint64_t{node.unit} << 16 | std::uint64_t{node.align} << 24 |
                static_cast<std::uint64_t>(node.encoding) << 32 |
                static_cast<std::uint64_t>(node.base) << 40 | std::uint64_t{node.variadic} << 48 |
                std::uint64_t{node.keyword_variadic} << 49);
  mix(hash, node.size);
  mix(hash, text_hash(node.name));
  mix(hash, text_hash(node.base_name));
  for (const Type& item : node.items) {
    nodes += item.nodes();
    depth = std::max(depth, item.depth());
    concrete = concrete && (item.is_concrete() || node.kind == Kind::array);
    mix(hash, item.hash());
  }
  for (const std::string& name : node.names) mix(hash, text_hash(name));
  for (const Annotation& annotation : node.annotations) mix(hash, text_hash(annotation.key));
  if (depth >= Type::max_depth)
    throw Error(Status::limit,
                "a type cannot nest deeper than " + std::to_string(Type::max_depth) + " levels")
        .detail("type.limit");
  if (nodes > Type::max_nodes)
    throw Error(Status::limit,
                "a type cannot have more than " + std::to_string(Type::max_nodes) + " parts")
        .detail("type.limit");
  node.nodes = static_cast<std::uint32_t>(nodes);
  node.depth = depth + 1;
  node.concrete = concrete;
  node.hash = hash;
  Type type;
  type.node_ = std::make_shared<const Node>(std::move(node));
  return type;
}

inline const Node& void_node() noexcept {
  static const Node node;
  return node;
}

inline const Type& void_type() noexcept {
  static const Type type;
  return type;
}

}  // namespace detail

// Annotations are variants, whose comparison could throw only if one had lost its value, which no
// Type lets happen. NOLINTNEXTLINE(bugprone-exception-escape)
inline bool operator==(const Type& a, const Type& b) noexcept {
  const detail::Node& x = a.node();
  const detail::Node& y = b.node();
  if (&x == &y) return true;
  return x.hash == y.hash && x.kind == y.kind && x.nodes == y.nodes && x.dtype == y.dtype &&
         x.unit == y.unit && x.align == y.align && x.encoding == y.encoding && x.base == y.base &&
         x.variadic == y.variadic && x.keyword_variadic == y.keyword_variadic && x.size == y.size &&
         x.name == y.name && x.base_name == y.base_name && x.names == y.names &&
         x.annotations == y.annotations && x.items == y.items;
}

}  // namespace polycodec::type

template <>
struct std::hash<polycodec::type::Type> {
  std::size_t operator()(const polycodec::type::Type& type) const noexcept { return type.hash(); }
};

// SPDX-License-Identifier: MIT
#include "changes.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "case.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace polycodec::kit {
namespace {

// Without a name of its own: "none", for the empty set.
constexpr Change changes[] = {
    {"number-width", "numbers come back in another width or signedness, with the same value"},
    {"nan-bits", "the payload and sign of a NaN are not kept"},
    {"tuple-as-list", "tuples come back as lists"},
    {"list-as-tuple", "lists whose items have no type in common come back as tuples"},
    {"stand-ins",
     "maps, extensions, members of unions and times come back as records like {\"$map\": ..} that "
     "stand for them"},
    {"string-as-bytes", "strings come back as bytes"},
    {"bytes-as-string", "bytes come back as strings"},
    {"object-as-map", "objects come back as maps"},
    {"map-as-object", "maps come back as objects"},
    {"member-order", "members of objects come back in another order"},
    {"drops-attributes", "attributes are not kept"},
    {"follows-references", "a reference comes back as what it refers to"},
    {"unwraps-variants", "a member of a union comes back as itself"},
    {"time-unit", "times come back with another declared resolution"},
};

std::optional<unsigned> index_of(std::string_view name) {
  for (unsigned i = 0; i < std::size(changes); ++i)
    if (changes[i].name == name) return i;
  return std::nullopt;
}

// -- numbers of two widths ------------------------------------------------------------------------

struct Bits {
  explicit Bits(const View& item) : size(item.copy_bits(bytes)) {}
  std::byte bytes[16] = {};
  std::uint32_t size;
};

/// An integer of any width in 128 bits, the low ones first.
struct Whole {
  bool negative;
  std::uint64_t low, high;
  friend bool operator==(const Whole&, const Whole&) = default;
};

Whole whole_of(const View& item) {
  const Bits bits(item);
  const std::byte* const p = bits.bytes;
  if (bits.size == 16) {
    constexpr std::size_t low_at = std::endian::native == std::endian::little ? 0 : 8;
    const auto low = load<std::uint64_t>(p + low_at, std::endian::native);
    const auto high = load<std::uint64_t>(p + 8 - low_at, std::endian::native);
    return {is_signed_integer(item.dtype()) && high >> 63 != 0, low, high};
  }
  if (!is_signed_integer(item.dtype())) return {false, item.as_uint64(), 0};
  const std::int64_t value = item.as_int64();
  return {value < 0, static_cast<std::uint64_t>(value), value < 0 ? UINT64_MAX : 0};
}

/// A float of 2, 4 or 8 bytes, which a double holds.
double real_of(const std::byte* bits, std::size_t size) {
  if (size == 2) return half_to_float(load<std::uint16_t>(bits, std::endian::native));
  if (size == 4) return load<float>(bits, std::endian::native);
  return load<double>(bits, std::endian::native);
}

/// True if `parts` floats are the same. Of the NaNs, the plain one alone has a twin of another
/// width.
bool same_reals(const Bits& a, const Bits& b, std::size_t parts) {
  for (std::size_t i = 0; i < parts; ++i) {
    const double x = real_of(a.bytes + i * (a.size / parts), a.size / parts);
    const double y = real_of(b.bytes + i * (b.size / parts), b.size / parts);
    const auto bits = std::bit_cast<std::uint64_t>(x);
    if (bits != std::bit_cast<std::uint64_t>(y)) return false;
    if (std::isnan(x) && bits != std::uint64_t{0x7ff8} << 48) return false;
  }
  return true;
}

bool same_number(const View& a, const View& b) {
  if (is_integer(a.dtype()) && is_integer(b.dtype())) return whole_of(a) == whole_of(b);
  const Bits x(a), y(b);
  if (a.dtype() == b.dtype()) return std::memcmp(x.bytes, y.bytes, sizeof x.bytes) == 0;
  return same_reals(x, y, is_complex(a.dtype()) ? 2 : 1);
}

class Comparison {
 public:
  explicit Comparison(const ChangeSet& allowed) : allowed_(allowed) {}

  std::string compare(View a, View b, const std::string& path, unsigned depth) const {
    constexpr unsigned too_deep = 1000;
    if (depth > too_deep) return path + ": nested too deep to compare";
    if (allowed_.has("stand-ins") && is_stand_in(a, b)) return {};
    a = seen_through(a);
    b = seen_through(b);
    if (auto why = compare_attributes(a, b, path, depth); !why.empty()) return why;
    if (auto why = compare_columns(a.array(), b.array(), path, depth); !why.empty()) return why;
    if (is_number(a) && is_number(b)) return compare_numbers(a, b, path);
    const polycodec_kind kind = common_kind(a, b);
    if (kind == POLYCODEC_KIND_COUNT)
      return path + ": was " + word(a) + ", came back as " + word(b);
    switch (kind) {
      case POLYCODEC_KIND_STRING:
      case POLYCODEC_KIND_BINARY:
        return text(a) == text(b) ? std::string() : path + ": the text or bytes differ";
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return compare_lists(a, b, path, depth);
      case POLYCODEC_KIND_OBJECT:
        return compare_objects(a, b, path, depth);
      case POLYCODEC_KIND_MAP:
        return compare_maps(a, b, path, depth);
      case POLYCODEC_KIND_EXTENSION:
        if (a.name() != b.name()) return path + ": the extension has another name";
        return compare(a.child(), b.child(), path, depth + 1);
      case POLYCODEC_KIND_UNION:
        if (a.tag() != b.tag()) return path + ": another alternative of the union";
        return compare(a.child(), b.child(), path, depth + 1);
      case POLYCODEC_KIND_REFERENCE:
        return compare(a.target(), b.target(), path, depth + 1);
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return compare_times(a, b, path);
      default:
        return {};
    }
  }

 private:
  static bool is_number(const View& item) {
    return item.is_integer() || item.kind() == POLYCODEC_KIND_FLOAT ||
           item.kind() == POLYCODEC_KIND_WIDE || item.kind() == POLYCODEC_KIND_BOOLEAN;
  }
  static std::string word(const View& item) { return std::string(kind_name(item.kind())); }
  static std::string text(const View& item) {
    std::string scratch;
    return std::string(item.kind() == POLYCODEC_KIND_STRING ? item.as_string(scratch)
                                                            : item.as_bytes());
  }

  View seen_through(View item) const {
    for (unsigned hops = 0; hops < 100; ++hops) {
      if (item.kind() == POLYCODEC_KIND_REFERENCE && allowed_.has("follows-references"))
        item = item.target();
      else if (item.kind() == POLYCODEC_KIND_UNION && allowed_.has("unwraps-variants"))
        item = item.child();
      else
        break;
    }
    return item;
  }

  // True if `b` is a record with one member, named like the `$` forms of typed JSON, in the
  // place of a kind that typed formats have no type for.
  static bool is_stand_in(const View& a, const View& b) {
    switch (a.kind()) {
      case POLYCODEC_KIND_MAP:
      case POLYCODEC_KIND_EXTENSION:
      case POLYCODEC_KIND_UNION:
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return b.kind() == POLYCODEC_KIND_OBJECT && b.size() == 1 && b.name(0).starts_with('$');
      default:
        return false;
    }
  }

  // The kind as which both are compared, or KIND_COUNT if they are of different kinds.
  polycodec_kind common_kind(const View& a, const View& b) const {
    if (a.kind() == b.kind()) return a.kind();
    struct Changed {
      polycodec_kind from, to, as;
      std::string_view change;
    };
    static constexpr Changed all[] = {
        {POLYCODEC_KIND_TUPLE, POLYCODEC_KIND_LIST, POLYCODEC_KIND_LIST, "tuple-as-list"},
        {POLYCODEC_KIND_LIST, POLYCODEC_KIND_TUPLE, POLYCODEC_KIND_LIST, "list-as-tuple"},
        {POLYCODEC_KIND_STRING, POLYCODEC_KIND_BINARY, POLYCODEC_KIND_BINARY, "string-as-bytes"},
        {POLYCODEC_KIND_BINARY, POLYCODEC_KIND_STRING, POLYCODEC_KIND_BINARY, "bytes-as-string"},
        {POLYCODEC_KIND_OBJECT, POLYCODEC_KIND_MAP, POLYCODEC_KIND_MAP, "object-as-map"},
        {POLYCODEC_KIND_MAP, POLYCODEC_KIND_OBJECT, POLYCODEC_KIND_MAP, "map-as-object"},
    };
    for (const Changed& c : all)
      if (a.kind() == c.from && b.kind() == c.to && allowed_.has(c.change)) return c.as;
    return POLYCODEC_KIND_COUNT;
  }

  std::string compare_attributes(const View& a, const View& b, const std::string& path,
                                 unsigned depth) const {
    // Attributes that a decoder adds do not change what the value is.
    if (allowed_.has("drops-attributes") || a.metadata() == nullptr) return {};
    if (b.metadata() == nullptr) return path + ": the attributes are lost";
    return compare(View(a.metadata()), View(b.metadata()), path + "@", depth + 1);
  }

  // The attributes of columns: those of the rows do not show them. Without rows there is no column.
  std::string compare_columns(const polycodec_array* a, const polycodec_array* b,
                              const std::string& path, unsigned depth) const {
    if (allowed_.has("drops-attributes") || a == nullptr || a->names == nullptr || a->length == 0)
      return {};
    const bool is_record = b != nullptr && b->names != nullptr;
    for (std::uint32_t i = 0; i < a->n_children; ++i) {
      const std::string column = path + key_step(to_string_view(a->names[i]));
      const View before(*a->children[i]);
      const polycodec_array* after = nullptr;
      for (std::uint32_t j = 0; is_record && j < b->n_children && after == nullptr; ++j)
        if (to_string_view(a->names[i]) == to_string_view(b->names[j])) after = b->children[j];
      if (before.metadata() != nullptr) {
        if (after == nullptr) return column + ": the attributes are lost";
        if (auto why = compare_attributes(before, View(*after), column, depth); !why.empty())
          return why;
      }
      if (auto why = compare_columns(a->children[i], after, column, depth); !why.empty())
        return why;
    }
    return {};
  }

  std::string compare_numbers(const View& a, const View& b, const std::string& path) const {
    const bool floats = a.kind() == POLYCODEC_KIND_FLOAT && b.kind() == POLYCODEC_KIND_FLOAT;
    if (floats && std::isnan(a.as_double()) && std::isnan(b.as_double()) &&
        allowed_.has("nan-bits"))
      return {};
    const bool widths = (is_integer(a.dtype()) && is_integer(b.dtype())) || floats ||
                        (is_complex(a.dtype()) && is_complex(b.dtype()));
    if (a.dtype() != b.dtype() && !(widths && allowed_.has("number-width")))
      return path + ": was " + std::string(dtype_name(a.dtype())) + ", came back as " +
             std::string(dtype_name(b.dtype()));
    return same_number(a, b) ? std::string() : path + ": the number differs";
  }

  /// The same instant in seconds and nanoseconds, if its unit has a fixed number of seconds.
  static polycodec_time in_seconds(polycodec_time time) {
    const std::int64_t seconds = time.unit == POLYCODEC_UNIT_MINUTE ? 60
                                 : time.unit == POLYCODEC_UNIT_HOUR ? 3600
                                 : time.unit == POLYCODEC_UNIT_DAY  ? 86400
                                 : time.unit == POLYCODEC_UNIT_WEEK ? 604800
                                                                    : 1;
    if (std::int64_t count = 0; !__builtin_mul_overflow(time.count, seconds, &count))
      time.count = count;
    return time;
  }

  std::string compare_times(const View& a, const View& b, const std::string& path) const {
    polycodec_time x = a.as_time();
    polycodec_time y = b.as_time();
    if (x.unit != y.unit) {
      if (!allowed_.has("time-unit")) return path + ": the time has another unit";
      if (a.kind() == POLYCODEC_KIND_TIMESTAMP) x = in_seconds(x), y = in_seconds(y);
    }
    const bool same = x.count == y.count && x.nanoseconds == y.nanoseconds;
    return same ? std::string() : path + ": the time differs";
  }

  std::string compare_lists(const View& a, const View& b, const std::string& path,
                            unsigned depth) const {
    if (a.size() != b.size())
      return path + ": had " + std::to_string(a.size()) + " items, came back with " +
             std::to_string(b.size());
    for (std::uint64_t i = 0; i < a.size(); ++i)
      if (auto why = compare(a.child(i), b.child(i), path + index_step(i), depth + 1); !why.empty())
        return why;
    return {};
  }

  std::string compare_objects(const View& a, const View& b, const std::string& path,
                              unsigned depth) const {
    if (a.size() != b.size())
      return path + ": had " + std::to_string(a.size()) + " members, came back with " +
             std::to_string(b.size());
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      const std::string member = path + key_step(a.name(i));
      std::optional<View> other;
      if (allowed_.has("member-order"))
        other = b.find(a.name(i));
      else if (a.name(i) == b.name(i))
        other = b.child(i);
      if (!other) return member + ": the member is missing, or not in its place";
      if (auto why = compare(a.child(i), *other, member, depth + 1); !why.empty()) return why;
    }
    return {};
  }

  // The key of an entry; a row of a record has only names.
  static std::optional<View> key(const View& item, std::uint64_t i) {
    if (item.node() == nullptr) return std::nullopt;
    return item.key(i);
  }

  std::string compare_maps(const View& a, const View& b, const std::string& path,
                           unsigned depth) const {
    if (a.size() != b.size())
      return path + ": had " + std::to_string(a.size()) + " entries, came back with " +
             std::to_string(b.size());
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      const std::string entry = path + "{" + std::to_string(i) + "}";
      const auto x = key(a, i);
      const auto y = key(b, i);
      if (x && y) {
        if (auto why = compare(*x, *y, entry + " key", depth + 1); !why.empty()) return why;
      } else {
        std::string scratch;
        const auto name = [&](const View& item, const std::optional<View>& k) {
          return std::string(k ? k->as_string(scratch) : item.name(i));
        };
        if (name(a, x) != name(b, y)) return entry + " key: the key differs";
      }
      if (auto why = compare(a.child(i), b.child(i), entry, depth + 1); !why.empty()) return why;
    }
    return {};
  }

  const ChangeSet& allowed_;
};

}  // namespace

std::span<const Change> known_changes() {
  return changes;
}

ChangeSet::ChangeSet(std::span<const std::string> names) {
  if (names.size() == 1 && names[0] == "none") return;
  for (const std::string& name : names) {
    const auto index = index_of(name);
    if (!index) fail("unknown change " + quote(name) + "; `polycodec-kit changes` lists them");
    bits_ |= 1u << *index;
  }
}

ChangeSet ChangeSet::all() noexcept {
  ChangeSet set;
  set.bits_ = (1u << std::size(changes)) - 1;
  return set;
}

ChangeSet ChangeSet::without(std::string_view name) const noexcept {
  ChangeSet set = *this;
  if (const auto index = index_of(name)) set.bits_ &= ~(1u << *index);
  return set;
}

bool ChangeSet::has(std::string_view name) const noexcept {
  const auto index = index_of(name);
  return index && ((bits_ >> *index) & 1u) != 0;
}

std::string first_difference(View before, View after, const ChangeSet& allowed) {
  return Comparison(allowed).compare(before, after, "$", 0);
}

}  // namespace polycodec::kit

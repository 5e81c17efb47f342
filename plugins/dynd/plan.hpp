// SPDX-License-Identifier: MIT
// A type, made ready for reading and writing: what is to be done, and every size that can be known
// beforehand.
#pragma once

#include <base/seeded_hash.hpp>
#include <model/type/type.hpp>
#include <polycodec/path.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::dynd {

/// What is in the bytes. A pointer has no plan of its own: it is written as what it points to.
enum class Op : std::uint8_t {
  scalar,           // numbers and bool
  text,             // string
  character,        // char
  bytes,            // bytes
  fixed_bytes,      // fixed_bytes[N]
  fixed_string,     // fixed_string[N]
  nothing,          // void
  type_value,       // type
  fixed_dim,        // N * T
  var_dim,          // var * T
  sequence,         // record or tuple
  sentinel_option,  // ?T where a value of T means missing
  prefix_option,    // ?T after a byte 00 or 01
  any,              // array[T]
};

/// Immutable once compiled; every member is worked out from the type alone.
struct Plan {
  Op op = Op::nothing;
  std::uint8_t dtype =
      0;  ///< of scalar (in sentinel_option: of the inner one), fixed_bytes, fixed_string
  type::Encoding encoding = type::Encoding::utf8;
  bool fixed = true;            ///< every value takes `width` bytes
  bool unchecked = true;        ///< fixed, and every `width` bytes are a value
  bool nullable = false;        ///< a value may be the null of the value model
  bool named = false;           ///< sequence: a record
  std::uint32_t item_size = 0;  ///< bytes of a scalar, fixed_bytes, fixed_string
  std::uint64_t count = 0;      ///< fixed_dim
  std::uint64_t width = 0;      ///< fixed: bytes of a value; UINT64_MAX: that many or more
  std::uint64_t least = 0;      ///< the fewest bytes of a value; UINT64_MAX: that many or more
  std::uint64_t zeros = 0;      ///< items without bytes that every value holds at least
  std::vector<Plan> items;      ///< the element of dims and options, the fields of sequences
  type::Type type;

  const Plan& element() const noexcept { return items.front(); }
  /// True for ?T: a member of a record that may be absent from an object.
  bool is_option() const noexcept { return op == Op::sentinel_option || op == Op::prefix_option; }
  /// The step of a path to field `i` of a sequence.
  std::string step(std::uint64_t i) const {
    return named ? key_step(type.names()[i]) : index_step(i);
  }
};

/// The plan of a concrete type of strict DyND notation; that of a pointer is the plan of its
/// target. Throws Error(limit) for elements of 4 GiB or more.
Plan compile(const type::Type& type);

/// A type as it is written, and what is to be done for it.
struct Program {
  explicit Program(const type::Type& t) : type(t), plan(compile(t)) {}
  type::Type type;
  Plan plan;
};

/// The type and plan that a text in serialized data stands for: canonical, strict, concrete. Plans
/// of strings that come again are kept. For one thread; plans live as long as the cache or until it
/// forgets them, which it does only when a text comes that is new.
class PlanCache {
 public:
  /// Throws as type::parse() does; offsets are those of the text.
  std::shared_ptr<const Program> find(std::string_view text);

 private:
  static constexpr std::size_t capacity = 64;
  SeededMap<std::string, std::shared_ptr<const Program>> known_;
};

/// The type that an option of a codec gives: strict notation, but not only its canonical text.
/// Throws Error(option).
type::Type type_option(std::string_view text);

/// The sentinel of `?T`, `size` bytes little-endian: fills `out` and returns true if DyND has one
/// for this dtype.
bool sentinel(std::uint32_t dtype, std::uint8_t (&out)[16]) noexcept;

}  // namespace polycodec::dynd

// SPDX-License-Identifier: MIT
// Values to bytes: whatever a value is made of, its type decides what is written.
#pragma once

#include <base/memory_sink.hpp>
#include <polycodec/call.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include "plan.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace polycodec::dynd {

/// Encodes to one writer. For one thread. Everything throws Error with the path of what does not
/// fit; what was written before is then of no use.
class Encoder {
 public:
  Encoder(const Call& call, Writer& out) noexcept
      : out_(out), call_(call), pace_(call), depth_left_(call.limits().max_depth) {}
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// The value in any form: its type, then its data. The type is `required`, or else that of the
  /// attribute `dynd.type`, or else inferred.
  void any_form(const View& value, const Program* required = nullptr);
  /// The data of the any form alone: its type is known elsewhere.
  void bare_form(const View& value);
  /// The value in data form.
  void data_form(const Program& program, const View& value);

  /// Types that a value declares itself, the outermost first.
  using Declared = std::span<const std::string_view>;
  /// Data of a value, whose attributes do not count. `declared` are the types for array[T], if
  /// `plan` is that.
  void typed(const Plan& plan, const View& value, Declared declared);
  void data(const Plan& plan, const View& value) { typed(plan, value, {}); }
  /// The type that the value is written with if it declares none.
  static std::shared_ptr<const Program> infer_program(const View& value, const Call& call,
                                                      std::uint32_t max_depth);

 private:
  /// `with_type`: the type goes before the data.
  void any(const type::Type& pattern, const View& value, Declared declared, bool with_type = true);
  /// The type of a program, which `pattern` allows, and what `write` writes: the data.
  template <class Write>
  void of_type(const type::Type& pattern, const Program& program, bool with_type, Write write);
  /// The program of an inferred type, with which `write` can write.
  template <class Write>
  static std::shared_ptr<const Program> fitted(const type::Type& inferred, const Call& call,
                                               Write write);

  void value(const Plan& plan, const View& item);
  void sequence(const Plan& plan, const View& item);
  /// The record for a map, an extension, a member of a union or a time. `inner`: of its member.
  void stand_in(const Plan& plan, const View& item);
  void stand_in(const Plan& plan, const Plan& inner, const View& item);
  /// Entry `i` of a map, as a tuple.
  void entry(const Plan& pair, const View& map, std::uint64_t i);
  void option(const Plan& plan, const View& item);
  void text(const View& item);
  void fixed_string(const Plan& plan, const View& item);
  void type_value(const View& item);
  void scalar(const Plan& plan, const View& item, bool optional);
  /// The items of a list of `plan.op` fixed_dim or var_dim, without the count.
  void list_items(const Plan& element, const View& list);

  // columns (encode_columns.cpp): items [begin, begin + count) of an array, as fast as its form
  // allows
  void items(const Plan& element, const polycodec_array& a, std::uint64_t begin,
             std::uint64_t count);
  void leaf_items(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                  std::uint64_t count);
  void lists(const Plan& element, const polycodec_array& a, std::uint64_t begin,
             std::uint64_t count);
  void texts(const polycodec_array& a, std::uint64_t begin, std::uint64_t count);
  void records(const Plan& element, const polycodec_array& a, std::uint64_t begin,
               std::uint64_t count);
  void options(const Plan& element, const polycodec_array& a, std::uint64_t begin,
               std::uint64_t count);
  void generic(const Plan& element, const polycodec_array& a, std::uint64_t begin,
               std::uint64_t count);
  void leaf_block(const polycodec_array& leaf);
  bool packed_rows(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                   std::uint64_t count);

  Writer& out_;
  const Call& call_;
  Meter pace_;
  PlanCache plans_;
  std::uint32_t depth_left_;
  bool probing_ = false;  // only to see whether values fit: array[T] is left out
};

/// Refuses an object that has not the members of a record: says which one is missing or has no
/// place.
[[noreturn, gnu::cold]] void refuse_members(const Plan& plan, const View& item);

/// True if all items of dimension after dimension of `leaf` are written as they are in memory but
/// for strides and byte order: its element, and the lengths from axis `axis` on, are those of
/// `plan`.
bool is_leaf_of(const Plan& plan, const polycodec_array& leaf, std::uint32_t axis) noexcept;

}  // namespace polycodec::dynd

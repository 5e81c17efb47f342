// SPDX-License-Identifier: MIT
// Bytes to values. Single values become document nodes; what is in a dimension becomes columns:
// views of the bytes where every item takes the same number of them (fixed_columns.cpp), else read
// item by item (column.hpp).
#pragma once

#include <base/growing.hpp>
#include <base/wanted.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>
#include <polycodec/codec.hpp>

#include "bytes_in.hpp"
#include "plan.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::dynd {

/// The attribute of a value whose type does not follow from the value alone: canonical text, or a
/// list of such strings where array[T] is in array[T], the outer one first.
inline constexpr std::string_view type_attribute = "dynd.type";

/// Decodes from one run of bytes. For one thread and one input. Everything throws Error with the
/// word of the format, offset and path.
class Decoder {
 public:
  /// `plans`: those of the values before, or null.
  Decoder(const Call& call, std::string_view bytes, Builder& out, std::uint64_t max_zero_size_items,
          PlanCache* plans = nullptr)
      : in(bytes),
        build(out),
        pace(call),
        call_(call),
        plans_(plans != nullptr ? *plans : own_plans_),
        zeros_left_(max_zero_size_items),
        depth_left_(call.limits().max_depth) {}
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  BytesIn in;
  Builder& build;
  Meter pace;

  /// The value at the cursor in any form (type, then data), as root of a value. Refuses other types
  /// than `required`. Fields that are not wanted are passed; then no attribute says the type.
  const polycodec_node* any_form(const Program* required = nullptr,
                                 const Wanted& wanted = all_wanted);
  /// The value at the cursor in data form, as root of a value; likewise.
  const polycodec_node* data_form(const Program& program, const Wanted& wanted = all_wanted);
  /// `count` items of a dimension, as root of a value of type `var * T`, where `items` is the plan
  /// of T. `attributes` are added to the type's.
  const polycodec_node* chunk(const Plan& items, std::uint64_t count, const type::Type& whole,
                              std::span<const Member> attributes);
  /// Throws unless all bytes have been read.
  void expect_end() const;

  // -- for columns --
  /// A value of type array[T], with its own type as attribute where that is needed.
  polycodec_node any(const Plan& plan);
  /// Counts `count` times the items without bytes that a value of `plan` has.
  void charge(const Plan& plan, std::uint64_t count);
  /// Refuses counts that the limits do not allow.
  void check_count(std::uint64_t count) const;
  /// The next `count` values of `plan`.
  const polycodec_array* column(const Plan& plan, std::uint64_t count,
                                const Wanted& wanted = all_wanted);
  /// Passes a value that nobody wants.
  void pass(const Plan& plan);
  /// `count` values of a plan of fixed width at `data`, `stride` bytes apart, all of them inside
  /// `buffer` and checked.
  const polycodec_array* fixed_column(const Plan& plan, std::string_view buffer,
                                      const std::uint8_t* data, std::uint64_t count,
                                      std::uint64_t stride);
  /// The text of a `type` value.
  std::string_view type_value();
  const Call& call() const noexcept { return call_; }

 private:
  using Chain = std::vector<std::string>;
  polycodec_node node(const Plan& plan, const Wanted& wanted = all_wanted);
  polycodec_node scalar(const Plan& plan, const std::uint8_t* data);
  polycodec_node sequence(const Plan& plan, const Wanted& wanted);
  polycodec_node option(const Plan& plan, const Wanted& wanted);
  /// A value of array[T]; the types from the outermost on are appended to `chain`, as far as they
  /// are needed.
  polycodec_node any(const Plan& plan, Chain& chain, const Wanted& wanted = all_wanted);
  polycodec_node annotate(const polycodec_node& node, const Chain& chain,
                          std::span<const Member> more = {});

  const polycodec_array* fixed_leaf(const Plan& plan, std::string_view buffer,
                                    const std::uint8_t* data, std::uint64_t count,
                                    std::uint64_t stride);
  const polycodec_array* fixed_dim_column(const Plan& plan, std::string_view buffer,
                                          const std::uint8_t* data, std::uint64_t count,
                                          std::uint64_t stride);
  const polycodec_array* missing_column(const Plan& plan, std::string_view buffer,
                                        const std::uint8_t* data, std::uint64_t count,
                                        std::uint64_t stride);
  const polycodec_array* nothing_column(std::uint64_t count);

  const Call& call_;
  PlanCache own_plans_;
  PlanCache& plans_;
  std::uint64_t zeros_left_;
  std::uint32_t depth_left_;
};

/// A record or tuple array over columns of at least `count` items.
/// Columns that are null are left out.
const polycodec_array* sequence_array(Builder& build, const Plan& plan, std::uint64_t count,
                                      std::span<const polycodec_array* const> columns);

/// True if infer() finds exactly this type in what a Decoder makes of a value of it.
bool is_natural(const type::Type& type);

}  // namespace polycodec::dynd

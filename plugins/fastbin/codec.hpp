// SPDX-License-Identifier: MIT
// A schema made ready for decoding and encoding: what would otherwise be worked out for every
// buffer. The codec as a class, which tests and benchmarks call directly.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/codec.hpp>

#include "schema/schema.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

struct Settings {
  bool strict_utf8 = false;    ///< strings that are not UTF-8 are refused
  bool known_enums = false;    ///< enum values without a name are refused
  bool skip_slack = false;     ///< bytes after the last member of a struct are skipped
  bool allow_absent = false;   ///< members that a shorter struct does not have are null
  bool whole_input = false;    ///< bytes behind the root are refused
  bool aligned_input = false;  ///< input whose address is not a multiple of 8 is refused

  /// Throws Error(option) for values that the manifest does not list.
  static Settings from(const Options& options);
};

struct EnumPlan {
  const polycodec_array* names = nullptr;  ///< an array of strings, which values share
  /// Member i has the value i: the numbers in a buffer are indices of names as they are.
  bool values_are_indices = false;
  /// Names, and after them the strings of members, to what stands for them in buffers.
  SeededMap<std::string_view, std::uint64_t> bits_of;
};

struct StructPlan {
  std::vector<polycodec_node> keys;        ///< a STRING node for each member
  const polycodec_bytes* names = nullptr;  ///< the same for columns
  bool has_booleans = false;               ///< in itself or in structs in it
  bool has_enums = false;                  ///< likewise
};

/// Immutable, so that calls share it. What values point to lies in the arena of the instance.
class Plan {
 public:
  Plan(Schema schema, std::string_view root, const Settings& settings, Builder& out);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const Schema& schema() const noexcept { return schema_; }
  const Settings& settings() const noexcept { return settings_; }
  const Struct& root() const noexcept { return schema_.structs[root_]; }
  const EnumPlan& of(const Enum& e) const noexcept {
    return enums_[static_cast<std::size_t>(&e - schema_.enums.data())];
  }
  const StructPlan& of(const Struct& s) const noexcept {
    return structs_[static_cast<std::size_t>(&s - schema_.structs.data())];
  }

 private:
  Schema schema_;
  Settings settings_;
  std::uint32_t root_;
  std::vector<EnumPlan> enums_;
  std::vector<StructPlan> structs_;
};

/// What the options say: NULL without a schema. Throws Error(option).
std::unique_ptr<const Plan> plan_of(Call& call, const Options& options);

/// Buffers of one schema. The members are those that make_codec() asks for. All are [thread-safe].
class Fastbin {
 public:
  static constexpr const char* name = "fastbin";
  static constexpr std::uint32_t inputs = POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE;

  Fastbin(Call& call, const Options& options) : plan_(plan_of(call, options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  std::uint64_t encoded_size(const Call& call, NodeView value) const;

 private:
  const Plan& plan() const;

  std::unique_ptr<const Plan> plan_;  // NULL without a schema
};

}  // namespace polycodec::fastbin

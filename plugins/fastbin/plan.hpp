// SPDX-License-Identifier: MIT
// A schema made ready for decoding and encoding: what would otherwise be worked out for every
// buffer.
#pragma once

#include <polycodec/codec.hpp>

#include "schema/schema.hpp"
#include "settings.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polycodec::fastbin {

struct EnumPlan {
  const polycodec_array* names = nullptr;  ///< an array of strings, which values share
  /// Member i has the value i: the numbers in a buffer are indices of names as they are.
  bool values_are_indices = false;
  /// Names, and after them the texts of members, to what stands for them in buffers.
  std::unordered_map<std::string_view, std::uint64_t> bits_of;
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

}  // namespace polycodec::fastbin

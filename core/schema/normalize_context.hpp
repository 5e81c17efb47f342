// SPDX-License-Identifier: MIT
// What all of normalization shares.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/path.hpp>

#include "core/call/limits.hpp"
#include "core/schema/schema.hpp"
#include "core/value/host_meter.hpp"
#include "item.hpp"
#include "words.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace polycodec::schema {

/// What became of a part of the value; nothing if it did not change.
using Changed = std::optional<polycodec_node>;

/// Where parts of the result are made, and the path and the budget of the part that is at hand.
class NormalizeContext {
 public:
  NormalizeContext(Builder& out, const NormalizeOptions& options, HostMeter& meter,
                   const Limits& limits)
      : out_(out), options_(options), meter_(meter), limits_(limits) {}

  Builder& out() noexcept { return out_; }
  const NormalizeOptions& options() const noexcept { return options_; }
  HostMeter& meter() noexcept { return meter_; }
  const Limits& limits() const noexcept { return limits_; }
  /// The path of the part, which a PathStep extends.
  std::string& path() noexcept { return path_; }

  /// Charges so many steps.
  void spend(std::uint64_t steps);
  [[noreturn]] void fail(Status status, std::string_view keyword, std::string reason) const;
  void warning(std::string_view keyword, std::string reason);

  /// An item as a node, its own where it has one, with the unit that its container gave it.
  polycodec_node node_of(const Item& item, std::uint32_t depth = 0);
  /// What `changed` made of `item`, ready to be looked at.
  Item item_of(const Changed& changed, const Item& item);
  /// The attributes of `item` with another unit or encoding; `plain`: without what only typed
  /// values have.
  const polycodec_node* attributes_of(const Item& item, std::optional<std::string_view> units,
                                      Encoding encoding, bool plain);
  /// The attributes of a container whose parts have got its unit.
  const polycodec_node* without_units(const View& item);
  /// `node` with these attributes and no others; null: with none.
  polycodec_node annotated(polycodec_node node, const polycodec_node* attributes);

 private:
  Builder& out_;
  const NormalizeOptions& options_;
  HostMeter& meter_;
  const Limits& limits_;
  std::string path_{path_root};
};

}  // namespace polycodec::schema

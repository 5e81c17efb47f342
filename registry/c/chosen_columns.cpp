// SPDX-License-Identifier: MIT
#include "registry/c/chosen_columns.hpp"

#include <base/depth.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/bytes.hpp>

#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/rows.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::c {

namespace {

/// Columns may be longer than their record.
bool is_done(const polycodec_array& record, const polycodec_array* column) noexcept {
  return column == nullptr || column->length == record.length;
}

}  // namespace

struct ChosenColumns::Made {
  using Key = std::pair<const polycodec_array*, std::string>;
  Arena arena;
  std::map<Key, const polycodec_array*, std::less<>> columns;
};

/// Makes the column of one name. Arrays that are shared are looked at once.
class ChosenColumns::Making {
 public:
  Making(Made& made, std::string_view name, const Limits& limits, HostMeter& meter)
      : made_(made), name_(name), limits_(limits), meter_(meter), out_(made.arena.abi()) {
    meter.take(made.arena.reserved_bytes());
    meter.charge(out_);
  }

  const polycodec_array* of(const polycodec_array& array, std::uint32_t depth) {
    if (polycodec_is_choice(&array) != 0) return kept(array, [&] { return choice(array, depth); });
    const polycodec_array* const column = column_named(array, name_);
    if (is_done(array, column)) return column;
    return kept(array, [&] { return rows(*column, 0, array.length, out_, limits_); });
  }

 private:
  template <class Make>
  const polycodec_array* kept(const polycodec_array& array, const Make& make) {
    const Made::Key key(&array, name_);
    if (const auto known = made_.columns.find(key); known != made_.columns.end())
      return known->second;
    const polycodec_array* const column = make();
    if (column != nullptr) made_.columns.emplace(key, column);
    return column;
  }

  const polycodec_array* choice(const polycodec_array& array, std::uint32_t depth) {
    if (array.n_children == 0) return nullptr;
    check_depth(depth, limits_.max_depth);
    meter_.tick(1 + std::uint64_t{array.n_children});
    std::vector<const polycodec_array*> columns;
    for (const polycodec_array* const child : children_of(array)) {
      columns.push_back(of(*child, depth + 1));
      if (columns.back() == nullptr) return nullptr;
    }
    polycodec_array* const result = out_.store(array);
    result->children = out_.store_all(std::span<const polycodec_array* const>(columns));
    result->metadata = nullptr;  // that of the records
    return result;
  }

  Made& made_;
  const std::string name_;
  const Limits& limits_;
  HostMeter& meter_;
  Builder out_;
};

ChosenColumns::ChosenColumns() noexcept = default;
ChosenColumns::~ChosenColumns() = default;

const polycodec_array* ChosenColumns::find(const Value& of, const polycodec_array& array,
                                           std::string_view name) const {
  if (polycodec_is_choice(&array) == 0) {
    const polycodec_array* const column = column_named(array, name);
    if (is_done(array, column)) return column;
  }
  const std::lock_guard lock(mutex_);
  const Limits limits = limits_of(of);
  const ValueBudget walk(of);
  HostMeter meter(of.view(), limits);
  if (!made_) made_ = std::make_unique<Made>();
  return Making(*made_, name, limits, meter).of(array, 0);
}

std::string_view ChosenColumns::region_of(const void* data, std::uint64_t size) const noexcept {
  const std::lock_guard lock(mutex_);
  return made_ ? made_->arena.region_of(data, size) : std::string_view();
}

const polycodec_array* column_named(const polycodec_array& record, std::string_view name) noexcept {
  if (record.names == nullptr) return nullptr;
  for (std::uint32_t i = 0; i < record.n_children; ++i)
    if (to_string_view(record.names[i]) == name) return record.children[i];
  return nullptr;
}

}  // namespace polycodec::c

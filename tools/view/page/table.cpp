// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <polycodec/byte_order.hpp>

#include "common/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace polycodec::page {
namespace {

constexpr std::uint64_t most_columns = 32;
constexpr std::uint64_t most_cells = 3000;
constexpr std::size_t cell_bytes = 60;
constexpr std::size_t deepest = 6;  // levels of an item that its text shows

bool is_record(const View& item) {
  return item.kind() == POLYCODEC_KIND_OBJECT || item.kind() == POLYCODEC_KIND_TUPLE;
}

/// True if the object is a list of columns of one length.
bool has_columns(const View& view) {
  if (view.kind() != POLYCODEC_KIND_OBJECT || view.size() < 2 || view.size() > 1000) return false;
  const std::uint64_t rows = view.child(0).size();
  if (rows < 2) return false;
  for (std::uint64_t i = 0; i < view.size(); ++i) {
    const View column = view.child(i);
    if (column.array() == nullptr || column.array()->layout == POLYCODEC_LAYOUT_RECORD ||
        column.size() != rows)
      return false;
  }
  return true;
}

/// What is left of the scalars: bytes, times and wide numbers.
Node other_scalar(const View& view, std::size_t most, Builder& out) {
  switch (view.kind()) {
    case POLYCODEC_KIND_BINARY:
      return out.bytes_copy(view.as_bytes().substr(0, most));
    case POLYCODEC_KIND_TIMESTAMP: {
      const polycodec_time time = view.as_time();
      return out.timestamp(time.count, time.nanoseconds, time.unit);
    }
    case POLYCODEC_KIND_DURATION: {
      const polycodec_time time = view.as_time();
      return out.duration(time.count, time.unit);
    }
    case POLYCODEC_KIND_WIDE: {
      std::byte bits[16];
      view.copy_bits(bits);
      return out.wide(static_cast<std::uint8_t>(view.dtype()), bits);
    }
    case POLYCODEC_KIND_FLOAT: {  // not finite: its bits may say more
      std::byte bits[16];
      view.copy_bits(bits);
      if (view.dtype() == POLYCODEC_DTYPE_FLOAT16)
        return Builder::real16(load<std::uint16_t>(bits, std::endian::native));
      if (view.dtype() == POLYCODEC_DTYPE_FLOAT32)
        return Builder::real32(load<float>(bits, std::endian::native));
      return Builder::real(load<double>(bits, std::endian::native));
    }
    default:
      return Builder::null();
  }
}

std::string scalar_text(const View& view, std::size_t most) {
  if (view.is_string()) {
    std::string scratch;
    return cli::text_of(Json(cut(std::string(view.as_string(scratch)), most)));
  }
  if (view.kind() == POLYCODEC_KIND_BOOLEAN) return view.as_bool() ? "true" : "false";
  if (view.kind() == POLYCODEC_KIND_SIGNED) return std::to_string(view.as_int64());
  if (view.kind() == POLYCODEC_KIND_UNSIGNED) return std::to_string(view.as_uint64());
  if (view.kind() == POLYCODEC_KIND_FLOAT && std::isfinite(view.as_double())) {
    const std::string text = cli::format_number(view.as_double(), view.dtype());
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  return Value::build([&](Builder& out) { return other_scalar(view, most, out); })
      .text({.plain = true});
}

/// Appends an item until the text is longer than `most`. Looks at no more items than are shown.
void append_item(const View& view, std::size_t most, std::size_t depth, std::string& out) {
  const bool is_sequence = view.is_list() || view.kind() == POLYCODEC_KIND_TUPLE;
  const bool has_names = view.is_object();
  if (!is_sequence && !has_names && !view.is_map()) {
    if (view.kind() == POLYCODEC_KIND_REFERENCE)
      out += "reference";
    else if (view.kind() == POLYCODEC_KIND_EXTENSION || view.kind() == POLYCODEC_KIND_UNION)
      depth < deepest ? append_item(view.child(), most, depth + 1, out) : void(out += "...");
    else
      out += scalar_text(view, most);
    return;
  }
  out += is_sequence ? '[' : '{';
  for (std::uint64_t i = 0; i < view.size() && out.size() <= most; ++i) {
    if (i != 0) out += ", ";
    if (has_names)
      out += cut(std::string(view.name(i)), most) + ": ";
    else if (view.is_map())
      append_item(view.key(i), most, depth + 1, out), out += ": ";
    if (depth < deepest)
      append_item(view.child(i), most, depth + 1, out);
    else
      out += "...";
  }
  out += is_sequence ? ']' : '}';
}

/// What a table is made from: how many rows, the names of its columns, and its cells.
struct Plan {
  std::uint64_t rows = 0;
  std::vector<std::string> columns;
  bool by_column = false, by_name = false;
};

std::optional<Plan> plan_of(const View& view) {
  Plan plan;
  if (has_columns(view)) {
    plan.by_column = true;
    plan.rows = view.child(0).size();
    for (std::uint64_t k = 0; k < std::min(view.size(), most_columns); ++k)
      plan.columns.push_back(cut(std::string(view.name(k)), cell_bytes));
    return plan;
  }
  if (!view.is_list() || view.size() == 0) return std::nullopt;
  plan.rows = view.size();
  const View row = view.child(0);
  if (is_record(row)) {
    plan.by_name = row.kind() == POLYCODEC_KIND_OBJECT;
    for (std::uint64_t k = 0; k < std::min(row.size(), most_columns); ++k)
      plan.columns.push_back(plan.by_name ? cut(std::string(row.name(k)), cell_bytes)
                                          : std::to_string(k));
  } else if (const polycodec_array* array = view.array();
             array != nullptr && array->layout == POLYCODEC_LAYOUT_NDARRAY && array->ndim == 2) {
    for (std::uint64_t k = 0; k < std::min(row.size(), most_columns); ++k)
      plan.columns.push_back(std::to_string(k));
  }
  if (plan.columns.empty()) return std::nullopt;
  return plan;
}

}  // namespace

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0u) == 0x80u) --most;
  return text.substr(0, most) + "...";
}

std::string plain_text(const View& view, std::size_t most) {
  std::string text;
  append_item(view, most, 0, text);
  return cut(std::move(text), most);
}

std::optional<Json> table_of(const View& view, cli::Meter& meter) {
  const std::optional<Plan> plan = plan_of(view);
  if (!plan) return std::nullopt;
  const std::uint64_t shown = std::max<std::uint64_t>(20, most_cells / plan->columns.size());
  const std::uint64_t last = plan->rows > shown ? shown / 10 : 0;
  const std::uint64_t first = std::min(plan->rows, shown) - last;
  Json cells = Json::array();
  for (std::uint64_t i = 0; i < plan->rows; ++i) {
    if (i == first) i = plan->rows - last;
    if (i >= plan->rows) break;
    Json row = Json::array();
    for (std::uint64_t k = 0; k < plan->columns.size(); ++k) {
      meter.tick(8);
      std::optional<View> cell;
      if (plan->by_column) {
        cell = view.child(k).child(i);
      } else {
        const View item = view.child(i);
        // Rows of documents need not have the members of the first one, nor their order.
        if (plan->by_name)
          cell = k < item.size() && item.kind() == POLYCODEC_KIND_OBJECT &&
                         item.name(k) == plan->columns[static_cast<std::size_t>(k)]
                     ? item.child(k)
                     : item.find(plan->columns[static_cast<std::size_t>(k)]);
        else if ((item.is_list() || item.kind() == POLYCODEC_KIND_TUPLE) && k < item.size())
          cell = item.child(k);
      }
      row.push_back(cell ? plain_text(*cell, cell_bytes) : std::string());
    }
    cells.push_back(std::move(row));
  }
  Json table = Json::object();
  table["columns"] = Json(plan->columns);
  table["rows"] = plan->rows;
  table["first"] = first;
  table["cells"] = std::move(cells);
  return table;
}

}  // namespace polycodec::page

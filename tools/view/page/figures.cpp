// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include "blob.hpp"
#include "common/statistics.hpp"
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace polycodec::page {
namespace {

using cli::Column;
using cli::ColumnStatistics;

constexpr std::size_t most_columns = 200;
constexpr std::size_t most_uses = 1000;
constexpr std::size_t bins = 48;
constexpr std::size_t most_unit = 40;  // bytes of a unit that labels an axis
constexpr std::uint64_t buckets = 512;
constexpr std::size_t most_pixels = 384;       // of an image, each way
constexpr std::size_t most_samples = 800'000;  // bytes of lines and images, as text

double real(long double number) {
  return static_cast<double>(number);
}

Json histogram(const ColumnStatistics& c, const Column& elements) {
  // Integers of a small range have a bin each.
  const bool is_whole = is_integer(c.dtype) || c.dtype == POLYCODEC_DTYPE_BOOLEAN;
  const long double width = c.high - c.low;
  const bool is_single = is_whole && width < bins;
  const std::size_t count = is_single ? static_cast<std::size_t>(width) + 1 : width > 0 ? bins : 1;
  const long double margin = is_single ? 0.5L : 0;
  Json object = Json::object();
  object["low"] = real(c.low - margin);
  object["high"] = real(c.high + margin);
  object["counts"] =
      Json(elements.histogram(count, c.low, is_single ? static_cast<long double>(count) : width));
  return object;
}

/// The least and the greatest number of each part; a part without numbers is NaN.
Json line(const ColumnStatistics& c, const Column& elements) {
  const std::uint64_t parts = std::min(c.count, buckets);
  const float none = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> ends(static_cast<std::size_t>(parts) * 2, none);
  // Number i is in part i * parts / count. Steps, because the product may be more than 64 bits.
  std::size_t part = 0;
  std::uint64_t rest = 0;
  elements.each([&](std::span<const long double> some) {
    for (const long double v : some) {
      float* const end = &ends[std::min(part, static_cast<std::size_t>(parts) - 1) * 2];
      rest += parts;
      if (rest >= c.count) {
        rest -= c.count;
        ++part;
      }
      if (std::isnan(v)) continue;
      const auto number = static_cast<float>(v);
      end[0] = std::isnan(end[0]) ? number : std::min(end[0], number);
      end[1] = std::isnan(end[1]) ? number : std::max(end[1], number);
    }
  });
  Json object = Json::object();
  object["buckets"] = parts;
  object["data"] = pack_words(std::span<const float>(ends), 2);
  return object;
}

/// Rows, columns and channels of a leaf that is shown as an image; no rows for one that is not.
struct Extents {
  std::uint64_t rows = 0, columns = 0, channels = 1, planes = 1;
};

Extents extents_of(const ArrayView& leaf) {
  const auto shape = leaf.shape();
  const auto extent = [&](std::size_t axis) { return static_cast<std::uint64_t>(shape[axis]); };
  if (shape.size() < 2) return {};
  const std::size_t last = shape.size() - 1;
  if (shape.size() == 3 && leaf.dtype() == POLYCODEC_DTYPE_UINT8 &&
      (shape[2] == 3 || shape[2] == 4))
    return {extent(0), extent(1), extent(2), 1};
  Extents e{extent(last - 1), extent(last), 1, 1};
  for (std::size_t axis = 0; axis + 1 < last; ++axis) e.planes *= extent(axis);
  return e;
}

/// The first plane of the array, in steps that make it small enough.
Json image(const ColumnStatistics& c, const Extents& e, const Column& elements) {
  const std::uint64_t step =
      std::max<std::uint64_t>(1, (std::max(e.rows, e.columns) + most_pixels - 1) / most_pixels);
  const std::uint64_t width = (e.columns + step - 1) / step;
  const std::uint64_t height = (e.rows + step - 1) / step;
  std::string levels;
  const long double span = c.maximum - c.minimum;
  std::uint64_t at = 0;
  elements.each([&](std::span<const long double> some) {
    for (const long double v : some) {
      const std::uint64_t i = at++;
      const std::uint64_t row = i / (e.columns * e.channels);
      const std::uint64_t column = i / e.channels % e.columns;
      if (row >= e.rows || row % step != 0 || column % step != 0) continue;
      if (e.channels > 1) {
        levels.push_back(static_cast<char>(static_cast<std::uint8_t>(v)));
        continue;
      }
      std::uint32_t level = 0;
      if (!std::isnan(v))
        level = 1 + static_cast<std::uint32_t>(
                        span > 0 && std::isfinite(span)
                            ? std::clamp<long double>((v - c.minimum) / span, 0, 1) * 65534
                            : 0);
      levels.push_back(static_cast<char>(level));
      levels.push_back(static_cast<char>(level >> 8));
    }
  });
  Json object = Json::object();
  object["width"] = width;
  object["height"] = height;
  object["step"] = step;
  object["planes"] = e.planes;
  if (e.channels > 1) object["channels"] = e.channels;
  object["levels"] = pack_bytes(levels);
  return object;
}

Json column(const ColumnStatistics& c, const ArrayView& leaf, const Column& elements,
            std::size_t& samples) {
  Json object = Json::object();
  object["path"] = c.path;
  object["type"] = dtype_name(c.dtype);
  object["count"] = c.count;
  object["missing"] = c.missing;
  object["nan"] = c.nans;
  Json shape = Json::array();
  for (const std::int64_t extent : leaf.shape()) shape.push_back(extent);
  object["shape"] = std::move(shape);
  if (leaf.metadata() != nullptr) {
    const View attributes(leaf.metadata());
    object["attributes"] = plain_text(attributes, 300);
    const auto unit = attributes.find("unit");
    std::string text;
    if (unit && unit->is_string()) text = unit->as_string(text);
    if (!text.empty() && text.size() <= most_unit) object["unit"] = text;
  }
  if (!c.has_numbers()) return object;
  object["least"] = cli::format_number(c.minimum, c.dtype);
  object["most"] = cli::format_number(c.maximum, c.dtype);
  object["low"] = real(c.minimum);
  object["high"] = real(c.maximum);
  if (c.finite == 0) return object;
  object["mean"] = real(c.mean);
  object["histogram"] = histogram(c, elements);
  const Extents e = extents_of(leaf);
  // Rows that an option or an index chooses are not a picture any more.
  const bool is_whole = c.count == leaf.element_count();
  if (samples >= most_samples || c.count < 2) return object;
  const char* const name = e.rows != 0 && is_whole ? "image" : "line";
  object[name] = e.rows != 0 && is_whole ? image(c, e, elements) : line(c, elements);
  samples += cli::text_of(object[name]).size();
  return object;
}

}  // namespace

Json figures(NodeView root, std::string_view input, std::uint32_t threads) {
  Json columns = Json::array();
  std::size_t samples = 0;
  std::size_t count = 0;
  const cli::Survey found =
      cli::survey(root, input, threads, 1000,
                  [&](const ColumnStatistics& c, const ArrayView& leaf, const Column& elements) {
                    if (count++ < most_columns)
                      columns.push_back(column(c, leaf, elements, samples));
                  });
  Json uses = Json::array();
  for (std::size_t i = 0; i < std::min(found.buffers.size(), most_uses); ++i) {
    const cli::BufferUse& use = found.buffers[i];
    Json item = Json::array();
    item.push_back(use.path);
    item.push_back(use.role);
    item.push_back(use.in_input ? Json(use.offset) : Json());
    item.push_back(use.length);
    uses.push_back(std::move(item));
  }
  Json all = Json::object();
  all["columns"] = std::move(columns);
  all["uses"] = std::move(uses);
  all["complete"] = found.complete;
  all["omitted"] = found.omitted_columns + (count > most_columns ? count - most_columns : 0);
  return all;
}

}  // namespace polycodec::page

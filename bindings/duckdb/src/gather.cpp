// SPDX-License-Identifier: MIT
#include "gather.hpp"

#include "leaf.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace polycodec_sql {
namespace {

constexpr std::uint64_t units_of_item = 8;  // its memory counts, which the engine takes
constexpr std::uint64_t slice = 10'000;     // of items that are charged at once
constexpr std::uint64_t most_items = std::uint64_t{1} << 28;  // of all vectors of a chunk

/// The rows of a layout that finds its items elsewhere: the child that has them, and which they
/// are.
struct Found {
  const polycodec_array* child;
  std::vector<std::int64_t> index;
};

bool is_indirect(const polycodec_array& array) {
  return polycodec_is_choice(&array) != 0 && array.layout != POLYCODEC_LAYOUT_CHUNKED;
}

Found found_in(const polycodec_array& array, const Rows& rows) {
  Found found{array.children[0], std::vector<std::int64_t>(rows.size())};
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    auto at = static_cast<std::uint64_t>(rows[i]);
    const bool is_there = rows[i] >= 0 && polycodec_chosen(&array, &at) != nullptr;
    found.index[i] = is_there ? static_cast<std::int64_t>(at) : -1;
  }
  return found;
}

/// Calls put(child, position of the first row, rows of the child) for runs of rows in one chunk.
template <class Put>
void each_chunk(const polycodec_array& array, const Rows& rows, Put&& put) {
  for (std::uint64_t i = 0; i < rows.size();) {
    std::vector<std::int64_t> index;
    const std::uint64_t begin = i;
    const polycodec_array* child = nullptr;
    std::uint64_t start = 0;  // of the child, in the whole array
    for (; i < rows.size(); ++i) {
      const auto row = static_cast<std::uint64_t>(rows[i]);
      if (rows[i] < 0) {  // a missing row belongs to the chunk of the rows beside it
        index.push_back(-1);
        continue;
      }
      if (child == nullptr) {
        std::uint64_t at = row;
        child = polycodec_chosen(&array, &at);
        start = row - at;
      } else if (row < start || row - start >= child->length) {
        break;
      }
      index.push_back(static_cast<std::int64_t>(row - start));
    }
    put(child, begin, Rows(index));
  }
}

}  // namespace

void Gather::charge(std::uint64_t items) {
  if (items > most_items - std::min(items_, most_items))
    throw Failure(
        "its rows have more than " + std::to_string(most_items) +
        " items in lists: SQL reads a row as a whole; choose columns, or a part with 'at'");
  items_ += items;
  uncharged_ += items;
  if (uncharged_ > slice) budget_.spend(std::exchange(uncharged_, 0) * units_of_item);
}

void Gather::put_columns(const std::vector<duckdb_vector>& columns, const SqlType& type,
                         const polycodec_array& array, const Rows& rows) {
  const auto null_row = [&](std::uint64_t row) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i] != nullptr) put_null(columns[i], row, type.children[i]);
  };
  put_records({[&](std::size_t i) { return columns[i]; }, 0, &type, null_row}, array, rows);
  budget_.spend(std::exchange(uncharged_, 0) * units_of_item);
}

void Gather::put_records(const Fields& fields, const polycodec_array& array, const Rows& rows) {
  if (is_indirect(array)) {
    const Found found = found_in(array, rows);
    return put_records(fields, *found.child, Rows(found.index));
  }
  if (array.layout == POLYCODEC_LAYOUT_CHUNKED)
    return each_chunk(array, rows,
                      [&](const polycodec_array* child, std::uint64_t begin, const Rows& part) {
                        Fields here = fields;
                        here.at += begin;
                        if (child != nullptr) put_records(here, *child, part);
                      });
  put_record(fields, array, rows);
}

void Gather::put_record(const Fields& fields, const polycodec_array& record, const Rows& rows) {
  for (std::uint64_t i = 0; !rows.is_consecutive() && i < rows.size(); ++i)
    if (rows[i] < 0) fields.null_row(fields.at + i);
  const bool is_record = record.layout == POLYCODEC_LAYOUT_RECORD;  // else nothing has items
  const std::vector<std::string> names =
      is_record ? field_names(record) : std::vector<std::string>();
  for (std::size_t f = 0; f < fields.type->names.size(); ++f) {
    duckdb_vector vector = fields.vector(f);
    if (vector == nullptr) continue;
    const std::string& wanted = fields.type->names[f];
    const bool same_place = f < names.size() && names[f] == wanted;
    const auto name = same_place ? names.begin() + static_cast<std::ptrdiff_t>(f)
                                 : std::find(names.begin(), names.end(), wanted);
    if (name != names.end()) {
      put(vector, fields.at, fields.type->children[f], *record.children[name - names.begin()],
          rows);
      continue;
    }
    for (std::uint64_t i = 0; i < rows.size(); ++i)
      put_null(vector, fields.at + i, fields.type->children[f]);
  }
}

void Gather::put(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                 const polycodec_array& array, const Rows& rows) {
  charge(rows.size());
  if (is_indirect(array)) {
    const Found found = found_in(array, rows);
    return put(vector, at, type, *found.child, Rows(found.index));
  }
  switch (array.layout) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      const std::int64_t step = array.ndim == 0 ? 0 : array.strides[0];
      if (rows.is_consecutive())
        return put_dimensions(
            vector, at, type, array, 1,
            {nullptr, static_cast<std::int64_t>(rows.first()) * step, step, rows.size()});
      std::vector<std::int64_t> places(rows.size());
      for (std::uint64_t i = 0; i < rows.size(); ++i)
        places[i] = rows[i] < 0 ? Places::missing : rows[i] * step;
      return put_dimensions(vector, at, type, array, 1, {places.data(), 0, 0, places.size()});
    }
    case POLYCODEC_LAYOUT_CHUNKED:
      return each_chunk(array, rows,
                        [&](const polycodec_array* child, std::uint64_t begin, const Rows& part) {
                          if (child != nullptr) return put(vector, at + begin, type, *child, part);
                          for (std::uint64_t i = 0; i < part.size(); ++i)
                            put_null(vector, at + begin + i, type);
                        });
    case POLYCODEC_LAYOUT_RECORD:
      if (type.id != DUCKDB_TYPE_STRUCT) break;
      return put_record({[&](std::size_t i) { return duckdb_struct_vector_get_child(vector, i); },
                         at, &type, [&](std::uint64_t row) { put_null(vector, row, type); }},
                        array, rows);
    case POLYCODEC_LAYOUT_UNION:
      if (type.id != DUCKDB_TYPE_UNION) break;
      return put_union(vector, at, type, array, rows);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (polycodec_is_text(&array) != 0) return put_texts(vector, at, type, array, rows);
      return put_lists(vector, at, type, array, rows);
    default:
      break;
  }
  for (std::uint64_t i = 0; i < rows.size(); ++i) put_null(vector, at + i, type);
}

void Gather::put_texts(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                       const polycodec_array& array, const Rows& rows) {
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0) {
      put_null(vector, at + i, type);
      continue;
    }
    const polycodec_bytes text = polycodec_text_item(&array, static_cast<std::uint64_t>(rows[i]));
    charge(text.size / 8);
    put_bytes(vector, at + i, type, to_string_view(text));
  }
}

namespace {

/// Makes place for lists of these sizes from row `at` on (UINT64_MAX: NULL); returns the row of the
/// child that their first item gets.
std::uint64_t open_lists(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                         const std::vector<std::uint64_t>& sizes, std::uint64_t total) {
  if (type.id == DUCKDB_TYPE_ARRAY) {
    for (std::uint64_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] != UINT64_MAX && sizes[i] != type.size)
        throw Failure("a list has " + std::to_string(sizes[i]) + " items: the column is " +
                      to_text(type) + "; read the files with union_by_name := true");
    }
    return at * type.size;
  }
  const std::uint64_t base = duckdb_list_vector_get_size(vector);
  if (duckdb_list_vector_reserve(vector, base + total) != DuckDBSuccess ||
      duckdb_list_vector_set_size(vector, base + total) != DuckDBSuccess)
    throw Failure("no memory for " + std::to_string(total) + " items of lists: choose columns");
  auto* entries = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(vector)) + at;
  std::uint64_t next = base;
  for (std::uint64_t i = 0; i < sizes.size(); ++i) {
    const std::uint64_t size = sizes[i] == UINT64_MAX ? 0 : sizes[i];
    entries[i] = {next, size};
    next += size;
    if (sizes[i] == UINT64_MAX) put_null(vector, at + i, type);
  }
  return base;
}

duckdb_vector child_of(duckdb_vector vector, const SqlType& type) {
  return type.id == DUCKDB_TYPE_ARRAY ? duckdb_array_vector_get_child(vector)
                                      : duckdb_list_vector_get_child(vector);
}

void null_arrays(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                 const std::vector<std::uint64_t>& sizes) {
  for (std::uint64_t i = 0; type.id == DUCKDB_TYPE_ARRAY && i < sizes.size(); ++i)
    if (sizes[i] == UINT64_MAX) put_null(vector, at + i, type);
}

}  // namespace

void Gather::put_lists(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                       const polycodec_array& array, const Rows& rows) {
  std::vector<std::uint64_t> sizes(rows.size());
  std::uint64_t total = 0, first = 0, next = 0;
  bool adjacent = true;  // then the items need no index
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0) {
      sizes[i] = UINT64_MAX;
      adjacent = adjacent && type.id == DUCKDB_TYPE_LIST;
      continue;
    }
    const polycodec_range range = polycodec_list_range(&array, static_cast<std::uint64_t>(rows[i]));
    sizes[i] = range.end - range.begin;
    if (sizes[i] == 0) continue;
    if (total == 0) first = next = range.begin;
    adjacent = adjacent && range.begin == next;
    next = range.end;
    total += sizes[i];
    charge(sizes[i]);
  }
  const std::uint64_t base = open_lists(vector, at, type, sizes, total);
  const duckdb_vector child = child_of(vector, type);
  if (adjacent) {
    put(child, base, type.children[0], *array.children[0], Rows(first, total));
  } else {
    std::vector<std::int64_t> index;
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      if (rows[i] < 0) {
        if (type.id == DUCKDB_TYPE_ARRAY) index.insert(index.end(), type.size, -1);
        continue;
      }
      const polycodec_range range =
          polycodec_list_range(&array, static_cast<std::uint64_t>(rows[i]));
      for (std::uint64_t k = range.begin; k < range.end; ++k)
        index.push_back(static_cast<std::int64_t>(k));
    }
    put(child, base, type.children[0], *array.children[0], Rows(index));
  }
  null_arrays(vector, at, type, sizes);
}

void Gather::put_dimensions(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                            const polycodec_array& array, std::uint32_t dimension,
                            const Places& places) {
  if (dimension >= array.ndim) return put_leaf(vector, at, type, array, places);
  const auto size = static_cast<std::uint64_t>(array.shape[dimension]);
  const std::int64_t step = array.strides[dimension];
  std::vector<std::uint64_t> sizes(places.size, size);
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < places.size; ++i) {
    if (places[i] == Places::missing) sizes[i] = UINT64_MAX;
    charge(size);
    total += sizes[i] == UINT64_MAX && type.id == DUCKDB_TYPE_LIST ? 0 : size;
  }
  const std::uint64_t base = open_lists(vector, at, type, sizes, total);
  const duckdb_vector child = child_of(vector, type);
  if (places.list == nullptr && places.step == step * static_cast<std::int64_t>(size)) {
    put_dimensions(child, base, type.children[0], array, dimension + 1,
                   {nullptr, places.first, step, total});
    return;
  }
  std::vector<std::int64_t> inner;
  inner.reserve(total);
  for (std::uint64_t i = 0; i < places.size; ++i) {
    const bool missing = places[i] == Places::missing;
    if (missing && type.id == DUCKDB_TYPE_LIST) continue;
    for (std::uint64_t k = 0; k < size; ++k)
      inner.push_back(missing ? Places::missing : places[i] + static_cast<std::int64_t>(k) * step);
  }
  put_dimensions(child, base, type.children[0], array, dimension + 1,
                 {inner.data(), 0, 0, inner.size()});
  null_arrays(vector, at, type, sizes);
}

void Gather::put_union(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                       const polycodec_array& array, const Rows& rows) {
  auto* tags = static_cast<std::uint8_t*>(
                   duckdb_vector_get_data(duckdb_struct_vector_get_child(vector, 0))) +
               at;
  std::vector<std::int64_t> chosen(rows.size()), index(rows.size());
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    chosen[i] =
        rows[i] < 0 ? -1 : polycodec_column_item(&array.tags, static_cast<std::uint64_t>(rows[i]));
    if (chosen[i] >= 0) tags[i] = static_cast<std::uint8_t>(chosen[i]);
  }
  for (std::size_t m = 0; m < type.children.size(); ++m) {
    for (std::uint64_t i = 0; i < rows.size(); ++i)
      index[i] = chosen[i] == static_cast<std::int64_t>(m)
                     ? polycodec_column_item(&array.index, static_cast<std::uint64_t>(rows[i]))
                     : -1;
    put(duckdb_struct_vector_get_child(vector, m + 1), at, type.children[m], *array.children[m],
        Rows(index));
  }
  for (std::uint64_t i = 0; i < rows.size(); ++i)
    if (chosen[i] < 0) put_null(vector, at + i, type);
}

}  // namespace polycodec_sql

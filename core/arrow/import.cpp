// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/utf.hpp>

#include "core/arrow/arrow.hpp"
#include "core/arrow/leaf_import.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

constexpr std::uint64_t most_length = std::uint64_t{1} << 62;

/// A producer's structures, released with the value that views them.
struct Taken {
  ArrowSchema schema{};
  ArrowArray array{};
  Taken() = default;
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    if (array.release != nullptr) array.release(&array);
    if (schema.release != nullptr) schema.release(&schema);
  }
};

template <class Struct>
Struct moved_from(Struct& from) noexcept {
  Struct taken = from;
  from.release = nullptr;
  return taken;
}

class Importer : private LeafImport {
 public:
  Importer(Value& value, Builder& out, const Limits& limits)
      : LeafImport(out, limits), value_(value) {}

  std::uint64_t viewed_bytes() const noexcept { return viewed_; }

  /// Items [offset, offset + length) of the array, beyond the array's own offset.
  const polycodec_array* rows(const ArrowSchema& schema, const ArrowArray& array,
                              std::uint64_t offset, std::uint64_t length, std::uint32_t depth) {
    check_depth(depth, limits_.max_depth);
    check(schema, array, offset, length);
    const Slice slice{&schema, &array, offset + static_cast<std::uint64_t>(array.offset), length,
                      depth};
    const polycodec_array* content = schema.dictionary != nullptr
                                         ? dictionary(slice)
                                         : content_of(slice, std::string_view(schema.format));
    return with_attributes(slice, with_validity(slice, content));
  }

 private:
  static void check(const ArrowSchema& schema, const ArrowArray& array, std::uint64_t offset,
                    std::uint64_t length) {
    if (schema.format == nullptr) throw Error(Status::invalid, "a schema has no format");
    if (array.length < 0 || array.offset < 0 ||
        static_cast<std::uint64_t>(array.length) > most_length ||
        static_cast<std::uint64_t>(array.offset) > most_length)
      throw Error(Status::invalid, "an array has a negative length or offset");
    if (offset + length > static_cast<std::uint64_t>(array.length))
      throw Error(Status::invalid, "an array has " + std::to_string(array.length) +
                                       " items, fewer than the " + std::to_string(offset + length) +
                                       " that are used");
    if (schema.n_children != array.n_children || schema.n_children < 0 ||
        (schema.dictionary == nullptr) != (array.dictionary == nullptr))
      throw Error(Status::invalid, "schema and array differ in their children");
  }

  const polycodec_array* child(const Slice& slice, std::int64_t i, std::uint64_t offset,
                               std::uint64_t length) {
    const ArrowSchema& schema = *slice.schema->children[i];
    try {
      return rows(schema, *slice.array->children[i], offset, length, slice.depth + 1);
    } catch (Error& e) {
      const std::string name = schema.name == nullptr ? "" : schema.name;
      throw Error(e).path((slice.schema->format[1] == 's' ? "." + name : "[*]") + e.path());
    }
  }
  void need_children(const Slice& slice, std::int64_t count) {
    if (slice.schema->n_children != count)
      throw Error(Status::invalid, std::string("an array of format '") + slice.schema->format +
                                       "' has " + std::to_string(slice.schema->n_children) +
                                       " children");
  }

  const polycodec_array* with_validity(const Slice& slice, const polycodec_array* content) {
    const std::string_view format = slice.schema->format;
    const bool has_bitmap = format != "n" && !format.starts_with("+u") && !format.starts_with("+r");
    if (!has_bitmap || slice.array->null_count == 0 || slice.array->n_buffers < 1 ||
        slice.array->buffers[0] == nullptr)
      return content;
    const auto* bits = static_cast<const std::uint8_t*>(slice.array->buffers[0]);
    polycodec_array* option = nullptr;
    if (slice.begin % 8 == 0) {
      option = out_.with_children(POLYCODEC_LAYOUT_OPTION_BITS, slice.length, {{content}});
      option->index = Builder::column(copied(bits + slice.begin / 8, (slice.length + 7) / 8));
      option->flags = POLYCODEC_ARRAY_BITS_LSB | POLYCODEC_ARRAY_MASK_VALID;
    } else {
      auto* valid = out_.allocate<std::uint8_t>(slice.length);
      for (std::uint64_t i = 0; i < slice.length; ++i) valid[i] = bit(bits, slice.begin + i);
      option = out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, slice.length, {{content}});
      option->index = Builder::column(std::span<const std::uint8_t>(valid, slice.length));
      option->flags = POLYCODEC_ARRAY_MASK_VALID;
    }
    return option;
  }
  /// Metadata of a field that its program shows to users, such as units. Others say how the program
  /// itself made the field.
  static bool is_attribute(std::string_view key, std::string_view value) noexcept {
    return !key.empty() && !key.starts_with("polycodec.") && !key.starts_with("ARROW:") &&
           !key.starts_with("PARQUET:") && key != "pandas" && is_utf8(key) && is_utf8(value);
  }

  /// The attributes of the field, its time zone, and the extension type that the program defined
  /// for it: only its storage has a form here, so that its name stays with the array.
  const polycodec_array* with_attributes(const Slice& slice, const polycodec_array* array) {
    auto pairs = metadata_pairs(slice.schema->metadata);
    const std::string_view text = find_metadata(pairs, attributes_key);
    const std::string_view extension = find_metadata(pairs, extension_key);
    const std::string_view more = find_metadata(pairs, extension_metadata_key);
    const bool is_foreign = !extension.empty() && !extension.starts_with("polycodec.");
    const std::string_view format = slice.schema->format;
    const bool has_zone = format.starts_with("ts") && format.size() > 4;
    std::erase_if(pairs, [](const auto& pair) { return !is_attribute(pair.first, pair.second); });
    if (text.empty() && !is_foreign && pairs.empty() && !has_zone) return array;
    std::vector<polycodec_node> members;
    if (!text.empty()) {
      auto attributes = std::make_shared<const Value>(parse_text(text, limits_));
      if (!attributes->view().is_object())
        throw Error(Status::invalid, "polycodec.metadata is not an object");
      const polycodec_node& root = *attributes->root();
      members.assign(root.as.nodes, root.as.nodes + 2 * polycodec_node_size(&root));
      value_.keep(std::move(attributes));
    }
    const auto add = [&](std::string_view key, std::string_view value) {
      for (std::size_t i = 0; i < members.size(); i += 2)
        if (NodeView(&members[i]).as_string() == key) return;
      members.push_back(Builder::string_view(key));
      members.push_back(out_.text_copy(value));
    };
    for (const auto& [key, value] : pairs) add(out_.copy_text(key), value);
    if (has_zone) add(zone_key, format.substr(4));
    if (is_foreign) {
      add(extension_key, extension);
      if (!more.empty()) add(extension_metadata_key, more);
    }
    polycodec_node* nodes = nullptr;
    polycodec_node* const object = out_.store(out_.object(members.size() / 2, &nodes));
    std::copy(members.begin(), members.end(), nodes);
    polycodec_array* result = out_.store(*array);
    result->metadata = object;
    return result;
  }

  const polycodec_array* content_of(const Slice& slice, std::string_view format) {
    if (const std::uint32_t dtype = number_dtype(format); dtype != POLYCODEC_DTYPE_NONE)
      return leaf(slice.buffer<void>(1), slice.begin, slice.length, dtype, dtype_size(dtype));
    if (format == "b") return booleans(slice);
    if (format == "n") return nothing(slice.length);
    if (format == "u" || format == "z") return texts<std::int32_t>(slice, format == "u");
    if (format == "U" || format == "Z") return texts<std::int64_t>(slice, format == "U");
    if (format == "vu" || format == "vz") return text_views(slice, format == "vu");
    if (format.starts_with("w:")) return fixed_bytes(slice, format.substr(2));
    if (format.starts_with("t")) return times(slice, format);
    if (format == "+l" || format == "+m") return lists<std::int32_t>(slice);
    if (format == "+L") return lists<std::int64_t>(slice);
    if (format == "+vl") return list_views<std::int32_t>(slice);
    if (format == "+vL") return list_views<std::int64_t>(slice);
    if (format.starts_with("+w:")) return fixed_lists(slice, format.substr(3));
    if (format == "+s") return record(slice);
    if (format.starts_with("+ud:") || format.starts_with("+us:"))
      return tagged(slice, format.substr(4), format[2] == 'd');
    if (format == "+r") return runs(slice);
    unsupported(slice);
  }

  template <class Offset>
  const polycodec_array* lists(const Slice& slice) {
    need_children(slice, 1);
    const auto [offsets, end] = offsets_of<Offset>(slice);
    return out_.list_offsets(offsets, child(slice, 0, 0, end));
  }

  template <class Offset>
  const polycodec_array* list_views(const Slice& slice) {
    need_children(slice, 1);
    const auto starts = copied(slice.buffer<Offset>(1) + slice.begin, slice.length);
    const auto* sizes = slice.buffer<Offset>(2) + slice.begin;
    auto* stops = out_.allocate<std::int64_t>(slice.length);
    for (std::uint64_t i = 0; i < slice.length; ++i)
      stops[i] = std::int64_t{starts[i]} + std::int64_t{sizes[i]};
    const auto* items =
        child(slice, 0, 0, static_cast<std::uint64_t>(slice.array->children[0]->length));
    polycodec_array* list = out_.with_children(POLYCODEC_LAYOUT_LIST_VIEW, slice.length, {{items}});
    list->index = Builder::column(starts);
    list->stops = Builder::column(
        std::span<const std::int64_t>(stops, static_cast<std::size_t>(slice.length)));
    return list;
  }

  const polycodec_array* fixed_lists(const Slice& slice, std::string_view width) {
    need_children(slice, 1);
    const std::uint64_t size = number_in(slice, width);
    const auto begin = checked_mul(slice.begin, size), length = checked_mul(slice.length, size);
    if (!begin || !length || *begin > most_length || *length > most_length)
      throw Error(Status::invalid, "lists of fixed size are too long");
    const polycodec_array* items = child(slice, 0, *begin, *length);
    if (size == 2 && items->layout == POLYCODEC_LAYOUT_NDARRAY && is_float(items->dtype) &&
        find_metadata(slice.schema->metadata, extension_key) == "polycodec.complex") {
      const std::uint32_t dtype =
          items->dtype == POLYCODEC_DTYPE_FLOAT16   ? POLYCODEC_DTYPE_COMPLEX32
          : items->dtype == POLYCODEC_DTYPE_FLOAT32 ? POLYCODEC_DTYPE_COMPLEX64
                                                    : POLYCODEC_DTYPE_COMPLEX128;
      return leaf(items->data, 0, slice.length, dtype, dtype_size(dtype));
    }
    polycodec_array* list =
        out_.with_children(POLYCODEC_LAYOUT_LIST_FIXED, slice.length, {{items}});
    list->list_size = size;
    return list;
  }

  // -- records, unions, dictionaries, runs --

  const polycodec_array* record(const Slice& slice) {
    std::vector<std::string_view> names;
    std::vector<const polycodec_array*> columns;
    for (std::int64_t i = 0; i < slice.schema->n_children; ++i) {
      const char* name = slice.schema->children[i]->name;
      names.push_back(out_.copy_text(name == nullptr ? "" : name));
      columns.push_back(child(slice, i, slice.begin, slice.length));
    }
    if (find_metadata(slice.schema->metadata, extension_key) == "polycodec.tuple") names.clear();
    polycodec_array* record = out_.record(slice.length, names, columns);
    if (names.empty() && find_metadata(slice.schema->metadata, extension_key) != "polycodec.tuple")
      record->names = out_.allocate<polycodec_bytes>(1);  // no fields, and not a tuple
    return record;
  }

  const polycodec_array* tagged(const Slice& slice, std::string_view ids, bool dense) {
    std::array<std::int8_t, 128> member_of;
    member_of.fill(-1);
    std::int64_t count = 0;
    while (!ids.empty()) {
      const std::string_view id = ids.substr(0, ids.find(','));
      const std::uint64_t number = number_in(slice, id);
      if (number > 127 || count > 127) unsupported(slice);
      member_of[number] = static_cast<std::int8_t>(count++);
      ids.remove_prefix(std::min(ids.size(), id.size() + 1));
    }
    need_children(slice, count);
    const auto* types = slice.buffer<std::int8_t>(0) + slice.begin;
    auto* tags = out_.allocate<std::int8_t>(slice.length);
    for (std::uint64_t i = 0; i < slice.length; ++i) {
      const std::int8_t type = types[i];
      tags[i] = type < 0 ? std::int8_t{-1} : member_of[static_cast<std::size_t>(type)];
      if (tags[i] < 0)
        throw Error(Status::invalid, "the union has no alternative " + std::to_string(type))
            .path(index_step(i));
    }
    std::vector<const polycodec_array*> members;
    for (std::int64_t i = 0; i < count; ++i)
      members.push_back(
          dense ? child(slice, i, 0, static_cast<std::uint64_t>(slice.array->children[i]->length))
                : child(slice, i, slice.begin, slice.length));
    polycodec_array* result = out_.with_children(POLYCODEC_LAYOUT_UNION, slice.length, members);
    result->tags =
        Builder::column(std::span<const std::int8_t>(tags, static_cast<std::size_t>(slice.length)));
    if (dense) {
      result->index =
          Builder::column(copied(slice.buffer<std::int32_t>(1) + slice.begin, slice.length));
    } else {
      auto* places = out_.allocate<std::int64_t>(slice.length);
      for (std::uint64_t i = 0; i < slice.length; ++i) places[i] = static_cast<std::int64_t>(i);
      result->index = Builder::column(
          std::span<const std::int64_t>(places, static_cast<std::size_t>(slice.length)));
    }
    return result;
  }

  const polycodec_array* dictionary(const Slice& slice) {
    const std::uint32_t dtype = number_dtype(slice.schema->format);
    if (!is_integer(dtype))
      throw Error(Status::invalid, "the indices of a dictionary are not integers");
    const ArrowArray& items = *slice.array->dictionary;
    const polycodec_array* content =
        rows(*slice.schema->dictionary, items, 0,
             static_cast<std::uint64_t>(std::max<std::int64_t>(items.length, 0)), slice.depth + 1);
    polycodec_array* indexed =
        out_.with_children(POLYCODEC_LAYOUT_INDEXED, slice.length, {{content}});
    const auto* bits = slice.array->null_count == 0
                           ? nullptr
                           : static_cast<const std::uint8_t*>(slice.array->buffers[0]);
    const std::uint32_t size = dtype_size(dtype);
    const polycodec_column given{slice.buffer<std::byte>(1) + slice.begin * size, size, dtype, 0};
    // In Arrow -1 names nothing; here it is an item that is missing.
    const auto check_index = [](std::int64_t place, std::uint64_t i) {
      if (place < 0)
        throw Error(Status::invalid, "the dictionary has no item " + std::to_string(place))
            .path(index_step(i));
    };
    if (bits == nullptr) {
      auto* copy = out_.allocate<std::uint64_t>((slice.length * size + 7) / 8);
      if (slice.length != 0) std::memcpy(copy, given.data, slice.length * size);
      indexed->index = {copy, size, dtype, 0};
      const ColumnView index_of(indexed->index);
      for (std::uint64_t i = 0; is_signed_integer(dtype) && i < slice.length; ++i)
        check_index(index_of[i], i);
      return indexed;
    }
    // What is where an item is missing may point anywhere.
    const ColumnView index_of(given);
    auto* places = out_.allocate<std::int64_t>(slice.length);
    for (std::uint64_t i = 0; i < slice.length; ++i) {
      const bool there = bit(bits, slice.begin + i) != 0;
      places[i] = there ? index_of[i] : -1;
      if (there) check_index(places[i], i);
    }
    indexed->index = Builder::column(
        std::span<const std::int64_t>(places, static_cast<std::size_t>(slice.length)));
    return indexed;
  }

  /// Run-end encoding: each run once, and an index for the items.
  const polycodec_array* runs(const Slice& slice) {
    need_children(slice, 2);
    const ArrowArray& ends_array = *slice.array->children[0];
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(ends_array.length, 0));
    const polycodec_array* ends = child(slice, 0, 0, count);
    if (ends->layout != POLYCODEC_LAYOUT_NDARRAY || !is_signed_integer(ends->dtype))
      throw Error(Status::invalid, "the ends of runs are not integers");
    const ColumnView end_of({ends->data, ends->item_size, ends->dtype, 0});
    const polycodec_array* values = child(slice, 1, 0, count);
    auto* places = out_.allocate<std::int64_t>(slice.length);
    std::uint64_t done = 0;  // items of the array, from its own beginning
    for (std::uint64_t run = 0; run < count; ++run) {
      const std::int64_t end = end_of[run];
      if (end <= static_cast<std::int64_t>(done))
        throw Error(Status::invalid, "run " + std::to_string(run) + " ends at " +
                                         std::to_string(end) + ", not after the one before");
      const std::uint64_t stop =
          std::min(static_cast<std::uint64_t>(end), slice.begin + slice.length);
      for (std::uint64_t i = std::max(done, slice.begin); i < stop; ++i)
        places[i - slice.begin] = static_cast<std::int64_t>(run);
      done = static_cast<std::uint64_t>(end);
    }
    if (done < slice.begin + slice.length)
      throw Error(Status::invalid, "the runs end before the array");
    polycodec_array* indexed =
        out_.with_children(POLYCODEC_LAYOUT_INDEXED, slice.length, {{values}});
    indexed->index = Builder::column(
        std::span<const std::int64_t>(places, static_cast<std::size_t>(slice.length)));
    return indexed;
  }

  Value& value_;
};

/// `viewed` grows by the bytes that the result views.
const polycodec_array* import_rows(Value& value, Builder& out, const Taken& taken,
                                   const ArrowSchema& schema, const Limits& limits,
                                   std::uint64_t& viewed) {
  try {
    Importer importer(value, out, limits);
    const auto* const rows =
        importer.rows(schema, taken.array, 0,
                      static_cast<std::uint64_t>(std::max<std::int64_t>(taken.array.length, 0)), 0);
    viewed += importer.viewed_bytes();
    return rows;
  } catch (Error& e) {
    throw Error(e).path("$" + e.path());
  }
}

[[noreturn]] void throw_endless(const std::string& most, const char* limit) {
  throw Error(Status::limit,
              "the Arrow stream has more than " + most + ": raise " + std::string(limit));
}

}  // namespace

Value import_arrow(ArrowSchema& schema, ArrowArray& array, const Limits& limits) {
  auto taken = std::make_shared<Taken>();
  taken->schema = moved_from(schema);
  taken->array = moved_from(array);
  if (taken->schema.release == nullptr || taken->array.release == nullptr)
    throw Error(Status::invalid, "the structures were released already");
  Value value;
  Builder out(value.prepare(limits.memory_for(UINT64_MAX)));
  value.pin(taken);
  std::uint64_t viewed = 0;
  value.set_root(
      out.root(Builder::array(import_rows(value, out, *taken, taken->schema, limits, viewed))));
  validate(value.view(), limits, Validation::full);
  return value;
}

Value import_arrow_stream(ArrowArrayStream& given, const Limits& limits) {
  struct Open {
    ArrowArrayStream stream;
    ~Open() {
      if (stream.release != nullptr) stream.release(&stream);
    }
  } open{moved_from(given)};
  const auto check = [&open](int code) {
    if (code == 0) return;
    const char* text = open.stream.get_last_error(&open.stream);
    throw Error(Status::io, std::string("the Arrow stream ends with error ") +
                                std::to_string(code) +
                                (text == nullptr ? "" : std::string(": ") + text));
  };
  if (open.stream.release == nullptr)
    throw Error(Status::invalid, "the stream was released already");
  auto head = std::make_shared<Taken>();
  check(open.stream.get_schema(&open.stream, &head->schema));
  Value value;
  Builder out(value.prepare(limits.memory_for(UINT64_MAX)));
  value.pin(head);
  std::vector<const polycodec_array*> chunks;
  // Nothing but the producer says when a stream ends.
  const std::uint64_t most_bytes = limits.memory_for(UINT64_MAX);
  std::uint64_t viewed = 0, rows = 0, batches = 0;
  for (;;) {
    auto batch = std::make_shared<Taken>();
    check(open.stream.get_next(&open.stream, &batch->array));
    if (batch->array.release == nullptr) break;
    if (++batches > limits.max_nodes)
      throw_endless(std::to_string(limits.max_nodes) + " batches", "max_nodes");
    if (batch->array.length == 0 && !chunks.empty()) continue;
    chunks.push_back(import_rows(value, out, *batch, head->schema, limits, viewed));
    rows += chunks.back()->length;
    if (rows > limits.max_elements)
      throw_endless(std::to_string(limits.max_elements) + " rows", "max_elements");
    if (viewed > most_bytes)
      throw_endless(std::to_string(most_bytes) + " bytes", "max_memory_bytes");
    value.pin(std::move(batch));
  }
  if (chunks.empty()) {
    // A record without rows still says what its columns are called; nothing views an array that is
    // not there.
    value.set_root(out.root(out.list({})));
  } else {
    value.set_root(out.root(Builder::array(chunks.size() == 1 ? chunks[0] : out.chunked(chunks))));
  }
  validate(value.view(), limits, Validation::full);
  return value;
}

}  // namespace polycodec

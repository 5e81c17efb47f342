// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <base/seeded_hash.hpp>
#include <model/loss_search.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "path.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::msgpack_ndarray {
namespace {

constexpr std::uint64_t stream_levels =
    2;  // of the extension and the list around the documents of a stream

constexpr std::uint64_t attribute_levels = 2;  // of the object around the attributes, and of one

}  // namespace

Decoder::Decoder(const Settings& settings, const Call& call, std::string_view input, Builder& out)
    : settings_(settings),
      call_(call),
      out_(out),
      begin_(reinterpret_cast<const std::uint8_t*>(input.data())),
      at_(begin_),
      end_(begin_ + input.size()),
      // What becomes of numpy's maps shows only when they are whole.
      wanted_(settings.numpy_maps ? nullptr : call.projection()),
      rows_(settings.numpy_maps ? all_rows : rows_to_read(call.projection())),
      first_row_(rows_ == all_rows ? 0 : call.projection()->first_row),
      nodes_left_(call.limits().max_nodes),
      max_depth_(call.limits().max_depth) {
  if (input.size() > call.limits().max_input_bytes)
    throw Error(Status::limit, "the input has " + std::to_string(input.size()) +
                                   " bytes, more than max_input_bytes (" +
                                   std::to_string(call.limits().max_input_bytes) + ")");
}

Decoder::Decoder(const Decoder& outer, std::string_view item)
    : settings_(outer.settings_),
      call_(outer.call_),
      out_(outer.out_),
      begin_(outer.begin_),
      at_(reinterpret_cast<const std::uint8_t*>(item.data())),
      end_(at_ + item.size()),
      wanted_(nullptr),
      rows_(all_rows),
      nodes_left_(outer.nodes_left_),
      max_depth_(outer.max_depth_ - std::min(outer.max_depth_, outer.depth_ + attribute_levels)) {}

const polycodec_node* Decoder::document() {
  return document(rows_, false);
}

const polycodec_node* Decoder::document(std::uint64_t rows, bool may_share) {
  auto* root = out_.allocate<polycodec_node>(1);
  take_nodes(1, at_);
  // Short containers are paid for by their bytes, long ones by their items as well.
  call_.tick(static_cast<std::uint64_t>(end_ - at_) / 2);
  const bool is_whole = wanted_.all() && rows == all_rows;
  if (!may_share || !is_whole || !is_shared() || !read_shared(root)) part(root, wanted_, rows, 0);
  return root;
}

const polycodec_node* Decoder::all() {
  const polycodec_node* first = document(rows_, true);
  if (at_ == end_) return first;
  if (rows_ != all_rows) {  // they are documents, and each of them is read as a whole
    at_ = begin_;
    nodes_left_ = call_.limits().max_nodes;
    notes_ = {};
    first = document(all_rows, true);
  }
  return stream(first);
}

const polycodec_node* Decoder::stream(const polycodec_node* first) {
  bool after_scalar = is_scalar_byte(*begin_);
  std::uint64_t capacity = 8;
  std::uint64_t count = 1;
  auto* documents = out_.allocate<polycodec_node>(capacity);
  documents[0] = *first;
  // A document of a stream is an item of a list in an extension.
  take_levels(deepest_ + stream_levels, begin_);
  max_depth_ -= stream_levels;
  take_nodes(3, begin_);  // the extension, its list and the first document's second place
  while (at_ != end_) {
    if (settings_.documents == Documents::one ||
        (settings_.documents == Documents::automatic && is_stray_document(after_scalar, *at_))) {
      const std::string left = std::to_string(end_ - at_);
      const std::string what =
          left + (left == "1" ? " byte follows" : " bytes follow") + " the document";
      if (!settings_.tolerant)
        throw Error(Status::trailing, what, position()).detail("msgpack.trailing_bytes");
      notes_.add(LossClass::note, "$",
                 "byte " + std::to_string(position()) + ": " + what +
                     (left == "1" ? " and is left out" : " and are left out"));
      at_ = end_;
      if (count == 1) return first;
      break;
    }
    if (count == capacity) {
      auto* more = out_.allocate<polycodec_node>(capacity * 2);
      std::memcpy(more, documents, capacity * sizeof *more);
      documents = more;
      capacity *= 2;
    }
    take_nodes(1, at_);
    document_number_ = count;
    after_scalar = is_scalar_byte(*at_);
    part(documents + count, wanted_, all_rows, 0);
    ++count;
  }
  auto list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, count);
  list.as.nodes = documents;
  return out_.root(out_.extension("stream", list));
}

void Decoder::take_nodes(std::uint64_t count, const std::uint8_t* start) {
  if (count > nodes_left_) [[unlikely]]
    fail(Status::limit, "",
         "the value has more nodes than max_nodes (" + std::to_string(call_.limits().max_nodes) +
             ")",
         start);
  nodes_left_ -= count;
}

void Decoder::take_levels(std::uint64_t depth, const std::uint8_t* start) {
  if (depth > max_depth_) [[unlikely]]
    fail_depth(start);
  deepest_ = std::max(deepest_, depth);
}

void Decoder::ext(polycodec_node* node, std::int8_t code, std::string_view body,
                  const std::uint8_t* start) {
  try {
    if (code == settings_.ext_code) {
      take_nodes(1, start);
      std::vector<FoundKey> others;
      const polycodec_array* array = nullptr;
      try {
        array = read_ndarray(body, settings_, call_.limits(), others, out_);
      } catch (const Error& e) {
        if (!settings_.tolerant || e.code() == Status::limit) throw;
        note(LossClass::mended,
             "ext " + std::to_string(code) + " with " + quote(body, 20) +
                 " is not an array: " + e.message() + "; read as an extension",
             start);
      }
      if (array != nullptr) {
        if (!others.empty()) array = with_attributes(*array, others, start);
        *node = Builder::array(array);
        return;
      }
    }
    if (code == -1) {
      const auto time = read_timestamp(body);
      if (!time)
        throw Error(
            Status::malformed,
            "a timestamp has 4, 8 or 12 bytes and at most 999999999 nanoseconds; this one has " +
                std::to_string(body.size()) + " bytes")
            .detail("msgpack.bad_timestamp");
      // INT64_MIN seconds mean "not a time" in the model: such a stamp stays a plain ext.
      if (time->seconds != INT64_MIN) {
        *node = out_.timestamp(time->seconds, time->nanoseconds, POLYCODEC_UNIT_NANOSECOND);
        return;
      }
    }
    take_levels(depth_ + 2, start);  // the extension and its object
    take_nodes(5, start);
    polycodec_node* members;
    const polycodec_node payload = out_.object(2, &members);
    members[0] = Builder::string_view("code");
    members[1] = Builder::integer(code);
    members[2] = Builder::string_view("data");
    members[3] = Builder::bytes_view(to_string_view(body.data(), body.size()));
    *node = out_.extension("msgpack.ext", payload);
  } catch (Error& e) {
    fail_within(e, start);
  }
}

void Decoder::note(LossClass loss, const std::string& what, const std::uint8_t* where) {
  if (notes_.full()) return notes_.count(loss);
  notes_.add(loss, current_path(), "byte " + std::to_string(where - begin_) + ": " + what);
}

const polycodec_array* Decoder::with_attributes(const polycodec_array& array,
                                                const std::vector<FoundKey>& keys,
                                                const std::uint8_t* start) {
  call_.check_stack();
  take_levels(depth_ + attribute_levels, start);
  std::vector<Member> members;
  SeededSet<std::string_view> names;
  std::uint64_t others = 0;
  for (const FoundKey& key : keys) {
    // Names of attributes that say how a file was written would be left out by every encoder.
    if (key.name.empty() || !is_utf8(key.name) || is_layout_attribute(key.name) ||
        !names.insert(key.name).second) {
      ++others;
      continue;
    }
    take_nodes(2, start);
    const std::string path = current_path() + key_step(key.name);
    Decoder inner(*this, key.item);
    try {
      members.push_back({key.name, *inner.document()});
    } catch (const Error& e) {
      throw Error(e).path(inside(path, e.path()));
    }
    notes_.add(inner.notes_, path);
    nodes_left_ = inner.nodes_left_;
    deepest_ = std::max(deepest_, depth_ + attribute_levels + inner.deepest_);
  }
  if (others != 0 && is_part_) fail_shared();  // losses have the path in the whole value
  if (others != 0)
    notes_.add(LossClass::note, current_path(),
               std::to_string(others) + (others == 1 ? " key" : " keys") +
                   " of the array that cannot be names of attributes, or occur more than once");
  if (members.empty()) return &array;
  take_nodes(1, start);
  polycodec_array* const made = out_.store(array);
  made->metadata = out_.store(out_.object(std::span<const Member>(members)));
  return made;
}

void Decoder::finish_map(polycodec_node& map, const std::uint8_t* start) {
  try {
    convert_numpy_map(map, call_.limits(), out_);
  } catch (Error& e) {
    fail_within(e, start);
  }
}

std::string Decoder::current_path() const {
  std::string path = "$";
  if (document_number_ != 0) path += '[' + std::to_string(document_number_) + ']';
  for (const Step& step : way_) append_step(path, *step.owner, step.child);
  for (std::size_t level = 1; level <= depth_; ++level) {
    // A frame on the stack points behind the item that is being filled, the current one at it.
    const polycodec_node* const child = level == depth_ ? here_.cursor : frames_[level].cursor - 1;
    append_step(path, *owner(level), static_cast<std::uint64_t>(child - owner(level)->as.nodes));
  }
  return path;
}

void Decoder::fail(Status status, const char* detail, std::string message,
                   const std::uint8_t* where) const {
  throw Error(status, std::move(message), static_cast<std::uint64_t>(where - begin_))
      .detail(detail)
      .path(current_path());
}

void Decoder::fail_depth(const std::uint8_t* start) const {
  fail(Status::limit, "msgpack.nesting_too_deep",
       "nested deeper than max_depth (" + std::to_string(call_.limits().max_depth) + ")", start);
}

void Decoder::fail_within(Error& error, const std::uint8_t* start) const {
  if (error.offset() != Error::no_offset) throw std::move(error);
  throw Error(error)
      .path(current_path() + error.path())
      .offset(static_cast<std::uint64_t>(start - begin_));
}

}  // namespace polycodec::msgpack_ndarray

// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <polycodec/byte_order.hpp>

#include "heads.hpp"
#include "path.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::msgpack_ndarray {
namespace {

constexpr std::uint64_t max_size = UINT32_MAX;
// Strings of at least this many bytes are referenced: a segment then costs less than the copy.
constexpr std::uint64_t reference_size = 4096;
// Bytes between two looks at whether the host wants to cancel.
constexpr std::uint64_t slice = std::uint64_t{1} << 20;

constexpr std::uint16_t tag(std::uint8_t kind, std::uint8_t dtype) noexcept {
  return static_cast<std::uint16_t>(kind << 8 | dtype);
}
inline std::uint16_t tag_of(const polycodec_node& node) noexcept {
  return tag(node.kind, node.dtype);
}

[[noreturn]] void too_large(const polycodec_node& node) {
  throw Error(Status::range,
              "a " + std::string(kind_name(node.kind)) + " of " +
                  std::to_string(polycodec_node_size(&node)) +
                  " bytes or items does not fit in msgpack, whose sizes have 32 bits");
}

}  // namespace

std::string Encoder::Walk::path() const {
  std::string path;
  for (std::size_t level = 1; level <= depth; ++level) {
    // A frame on the stack points behind the item that is being written, the current one at it.
    const Frame& frame = level == depth ? here : frames[level];
    const auto child =
        static_cast<std::uint64_t>(frame.cursor - frame.owner->as.nodes) - (level == depth ? 0 : 1);
    append_step(path, *frame.owner, child);
  }
  return path;
}

void Encoder::value(const polycodec_node* root) {
  root_ = root;
  try {
    const NodeView view(root);
    if (view.kind() == POLYCODEC_KIND_EXTENSION &&
        to_string_view(view.as_extension().name) == "stream") {
      stream(*view.as_extension().payload);
    } else {
      node(root, 0);
    }
  } catch (const Error& e) {
    // Errors of the sink (a limit, no memory) have no place in the value.
    if (e.code() == Status::limit && e.offset() != Error::no_offset) throw;
    throw Error(e).path(placed("$", e.path()));
  }
}

void Encoder::stream(const polycodec_node& payload) {
  const NodeView list(&payload);
  if (!list.is_list() && list.kind() != POLYCODEC_KIND_TUPLE)
    throw Error(Status::type, "a stream holds a list of documents, not a " +
                                  std::string(kind_name(static_cast<std::uint32_t>(list.kind()))));
  if (list.size() == 0) throw Error(Status::unsupported, "a stream without documents has no bytes");
  if (list.size() > 1 && settings_.documents == Documents::one)
    throw Error(Status::unsupported,
                "a stream of several documents, but the option 'documents' is \"one\"");
  std::uint64_t i = 0;
  bool after_scalar = false;
  for (const polycodec_node& document : list.items()) {
    try {
      // What decoding would take for stray bytes is not written in the first place.
      std::uint8_t first[max_head] = {0xff};
      const NodeView view(&document);
      bool scalar = false;
      switch (view.kind()) {
        case POLYCODEC_KIND_NULL:
        case POLYCODEC_KIND_BOOLEAN:
          first[0] = 0xc0;
          scalar = true;
          break;
        case POLYCODEC_KIND_SIGNED:
          write_signed(first, view.node()->as.i64);
          scalar = true;
          break;
        case POLYCODEC_KIND_UNSIGNED:
          write_unsigned(first, view.node()->as.u64);
          scalar = true;
          break;
        case POLYCODEC_KIND_FLOAT:
          scalar = view.dtype() != POLYCODEC_DTYPE_FLOAT16;
          first[0] = 0xcb;
          break;
        default:
          first[0] = 0x80;
          break;
      }
      if (i == 0) {
        after_scalar = scalar;
      } else if (settings_.documents == Documents::automatic &&
                 is_stray_document(after_scalar, first[0])) {
        if (!View(&document).is_integer())
          throw Error(Status::unsupported,
                      "this document of one byte would be read as trailing bytes; set the option "
                      "'documents' to "
                      "\"many\" to write it and to read it back");
        // In two bytes the same integer is taken for the document that it is.
        out_.put_u8(0xd0);
        out_.put_u8(first[0]);
        ++i;
        continue;
      }
      node(&document, 2);  // levels: the extension and its list
    } catch (const Error& e) {
      throw Error(e).path(placed(index_step(i), e.path()));
    }
    ++i;
  }
}

void Encoder::node(const polycodec_node* root, std::uint64_t depth) {
  Walk walk;
  try {
    loop(root, depth, walk);
  } catch (const Error& e) {
    throw Error(e).path(placed(walk.path(), e.path()));
  }
}

void Encoder::check_depth(std::uint64_t depth) const {
  if (depth > max_depth_)
    throw Error(Status::limit, "nested deeper than the limit of " + std::to_string(max_depth_))
        .detail("msgpack.nesting_too_deep");
  call_.check_stack();
}

// The loop that everything else serves. What it works on is in local variables, which the compiler
// keeps in registers; writer and walk are brought up to date only for what happens rarely.
void Encoder::loop(const polycodec_node* const root, const std::uint64_t base_depth, Walk& walk) {
  const polycodec_node* cursor = root;
  const polycodec_node* last = root + 1;
  const polycodec_node* owner = nullptr;
  std::size_t depth = 0;
  const bool pack_lists = settings_.pack_lists;
  std::uint8_t* o = out_.reserve(64);
  const std::uint8_t* begin = o;
  std::uint8_t* limit = o + std::min(out_.window(), slice);

  const auto save = [&] {
    out_.commit(static_cast<std::uint64_t>(o - begin));
    begin = o;
    walk.here = {cursor, last, owner};
    walk.depth = depth;
  };
  const auto load = [&](std::uint64_t need) {
    o = out_.reserve(need);
    begin = o;
    limit = o + std::min(out_.window(), std::max(slice, need));
  };
  const auto room = [&](std::uint64_t need) {
    if (static_cast<std::uint64_t>(limit - o) < need) [[unlikely]] {
      const auto written = static_cast<std::uint64_t>(o - begin);
      save();
      call_.tick(written / 2 + 1);
      load(need);
    }
  };
  const auto open = [&](std::uint64_t items) {
    if (base_depth + depth >= max_depth_) [[unlikely]] {
      save();
      check_depth(base_depth + depth + 1);
    }
    if (items == 0) {
      ++cursor;
      return;
    }
    if (depth == walk.frames.size()) [[unlikely]] {
      save();
      walk.frames.resize(std::max<std::size_t>(16, 2 * depth));
    }
    const polycodec_node* const nodes = cursor->as.nodes;
    walk.frames[depth++] = {cursor + 1, last, owner};
    owner = cursor;
    cursor = nodes;
    last = nodes + items;
  };
  const auto bytes = [&](std::uint64_t size, auto write_head) {
    if (size < reference_size) [[likely]] {
      room(size + max_head);
      o = write_head(o, size);
      copy_text(o, cursor->as.data, size);
      o += size;
    } else {
      save();
      if (size > max_size) too_large(*cursor);
      load(max_head);
      o = write_head(o, size);
      save();
      out_.reference(cursor->as.data, size);
      load(max_head);
    }
    ++cursor;
  };

  for (;;) {
    while (cursor != last) {
      room(max_head);
      const polycodec_node& node = *cursor;
      switch (node.kind) {
        case POLYCODEC_KIND_NULL:
          *o++ = 0xc0;
          ++cursor;
          break;
        case POLYCODEC_KIND_BOOLEAN:
          *o++ = node.as.u64 != 0 ? 0xc3 : 0xc2;
          ++cursor;
          break;
        case POLYCODEC_KIND_SIGNED:
          o = write_signed(o, node.as.i64);
          ++cursor;
          break;
        case POLYCODEC_KIND_UNSIGNED:
          o = write_unsigned(o, node.as.u64);
          ++cursor;
          break;
        case POLYCODEC_KIND_FLOAT: {
          if (node.dtype == POLYCODEC_DTYPE_FLOAT64) {
            // Numbers of one type come in runs: go on here as long as they do.
            const auto most = std::min(last - cursor, (limit - o) / 9);
            const polycodec_node* const stop = cursor + most;
            do {
              *o = 0xcb;
              store_be(o + 1, cursor->as.u64);
              o += 9;
              ++cursor;
            } while (cursor != stop &&
                     tag_of(*cursor) == tag(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64));
          } else if (node.dtype == POLYCODEC_DTYPE_FLOAT32) {
            *o = 0xca;
            store_be(o + 1, node.as.f32);
            o += 5;
            ++cursor;
          } else {
            save();
            typed_scalar(node);
            load(max_head);
            ++cursor;
          }
          break;
        }
        case POLYCODEC_KIND_STRING:
          bytes(polycodec_node_size(&node), write_text_head);
          break;
        case POLYCODEC_KIND_BINARY:
          bytes(polycodec_node_size(&node), write_binary_head);
          break;
        case POLYCODEC_KIND_LIST:
          if (pack_lists) [[unlikely]] {
            save();
            const bool packed = packed_list(node);
            load(max_head);
            if (packed) {
              ++cursor;
              break;
            }
          }
          [[fallthrough]];
        case POLYCODEC_KIND_TUPLE: {
          const std::uint64_t size = polycodec_node_size(&node);
          if (size > max_size) [[unlikely]] {
            save();
            too_large(node);
          }
          o = write_list_head(o, size);
          open(size);
          break;
        }
        case POLYCODEC_KIND_OBJECT:
        case POLYCODEC_KIND_MAP: {
          const std::uint64_t size = polycodec_node_size(&node);
          if (size > max_size) [[unlikely]] {
            save();
            too_large(node);
          }
          o = write_map_head(o, size);
          open(2 * size);
          break;
        }
        default:
          save();
          other(node, base_depth + depth);
          load(max_head);
          ++cursor;
          break;
      }
    }
    if (depth == 0) break;
    const Frame& outer = walk.frames[--depth];
    cursor = outer.cursor;
    last = outer.end;
    owner = outer.owner;
  }
  save();
}

}  // namespace polycodec::msgpack_ndarray

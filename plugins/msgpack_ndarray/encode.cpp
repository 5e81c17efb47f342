// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <base/article.hpp>
#include <base/item_blocks.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/utf.hpp>

#include "heads.hpp"
#include "number_heads.hpp"
#include "path.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::msgpack_ndarray {
namespace {

constexpr std::uint64_t max_size = UINT32_MAX;
// Bytes between two looks at whether the host wants to cancel.
constexpr std::uint64_t slice = std::uint64_t{1} << 20;

[[noreturn]] void too_large(const polycodec_node& node) {
  throw Error(Status::range,
              with_article(kind_name(node.kind)) + " of " +
                  std::to_string(polycodec_node_size(&node)) +
                  " bytes or items does not fit in msgpack, whose sizes have 32 bits");
}

}  // namespace

std::string Encoder::Walk::path() const {
  std::string path;
  for (std::size_t level = 1; level <= depth; ++level) {
    // A frame on the stack points behind the item that is being written, the current one at it.
    const polycodec_node* const child = level == depth ? here.cursor : frames[level].cursor - 1;
    append_step(path, *owner(level), static_cast<std::uint64_t>(child - owner(level)->as.nodes));
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

void Encoder::bad_text() {
  throw Error(Status::unsupported, "a string is not UTF-8").detail("msgpack.bad_utf8");
}

void Encoder::stream(const polycodec_node& payload) {
  const NodeView list(&payload);
  if (!list.is_list() && list.kind() != POLYCODEC_KIND_TUPLE)
    throw Error(Status::type, "a stream holds a list of documents, not " +
                                  with_article(kind_name(static_cast<std::uint32_t>(list.kind()))));
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
      const bool is_stray = i != 0 && settings_.documents == Documents::automatic &&
                            is_stray_document(after_scalar, first[0]);
      after_scalar = scalar;
      if (is_stray) {
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
  walk.here = {root, root + 1};
  try {
    loop(depth, walk, 0);
  } catch (const Error& e) {
    throw Error(e).path(placed(walk.path(), e.path()));
  }
}

void Encoder::check_depth(std::uint64_t depth) const {
  if (depth > max_depth_)
    throw Error(Status::limit, "nested deeper than max_depth (" + std::to_string(max_depth_) + ")")
        .detail("msgpack.nesting_too_deep");
  call_.check_stack();
}

void Encoder::commit(Walk& walk) {
  out_.commit(static_cast<std::uint64_t>(walk.o - walk.begin));
  walk.begin = walk.o;
}

void Encoder::reserve(Walk& walk, std::uint64_t size) {
  walk.begin = walk.o = out_.reserve(size);
  walk.limit = walk.o + std::min(out_.window(), std::max(slice, size));
}

std::uint64_t Encoder::share(std::uint64_t depth, const Walk& walk, std::uint64_t each) {
  const polycodec_node& container = *walk.here.cursor;
  const std::uint64_t size = polycodec_node_size(&container);
  const std::uint64_t written = write_item_blocks(
      call_, out_, 0, size,
      [&](const Call& call, Writer& out, std::uint64_t from, std::uint64_t to) {
        Encoder part(*this, call, out);
        Walk items;
        items.frames[0] = {&container + 1, &container + 1};
        items.here = {container.as.nodes + each * from, container.as.nodes + each * to};
        items.depth = 1;
        part.loop(depth, items, 1);
        call.tick(out.position() / 2);
      });
  // What a block does not hold, there is more of.
  if (written != size) shares_ = false;
  return written;
}

void Encoder::loop(const std::uint64_t base_depth, Walk& walk, const std::size_t last) {
  reserve(walk, 64);
  for (;;) {
    if (walk.depth != 0 &&
        (walk.here.cursor == walk.here.end || walk.here.cursor->kind <= POLYCODEC_KIND_MAP ||
         walk.here.cursor->kind == POLYCODEC_KIND_TIMESTAMP)) {
      const std::uint64_t deeper = max_depth_ - std::min(max_depth_, base_depth);
      quick(walk, walk.frames.data() + std::min<std::uint64_t>(deeper, walk.frames.size()));
    }
    if (walk.here.cursor != walk.here.end) {
      step(base_depth, walk);
    } else if (walk.depth != last) {
      walk.here = walk.frames[--walk.depth];
    } else {
      break;
    }
  }
  commit(walk);
}

void Encoder::step(const std::uint64_t base_depth, Walk& walk) {
  const auto room = [&](std::uint64_t need) {
    if (static_cast<std::uint64_t>(walk.limit - walk.o) >= need) return;
    const auto written = static_cast<std::uint64_t>(walk.o - walk.begin);
    commit(walk);
    call_.tick(written / 2 + 1);
    reserve(walk, need);
  };
  // What other functions write straight to the sink.
  const auto aside = [&](auto&& body) {
    commit(walk);
    const bool written = body();
    reserve(walk, max_head);
    if (written) ++walk.here.cursor;
    return written;
  };
  const auto bytes = [&](auto write_head) {
    const polycodec_node& node = *walk.here.cursor;
    const std::uint64_t size = polycodec_node_size(&node);
    if (size < reference_size) {
      room(size + max_head);
      walk.o = write_head(walk.o, size);
      copy_text(walk.o, node.as.data, size);
      walk.o += size;
    } else {
      commit(walk);
      if (size > max_size) too_large(node);
      reserve(walk, max_head);
      walk.o = write_head(walk.o, size);
      commit(walk);
      out_.reference(node.as.data, size);
      reserve(walk, max_head);
    }
    ++walk.here.cursor;
  };
  const auto open = [&](auto write_head, std::uint64_t items_each) {
    const std::uint64_t size = polycodec_node_size(walk.here.cursor);
    if (size > max_size) {
      commit(walk);
      too_large(*walk.here.cursor);
    }
    walk.o = write_head(walk.o, size);
    if (base_depth + walk.depth >= max_depth_) {
      commit(walk);
      check_depth(base_depth + walk.depth + 1);
    }
    std::uint64_t done = 0;
    if (shares_ && size >= many_items) shares_ = call_.threads() > 1;
    if (shares_ && size >= many_items) {
      commit(walk);
      done = share(base_depth + walk.depth, walk, items_each);
      reserve(walk, max_head);
    }
    const polycodec_node* const nodes = walk.here.cursor++->as.nodes;
    if (size == done) return;
    if (walk.depth == walk.frames.size()) walk.frames.grow();
    walk.frames[walk.depth++] = walk.here;
    walk.here = {nodes + items_each * done, nodes + items_each * size};
  };

  room(max_head);
  const polycodec_node& node = *walk.here.cursor;
  switch (node.kind) {
    case POLYCODEC_KIND_NULL:
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      walk.o = write_number_node(walk.o, node.kind, node.as.u64);
      ++walk.here.cursor;
      break;
    case POLYCODEC_KIND_FLOAT:
      if (std::uint8_t* const next = write_real(walk.o, node); next != nullptr) {
        walk.o = next;
        ++walk.here.cursor;
      } else {
        aside([&] {
          typed_scalar(node);
          return true;
        });
      }
      break;
    case POLYCODEC_KIND_STRING:
      if (node.dtype == POLYCODEC_STRING_LENIENT && !settings_.lenient_utf8 &&
          !is_utf8(NodeView(&node).as_string())) {
        commit(walk);
        bad_text();
      }
      bytes(write_text_head);
      break;
    case POLYCODEC_KIND_BINARY:
      bytes(write_binary_head);
      break;
    case POLYCODEC_KIND_LIST:
      if (settings_.pack_lists && aside([&] { return packed_list(node); })) break;
      [[fallthrough]];
    case POLYCODEC_KIND_TUPLE:
      open(write_list_head, 1);
      break;
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      open(write_map_head, 2);
      break;
    default:
      aside([&] {
        other(node, base_depth + walk.depth);
        return true;
      });
      break;
  }
}

}  // namespace polycodec::msgpack_ndarray

// SPDX-License-Identifier: MIT
// The plain JSON of a body: containers, names, strings and numbers.
#include <base/decimal.hpp>
#include <base/real_text.hpp>
#include <model/geometry.hpp>

#include "encode.hpp"
#include "leaf.hpp"
#include "scan.hpp"

#include <cmath>
#include <cstring>

// A lambda that is not inlined would force all that it captures out of the registers.
#define POLYCODEC_INLINE_LAMBDA __attribute__((always_inline))

namespace polycodec::yggdrasil {
namespace {

// A piece of the memory of a writer, of which nobody else has any between open() and close().
class Window {
 public:
  // What is there without asking at the start of an item: a number or a word, a comma or a bracket,
  // and as many bytes as whole words and vectors are written too far.
  static constexpr std::ptrdiff_t room = 128;
  static_assert(room >= static_cast<std::ptrdiff_t>(max_real_size) + 32);

  explicit Window(Writer& out) noexcept : out_(out) {}

  char* open() {
    begin_ = reinterpret_cast<char*>(out_.reserve(room));
    limit_ = begin_ + out_.window();
    return begin_;
  }
  void close(const char* at) { out_.commit(static_cast<std::uint64_t>(at - begin_)); }
  char* with_room(char* at) {
    if (limit_ - at >= room) [[likely]]
      return at;
    close(at);
    return open();
  }
  // Whether `size` bytes fit, and room after them.
  bool fits(const char* at, std::size_t size) const noexcept {
    return static_cast<std::size_t>(limit_ - at) > size + room;
  }

 private:
  Writer& out_;
  char* begin_ = nullptr;
  char* limit_ = nullptr;
};

}  // namespace

// Writes the containers around `root` and all in them that is JSON of its own; the rest is for
// other().
void Encoder::node(const polycodec_node* const root, const std::uint64_t base_depth) {
  const std::size_t base = state_.frames.size();
  state_.call.check_stack();
  Window window(state_.out);
  // Where to write. All functions that have it by reference are inlined, so that it is in a
  // register: it is what each step waits for.
  char* at = window.open();
  // The container that is being written: its first child, the one at hand, and what is behind the
  // last. The outermost value is the only child of a container without brackets.
  const polycodec_node* first = root;
  const polycodec_node* n = root;
  const polycodec_node* end = root + 1;
  bool object = false;
  // Numbers at the same depth are alike.
  constexpr std::size_t depths = 8;
  int places[depths] = {};

  // What is written by other functions, which ask where they are and write to the output
  // themselves.
  const auto elsewhere = [&](auto&& write) POLYCODEC_INLINE_LAMBDA {
    window.close(at);
    if (state_.frames.size() != base)
      state_.frames.back().at = static_cast<std::uint64_t>(n - first);
    write();
    at = window.open();
  };
  // A text for which there is room. One without anything to escape goes out in one step.
  const auto plain = [&](const polycodec_node& node, bool is_name) POLYCODEC_INLINE_LAMBDA {
    const auto* const text = static_cast<const char*>(node.as.data);
    const auto size = static_cast<std::size_t>(polycodec_node_size(&node));
    if (!window.fits(at, size) || node.dtype == POLYCODEC_STRING_LENIENT) [[unlikely]]
      return false;
    *at = '"';
    char* behind = at + 1 + size;
    if (size != 0) {
      const char* const stop = copy_plain(text, text + size, at + 1, state_.settings.python);
      if (stop != text + size) [[unlikely]] {
        if (!window.fits(at, 6 * size)) return false;
        behind = put_escaped(state_.settings, stop, text + size, at + 1 + (stop - text));
      }
    }
    behind[0] = '"';
    behind[1] = ':';
    at = behind + (is_name ? 2 : 1);
    return true;
  };
  const auto name = [&]() POLYCODEC_INLINE_LAMBDA {
    if (!plain(*n, true)) elsewhere([&] { key(*n); });
    ++n;
  };

  for (const polycodec_node* item = root;;) {
    at = window.with_room(at);
    switch (item->kind) {
      case POLYCODEC_KIND_NULL:
        std::memcpy(at, "null", 4);
        at += 4;
        break;
      case POLYCODEC_KIND_BOOLEAN:
        std::memcpy(at, item->as.u64 != 0 ? "true    " : "false   ", 8);
        at += item->as.u64 != 0 ? 4 : 5;
        break;
      case POLYCODEC_KIND_SIGNED:
        if (item->dtype == POLYCODEC_DTYPE_INT64) [[likely]]
          at = print_decimal(at, item->as.i64);
        else
          elsewhere([&] { other(*item, nullptr, base_depth); });
        break;
      case POLYCODEC_KIND_FLOAT:
        if (item->dtype == POLYCODEC_DTYPE_FLOAT64 && std::isfinite(item->as.f64)) [[likely]]
          at = print_real(at, item->as.f64, state_.settings.python,
                          places[state_.frames.size() % depths]);
        else
          elsewhere([&] { other(*item, nullptr, base_depth); });
        break;
      case POLYCODEC_KIND_STRING:
        if ((!state_.plain && looks_typed(NodeView(item).as_string())) || !plain(*item, false))
            [[unlikely]]
          elsewhere([&] {
            text(NodeView(item).as_string(), item->dtype == POLYCODEC_STRING_LENIENT, nullptr);
          });
        break;
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
      case POLYCODEC_KIND_OBJECT: {
        const bool is_object = item->kind == POLYCODEC_KIND_OBJECT;
        if (state_.frames.size() != base)
          state_.frames.back().at = static_cast<std::uint64_t>(n - first);
        if (base_depth + state_.frames.size() - base >= state_.max_depth) [[unlikely]]
          state_.too_deep();
        const std::uint64_t size = polycodec_node_size(item);
        // The first name of a geometry is "v".
        if (is_object && size >= 8 && polycodec_node_size(item->as.nodes) == 1 &&
            !geometry_codec(NodeView(item), nullptr).empty()) [[unlikely]] {
          bool written = false;
          elsewhere([&] { written = put_geometry(state_, leaves_, *item, nullptr); });
          if (written) break;
        }
        *at++ = is_object ? '{' : '[';
        if (size == 0) {
          *at++ = is_object ? '}' : ']';
          break;
        }
        const std::uint64_t children = is_object ? 2 * size : size;
        first = item->as.nodes;
        state_.frames.push_back({first, 0, children, is_object});
        object = is_object;
        end = first + children;
        n = first;
        if (object) name();
        item = n;
        continue;
      }
      case POLYCODEC_KIND_ANNOTATED: {
        const polycodec_node* const inner = item->as.annotated->node;
        const polycodec_node* const attributes = item->as.annotated->metadata;
        bool written = true;
        elsewhere([&] {
          if (inner->kind != POLYCODEC_KIND_OBJECT && inner->kind != POLYCODEC_KIND_LIST &&
              inner->kind != POLYCODEC_KIND_TUPLE)
            return other(*inner, attributes, base_depth + state_.frames.size() - base);
          written = put_geometry(state_, leaves_, *item, attributes);
          if (!written) state_.lose_attributes(attributes);
        });
        if (written) break;
        item = inner;
        continue;
      }
      default:
        elsewhere([&] { other(*item, nullptr, base_depth + state_.frames.size() - base); });
        break;
    }
    for (++n; n == end; ++n) {
      if (state_.frames.size() == base) return window.close(at);
      at = window.with_room(at);
      *at++ = object ? '}' : ']';
      state_.frames.pop_back();
      if (state_.frames.size() == base) return window.close(at);
      const Writing::Frame& frame = state_.frames.back();
      first = frame.nodes;
      n = first + frame.at;
      end = first + frame.count;
      object = frame.object;
    }
    *at++ = ',';
    if (object) name();
    if (((n - first) & 65535) == 1)
      state_.call.tick(std::min<std::uint64_t>(static_cast<std::uint64_t>(end - n), 65536) * 4);
    item = n;
  }
}

}  // namespace polycodec::yggdrasil

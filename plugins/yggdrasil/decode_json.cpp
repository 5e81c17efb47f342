// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <base/json_cursor.hpp>
#include <base/utf8.hpp>
#include <polycodec/quote.hpp>

#include "decode.hpp"
#include "scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace polycodec::yggdrasil {
namespace {

// Bytes between two looks at whether the host wants to cancel.
constexpr std::ptrdiff_t slice = std::ptrdiff_t{1} << 18;

inline const char* skip_space(const char* p, const char* end) noexcept {
  while (p != end && static_cast<unsigned char>(*p) <= ' ' &&
         (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
    ++p;
  return p;
}

inline bool is_word(const char* p, const char* end, std::string_view word) noexcept {
  return static_cast<std::size_t>(end - p) >= word.size() &&
         std::memcmp(p, word.data(), word.size()) == 0;
}

std::string shown(const char* p, const char* end) {
  return p == end ? "the end of the text" : quote_byte(*p);
}

}  // namespace

// The loop that everything else serves. Nodes of open containers wait on the stack; a container
// that is closed moves its nodes to the arena and leaves one.
polycodec_node Decoder::parse(std::string_view text, const Origin& origin, Mode mode,
                              const Datatype* type, const std::uint32_t base_depth) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* p = begin;
  // Where to look next whether the call is to end; no pointer after the text is ever made.
  const auto look_behind = [end](const char* from) {
    return end - from > slice ? from + slice : end;
  };
  const char* next_look = look_behind(begin);
  call_.tick(static_cast<std::uint64_t>(next_look - begin) / 2);
  const std::size_t base_frames = frames_.size();
  const std::size_t base_nodes = stack_.size();
  stack_.reserve(16);
  polycodec_node* top = stack_.begin() + base_nodes;
  polycodec_node* limit = stack_.limit() - 2;  // a member takes two
  std::uint32_t depth = base_depth;
  bool object = false;
  const Datatype* around = nullptr;  // of the container
  std::size_t first = base_nodes;    // of the container
  // What is wanted of the next value; NULL: everything.
  const Wanted* wanted = frames_.empty() && base_depth == 0 && !wanted_.all() ? &wanted_ : nullptr;

  // Everything is wanted, and no header says what it is.
  const bool plain = wanted == nullptr && type == nullptr;
  index_.forget();

  const auto save = [&] { stack_.set_size(static_cast<std::size_t>(top - stack_.begin())); };
  const auto load = [&] {
    top = stack_.begin() + stack_.size();
    limit = stack_.limit() - 2;
  };
  const auto offset = [&](const char* at) {
    return origin.offset(static_cast<std::uint64_t>(at - begin));
  };
  const auto expected = [&](const char* what) {
    save();
    fail(p == end ? Status::truncated : Status::malformed,
         p == end ? "json.truncated" : "json.syntax",
         std::string("expected ") + what + ", found " + shown(p, end), offset(p));
  };
  const auto grow = [&] {
    save();
    if (stack_.size() - base_nodes > nodes_left_) [[unlikely]]
      fail(Status::limit, "yggdrasil.limit",
           "the value has more than " + std::to_string(call_.limits().max_nodes) + " nodes",
           offset(p));
    stack_.reserve(2 + stack_.size());
    load();
  };

value:
  p = skip_space(p, end);
  if (top >= limit) [[unlikely]]
    grow();
  if (p == end) [[unlikely]]
    expected("a value");
  switch (*p) {
    case '"': {
      const char* const start = ++p;
      if (mode.typed && start != end && *start == '-' && is_word(start, end, marker)) {
        save();
        polycodec_node node;
        const char* const behind = quick_leaf(start, end, origin, begin, depth, &node);
        load();
        if (behind != nullptr) {
          p = behind;
          *top = node;
          if (plain && !object && frames_.size() != base_frames && p < next_look && *p == ',') {
            // Leaves often follow one another, and quick() reads none.
            const char* const next = skip_space(p + 1, end);
            if (end - next > 1 && next[0] == '"' && next[1] == '-') {
              p = next;
              ++top;
              goto value;
            }
          }
          break;
        }
      }
      unsigned upper = 0;
      p = string_stop(p, end, upper);
      if (p != end && *p == '"') [[likely]] {
        const std::string_view chars(start, static_cast<std::size_t>(p - start));
        *top = Builder::string_view(chars);
        if (upper != 0) {
          save();
          check_text(chars, mode.lenient, top, offset(start));
        }
      } else {
        save();
        p = escaped_string(start, end, origin, begin, mode, top);
      }
      ++p;
      const std::string_view chars(static_cast<const char*>(top->as.data),
                                   static_cast<std::size_t>(polycodec_node_size(top)));
      if (mode.typed && looks_typed(chars)) [[unlikely]] {
        save();
        const polycodec_node node = whole_leaf(
            chars, offset(start), chars.data() == start && origin.exact && !origin.base64, depth);
        load();
        *top = node;
        break;
      }
      if (type != nullptr && type->leaf) [[unlikely]] {
        save();
        const polycodec_node node = described(*type, *top, offset(start), depth);
        load();
        *top = node;
      }
      break;
    }
    case '{':
    case '[':
      if (++depth > max_depth_) [[unlikely]] {
        save();
        fail(Status::limit, "yggdrasil.limit",
             "nested deeper than the limit of " + std::to_string(max_depth_), offset(p));
      }
      deepest_ = std::max(deepest_, depth);
      object = *p == '{';
      around = type;
      first = static_cast<std::size_t>(top - stack_.begin());
      frames_.push_back({first, object, around, nullptr, wanted, p});
      p = skip_space(p + 1, end);
      if (object) {
        if (p != end && *p == '}') goto close;
        goto key;
      }
      if (p != end && *p == ']') goto close;
      type = around == nullptr ? nullptr : around->item(0);
      goto value;
    case 't':
      if (!is_word(p, end, "true")) expected("a value");
      *top = Builder::boolean(true);
      p += 4;
      break;
    case 'f':
      if (!is_word(p, end, "false")) expected("a value");
      *top = Builder::boolean(false);
      p += 5;
      break;
    case 'n':
      if (!is_word(p, end, "null")) expected("a value");
      *top = Builder::null();
      p += 4;
      break;
    default: {
      // The usual integer, without leaving the loop, and the usual real without reading its first
      // digits twice.
      const bool negative = *p == '-';
      const char* const digits = p + (negative ? 1 : 0);
      if constexpr (std::endian::native == std::endian::little) {
        if (end - digits > 8) [[likely]] {
          const detail::DigitRun run = detail::digit_run(digits);
          const char behind = digits[run.count];
          if (run.count - 1 < 7 && (behind | 0x20) != 'e' && (*digits != '0' || run.count == 1)) {
            if (behind == '.') {
              save();
              p = real(p, digits + run.count, end, top, origin, begin);
              break;
            }
            const auto magnitude = static_cast<std::int64_t>(run.value);
            *top = Builder::integer(negative ? -magnitude : magnitude);
            p = digits + run.count;
            break;
          }
        }
      }
      save();
      p = number(p, end, top, origin, begin);
      break;
    }
  }
  ++top;

after_value:
  if (frames_.size() == base_frames) goto done;
  if (plain && p - begin >= 32 && index_.seek(p, end)) {
    Place place{p, top, limit, first, depth, object, Next::after_value};
    quick(place, mode.typed, base_frames);
    p = place.p;
    top = place.top;
    first = place.first;
    depth = place.depth;
    object = place.object;
    if (place.next == Next::value) goto value;
    if (place.next == Next::name) {
      p = skip_space(p, end);
      goto key;
    }
  }
  if (p >= next_look) [[unlikely]] {
    next_look = look_behind(p);
    call_.tick(static_cast<std::uint64_t>(next_look - p) / 2);
  }
  p = skip_space(p, end);
  if (p == end) [[unlikely]]
    expected(object ? "',' or '}'" : "',' or ']'");
  if (*p == ',') [[likely]] {
    ++p;
    if (object) {
      p = skip_space(p, end);
      goto key;
    }
    if (around != nullptr) [[unlikely]]
      type = around->item(static_cast<std::size_t>(top - stack_.begin()) - first);
    // A list that begins with a mark is a value of another form.
    wanted = frames_.back().wanted;
    if (wanted != nullptr && stack_.begin()[first].kind == POLYCODEC_KIND_EXTENSION) [[unlikely]]
      wanted = nullptr;
    goto value;
  }
  if (*p != (object ? '}' : ']')) [[unlikely]]
    expected(object ? "',' or '}'" : "',' or ']'");

close : {
  const auto count = static_cast<std::size_t>(top - stack_.begin()) - first;
  if (object && frames_.back().wanted != nullptr) [[unlikely]] {
    save();
    if (!has_wanted(frames_.back())) {  // the host says which member is missing, and what there is
      p = frames_.back().start;
      frames_.pop_back();
      stack_.set_size(first);
      load();
      --depth;
      wanted = nullptr;
      type = nullptr;
      goto value;
    }
  }
  frames_.pop_back();
  stack_.set_size(first);
  polycodec_node node = close_container(stack_.begin() + first, object, count, offset(p));
  if (around != nullptr && around->leaf && object) [[unlikely]]
    node = described_object(*around, node, offset(p), depth);
  load();
  *top++ = node;
  ++p;
  --depth;
  if (frames_.size() == base_frames) goto done;
  const Frame& frame = frames_.back();
  first = frame.first;
  object = frame.object;
  around = frame.type;
  goto after_value;
}

key : {
  if (top >= limit) [[unlikely]]
    grow();
  if (p == end || *p != '"') [[unlikely]]
    expected("a member name in quotes");
  const char* const start = ++p;
  unsigned upper = 0;
  p = string_stop(p, end, upper);
  if (p != end && *p == '"') [[likely]] {
    const std::string_view chars(start, static_cast<std::size_t>(p - start));
    *top = Builder::string_view(chars);
    if (upper != 0) {
      save();
      check_text(chars, mode.lenient, top, offset(start));
    }
  } else {
    save();
    p = escaped_string(start, end, origin, begin, mode, top);
  }
  ++p;
  p = skip_space(p, end);
  if (p == end || *p != ':') [[unlikely]]
    expected("':'");
  ++p;
  if (around != nullptr) [[unlikely]]
    type = around->member({static_cast<const char*>(top->as.data),
                           static_cast<std::size_t>(polycodec_node_size(top))});
  else
    type = nullptr;
  wanted = frames_.back().wanted;
  if (wanted != nullptr) [[unlikely]] {
    wanted = wanted->find({static_cast<const char*>(top->as.data),
                           static_cast<std::size_t>(polycodec_node_size(top))});
    if (wanted == nullptr) {
      save();
      p = pass_value(text, p);
      goto after_value;
    }
    if (wanted->all()) wanted = nullptr;
  }
  ++top;
  goto value;
}

done:
  p = skip_space(p, end);
  if (p != end) {
    save();
    fail(Status::trailing, "json.trailing", "a value is followed by " + shown(p, end), offset(p));
  }
  index_.forget();
  const polycodec_node root = top[-1];
  stack_.set_size(base_nodes);
  return root;
}

// True if the members of an object, which end the stack, are all that are wanted of it.
bool Decoder::has_wanted(const Frame& frame) const {
  for (const Wanted::Member& member : frame.wanted->members()) {
    bool found = false;
    for (std::size_t i = frame.first; i < stack_.size() && !found; i += 2)
      found = NodeView(stack_.begin() + i).as_string() == member.name;
    if (!found) return false;
  }
  return true;
}

// Returns what is after the value that begins at `p`, or after the spaces there.
const char* Decoder::pass_value(std::string_view text, const char* p) const {
  JsonCursor cursor(text);
  cursor.rewind(static_cast<std::size_t>(p - text.data()));
  try {
    cursor.skip_value();
  } catch (const Error& e) {
    throw Error(e).path(path());
  }
  return text.data() + cursor.at();
}

polycodec_node Decoder::close_container(polycodec_node* nodes, bool object, std::size_t count,
                                        std::uint64_t offset) {
  std::uint64_t size = object ? count / 2 : count;
  if (size > call_.limits().max_elements) [[unlikely]]
    fail(Status::limit, "yggdrasil.limit",
         std::to_string(size) + " items exceed max_elements (" +
             std::to_string(call_.limits().max_elements) + ")",
         offset);
  take_nodes(count, offset);
  if (!object && size != 0 && nodes->kind >= POLYCODEC_KIND_ARRAY) [[unlikely]] {
    if (nodes->kind == POLYCODEC_KIND_EXTENSION && is_marker(*nodes))
      return own_list(nodes, size, offset);
    if (is_table(nodes, size)) return table(nodes, size);
  }
  if (object && settings_.duplicates != Duplicates::keep && size > 1) {
    check_keys(nodes, size, offset);
    count = size * 2;
  }
  auto node = polycodec_node_make(object ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_LIST, 0, size);
  if (count == 0) return node;
  auto* const kept = out_.allocate<polycodec_node>(count);
  std::memcpy(static_cast<void*>(kept), nodes, count * sizeof *kept);
  node.as.nodes = kept;
  return node;
}

}  // namespace polycodec::yggdrasil

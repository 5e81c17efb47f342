// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <base/decimal.hpp>
#include <base/json_cursor.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "scan.hpp"

#include <algorithm>
#include <cstring>
#include <string>

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

std::string shown(const char* p, const char* end) {
  return p == end ? "the end of the text" : quote_byte(*p);
}

// Members of one name: refused, or the last one stays, in the place of the first as in Python.
void check_keys(const Decoding& state, polycodec_node* members, std::uint64_t& count,
                std::uint64_t offset) {
  SeededMap<std::string_view, std::uint64_t> places;
  std::uint64_t kept = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = NodeView(&members[2 * i]).as_string();
    const auto [place, is_new] = places.emplace(key, kept);
    if (!is_new && state.settings.duplicates == Duplicates::refuse)
      state.fail(Status::malformed, "json.duplicate_key",
                 "an object has two members \"" + std::string(key.substr(0, 64)) + '"', offset);
    const std::uint64_t to = place->second;
    members[2 * to] = members[2 * i];
    members[2 * to + 1] = members[2 * i + 1];
    kept += is_new ? 1 : 0;
  }
  count = kept;
}

}  // namespace

Decoder::Decoder(const Settings& settings, const Call& call, Builder& out)
    : state_(settings, call, out),
      // What a datatype says of a body is for all of it.
      wanted_(settings.datatype ? nullptr : call.projection()),
      leaves_(state_, *this) {}

const polycodec_node* Decoder::all(std::string_view input) {
  const Settings& settings = state_.settings;
  const std::uint64_t most = state_.call.limits().max_input_bytes;
  if (input.size() > most)
    throw Error(Status::limit, "the input has " + std::to_string(input.size()) +
                                   " bytes, more than max_input_bytes (" + std::to_string(most) +
                                   ")")
        .detail("yggdrasil.limit");
  state_.take_nodes(1, 0);
  const Datatype* type = nullptr;
  if (settings.dialect != Dialect::current && settings.datatype) type = &*settings.datatype;
  const Mode mode{settings.dialect != Dialect::legacy, settings.lenient_utf8};
  return state_.out.root(
      parse({state_, input.data(), input.data() + input.size(), {}, mode}, type, 0));
}

polycodec_node Decoder::within(const char* label, std::string_view text, const Origin& origin,
                               Mode mode, std::uint32_t depth) {
  state_.frames.push_back({state_.stack.size(), false, nullptr, label});
  const polycodec_node node =
      parse({state_, text.data(), text.data() + text.size(), origin, mode}, nullptr, depth);
  state_.frames.pop_back();
  return node;
}

// The loop that everything else serves. Nodes of open containers wait on the stack; a container
// that is closed moves its nodes to the arena and leaves one.
polycodec_node Decoder::parse(const JsonText& text, const Datatype* type,
                              const std::uint32_t base_depth) {
  const char* const begin = text.begin;
  const char* const end = text.end;
  const bool typed = text.mode.typed;
  const char* p = begin;
  // Where to look next whether the call is to end; no pointer after the text is ever made.
  const auto look_behind = [end](const char* from) {
    return end - from > slice ? from + slice : end;
  };
  const char* next_look = look_behind(begin);
  state_.call.tick(static_cast<std::uint64_t>(next_look - begin) / 2);
  const std::size_t base_frames = state_.frames.size();
  const std::size_t base_nodes = state_.stack.size();
  state_.stack.reserve(16);
  polycodec_node* top = state_.stack.begin() + base_nodes;
  polycodec_node* limit = state_.stack.limit() - 2;  // a member takes two
  std::uint32_t depth = base_depth;
  bool object = false;
  const Datatype* around = nullptr;  // of the container
  std::size_t first = base_nodes;    // of the container
  // What is wanted of the next value; NULL: everything.
  const Wanted* wanted =
      state_.frames.empty() && base_depth == 0 && !wanted_.all() ? &wanted_ : nullptr;

  // Everything is wanted, and no header says what it is.
  const bool plain = wanted == nullptr && type == nullptr;
  index_.forget();

  const auto save = [&] {
    state_.stack.set_size(static_cast<std::size_t>(top - state_.stack.begin()));
  };
  const auto load = [&] {
    top = state_.stack.begin() + state_.stack.size();
    limit = state_.stack.limit() - 2;
  };
  const auto expected = [&](const char* what) {
    save();
    text.fail(p == end ? Status::truncated : Status::malformed,
              p == end ? "json.truncated" : "json.syntax",
              std::string("expected ") + what + ", found " + shown(p, end), p);
  };
  const auto grow = [&] {
    save();
    if (state_.stack.size() - base_nodes > state_.nodes_left) [[unlikely]]
      state_.too_many_nodes(text.offset(p));
    state_.stack.reserve(2 + state_.stack.size());
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
      if (typed && start != end && *start == '-' && is_word(start, end, marker)) {
        save();
        polycodec_node node;
        const char* const behind = leaves_.quick(text, start, depth, &node);
        load();
        if (behind != nullptr) {
          p = behind;
          *top = node;
          if (plain && !object && state_.frames.size() != base_frames && p < next_look &&
              *p == ',') {
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
          text.check_utf8(chars, top);
        }
      } else {
        save();
        p = text.escaped_string(start, top);
      }
      ++p;
      const std::string_view chars(static_cast<const char*>(top->as.data),
                                   static_cast<std::size_t>(polycodec_node_size(top)));
      if (typed && looks_typed(chars)) [[unlikely]] {
        save();
        const polycodec_node node =
            leaves_.whole(chars, text.offset(start),
                          chars.data() == start && text.origin.exact && !text.origin.base64, depth);
        load();
        *top = node;
        break;
      }
      if (type != nullptr && type->leaf) [[unlikely]] {
        save();
        const polycodec_node node = leaves_.described(*type, *top, text.offset(start), depth);
        load();
        *top = node;
      }
      break;
    }
    case '{':
    case '[':
      if (++depth > state_.max_depth) [[unlikely]] {
        save();
        state_.too_deep(text.offset(p));
      }
      state_.deepest = std::max(state_.deepest, depth);
      object = *p == '{';
      around = type;
      first = static_cast<std::size_t>(top - state_.stack.begin());
      state_.frames.push_back({first, object, around, nullptr, wanted, p});
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
              p = text.real(p, digits + run.count, top);
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
      p = text.number(p, top);
      break;
    }
  }
  ++top;

after_value:
  if (state_.frames.size() == base_frames) goto done;
  if (plain && p - begin >= 32 && index_.seek(p, end)) {
    Place place{p, top, limit, first, depth, object, Place::Next::after_value};
    read_usual(place, state_, index_, typed, base_frames);
    p = place.p;
    top = place.top;
    first = place.first;
    depth = place.depth;
    object = place.object;
    if (place.next == Place::Next::value) goto value;
    if (place.next == Place::Next::name) {
      p = skip_space(p, end);
      goto key;
    }
  }
  if (p >= next_look) [[unlikely]] {
    next_look = look_behind(p);
    state_.call.tick(static_cast<std::uint64_t>(next_look - p) / 2);
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
      type = around->item(static_cast<std::size_t>(top - state_.stack.begin()) - first);
    // A list that begins with a mark is a value of another form.
    wanted = state_.frames.back().wanted;
    if (wanted != nullptr && state_.stack.begin()[first].kind == POLYCODEC_KIND_EXTENSION)
        [[unlikely]]
      wanted = nullptr;
    goto value;
  }
  if (*p != (object ? '}' : ']')) [[unlikely]]
    expected(object ? "',' or '}'" : "',' or ']'");

close : {
  const auto count = static_cast<std::size_t>(top - state_.stack.begin()) - first;
  if (object && state_.frames.back().wanted != nullptr) [[unlikely]] {
    save();
    if (!has_wanted(
            state_.frames.back())) {  // the host says which member is missing, and what there is
      p = state_.frames.back().start;
      state_.frames.pop_back();
      state_.stack.set_size(first);
      load();
      --depth;
      wanted = nullptr;
      type = nullptr;
      goto value;
    }
  }
  state_.frames.pop_back();
  state_.stack.set_size(first);
  polycodec_node node =
      close_container(state_.stack.begin() + first, object, count, text.offset(p));
  if (around != nullptr && around->leaf && object) [[unlikely]]
    node = leaves_.described_object(*around, node, text.offset(p), depth);
  load();
  *top++ = node;
  ++p;
  --depth;
  if (state_.frames.size() == base_frames) goto done;
  const Decoding::Frame& frame = state_.frames.back();
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
      text.check_utf8(chars, top);
    }
  } else {
    save();
    p = text.escaped_string(start, top);
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
  wanted = state_.frames.back().wanted;
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
    state_.fail(Status::trailing, "json.trailing", "a value is followed by " + shown(p, end),
                text.offset(p));
  }
  index_.forget();
  const polycodec_node root = top[-1];
  state_.stack.set_size(base_nodes);
  return root;
}

// True if the members of an object, which end the stack, are all that are wanted of it.
bool Decoder::has_wanted(const Decoding::Frame& frame) const {
  for (const Wanted::Member& member : frame.wanted->members()) {
    bool found = false;
    for (std::size_t i = frame.first; i < state_.stack.size() && !found; i += 2)
      found = NodeView(state_.stack.begin() + i).as_string() == member.name;
    if (!found) return false;
  }
  return true;
}

// Returns what is after the value that begins at `p`, or after the spaces there.
const char* Decoder::pass_value(const JsonText& text, const char* p) const {
  JsonCursor cursor({text.begin, static_cast<std::size_t>(text.end - text.begin)});
  cursor.rewind(static_cast<std::size_t>(p - text.begin));
  try {
    cursor.skip_value();
  } catch (const Error& e) {
    throw Error(e).path(state_.path());
  }
  return text.begin + cursor.at();
}

polycodec_node Decoder::close_container(polycodec_node* nodes, bool object, std::size_t count,
                                        std::uint64_t offset) {
  std::uint64_t size = object ? count / 2 : count;
  if (size > state_.call.limits().max_elements) [[unlikely]]
    state_.fail(Status::limit, "yggdrasil.limit",
                std::to_string(size) + " items exceed max_elements (" +
                    std::to_string(state_.call.limits().max_elements) + ")",
                offset);
  state_.take_nodes(count, offset);
  if (!object && size != 0 && nodes->kind >= POLYCODEC_KIND_ARRAY) [[unlikely]] {
    if (nodes->kind == POLYCODEC_KIND_EXTENSION && is_marker(*nodes))
      return own_list(state_, nodes, size, offset);
    if (is_table(nodes, size)) return table_of(state_.out, nodes, size);
  }
  if (object && state_.settings.duplicates != Duplicates::keep && size > 1) {
    check_keys(state_, nodes, size, offset);
    count = size * 2;
  }
  auto node = polycodec_node_make(object ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_LIST, 0, size);
  if (count == 0) return node;
  auto* const kept = state_.out.allocate<polycodec_node>(count);
  std::memcpy(static_cast<void*>(kept), nodes, count * sizeof *kept);
  node.as.nodes = kept;
  return node;
}

}  // namespace polycodec::yggdrasil

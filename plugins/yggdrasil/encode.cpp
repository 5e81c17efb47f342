// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <base/decimal.hpp>
#include <base/hex.hpp>
#include <base/utf8.hpp>
#include <model/loss_search.hpp>
#include <polycodec/path.hpp>

#include "real_text.hpp"
#include "scan.hpp"

#include <cmath>
#include <cstring>

namespace polycodec::yggdrasil {
namespace {

constexpr std::string_view separator = "YGG_MSG_HEAD";

}  // namespace

void Encoder::check_depth(std::uint64_t depth) const {
  if (depth > max_depth_) [[unlikely]]
    too_deep();
  call_.check_stack();
}

void Encoder::too_deep() const {
  throw Error(Status::limit, "nested deeper than the limit of " + std::to_string(max_depth_))
      .detail("yggdrasil.limit");
}

std::string Encoder::path() const {
  std::string path = "$";
  for (const Frame& frame : frames_) {
    if (frame.at >= frame.count) continue;  // after the last item
    if (frame.object) {
      append_key(path, NodeView(frame.nodes + frame.at / 2 * 2).as_string());
    } else {
      path += '[' + std::to_string(frame.at) + ']';
    }
  }
  return path;
}

void Encoder::value(const polycodec_node* root) {
  root_ = root;
  try {
    loop(root, 0);
  } catch (const Error& e) {
    if (e.detail() == lossy) throw;  // it has whole paths
    // Errors of the sink (a limit, no memory) have no place in the value.
    if (e.code() == Status::limit && e.offset() != Error::no_offset) throw;
    if (e.path().starts_with('$')) throw Error(e).path(path() + e.path().substr(1));
    throw Error(e).path(path() + e.path());
  }
}

void Encoder::real(const polycodec_node& node) {
  const double value = node.as.f64;
  if (std::isfinite(value)) [[likely]] {
    char* const to = reinterpret_cast<char*>(out_.reserve(max_real_size));
    out_.commit(static_cast<std::uint64_t>(print_real(to, value, settings_.python) - to));
    return;
  }
  // A bare NaN has no bits of its own. In the old dialects the header says of all such numbers that
  // they are plain.
  const bool usual = !std::isnan(value) || node.as.u64 == 0x7ff8000000000000;
  if ((settings_.bare_nonfinite && usual) || plain_ || settings_.dialect != Dialect::current)
    return out_.put_text(std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
  std::byte bits[8];
  store(bits, node.as.u64, std::endian::little);
  scalar(POLYCODEC_DTYPE_FLOAT64, bits, nullptr);
}

// A string of JSON, or the name of a member with its colon. What is in it is UTF-8. The loop writes
// those for which the output has room itself.
void Encoder::string(std::string_view text, bool is_name) {
  const char* p = text.data();
  const char* const end = p + text.size();
  constexpr std::ptrdiff_t piece = 65536;
  const auto reserve = [&](std::ptrdiff_t size) {
    return reinterpret_cast<char*>(out_.reserve(static_cast<std::uint64_t>(size)));
  };
  out_.put_u8('"');
  while (p != end) {
    const char* const stop = end - p > piece ? p + piece : end;
    const char* const next = copy_plain(p, stop, reserve(stop - p + 16), settings_.python);
    out_.commit(static_cast<std::uint64_t>(next - p));
    p = next;
    if (p == stop) continue;
    char* const to = reserve(max_escape);
    out_.commit(static_cast<std::uint64_t>(special(p, end, to) - to));
  }
  out_.put_text(is_name ? "\":" : "\"");
}

// Writes what is left of a text from a character on that copy_plain() stopped at, and returns the
// end: at most six bytes for each of the text, and 15 bytes more.
char* Encoder::escaped(const char* p, const char* const end, char* to) const {
  while (p != end) {
    to = special(p, end, to);
    const char* const next = copy_plain(p, end, to, settings_.python);
    to += next - p;
    p = next;
  }
  return to;
}

// Writes the character at `p`, which copy_plain() stopped at, in at most max_escape bytes, and goes
// on to what follows it.
char* Encoder::special(const char*& p, const char* const end, char* to) const {
  const auto escape = [&](std::uint32_t unit) {
    const char text[6] = {'\\',
                          'u',
                          upper_hex_digits[unit >> 12 & 15],
                          upper_hex_digits[unit >> 8 & 15],
                          upper_hex_digits[unit >> 4 & 15],
                          upper_hex_digits[unit & 15]};
    std::memcpy(to, text, sizeof text);
    to += sizeof text;
  };
  const char c = *p;
  constexpr std::string_view letters = "\"\\bfnrt";
  constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  if (const auto place = meanings.find(c); place != std::string_view::npos) {
    to[0] = '\\';
    to[1] = letters[place];
    ++p;
    return to + 2;
  }
  if (c == 'Y') {
    const bool found = settings_.escape_separator &&
                       static_cast<std::size_t>(end - p) >= separator.size() &&
                       std::memcmp(p, separator.data(), separator.size()) == 0;
    if (found)
      escape('Y');
    else
      *to++ = 'Y';
    ++p;
    return to;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    escape(static_cast<unsigned char>(c));
    ++p;
    return to;
  }
  char32_t point = 0;
  const std::uint32_t size = decode_one(reinterpret_cast<const std::uint8_t*>(p),
                                        static_cast<std::size_t>(end - p), point);
  if (size == 0)
    throw Error(Status::unsupported,
                "a text that is not UTF-8 cannot be written in the style of Python");
  if (point < 0x10000) {
    escape(point);
  } else {
    escape(0xd800 + ((point - 0x10000) >> 10));
    escape(0xdc00 + ((point - 0x10000) & 0x3ff));
  }
  p += size;
  return to;
}

void Encoder::check_text(std::string_view text, bool lenient) const {
  if (lenient && !settings_.lenient_utf8 && !plain_ && !is_utf8(text)) [[unlikely]]
    throw Error(Status::unsupported,
                "a text that is not UTF-8 (the option utf8 = lenient writes it as it is)");
}

// The name of a member, which is never a typed leaf.
void Encoder::key(const polycodec_node& node) {
  const std::string_view text(static_cast<const char*>(node.as.data),
                              static_cast<std::size_t>(polycodec_node_size(&node)));
  check_text(text, node.dtype == POLYCODEC_STRING_LENIENT);
  string(text, true);
}

void Encoder::text(std::string_view text, bool lenient, const polycodec_node* attributes) {
  check_text(text, lenient);
  if (!plain_ && ((attributes != nullptr && polycodec_node_size(attributes) != 0) ||
                  (looks_typed(text) && settings_.dialect != Dialect::legacy))) [[unlikely]]
    return text_leaf(text, attributes);
  string(text);
}

// Where the encoder is, with `[*]` for every item of a list: what all of them lack is said once.
std::string Encoder::loss_path() const {
  std::string path = inside_.empty() ? "$" : inside_;
  for (const Frame& frame : frames_) {
    if (frame.at >= frame.count) continue;
    if (frame.object) {
      append_key(path, NodeView(frame.nodes + frame.at / 2 * 2).as_string());
    } else {
      path += "[*]";
    }
  }
  return path;
}

// Throws the refusal of a loss so that it names all of them: all of the value is written once more,
// to nowhere. Only a value that is refused takes this.
void Encoder::refuse_losses(const polycodec_node* attributes, bool header_has_units) {
  Losses losses;
  MemorySink sink(call_.limits().max_output_bytes);
  Writer writer(sink.abi());
  Encoder search(settings_, call_, writer);
  search.gathering_ = &losses;
  search.inside_ = inside_;
  search.plain_ = plain_;
  if (root_ != nullptr) {
    search.value(root_);
  } else {
    search.frames_ = frames_;
    search.lose_attributes(attributes, header_has_units);
  }
  losses.settle(call_, "yggdrasil", lossy);
}

// Tells of attributes that are left out. `header_has_units`: of leaves of the old dialects, whose
// units and titles the header of the message says.
void Encoder::lose_attributes(const polycodec_node* attributes, bool header_has_units) {
  if (!has_lossy_attribute(attributes)) return;
  const std::string path = loss_path();
  const NodeView object(attributes);
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    const std::string_view name = object.key(i).as_string();
    if (is_layout_attribute(name) || (header_has_units && (name == "units" || name == "title")))
      continue;
    Loss loss = attribute_loss(path, name, *object.value(i).raw());
    if (!lost_.insert(path + ' ' + loss.what).second) continue;
    if (gathering_ != nullptr) {
      gathering_->add(std::move(loss));
      continue;
    }
    try {
      call_.report_loss(loss.loss_class, path, loss.what);
    } catch (const Error& e) {
      if (e.code() == Status::unsupported) refuse_losses(attributes, header_has_units);
      throw;
    }
  }
}

// The columns of an array that is written item by item.
void Encoder::lose_attributes_within(const polycodec_array& array) {
  call_.tick(4 * std::uint64_t{array.n_children});
  for (std::uint32_t i = 0; i < array.n_children; ++i) {
    lose_attributes(array.children[i]->metadata);
    lose_attributes_within(*array.children[i]);
  }
}

}  // namespace polycodec::yggdrasil

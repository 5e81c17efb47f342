// SPDX-License-Identifier: MIT
#include "core/text/document.hpp"

#include <base/decimal_print.hpp>
#include <base/same_name.hpp>
#include <base/text_out.hpp>
#include <polycodec/path.hpp>

#include "core/text/attributes.hpp"
#include "core/text/print.hpp"
#include "core/text/scalar.hpp"
#include "core/value/host_meter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace polycodec::text {
namespace {

constexpr std::uint32_t document_levels = 64;

std::string_view text_at(const polycodec_node& n) noexcept {
  return {static_cast<const char*>(n.as.data), static_cast<std::size_t>(polycodec_node_size(&n))};
}

class DocumentCheck {
 public:
  explicit DocumentCheck(HostMeter& meter) : meter_(meter) {}

  /// `levels`: of lists and objects.
  bool holds(const polycodec_node& n, std::uint32_t levels) {
    if (n.kind != POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_OBJECT) return is_leaf(n);
    const bool is_object = n.kind == POLYCODEC_KIND_OBJECT;
    const std::uint64_t size = polycodec_node_size(&n);
    meter_.tick(size + 1);
    if (levels == 0 || (is_object && !has_names(n, size))) return false;
    const polycodec_node* const nodes = n.as.nodes;
    for (std::uint64_t i = 0; i < size; ++i) {
      const polycodec_node& part = is_object ? nodes[2 * i + 1] : nodes[i];
      // A call costs more than the check of a leaf.
      if (!is_leaf(part) && !holds(part, levels - 1)) return false;
    }
    return true;
  }

 private:
  static bool is_leaf(const polycodec_node& n) noexcept {
    switch (n.kind) {
      case POLYCODEC_KIND_NULL:
      case POLYCODEC_KIND_BOOLEAN:
      case POLYCODEC_KIND_STRING:
        return true;
      case POLYCODEC_KIND_SIGNED:
        return n.dtype == POLYCODEC_DTYPE_INT64;
      case POLYCODEC_KIND_FLOAT:
        return n.dtype == POLYCODEC_DTYPE_FLOAT64;
      case POLYCODEC_KIND_UNSIGNED:
        return is_default_leaf(n);
      default:
        return false;
    }
  }

  /// Objects of one list mostly have their names in common.
  bool has_names(const polycodec_node& n, std::uint64_t size) {
    const polycodec_node* const nodes = n.as.nodes;
    const auto is_known = [&] {
      if (size != n_known_) return false;
      for (std::uint64_t i = 0; i < 2 * size; i += 2)
        if (!is_same_name(text_at(nodes[i]), text_at(known_[i]))) return false;
      return true;
    };
    if (is_known()) return true;
    if (!has_record_keys({nodes, static_cast<std::size_t>(2 * size)})) return false;
    known_ = nodes;
    n_known_ = size;
    return true;
  }

  HostMeter& meter_;
  const polycodec_node* known_ = nullptr;
  std::uint64_t n_known_ = 0;
};

class DocumentPrinter {
 public:
  DocumentPrinter(TextOut& out, HostMeter& meter) : out_(out), meter_(meter) {}

  void print(const polycodec_node& n) {
    switch (n.kind) {
      case POLYCODEC_KIND_NULL:
        return out_.put("null");
      case POLYCODEC_KIND_BOOLEAN:
        return out_.put(n.as.u64 != 0 ? std::string_view("true") : std::string_view("false"));
      case POLYCODEC_KIND_SIGNED:
        return out_.put_with([&](char* p) { return print_decimal(p, n.as.i64); });
      case POLYCODEC_KIND_UNSIGNED:
        return out_.put_with([&](char* p) { return write_unsigned(p, n.as.u64); });
      case POLYCODEC_KIND_FLOAT:
        return put_double(out_, n.as.f64);
      case POLYCODEC_KIND_STRING: {
        const std::string_view text = text_at(n);
        charge(text.size() / 16, text.size());
        return put_string(text, "\"", "\"");
      }
      case POLYCODEC_KIND_LIST:
        return print_items(n, '[', ']');
      default:
        return print_items(n, '{', '}');
    }
  }

 private:
  struct Place {
    const Place* outer;
    const polycodec_node* container;
    std::uint64_t item;
  };

  void print_items(const polycodec_node& n, char open, char close) {
    const std::uint64_t size = polycodec_node_size(&n);
    const bool is_object = n.kind == POLYCODEC_KIND_OBJECT;
    const polycodec_node* node = n.as.nodes;
    Place place{innermost_, &n, 0};
    innermost_ = &place;
    out_.put(open);
    for (; place.item < size; ++place.item, ++node) {
      charge(4, 0);
      if (is_object)
        put_key(*node++, place.item == 0);
      else if (place.item != 0)
        out_.put(comma);
      print(*node);
    }
    out_.put(close);
    innermost_ = place.outer;
  }

  /// A short key as it is printed, with the comma before it. Objects of one list mostly have the
  /// memory of their names in common.
  struct Key {
    const void* name = nullptr;
    std::uint64_t name_size = UINT64_MAX;
    std::size_t size;
    std::array<char, 32> text;
  };

  void put_key(const polycodec_node& name, bool is_first) {
    const std::uint64_t size = polycodec_node_size(&name);
    Key& key = keys_[reinterpret_cast<std::uintptr_t>(name.as.data) % keys_.size()];
    if ((key.name != name.as.data || key.name_size != size) && !keep_key(key, text_at(name)))
        [[unlikely]]
      return put_other_key(text_at(name), is_first);
    char* const to = out_.room(key.text.size());
    const std::size_t skipped = is_first ? comma.size() : 0;
    std::memcpy(to, key.text.data() + skipped, key.text.size() - comma.size());
    out_.take(to + key.size - skipped);
  }

  /// False for keys that are long or need escapes.
  static bool keep_key(Key& key, std::string_view name) noexcept {
    constexpr std::size_t most = 20;  // and at most 7 bytes more
    if (name.size() > most || name.starts_with('$')) return false;
    key.name_size = UINT64_MAX;
    key.text = {};
    char* at = std::copy(comma.begin(), comma.end(), key.text.data());
    *at++ = '"';
    if (!copy_plain(at, name)) return false;
    at = std::copy(after_key.begin(), after_key.end(), at + name.size());
    key.name = name.data();
    key.name_size = name.size();
    key.size = static_cast<std::size_t>(at - key.text.data());
    return true;
  }

  [[gnu::noinline]] void put_other_key(std::string_view name, bool is_first) {
    if (!is_first) out_.put(comma);
    put_string(name, name.starts_with('$') ? std::string_view("\"$") : std::string_view("\""),
               after_key);
  }

  /// A string between two strings of at most 3 characters, most of which have nothing to escape.
  /// Inline, so that the sizes of these are known.
  [[gnu::always_inline]] void put_string(std::string_view text, std::string_view before,
                                         std::string_view after) {
    constexpr std::size_t most = 4096;
    if (text.size() <= most) {
      char* const begin = out_.room(text.size() + 16);
      std::memcpy(begin, before.data(), before.size());
      char* const to = begin + before.size();
      if (copy_plain(to, text)) {
        std::memcpy(to + text.size(), after.data(), after.size());
        return out_.take(to + text.size() + after.size());
      }
    }
    if (before.size() == 1 && after.size() == 1) return put_text(out_, text);
    out_.put(before);
    out_.put_escaped(text);
    out_.put(after);
  }

  /// Copies text, and up to 7 bytes more, if all of it is ASCII that needs no escape.
  [[gnu::always_inline]] static bool copy_plain(char* to, std::string_view text) noexcept {
    constexpr std::uint64_t each = 0x0101010101010101u, high = 0x80 * each;
    const auto finds = [](std::uint64_t word) { return (word - each) & ~word; };  // a byte of 0
    std::uint64_t bad = 0;
    const auto add = [&](std::uint64_t word) __attribute__((always_inline)) {
      bad |= word | finds(word ^ (0x22 * each)) | finds(word ^ (0x5c * each)) |
             finds(word ^ (0x7f * each)) | ((word - 0x20 * each) & ~word);
    };
    std::size_t at = 0;
    std::uint64_t word;
    for (; at + 8 <= text.size(); at += 8) {
      std::memcpy(&word, text.data() + at, 8);
      std::memcpy(to + at, &word, 8);
      add(word);
    }
    const std::size_t left = text.size() - at;
    if (left != 0 && at != 0) {  // again some of the bytes before
      std::memcpy(&word, text.data() + text.size() - 8, 8);
      std::memcpy(to + text.size() - 8, &word, 8);
      add(word);
    } else if (left != 0) {
      word = short_word(text.data(), left);
      std::memcpy(to, &word, 8);
      add(word);
    }
    return (bad & high) == 0;
  }

  /// 1 to 7 characters and then spaces.
  [[gnu::always_inline]] static std::uint64_t short_word(const char* text,
                                                         std::size_t size) noexcept {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0x2020202020202020u << (8 * size);
    if (size >= 4) {
      std::uint32_t first, last;
      std::memcpy(&first, text, 4);
      std::memcpy(&last, text + size - 4, 4);
      return word | first | (std::uint64_t{last} << (8 * (size - 4)));
    }
    for (const std::size_t i : {std::size_t{0}, size / 2, size - 1})
      word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    return word;
  }

  void charge(std::uint64_t units, std::uint64_t bytes) {
    try {
      meter_.tick(units);
      meter_.check_output(out_.position() + bytes);
    } catch (Error& e) {
      e.path(path(innermost_));
      throw;
    }
  }

  static std::string path(const Place* place) {
    if (place == nullptr) return std::string(path_root);
    std::string path = DocumentPrinter::path(place->outer);
    if (place->container->kind == POLYCODEC_KIND_OBJECT)
      append_key(path, text_at(place->container->as.nodes[2 * place->item]));
    else
      append_index(path, place->item);
    return path;
  }

  static constexpr std::string_view comma = ", ", after_key = "\": ";

  TextOut& out_;
  HostMeter& meter_;
  const Place* innermost_ = nullptr;
  std::array<Key, 32> keys_;
};

}  // namespace

bool is_document(const polycodec_node& root, std::uint32_t max_depth, HostMeter& meter) {
  try {
    return DocumentCheck(meter).holds(root, std::min(max_depth, document_levels));
  } catch (Error& e) {
    e.path(path_root);
    throw;
  }
}

void print_document(const polycodec_node& root, TextOut& out, HostMeter& meter) {
  DocumentPrinter(out, meter).print(root);
}

}  // namespace polycodec::text

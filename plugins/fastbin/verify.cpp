// SPDX-License-Identifier: MIT
#include <polycodec/call.hpp>
#include <polycodec/utf.hpp>

#include "decode.hpp"
#include "words.hpp"

#include <string>

namespace polycodec::fastbin {
namespace {

std::string left(std::uint64_t at, std::uint64_t end) {
  return std::to_string(end - at) + (end - at == 1 ? " byte is left" : " bytes are left");
}

[[noreturn, gnu::cold]] void bad(std::string_view detail, const Place& place, std::uint64_t at,
                                 std::string message) {
  refuse(Status::malformed, detail, place, at, std::move(message));
}

/// Offsets count from the root. A region is [at, end): `end` is that of whatever encloses the part,
/// and at <= end.
class Verifier {
 public:
  Verifier(const Plan& plan, const Call& call, std::string_view bytes)
      : plan_(plan),
        schema_(plan.schema()),
        settings_(plan.settings()),
        call_(call),
        pace_(call),
        base_(reinterpret_cast<const std::byte*>(bytes.data())) {}

  /// Returns the end of the struct.
  std::uint64_t structure(const Struct& s, std::uint64_t at, std::uint64_t end,
                          const Place& place) {
    call_.check_stack();
    if (s.fixed) {
      if (end - at < s.fixed_size)
        refuse(Status::truncated, "fastbin.truncated", place, at,
               "struct " + s.name + " takes " + std::to_string(s.fixed_size) + " bytes, " +
                   left(at, end));
      rows(s, at, 0, 1, nullptr, place);
      return at + s.fixed_size;
    }
    const std::uint64_t stop = at + struct_size(at, end, place);
    std::uint64_t next = at + word_size;
    for (const Field& f : s.fields) {
      if (next == stop && settings_.allow_absent) break;
      next = member(f, next, stop, Place::member(place, f.name));
    }
    if (next != stop && !settings_.skip_slack)
      bad("fastbin.size_mismatch", place, at,
          std::to_string(stop - next) + " bytes after the last member of struct " + s.name);
    return stop;
  }

 private:
  std::uint64_t word(std::uint64_t at) const noexcept { return word_at(base_, at); }

  void need_word(std::uint64_t at, std::uint64_t end, const Place& place, const char* what) const {
    if (end - at < word_size)
      refuse(Status::truncated, "fastbin.truncated", place, at,
             std::string("the ").append(what).append(" takes 8 bytes, ").append(left(at, end)));
  }

  /// The size that a size word says, after the checks that all of them have in common.
  void check_size(std::uint64_t size, std::uint64_t least, std::uint64_t at, std::uint64_t end,
                  const Place& place) const {
    if (size < least || size % word_size != 0)
      bad("fastbin.bad_size", place, at,
          "the size is " + std::to_string(size) + "; expected a multiple of 8 from " +
              std::to_string(least) + " on");
    if (size <= end - at) return;
    const std::string message = "the size is " + std::to_string(size) + ", but " + left(at, end);
    if (place.outer == nullptr) refuse(Status::truncated, "fastbin.truncated", place, at, message);
    bad("fastbin.out_of_range", place, at, message);
  }

  std::uint64_t struct_size(std::uint64_t at, std::uint64_t end, const Place& place) {
    pace_.step(word_size);
    need_word(at, end, place, "size of the struct");
    const std::uint64_t size = word(at);
    if (size == 0)
      bad("fastbin.not_finalized", place, at,
          "the size of the struct is 0: it was never finalized");
    check_size(size, word_size, at, end, place);
    return size;
  }

  /// Bytes of content of the padded block at `at`.
  std::uint64_t block(std::uint64_t at, std::uint64_t end, const Place& place) {
    pace_.step(word_size);
    need_word(at, end, place, "size word");
    const BlockWord block(word(at));
    if (block.padding > 7)
      bad("fastbin.reserved_bits", place, at,
          "reserved bits of the size word are set (" + std::to_string(block.padding) +
              " in its top byte)");
    check_size(block.size, word_size, at, end, place);
    if (block.padding > block.size - word_size)
      bad("fastbin.bad_pad", place, at,
          std::to_string(block.padding) + " bytes of padding in a block of " +
              std::to_string(block.size));
    return block.content();
  }

  /// Returns where the next member starts.
  std::uint64_t member(const Field& f, std::uint64_t at, std::uint64_t end, const Place& place) {
    switch (f.type.kind) {
      case Kind::primitive:
      case Kind::enumeration:
        need_word(at, end, place, "member");
        scalars(f.type, at, 0, 1, nullptr, place);
        return at + word_size;
      case Kind::text:
        text(at + word_size, block(at, end, place), place);
        return at + BlockWord(word(at)).size;
      case Kind::structure:
        return structure(schema_.struct_of(f.type), at, end, place);
      case Kind::vector:
        return vector(f.type.item(), at, end, place);
      default:
        return variant(f.type, at, end, place);
    }
  }

  void text(std::uint64_t at, std::uint64_t size, const Place& place) {
    if (!settings_.strict_utf8) return;
    pace_.step(size);
    const std::size_t fault = validate_utf8(base_ + at, static_cast<std::size_t>(size));
    if (fault != utf8_npos) bad("fastbin.bad_utf8", place, at + fault, "the text is not UTF-8");
  }

  /// `count` scalars of native size, `stride` bytes apart. `row`: the step of the path that their
  /// number goes to.
  void scalars(const Type& type, std::uint64_t at, std::uint64_t stride, std::uint64_t count,
               Place* row, const Place& place) {
    const bool boolean = type.kind == Kind::primitive && type.primitive == Primitive::boolean;
    const bool enumeration = type.kind == Kind::enumeration && settings_.known_enums;
    const bool bool_enum = type.kind == Kind::enumeration && type.primitive == Primitive::boolean;
    if (boolean || bool_enum) booleans(at, stride, count, row, place);
    if (enumeration) enums(type, at, stride, count, row, place);
  }

  void booleans(std::uint64_t at, std::uint64_t stride, std::uint64_t count, Place* row,
                const Place& place) {
    constexpr std::uint64_t piece = 65536;
    for (std::uint64_t start = 0; start < count; start += piece) {
      const std::uint64_t stop = count - start < piece ? count : start + piece;
      pace_.step(stop - start);
      unsigned any = 0;
      const std::byte* p = base_ + at;
      if (stride == 1) {
        for (std::uint64_t i = start; i < stop; ++i) any |= static_cast<unsigned>(p[i]);
      } else {
        for (std::uint64_t i = start; i < stop; ++i) any |= static_cast<unsigned>(p[i * stride]);
      }
      if (any <= 1) continue;
      std::uint64_t i = start;
      while (static_cast<unsigned>(p[i * stride]) <= 1) ++i;
      if (row != nullptr) row->index = i;
      bad("fastbin.bad_bool", place, at + i * stride,
          "a boolean is " + std::to_string(static_cast<unsigned>(p[i * stride])) +
              "; expected 0 or 1");
    }
  }

  void enums(const Type& type, std::uint64_t at, std::uint64_t stride, std::uint64_t count,
             Place* row, const Place& place) {
    const Enum& e = schema_.enum_of(type);
    const EnumPlan& plan = plan_.of(e);
    const std::uint32_t width = native_size(type.primitive);
    for (std::uint64_t i = 0; i < count; ++i) {
      pace_.step(width);
      const std::uint64_t bits = bits_at(base_ + at + i * stride, width);
      if (plan.values_are_indices ? bits < e.members.size() : e.find(bits) != nullptr) continue;
      if (row != nullptr) row->index = i;
      EnumMember unknown;
      unknown.bits = bits;
      bad("fastbin.bad_enum", place, at + i * stride,
          "enum " + e.name + " has no member with the value " + e.value_text(unknown));
    }
  }

  /// `count` fixed structs, `stride` bytes apart.
  void rows(const Struct& s, std::uint64_t at, std::uint64_t stride, std::uint64_t count,
            Place* row, const Place& place) {
    call_.check_stack();
    const StructPlan& plan = plan_.of(s);
    if (!plan.has_booleans && !plan.has_enums) return;
    for (const Field& f : s.fields) {
      const Place inner = Place::member(place, f.name);
      if (f.type.kind == Kind::structure)
        rows(schema_.struct_of(f.type), at + *f.offset, stride, count, row, inner);
      else
        scalars(f.type, at + *f.offset, stride, count, row, inner);
    }
  }

  std::uint64_t vector(const Type& item, std::uint64_t at, std::uint64_t end, const Place& place) {
    if (item.is_scalar()) {
      packed(item, at, at + word_size, block(at, end, place), "fastbin.bad_length", place);
      return at + BlockWord(word(at)).size;
    }
    pace_.step(word_size);
    if (end - at < 2 * word_size)
      refuse(Status::truncated, "fastbin.truncated", place, at,
             "size and count of the vector take 16 bytes, " + left(at, end));
    const std::uint64_t size = word(at);
    check_size(size, 2 * word_size, at, end, place);
    const std::uint64_t count = word(at + word_size);
    const std::uint64_t first = at + 2 * word_size;
    if (item.kind == Kind::structure && schema_.struct_of(item).fixed) {
      const Struct& s = schema_.struct_of(item);
      if ((size - 2 * word_size) % s.fixed_size != 0 ||
          (size - 2 * word_size) / s.fixed_size != count)
        bad("fastbin.bad_count", place, at + word_size,
            std::to_string(count) + " structs of " + std::to_string(s.fixed_size) + " bytes in " +
                std::to_string(size - 2 * word_size));
      Place row = Place::item(place, 0);
      rows(s, first, s.fixed_size, count, &row, row);
      return at + size;
    }
    return items(item, first, at + size, count, place);
  }

  /// `count` items of any size one after the other.
  std::uint64_t items(const Type& item, std::uint64_t first, std::uint64_t end, std::uint64_t count,
                      const Place& place) {
    std::uint64_t next = first;
    Place row = Place::item(place, 0);
    // Every item takes a word at least, so a count that is too large ends with the first that has
    // no room.
    for (; row.index < count; ++row.index) {
      if (item.kind == Kind::structure) {
        next = structure(schema_.struct_of(item), next, end, row);
      } else {
        text(next + word_size, block(next, end, row), row);
        next += BlockWord(word(next)).size;
      }
    }
    if (next != end)
      bad("fastbin.bad_count", place, first - word_size,
          std::to_string(end - next) + " bytes after the last of " + std::to_string(count) +
              " items");
    return end;
  }

  /// Scalars of native size, `size` bytes at `at`; `word_offset` is where their size is.
  void packed(const Type& item, std::uint64_t word_offset, std::uint64_t at, std::uint64_t size,
              const char* word, const Place& place) {
    const std::uint32_t width = native_size(item.primitive);
    if (size % width != 0)
      bad(word, place, word_offset,
          std::to_string(size) + " bytes are not a multiple of " + std::to_string(width) +
              ", the size of an item");
    Place row = Place::item(place, 0);
    scalars(item, at, width, size / width, &row, row);
  }

  std::uint64_t variant(const Type& type, std::uint64_t at, std::uint64_t end, const Place& place) {
    const std::uint64_t content = block(at, end, place);
    const std::uint64_t after = at + BlockWord(word(at)).size;
    const std::uint64_t cell_at = at + word_size;
    const auto bad_size = [&](const std::string& what) {
      bad("fastbin.bad_variant_size", place, cell_at, what);
    };
    if (after - cell_at < word_size)
      bad("fastbin.bad_variant_size", place, at, "the variant has no cell");
    const CellWord cell(word(cell_at));
    if (cell.size != content || cell.size < word_size)
      bad_size("the size of the cell is " + std::to_string(cell.size) + ", that around it says " +
               std::to_string(content));
    if (cell.index >= type.of.size())
      bad("fastbin.bad_variant_index", place, cell_at,
          "alternative " + std::to_string(cell.index) + " of " + std::to_string(type.of.size()));
    const Type& held = type.of[static_cast<std::size_t>(cell.index)];
    const std::uint64_t payload = cell_at + word_size;
    const std::uint64_t size = cell.size - word_size;
    if (held.kind == Kind::text) {
      text(payload, size, place);
    } else if (held.kind == Kind::vector) {
      packed(held.item(), cell_at, payload, size, "fastbin.bad_variant_size", place);
    } else if (size != 0 && held.is_scalar()) {
      if (size != native_size(held.primitive))
        bad_size(std::to_string(size) + " bytes for " + schema_.type_text(held));
      scalars(held, payload, 0, 1, nullptr, place);
    } else if (size != 0) {
      const Struct& s = schema_.struct_of(held);
      if (s.fixed ? size != s.fixed_size : size < word_size)
        bad_size(std::to_string(size) + " bytes for " + schema_.type_text(held));
      if (structure(s, payload, payload + size, place) != payload + size)
        bad_size("the struct is smaller than the variant around it");
    }
    return after;
  }

  const Plan& plan_;
  const Schema& schema_;
  const Settings& settings_;
  const Call& call_;
  Meter pace_;
  const std::byte* base_;
};

}  // namespace

std::uint64_t verify(const Plan& plan, const Call& call, std::string_view bytes) {
  const Place root;
  if (plan.settings().aligned_input &&
      reinterpret_cast<std::uintptr_t>(bytes.data()) % word_size != 0)
    bad("fastbin.bad_alignment", root, 0, "the address of the input is not a multiple of 8");
  const std::uint64_t used =
      Verifier(plan, call, bytes).structure(plan.root(), 0, bytes.size(), root);
  if (used != bytes.size() && plan.settings().whole_input)
    refuse(
        Status::trailing, "fastbin.trailing", root, used,
        std::to_string(bytes.size() - used) + " bytes after the end of struct " + plan.root().name);
  return used;
}

}  // namespace polycodec::fastbin

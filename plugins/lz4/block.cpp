// SPDX-License-Identifier: MIT
#include "block.hpp"

#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <lz4.h>

#include <string>
#include <string_view>

namespace polycodec::lz4 {

namespace {

// A block of n bytes unpacks to less than this many times n: each byte of a length adds at most
// 255.
constexpr std::uint64_t greatest_ratio = 255;

[[noreturn]] void refuse(Status status, std::string_view word, const std::string& why,
                         const char* where) {
  throw Error(status, why).detail(word).path(where);
}

std::string_view source_of(const View& v) {
  if (v.is_binary()) return v.as_bytes();
  if (const polycodec_array* array = v.array()) {
    const ArrayView a(*array);
    if (a.layout() == POLYCODEC_LAYOUT_NDARRAY && a.item_size() == 1 && a.is_contiguous())
      return a.contiguous_bytes();
  }
  refuse(Status::type, "function.argument_kind",
         "the source must be bytes, not " + std::string(kind_name(v.kind())), "$.args[0]");
}

/// The size that is given beside the block, or nothing where it is before it.
std::optional<std::uint64_t> given_size(const View& args, const View& kwargs) {
  std::optional<View> given;
  if (args.size() > 1) given = args.child(1);
  const char* where = "$.args[1]";
  for (std::uint64_t i = 0; i < kwargs.size(); ++i) {
    where = "$.kwargs.uncompressed_size";
    if (kwargs.name(i) != "uncompressed_size")
      refuse(Status::range, "function.arguments", "there is no parameter " + quote(kwargs.name(i)),
             "$.kwargs");
    if (given)
      refuse(Status::range, "function.arguments",
             "the parameter 'uncompressed_size' is given twice", "$.kwargs");
    given = kwargs.child(i);
  }
  if (!given) return std::nullopt;
  if (!given->is_integer())
    refuse(Status::type, "function.argument_kind", "'uncompressed_size' must be an integer", where);
  if (given->kind() == POLYCODEC_KIND_SIGNED && given->as_int64() < 0)
    return std::nullopt;  // -1, as if it were not given
  return given->as_uint64();
}

}  // namespace

Node decompress(Call& call, const View& args, const View& kwargs, Builder& out) {
  std::string_view packed = source_of(args.child(0));
  std::uint64_t size = 0;
  if (const auto given = given_size(args, kwargs)) {
    size = *given;
  } else {
    if (packed.size() < 4)
      refuse(Status::malformed, "buffer.compressed", "the size before an LZ4 block takes 4 bytes",
             "$.args[0]");
    size = load<std::uint32_t>(packed.data(), std::endian::little);
    packed.remove_prefix(4);
  }
  // Nothing is taken for a size that so few bytes cannot unpack to.
  const std::uint64_t most = packed.size() * greatest_ratio;
  if (size > most || packed.size() > LZ4_MAX_INPUT_SIZE || size > LZ4_MAX_INPUT_SIZE)
    refuse(Status::malformed, "buffer.compressed",
           std::to_string(packed.size()) + " bytes of an LZ4 block cannot hold " +
               std::to_string(size),
           "$.args[0]");
  call.tick(size / 8 + 1);
  auto* to = out.allocate<char>(size + 1);
  const int made = LZ4_decompress_safe(packed.data(), to, static_cast<int>(packed.size()),
                                       static_cast<int>(size));
  if (made < 0 || static_cast<std::uint64_t>(made) != size)
    refuse(Status::malformed, "buffer.compressed",
           made < 0 ? "the bytes are not an LZ4 block, or one of more than " +
                          std::to_string(size) + " bytes"
                    : "an LZ4 block of " + std::to_string(made) + " bytes, where its size says " +
                          std::to_string(size),
           "$.args[0]");
  return Builder::bytes_view({to, static_cast<std::size_t>(size)});
}

}  // namespace polycodec::lz4

// SPDX-License-Identifier: MIT
#include "block.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/codec.hpp>

#include <lz4.h>

#include <string>
#include <string_view>

namespace {
using namespace polycodec;

// A block of n bytes unpacks to less than this many times n: each byte of a length adds at most 255.
constexpr std::uint64_t greatest_ratio = 255;

[[noreturn]] void refuse(Status status, std::string_view word, const std::string& why, const char* where) {
  throw Error(status, why).detail(word).path(where);
}

std::string_view bytes_of(View v) {
  if (v.kind() == POLYCODEC_BINARY) {
    const auto bytes = v.as_bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  if (v.is_array()) {
    const ArrayView a(*v.node()->as.array);
    if (a.form() == POLYCODEC_FORM_NDARRAY && a.item_size() == 1 && a.is_contiguous()) {
      const auto bytes = a.contiguous_bytes();
      return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
  }
  refuse(Status::type, "function.argument_kind",
         "the source must be bytes, not " + std::string(View::kind_name(v.kind())), "$.args[0]");
}

/// The size that is given beside the block, or nothing where it stands before it.
std::optional<std::uint64_t> given_size(std::span<const polycodec_node> args, const polycodec_node* kwargs) {
  const polycodec_node* given = args.size() > 1 ? &args[1] : nullptr;
  const char* where = "$.args[1]";
  if (kwargs != nullptr) {
    const View named(kwargs);
    for (std::uint64_t i = 0; i < named.size(); ++i) {
      const std::string_view name = named.key(i).as_string();
      where = "$.kwargs.uncompressed_size";
      if (name != "uncompressed_size")
        refuse(Status::range, "function.arguments", "there is no parameter '" + std::string(name.substr(0, 80)) + "'",
               "$.kwargs");
      if (given != nullptr)
        refuse(Status::range, "function.arguments", "the parameter 'uncompressed_size' is given twice", "$.kwargs");
      given = named.value(i).raw();
    }
  }
  if (given == nullptr) return std::nullopt;
  if (given->kind != POLYCODEC_SIGNED)
    refuse(Status::type, "function.argument_kind", "'uncompressed_size' must be an integer", where);
  if (given->as.i64 < 0) return std::nullopt;  // -1, as if it were not given
  return static_cast<std::uint64_t>(given->as.i64);
}

polycodec_node decompress(const Call& call, std::span<const polycodec_node> args, const polycodec_node* kwargs,
                          Builder& out) {
  std::string_view packed = bytes_of(View(&args[0]));
  std::uint64_t size = 0;
  if (const auto given = given_size(args, kwargs)) {
    size = *given;
  } else {
    if (packed.size() < 4)
      refuse(Status::malformed, "buffer.compressed", "the size before an LZ4 block takes 4 bytes", "$.args[0]");
    size = load<std::uint32_t>(packed.data(), std::endian::little);
    packed.remove_prefix(4);
  }
  // Nothing is taken for a size that so few bytes cannot unpack to.
  const std::uint64_t most = packed.size() * greatest_ratio;
  if (size > most || packed.size() > LZ4_MAX_INPUT_SIZE || size > LZ4_MAX_INPUT_SIZE)
    refuse(Status::malformed, "buffer.compressed",
           std::to_string(packed.size()) + " bytes of an LZ4 block cannot hold " + std::to_string(size), "$.args[0]");
  const polycodec_limits& limits = call.limits();
  if (size > limits.max_memory_bytes || size / (packed.size() + 1) > limits.max_ratio)
    refuse(Status::limit, "buffer.ratio",
           std::to_string(packed.size()) + " packed bytes hold " + std::to_string(size) +
               ", more than the limits allow (max_ratio, max_memory_bytes)",
           "$.args[0]");
  auto* to = out.allocate<std::byte>(size + 1);
  const int made = LZ4_decompress_safe(packed.data(), reinterpret_cast<char*>(to), static_cast<int>(packed.size()),
                                       static_cast<int>(size));
  if (made < 0 || static_cast<std::uint64_t>(made) != size)
    refuse(Status::malformed, "buffer.compressed",
           made < 0
               ? "the bytes are no LZ4 block, or one of more than " + std::to_string(size) + " bytes"
               : "an LZ4 block of " + std::to_string(made) + " bytes, where its size says " + std::to_string(size),
           "$.args[0]");
  return Builder::bytes_view({to, static_cast<std::size_t>(size)});
}

std::int32_t POLYCODEC_ABI call_decompress(const polycodec_host* host, const polycodec_call* call,
                                           const polycodec_node* args, const polycodec_node* kwargs,
                                           polycodec_arena* arena, const polycodec_node** result,
                                           polycodec_error* error) {
  return guard(error, [&] {
    Builder out(arena);
    *result = out.store(decompress(Call(host, call), View(args).items(), kwargs, out));
  });
}

constexpr const char* const path[] = {"lz4.block", "decompress"};
constexpr polycodec_function function = {
    sizeof(polycodec_function), 2, path, "the bytes of an LZ4 block", 1, 2, &call_decompress};
constexpr const polycodec_function* all[] = {&function};
constexpr polycodec_functions functions = {sizeof(polycodec_functions), 1, all};

}  // namespace

const polycodec_functions& lz4_block_functions() noexcept {
  return functions;
}

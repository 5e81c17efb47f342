// SPDX-License-Identifier: MIT
// Any bytes to a codec of meshes, with the option `strict` (true, false) and without, and in the
// other forms: an error, or a valid value that is written and read again as the same bytes.
#pragma once

#include "codec_calls.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::test {

inline Limits fuzz_limits() {
  Limits limits;
  limits.max_memory_bytes = 1 << 28;
  limits.max_nodes = 1 << 20;
  limits.max_elements = 1 << 24;
  return limits;
}

// A value that breaks the rules of the model, or a bug that was noticed, is what these programs
// look for.
inline void expect_honest(const Error& error) {
  if (error.code() == Status::invalid || error.code() == Status::internal || error.detail().empty())
    std::abort();
}

template <class Codec>
std::optional<Value> fuzz_decode(const Codec& codec, std::string_view bytes, const TestCall& call) {
  try {
    return decode(codec, bytes, call);
  } catch (const Error& error) {
    expect_honest(error);
    return std::nullopt;
  }
}

template <class Codec>
void fuzz_with(std::string_view bytes, std::optional<bool> strict) {
  TestCall call(fuzz_limits());
  call.allow_loss();  // what was mended is a note
  const auto value = fuzz_decode(
      strict ? make<Codec>({{"strict", Builder::boolean(*strict)}}) : make<Codec>(), bytes, call);
  if (!value) return;
  const auto lenient = make<Codec>();
  const std::string once = encode(lenient, value->view());
  const Value again = decode(lenient, once);
  if (encode(lenient, again.view()) != once) std::abort();
}

/// The forms of the option `form`, with and without triangles: what comes of the bytes is written
/// again, or refused.
template <class Codec>
void fuzz_form(std::string_view bytes, std::string_view form, bool triangulate) {
  TestCall call(fuzz_limits());
  call.allow_loss();
  const auto codec = make<Codec>(
      {{"form", Builder::string_view(form)}, {"triangulate", Builder::boolean(triangulate)}});
  const auto value = fuzz_decode(codec, bytes, call);
  if (!value) return;
  std::string file;
  try {
    file = encode(codec, value->view(), call);
  } catch (const Error& error) {
    expect_honest(error);
    return;
  }
  // The codec reads what it writes.
  static_cast<void>(decode(make<Codec>(), file));
}

/// All three modes, one after the other. The last byte chooses another form, too: files keep their
/// beginnings, which the seeds have, and the byte stays where it is when others come in front of
/// it.
template <class Codec>
int fuzz_codec(const std::uint8_t* data, std::size_t size,
               std::span<const std::string_view> forms) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::optional<bool> strict :
       {std::optional<bool>(), std::optional(false), std::optional(true)})
    fuzz_with<Codec>(bytes, strict);
  const std::size_t choice = size == 0 ? 0 : data[size - 1];
  fuzz_form<Codec>(bytes, forms[choice / 2 % forms.size()], choice % 2 != 0);
  return 0;
}

}  // namespace polycodec::test

// SPDX-License-Identifier: MIT
// Any bytes: an error, or a valid value that is written in both styles and read again as what was
// written.
#include <base/base64.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace polycodec;
using yggdrasil::Yggdrasil;

namespace {

[[noreturn]] void stop(const char* what, std::string_view detail) {
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(detail.size()), detail.data());
  std::abort();
}

void try_codec(const Yggdrasil& reader, const Yggdrasil& writer, std::string_view bytes) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{1} << 28;
  limits.max_nodes = 1 << 20;
  limits.max_elements = 1 << 24;
  const test::TestCall call(limits);
  Value value;
  try {
    value = test::decode(reader, bytes, call);
  } catch (const Error& e) {
    // A value that breaks the rules of the model, or a bug that was noticed, is what this program
    // looks for.
    if (e.code() == Status::invalid || e.code() == Status::internal) stop("decoding", e.describe());
    return;
  }
  // Attributes that only the header of a message has a place for may be lost.
  test::TestCall lossy;
  lossy.allow_loss();
  const std::string once = test::encode(writer, value.view(), lossy);
  try {
    const Value again = test::decode(reader, once);
    const std::string twice = test::encode(writer, again.view(), lossy);
    if (twice != once) stop("other bytes came back", twice);
  } catch (const Error& e) {
    stop("what was written", e.describe());
  }
}

// What is before the first line end as the schema of a leaf, what is behind it as its data: a
// mutation of base64 would hardly ever be a schema.
std::string as_leaf(std::string_view bytes) {
  const std::size_t line = bytes.find('\n');
  const auto base64 = [](std::string_view part) {
    std::string text(base64_encoded_size(part.size()), '\0');
    base64_encode(text.data(), part.data(), part.size());
    return text;
  };
  const std::string_view data =
      line == std::string_view::npos ? std::string_view() : bytes.substr(line + 1);
  return "[\"-YGG-" + base64(bytes.substr(0, line)) + "-YGG-" + base64(data) +
         "-YGG-\",1,{\"a\":2}]";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto plain = test::make<Yggdrasil>();
  static const auto python = test::make<Yggdrasil>({{"style", Builder::string_view("python")}});
  static const auto lenient =
      test::make<Yggdrasil>({{"utf8", Builder::string_view("lenient")},
                             {"duplicate_keys", Builder::string_view("last")},
                             {"nonfinite", Builder::string_view("bare")}});
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  test::sniff<Yggdrasil>(bytes.substr(0, 4096), size);
  try_codec(plain, plain, bytes);
  try_codec(plain, python, bytes);
  try_codec(lenient, lenient, bytes);
  const std::string leaf = as_leaf(bytes);
  try_codec(plain, plain, leaf);
  try_codec(plain, python, leaf);
  return 0;
}

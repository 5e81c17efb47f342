// SPDX-License-Identifier: MIT
// Netstrings, `5:hello,0:,`, as a list of byte strings: an example that works, to be replaced by your format.
#include <polycodec/codec.hpp>
#include <polycodec/reader.hpp>

#include "polycodec_manifest.h"

namespace {
using namespace polycodec;

class Codec {
 public:
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;

  Codec(Host, const Options& options) : max_length_(options.get("max_length", std::int64_t{1} << 30)) {}

  const polycodec_node* decode(const Call& call, const Input& input, Builder& out) const {
    std::uint64_t count = 0;  // counted before memory is taken, which no number in the input can then make too large
    for (Reader in(input.bytes()); !in.at_end(); ++count) {
      if (count >= call.limits().max_elements) in.fail(Status::limit, "more strings than the limits allow");
      if (count % 65536 == 0) call.check_cancelled();
      next(in);
    }
    polycodec_node* item = nullptr;
    const polycodec_node list = out.list(count, &item);
    for (Reader in(input.bytes()); !in.at_end();) *item++ = Builder::bytes_view(std::as_bytes(next(in)));
    return out.root(list);
  }

  void encode(const Call& call, View value, Writer& out) const {
    for (const polycodec_node& item : value.items()) {
      if ((&item - value.items().data()) % 65536 == 0) call.check_cancelled();
      const auto bytes = View(&item).as_bytes();
      out.put_text(std::to_string(bytes.size()) + ':');
      out.reference(bytes.data(), bytes.size());
      out.put_u8(',');
    }
  }

 private:
  std::span<const std::uint8_t> next(Reader& in) const {
    std::int64_t length = 0;
    for (int digits = 0;; ++digits) {
      const std::uint8_t c = in.u8("the length of a string");
      if (c == ':' && digits > 0) break;
      if (c < '0' || c > '9' || (digits > 0 && length == 0)) in.fail(Status::malformed, "expected a length and ':'");
      if ((length = length * 10 + (c - '0')) > max_length_) in.fail(Status::limit, "longer than max_length");
    }
    const auto bytes = in.bytes(static_cast<std::uint64_t>(length), "the string");
    if (in.u8("the ',' after a string") != ',') in.fail(Status::malformed, "expected ',' after the string");
    return bytes;
  }
  const std::int64_t max_length_;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, codecs_interface<Codec>)

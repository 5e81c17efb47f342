// SPDX-License-Identifier: MIT
// Netstrings, `5:hello,0:,`, as a list of byte strings: a working example, to be replaced by your format.
#include <polycodec/codec.hpp>
#include <polycodec/reader.hpp>

using namespace polycodec;

class Netstrings {
 public:
  static constexpr const char* name = "@PLUGIN_ID@";
  Netstrings(Call&, const Options& options) : max_length_(options.get("max_length", 1 << 30)) {}

  Node decode(Call& call, const Input& input, Builder& out) const {
    Meter meter(call);  // charges the call's budget for each item
    auto list = out.list();
    for (Reader in(input.bytes()); !in.at_end(); meter.tick()) list.push(Builder::bytes_view(next(in)));
    return list;
  }

  void encode(Call& call, View value, Writer& out) const {
    Meter meter(call);
    for (View item : value) {
      const std::string_view bytes = item.as_bytes();
      meter.step(bytes.size());
      out.put_text(std::to_string(bytes.size()) + ':');
      out.reference(bytes);
      out.put_u8(',');
    }
  }
 private:
  std::string_view next(Reader& in) const {
    std::int64_t length = 0, digits = 0;
    for (char c; (c = static_cast<char>(in.u8("the length"))) != ':' || digits == 0; ++digits) {
      if (c < '0' || c > '9' || (digits > 0 && length == 0)) in.fail(Status::malformed, "expected a length and ':'");
      if ((length = length * 10 + (c - '0')) > max_length_) in.fail(Status::limit, "longer than max_length");
    }
    const std::string_view bytes = in.bytes(static_cast<std::uint64_t>(length), "the string");
    if (in.u8("the ','") != ',') in.fail(Status::malformed, "expected ',' after the string");
    return bytes;
  }
  const std::int64_t max_length_;
};
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Codecs<Netstrings>)

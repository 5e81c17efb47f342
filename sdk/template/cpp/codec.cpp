// SPDX-License-Identifier: MIT
// Netstrings, `5:hello,0:,`, as a list of byte strings: a working example, to be replaced by your format.
#include <polycodec/codec.hpp>
#include <polycodec/path.hpp>
#include <polycodec/reader.hpp>

using namespace polycodec;

class Netstrings {
 public:
  static constexpr const char* name = "@PLUGIN_ID@";
  Netstrings(Call&, const Options& options) : max_length_(options.get("max_length", std::uint64_t{1} << 30)) {}

  Node decode(Call& call, const Input& input, Builder& out) const {
    Meter meter(call);  // charges the call's budget for each item
    auto list = out.list();
    for (Reader in(input.bytes()); !in.at_end(); meter.tick()) list.push(Builder::bytes_view(next(in)));
    return list;
  }

  void encode(Call& call, View value, Writer& out) const {
    Meter meter(call);
    bool has_metadata = value.metadata() != nullptr;
    for (View item : value) has_metadata = has_metadata || item.metadata() != nullptr;
    if (has_metadata) call.report_loss(LossClass::data, "$", "metadata");  // the host decides
    std::uint64_t i = 0;
    for (View item : value) {
      const std::string_view bytes = at_step(i++, [&] { return item.as_bytes(); });  // errors name the item
      meter.step(bytes.size());
      out.put_decimal(bytes.size());
      out.put_u8(':');
      out.reference(bytes);
      out.put_u8(',');
    }
  }

 private:
  std::string_view next(Reader& in) const {
    const std::uint64_t begin = in.position();
    const auto length = in.decimal<std::uint64_t>("the length");
    if (in.position() - begin != std::to_string(length).size())
      throw Error(Status::malformed, "the length has a sign or leading zeros", begin);
    if (length > max_length_) throw Error(Status::limit, "longer than max_length", begin);
    if (in.u8("the ':'") != ':') throw Error(Status::malformed, "expected ':' after the length", in.position() - 1);
    const std::string_view bytes = in.bytes(length, "the string");
    if (in.u8("the ','") != ',') throw Error(Status::malformed, "expected ',' after the string", in.position() - 1);
    return bytes;
  }
  const std::uint64_t max_length_;
};
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Codecs<Netstrings>)

// SPDX-License-Identifier: MIT
// Lines of text as a list of strings: the plugin that docs/porting-to-abi2.md ports.
#include <polycodec/codec.hpp>

#include "polycodec_manifest.h"

using namespace polycodec;

class Lines {
 public:
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  Lines(Call&, const Options& options) : longest_(options.get("longest", std::int64_t{65536})) {}

  static Sniff sniff(Call&, const Input& input) {
    return {input.bytes().find('\n') != std::string_view::npos ? 5u : 1u, "any bytes may be lines"};
  }

  Node decode(Call& call, const Input& input, Builder& out) const {
    Meter meter(call);
    auto lines = out.list();
    for (std::string_view rest = input.bytes(); !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      meter.step(line.size());
      if (line.size() > static_cast<std::uint64_t>(longest_))
        throw Error(Status::limit, "a line is longer than the option longest");
      lines.push(Builder::bytes_view(line));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return lines;
  }

  void encode(Call& call, View value, Writer& out) const {
    Meter meter(call);
    for (View line : value) {
      meter.step(line.as_bytes().size());
      if (line.as_bytes().find('\n') != std::string_view::npos)
        throw Error(Status::unsupported, "a line cannot contain a newline");
      out.reference(line.as_bytes());
      out.put_u8('\n');
    }
  }

 private:
  const std::int64_t longest_;
};

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Codecs<Lines>)

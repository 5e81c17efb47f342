// SPDX-License-Identifier: MIT
// The C++ that pages show to authors of plugins, as they show it. It is compiled, and tests/docs
// compares it with the pages.
#include <polycodec/codec.hpp>
#include <polycodec/filter.hpp>
#include <polycodec/plugin.hpp>

#include <string>

using namespace polycodec;

#define POLYCODEC_MANIFEST_ID "test.blocks"
#define POLYCODEC_MANIFEST_VERSION "1.0.0"

// clang-format off

// The name of what a plugin exports, which a library has once.
#define polycodec_plugin_v2 plugin_of_a_filter
// docs/pipelines.md
namespace filters {
class Invert {
 public:
  static constexpr const char* name = "invert";
  Invert(Call&, const Options&) {}
  void encode(Call& call, const Pieces& pieces, Writer& out) const;
  void decode(Call& call, std::string_view bytes, std::uint64_t expected_size, Writer& out) const;
};
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Filters<Invert>)
}
#undef polycodec_plugin_v2
#define polycodec_plugin_v2 plugin_of_a_codec

// docs/writing-a-plugin.md
namespace codecs {
class Codec {
 public:
  static constexpr const char* name = "greetings";

  Codec(Call& call, const Options& options);
  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(Call& call, View value, Writer& out) const;
};
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Codecs<Codec>)
}
#undef polycodec_plugin_v2
#define polycodec_plugin_v2 plugin_of_several

namespace several {
using A = codecs::Codec;
class B : public codecs::Codec {
 public:
  using Codec::Codec;
  static constexpr const char* name = "b";
};
using C = filters::Invert;
Node sum(Call& call, View args, View kwargs, Builder& out);
constexpr const char* sum_path[] = {"blocks", "sum"};
constexpr polycodec_function sum_function = make_function<sum>(sum_path, "the sum", 1, 1);
constexpr polycodec_type point = make_type("blocks.point", "{x: float64, y: float64}", "a point");
POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::Codecs<A, B>,
                        polycodec::Filters<C>, polycodec::Functions<sum_function>, polycodec::Types<point>)
}

// docs/abi.md: two of its mistakes
void print(View row);
void each_row(View value) {
  for (View row : value) print(row);
}
std::string make_head(View value);
void write_head(View value, Writer& out) {
  const std::string head = make_head(value);
  out.reference(head.data(), head.size());
}

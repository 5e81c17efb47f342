// SPDX-License-Identifier: MIT
// A host that knows no format: it reads a file in whatever format it is and writes it in the one
// that the configuration chooses by the value's type, the file's size and name. Changing the file
// changes the format.
#include <polycodec/config.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: %s CONFIG.json IN OUT\n", argv[0]), 2;
  try {
    const polycodec::Configuration config = polycodec::load_config(argv[1]);
    const auto registry = polycodec::Registry::open(config.registry);
    const auto source = polycodec::Source::open(argv[2], config.registry.limits);
    const polycodec::Value value = registry.decode(source);

    polycodec::RuleFacts facts;
    facts.value = value.root();
    facts.file = argv[2];
    if (source.has_bytes()) facts.size = source.bytes().size();
    const auto rule = config.choose(facts);
    if (!rule) return std::fprintf(stderr, "no rule says how to write %s\n", argv[2]), 1;

    polycodec::SegmentSink out;
    registry.codec_with_json(rule->codec, rule->options, rule->filters).encode(value.view(), out);
    polycodec::write_file(argv[3], out.segments());
    std::printf("%s: %s\n", argv[3], rule->codec.c_str());
    return 0;
  } catch (const polycodec::Error& error) {
    return std::fprintf(stderr, "%s\n", error.describe().c_str()), 1;
  }
}

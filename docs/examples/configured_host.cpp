// SPDX-License-Identifier: MIT
// A host that knows no format: it reads a file in whatever format it is and writes it in the one
// that the configuration chooses by the value's type and the name of the output. Changing the
// configuration changes the format.
#include <polycodec/polycodec.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: %s CONFIG.json IN OUT\n", argv[0]), 2;
  try {
    const auto config = polycodec::Source::file(argv[1]);
    polycodec::RegistryOptions options;
    options.layers = {{std::string(config.bytes()), argv[1]}};
    const auto registry = polycodec::Registry::open(options);

    registry.convert(polycodec::Source::file(argv[2]), argv[3]);

    const polycodec::Match written = registry.choose(polycodec::Source::file(argv[3]));
    std::printf("%s: %s\n", argv[3], written.codec.c_str());
    return 0;
  } catch (const polycodec::Error& error) {
    return std::fprintf(stderr, "%s\n", error.describe().c_str()), 1;
  }
}

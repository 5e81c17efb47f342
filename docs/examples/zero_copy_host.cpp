// SPDX-License-Identifier: MIT
// A host program: loads a codec by name from a library it was not linked with, decodes a file
// through it, looks at an array without copying it, and encodes the value again.
#include <polycodec/polycodec.hpp>

#include <cstdio>
#include <numeric>

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s FILE.msgpack\n", argv[0]), 2;
  try {
    // [readme]
    const auto registry = polycodec::Registry::open();
    const auto codec = registry.codec("msgpack-ndarray");
    const auto source = polycodec::Source::file(argv[1]);

    const polycodec::Value value = codec.decode(source);
    std::size_t count = 0;
    double sum = 0;
    for (const polycodec::View row : value.view()) {
      const auto numbers = row.as<double>();  // a view of the mapped file
      count += numbers.size();
      sum = std::accumulate(numbers.begin(), numbers.end(), sum);
    }
    std::printf("%zu doubles, sum %g\n", count, sum);  // 10000 doubles, sum 1.93951

    polycodec::Sink out;
    codec.encode(value, out);  // large arrays are referenced, ready for writev
    std::printf("%zu segments\n", out.segments().size());  // 2 segments
    // [/readme]
    return 0;
  } catch (const polycodec::Error& error) {
    return std::fprintf(stderr, "%s\n", error.describe().c_str()), 1;
  }
}

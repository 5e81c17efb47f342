// SPDX-License-Identifier: MIT
// A host program: loads a codec by name from a library it was not linked with, decodes a file
// through it, looks at an array without copying it, and encodes the value again.
#include <polycodec/registry.hpp>

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
    const polycodec::View array = value.view();
    // A view of the mapped file: nothing is copied.
    if (const auto numbers = array.column<double>())
      std::printf("%llu doubles at byte %td of the file, sum %g\n",
                  static_cast<unsigned long long>(numbers->size()),
                  reinterpret_cast<const char*>(array.elements()->data) - source.bytes().data(),
                  std::accumulate(numbers->begin(), numbers->end(), 0.0));

    polycodec::SegmentSink out;
    codec.encode(value.view(), out);  // large arrays are referenced, ready for writev
    std::printf("encoded again: %llu bytes in %zu segments\n",
                static_cast<unsigned long long>(out.size()), out.segments().size());
    // [/readme]
    return 0;
  } catch (const polycodec::Error& error) {
    return std::fprintf(stderr, "%s\n", error.describe().c_str()), 1;
  }
}

// SPDX-License-Identifier: MIT
// A host program: decodes with a codec that it only knows by name.
#include <polycodec/registry.hpp>
#include <polycodec/text.hpp>

#include <iostream>

int main() {
  const polycodec::Registry registry = polycodec::Registry::open();
  const polycodec::Codec codec = registry.codec("msgpack-ndarray");
  const polycodec::Value value =
      codec.decode(polycodec::Source::owned("\x82\xa1\x61\x01\xa1\x62\xc3"));
  std::cout << codec.info().library << "\n" << polycodec::to_text(value.view()) << "\n";
  return value.view().at("a").as_int64() == 1 && value.view().at("b").as_bool() ? 0 : 1;
}

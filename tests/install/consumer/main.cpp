// SPDX-License-Identifier: MIT
// A host program: decodes with a codec that it only knows by name.
#include <polycodec/polycodec.hpp>

#include <iostream>

int main() {
  using namespace polycodec;
  const Registry registry = Registry::open();
  const Codec codec = registry.codec("msgpack-ndarray");
  const Value value = codec.decode(Source::owned(std::string("\x82\xa1\x61\x01\xa1\x62\xc3")));
  const Value record = registry.describe(About::plugin, "msgpack-ndarray");
  std::cout << record.find("path").as_string() << "\n" << value.text() << "\n";
  return value.find("a").as_int64() == 1 && value.find("b").as_bool() ? 0 : 1;
}

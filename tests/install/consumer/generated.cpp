// SPDX-License-Identifier: MIT
// Code from a schema, made by the installed command in this project's build; links nothing of
// polycodec.
#include <readings.hpp>

#include <iostream>
#include <vector>

int main() {
  const float samples[] = {1.5f, -2.0f};
  const consumer::data::Reading::Values values{.time = 7, .station = "north", .samples = samples};
  std::vector<std::byte> bytes(consumer::data::Reading::size_of(values));
  if (!consumer::data::Reading::write(values, bytes)) return 1;
  const auto reading = consumer::data::Reading::open(bytes);
  if (!reading) return 1;
  std::cout << *reading << "\n";
  return reading->samples()[1] == -2.0f ? 0 : 1;
}

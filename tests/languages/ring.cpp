// SPDX-License-Identifier: MIT
// Sends each message of standard input on to standard output, through <polycodec/polycodec.hpp>.
#include <polycodec/polycodec.hpp>

#include <cstdio>

int main() try {
  const auto registry = polycodec::Registry::open();
  polycodec::Channel in(registry), out(registry);
  static char buffer[65536];
  for (bool ended = false; !ended;) {
    const std::size_t n = std::fread(buffer, 1, sizeof buffer, stdin);
    ended = n == 0;
    if (ended)
      in.end_of_input();
    else
      in.feed({buffer, n});
    while (const auto received = in.next()) {
      std::string message;
      if (received->control == 0) {
        const polycodec::Value header = polycodec::Value::parse(received->header);
        const std::string id = header.part("__meta__.id").text({.plain = true});
        message = out.pack(received->value, "{\"id\": " + id + "}").bytes();
      } else {
        message = out.pack_end().bytes();
      }
      std::fwrite(message.data(), 1, message.size(), stdout);
    }
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const polycodec::Error& error) {
  std::fprintf(stderr, "ring in C++: %s\n", error.describe().c_str());
  return 1;
}

// SPDX-License-Identifier: MIT
// A plugin with one codec that does what its input says.
#include "deed.hpp"

#include <unistd.h>

#include <csignal>
#include <string>

namespace evil {

Node good_value(Builder& out) {
  auto list = out.list();
  for (int i = 0; i < 20; ++i) list.push(out.string_copy("value " + std::to_string(i)));
  return list;
}

namespace {

struct Evil {
  static constexpr const char* name = "test.evil";

  Evil(Call&, const Options& options) {
    if (options.get("open", "well") == std::string("crash")) ::raise(SIGSEGV);
  }

  static Sniff sniff(Call&, const Input& input) {
    if (input.bytes().starts_with("sniff-crash")) ::raise(SIGSEGV);
    if (input.bytes().starts_with("sniff-hang"))
      for (;;) ::usleep(1000);
    return {};
  }

  Node decode(Call& call, const Input& input, Builder& out) const {
    const std::string_view wish = input.bytes().substr(0, input.bytes().find(' '));
    for (const auto deeds : {faults(), forbidden_calls(), values(), descriptors(), hogs()})
      for (const Deed& deed : deeds)
        if (deed.name == wish) return deed.run(call, input.bytes(), out);
    if (wish == "good") return good_value(out);
    if (wish == "long-error")
      throw Error(Status::malformed, std::string(50'000, 'x') + "\x1b: do this", 3)
          .detail("evil.long")
          .path("$." + std::string(1000, 'p'));
    throw Error(Status::malformed, "no such deed");
  }

  void encode(Call&, View value, Writer& out) const {
    const std::string_view wish = value.as_string();
    if (wish == "crash") ::raise(SIGSEGV);
    if (wish == "endless")
      for (;;) out.put_text("more and more output, without end, until somebody ends it");
    if (wish == "stray") {
      out.reference(std::string_view(reinterpret_cast<const char*>(std::uintptr_t{0x1000}), 100));
      return;
    }
    out.put_text(wish);
  }
};

}  // namespace
}  // namespace evil

POLYCODEC_DEFINE_PLUGIN("test.evil", "1.0.0", polycodec::Codecs<evil::Evil>)

// SPDX-License-Identifier: MIT
#include "deed.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

namespace evil {
namespace {

const Deed all[] = {
    {"memory",
     [](Call&, std::string_view, Builder&) -> Node {
       constexpr std::size_t block = 1 << 20;
       for (;;) {
         void* const memory = std::malloc(block);
         if (memory == nullptr) std::abort();
         std::memset(memory, 1, block);
       }
     }},
    {"arena",
     [](Call&, std::string_view, Builder& out) -> Node {
       for (;;) (void)out.string_copy(std::string(1 << 20, 'a'));
     }},
    {"credit",
     [](Call& call, std::string_view, Builder& out) {
       call.raw()->credit = UINT64_MAX;
       return good_value(out);
     }},
    {"cursor",
     [](Call& call, std::string_view, Builder& out) {
       const Node value = good_value(out);
       call.arena()->cursor = call.arena()->limit + (1 << 20);
       return value;
     }},
    {"cursor-back",
     [](Call& call, std::string_view, Builder& out) {
       const Node value = good_value(out);
       call.arena()->cursor -= std::uintptr_t{1} << 32;
       return value;
     }},
    {"limit",
     [](Call& call, std::string_view, Builder& out) {
       call.arena()->limit = reinterpret_cast<std::uint8_t*>(UINTPTR_MAX);
       return good_value(out);
     }},
    {"log",
     [](Call& call, std::string_view, Builder& out) {
       for (int i = 0; i < 10000; ++i) call.log(POLYCODEC_LOG_DEBUG, "noise");
       return good_value(out);
     }},
    {"work",
     [](Call& call, std::string_view, Builder&) -> Node {
       for (;;) call.tick(1 << 20);
     }},
};

}  // namespace

std::span<const Deed> hogs() {
  return all;
}

}  // namespace evil

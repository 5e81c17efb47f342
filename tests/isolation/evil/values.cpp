// SPDX-License-Identifier: MIT
#include "deed.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

namespace evil {
namespace {

const char* at(std::uintptr_t address) {
  return reinterpret_cast<const char*>(address);
}

/// The last value that this worker returned, if it serves further calls.
char* kept = nullptr;
constexpr std::size_t kept_size = 1 << 20;

/// Where the input of an earlier call lay.
const volatile char* remembered = nullptr;

/// Hands a file or a store of this plugin to another codec.
Node hand_over(Call& call, const polycodec_file* file, const polycodec_store* store) {
  polycodec_input input{};
  input.struct_size = sizeof input;
  input.parts = file != nullptr ? POLYCODEC_INPUT_FILE : POLYCODEC_INPUT_STORE;
  input.file = file;
  input.store = store;
  return *call.decode_with("test.evil", nullptr, input);
}

/// Too much to be a message, and not in the library as such.
std::string secrets() {
  std::string text;
  while (text.size() < 3 << 20) text += static_cast<char>('A' + text.size() * 7 % 23);
  return text;
}

Node large_value(Builder& out) {
  const Node text = out.string_copy(std::string(kept_size, 'v'));
  kept = const_cast<char*>(static_cast<const char*>(text.as.data));
  return text;
}

Node large_pair(Builder& out, Node part) {
  Node* items;
  const Node pair = out.list(2, &items);
  items[0] = out.string_copy(std::string(1 << 17, 'l'));
  items[1] = part;
  return pair;
}

Node of_kind(std::uint8_t kind, std::uint64_t size, const void* data) {
  Node node = polycodec_node_make(kind, 0, size);
  node.as.data = data;
  return node;
}

const Deed all[] = {
    {"wild",
     [](Call&, std::string_view, Builder&) {
       return Builder::string_view({at(0x123456000), 100});
     }},
    {"null-page",
     [](Call&, std::string_view, Builder&) {
       return Builder::bytes_view({at(8), 10});
     }},
    {"kernel",
     [](Call&, std::string_view, Builder&) {
       return Builder::bytes_view({at(0xffffffff80000000), 4096});
     }},
    {"wrap",
     [](Call&, std::string_view input, Builder&) {
       return of_kind(POLYCODEC_KIND_BINARY, POLYCODEC_MAX_NODE_SIZE, input.data());
     }},
    {"past-input",
     [](Call&, std::string_view input, Builder&) {
       return Builder::bytes_view({input.data(), input.size() + (1 << 20)});
     }},
    {"past-arena",
     [](Call&, std::string_view, Builder& out) {
       const Node text = out.string_copy("short");
       return of_kind(POLYCODEC_KIND_BINARY, 1 << 30, text.as.data);
     }},
    {"own-heap",
     [](Call&, std::string_view, Builder&) {
       static char* const own = static_cast<char*>(std::malloc(1000));
       std::memset(own, 'h', 1000);
       return Builder::bytes_view({own, 1000});
     }},
    {"own-stack",
     [](Call&, std::string_view, Builder&) {
       volatile char here[100] = {};
       return Builder::bytes_view({const_cast<const char*>(here), sizeof here});
     }},
    {"unused-field",
     [](Call&, std::string_view, Builder& out) {
       // Nothing but these pointers is wrong.
       polycodec_array* const list = out.list_offsets(
           std::span<const std::int64_t>(out.store_all(std::span<const std::int64_t>({0, 1})), 2),
           out.vector(std::span<const double>(out.store_all(std::span<const double>({1.5})), 1)));
       list->buffer = at(0x123456000), list->buffer_size = 4096;
       list->names = reinterpret_cast<const polycodec_bytes*>(at(0x123456000));
       list->shape = reinterpret_cast<const std::int64_t*>(at(8)), list->ndim = 64;
       return Builder::array(list);
     }},
    {"cycle",
     [](Call&, std::string_view, Builder& out) {
       Node* items;
       const Node list = out.list(1, &items);
       items[0] = list;
       return list;
     }},
    {"kind",
     [](Call&, std::string_view input, Builder&) { return of_kind(0xee, 5, input.data()); }},
    {"keep", [](Call&, std::string_view, Builder& out) { return large_value(out); }},
    {"large", [](Call&, std::string_view,
                 Builder& out) { return large_pair(out, out.string_copy("part")); }},
    {"large-constant", [](Call&, std::string_view,
                          Builder& out) { return large_pair(out, Builder::string_view("part")); }},
    {"large-loss",
     [](Call& call, std::string_view, Builder& out) {
       call.report_loss(LossClass::note, "", "told once");
       return large_pair(out, Builder::string_view("part"));
     }},
    {"torn",
     [](Call&, std::string_view, Builder& out) {
       // The value of the call before is the caller's by now.
       if (kept != nullptr) std::memset(kept, 'T', kept_size);
       return good_value(out);
     }},
    {"write-after-answer",
     [](Call& call, std::string_view, Builder& out) {
       const Node text = large_value(out);
       polycodec_error error{};
       error.struct_size = sizeof error;
       const auto late = [](void* memory) { std::memset(memory, 'L', kept_size); };
       (void)call.arena()->adopt(call.arena(), kept, late, nullptr, 0, &error);
       return text;
     }},
    {"leave-secret",
     [](Call&, std::string_view, Builder& out) { return out.string_copy(secrets()); }},
    {"leave-small-secret",
     [](Call& call, std::string_view, Builder& out) {
       const std::string text = secrets().substr(0, 100);
       for (const std::size_t far : {std::size_t{20} << 10, std::size_t{100} << 10})
         std::memcpy(call.arena()->cursor + far, text.data(), text.size());
       return out.string_copy(text);
     }},
    {"find-secret",
     [](Call& call, std::string_view input, Builder&) {
       constexpr std::size_t scanned = 8 << 20;
       const std::string_view out(reinterpret_cast<const char*>(call.arena()->cursor), scanned);
       const std::string_view in(input.data() + input.size(), scanned);
       return Builder::boolean(out.find(secrets().substr(0, 32)) != out.npos ||
                               in.find(secrets().substr(0, 32)) != in.npos);
     }},
    {"remember-input",
     [](Call&, std::string_view input, Builder& out) {
       remembered = input.data();
       return good_value(out);
     }},
    {"read-remembered",
     [](Call&, std::string_view, Builder&) {
       if (remembered == nullptr) throw Error(Status::malformed, "another worker");
       return Builder::integer(*remembered);
     }},
    {"hand-over-file",
     [](Call& call, std::string_view, Builder&) {
       polycodec_file own{};
       own.struct_size = sizeof own;
       return hand_over(call, &own, nullptr);
     }},
    {"hand-over-store",
     [](Call& call, std::string_view, Builder&) {
       polycodec_store own{};
       own.struct_size = sizeof own;
       return hand_over(call, nullptr, &own);
     }},
    {"write-input",
     [](Call&, std::string_view input, Builder& out) {
       std::memset(const_cast<char*>(input.data()), 'I', input.size());
       return good_value(out);
     }},
};

}  // namespace

std::span<const Deed> values() {
  return all;
}

}  // namespace evil

// SPDX-License-Identifier: MIT
// A plugin written with the SDK whose functions throw every kind of thing, in every place. The option "throw" chooses
// what, "in" chooses where. Also built with -static-libstdc++, where an exception that left the library would abort
// the host even past a catch (...).
#include <polycodec/codec.hpp>

#include <new>
#include <stdexcept>
#include <string>

namespace {

using namespace polycodec;

[[noreturn]] void throw_as(const std::string& what) {
  if (what == "error") throw Error(Status::malformed, "thrown on purpose", 7).detail("test.word").path("$.x");
  if (what == "bad_alloc") throw std::bad_alloc();
  if (what == "runtime_error") throw std::runtime_error("thrown on purpose");
  if (what == "int") throw 42;
  throw std::string("thrown on purpose");
}

struct Throws {
  static constexpr const char* name = "test.throws";
  static constexpr const char* description =
      R"({"name": "test.throws", "summary": "throws", "format_version": "1", "aliases": [], "media_types": [],
          "extensions": [], "magic": [], "decode": true, "encode": true, "input": ["bytes"], "stream": true,
          "options": {"type": "object", "additionalProperties": false,
                      "properties": {"throw": {"type": "string"}, "in": {"type": "string"}}}})";

  Throws(Host, const Options& options)
      : what_(options.get("throw", "nothing")), where_(options.get("in", "nowhere")) {
    here("open");
  }
  static Sniff sniff(std::string_view head, std::uint64_t) {
    if (head.starts_with("throw")) throw_as("int");
    return {};
  }
  const polycodec_node* decode(const Call&, const Input& input, Builder& out) const {
    here("decode");
    return out.root(Builder::string_view(input.bytes()));
  }
  void encode(const Call&, View value, Writer& out) const {
    here("encode");
    out.put_text(value.as_string());
  }
  std::uint64_t encoded_size(const Call&, View value) const {
    here("encoded_size");
    return value.size();
  }
  StreamStep stream_next(const Call&, std::string_view bytes, bool, Builder& out) const {
    here("stream_next");
    return {out.root(Builder::string_view(bytes)), bytes.size(), 0};
  }

 private:
  void here(const char* place) const {
    if (where_ == place) throw_as(what_);
  }
  std::string what_, where_;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN("test.throws", "1.0.0", polycodec::codecs_interface<Throws>)

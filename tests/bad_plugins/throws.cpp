// SPDX-License-Identifier: MIT
// A plugin written with the SDK whose functions throw every kind of thing, in every place. The
// option "throw" chooses what, "in" chooses where. Also built with -static-libstdc++, where an
// exception that left the library would abort the host even past a catch (...).
#include <polycodec/codec.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace {

using namespace polycodec;

[[noreturn]] void throw_as(const std::string& what) {
  if (what == "error")
    throw Error(Status::malformed, "thrown on purpose", 7).detail("test.word").path("$.x");
  if (what == "bad_alloc") throw std::bad_alloc();
  if (what == "runtime_error") throw std::runtime_error("thrown on purpose");
  if (what == "int") throw 42;
  throw std::string("thrown on purpose");
}

struct Throws {
  static constexpr const char* name = "test.throws";

  Throws(Call&, const Options& options)
      : what_(options.get("throw", "nothing")), where_(options.get("in", "nowhere")) {
    here("open");
  }
  static Sniff sniff(Call&, const Input& input) {
    if (input.bytes().starts_with("throw")) throw_as("int");
    return {};
  }
  Node decode(Call&, const Input& input, Builder&) const {
    here("decode");
    return Builder::string_view(input.bytes());
  }
  void encode(Call&, View value, Writer& out) const {
    here("encode");
    out.put_text(value.as_string());
  }
  std::uint64_t encoded_size(Call&, View value) const {
    here("encoded_size");
    return value.as_string().size();
  }
  struct Reader {
    std::string what, where;
    std::optional<Node> next(Call&, Step& step, Builder&) const {
      if (where == "next") throw_as(what);
      step.consume(step.bytes().size());
      return Builder::string_view(step.bytes());
    }
  };
  std::unique_ptr<Reader> open_reader(Call&) const {
    here("open_reader");
    return std::make_unique<Reader>(Reader{what_, where_});
  }

 private:
  void here(const char* place) const {
    if (where_ == place) throw_as(what_);
  }
  std::string what_, where_;
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN("test.throws", "1.0.0", polycodec::Codecs<Throws>)

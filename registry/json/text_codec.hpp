// SPDX-License-Identifier: MIT
// The codec `text`: typed JSON, docs/text-notation.md.
#pragma once

#include <polycodec/codec.hpp>

#include "core/text/text.hpp"

#include <string_view>

namespace polycodec::json {

/// True if the text is typed JSON, or the beginning of it: an object of the member `type`, which is
/// a type, and after it the member `value`, and no other. Looks through all of the text.
bool is_typed(std::string_view text);

class Text {
 public:
  static constexpr const char* name = "text";

  Text(Call&, const Options& options);

  Node decode(Call& call, const Input& input, Builder& out) const {
    return *read(call, input, out);
  }
  /// The root of the value, to which references may lead.
  const polycodec_node* read(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;

 private:
  TextOptions options_;
};

constexpr polycodec_codec make_text() noexcept {
  polycodec_codec codec = make_codec<Text>();
  codec.open = [](auto*, auto* c, auto* options, auto** instance, auto* error) {
    return detail::run(c, error, [&](Call& call) {
      using Instance = detail::CodecInstance<Text>;
      auto* const made = new Instance(call, Options(options));
      made->decode = [](auto* self, auto* with, auto* input, auto** root, auto* problem) {
        return detail::run(with, problem, [&](Call& reading) {
          Builder out(reading);
          *root = Instance::of(self).read(reading, Input(reading, input), out);
        });
      };
      *instance = made;
    });
  };
  return codec;
}

}  // namespace polycodec::json

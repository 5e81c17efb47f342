// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/json.hpp>
#include <polycodec/schema/schema.hpp>
#include <polycodec/utf8.hpp>

#include "compile.hpp"
#include "rewrite.hpp"

#include <re2/re2.h>

namespace polycodec::schema {
namespace {

RewriteOptions rewriting(const PrintOptions& options) {
  RewriteOptions made;
  made.order = true;
  made.python_order = options.python_order;
  made.multiply = options.precision == Precision::bits ? 8 : 1;
  return made;
}

// In JSON text, characters beyond ASCII stand in texts only.
std::string escaped(std::string_view json) {
  std::string ascii;
  const auto unit = [&](std::uint32_t code) {
    ascii += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) ascii += "0123456789ABCDEF"[(code >> shift) & 15];
  };
  while (!json.empty()) {
    char32_t code = 0;
    const std::size_t size = decode_one(reinterpret_cast<const std::uint8_t*>(json.data()), json.size(), code);
    if (code < 0x80 || size == 0) {
      ascii += json[0];
    } else if (code < 0x10000) {
      unit(static_cast<std::uint32_t>(code));
    } else {
      unit(0xd7c0 + (static_cast<std::uint32_t>(code) >> 10));
      unit(0xdc00 + (static_cast<std::uint32_t>(code) & 0x3ff));
    }
    json.remove_prefix(size == 0 ? 1 : size);
  }
  return ascii;
}

}  // namespace

Schema::Schema() {
  static const auto everything = [] {
    auto made = std::make_shared<Program>();
    made->document = Value::build([](Builder& out) { return out.object({}); });
    made->nodes.emplace_back().source = made->document.view();
    made->root = &made->nodes.front();
    return made;
  }();
  program_ = everything;
}

Schema Schema::parse(std::string_view json, const Limits& limits, Precision precision) {
  return from_view(parse_json(json, limits, DuplicateKeys::refuse).view(), limits, precision);
}

Schema Schema::from_view(View document, const Limits& limits, Precision precision) {
  auto made = std::make_shared<Program>();
  RewriteOptions options;
  options.divide = precision == Precision::bits ? 8 : 1;
  made->document =
      Value::build([&](Builder& out) { return rewrite(document, out, options, limits); }, limits.max_memory_bytes);
  Compiler(*made, limits).compile();
  return Schema(std::move(made));
}

View Schema::document() const noexcept {
  return program_->document.view();
}

polycodec_node Schema::to_node(Builder& out, const PrintOptions& options) const {
  Limits limits;
  limits.max_depth = UINT32_MAX;  // it was bounded when it was read
  return rewrite(document(), out, rewriting(options), limits);
}

std::string Schema::to_json(const PrintOptions& options) const {
  const Value written = Value::build([&](Builder& out) { return to_node(out, options); });
  std::string json = polycodec::to_json(written.view(), options.indent, UINT32_MAX);
  return options.ascii ? escaped(json) : json;
}

}  // namespace polycodec::schema

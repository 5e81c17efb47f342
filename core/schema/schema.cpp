// SPDX-License-Identifier: MIT
#include "core/schema/schema.hpp"

#include <base/hex.hpp>
#include <polycodec/error.hpp>
#include <polycodec/utf.hpp>

#include "compile.hpp"
#include "core/text/text.hpp"
#include "rewrite.hpp"

#include <algorithm>

namespace polycodec::schema {
namespace {

RewriteOptions rewriting(const PrintOptions& options) {
  RewriteOptions made;
  made.order = true;
  made.python_order = options.python_order;
  made.multiply = options.precision == Precision::bits ? 8 : 1;
  return made;
}

// JSON text as yggdrasil's writers have it: no spaces between tokens; characters beyond ASCII,
// which are in strings only, escaped where Python would.
std::string as_written(std::string_view json, bool compact, bool ascii) {
  std::string text;
  text.reserve(json.size());
  const auto unit = [&](std::uint32_t code) {
    text += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) text += upper_hex_digits[(code >> shift) & 15];
  };
  bool quoted = false;
  while (!json.empty()) {
    char32_t code = 0;
    const std::size_t size =
        decode_one(reinterpret_cast<const std::uint8_t*>(json.data()), json.size(), code);
    const std::size_t taken = json[0] == '\\' ? 2 : std::max<std::size_t>(size, 1);
    if (json[0] == '"') quoted = !quoted;
    if (ascii && code >= 0x10000) {
      unit(0xd7c0 + (static_cast<std::uint32_t>(code) >> 10));
      unit(0xdc00 + (static_cast<std::uint32_t>(code) & 0x3ff));
    } else if (ascii && code >= 0x80) {
      unit(static_cast<std::uint32_t>(code));
    } else if (quoted || !compact || json[0] != ' ') {
      text += json.substr(0, taken);
    }
    json.remove_prefix(std::min(taken, json.size()));
  }
  return text;
}

}  // namespace

const Program& Schema::program() const {
  if (!program_) {
    static const Schema everything = parse("{}");
    return everything.program();
  }
  return *program_;
}

Schema Schema::parse(std::string_view json, const Limits& limits, Precision precision,
                     const TypeNames& names) {
  return from_view(parse_json(json, limits, DuplicateKeys::refuse).view(), limits, precision,
                   names);
}

Schema Schema::from_view(NodeView document, const Limits& limits, Precision precision,
                         const TypeNames& names) {
  auto made = std::make_shared<Program>();
  RewriteOptions options;
  options.divide = precision == Precision::bits ? 8 : 1;
  HostMeter meter(document, limits);
  Builder out(made->document.prepare(UINT64_MAX));
  meter.charge(out);
  made->document.set_root(out.root(rewrite(document, out, options, limits)));
  Compiler(*made, limits, names, meter).compile();
  return Schema(std::move(made));
}

std::string Schema::to_json(const PrintOptions& options) const {
  Limits limits;
  limits.max_depth = UINT32_MAX;  // it was bounded when it was read
  const Value written = Value::build([&](Builder& out) {
    return rewrite(program().document.view(), out, rewriting(options), limits);
  });
  return as_written(polycodec::to_json(written.view(), options.indent, UINT32_MAX),
                    options.indent == 0, options.ascii);
}

}  // namespace polycodec::schema

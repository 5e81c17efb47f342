// SPDX-License-Identifier: MIT
#include "registry/json/text_codec.hpp"

#include <base/json_cursor.hpp>
#include <model/type/parse.hpp>
#include <model/type/type.hpp>
#include <polycodec/path.hpp>

#include "core/call/budget.hpp"
#include "core/text/parse.hpp"

#include <memory>
#include <string>

namespace polycodec::json {
namespace {

Limits limits_of(const Call& call) noexcept {
  const polycodec_limits& given = call.limits();
  Limits limits;
  limits.max_depth = given.max_depth;
  limits.max_input_bytes = given.max_input_bytes;
  limits.max_nodes = given.max_nodes;
  limits.max_elements = given.max_elements;
  limits.max_work = given.max_work;
  limits.max_memory_bytes = given.max_memory_bytes;
  limits.max_output_bytes = given.max_output_bytes;
  return limits;
}

bool is_type(std::string_view text) {
  type::ParseOptions options;
  options.concrete_only = true;
  options.max_text = text.size();
  options.max_depth = type::Type::max_depth;
  options.max_nodes = type::Type::max_nodes;
  try {
    type::parse(text, options);
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;
    return false;
  }
  return true;
}

}  // namespace

bool is_typed(std::string_view text) {
  JsonCursor cursor(text);
  if (text.starts_with("\xef\xbb\xbf")) cursor.rewind(3);
  if (!cursor.accept('{') || !cursor.accept_word("\"type\"") || !cursor.accept(':') ||
      cursor.peek() != '"')
    return false;
  bool begins = false;
  try {
    begins = is_type(std::string(cursor.string())) && cursor.accept(',') &&
             cursor.accept_word("\"value\"") && cursor.accept(':');
    if (!begins) return false;
    cursor.skip_value();
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;
    return begins;  // who reads it says what is wrong
  }
  return !cursor.accept(',');
}

Text::Text(Call&, const Options& options) {
  options_.plain = options.get("plain", options_.plain);
  options_.exact = options.get("exact", options_.exact);
  options_.indent = static_cast<unsigned>(options.get("indent", std::int64_t{options_.indent}));
  options_.width = static_cast<unsigned>(options.get("width", std::int64_t{options_.width}));
}

const polycodec_node* Text::read(Call& call, const Input& input, Builder& out) const {
  const std::string_view text = input.bytes();
  call.tick(text.size());
  const Limits limits = limits_of(call);
  return text::Parser(out, text, limits, path_root).document();
}

void Text::encode(const Call& call, NodeView value, Writer& out) const {
  TextOptions options = options_;
  options.limits = limits_of(call);
  // The call bounds the work, and the sink the output.
  options.limits.max_work = UINT64_MAX;
  options.limits.max_output_bytes = UINT64_MAX;
  const auto budget = std::make_shared<Budget>(options.limits, nullptr, call.limits().deadline);
  std::uint64_t charged = 0;
  const auto settle = [&] {
    if (budget->work() <= charged) return;
    call.tick(budget->work() - charged);
    charged = budget->work();
  };
  budget->report_to([&](std::uint64_t, std::uint64_t) {
    settle();
    return true;
  });
  options.budget = budget;
  print_text(value, out, options);
  settle();
  out.put_u8('\n');
}

}  // namespace polycodec::json

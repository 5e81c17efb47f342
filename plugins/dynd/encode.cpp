// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <base/article.hpp>
#include <base/dtype_names.hpp>
#include <base/varint.hpp>
#include <model/type/build.hpp>
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "bytes_in.hpp"
#include "check.hpp"
#include "infer.hpp"
#include "number.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::dynd {

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void refuse_kind(const Plan& plan, const View& item) {
  refuse(Status::type, "dynd.type_mismatch",
         "expected " + type::print(plan.type).substr(0, 120) + ", found " +
             std::string(kind_name(item.kind())));
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_size(const Plan& plan, std::uint64_t size,
                                                        const char* what) {
  refuse(Status::type, "dynd.type_mismatch",
         "expected " + type::print(plan.type).substr(0, 120) + ", found " + std::to_string(size) +
             ' ' + what);
}

View resolve(const View& item, std::uint32_t max_depth) {
  View target = item;
  for (std::uint32_t i = 0; target.kind() == POLYCODEC_KIND_REFERENCE; ++i) {
    if (i == max_depth)
      refuse_limit("the value contains a reference cycle, which DyND cannot encode");
    target = target.target();
  }
  return target;
}

std::string_view unit_name(const polycodec_time& time) {
  return time_unit_name(time.unit);
}

constexpr const char* too_large = "the type of the value is larger than serialized types may be";

}  // namespace

void refuse_members(const Plan& plan, const View& item) {
  const std::string expected = "expected " + type::print(plan.type).substr(0, 120);
  const auto& names = plan.type.names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!item.find(names[i]) && !plan.items[i].is_option())
      refuse(
          Status::type, "dynd.type_mismatch",
          expected + ", and the member " + quote(names[i]) + " is missing, which only ?T may be");
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    const std::string_view name = item.name(i);
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    if (!known)
      refuse(Status::type, "dynd.type_mismatch", expected + ", which has no member " + quote(name));
  }
  refuse(Status::type, "dynd.type_mismatch", expected + ", and a member occurs twice");
}

void Encoder::any_form(const View& value, const Program* required) {
  static const type::Type pattern = type::array(type::kind("Any"));
  std::vector<std::string_view> declared = declared_types(value.metadata());
  std::string text;
  if (required != nullptr) {
    text = type::print(required->type);
    if (declared.empty() || declared.front() != text) declared.insert(declared.begin(), text);
  }
  any(pattern, value, declared);
}

void Encoder::bare_form(const View& value) {
  static const type::Type pattern = type::array(type::kind("Any"));
  any(pattern, value, declared_types(value.metadata()), false);
}

void Encoder::data_form(const Program& program, const View& value) {
  std::vector<std::string_view> declared = declared_types(value.metadata());
  Declared rest(declared);
  if (!rest.empty() && rest.front() == type::print(program.type)) rest = rest.subspan(1);
  typed(program.plan, value, rest);
}

void Encoder::typed(const Plan& plan, const View& item, Declared declared) {
  if (plan.op == Op::any) return any(plan.type, item, declared);
  value(plan, item);
}

template <class Write>
std::shared_ptr<const Program> Encoder::fitted(const type::Type& inferred, const Call& call,
                                               Write write) {
  auto program = std::make_shared<const Program>(inferred);
  if (!has_sentinels(program->type)) return program;
  try {
    count_bytes([&](Writer& out) {
      Encoder probe(call, out);
      probe.probing_ = true;
      write(probe, program->plan);
    });
  } catch (const Error& e) {
    if (e.detail() != "dynd.na_noncanonical") throw;
    // A value that is there looks like the missing one: only a prefix byte tells them apart.
    program = std::make_shared<const Program>(without_sentinels(program->type));
  }
  return program;
}

std::shared_ptr<const Program> Encoder::infer_program(const View& item, const Call& call,
                                                      std::uint32_t max_depth) {
  return fitted(infer(item, max_depth, call), call,
                [&](Encoder& probe, const Plan& plan) { probe.value(plan, item); });
}

void Encoder::any(const type::Type& pattern, const View& item, Declared declared, bool with_type) {
  if (probing_) return;
  std::shared_ptr<const Program> program;
  if (!declared.empty()) {
    try {
      const type::Type type =
          type::parse(declared.front(), {.strict_dynd = true, .concrete_only = true});
      program = std::make_shared<const Program>(type);
    } catch (const Error& e) {
      throw Error(Status::invalid, "the attribute 'dynd.type': " + e.message()).detail(e.detail());
    }
    declared = declared.subspan(1);
  } else {
    program = infer_program(item, call_, depth_left_);
    // Inference gives up on what has too many parts, however often it is asked.
    if (program->plan.op == Op::any) refuse_limit(too_large);
  }
  of_type(pattern, *program, with_type, [&] { typed(program->plan, item, declared); });
}

template <class Write>
void Encoder::of_type(const type::Type& pattern, const Program& program, bool with_type,
                      Write write) {
  if (!type::matches(pattern.element(), program.type))
    refuse(Status::type, "dynd.type_mismatch",
           "a value of type " + type::print(program.type).substr(0, 80) + " was found where " +
               type::print(pattern).substr(0, 80) + " was declared");
  const std::string text = type::print(program.type);
  const type::ParseOptions bounds;
  if (text.size() > bounds.max_text || program.type.depth() > bounds.max_depth ||
      program.type.nodes() > bounds.max_nodes)
    refuse_limit(too_large);
  if (program.type.depth() >= depth_left_)
    refuse_limit("the types nest deeper than the limits allow (max_depth)");
  call_.check_stack();
  depth_left_ -= program.type.depth();
  if (with_type) {
    write_varint(out_, text.size());
    out_.put_text(text);
  }
  // Few items may stand for many, such as those of an index that repeats one: the limit of the
  // output tells at once.
  constexpr std::uint64_t worth_telling = 65536;
  if (program.plan.fixed && program.plan.width > worth_telling) out_.expect(program.plan.width);
  write();
  depth_left_ += program.type.depth();
}

void Encoder::text(const View& item) {
  std::string scratch;
  const std::string_view text = item.as_string(scratch);
  if (item.is_lenient_string() && !is_utf8(text))
    refuse(Status::malformed, "dynd.utf8", "a string is not UTF-8");
  write_varint(out_, text.size());
  // What was converted is gone when this returns.
  if (text.data() == scratch.data()) return out_.put_text(text);
  out_.reference(text.data(), text.size());
}

void Encoder::fixed_string(const Plan& plan, const View& item) {
  std::string scratch;
  const std::string_view text = item.as_string(scratch);
  std::vector<std::uint8_t> bytes;
  const auto fill = [&bytes](auto units) {
    for (const auto unit : units)
      for (std::size_t i = 0; i < sizeof unit; ++i)
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(unit) >> (8 * i)));
  };
  if (plan.dtype == POLYCODEC_DTYPE_FIXED_UTF16) {
    fill(utf16_from_utf8(text));
  } else if (plan.dtype == POLYCODEC_DTYPE_FIXED_UTF32) {
    fill(utf32_from_utf8(text));
  } else {
    bytes.assign(text.begin(), text.end());
  }
  if (bytes.size() > plan.item_size) refuse_size(plan, text.size(), "bytes of text");
  bytes.resize(plan.item_size);
  const char* word = "";
  if (!check_fixed_string(plan, bytes.data(), word))
    refuse(Status::range, word,
           "the text cannot be " + with_article(type::print(plan.type).substr(0, 120)));
  out_.put_bytes(bytes.data(), bytes.size());
}

void Encoder::type_value(const View& item) {
  std::string scratch;
  const std::string_view text = item.as_string(scratch);
  const std::string canonical = type::print(type::parse(text, {.strict_dynd = true}));
  write_varint(out_, canonical.size());
  out_.put_text(canonical);
}

void Encoder::scalar(const Plan& plan, const View& item, bool optional) {
  std::uint8_t bytes[16];
  if (!number_as(item, plan.dtype, bytes))
    refuse(Status::range, "dynd.range",
           "the number does not fit in " + std::string(dtype_name(plan.dtype)));
  if (optional) {
    std::uint8_t missing[16];
    sentinel(plan.dtype, missing);
    if (std::memcmp(bytes, missing, plan.item_size) == 0 || is_nan(plan.dtype, bytes))
      refuse(Status::range, "dynd.na_noncanonical",
             "the value means missing under " + type::print(plan.type));
  }
  out_.put_bytes(bytes, plan.item_size);
}

void Encoder::option(const Plan& plan, const View& item) {
  if (plan.op == Op::sentinel_option) {
    if (!item.is_null()) return scalar(plan, item, true);
    std::uint8_t missing[16];
    sentinel(plan.dtype, missing);
    return out_.put_bytes(missing, plan.item_size);
  }
  out_.put_u8(item.is_null() ? 0 : 1);
  if (item.is_null()) return;
  const Plan& inner = plan.element();
  // In text, a present void is true.
  if (inner.op == Op::nothing && item.kind() == POLYCODEC_KIND_BOOLEAN && item.as_bool()) return;
  if (inner.nullable && item.kind() == POLYCODEC_KIND_UNION) return value(inner, item.child());
  value(inner, item);
}

void Encoder::stand_in(const Plan& plan, const View& item) {
  const Plan& inner = plan.items.front();
  if (inner.op != Op::any) return stand_in(plan, inner, item);
  if (probing_) return;
  const auto program =
      fitted(infer_inside(item, depth_left_, call_), call_,
             [&](Encoder& probe, const Plan& inside) { probe.stand_in(plan, inside, item); });
  if (program->plan.op == Op::any) refuse_limit(too_large);
  of_type(inner.type, *program, true, [&] { stand_in(plan, program->plan, item); });
}

void Encoder::stand_in(const Plan& plan, const Plan& inner, const View& item) {
  const std::string_view name = plan.type.names()[0];
  const auto parts = [&](std::size_t count) {
    if (inner.op != Op::sequence || inner.items.size() != count) refuse_kind(plan, item);
  };
  const auto number = [&](std::size_t i, polycodec_node node) {
    value(inner.items[i], View(&node));
  };
  if (name == "$map" &&
      (item.kind() == POLYCODEC_KIND_MAP || item.kind() == POLYCODEC_KIND_OBJECT)) {
    if (inner.op == Op::var_dim) {
      write_varint(out_, item.size());
    } else if (inner.op != Op::fixed_dim || inner.count != item.size()) {
      refuse_kind(plan, item);
    }
    for (std::uint64_t i = 0; i < item.size(); ++i) entry(inner.element(), item, i);
  } else if (name == "$ext" && item.kind() == POLYCODEC_KIND_EXTENSION) {
    parts(2);
    number(0, Builder::string_view(item.name()));
    value(inner.items[1], item.child());
  } else if (name == "$union" && item.kind() == POLYCODEC_KIND_UNION) {
    parts(2);
    number(0, Builder::integer(item.tag()));
    value(inner.items[1], item.child());
  } else if (name == "$datetime" && item.kind() == POLYCODEC_KIND_TIMESTAMP) {
    parts(3);
    const polycodec_time time = item.as_time();
    number(0, Builder::integer(time.count));
    number(1, Builder::unsigned_integer(time.nanoseconds, POLYCODEC_DTYPE_UINT32));
    number(2, Builder::string_view(unit_name(time)));
  } else if (name == "$timedelta" && item.kind() == POLYCODEC_KIND_DURATION) {
    parts(2);
    const polycodec_time time = item.as_time();
    number(0, Builder::integer(time.count));
    number(1, Builder::string_view(unit_name(time)));
  } else {
    refuse_kind(plan, item);
  }
}

void Encoder::entry(const Plan& pair, const View& map, std::uint64_t i) {
  if (pair.op == Op::any) {
    if (probing_) return;
    const auto program =
        fitted(infer_pair(map.key(i), map.child(i), depth_left_, call_), call_,
               [&](Encoder& probe, const Plan& inferred) { probe.entry(inferred, map, i); });
    return of_type(pair.type, *program, true, [&] { entry(program->plan, map, i); });
  }
  if (pair.op != Op::sequence || pair.items.size() != 2) refuse_kind(pair, map);
  value(pair.items[0], map.key(i));
  value(pair.items[1], map.child(i));
}

void Encoder::sequence(const Plan& plan, const View& item) {
  const std::size_t size = plan.items.size();
  const bool object = item.kind() == POLYCODEC_KIND_OBJECT;
  if (plan.named && !object) {
    if (size != 1) refuse_kind(plan, item);
    return stand_in(plan, item);
  }
  if (!plan.named) {
    if (!item.is_list()) refuse_kind(plan, item);
    if (item.size() != size) refuse_size(plan, item.size(), "items");
    return each_field(plan, [&](std::uint64_t i) { value(plan.items[i], item.child(i)); });
  }
  if (size == 1 && plan.type.names()[0] == "$map" && (item.size() != 1 || !item.find("$map")))
    return stand_in(plan, item);
  const std::uint64_t count = item.size();
  std::uint64_t found = 0;
  bool complete = true;
  each_field(plan, [&](std::uint64_t i) {
    const std::string& name = plan.type.names()[i];
    if (i < count && item.name(i) == name) return ++found, value(plan.items[i], item.child(i));
    if (const auto member = item.find(name)) return ++found, value(plan.items[i], *member);
    complete = complete && plan.items[i].is_option();
    if (!complete) return;
    const polycodec_node missing = Builder::null();
    option(plan.items[i], View(&missing));
  });
  // Reported here, where the path ends with the object.
  if (!complete || found != count) refuse_members(plan, item);
}

void Encoder::value(const Plan& plan, const View& any_item) {
  pace_.tick(4);  // an item that a View finds takes longer than one beside others
  const View item =
      any_item.kind() == POLYCODEC_KIND_REFERENCE ? resolve(any_item, depth_left_) : any_item;
  switch (plan.op) {
    case Op::scalar:
      return scalar(plan, item, false);
    case Op::text:
      if (item.kind() != POLYCODEC_KIND_STRING) refuse_kind(plan, item);
      return text(item);
    case Op::character: {
      if (item.kind() != POLYCODEC_KIND_STRING) refuse_kind(plan, item);
      std::string scratch;
      const std::string_view text = item.as_string(scratch);
      char32_t c = 0;
      const std::uint32_t length =
          decode_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), c);
      if (length == 0 || length != text.size()) refuse_size(plan, text.size(), "bytes of text");
      if (c > greatest_character(plan.encoding))
        refuse(Status::range, "dynd.utf8",
               "the character does not fit in " + type::print(plan.type));
      return out_.put_text(text);
    }
    case Op::bytes: {
      if (item.kind() != POLYCODEC_KIND_BINARY) refuse_kind(plan, item);
      const std::string_view bytes = item.as_bytes();
      write_varint(out_, bytes.size());
      return out_.reference(bytes.data(), bytes.size());
    }
    case Op::fixed_bytes: {
      if (item.kind() != POLYCODEC_KIND_BINARY) refuse_kind(plan, item);
      const std::string_view bytes = item.as_bytes();
      if (bytes.size() != plan.item_size) refuse_size(plan, bytes.size(), "bytes");
      return out_.reference(bytes.data(), bytes.size());
    }
    case Op::fixed_string:
      if (item.kind() != POLYCODEC_KIND_STRING) refuse_kind(plan, item);
      return fixed_string(plan, item);
    case Op::nothing:
      if (!item.is_null()) refuse_kind(plan, item);
      return;
    case Op::type_value:
      if (item.kind() != POLYCODEC_KIND_STRING) refuse_kind(plan, item);
      return type_value(item);
    case Op::fixed_dim:
      if (!item.is_list()) refuse_kind(plan, item);
      if (item.size() != plan.count) refuse_size(plan, item.size(), "items");
      return list_items(plan.element(), item);
    case Op::var_dim:
      if (!item.is_list()) refuse_kind(plan, item);
      write_varint(out_, item.size());
      return list_items(plan.element(), item);
    case Op::sequence:
      return sequence(plan, item);
    case Op::any:
      if (probing_) return;
      return any(plan.type, item, declared_types(item.metadata()));
    default:
      return option(plan, item);
  }
}

}  // namespace polycodec::dynd

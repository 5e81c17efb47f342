// SPDX-License-Identifier: MIT
// Compressed blobs side by side: they are unpacked before the expressions around them.
#include <base/byte_slices.hpp>
#include <polycodec/checked.hpp>

#include "evaluator.hpp"
#include "expression_walk.hpp"
#include "frame.hpp"
#include "numpy.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace polycodec::awkward {
namespace {

/// A decompressor's call to come.
struct Unpacking {
  const polycodec_node* expression;
  std::vector<std::string_view> spec;
  const polycodec_node* blob;  ///< the expression that reads it
  polycodec_node* content;     ///< the only one of `args`
  polycodec_node args;
  polycodec_node keywords;
  std::uint64_t needed;
  const polycodec_node* result = nullptr;  ///< null: the evaluation says what is wrong
};

/// The member of an expression, or null.
const polycodec_node* member_of(const polycodec_node& expression, std::string_view key) {
  if (expression.kind != POLYCODEC_KIND_OBJECT) return nullptr;
  const auto found = NodeView(&expression).find(key);
  return found ? found->raw() : nullptr;
}

/// The same of an expression that no other can refer to.
const polycodec_node* own_member_of(const polycodec_node& expression, std::string_view key) {
  return member_of(expression, "id") == nullptr ? member_of(expression, key) : nullptr;
}

/// The bytes that a buffer needs, if type and count are plain.
std::optional<std::uint64_t> bytes_needed(const polycodec_node& type, const polycodec_node& count) {
  const polycodec_node* const dtype = member_of(type, "dtype");
  const polycodec_node* const number = member_of(count, "json");
  if (dtype == nullptr || number == nullptr || number->kind != POLYCODEC_KIND_SIGNED ||
      number->as.i64 < 0)
    return std::nullopt;
  std::uint64_t bytes = 0;
  const std::uint64_t item = parse_numpy_type(NodeView(dtype)).item_size;
  return checked_mul(item, static_cast<std::uint64_t>(number->as.i64), bytes) ? std::optional(bytes)
                                                                              : std::nullopt;
}

}  // namespace

bool is_decompressor(std::span<const std::string_view> spec) {
  return spec.size() == 2 && spec[1] == "decompress" &&
         (spec[0] == "zlib" || spec[0] == "lzma" || spec[0] == "backports.lzma");
}

void Evaluator::unpack_buffers(std::span<const polycodec_node* const> buffers) {
  std::vector<Unpacking> all;
  std::uint64_t bytes = 0;
  for (const polycodec_node* const buffer : buffers) {
    try {
      const auto given = NodeView(buffer).find("args")->items();
      const auto outer = NodeView(buffer).find("call");
      const auto needed = bytes_needed(given[1], given[2]);
      const polycodec_node* const function = own_member_of(given[0], "call");
      if (!outer || !needed || function == nullptr) continue;
      const auto spec = spec_of(*function);
      const auto inner = NodeView(&given[0]).find("args");
      if (spec_of(*outer->raw()).back() != "frombuffer" || !is_decompressor(spec) || !inner ||
          !inner->is_list() || inner->size() != 1)
        continue;
      const polycodec_node& blob = *inner->items().data();
      if (own_member_of(blob, "read") == nullptr) continue;
      polycodec_node* content;
      const polycodec_node args = out_.list(1, &content);
      const auto size =
          Builder::integer(static_cast<std::int64_t>(std::min<std::uint64_t>(*needed, INT64_MAX)));
      all.push_back(
          {&given[0], spec, &blob, content, args, out_.object({{size_keyword, size}}), *needed});
      bytes += std::min(*needed, parallel_bytes);
    } catch (const Error&) {
      continue;  // thrown again when its turn comes
    }
  }
  if (all.size() < 2 || bytes < parallel_bytes) return;
  // The longest first: threads end at about the same time.
  std::ranges::stable_sort(all, std::greater(), &Unpacking::needed);
  call_.parallel_for(all.size(), 1, [&](Call& own, std::uint64_t from, std::uint64_t) {
    Unpacking& one = all[static_cast<std::size_t>(from)];
    try {
      // Here, because the store may look at all bytes for their checksum.
      *one.content = read(Input(own, &input_.raw()), members(*one.blob));
      one.result = own.call_function(one.spec, one.args, &one.keywords);
    } catch (const Error&) {
      return;
    }
  });
  for (const Unpacking& one : all)
    if (one.result != nullptr)
      unpacked_.emplace(one.expression, std::pair(one.needed, *one.result));
}

void Evaluator::unpack_columns(std::span<const Column> columns) {
  std::vector<const polycodec_node*> whole, buffers;
  for (const Column& column : columns)
    if (column.wanted->all()) whole.push_back(column.expression);
  for_each_expression(std::move(whole), [&](NodeView expression) {
    if (has_three_arguments(expression)) buffers.push_back(expression.raw());
  });
  unpack_buffers(buffers);
}

}  // namespace polycodec::awkward

// SPDX-License-Identifier: MIT
// What a conversion kept of a value, and how it is reported.
#include <base/quote.hpp>
#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <polycodec/text.hpp>

#include "context.hpp"
#include "core/io/mapping_guard.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cctype>
#include <new>
#include <utility>

namespace polycodec::cli {
namespace {

/// A path without the indices of items: those of a loss may stand for all rows of a column.
std::string without_indices(std::string_view path) {
  std::string plain;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '[') {
      std::size_t end = i + 1;
      while (end < path.size() &&
             (std::isdigit(static_cast<unsigned char>(path[end])) != 0 || path[end] == '*'))
        ++end;
      if (end < path.size() && path[end] == ']') {
        i = end;
        continue;
      }
    }
    plain += path[i];
  }
  return plain;
}

/// True if `path` is `outer` or a part of it.
bool is_within(std::string_view path, std::string_view outer) {
  return path.starts_with(outer) &&
         (path.size() == outer.size() ||
          std::string_view(".[<").find(path[outer.size()]) != std::string_view::npos);
}

/// What is kept of a mesh. Formats of meshes write other members than those that they read, by
/// rules of their own (docs/mesh.md), so that it is the meshes that are compared.
void compare_meshes(NodeView before, NodeView after, const CallOptions& call, Check& check) {
  ScratchArena arena(call.limits->memory_for(UINT64_MAX));
  Builder out(arena.abi());
  const auto mesh = [&](NodeView value) -> std::optional<polycodec_node> {
    Losses ignored;
    const auto found = mesh::mesh_of(View(value), out, ignored);
    return found ? std::optional(mesh::to_value(*found, out)) : std::nullopt;
  };
  check.kept = Kept::unknown;
  check.reason = "the format writes meshes by rules of its own";
  check.difference.reset();
  const auto b = mesh(after);
  const auto a = b ? mesh(before) : std::nullopt;
  if (!a) return;
  KeptValue found = compare_kept(NodeView(&*a), NodeView(&*b), *call.limits, call.budget,
                                 [](std::string_view, bool) { return false; });
  if (found.kept == Kept::different) {
    check.reason += "; as meshes they differ in " + found.difference->path + " (" +
                    found.difference->reason + ")";
    return;
  }
  check = {found.kept, "", std::nullopt};
}

}  // namespace

bool is_model(const CodecInfo* codec) {
  return codec != nullptr && std::ranges::any_of(codec->media_types, [](const auto& media_type) {
           return media_type.starts_with("model/");
         });
}

WriteOptions Context::checking(NodeView value, const std::string& format,
                               const std::string& filters, const std::string& file, Check* check) {
  WriteOptions how = write_options();
  if (check == nullptr || options.no_compare) return how;
  check->reason = "the output is a stream";  // or else this is called
  how.check = [=, this](const std::string& written) {
    compare(value, format, filters, written, file, *check);
  };
  return how;
}

void Context::compare(NodeView value, const std::string& format, const std::string& filters,
                      const std::string& written, const std::string& file, Check& check) try {
  const CodecInfo* const codec = registry().find(format);
  if (codec != nullptr && !codec->can_decode) {
    check.reason = quote(format) + " cannot be read";
    return;
  }
  // What the value does not need of the input gives room to what is read of the output.
  if (const auto input = pin_.lock()) posix::release_pages(mapped_);
  const Value codec_options =
      written_options_.empty() ? Value() : parse_json(written_options_, limits());
  ReadOptions reading;
  static_cast<CallOptions&>(reading) = call_options();
  reading.projection = {};
  reading.losses = all_losses;  // what reading leaves out, the comparison finds
  reading.on_loss = [](LossClass, std::string_view, std::string_view) {};
  reading.codec = format;
  reading.options = codec_options.view();
  reading.filters = filters;
  reading.companions = false;
  Limits bounds = limits();
  bounds.max_input_bytes = UINT64_MAX;  // it was bounded when it was written
  const Source output = Source::open(written, bounds);
  const std::uint64_t allowed = reading.budget ? reading.budget->max_work() : 0;
  const Read back = registry().read(output, reading);
  // The output earns nothing: it may be many times as large as the file that pays for all.
  if (reading.budget) reading.budget->spend(reading.budget->max_work() - allowed);

  std::vector<std::string> known;
  {
    const std::scoped_lock lock(losses_mutex_);
    for (const Loss& loss : losses_) known.push_back(without_indices(loss.path));
  }
  const auto covers = [&](std::string_view path, bool is_missing) {
    const std::string at = without_indices(path);
    return std::ranges::any_of(known, [&](const std::string& lost) {
      return is_within(at, lost) || (!is_missing && is_within(lost, at));
    });
  };
  const KeptValue found = compare_kept(value, back.value.view(), limits(), reading.budget, covers);
  check = {found.kept, "", found.difference};
  if (!found.is_covered && is_model(codec)) {
    if (output.is_mapped()) posix::release_pages(output.bytes());
    return compare_meshes(value, back.value.view(), reading, check);
  }
  if (!found.is_covered)
    throw Error(Status::internal,
                "what was written is not what is read back: " + found.difference->reason +
                    ". This is a fault of the codec " + quote(format) + ", please report it; " +
                    quote_path(file) + " was not written. --no-compare writes it")
        .codec(format)
        .path(found.difference->path)
        .detail("convert.different");
  const CallOptions call = call_options();
  for (const Retyped& member : found.retyped)
    call.on_loss(LossClass::retyped, member.path, member.from + " -> " + member.to);
} catch (const Error& e) {
  if (e.code() == Status::cancelled || e.detail() == "convert.different") throw;
  check = {Kept::unknown, e.describe(), std::nullopt};
} catch (const std::bad_alloc&) {
  check = {Kept::unknown, "out of memory", std::nullopt};
}

std::string describe(const Loss& loss, const std::string& place) {
  const bool retyped = loss.loss_class == LossClass::retyped;
  return (retyped ? std::string("≈") : styled(Style::bad, "lost", true)) + " " + place + loss.path +
         ": " + loss.what;
}

Json to_json(const std::vector<Loss>& losses, std::uint32_t classes) {
  Json all = Json::list();
  for (const Loss& loss : losses)
    if ((classes & losses_of(loss.loss_class)) != 0)
      all.push_back({{"path", loss.path}, {"what", loss.what}});
  return all;
}

void add_kept(Json& object, const Check& check) {
  static constexpr const char* words[] = {"same", "same_items", "same_numbers", "different",
                                          "unknown"};
  if (check.kept == Kept::unknown && check.reason.empty()) return;
  object["kept"] = words[static_cast<int>(check.kept)];
  if (check.kept == Kept::unknown) object["not_compared"] = check.reason;
  if (check.difference)
    object["difference"] = {{"path", check.difference->path}, {"what", check.difference->reason}};
}

void add_report(Json& object, const Check& check, const std::vector<Loss>& losses, bool always) {
  constexpr std::uint32_t retyped = losses_of(LossClass::retyped);
  const auto has = [&](std::uint32_t classes) {
    for (const Loss& loss : losses)
      if ((classes & losses_of(loss.loss_class)) != 0) return true;
    return false;
  };
  add_kept(object, check);
  if (always || has(~retyped)) object["lost"] = to_json(losses, ~retyped);
  if (has(retyped)) object["retyped"] = to_json(losses, retyped);
}

}  // namespace polycodec::cli

// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/quote.hpp>

#include "core/io/posix_file.hpp"
#include "core/text/text.hpp"
#include "registry/document/json_schema.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t max_option_file_bytes = std::uint64_t{16} << 20;
constexpr std::size_t max_options_depth = 64;

/// Copies a document node as plain JSON.
class PlainCopy {
 public:
  explicit PlainCopy(Builder& out) : out_(out) {}

  polycodec_node copy(NodeView view) {
    if (path_.size() > max_options_depth) refuse("is nested deeper than 64 levels");
    switch (view.kind()) {
      case POLYCODEC_KIND_NULL:
        return Builder::null();
      case POLYCODEC_KIND_BOOLEAN:
        return Builder::boolean(view.as_bool());
      case POLYCODEC_KIND_SIGNED:
        return Builder::integer(view.as_int64());
      case POLYCODEC_KIND_UNSIGNED:
        return view.as_uint64() > INT64_MAX ? Builder::unsigned_integer(view.as_uint64())
                                            : Builder::integer(view.as_int64());
      case POLYCODEC_KIND_FLOAT:
        return Builder::real(view.as_double());
      case POLYCODEC_KIND_STRING:
        return out_.string_copy(view.as_string());
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE: {
        polycodec_node* items;
        const polycodec_node list = out_.list(view.size(), &items);
        for (std::uint64_t i = 0; i < view.size(); ++i)
          items[i] = below(std::to_string(i), view[i]);
        return list;
      }
      case POLYCODEC_KIND_OBJECT: {
        polycodec_node* entries;
        const polycodec_node object = out_.object(view.size(), &entries);
        SeededSet<std::string_view> names;
        for (std::uint64_t i = 0; i < view.size(); ++i) {
          const std::string_view key = view.key(i).as_string();
          path_.emplace_back(key);
          if (!names.insert(key).second) refuse("is given twice");
          entries[2 * i] = out_.string_copy(key);
          entries[2 * i + 1] = copy(view.value(i));
          path_.pop_back();
        }
        return object;
      }
      default:
        refuse("is of kind " + std::string(kind_name(view.kind())) + ", which no option can be");
    }
  }

 private:
  polycodec_node below(std::string part, NodeView view) {
    path_.push_back(std::move(part));
    const polycodec_node node = copy(view);
    path_.pop_back();
    return node;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(Status::option,
                (path_.empty() ? "the options" : "option " + path_text(path_)) + " " + what);
  }

  Builder& out_;
  JsonPath path_;
};

bool has_role(NodeView option, std::string_view role) {
  const auto found = option.find("role");
  return found && found->is_string() && found->as_string() == role;
}

/// Whether a member of a schema's `properties` is for the host alone: it says so, or names a file.
bool is_host_only(NodeView option) {
  return bool_at(option, "host_only", false) || has_role(option, "file");
}

/// The same for an option of that name.
bool is_host_only(NodeView schema, std::string_view option) {
  const auto member = object_at(schema, "properties").find(option);
  return member && is_host_only(*member);
}

bool has_host_only(NodeView schema) {
  const NodeView properties = object_at(schema, "properties");
  for (std::uint64_t i = 0; i < properties.size(); ++i)
    if (is_host_only(properties.value(i))) return true;
  return false;
}

/// What the file at `path` holds, for the option `name`. Who names a pipe or a device by mistake
/// waits for nothing.
std::string content_of(std::string_view name, std::string_view path) {
  Limits limits;
  limits.max_input_bytes = max_option_file_bytes;
  try {
    const auto file = posix::open_regular(path);
    return std::string(posix::load(file.get(), path, limits, FileAccess::read)->bytes());
  } catch (const Error& e) {
    throw Error(Status::option, "option " + quote(name) + ": " + e.message());
  }
}

struct Added {
  std::string_view name;
  polycodec_node value;
};

/// The options, as JSON text (empty: none), with those of `all` that they do not have. They stay as
/// they are if they have the first one.
std::string with_added(std::string_view options, std::span<const Added> all) {
  std::optional<JsonDocument> given;
  if (!options.empty()) {
    given.emplace(options, "options", Status::option);
    if (!given->root().is_object() || given->root().find(all[0].name)) return std::string(options);
  }
  const Value merged = Value::build([&](Builder& out) {
    auto object = out.object();
    for (std::uint64_t i = 0; given && i < given->root().size(); ++i)
      object.push(given->root().key(i).as_string(), *given->root().value(i).raw());
    for (const Added& each : all)
      if (!given || !given->root().find(each.name)) object.push(each.name, each.value);
    return Node(object);
  });
  return to_json(merged.view(), json_compact);
}

}  // namespace

Value merge_options(NodeView schema, NodeView defaults, NodeView given) {
  return Value::build([&](Builder& out) {
    const polycodec_node plain = PlainCopy(out).copy(given);
    const NodeView over(&plain);
    if (const auto problems = schema_problems(schema, over, 1); !problems.empty()) {
      if (problems[0].unknown && problems[0].path == JsonPath{"tolerant"})
        throw Error(Status::option,
                    "this format has no tolerant reading: leave the option 'tolerant' out");
      throw Error(Status::option,
                  (problems[0].path.empty() ? std::string("the options")
                                            : "option " + path_text(problems[0].path)) +
                      (problems[0].unknown ? " is unknown" : " ") + problems[0].what);
    }
    if (!defaults.is_object() || !over.is_object()) return plain;
    std::vector<polycodec_node> entries;
    for (std::uint64_t i = 0; i < defaults.size(); ++i) {
      if (over.find(defaults.key(i).as_string())) continue;
      entries.push_back(PlainCopy(out).copy(defaults.key(i)));
      entries.push_back(PlainCopy(out).copy(defaults.value(i)));
    }
    const auto own = over.entries();
    entries.insert(entries.end(), own.begin(), own.end());
    polycodec_node* nodes;
    const polycodec_node merged = out.object(entries.size() / 2, &nodes);
    std::ranges::copy(entries, nodes);
    return merged;
  });
}

std::string lifting_option(NodeView schema, std::string_view detail) {
  const NodeView properties = object_at(schema, "properties");
  for (std::uint64_t i = 0; !detail.empty() && i < properties.size(); ++i)
    if (const auto value = object_at(properties.value(i), "lifts").find(detail))
      return "{" + to_json_string(properties.key(i).as_string()) + ": " +
             to_json(*value, json_compact) + "}";
  return {};
}

std::string_view option_of_role(NodeView schema, std::string_view role) {
  const NodeView properties = object_at(schema, "properties");
  for (std::uint64_t i = 0; i < properties.size(); ++i)
    if (has_role(properties.value(i), role)) return properties.key(i).as_string();
  return {};
}

bool has_tolerant(NodeView schema) {
  return schema.is_object() && object_at(schema, "properties").find("tolerant").has_value();
}

std::string with_tolerant(NodeView schema, std::string_view options) {
  const Added all[] = {{"tolerant", Builder::boolean(true)}, {"strict", Builder::boolean(false)}};
  const bool has_strict = object_at(schema, "properties").find("strict").has_value();
  return with_added(options, std::span(all).first(has_strict ? 2 : 1));
}

std::string options_for_file(NodeView schema, std::string_view options, std::string_view path) {
  const std::string_view name =
      schema.is_object() ? option_of_role(schema, "extension") : std::string_view();
  if (name.empty()) return std::string(options);
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  const auto words = object_at(object_at(schema, "properties"), name).find("enum");
  bool is_word = false;
  for (std::uint64_t i = 0; words && i < words->size(); ++i)
    is_word = is_word ||
              ((*words)[i].is_string() && "." + std::string((*words)[i].as_string()) == extension);
  if (!is_word) return std::string(options);
  const Added all[] = {{name, Builder::string_view(std::string_view(extension).substr(1))}};
  return with_added(options, all);
}

NodeView with_files(NodeView schema, NodeView options, Builder& out) {
  if (!options.is_object() || option_of_role(schema, "file").empty()) return options;
  const NodeView properties = object_at(schema, "properties");
  polycodec_node* entries;
  const polycodec_node changed = out.object(options.size(), &entries);
  for (std::uint64_t i = 0; i < options.size(); ++i) {
    const std::string_view name = options.key(i).as_string();
    const NodeView value = options.value(i);
    const auto option = properties.find(name);
    *entries++ = *options.key(i).raw();
    *entries++ = option && has_role(*option, "file") && value.is_string()
                     ? out.string_copy(content_of(name, value.as_string()))
                     : *value.raw();
  }
  return NodeView(out.root(changed));
}

void refuse_host_only(NodeView schema, NodeView options) {
  if (!options.is_object()) return;
  for (std::uint64_t i = 0; i < options.size(); ++i)
    if (const auto name = options.key(i).as_string(); is_host_only(schema, name))
      throw Error(Status::denied,
                  "option " + quote(name) +
                      " is for the host alone: data, messages, plugins and users of the host "
                      "cannot give it; set it in the configuration (defaults.options), or in the "
                      "host's own code");
}

void refuse_host_only_in_text(NodeView schema, std::string_view options) {
  if (options.empty() || !has_host_only(schema)) return;
  refuse_host_only(schema, JsonDocument(options, "options", Status::option).root());
}

std::string without_host_only(NodeView schema, std::string_view options) {
  if (options.empty() || !has_host_only(schema)) return std::string(options);
  const JsonDocument document(options, "options", Status::option);
  std::vector<polycodec_node> kept;
  for (std::uint64_t i = 0; i < document.root().size(); ++i) {
    if (is_host_only(schema, document.root().key(i).as_string())) continue;
    kept.push_back(*document.root().key(i).raw());
    kept.push_back(*document.root().value(i).raw());
  }
  if (kept.empty()) return {};
  polycodec_node object = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept.size() / 2);
  object.as.nodes = kept.data();
  return to_json(NodeView(&object), json_compact);
}

}  // namespace polycodec

// SPDX-License-Identifier: MIT
#include "core/dispatch/dispatch.hpp"

#include <base/pattern.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/text/text.hpp"

#include <algorithm>

namespace polycodec {

namespace {

/// One string for each name; parts are counted, so that no text in a part can look like two parts.
std::string key_of(FunctionPath path) {
  std::string key;
  for (const std::string_view part : path) {
    key += std::to_string(part.size());
    key += ':';
    key += part;
  }
  return key;
}

std::vector<std::string_view> path_of(const polycodec_function& function) {
  return {function.path, function.path + function.n_path};
}

template <class Parts>
std::string describe_parts(const Parts& parts, std::size_t most = 16) {
  std::string text = "[";
  std::size_t count = 0;
  for (const auto& part : parts) {
    if (count != 0) text += ", ";
    if (count++ == most) {
      text += "...";
      break;
    }
    text += '"';
    append_escaped(text, part, '"', Letters::ascii);
    text += '"';
  }
  return text + "]";
}

}  // namespace

std::string describe_path(FunctionPath path) {
  return describe_parts(path);
}

FunctionTable::Builder& FunctionTable::Builder::add(const polycodec_function* function,
                                                    std::string_view owner) {
  const auto refuse = [&](const char* why) {
    throw Error(Status::plugin, "a function of " + quote(owner) + " cannot be registered: " + why);
  };
  if (function == nullptr) refuse("it is null");
  if (!POLYCODEC_HAS(polycodec_function, function, release)) refuse("its struct is too small");
  if (function->n_path == 0 || function->path == nullptr) refuse("it has no name");
  if (function->n_path > 64) refuse("its name has more than 64 parts");
  for (std::uint32_t i = 0; i < function->n_path; ++i) {
    if (function->path[i] == nullptr || function->path[i][0] == '\0')
      refuse("a part of its name is empty");
  }
  if (function->call == nullptr) refuse("it has nothing to call");
  if (function->min_args > function->max_args)
    refuse("it wants at least more arguments than at most");
  const auto path = path_of(*function);
  table_.functions_.reserve(table_.functions_.size() + 1);
  if (!table_.index_.emplace(key_of(path), function).second)
    throw Error(Status::ambiguous, "the function " + describe_path(path) + " of " + quote(owner) +
                                       " is registered already");
  table_.functions_.push_back(function);
  return *this;
}

const polycodec_function* FunctionTable::find(FunctionPath path) const {
  const auto found = index_.find(key_of(path));
  return found == index_.end() ? nullptr : found->second;
}

// -- Allowlist
// ------------------------------------------------------------------------------------------------------

Allowlist::Allowlist(std::vector<Specifier> specifiers) : specifiers_(std::move(specifiers)) {
  for (std::size_t i = 0; i < specifiers_.size(); ++i) {
    if (specifiers_[i].empty())
      throw Error(Status::option, "an entry of the allowlist needs at least one pattern")
          .path("$[" + std::to_string(i) + "]");
  }
}

Allowlist Allowlist::parse(std::string_view json) {
  Limits limits;
  limits.max_depth = 8;  // two levels are legal
  return from(parse_json(json, limits, DuplicateKeys::refuse).view());
}

Allowlist Allowlist::from(NodeView document) {
  const auto refuse = [](const std::string& path, const std::string& why) {
    throw Error(Status::option, "not an allowlist: " + why).path(path);
  };
  if (document.is_string()) return Allowlist({{std::string(document.as_string())}});
  if (!document.is_list()) refuse("$", "expected a list of entries, one entry, or a string");
  const std::uint64_t size = document.size();
  if (size != 0 && document[0].is_string()) {
    Specifier one;
    for (std::uint64_t i = 0; i < size; ++i) {
      if (!document[i].is_string())
        refuse("$[" + std::to_string(i) + "]", "an entry of the allowlist consists of strings");
      one.emplace_back(document[i].as_string());
    }
    return Allowlist({std::move(one)});
  }
  std::vector<Specifier> all;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::string at = "$[" + std::to_string(i) + "]";
    const NodeView item = document[i];
    if (!item.is_list()) refuse(at, "expected an entry, which is a list of strings");
    Specifier one;
    for (std::uint64_t j = 0; j < item.size(); ++j) {
      if (!item[j].is_string())
        refuse(at + index_step(j), "an entry of the allowlist consists of strings");
      one.emplace_back(item[j].as_string());
    }
    all.push_back(std::move(one));
  }
  return Allowlist(std::move(all));
}

Allowlist Allowlist::with(const Allowlist* more) const {
  Allowlist all = *this;
  if (more != nullptr)
    all.specifiers_.insert(all.specifiers_.end(), more->specifiers_.begin(),
                           more->specifiers_.end());
  return all;
}

bool Allowlist::allows(FunctionPath path) const noexcept {
  return std::any_of(specifiers_.begin(), specifiers_.end(), [&](const Specifier& specifier) {
    if (specifier.size() == 1 && specifier[0] == "*") return true;
    return specifier.size() == path.size() &&
           std::equal(specifier.begin(), specifier.end(), path.begin(), match_pattern);
  });
}

std::string Allowlist::describe(std::size_t most) const {
  if (specifiers_.empty()) return "none: the allowlist is empty";
  std::string text;
  const std::size_t shown = std::min(most, specifiers_.size());
  for (std::size_t i = 0; i < shown; ++i) {
    if (i != 0) text += ", ";
    text += describe_parts(specifiers_[i]);
  }
  if (shown < specifiers_.size())
    text += " and " + std::to_string(specifiers_.size() - shown) + " more";
  return text;
}

// -- dispatch
// -------------------------------------------------------------------------------------------------------

namespace {

std::uint64_t count_arguments(const polycodec_node* args, const std::string& name,
                              std::string_view where) {
  if (args == nullptr) return 0;
  const NodeView view(args);
  if (!view.is_list() && view.kind() != POLYCODEC_KIND_TUPLE)
    throw Error(Status::type, "the arguments of " + name + " are not a list").path(where);
  return view.size();
}

std::string expected_count(const polycodec_function& function) {
  std::string least = std::to_string(function.min_args);
  if (function.max_args == UINT32_MAX) return "at least " + least;
  if (function.max_args == function.min_args) return least;
  return least + " to " + std::to_string(function.max_args);
}

/// The line of a configuration that allows the function of exactly this name. Data has chosen it: a
/// part may look like a pattern.
std::string line_that_allows(FunctionPath path) {
  std::vector<std::string> literal;
  for (const std::string_view part : path) {
    std::string& text = literal.emplace_back();
    for (const char c : part) {
      if (c == '*' || c == '?' || c == '[')
        text.append({'[', c, ']'});
      else
        text += c;
    }
  }
  return "\"allow_also\": [" + describe_parts(literal, SIZE_MAX) + "]";
}

}  // namespace

const polycodec_node* dispatch(const FunctionTable& table, const Allowlist& allowlist,
                               FunctionPath path, const polycodec_node* args,
                               const polycodec_node* kwargs, const DispatchContext& context) {
  if (!allowlist.allows(path)) {
    const std::string name = describe_path(path);
    const std::string tried = allowlist.describe();
    if (context.on_denied) context.on_denied(Denial{name, context.where, tried});
    throw Error(Status::denied, "the allowlist does not allow the function " + name +
                                    "; if you trust the data, set " + line_that_allows(path) +
                                    " in the configuration; entries tried: " + tried)
        .detail("function.denied")
        .path(context.where);
  }
  const polycodec_function* function = table.find(path);
  const std::string name = describe_path(path);
  if (function == nullptr)
    throw Error(Status::not_found, "no function " + name + " is registered")
        .detail("function.unknown")
        .path(context.where);
  const std::uint64_t count = count_arguments(args, name, context.where);
  if (count < function->min_args ||
      (count > function->max_args && function->max_args != UINT32_MAX))
    throw Error(Status::range, "the function " + name + " takes " + expected_count(*function) +
                                   " arguments, not " + std::to_string(count))
        .detail("function.arguments")
        .path(context.where);
  if (kwargs != nullptr && !NodeView(kwargs).is_object())
    throw Error(Status::type, "the keyword arguments of " + name + " are not an object")
        .path(context.where);

  static constexpr polycodec_node no_arguments{POLYCODEC_KIND_LIST, 0, 0, 0, {}};
  const polycodec_node* result = nullptr;
  PluginError error;
  const std::int32_t code = across_border([&] {
    return function->call(function, context.call, args == nullptr ? &no_arguments : args, kwargs,
                          &result, error.raw());
  });
  if (code != POLYCODEC_OK) {
    const Error reported = error.error(code);
    // A function's own path is relative to its call.
    std::string where(context.where);
    if (!reported.path().empty())
      where += where.empty() || reported.path().front() != '$' ? reported.path()
                                                               : reported.path().substr(1);
    throw Error(reported.code(), name + ": " + reported.message(), reported.offset())
        .detail(reported.detail())
        .path(where);
  }
  if (result == nullptr)
    throw Error(Status::plugin, "the function " + name + " gave no result").path(context.where);
  return result;
}

std::vector<std::string_view> function_path(NodeView path) {
  std::vector<std::string_view> parts;
  for (const polycodec_node& part : path.items()) parts.push_back(NodeView(&part).as_string());
  return parts;
}

std::vector<std::string_view> function_path(const polycodec_bytes* parts, std::uint64_t count) {
  std::vector<std::string_view> path;
  path.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(count, 64)));
  for (std::uint64_t i = 0; i < count; ++i)
    path.emplace_back(static_cast<const char*>(parts[i].data),
                      static_cast<std::size_t>(parts[i].size));
  return path;
}

}  // namespace polycodec

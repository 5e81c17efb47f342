// SPDX-License-Identifier: MIT
#include "uri.hpp"

#include <algorithm>
#include <cstddef>

namespace polycodec::schema {
namespace {

// The parts with the characters that set them apart: "http:" "//host" "/path" "?query" "#fragment".
struct Parts {
  std::string_view scheme, authority, path, query, fragment;

  explicit Parts(std::string_view uri) noexcept {
    const auto take = [&](std::size_t size) {
      const std::string_view part = uri.substr(0, size);
      uri.remove_prefix(part.size());
      return part;
    };
    const std::size_t colon = uri.find_first_of(":/?#");
    if (colon != uri.npos && colon != 0 && uri[colon] == ':') scheme = take(colon + 1);
    if (uri.starts_with("//")) authority = take(std::min(uri.find_first_of("/?#", 2), uri.size()));
    path = take(std::min(uri.find_first_of("?#"), uri.size()));
    query = take(std::min(uri.find('#'), uri.size()));
    fragment = uri;
  }
};

std::string joined(std::string_view scheme, std::string_view authority, std::string_view path,
                   std::string_view query, std::string_view fragment) {
  std::string made;
  for (const std::string_view part : {scheme, authority, path, query, fragment}) made += part;
  return made;
}

// A path without `.` and `..`.
std::string without_dots(std::string_view path) {
  std::string made;
  while (!path.empty()) {
    const bool rooted = path.front() == '/';
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view name = path.substr(rooted ? 1 : 0, end - (rooted ? 1 : 0));
    const bool last = end == path.size();
    if (name == "." || name == "..") {
      if (name == "..") made.erase(std::min(made.rfind('/'), made.size()));
      if (last && rooted) made += '/';
    } else {
      made += path.substr(0, end);
    }
    path.remove_prefix(end);
  }
  return made;
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const Parts own(reference);
  const Parts from(base);
  if (!own.scheme.empty() || !own.authority.empty())
    return joined(own.scheme.empty() ? from.scheme : own.scheme, own.authority,
                  without_dots(own.path), own.query, own.fragment);
  if (own.path.empty())
    return joined(from.scheme, from.authority, from.path,
                  own.query.empty() ? from.query : own.query, own.fragment);
  std::string path(own.path);
  if (path.front() != '/') {
    const std::size_t slash = from.path.rfind('/');
    const std::string_view directory = slash != from.path.npos  ? from.path.substr(0, slash + 1)
                                       : from.authority.empty() ? std::string_view()
                                                                : std::string_view("/");
    path.insert(0, directory);
  }
  return joined(from.scheme, from.authority, without_dots(path), own.query, own.fragment);
}

SplitUri split_uri(std::string_view uri) noexcept {
  const std::size_t end = std::min(uri.find('#'), uri.size());
  return {uri.substr(0, end), uri.substr(std::min(end + 1, uri.size()))};
}

}  // namespace polycodec::schema

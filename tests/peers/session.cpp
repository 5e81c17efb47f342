// SPDX-License-Identifier: MIT
// Decodes and encodes for the programs beside it, many values in one process: a line of JSON and
// so many bytes go in, a line of JSON and so many bytes come out.
//   {"do": "decode", "codec", "options", "filters", "size"}, bytes  -> typed JSON
//   {"do": "encode", "codec", "options", "filters", "size"}, typed JSON  -> bytes
//   {"do": "read", "codec", "options", "path"}  -> the same of a file or container
//   {"do": "write", "codec", "options", "path", "size"}, typed JSON  -> nothing, the container is
//   there
// With "plain": true a second line has the value alone, which shows no layouts. Failures are
// {"error": TEXT, "size": 0}.
#include <polycodec/error.hpp>

#include "core/io/sink.hpp"
#include "core/store/open.hpp"
#include "core/text/text.hpp"
#include "registry/codec/collection.hpp"
#include "registry/codec/registry.hpp"
#include "registry/config/config.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using Json = nlohmann::json;
using namespace polycodec;

std::string part(const Json& request, const char* key) {
  return request.contains(key) ? request.at(key).dump() : std::string();
}

std::string answer(const Registry& registry, const Json& request, std::string body) {
  const std::string what = request.at("do"), codec = request.at("codec");
  const std::string options = part(request, "options");
  CallOptions call;
  if (request.value("lossy", false))
    call.on_loss = [](LossClass, std::string_view, std::string_view) {};
  if (what == "write") {
    const Value value = parse_text(body);
    encode_to_container(registry, value.view(), codec, options, request.at("path"), call);
    return {};
  }
  const Codec opened = registry.codec_with_json(codec, options, part(request, "filters"));
  if (what == "encode") {
    const Value value = parse_text(body);
    SegmentSink sink;
    opened.encode(value, sink, call);
    return sink.to_string();
  }
  Source source = Source::owned(std::move(body));
  if (what == "read") {
    source = open_source(request.at("path").get<std::string>());
    if (auto store = registry.open_store(source)) source = Source::store(store);
  }
  const Value value = opened.decode(source, call);
  std::string text = to_text(value.view());
  if (request.value("plain", false)) text += '\n' + to_text(value.view(), {.plain = true});
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: peer_session PLUGIN_DIRECTORY\n", 2;
  std::ios::sync_with_stdio(false);
  RegistryOptions options = parse_config("{}", "default").registry;  // with the default allowlist
  options.plugin_paths = {argv[1]};
  options.use_environment = false;
  const Registry registry = Registry::open(options);
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    std::string body(request.value("size", std::size_t{0}), '\0');
    std::cin.read(body.data(), static_cast<std::streamsize>(body.size()));
    Json head;
    std::string out;
    try {
      out = answer(registry, request, std::move(body));
    } catch (const Error& error) {
      head["error"] = error.describe();
    } catch (const std::exception& error) {
      head["error"] = error.what();
    }
    head["size"] = out.size();
    std::cout << head.dump() << '\n' << out << std::flush;
  }
}

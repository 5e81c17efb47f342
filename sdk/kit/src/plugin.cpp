// SPDX-License-Identifier: MIT
#include "plugin.hpp"

#include <polycodec/error.hpp>
#include <polycodec/file.hpp>
#include <polycodec/source.hpp>
#include <polycodec/utf8.hpp>

#include "case.hpp"

#include <dlfcn.h>

#include <cstring>
#include <memory>

namespace polycodec::kit {

std::string read_text(const std::filesystem::path& path) {
  try {
    return std::string(Source::file(path, {}, FileAccess::read).bytes());
  } catch (const Error& e) {
    fail(e.describe());
  }
}

Manifest read_manifest(const Settings& settings) {
  return parse_manifest(read_text(settings.manifest), settings.manifest.filename().string());
}

const polycodec_plugin& entry_object(const Settings& settings) {
  static const polycodec_plugin* const object = [&]() -> const polycodec_plugin* {
    void* library = ::dlopen(settings.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(std::string("the library can't be loaded: ") + ::dlerror());
    void* symbol = ::dlsym(library, POLYCODEC_ENTRY_SYMBOL);
    if (symbol == nullptr) fail("the library does not export " POLYCODEC_ENTRY_SYMBOL);
    return static_cast<const polycodec_plugin*>(symbol);
  }();
  return *object;
}

Plugin::Plugin(const polycodec_plugin& object) : object_(object) {
  if (object.init != nullptr) {
    Answer answer;
    answer.error = make_error();
    answer.code = object.init(host_.abi(), POLYCODEC_ABI_MAJOR, &answer.error);
    check_answer(answer, 0, "init");
    if (!answer.ok()) fail("init failed: " + answer.text());
  }
  codecs_ = static_cast<const polycodec_codecs*>(object.get_interface(POLYCODEC_CODECS_INTERFACE));
  functions_ = static_cast<const polycodec_functions*>(object.get_interface(POLYCODEC_FUNCTIONS_INTERFACE));
  host_.serve(codecs_, functions_);
}

Plugin& Plugin::get(const Settings& settings) {
  static Plugin plugin(entry_object(settings));
  return plugin;
}

void Plugin::shut_down() {
  if (object_.deinit != nullptr) object_.deinit();
}

const polycodec_codec& Plugin::codec(std::string_view name) const {
  for (std::uint32_t i = 0; codecs_ != nullptr && i < codecs_->count; ++i)
    if (name == codecs_->codecs[i]->name) return *codecs_->codecs[i];
  fail("the plugin has no codec '" + std::string(name) + "'");
}

std::size_t Encoded::size() const noexcept {
  std::size_t total = 0;
  for (const auto& part : parts) total += part.second.size();
  return total;
}

std::string Answer::text() const {
  return std::string(status_name(static_cast<Status>(code))) + ": " + to_error(code, error).describe();
}

namespace {

template <std::size_t N>
void check_field(const char (&field)[N], const char* name, const std::string& function) {
  require(std::memchr(field, 0, N) != nullptr, function + ": error." + name + " has no end");
  require(is_utf8(detail::field_text(field)), function + ": error." + name + " is not UTF-8");
}

}  // namespace

void check_answer(const Answer& answer, std::uint64_t input_size, const char* name) {
  const std::string function = name;
  require(answer.code >= 0 && answer.code < POLYCODEC_STATUS_COUNT,
          function + " returned " + std::to_string(answer.code) + ", which is no status");
  if (answer.ok()) return;
  const polycodec_error& e = answer.error;
  require(e.code == answer.code,
          function + " returned " + std::to_string(answer.code) + ", but error.code is " + std::to_string(e.code));
  check_field(e.detail, "detail", function);
  check_field(e.path, "path", function);
  check_field(e.message, "message", function);
  require(e.message[0] != '\0', function + ": the error has no message");
  require(e.offset == POLYCODEC_NO_OFFSET || e.offset <= input_size,
          function + ": error.offset " + std::to_string(e.offset) + " is outside of the " +
              std::to_string(input_size) + " bytes of input");
}

}  // namespace polycodec::kit

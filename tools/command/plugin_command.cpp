// SPDX-License-Identifier: MIT
// `polycodec plugin new` and `plugin check`: for authors of plugins.
#include <polycodec/quote.hpp>

#include "commands.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

struct NewPlugin {
  std::string id;
  std::string kind = "codec";
  std::string language;
  bool wasm = false;
  std::string directory;
};

std::string read_text(const fs::path& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw Error(Status::io, "cannot read " + quote_path(path.string()));
  return text.str();
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

bool is_plugin_id(std::string_view id) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  return !id.empty() && id.size() <= 63 && letters.find(id[0]) != letters.npos &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") == id.npos;
}

/// The id as a name of a crate or module.
std::string identifier(std::string id) {
  for (char& c : id)
    if (c == '.' || c == '-') c = '_';
  return id;
}

/// The name of the library of a plugin in C or Rust.
std::string library_of(const NewPlugin& wish, bool is_module) {
  if (wish.language != "rust") return wish.id + (is_module ? ".wasm" : ".so");
  const std::string crate = identifier(wish.id) + "_plugin";
  return is_module ? crate + ".wasm" : "lib" + crate + ".so";
}

/// What the author does next, of a plugin that was written to `to`.
std::string next_steps(const NewPlugin& wish, const fs::path& to) {
  const std::string enter = "  cd " + to.string() + "\n";
  const std::string plugins = (to / "build" / "plugins").string();
  if (wish.language == "rust")
    return enter + "  cargo build --release" +
           (wish.wasm ? " --target wasm32-unknown-unknown" : "") +
           "\n  mkdir -p plugins && cp target/" +
           (wish.wasm ? "wasm32-unknown-unknown/release/" : "release/") +
           library_of(wish, wish.wasm) + " " + wish.id +
           ".polycodec.json plugins/\n  polycodec plugin check plugins --fixtures tests" +
           (wish.wasm ? " --wasm-runtime LIBRARY" : "") +
           "\n  polycodec --help   # and --plugin-path plugins uses it\n";
  if (wish.language == "python")
    return enter +
           "  pip install -e .   # needs the package polycodec for Python\n"
           "  python tests/test_codec.py\n";
  return "  cmake -S " + to.string() + " -B " + (to / "build").string() + " && cmake --build " +
         (to / "build").string() + "\n  ctest --test-dir " + (to / "build").string() +
         "\n  polycodec plugin check " + plugins + "\n  polycodec --help   # and --plugin-path " +
         plugins + " uses it\n";
}

int run_new(const Run& run, const NewPlugin& wish) {
  if (!is_plugin_id(wish.id))
    throw Error(Status::option, quote(wish.id) +
                                    " is not a plugin id: lower-case letters, digits, '.', '_' and "
                                    "'-', beginning with a letter");
  if (wish.wasm && (wish.kind != "codec" || (wish.language != "c" && wish.language != "rust")))
    throw Error(Status::option,
                "no template for a module of another kind or language: leave out --kind and "
                "--language for a codec in C, or choose --language rust");
  if (wish.kind != "codec" && wish.language != "cpp")
    throw Error(Status::option, "no template for a " + wish.kind + " in " + wish.language +
                                    ": leave out --language for one in C++");
  const fs::path share = (own_directory() / ".." / "share" / "polycodec").lexically_normal();
  const fs::path from = share / "template" / (wish.kind == "codec" ? wish.language : wish.kind);
  if (!fs::is_directory(from))
    throw Error(Status::io,
                "the templates are not installed: " + quote_path(from.string()) + " is missing");
  const fs::path crate = share / "rust";
  if (wish.language == "rust" && !fs::is_directory(crate))
    throw Error(Status::io,
                "the crate for plugins is not installed: " + quote_path(crate.string()) +
                    " is missing; install the development files of polycodec");
  const fs::path to = wish.directory.empty() ? fs::path(wish.id) : fs::path(wish.directory);
  std::error_code error;
  if (fs::exists(to, error) && !(fs::is_directory(to, error) && fs::is_empty(to, error)))
    throw Error(Status::io,
                quote_path(to.string()) + " exists already and is not an empty directory");

  const auto filled = [&](std::string text) {
    text = replaced(std::move(text), "@PLUGIN_ID@", wish.id);
    text = replaced(std::move(text), "@CRATE@", identifier(wish.id));
    return replaced(std::move(text), "@RUST_CRATE@", crate.string());
  };
  fs::create_directories(to, error);
  if (error)
    throw Error(Status::io, "cannot make " + quote_path(to.string()) + ": " + error.message());
  // A module has the sources of the plugin, and is built in another way.
  std::vector<fs::path> parts{from};
  if (wish.wasm) parts.push_back(share / "template" / "wasm" / wish.language);
  std::map<fs::path, fs::path> sources;
  for (const fs::path& part : parts)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(part))
      if (entry.is_regular_file()) sources[fs::relative(entry.path(), part)] = entry.path();
  Json files = Json::array();
  for (const auto& [name, source] : sources) {
    const fs::path target = to / filled(name.string());
    std::string text = filled(read_text(source));
    if (wish.wasm && target.extension() == ".json")
      text = replaced(std::move(text), library_of(wish, false), library_of(wish, true));
    run.registry().write_bytes(text, target.string(), {.root = to.string()});
    files.push_back(target.string());
  }
  if (run.out.is_json()) {
    run.out.print_json({{"ok", true}, {"directory", to.string()}, {"files", files}});
    return exit_done;
  }
  run.out.print("Created a plugin that builds and passes the conformance tests in " + to.string() +
                ". Next:\n" + next_steps(wish, to));
  return exit_done;
}

/// Hands over to the conformance kit, which is a program of its own.
int run_check(const std::vector<std::string>& arguments) {
  const fs::path kit = own_directory() / "polycodec-kit";
  std::vector<std::string> words{kit.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(kit.c_str(), argv.data());
  throw Error(Status::io, "cannot run the conformance kit " + quote_path(kit.string()) + ": " +
                              std::generic_category().message(errno));
}

}  // namespace

void describe_plugin(Command& command, CommonOptions& options) {
  command.help = "Make a new plugin, or check one against the contract";
  command.example = "polycodec plugin new org.example.format";

  Command& make = command.add_command("new", "Write the sources of a new plugin",
                                      "polycodec plugin new org.example.format");
  auto wish = std::make_shared<NewPlugin>();
  make.add("ID", &wish->id, "Id of the plugin and name of its codec, such as org.example.format")
      .required();
  make.add("--kind", &wish->kind, "codec, filter, store, function or type")
      .one_of({"codec", "filter", "store", "function", "type"})
      .show_default();
  make.add("--language", &wish->language, "c, cpp, python or rust (default: cpp)")
      .one_of({"c", "cpp", "python", "rust"});
  make.add("--wasm", &wish->wasm, "A codec in C or Rust as one WebAssembly file for all machines");
  make.add("-o,--out-dir DIR", &wish->directory,
           "Where to write it (default: a directory called ID)");
  add_json_option(make, options);
  make.run = [wish](const Run& run) {
    if (wish->language.empty()) wish->language = wish->wasm ? "c" : "cpp";
    return run_new(run, *wish);
  };

  Command& check =
      command.add_command("check", "Run the conformance kit (polycodec-kit) over a plugin",
                          "polycodec plugin check build/org.example.format.polycodec.json");
  auto arguments = std::make_shared<std::vector<std::string>>();
  check.rest = arguments.get();
  check.run = [arguments](const Run&) { return run_check(*arguments); };
}

}  // namespace polycodec::cli

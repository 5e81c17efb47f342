// SPDX-License-Identifier: MIT
// `polycodec plugin new` and `plugin check`: for authors of plugins.
#include <polycodec/file.hpp>

#include "commands.hpp"
#include "terminal.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

struct NewPlugin {
  std::string id;
  std::string language = "cpp";
  std::string folder;
};

/// The folder of this program, to find what is installed beside it.
fs::path program_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path("/usr/bin") : self.parent_path();
}

std::string read_text(const fs::path& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw Error(Status::io, "cannot read '" + path.string() + "'");
  return text.str();
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

int run_new(Context& context, const NewPlugin& wish) {
  if (!is_canonical_name(wish.id))
    throw Error(
        Status::option,
        "'" + wish.id + "' is no plugin id: lower-case letters, digits, '.', '_' and '-', beginning with a letter");
  const fs::path from = program_folder() / ".." / "share" / "polycodec" / "template" / wish.language;
  if (!fs::is_directory(from))
    throw Error(Status::io, "the templates are not installed: '" + from.lexically_normal().string() + "' is missing");
  const fs::path to = wish.folder.empty() ? fs::path(wish.id) : fs::path(wish.folder);
  std::error_code error;
  if (fs::exists(to, error) && !(fs::is_directory(to, error) && fs::is_empty(to, error)))
    throw Error(Status::io, "'" + to.string() + "' exists already and is not an empty folder");

  Json files = Json::array();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = replaced(fs::relative(entry.path(), from).string(), "@PLUGIN_ID@", wish.id);
    const fs::path target = to / name;
    fs::create_directories(target.parent_path(), error);
    if (error) throw Error(Status::io, "cannot make '" + target.parent_path().string() + "': " + error.message());
    write_file(target, replaced(read_text(entry.path()), "@PLUGIN_ID@", wish.id));
    files.push_back(target.string());
  }
  if (context.options.json) {
    context.print_json(Json{{"ok", true}, {"folder", to.string()}, {"files", files}});
    return exit_done;
  }
  context.print("A plugin that builds and passes the conformance kit stands in " + to.string() +
                ". Next:\n"
                "  cmake -S " +
                to.string() + " -B " + (to / "build").string() + " && cmake --build " + (to / "build").string() +
                "\n"
                "  ctest --test-dir " +
                (to / "build").string() +
                "\n"
                "  polycodec plugin check " +
                (to / "build" / "plugins").string() +
                "\n"
                "  polycodec --help   # and --plugin-path " +
                (to / "build" / "plugins").string() + " uses it\n");
  return exit_done;
}

/// Hands over to the conformance kit, which is a program of its own.
int run_check(const std::vector<std::string>& arguments) {
  const fs::path kit = program_folder() / "polycodec-kit";
  std::vector<std::string> words{kit.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(kit.c_str(), argv.data());
  throw Error(Status::io,
              "cannot run the conformance kit '" + kit.string() + "': " + std::generic_category().message(errno));
}

}  // namespace

void add_plugin(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("plugin", "Make a new plugin, or check one against the contract");
  command->require_subcommand(1);

  CLI::App* make =
      command->add_subcommand("new", "Write the sources of a new plugin: a codec that builds and passes the checks");
  auto wish = std::make_shared<NewPlugin>();
  make->add_option("ID", wish->id, "Id of the plugin and name of its codec, such as org.example.format")->required();
  make->add_option("--language", wish->language, "c or cpp")
      ->check(CLI::IsMember({"c", "cpp"}))
      ->capture_default_str();
  make->add_option("--folder", wish->folder, "Where to write it (default: a folder called ID)")->type_name("DIR");
  context.add_json_option(*make);
  make->callback([&, wish] { action = [&, wish] { return run_new(context, *wish); }; });

  CLI::App* check =
      command->add_subcommand("check", "Run the conformance kit over a plugin; all arguments go to polycodec-kit");
  auto arguments = std::make_shared<std::vector<std::string>>();
  check->add_option("PLUGIN", *arguments, "Manifest, library or folder of a plugin, and options of polycodec-kit")
      ->required();
  check->prefix_command();
  check->callback([&, check, arguments] {
    std::vector<std::string> all = *arguments;
    for (const std::string& rest : check->remaining()) all.push_back(rest);
    action = [all] { return run_check(all); };
  });
}

}  // namespace polycodec::cli

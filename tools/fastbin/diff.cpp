// SPDX-License-Identifier: MIT
// `polycodec fastbin diff`: whether buffers of an old schema can be read with a new one.
#include "fastbin/schema/diff.hpp"

#include "commands.hpp"
#include "fastbin/schema/hash.hpp"
#include "fastbin/schema/parse.hpp"

#include <algorithm>
#include <memory>

namespace polycodec::cli {
namespace {

struct Files {
  std::string before, after;
};

Json lines_json(const fastbin::Change& c) {
  Json json{{"effect", fastbin::effect_name(c.effect)}, {"path", c.path}, {"what", c.what}};
  json["old_line"] = c.old_line == 0 ? Json() : Json(c.old_line);
  json["new_line"] = c.new_line == 0 ? Json() : Json(c.new_line);
  return json;
}

std::string line_text(const Files& files, const fastbin::Change& c) {
  const std::string where = c.new_line != 0   ? files.after + ":" + std::to_string(c.new_line)
                            : c.old_line != 0 ? files.before + ":" + std::to_string(c.old_line)
                                              : files.after;
  return std::string(fastbin::effect_name(c.effect)) + ": " + where + ": " + c.path + " " + c.what;
}

int run_diff(const Run& run, const Files& files) {
  const auto read = [&](const std::string& file) {
    const Input input = run.open_input(file);
    return fastbin::parse_schema(input.bytes(), input.name);
  };
  const fastbin::Schema before = read(files.before);
  const fastbin::Schema after = read(files.after);
  const auto changes = fastbin::diff(before, after);
  const auto has = [&](fastbin::Effect effect) {
    return std::any_of(changes.begin(), changes.end(),
                       [&](const auto& c) { return c.effect == effect; });
  };
  const bool readable = !has(fastbin::Effect::breaking);
  if (run.out.is_json()) {
    Json all = Json::array();
    for (const auto& c : changes) all.push_back(lines_json(c));
    run.out.print_json(
        Json{{"ok", readable},
             {"old", {{"file", files.before}, {"hash", fastbin::schema_hash(before)}}},
             {"new", {{"file", files.after}, {"hash", fastbin::schema_hash(after)}}},
             {"changes", all}});
    return readable ? exit_done : exit_refused;
  }
  std::string text;
  for (const auto& c : changes) text += line_text(files, c) + "\n";
  text += !readable ? "old buffers cannot all be read"
          : has(fastbin::Effect::lenient)
              ? "old buffers stay readable, with the options named above"
          : changes.empty() ? "nothing has changed for buffers"
                            : "old buffers stay readable";
  run.out.print(text);
  return readable ? exit_done : exit_refused;
}

}  // namespace

void describe_fastbin_diff(Command& command, CommonOptions& options) {
  command.help = "Say whether buffers of the schema OLD can be read with the schema NEW";
  auto files = std::make_shared<Files>();
  command.add("OLD", &files->before, "The schema that buffers were written with, a JSON file")
      .required();
  command.add("NEW", &files->after, "The schema that reads them; - is standard input").required();
  add_json_option(command, options);
  command.compares = true;
  command.run = [files](const Run& run) { return run_diff(run, *files); };
}

}  // namespace polycodec::cli

// SPDX-License-Identifier: MIT
// Writes the man page and the shell completion from the same definitions that the command parses with.
#include "commands.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

/// Names of an option as the user types them: "--json", "-o,--output".
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_hidden(const CLI::App& command) {
  return command.get_group().empty();
}

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}

void man_options(const CLI::App& command, std::string& out) {
  for (const CLI::Option* option : command.get_options()) {
    std::string names;
    for (const std::string& name : spellings(*option))
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (names.empty()) names = "\\fI" + roff(option->get_name(true)) + "\\fR";
    if (!spellings(*option).empty() && option->get_type_size() > 0 && option->get_expected_max() > 0)
      names += " \\fI" + roff(option->get_type_name()) + "\\fR";
    out += ".TP\n" + names + "\n" + roff(option->get_description()) + "\n";
  }
}

void man_command(const CLI::App& command, const std::string& prefix, std::string& out) {
  const std::string name = prefix + " " + command.get_name();
  std::string usage = ".SS \"" + roff(name);
  for (const CLI::Option* option : command.get_options())
    if (spellings(*option).empty()) usage += " " + roff(option->get_name(true));
  out += usage + "\"\n" + roff(command.get_description()) + ".\n";
  man_options(command, out);
  for (const CLI::App* child : command.get_subcommands({})) man_command(*child, name, out);
}

std::string man_page(const CLI::App& app) {
  std::string out = ".TH POLYCODEC 1 \"\" \"polycodec " POLYCODEC_VERSION "\"\n.SH NAME\npolycodec \\- ";
  out += "look into files of many formats, check them, and turn them into each other\n";
  out += ".SH SYNOPSIS\n\\fBpolycodec\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIFILES\\fR]\n.SH DESCRIPTION\n";
  out +=
      roff(app.get_description()) + "\nEach format is a codec in a plugin that is found and checked at run time.\n";
  out += "Results go to standard output, everything else to standard error.\n.SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({}))
    if (!is_hidden(*command)) man_command(*command, "polycodec", out);
  out += ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input or the data was refused; the message says where\n";
  out += ".TP\n2\nwrong usage\n.TP\n3\nno such codec, or the plugin was refused\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n\\fBPOLYCODEC_PLUGIN_PATH\\fR\nfolders to search for plugins instead of the default, "
      "separated by colons\n";
  out += ".TP\n\\fBPOLYCODEC_ADD_PLUGIN_PATH\\fR\nfolders to search before the others\n";
  out += ".TP\n\\fBPOLYCODEC_CONFIG\\fR\nthe configuration file\n.TP\n\\fBNO_COLOR\\fR\nno colours\n";
  return out;
}

std::string completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (is_hidden(*command)) continue;
    commands += (commands.empty() ? "" : " ") + command->get_name();
    std::string words;
    const auto add = [&words](const CLI::App& from) {
      for (const CLI::Option* option : from.get_options())
        for (const std::string& name : spellings(*option)) words += (words.empty() ? "" : " ") + name;
    };
    add(*command);
    for (const CLI::App* child : command->get_subcommands({})) {
      words += (words.empty() ? "" : " ") + child->get_name();
      add(*child);
    }
    cases += "    " + command->get_name() + ") words=\"" + words + "\" ;;\n";
  }
  return "# Completion of polycodec for bash.\n"
         "_polycodec() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  COMPREPLY=()\n"
         "  case $previous in\n"
         "    --from|--to|info)\n"
         "      words=$(polycodec list --quiet 2>/dev/null | cut -d' ' -f1)\n"
         "      COMPREPLY=($(compgen -W \"$words text\" -- \"$current\"))\n"
         "      return ;;\n"
         "  esac\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         commands +
         " --help --version\" -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  case $current in\n"
         "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$current\") $(compgen -W \"$(printf '%s ' $words | tr ' ' '\\n' | grep "
         "-v '^-')\" -- \"$current\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _polycodec polycodec\n";
}

}  // namespace

void add_documentation(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("documentation", "Print the man page or the shell completion")->group("");
  auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "man or bash")->required()->check(CLI::IsMember({"man", "bash"}));
  command->callback([&, kind] {
    action = [&, kind] {
      context.print(*kind == "man" ? man_page(app) : completion(app));
      return exit_done;
    };
  });
}

}  // namespace polycodec::cli

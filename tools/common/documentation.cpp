// SPDX-License-Identifier: MIT
// Writes the man pages from the definitions that a program parses with.
#include <polycodec/quote.hpp>

#include "common/completion.hpp"
#include "common/program.hpp"

#include <algorithm>
#include <fstream>

namespace polycodec::cli {
namespace {

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

void man_options(const Command& command, std::string& out) {
  for (const Option& option : options_of(command)) {
    std::string names;
    for (const std::string& name : spellings(option))
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (names.empty()) names = "\\fI" + roff(option.names) + "\\fR";
    if (!option.is_operand() && !option.is_flag())
      names += " \\fI" + roff(option.value_name.empty() ? "VALUE" : option.value_name) + "\\fR";
    out += ".TP\n" + names + "\n" + roff(option.help) + "\n";
  }
}

void man_command(const Command& command, const std::string& prefix, std::string& out) {
  const std::string name = prefix + " " + command.name;
  std::string usage = ".SS \"" + roff(name);
  for (const Option& option : command.options)
    if (option.is_operand()) usage += " " + roff(option.names);
  out += usage + "\"\n" + roff(command.help) + ".\n";
  man_options(command, out);
  for (const Command& child : command.commands) man_command(child, name, out);
}

std::string page_title(std::string page) {
  for (char& c : page) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return ".TH " + roff(page) + " 1 \"\" \"polycodec " POLYCODEC_VERSION "\"\n";
}

constexpr const char* exit_status =
    ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input or the data was rejected; the message says "
    "where\n.TP\n2\nwrong usage\n.TP\n3\nno such codec, or the plugin was rejected\n"
    ".TP\n130\nended by Ctrl-C\n";

std::string man_page(const Command& program) {
  std::string page = program.name;
  std::replace(page.begin(), page.end(), ' ', '-');
  std::string out = page_title(page) + ".SH NAME\n" + roff(page) + " \\- " + roff(program.help) +
                    "\n.SH SYNOPSIS\n\\fB" + roff(program.name) + "\\fR";
  const auto& commands = program.commands;
  if (!commands.empty()) out += " \\fICOMMAND\\fR";
  out += " [\\fIOPTIONS\\fR] [\\fIFILES\\fR]\n.SH DESCRIPTION\n";
  out += "Each format is a codec in a plugin that is found and checked at run time.\n";
  out += "Results go to standard output, everything else to standard error.\n.SH OPTIONS\n";
  man_options(program, out);
  if (!commands.empty()) out += ".SH COMMANDS\n";
  for (const Command& command : commands) man_command(command, program.name, out);
  out += exit_status;
  out +=
      ".SH ENVIRONMENT\n.TP\n\\fBPOLYCODEC_PLUGIN_PATH\\fR\n"
      "directories to search for plugins before the others, separated by colons\n";
  out +=
      ".TP\n\\fBPOLYCODEC_PLUGIN_SYSTEM_PATH\\fR\ndirectories to search instead of the default\n";
  out +=
      ".TP\n\\fBVIRTUAL_ENV\\fR, \\fBCONDA_PREFIX\\fR, \\fBXDG_DATA_HOME\\fR\n"
      "prefixes to search before the default\n";
  out +=
      ".TP\n\\fBPOLYCODEC_CONFIG\\fR\nthe configuration file\n.TP\n\\fBNO_COLOR\\fR\nno colors\n";
  return out;
}

std::string command_page(const Command& program, const Command& command) {
  const std::string page = program.name + "-" + command.name;
  std::string out = page_title(page) + ".SH NAME\n" + roff(page) + " \\- " + roff(command.help) +
                    "\n.SH SYNOPSIS\n";
  man_command(command, program.name, out);
  if (!command.example.empty()) out += ".SH EXAMPLE\n.nf\n" + roff(command.example) + "\n.fi\n";
  return out + exit_status + ".SH SEE ALSO\n\\fB" + roff(program.name) + "\\fR(1)\n";
}

}  // namespace

bool print_documentation(const Command& program, const std::vector<std::string>& words,
                         const Reporter& out) {
  const std::string& kind = words[1];
  std::string text;
  if (kind == "pages" && words.size() == 3) {
    for (const Command& command : program.commands) {
      const std::string path = words[2] + "/" + program.name + "-" + command.name + ".1";
      std::ofstream file(path);
      file << command_page(program, command) << std::flush;
      if (!file) throw Error(Status::io, "cannot write " + quote_path(path));
    }
    return true;
  }
  if (words.size() != 2) return false;
  if (kind == "man")
    text = man_page(program);
  else if (kind == "bash")
    text = bash_completion(program);
  else if (kind == "zsh")
    text = zsh_completion(program);
  else if (kind == "fish")
    text = fish_completion(program);
  else if (kind == "words")
    add_words(program, text);
  else
    return false;
  out.print(text);
  return true;
}

}  // namespace polycodec::cli

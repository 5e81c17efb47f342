// SPDX-License-Identifier: MIT
// Writes the man page and the shell completion from the definitions that a program parses with.
#include "program.hpp"

#include <algorithm>

namespace polycodec::cli {
namespace {

/// Names of an option as the user types them: "--json", "-o,--output".
std::vector<std::string> spellings(const Option& option) {
  std::vector<std::string> names;
  if (option.is_operand()) return names;
  for (std::size_t at = 0, end = 0; at < option.names.size(); at = end + 1) {
    end = std::min(option.names.find(',', at), option.names.size());
    names.push_back(option.names.substr(at, end - at));
  }
  return names;
}

/// The options of a command, with the one that every command has.
std::vector<Option> options_of(const Command& command) {
  static bool help = false;
  std::vector<Option> all{{"-h,--help", &help, "Print this help message and exit"}};
  all.insert(all.end(), command.options.begin(), command.options.end());
  return all;
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

std::string man_page(const Command& program) {
  std::string page = program.name;
  std::replace(page.begin(), page.end(), ' ', '-');
  std::string title = page;
  for (char& c : title) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  std::string out = ".TH " + roff(title) +
                    " 1 \"\" \"polycodec " POLYCODEC_VERSION "\"\n.SH NAME\n" + roff(page) +
                    " \\- " + roff(program.help) + "\n.SH SYNOPSIS\n\\fB" + roff(program.name) +
                    "\\fR";
  const auto& commands = program.commands;
  if (!commands.empty()) out += " \\fICOMMAND\\fR";
  out += " [\\fIOPTIONS\\fR] [\\fIFILES\\fR]\n.SH DESCRIPTION\n";
  out += "Each format is a codec in a plugin that is found and checked at run time.\n";
  out += "Results go to standard output, everything else to standard error.\n.SH OPTIONS\n";
  man_options(program, out);
  if (!commands.empty()) out += ".SH COMMANDS\n";
  for (const Command& command : commands) man_command(command, program.name, out);
  out +=
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input or the data was refused; the message says "
      "where\n";
  out += ".TP\n2\nwrong usage\n.TP\n3\nno such codec, or the plugin was refused\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n\\fBPOLYCODEC_PLUGIN_PATH\\fR\n"
      "directories to search for plugins before the others, separated by colons\n";
  out +=
      ".TP\n\\fBPOLYCODEC_PLUGIN_SYSTEM_PATH\\fR\ndirectories to search instead of the default\n";
  out +=
      ".TP\n\\fBPOLYCODEC_CONFIG\\fR\nthe configuration file\n.TP\n\\fBNO_COLOR\\fR\nno colors\n";
  return out;
}

void add_words(const Command& from, std::string& words) {
  for (const Option& option : options_of(from))
    for (const std::string& name : spellings(option)) words += (words.empty() ? "" : " ") + name;
  for (const Command& child : from.commands) {
    words += (words.empty() ? "" : " ") + child.name;
    add_words(child, words);
  }
}

std::string completion(const Command& program) {
  std::string commands;
  std::string cases;
  for (const Command& command : program.commands) {
    commands += (commands.empty() ? "" : " ") + command.name;
    std::string words;
    add_words(command, words);
    cases += "    " + command.name + ") words=\"" + words + "\" ;;\n";
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
         "    *) words=$(polycodec \"${COMP_WORDS[1]}\" documentation words 2>/dev/null) ;;\n"
         "  esac\n"
         "  case $current in\n"
         "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$current\") $(compgen -W \"$(printf '%s ' $words | "
         "tr ' ' '\\n' | grep "
         "-v '^-')\" -- \"$current\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _polycodec polycodec\n";
}

}  // namespace

bool print_documentation(const Command& program, std::string_view kind, Context& context) {
  std::string text;
  if (kind == "man")
    text = man_page(program);
  else if (kind == "bash")
    text = completion(program);
  else if (kind == "words")
    add_words(program, text);
  else
    return false;
  context.print(text);
  return true;
}

}  // namespace polycodec::cli

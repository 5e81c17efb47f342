// SPDX-License-Identifier: MIT
#include "common/completion.hpp"

#include <algorithm>

namespace polycodec::cli {
namespace {

/// `text` for a word in single quotes, of any of the shells. `colon` is what a colon becomes.
std::string single_quoted(std::string_view text, std::string_view colon = ":") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == ':')
      out += colon;
    else
      out += c;
  }
  return out + "'";
}

/// The commands that take options: those below a command, or the command itself.
std::vector<const Command*> leaves_of(const Command& command) {
  std::vector<const Command*> all;
  for (const Command& child : command.commands) all.push_back(&child);
  if (all.empty()) all.push_back(&command);
  return all;
}

/// One specification for _arguments of zsh.
std::string zsh_option(const Option& option) {
  const auto names = spellings(option);
  if (names.empty()) return {};
  std::string brackets = option.help;
  for (char& c : brackets)
    if (c == '[' || c == ']') c = c == '[' ? '(' : ')';
  std::string rest = "[" + brackets + "]";
  if (!option.is_flag()) {
    std::string action = "_files";
    if (option.value_name == "NAME") action = "_polycodec_codecs";
    if (!option.choices.empty()) {
      action = "(";
      for (const std::string& choice : option.choices) action += choice + " ";
      action.back() = ')';
    }
    rest += ":" + (option.value_name.empty() ? "value" : option.value_name) + ":" + action;
  }
  std::string all;
  for (const std::string& name : names) {
    // The text in brackets has its colons quoted; those of the specification stay.
    const std::size_t end = rest.rfind(']') + 1;
    std::string words = single_quoted(name + rest.substr(0, end), "\\:");
    words.insert(words.size() - 1, rest.substr(end));
    all += " \\\n        " + words;
  }
  return all;
}

}  // namespace

std::vector<std::string> spellings(const Option& option) {
  std::vector<std::string> names;
  if (option.is_operand()) return names;
  for (std::size_t at = 0, end = 0; at < option.names.size(); at = end + 1) {
    end = std::min(option.names.find(',', at), option.names.size());
    names.push_back(option.names.substr(at, end - at));
  }
  return names;
}

std::vector<Option> options_of(const Command& command) {
  static bool help = false;
  std::vector<Option> all{{"-h,--help", &help, "Print this help message and exit"}};
  all.insert(all.end(), command.options.begin(), command.options.end());
  return all;
}

void add_words(const Command& from, std::string& words) {
  for (const Option& option : options_of(from))
    for (const std::string& name : spellings(option)) words += (words.empty() ? "" : " ") + name;
  for (const Command& child : from.commands) {
    words += (words.empty() ? "" : " ") + child.name;
    add_words(child, words);
  }
}

std::string bash_completion(const Command& program) {
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
         "    -f|--from|-t|--to|info)\n"
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

std::string zsh_completion(const Command& program) {
  std::string commands, cases;
  for (const Command& command : program.commands) {
    commands += "    " + single_quoted(command.name + "\x01" + command.help, "\\:") + "\n";
    std::string options;
    for (const Command* leaf : leaves_of(command))
      for (const Option& option : options_of(*leaf)) options += zsh_option(option);
    std::string below;
    for (const Command& child : command.commands) below += " " + child.name;
    cases += "    " + command.name + ")\n";
    if (!below.empty())
      cases += "      if (( CURRENT == 3 )); then compadd --" + below + "; return; fi\n";
    cases += "      _arguments '*:file:_files'" + options + " ;;\n";
  }
  std::replace(commands.begin(), commands.end(), '\x01', ':');
  return "#compdef polycodec\n"
         "# Completion of polycodec for zsh.\n"
         "_polycodec_codecs() {\n"
         "  compadd -- text $(polycodec list --quiet 2>/dev/null | cut -d' ' -f1)\n"
         "}\n"
         "_polycodec() {\n"
         "  local -a commands=(\n" +
         commands +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  case $words[2] in\n" +
         cases +
         "    *) _arguments '*:file:_files' ;;\n"
         "  esac\n"
         "}\n"
         "_polycodec \"$@\"\n";
}

std::string fish_completion(const Command& program) {
  std::string out =
      "# Completion of polycodec for fish.\n"
      "function __polycodec_codecs\n"
      "  echo text\n"
      "  polycodec list --quiet 2>/dev/null | cut -d' ' -f1\n"
      "end\n";
  for (const Command& command : program.commands) {
    out += "complete -c polycodec -n __fish_use_subcommand -a " + command.name + " -d " +
           single_quoted(command.help) + "\n";
    const std::string seen =
        "complete -c polycodec -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const Command& child : command.commands)
      out += seen + " -a " + child.name + " -d " + single_quoted(child.help) + "\n";
    for (const Command* leaf : leaves_of(command)) {
      for (const Option& option : options_of(*leaf)) {
        if (option.is_operand()) continue;
        out += seen;
        for (const std::string& name : spellings(option))
          out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.is_flag()) out += " -r";
        if (option.value_name == "NAME") out += " -f -a '(__polycodec_codecs)'";
        if (!option.choices.empty()) {
          out += " -f -a '";
          for (const std::string& choice : option.choices) out += choice + " ";
          out.back() = '\'';
        }
        out += " -d " + single_quoted(option.help) + "\n";
      }
    }
  }
  return out;
}

}  // namespace polycodec::cli

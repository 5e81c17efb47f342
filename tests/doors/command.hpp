// SPDX-License-Identifier: MIT
// The door of the command: `decode` and `validate`, with their exit status and their errors as
// JSON.
#pragma once

#include "case.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::doors {

struct Finished {
  int status = -1;
  std::string out;
};

/// Runs a program and reads its standard output.
inline Finished run(const std::vector<std::string>& words) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::dup2(::open("/dev/null", O_WRONLY), 2);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  if (child < 0) throw std::runtime_error("no process");
  Finished finished;
  char buffer[65536];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    finished.out.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

/// The command prints the value as text or JSON; `validate` says only whether it is right.
class Command {
 public:
  explicit Command(std::string program) : program_(std::move(program)) {}

  Outcome operator()(const Case& one) const {
    using std::string_view_literals::operator""sv;
    const auto words = [&](const char* verb) {
      std::vector<std::string> all{program_, verb, "--json", "-q", "--from", one.codec()};
      if (!one.options().empty()) all.insert(all.end(), {"--from-options", one.options()});
      if (verb == "decode"sv) all.push_back("--exact");
      all.push_back(one.path());
      return all;
    };
    const Finished decoded = run(words("decode")), validated = run(words("validate"));
    Outcome outcome = outcome_of(decoded);
    const Outcome other = outcome_of(validated);
    const bool differs = other.contains("error") && other != outcome;
    outcome["validate"] = differs ? other["error"] : Json();
    if (other.contains("type")) outcome["type"] = other["type"];
    const auto fits = [](const Finished& finished, const Outcome& given) {
      return finished.status == (given.contains("error") ? 1 : 0);
    };
    if (!fits(decoded, outcome) || !fits(validated, other))
      outcome["status"] = {decoded.status, validated.status};
    return outcome;
  }

 private:
  static Outcome outcome_of(const Finished& finished) {
    if (!finished.out.starts_with("{\n  \"ok\": ")) {  // typed JSON
      std::string text = finished.out;
      while (text.ends_with('\n')) text.pop_back();
      return {{"text", text}};
    }
    const Json answer = Json::parse(finished.out);
    if (!answer.contains("error")) return {{"type", answer["type"]}};
    Json parts = Json::object();
    for (const char* part : {"code", "detail", "offset", "path"})
      if (answer["error"].contains(part)) parts[part] = answer["error"][part];
    return {{"error", parts}};
  }

  std::string program_;
};

}  // namespace polycodec::doors

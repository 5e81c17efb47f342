// SPDX-License-Identifier: MIT
// What a process has: descendants, descriptors, memory. For tests that nothing is left behind.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>

namespace polycodec::test {

/// A process that can be told from a later one with the same number.
struct Process {
  pid_t id;
  std::string start;  ///< in ticks since the machine started
  auto operator<=>(const Process&) const = default;
};

/// The parent and the start of a process; parent 0 if there is no such process, or if it has ended
/// and nobody has asked for its status.
inline pid_t parent_of(pid_t id, std::string& start) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string text;
  std::getline(file, text, '\0');  // iterators throw where the process ends before it is read
  const auto end = text.rfind(')');
  if (end == text.npos) return 0;
  std::istringstream fields(text.substr(end + 1));
  std::string state;
  pid_t parent = 0;
  fields >> state >> parent;
  std::string field;
  for (int i = 5; i <= 22; ++i) fields >> field;  // the numbers of proc(5)
  start = field;
  return state == "Z" ? 0 : parent;
}

/// All processes below `root`.
inline std::set<Process> descendants(pid_t root) {
  std::set<Process> found;
  std::set<pid_t> parents{root};
  for (bool more = true; more;) {
    more = false;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != name.npos) continue;
      const pid_t id = std::stoi(name);
      std::string start;
      if (parents.contains(id) || !parents.contains(parent_of(id, start))) continue;
      parents.insert(id);
      found.insert({id, start});
      more = true;
    }
  }
  return found;
}

/// Makes processes whose parent has ended descendants of this one, so that descendants() finds
/// them.
inline void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

inline bool is_alive(const Process& process) {
  std::string start;
  return parent_of(process.id, start) != 0 && start == process.start;
}

/// Waits up to `patience` until `done` says true.
template <class Done>
bool wait_until(Done&& done, std::chrono::seconds patience = std::chrono::seconds(10)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

inline std::size_t count_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

inline std::size_t count_mappings() {
  std::ifstream file("/proc/self/maps");
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
}

/// Resident memory of this process in bytes.
inline std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace polycodec::test

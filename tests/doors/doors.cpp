// SPDX-License-Identifier: MIT
// Takes each vector through each door of what ships: doors VECTORS [--build NAME] [--command
// PROGRAM]
// [--modules DIRECTORY] [--mutations N] [--print] [--update]. docs/testing.md says how to use it.
#include "command.hpp"
#include "in_process.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace polycodec::doors {
namespace {

struct Door {
  std::string name;
  std::function<Outcome(const Case&)> run;
  std::function<Outcome(const Case&, const std::string&)> run_bytes;  // or none
};

/// All doors of a table that this program can open. Those of Python open another.
std::vector<Door> doors_of(const std::string& build, const std::string& command,
                           const std::string& modules) {
  const Json table = Json::parse(read_all(POLYCODEC_DOORS "/doors.json"));
  const auto library = [](const char* isolation, std::uint32_t threads, Way way, bool encodes) {
    return std::make_shared<InProcess>(open_registry(isolation, threads), way, encodes);
  };
  std::vector<Door> all;
  for (const Json& word : table.at("builds").at(build)) {
    const std::string name = word;
    std::shared_ptr<InProcess> door;
    if (name == "mapped") door = library("in-process", 1, Way::mapped, true);
    if (name == "read") door = library("in-process", UINT32_MAX, Way::read, true);
    if (name == "bytes") door = library("in-process", 1, Way::bytes, false);
    if (name == "file") door = library("in-process", 1, Way::file, false);
    if (name == "store") door = library("in-process", 1, Way::store, false);
    if (name == "isolated") door = library("process", 1, Way::opened, true);
    if (name == "module")
      door = std::make_shared<InProcess>(open_modules(modules), Way::mapped, true);
    if (door != nullptr) {
      const bool mutates =
          name == "mapped" || name == "read" || name == "isolated" || name == "module";
      all.push_back({name, [door](const Case& one) { return (*door)(one); }, {}});
      if (mutates)
        all.back().run_bytes = [door](const Case& one, const std::string& bytes) {
          return (*door)(one, bytes);
        };
    } else if (name == "content") {
      door = library("in-process", 1, Way::mapped, false);
      all.push_back({name, [door](const Case& one) { return door->by_content(one); }, {}});
    } else if (name == "command") {
      all.push_back({name, Command(command), {}});
    } else if (name != "wheel") {
      throw std::runtime_error("doors.json: no door is called " + name);
    }
  }
  return all;
}

/// A reason for a door and a case to differ; each must still be needed.
class Exceptions {
 public:
  explicit Exceptions(const std::vector<Case>& cases) {
    std::set<std::string> names;
    for (const Case& one : cases) names.insert(one.name());
    for (const Json& one : Json::parse(read_all(POLYCODEC_DOORS "/exceptions.json")))
      if (names.contains(one.at("case").get<std::string>()))
        for (const Json& door : one.at("doors"))
          all_[{one.at("case").get<std::string>(), door.get<std::string>()}] = false;
  }
  bool has(const std::string& name, const std::string& door) {
    const auto found = all_.find({name, door});
    if (found == all_.end()) return false;
    return found->second = true;
  }
  /// Those of `door` that no case needed.
  std::vector<std::string> unused(const std::string& door) const {
    std::vector<std::string> names;
    for (const auto& [key, used] : all_)
      if (key.second == door && !used) names.push_back(key.first);
    return names;
  }

 private:
  std::map<std::pair<std::string, std::string>, bool> all_;
};

/// Why the door gives something else than the lines of the cases say, on all processors.
std::vector<std::string> differences(const std::vector<Case>& cases, const Door& door) {
  std::vector<std::string> all(cases.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) try {
        all[i] = difference(cases[i], door.run(cases[i]));
      } catch (const std::exception& error) {
        all[i] = error.what();
      }
  };
  std::vector<std::thread> threads(std::max(std::thread::hardware_concurrency(), 1U));
  for (std::thread& thread : threads) thread = std::thread(work);
  for (std::thread& thread : threads) thread.join();
  return all;
}

int run_cases(const std::vector<Case>& cases, const std::vector<Door>& doors) {
  Exceptions exceptions(cases);
  int failures = 0;
  const auto fail = [&](const std::string& name, const std::string& door, const std::string& why) {
    std::printf("%s by %s: %s\n", name.c_str(), door.c_str(), why.c_str());
    ++failures;
  };
  for (const Door& door : doors) {
    const std::vector<std::string> why = differences(cases, door);
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (const std::string name = cases[i].name();
          !why[i].empty() && !exceptions.has(name, door.name))
        fail(name, door.name, why[i]);
    for (const std::string& name : exceptions.unused(door.name))
      fail(name, door.name, "is right: remove it from exceptions.json");
  }
  std::printf("%zu cases, %zu doors, %d failures\n", cases.size(), doors.size(), failures);
  return failures;
}

/// Changes up to four places.
std::string mutated(std::string bytes, std::mt19937& random) {
  for (std::size_t n = random() % 4 + 1; n != 0 && !bytes.empty(); --n) {
    const std::size_t at = random() % bytes.size();
    switch (random() % 4) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << random() % 8));
        break;
      case 2:
        bytes.erase(at, random() % 8 + 1);
        break;
      default:
        bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 8 + 1));
    }
  }
  return bytes;
}

int run_mutations(const std::vector<Case>& cases, const std::vector<Door>& doors,
                  std::size_t count) {
  int failures = 0;
  std::size_t ran = 0;
  for (const Case& one : cases) {
    constexpr std::size_t largest = std::size_t{1} << 20;
    if (one.line.contains("error") || fs::is_directory(one.path())) continue;
    const std::string bytes = read_all(one.path());
    if (bytes.size() > largest) continue;
    const std::string name = one.name();
    std::seed_seq seed(name.begin(), name.end());
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string changed = mutated(bytes, random);
      Outcome first;
      for (const Door& door : doors) {
        if (!door.run_bytes) continue;
        Outcome outcome = door.run_bytes(one, changed);
        ++ran;
        if (first.is_null())
          first = std::move(outcome);
        else if (outcome != first) {
          std::printf("mutation %zu of %s by %s: %s, by %s: %s\n", i, name.c_str(),
                      door.name.c_str(), outcome.dump().substr(0, 400).c_str(),
                      doors.front().name.c_str(), first.dump().substr(0, 400).c_str());
          ++failures;
        }
      }
    }
  }
  std::printf("%zu decodes of mutations, %d failures\n", ran, failures);
  return failures;
}

/// What the first door gives now, with the whole text, for check.py.
void print_all(const std::vector<Case>& cases, const std::string& command) {
  const InProcess mapped(open_registry("in-process", 1), Way::mapped, true);
  const Command program(command);
  for (const Case& one : cases) {
    Json line = one.line;
    for (const char* part : {"text", "type", "again", "error", "validate", "chosen"})
      line.erase(part);
    const Outcome outcome = mapped(one);
    line.update(shortened(outcome));
    line["chosen"] = mapped.by_content(one)["chosen"];
    Outcome other = program(one);
    if (!other["validate"].is_null()) line["validate"] = other["validate"];
    std::printf("%s\n", Json{{"directory", one.directory.filename()},
                             {"line", line},
                             {"text", outcome.contains("text") ? outcome["text"] : Json()}}
                            .dump(-1, ' ', false, Json::error_handler_t::replace)
                            .c_str());
  }
}

bool has_codec(const Registry& registry, const std::string& name) {
  try {
    static_cast<void>(registry.describe(About::codec, name));
    return true;
  } catch (const Error& e) {
    if (e.code() != Status::not_found) throw;
    return false;
  }
}

int run_all(std::vector<std::string> words) {
  std::string vectors = words.at(0), build = "release", command = POLYCODEC_BIN_DIR "/polycodec",
              modules;
  std::size_t mutations = 0;
  bool prints = false, updates = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--build")
      build = words.at(++i);
    else if (words[i] == "--command")
      command = words.at(++i);
    else if (words[i] == "--modules")
      modules = words.at(++i);
    else if (words[i] == "--mutations")
      mutations = std::stoul(words.at(++i));
    else if (words[i] == "--print")
      prints = true;
    else if (words[i] == "--update")
      updates = true;
    else
      throw std::runtime_error("unknown word " + words[i]);
  }
  if (updates) {
    const std::string check = "python3 " POLYCODEC_DOORS "/check.py " + vectors;
    return std::system((check + " --inputs && '" POLYCODEC_BIN_DIR "/doors' " + vectors +
                        " --print | " + check + " --update")
                           .c_str()) == 0
               ? 0
               : 1;
  }
  const Registry registry =
      modules.empty() ? open_registry("in-process", 1) : open_modules(modules);
  std::vector<Case> cases;
  for (Case& one : cases_in(vectors))
    if (has_codec(registry, one.codec())) cases.push_back(std::move(one));
  if (prints) return print_all(cases, command), 0;
  if (cases.empty()) throw std::runtime_error("found no cases in " + vectors);
  const std::vector<Door> doors = doors_of(build, command, modules);
  return (mutations == 0 ? run_cases(cases, doors) : run_mutations(cases, doors, mutations)) == 0
             ? 0
             : 1;
}

}  // namespace
}  // namespace polycodec::doors

int main(int argc, char** argv) try {
  return polycodec::doors::run_all({argv + 1, argv + argc});
} catch (const polycodec::Error& error) {
  std::fprintf(stderr, "doors: %s\n", error.describe().c_str());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "doors: %s\n", error.what());
  return 2;
}

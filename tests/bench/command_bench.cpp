// SPDX-License-Identifier: MIT
// The command as people use it, and beside it the fastest other program for the same job: whole
// processes, with what both take to start. The rows `start` say how much that is. Peers in Python
// are in command_peers.py.
#include "mesh_files.hpp"
#include "paired.hpp"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace polycodec::bench {
namespace {

using Words = std::vector<std::string>;

Files& files() {
  static Files all;
  return all;
}

/// Waits for a process. Returns its peak of resident memory in MB.
double finish(pid_t process, const std::string& what) {
  int status = 0;
  struct rusage usage {};
  if (::wait4(process, &status, 0, &usage) != process || status != 0) {
    std::ifstream log(files().path("log"));
    throw std::runtime_error(what + " failed: " + std::string(std::istreambuf_iterator(log), {}));
  }
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Runs a program in the directory of the files.
double run(const Words& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  char locale[] = "LC_ALL=C.UTF-8";
  char* const environment[] = {path, locale, nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, files().path("").c_str());
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t process = 0;
  const int error =
      ::posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environment);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + words[0]);
  return finish(process, words[0]);
}

Words ours(std::initializer_list<const char*> words) {
  Words all{POLYCODEC_COMMAND};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

/// A program that does the same. Without words it is not present.
struct Program {
  std::string name;
  Words words;
};

Program assimp(std::initializer_list<const char*> words) {
  Words all{POLYCODEC_ASSIMP};
  all.insert(all.end(), words.begin(), words.end());
  return {"assimp", ::access(POLYCODEC_ASSIMP, X_OK) == 0 ? all : Words()};
}

Program python(const std::string& packages, std::initializer_list<const char*> words) {
  Words all{POLYCODEC_PEERS_PYTHON, "-B", POLYCODEC_PEERS_SCRIPT};
  all.insert(all.end(), words.begin(), words.end());
  return {packages, ::access(POLYCODEC_PEERS_PYTHON, X_OK) == 0 ? all : Words()};
}

/// Objects as text, which JSON and yggdrasil have in common.
std::string document(int items) {
  Lines lines;
  for (int i = 0; i < items; ++i)
    lines.add(R"(%s{"id":%d,"name":"item %d","price":%.2f,"tags":["a","b"],"sold":%s})",
              i == 0 ? "[" : ",", i, i, i * 0.25 + 0.1, i % 3 == 0 ? "true" : "false");
  lines.put("]\n");
  return lines.text();
}

/// The same mesh and the same objects in all formats; fewer objects in `.awkd`, which take its peer
/// seconds. A child makes what takes memory here: a process begins with the peak of the one that
/// starts it.
void make_inputs() {
  static const bool made = [] {
    files();  // the directory has the number of this process in its name
    const pid_t child = ::fork();
    if (child == 0) {
      files().get("ascii.ply", [] { return ply_text(Torus(300)); });
      files().get("document.ygg", [] { return document(30'000); });
      files().get("objects.ygg", [] { return document(10'000); });
      files().get("number.msgpack", [] { return std::string("\x07"); });
      ::_exit(0);
    }
    finish(child, "making the inputs");
    for (const char* const name : {"mesh.obj", "mesh.stl", "mesh.glb"})
      run(ours({"convert", "ascii.ply", name, "--no-compare"}));
    run(ours({"convert", "ascii.ply", "binary.ply", "--to-options",
              R"({"format": "binary_little_endian"})"}));
    run(ours({"convert", "binary.ply", "binary.ply.gz", "--no-compare"}));
    run(ours({"convert", "document.ygg", "document.msgpack"}));
    run(ours({"convert", "objects.ygg", "objects.msgpack"}));
    run(ours({"convert", "objects.ygg", "objects.awkd"}));
    return true;
  }();
  benchmark::DoNotOptimize(made);
}

void job(benchmark::State& state, const Words& words, const Program& peer) {
  make_inputs();
  std::vector<double> own, others;
  const auto ours = [&] { own.push_back(run(words)); };
  state.SetLabel(peer.name);
  // What was written before is on the disk: else, who comes next may wait for it.
  const auto flush = [](std::size_t) { ::sync(); };
  if (peer.words.empty())
    paired(state, 0, ours, NoPeer{}, 1, flush);
  else
    paired(
        state, 0, ours, [&] { others.push_back(run(peer.words)); }, 1, flush);
  state.counters["ours_mb"] = median(own);
  if (!others.empty()) state.counters["peer_mb"] = median(others);
}

void add(const std::string& name, const Words& words, const Program& peer) {
  benchmark::RegisterBenchmark(name.c_str(), job, words, peer)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(7);
}

/// With the check that what was written holds the same value, which is the default, and without.
void add_convert(const std::string& name, std::initializer_list<const char*> words,
                 const Program& peer) {
  Words all = ours({"convert"});
  all.insert(all.end(), words.begin(), words.end());
  add("convert/" + name + "/check", all, peer);
  all.emplace_back("--no-compare");
  add("convert/" + name + "/no_check", all, peer);
}

const bool registered = [] {
  add("start/assimp", ours({"validate", "number.msgpack"}), assimp({"version"}));
  for (const char* const name : {"trimesh", "msgpack", "awkward0"})
    add(std::string("start/") + name, ours({"validate", "number.msgpack"}),
        python(name, {"start", name}));
  const char* const binary = R"({"format": "binary_little_endian"})";
  const char* const ascii = R"({"format": "ascii"})";
  add_convert("ply_ascii_to_ply_binary", {"ascii.ply", "out.ply", "--to-options", binary},
              assimp({"export", "ascii.ply", "peer.ply", "-fplyb"}));
  add_convert("ply_binary_to_ply_ascii", {"binary.ply", "out.ply", "--to-options", ascii},
              assimp({"export", "binary.ply", "peer.ply", "-fply"}));
  add_convert("ply_binary_to_obj", {"binary.ply", "out.obj"},
              assimp({"export", "binary.ply", "peer.obj"}));
  add_convert("obj_to_ply_binary", {"mesh.obj", "out.ply", "--to-options", binary},
              assimp({"export", "mesh.obj", "peer.ply", "-fplyb"}));
  add_convert("ply_binary_to_stl", {"binary.ply", "out.stl"},
              assimp({"export", "binary.ply", "peer.stl", "-fstlb"}));
  add_convert("stl_to_glb", {"mesh.stl", "out.glb"}, assimp({"export", "mesh.stl", "peer.glb"}));
  add_convert("glb_to_ply_binary", {"mesh.glb", "out.ply", "--to-options", binary},
              assimp({"export", "mesh.glb", "peer.ply", "-fplyb"}));
  add_convert("msgpack_to_yggdrasil", {"document.msgpack", "out.ygg"},
              python("msgpack-python, json", {"msgpack-to-json", "document.msgpack", "peer.ygg"}));
  add_convert("yggdrasil_to_msgpack", {"document.ygg", "out.msgpack"},
              python("json, msgpack-python", {"json-to-msgpack", "document.ygg", "peer.msgpack"}));
  add_convert("awkd_to_msgpack", {"objects.awkd", "out.msgpack"},
              python("awkward0", {"awkd-to-msgpack", "objects.awkd", "peer.msgpack"}));
  add_convert("msgpack_to_awkd", {"objects.msgpack", "out.awkd"},
              python("awkward0", {"msgpack-to-awkd", "objects.msgpack", "peer.awkd"}));
  add("validate/msgpack", ours({"validate", "document.msgpack"}),
      python("msgpack-python", {"unpack", "document.msgpack"}));
  add("validate/ply_ascii", ours({"validate", "ascii.ply"}), assimp({"info", "ascii.ply"}));
  add("validate/ply_gzip", ours({"validate", "binary.ply.gz"}),
      {"gzip", {"/usr/bin/gzip", "-dc", "binary.ply.gz"}});
  add("inspect/ply_binary", ours({"inspect", "binary.ply"}), assimp({"info", "binary.ply"}));
  add("decode/msgpack", ours({"decode", "--plain", "document.msgpack", "-o", "out.json"}),
      python("msgpack-python, json", {"msgpack-to-json", "document.msgpack", "peer.json"}));
  add("diff/ply", ours({"diff", "ascii.ply", "binary.ply", "--no-attributes"}),
      python("trimesh", {"diff", "ascii.ply", "binary.ply"}));
  add("view/ply_binary", ours({"view", "binary.ply", "-o", "out.html", "--no-open"}),
      python("trimesh", {"page", "binary.ply", "peer.html"}));
  return true;
}();

}  // namespace
}  // namespace polycodec::bench

// SPDX-License-Identifier: MIT
#include "library.hpp"

#include <polycodec/error.hpp>

#include "elf_check.hpp"
#include "host.hpp"

#include <boost/dll/shared_library.hpp>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace polycodec {
namespace {

/// A file that is or will be loaded. A loaded file's inode is in use, so that its number names no other file.
struct LibraryFile {
  std::mutex loading;  // held while this one library is loaded, and never together with another lock
  const polycodec_plugin* plugin = nullptr;
  std::int64_t size = 0;
  timespec changed{};
  // Never destroyed: unmapping code that something may still point into is how hosts crash at exit. The descriptor
  // stays open with it, because the loader knows the library by the descriptor's name and would take a later file of
  // the same name for this one.
  std::unique_ptr<boost::dll::shared_library> library;
};

struct InitRecord {
  std::once_flag once;
  std::optional<std::string> failure;
  HostTable host;
};

/// Everything that lasts as long as the process; deliberately never destroyed.
struct Process {
  std::mutex mutex;  // guards the maps alone; no plugin code runs under it
  std::map<std::pair<dev_t, ino_t>, std::shared_ptr<LibraryFile>> files;
  std::map<const polycodec_plugin*, std::unique_ptr<InitRecord>> inits;

  static Process& instance() {
    static auto* const process = new Process;
    return *process;
  }
};

std::string replace_all(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::unique_ptr<boost::dll::shared_library> load(int fd, const std::filesystem::path& path) {
  // The descriptor's name leads to the very file that was checked, whatever has been put at `path` meanwhile.
  const std::string fd_name = "/proc/self/fd/" + std::to_string(fd);
  struct stat info {};
  const std::string name = ::stat(fd_name.c_str(), &info) == 0 ? fd_name : path.string();
  try {
    using namespace boost::dll;
    return std::make_unique<shared_library>(name, load_mode::rtld_now | load_mode::rtld_local);
  } catch (const std::exception& e) {
    // The error code of this exception is made up; its text holds what the loader said.
    throw LoadFailure{Stage::load, replace_all(e.what(), fd_name, path.string())};
  } catch (...) {
    throw LoadFailure{Stage::load, "the library threw an exception while it was loaded"};
  }
}

/// The entry object, if it is an object of the size that it claims.
const polycodec_plugin* find_entry(const boost::dll::shared_library& library) {
  void* const address = ::dlsym(library.native(), POLYCODEC_ENTRY_SYMBOL);
  if (address == nullptr) throw LoadFailure{Stage::entry, "it does not export " POLYCODEC_ENTRY_SYMBOL};
  Dl_info info{};
  void* extra = nullptr;
  if (::dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr || info.dli_saddr != address)
    throw LoadFailure{Stage::entry, "its symbol " POLYCODEC_ENTRY_SYMBOL " cannot be examined"};
  const auto* symbol = static_cast<const ElfW(Sym)*>(extra);
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
    throw LoadFailure{Stage::entry, "its symbol " POLYCODEC_ENTRY_SYMBOL " is not a data object"};
  const auto* plugin = static_cast<const polycodec_plugin*>(address);
  if (reinterpret_cast<std::uintptr_t>(address) % alignof(polycodec_plugin) != 0 ||
      symbol->st_size < sizeof plugin->struct_size || symbol->st_size < plugin->struct_size)
    throw LoadFailure{Stage::entry, "its object " POLYCODEC_ENTRY_SYMBOL " is smaller than its struct_size says"};
  return plugin;
}

}  // namespace

const polycodec_plugin* open_library(FileHandle file, const std::filesystem::path& path) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) throw LoadFailure{Stage::elf, "its size cannot be read"};
  std::shared_ptr<LibraryFile> record;
  {
    Process& process = Process::instance();
    const std::lock_guard lock(process.mutex);
    auto& slot = process.files[{info.st_dev, info.st_ino}];
    if (!slot) slot = std::make_shared<LibraryFile>();
    record = slot;
  }
  const std::lock_guard lock(record->loading);
  if (record->library) {
    const bool same = record->size == info.st_size && record->changed.tv_sec == info.st_mtim.tv_sec &&
                      record->changed.tv_nsec == info.st_mtim.tv_nsec;
    if (!same) throw LoadFailure{Stage::load, "the file was overwritten after this process had loaded it"};
    if (record->plugin == nullptr) record->plugin = find_entry(*record->library);
    return record->plugin;
  }
  if (auto why = elf_problem(file.get()); !why.empty()) throw LoadFailure{Stage::elf, why};
  record->library = load(file.get(), path);
  record->size = info.st_size;
  record->changed = info.st_mtim;
  file.release();
  record->plugin = find_entry(*record->library);
  return record->plugin;
}

void init_plugin(const polycodec_plugin& plugin, const LogHook& log) {
  InitRecord* record = nullptr;
  {
    Process& process = Process::instance();
    const std::lock_guard lock(process.mutex);
    auto& slot = process.inits[&plugin];
    if (!slot) {
      slot = std::make_unique<InitRecord>();
      slot->host.set(nullptr, log);
    }
    record = slot.get();
  }
  std::call_once(record->once, [&] {
    if (plugin.init == nullptr) return;
    auto error = make_error();
    const std::int32_t code = plugin.init(&record->host.abi, POLYCODEC_ABI_MAJOR, &error);
    if (code != POLYCODEC_OK) record->failure = "its init function failed: " + to_error(code, error).describe();
  });
  if (record->failure) throw LoadFailure{Stage::init, *record->failure};
}

}  // namespace polycodec

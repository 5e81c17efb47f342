// SPDX-License-Identifier: MIT
#include "registry/load/library.hpp"

#include <base/loaded_constants.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/io/posix_file.hpp"
#include "core/io/random_bytes.hpp"
#include "registry/load/elf_check.hpp"

#include <boost/dll/shared_library.hpp>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>

namespace polycodec {
namespace {

/// A file that is or will be loaded. A loaded file's inode is in use, so that its number names no
/// other file.
struct LibraryFile {
  std::mutex
      loading;  // held while this one library is loaded, and never together with another lock
  std::int64_t size = 0;
  timespec changed{};
  // Never destroyed: unmapping code that something may still point into is how hosts crash at exit.
  // The descriptor stays open with it, so that debuggers find the library by its name.
  std::unique_ptr<boost::dll::shared_library> library;
};

struct HoldRecord {
  std::mutex mutex;  // held during init() and deinit() of this one plugin
  std::weak_ptr<const PluginHold> hold;
};

/// Everything that lasts as long as the process; deliberately never destroyed.
struct Process {
  std::mutex mutex;  // guards the maps alone; no plugin code runs under it
  std::map<std::pair<dev_t, ino_t>, std::shared_ptr<LibraryFile>> files;
  std::map<const polycodec_plugin*, std::unique_ptr<HoldRecord>> holds;

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

/// A path to the open file that the dynamic loader has never seen. The loader compares names first,
/// and would give an old library for a new one that got the same descriptor.
std::string new_name_of(int fd) {
  static std::atomic<std::uint32_t> count = [] {
    std::array<std::uint8_t, 4> start{};  // another copy of this library has names of its own
    random_bytes(start);
    return std::bit_cast<std::uint32_t>(start);
  }();
  std::string name = "/proc/self/fd";
  const std::uint32_t number = count.fetch_add(1, std::memory_order_relaxed);
  for (int bit = 0; bit < 32; ++bit) name += (number >> bit & 1) != 0 ? "/." : "/";
  return name + "/" + std::to_string(fd);
}

/// A question about one mapping (PROCMAP_QUERY of Linux 6.11): headers of older systems lack it.
/// The list of all mappings takes 0.1 ms.
struct MappingQuery {
  std::uint64_t size = sizeof(MappingQuery), flags = 0, address;
  std::array<std::uint64_t, 5> range{};
  std::uint64_t inode = 0;
  std::uint32_t device_major = 0, device_minor = 0, name_size = 0, build_id_size = 0;
  std::uint64_t name = 0, build_id = 0;

  explicit MappingQuery(const void* of) : address(reinterpret_cast<std::uintptr_t>(of)) {}
  bool ask(const FileHandle& maps) noexcept {
    return ::ioctl(maps.get(), _IOWR('f', 17, MappingQuery), this) == 0;
  }
  bool is_of_same_file(const MappingQuery& other) const noexcept {
    return std::tie(device_major, device_minor, inode) ==
           std::tie(other.device_major, other.device_minor, other.inode);
  }
};

/// Device and inode of the file that is mapped at `address`, as the kernel lists them, or empty.
/// They may differ from those of fstat(), but not between two mappings of one file.
std::string_view file_mapped_at(const void* address, std::string_view mappings) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  while (!mappings.empty()) {
    // BEGIN-END RIGHTS OFFSET DEVICE INODE NAME
    std::string_view line = mappings.substr(0, mappings.find('\n'));
    mappings.remove_prefix(std::min(line.size() + 1, mappings.size()));
    std::uintptr_t begin = 0, end = 0;
    const char* const past = line.data() + line.size();
    const auto first = std::from_chars(line.data(), past, begin, 16);
    if (first.ptr == past) continue;
    const auto last = std::from_chars(first.ptr + 1, past, end, 16);
    if (at < begin || at >= end || last.ec != std::errc()) continue;
    line.remove_prefix(static_cast<std::size_t>(last.ptr - line.data()));
    for (int word = 0; word < 2 && !line.empty(); ++word)
      line.remove_prefix(std::min(line.find(' ', 1), line.size()));
    const std::size_t inode = line.find(' ', 1);
    return line.substr(0, inode == line.npos ? inode : line.find(' ', inode + 1));
  }
  return {};
}

/// True if the loaded library is the open file, and not another one of the same name.
bool is_mapping_of(const boost::dll::shared_library& library, int fd) {
  link_map* map = nullptr;
  if (::dlinfo(library.native(), RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return false;
  void* const own = ::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, fd, 0);
  if (own == MAP_FAILED) return false;
  const FileHandle maps(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  MappingQuery of_own(own);
  MappingQuery of_library(map->l_ld);
  const bool is_known = of_own.ask(maps) && of_library.ask(maps);
  std::string all;
  if (!is_known && maps.is_open()) static_cast<void>(posix::append_rest(maps.get(), all));
  ::munmap(own, 1);
  if (is_known) return of_own.is_of_same_file(of_library);
  const std::string_view wanted = file_mapped_at(own, all);
  if (!wanted.empty()) return file_mapped_at(map->l_ld, all) == wanted;
  struct stat open {};
  struct stat loaded {};
  return ::fstat(fd, &open) == 0 && ::stat(map->l_name, &loaded) == 0 &&
         open.st_dev == loaded.st_dev && open.st_ino == loaded.st_ino;
}

/// A name for the loader that leads to the very file that was checked, whatever has been put at
/// `path` meanwhile. Without /proc, it is `path`.
std::string name_for_loader(int fd, const std::filesystem::path& path) {
  struct stat info {};
  std::string name = new_name_of(fd);
  if (::stat(name.c_str(), &info) == 0) return name;
  if (void* const known = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD); known != nullptr) {
    ::dlclose(known);
    throw LoadFailure{Stage::load,
                      "a library of this name is loaded: without /proc, a name can "
                      "be used once; restart the process"};
  }
  return path.string();
}

/// What the loader says of a library, in words for users. `what` is of the exception, whose error
/// code is made up.
std::string explain(std::string_view what, const std::string& name,
                    const std::filesystem::path& path) {
  constexpr std::string_view begin = "dlerror system message: ";
  std::string_view said = what;
  if (const std::size_t at = what.find(begin); at != what.npos) {
    said = what.substr(at + begin.size());
    said = said.substr(0, said.rfind("): "));
  }
  // NAME: REASON, and NAME is not a path where the loader searched for a library that this one
  // needs.
  const std::size_t colon = said.find(": ");
  const std::string_view first = said.substr(0, colon);
  if (colon != said.npos && first.find('/') == first.npos && first.find(".so") != first.npos)
    return "it needs " + std::string(first) + ", which is not installed (" +
           std::string(said.substr(colon + 2)) +
           "): install it, link it statically, or put it beside the plugin and into "
           "'libraries' of the manifest; $ORIGIN is not the directory of a plugin";
  constexpr std::string_view undefined = "undefined symbol: ";
  if (const std::size_t at = said.find(undefined); at != said.npos)
    return "it uses the symbol " + quote(said.substr(at + undefined.size())) +
           ", which none of its libraries has: link the library that defines it";
  return replace_all(std::string(said), name, path.string());
}

std::unique_ptr<boost::dll::shared_library> load(int fd, const std::filesystem::path& path) {
  const std::string name = name_for_loader(fd, path);
  std::unique_ptr<boost::dll::shared_library> library;
  try {
    using namespace boost::dll;
    library = std::make_unique<shared_library>(name, load_mode::rtld_now | load_mode::rtld_local);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw LoadFailure{Stage::load, explain(e.what(), name, path)};
  } catch (...) {
    throw LoadFailure{Stage::load, "the library threw an exception while it was loaded"};
  }
  if (!is_mapping_of(*library, fd))
    throw LoadFailure{Stage::load,
                      "the dynamic loader gave another file than the one that was "
                      "checked: restart the process"};
  return library;
}

/// The data object of this name. Throws LoadFailure if it cannot be what it seems to be.
SharedObject find_object(const boost::dll::shared_library& library, const std::string& name) {
  void* const address = ::dlsym(library.native(), name.c_str());
  if (address == nullptr && ::dlsym(library.native(), "polycodec_plugin_v1") != nullptr)
    throw LoadFailure{Stage::abi,
                      "it is a plugin of ABI 1 (it exports polycodec_plugin_v1), and this host "
                      "loads ABI 2: build it with this version's SDK"};
  if (address == nullptr) throw LoadFailure{Stage::entry, "it does not export " + name};
  Dl_info info{};
  void* extra = nullptr;
  if (::dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr ||
      info.dli_saddr != address)
    throw LoadFailure{Stage::entry, "its symbol " + name + " cannot be examined"};
  const auto* symbol = static_cast<const ElfW(Sym)*>(extra);
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
    throw LoadFailure{Stage::entry, "its symbol " + name + " is not a data object"};
  // Both kinds of object start with their size.
  std::uint32_t struct_size = 0;
  if (reinterpret_cast<std::uintptr_t>(address) % alignof(void*) == 0 &&
      symbol->st_size >= sizeof struct_size)
    std::memcpy(&struct_size, address, sizeof struct_size);
  if (struct_size == 0 || symbol->st_size < struct_size)
    throw LoadFailure{Stage::entry, "its object " + name + " is smaller than its struct_size says"};
  return {address, struct_size};
}

/// The library in the open file, which is loaded unless it is already.
const boost::dll::shared_library& loaded_library(FileHandle file,
                                                 const std::filesystem::path& path) {
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
    const bool same = record->size == info.st_size &&
                      record->changed.tv_sec == info.st_mtim.tv_sec &&
                      record->changed.tv_nsec == info.st_mtim.tv_nsec;
    if (!same)
      throw LoadFailure{Stage::load, "the file was overwritten after this process had loaded it"};
    return *record->library;
  }
  if (auto why = elf_problem(file.get()); !why.empty()) throw LoadFailure{Stage::elf, why};
  record->library = load(file.get(), path);
  record->size = info.st_size;
  record->changed = info.st_mtim;
  file.release();
  return *record->library;
}

}  // namespace

SharedObject open_object(FileHandle file, const std::filesystem::path& path,
                         const std::string& name) {
  return find_object(loaded_library(std::move(file), path), name);
}

void* open_needed_library(FileHandle file, const std::filesystem::path& path) {
  return loaded_library(std::move(file), path).native();
}

const polycodec_plugin* open_library(FileHandle file, const std::filesystem::path& path) {
  return static_cast<const polycodec_plugin*>(
      open_object(std::move(file), path, POLYCODEC_ENTRY_SYMBOL).address);
}

namespace {

class InitializedPlugin final : public PluginHold {
 public:
  InitializedPlugin(const polycodec_plugin& plugin, std::shared_ptr<const polycodec_host> host,
                    HoldRecord& record)
      : PluginHold(&plugin), plugin_(plugin), record_(record), host_(std::move(host)) {
    if (plugin.init == nullptr) return;
    PluginError error;
    try {
      const auto code =
          across_border([&] { return plugin.init(&plugin, host_.get(), error.raw()); });
      if (code != POLYCODEC_OK) throw error.error(code);
    } catch (const Error& e) {
      if (e.code() == Status::memory) throw;
      throw LoadFailure{Stage::init, "its init function failed: " + e.describe()};
    }
  }
  ~InitializedPlugin() override {
    const std::scoped_lock lock(record_.mutex);
    if (plugin_.deinit != nullptr) give_back([&] { plugin_.deinit(&plugin_); });
  }

 private:
  const polycodec_plugin& plugin_;
  HoldRecord& record_;
  const std::shared_ptr<const polycodec_host> host_;
};

}  // namespace

PluginHold::PluginHold(const void* inside) : constants_(constants_around(inside)) {}

std::string_view PluginHold::region_of(const void* data, std::uint64_t size) const noexcept {
  for (const std::string_view region : constants_)
    if (!region_around(region, data, size).empty()) return region;
  return {};
}

std::shared_ptr<const PluginHold> hold_plugin(const polycodec_plugin& plugin,
                                              std::shared_ptr<const polycodec_host> host) {
  HoldRecord* record = nullptr;
  {
    Process& process = Process::instance();
    const std::lock_guard lock(process.mutex);
    auto& slot = process.holds[&plugin];
    if (!slot) slot = std::make_unique<HoldRecord>();
    record = slot.get();
  }
  const std::scoped_lock lock(record->mutex);
  auto hold = record->hold.lock();
  if (hold == nullptr) {
    hold = std::make_shared<const InitializedPlugin>(plugin, std::move(host), *record);
    record->hold = hold;
  }
  return hold;
}

}  // namespace polycodec

// SPDX-License-Identifier: MIT
#include "registry/load/elf_check.hpp"

#include <polycodec/checked.hpp>
#include <polycodec/quote.hpp>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Dynamic = ElfW(Dyn);

/// The header of this library as it is mapped: what fits it fits this process.
const Header* own_header() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&elf_problem), &info) == 0) return nullptr;
  return static_cast<const Header*>(info.dli_fbase);
}

bool read_at(int fd, std::uint64_t offset, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = ::pread(fd, at, size, static_cast<off_t>(offset));
    if (n <= 0) return false;
    at += n;
    offset += static_cast<std::uint64_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

/// The place in the file of `size` bytes at address `address`; false if no segment holds them all.
bool locate(const std::vector<Segment>& segments, std::uint64_t address, std::uint64_t size,
            std::uint64_t& offset) {
  for (const auto& s : segments) {
    if (s.p_type != PT_LOAD || address < s.p_vaddr ||
        !range_fits(address - s.p_vaddr, size, s.p_filesz))
      continue;
    offset = s.p_offset + (address - s.p_vaddr);
    return true;
  }
  return false;
}

std::string check_header(const Header& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is not an ELF file";
  const Header* own = own_header();
  if (own == nullptr) return "the ELF header of this process cannot be read";
  if (header.e_ident[EI_CLASS] != own->e_ident[EI_CLASS] ||
      header.e_ident[EI_DATA] != own->e_ident[EI_DATA] || header.e_machine != own->e_machine)
    return "it is made for another machine (class " + std::to_string(header.e_ident[EI_CLASS]) +
           ", machine " + std::to_string(header.e_machine) + "; this process has " +
           std::to_string(own->e_ident[EI_CLASS]) + ", " + std::to_string(own->e_machine) + ")";
  if (header.e_ident[EI_VERSION] != EV_CURRENT || header.e_version != EV_CURRENT)
    return "its ELF version is unknown";
  if (header.e_type != ET_DYN)
    return "it is not a shared library (ELF type " + std::to_string(header.e_type) + ")";
  if (header.e_phentsize != sizeof(Segment) || header.e_phnum == 0 || header.e_phnum == PN_XNUM)
    return "its table of segments is malformed";
  return {};
}

std::string check_segments(const std::vector<Segment>& segments, std::uint64_t total) {
  std::uint64_t end = 0;
  std::size_t dynamics = 0;
  for (const auto& s : segments) {
    if (s.p_type == PT_DYNAMIC) ++dynamics;
    if (s.p_type != PT_LOAD) continue;
    if (!range_fits(s.p_offset, s.p_filesz, total))
      return "it is cut short: a segment ends at byte " + std::to_string(s.p_offset + s.p_filesz) +
             ", the file at byte " + std::to_string(total);
    if (s.p_filesz > s.p_memsz) return "a segment is larger in the file than in memory";
    if (s.p_memsz > UINTPTR_MAX / 4 || s.p_vaddr > UINTPTR_MAX / 4)
      return "a segment has an impossible address";
    if (s.p_vaddr < end) return "its segments overlap or are not in order";
    if (s.p_align > 1 &&
        ((s.p_align & (s.p_align - 1)) != 0 || (s.p_vaddr - s.p_offset) % s.p_align != 0))
      return "a segment is not aligned";
    end = s.p_vaddr + s.p_memsz;
  }
  if (end == 0) return "it has nothing to load";
  return dynamics == 1 ? std::string() : "it has no dynamic section, or several";
}

/// True if the loader searches or opens `path` without a look at the current directory.
bool is_anchored(std::string_view path) {
  return path.starts_with('/') || path == "$ORIGIN" || path == "${ORIGIN}" ||
         path.starts_with("$ORIGIN/") || path.starts_with("${ORIGIN}/");
}

/// Why a path in the dynamic section lets whoever owns the current directory choose a library, or
/// empty.
std::string check_path(std::uint64_t tag, std::string_view text) {
  const std::string start = "it would load libraries from the current directory";
  const std::string rule = " must be absolute or begin with $ORIGIN; link the library again";
  if (tag != DT_RUNPATH && tag != DT_RPATH) {
    if (text.find('/') == std::string_view::npos || is_anchored(text)) return {};
    return start + " (" + quote(text) + "): the name of a needed library" + rule;
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    // An empty directory is the current one, as at the end of "/lib:".
    if (!is_anchored(text.substr(at, end - at)))
      return start + " (" + quote(text) + "): each directory of its " +
             (tag == DT_RPATH ? "RPATH" : "RUNPATH") + rule;
    at = end + 1;
  }
  return {};
}

/// The tables that the loader follows before it checks anything: they must lie in the file.
std::string check_dynamic(int fd, const std::vector<Segment>& segments) {
  for (const auto& s : segments) {
    if (s.p_type != PT_DYNAMIC) continue;
    std::uint64_t offset = 0;
    if (s.p_filesz < sizeof(Dynamic) || s.p_filesz > (1u << 20) ||
        !locate(segments, s.p_vaddr, s.p_filesz, offset) || offset != s.p_offset)
      return "its dynamic section lies outside of the loaded segments";
    std::vector<Dynamic> entries(s.p_filesz / sizeof(Dynamic));
    if (!read_at(fd, offset, entries.data(), entries.size() * sizeof(Dynamic)))
      return "it cannot be read";
    std::uint64_t strings = 0, strings_size = 0;
    bool ended = false, has_symbols = false;
    for (const auto& e : entries) {
      if (e.d_tag == DT_NULL) {
        ended = true;
        break;
      }
      if (e.d_tag == DT_STRTAB) strings = e.d_un.d_ptr;
      if (e.d_tag == DT_STRSZ) strings_size = e.d_un.d_val;
      if (e.d_tag == DT_SYMTAB)
        has_symbols = locate(segments, e.d_un.d_ptr, sizeof(ElfW(Sym)), offset);
    }
    if (!ended) return "its dynamic section has no end";
    if (!has_symbols || strings_size == 0 || !locate(segments, strings, strings_size, offset))
      return "its symbols or their names lie outside of the loaded segments";
    std::string names(strings_size, '\0');
    if (!read_at(fd, offset, names.data(), names.size())) return "it cannot be read";
    for (const auto& e : entries) {
      if (e.d_tag == DT_NULL) break;
      if (e.d_tag != DT_NEEDED && e.d_tag != DT_SONAME && e.d_tag != DT_RUNPATH &&
          e.d_tag != DT_RPATH && e.d_tag != DT_AUXILIARY && e.d_tag != DT_FILTER)
        continue;
      const std::size_t end =
          e.d_un.d_val < strings_size ? names.find('\0', e.d_un.d_val) : std::string::npos;
      if (end == std::string::npos)
        return "a name in its dynamic section lies outside of the names";
      if (e.d_tag == DT_SONAME) continue;
      if (auto why = check_path(static_cast<std::uint64_t>(e.d_tag),
                                std::string_view(names).substr(e.d_un.d_val, end - e.d_un.d_val));
          !why.empty())
        return why;
    }
  }
  return {};
}

}  // namespace

std::string elf_problem(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || info.st_size < 0) return "its size cannot be read";
  const auto total = static_cast<std::uint64_t>(info.st_size);
  if (total == 0) return "it is empty";
  Header header{};
  if (total < sizeof header || !read_at(fd, 0, &header, sizeof header))
    return "it is too short for an ELF file";
  if (auto why = check_header(header); !why.empty()) return why;
  const std::uint64_t table = std::uint64_t{header.e_phnum} * sizeof(Segment);
  if (!range_fits(header.e_phoff, table, total))
    return "it is cut short: its table of segments is not complete";
  // Not needed to load, but the last thing in most files: its absence is how a file that was cut
  // short shows.
  if (header.e_shnum != 0 &&
      (header.e_shentsize != sizeof(Section) ||
       !range_fits(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Section), total)))
    return "it is cut short: its table of sections is not complete";
  std::vector<Segment> segments(header.e_phnum);
  if (!read_at(fd, header.e_phoff, segments.data(), table)) return "it cannot be read";
  if (auto why = check_segments(segments, total); !why.empty()) return why;
  return check_dynamic(fd, segments);
}

}  // namespace polycodec

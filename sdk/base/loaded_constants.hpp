// SPDX-License-Identifier: MIT
// Memory of the program and its libraries that nobody writes to.
#pragma once

#include <polycodec/bytes.hpp>

#include <link.h>

#include <cstdint>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// Returns the parts of the library around `inside` that nobody can write to: constants, and the
/// tables of pointers that the loader filled in.
inline std::vector<std::string_view> constants_around(const void* inside) {
  struct Search {
    std::uintptr_t inside;
    std::vector<std::string_view> found;
    bool has_failed;
  } search{reinterpret_cast<std::uintptr_t>(inside), {}, false};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) noexcept {
        auto& wanted = *static_cast<Search*>(data);
        bool here = false;
        for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          here |= segment.p_type == PT_LOAD &&
                  wanted.inside - info->dlpi_addr - segment.p_vaddr < segment.p_memsz;
        }
        if (!here) return 0;
        for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) try {
            const auto& segment = info->dlpi_phdr[i];
            if (segment.p_type == PT_GNU_RELRO ||
                (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0))
              wanted.found.push_back(
                  to_string_view(reinterpret_cast<const void*>(info->dlpi_addr + segment.p_vaddr),
                                 segment.p_memsz));
          } catch (const std::bad_alloc&) {
            wanted.has_failed = true;  // it must not cross the C library
          }
        return 1;
      },
      &search);
  if (search.has_failed) throw std::bad_alloc();
  return std::move(search.found);
}

}  // namespace polycodec

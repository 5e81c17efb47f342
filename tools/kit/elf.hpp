// SPDX-License-Identifier: MIT
// What a shared library says to the dynamic linker, read without loading it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::kit {

struct ElfSummary {
  std::vector<std::string> exported;  ///< defined dynamic symbols that other objects can bind to
  std::vector<std::string> needed;    ///< names of libraries that must be loaded with it
  std::string run_path;               ///< DT_RPATH or DT_RUNPATH, or empty
  bool executable_stack = false;
  bool text_relocations = false;
};

/// Reads a 64-bit ELF file of this machine's byte order. Throws Failure if it is not one, or is
/// damaged.
ElfSummary read_elf(const std::filesystem::path& path);

}  // namespace polycodec::kit

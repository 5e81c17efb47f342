// SPDX-License-Identifier: MIT
#include "elf.hpp"

#include <polycodec/polycodec.hpp>

#include "case.hpp"

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <string_view>

namespace polycodec::kit {
namespace {

class Image {
 public:
  explicit Image(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T read(std::uint64_t offset) const {
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset)
      fail("the ELF file is cut short");
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string text(std::uint64_t offset) const {
    const auto end = offset < bytes_.size() ? bytes_.find('\0', offset) : std::string_view::npos;
    if (end == std::string_view::npos) fail("a string table of the ELF file is cut short");
    return std::string(bytes_.substr(offset, end - offset));
  }

 private:
  std::string_view bytes_;
};

void read_symbols(const Image& image, const Elf64_Shdr& table, const Elf64_Shdr& strings,
                  ElfSummary& summary) {
  if (table.sh_entsize != sizeof(Elf64_Sym))
    fail("the symbol table has entries of an unknown size");
  for (std::uint64_t i = 1; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = image.read<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
    const bool defined = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS;
    if (defined && binding != STB_LOCAL &&
        (visibility == STV_DEFAULT || visibility == STV_PROTECTED))
      summary.exported.push_back(image.text(strings.sh_offset + symbol.st_name));
  }
}

void read_dynamic(const Image& image, const Elf64_Shdr& table, const Elf64_Shdr& strings,
                  ElfSummary& summary) {
  for (std::uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Dyn); ++i) {
    const auto entry = image.read<Elf64_Dyn>(table.sh_offset + i * sizeof(Elf64_Dyn));
    if (entry.d_tag == DT_NEEDED)
      summary.needed.push_back(image.text(strings.sh_offset + entry.d_un.d_val));
    if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH)
      summary.run_path = image.text(strings.sh_offset + entry.d_un.d_val);
    if (entry.d_tag == DT_TEXTREL ||
        (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0))
      summary.text_relocations = true;
  }
}

}  // namespace

ElfSummary read_elf(const std::filesystem::path& path) {
  const Source source = Source::file(path.string());
  const Image image(source.bytes());
  const auto header = image.read<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    fail("not a 64-bit ELF file");
  if (header.e_type != ET_DYN) fail("not a shared library");

  ElfSummary summary;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = image.read<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_GNU_STACK) summary.executable_stack = (segment.p_flags & PF_X) != 0;
  }
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = image.read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC) continue;
    if (section.sh_link >= header.e_shnum) fail("a section of the ELF file refers to none");
    const auto strings =
        image.read<Elf64_Shdr>(header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
    section.sh_type == SHT_DYNSYM ? read_symbols(image, section, strings, summary)
                                  : read_dynamic(image, section, strings, summary);
  }
  return summary;
}

}  // namespace polycodec::kit

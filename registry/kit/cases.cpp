// SPDX-License-Identifier: MIT
#include "cases.hpp"

namespace polycodec::kit {

void add_subject_cases(std::vector<Case>& cases, const Settings& settings, const Entry& entry) {
  const unsigned kind = 1u << static_cast<unsigned>(entry.kind);
  for (const auto& group :
       {read_cases(), write_cases(), limit_cases(), memory_cases(), codec_cases(), kind_cases()})
    for (const SubjectCase& c : group) {
      if ((c.applies & kind) == 0 || ((c.applies & reading) != 0 && !entry.can_read) ||
          ((c.applies & writing) != 0 && !entry.can_write))
        continue;
      cases.push_back({entry.case_name(c.name), c.title, [&settings, entry, check = c.check] {
                         check(*open_subject(settings, entry), settings);
                       }});
    }
}

std::string Entry::case_name(std::string_view test) const {
  return std::string(kind_word(kind)) + "/" + name + "/" + std::string(test);
}

}  // namespace polycodec::kit

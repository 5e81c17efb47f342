// SPDX-License-Identifier: MIT
#include "keywords.hpp"

#include <algorithm>
#include <iterator>

namespace polycodec::obj {
namespace {

struct Keyword {
  std::string_view word;
  Statement statement;
};

// In the order of the words.
constexpr Keyword keywords[] = {
    {"bevel", Statement::state},  {"bmat", Statement::state},      {"bsp", Statement::state},
    {"bzp", Statement::state},    {"c_interp", Statement::state},  {"call", Statement::state},
    {"cdc", Statement::state},    {"cdp", Statement::state},       {"con", Statement::connection},
    {"csh", Statement::state},    {"cstype", Statement::state},    {"ctech", Statement::state},
    {"curv", Statement::curv},    {"curv2", Statement::curv2},     {"d_interp", Statement::state},
    {"deg", Statement::state},    {"end", Statement::end},         {"f", Statement::face},
    {"fo", Statement::face},      {"g", Statement::state},         {"hole", Statement::trim},
    {"l", Statement::line},       {"lod", Statement::state},       {"maplib", Statement::state},
    {"mg", Statement::state},     {"mtllib", Statement::state},    {"o", Statement::state},
    {"p", Statement::point},      {"parm", Statement::body},       {"res", Statement::state},
    {"s", Statement::state},      {"scrv", Statement::trim},       {"shadow_obj", Statement::state},
    {"sp", Statement::special},   {"stech", Statement::state},     {"step", Statement::state},
    {"surf", Statement::surf},    {"trace_obj", Statement::state}, {"trim", Statement::trim},
    {"usemap", Statement::state}, {"usemtl", Statement::state},    {"v", Statement::vertex},
    {"vn", Statement::normal},    {"vp", Statement::parameter},    {"vt", Statement::texture},
};

static_assert(std::is_sorted(std::begin(keywords), std::end(keywords),
                             [](const Keyword& a, const Keyword& b) { return a.word < b.word; }));

}  // namespace

Statement statement_of(std::string_view keyword) noexcept {
  const auto* const found =
      std::lower_bound(std::begin(keywords), std::end(keywords), keyword,
                       [](const Keyword& k, std::string_view word) { return k.word < word; });
  return found != std::end(keywords) && found->word == keyword ? found->statement
                                                               : Statement::unknown;
}

}  // namespace polycodec::obj

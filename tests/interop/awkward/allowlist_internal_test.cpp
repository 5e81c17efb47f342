// SPDX-License-Identifier: MIT
// The functions of the plugin, and what its manifest says of them.
#include "codec.hpp"
#include "core/dispatch/dispatch.hpp"
#include "files.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace polycodec::test {
namespace {

using Json = nlohmann::json;

Json manifest() {
  return Json::parse(read_file(POLYCODEC_SOURCE_DIR "/plugins/awkward/awkward.polycodec.json"));
}

const polycodec_functions& awkward_functions() {
  return *static_cast<const polycodec_functions*>(awkward::Functions::get());
}

TEST(AwkwardAllowlistInternal, TheDefaultAllowsWhatIsRegisteredAndNothingThatIsNot) {
  const Allowlist allowlist = Allowlist::parse(manifest()["codecs"][0]["calls"].dump());
  const auto allows = [&](std::vector<std::string_view> name) { return allowlist.allows(name); };
  const polycodec_functions& all = awkward_functions();
  for (std::uint32_t i = 0; i < all.count; ++i) {
    const polycodec_function& f = *all.items[i];
    EXPECT_TRUE(allows({f.path, f.path + f.n_path}))
        << describe_path(std::vector<std::string_view>(f.path, f.path + f.n_path));
  }
  EXPECT_FALSE(allows({"awkward0.persist", "topython"}));
  EXPECT_FALSE(allows({"awkward0.persist", "save"}));
  EXPECT_FALSE(allows({"awkward0.persist"}));
  EXPECT_FALSE(allows({"awkward0.arrow", "_ParquetFile", "fromjson"}));
  EXPECT_FALSE(allows({"awkward0"}));
  EXPECT_FALSE(allows({"os", "system"}));
}

TEST(AwkwardAllowlistInternal, ManifestAndPluginNameTheSameFunctions) {
  const Json functions = manifest()["functions"];
  std::set<std::vector<std::string>> named, registered;
  for (const Json& name : functions) named.insert(name.get<std::vector<std::string>>());
  const polycodec_functions& all = awkward_functions();
  for (std::uint32_t i = 0; i < all.count; ++i)
    registered.insert({all.items[i]->path, all.items[i]->path + all.items[i]->n_path});
  EXPECT_EQ(named, registered);
}

}  // namespace
}  // namespace polycodec::test

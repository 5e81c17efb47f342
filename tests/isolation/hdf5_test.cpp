// SPDX-License-Identifier: MIT
// Damaged HDF5 files end workers, never the host.
#include <polycodec/error.hpp>

#include "damaged.hpp"
#include "files.hpp"
#include "processes.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace polycodec {
namespace {

using test::Random;

/// Reads all that can be read.
void read_all(const Registry& registry, const std::string& file) {
  const auto store = registry.open_store(Source::view(file));
  if (store == nullptr) throw Error(Status::not_found, "not a store any more");
  for (const auto& entry : store->entries())
    (void)attempt([&] { return store->read(entry.name).size(); });
}

TEST(Hdf5, AFileThatIsCutShortIsNamedAsSuch) {
  RegistryOptions options;
  options.use_environment = false;
  const Registry registry = Registry::open(options);
  if (registry.find("hdf5", Kind::store) == nullptr) GTEST_SKIP() << "built without HDF5";
  const std::string file = test::read_file(POLYCODEC_TEST_VECTORS "/hdf5/compounds_earliest.h5");
  for (const std::size_t size : {std::size_t{8}, std::size_t{100}, file.size() / 2}) {
    const auto result =
        attempt([&] { return registry.decode(Source::owned(file.substr(0, size))); });
    ASSERT_FALSE(result.ok()) << size;
    EXPECT_NE(result.error().describe().find("HDF5 file is broken or cut short"), std::string::npos)
        << result.error().describe();
  }
}

TEST(Hdf5Campaign, DamagedFilesNeverEndTheHost) {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(POLYCODEC_TEST_VECTORS "/hdf5"))
    if (entry.path().extension() == ".h5") seeds.push_back(test::read_file(entry.path()));
  std::ranges::sort(seeds);
  ASSERT_EQ(seeds.size(), 12u);

  RegistryOptions options;
  options.use_environment = false;
  options.policy.isolation.wall_seconds = 5;
  const Registry registry = Registry::open(options);
  if (registry.find("hdf5", Kind::store) == nullptr) GTEST_SKIP() << "built without HDF5";
  for (const std::string& seed : seeds) EXPECT_NO_THROW(read_all(registry, seed));
  const auto report = registry.probe("hdf5").isolation;
  ASSERT_NE(report, nullptr) << "the plugin hdf5 is not isolated";

  const char* const text = std::getenv("POLYCODEC_HDF5_FILES");
  const int files = text == nullptr ? 150 : std::atoi(text);
  const std::size_t descriptors = test::count_descriptors();
  Random random(4000);
  int opened = 0, refused = 0, died = 0;
  for (int i = 0; i < files; ++i) {
    // Most of the structure is in the first bytes and in small objects: so is most of the damage.
    const std::string file = test::damaged(seeds[test::below(random, seeds.size())], random, 64);
    const auto result = attempt([&] { read_all(registry, file); });
    if (result.ok())
      ++opened;
    else
      ++(result.error().code() == Status::plugin ? died : refused);
  }
  RecordProperty("opened", opened);
  RecordProperty("refused", refused);
  RecordProperty("died", died);
  const auto after = registry.probe("hdf5").isolation;
  std::printf(
      "%d files: %d opened, %d rejected, %d with an error of the plugin, %llu workers died, "
      "%llu were ended\n",
      files, opened, refused, died, static_cast<unsigned long long>(after->deaths),
      static_cast<unsigned long long>(after->kills));
  for (const std::string& seed : seeds) EXPECT_NO_THROW(read_all(registry, seed));
  EXPECT_LE(test::count_descriptors(), descriptors + 2);
}

}  // namespace
}  // namespace polycodec

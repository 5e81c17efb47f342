// SPDX-License-Identifier: MIT
// Damaged Draco and meshopt data in glTF ends workers, never the host.
#include "compressed_files.hpp"
#include "damaged.hpp"
#include "processes.hpp"
#include "tests/interop/gltf/documents.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

/// A document and its binary chunk.
using Model = std::pair<Json, std::string>;

/// A registry with the isolation that users have, but for the time of a call.
Registry open_registry() {
  RegistryOptions options;
  options.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT;
  options.isolation = R"({"mode": "auto", "wall_seconds": 5})";
  return Registry::open(options);
}

/// Reads `files` damaged copies of models with the codec `gltf`, of which the plugin `unpacks`
/// reads parts in a process of its own.
void run_campaign(const std::string& unpacks, const std::vector<Model>& seeds, int files) {
  const Registry registry = open_registry();
  const Codec codec = registry.codec("gltf");
  const auto read = [&](const Json& document, const std::string& bin) {
    const Value value = codec.decode(Source::owned(glb(document.dump(), bin)));
    ASSERT_GT(value.view()["accessors"].size(), 0u);
  };
  for (const auto& [document, bin] : seeds) EXPECT_NO_THROW(read(document, bin));
  const auto isolation = [&](std::string_view what) {
    const Value record = registry.describe(About::plugin, unpacks);
    return record.view()["isolation"][what].as_uint64();
  };
  ASSERT_GT(isolation("starts"), 0u) << "the plugin is not isolated";

  const std::size_t descriptors = count_descriptors();
  Random random(39);
  int opened = 0, refused = 0, died = 0;
  for (int i = 0; i < files; ++i) {
    const auto& [document, bin] = seeds[below(random, seeds.size())];
    try {
      // The length of the chunk stays: the frame of GLB and the document are whole.
      std::string wrong = damaged(bin, random, bin.size() / 4);
      wrong.resize(bin.size());
      read(document, wrong);
      ++opened;
    } catch (const Error& error) {
      ++(error.code() == Status::plugin ? died : refused);
    }
  }
  std::printf(
      "%s: %d files: %d opened, %d rejected, %d with an error of the plugin, %llu workers died, "
      "%llu were ended\n",
      unpacks.c_str(), files, opened, refused, died,
      static_cast<unsigned long long>(isolation("deaths")),
      static_cast<unsigned long long>(isolation("kills")));
  EXPECT_EQ(opened + refused + died, files);
  EXPECT_GT(refused, 0);
  for (const auto& [document, bin] : seeds) EXPECT_NO_THROW(read(document, bin));
  EXPECT_LE(count_descriptors(), descriptors + 4);
}

TEST(CompressedCampaign, DamagedDracoNeverEndsTheHost) {
  std::vector<Model> seeds;
  for (const std::uint32_t side : {3u, 8u, 16u})
    for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING})
      for (const int bits : {0, 11}) {
        const Grid grid(side);
        const std::string packed = draco_bytes(grid, method, bits);
        seeds.emplace_back(draco_document(grid, packed), packed);
      }
  run_campaign("draco", seeds, 1000);
}

TEST(CompressedCampaign, DamagedMeshoptNeverEndsTheHost) {
  std::vector<Model> seeds;
  for (const std::uint32_t side : {3u, 8u, 24u})
    seeds.push_back(meshopt_document(meshopt_views(Grid(side))));
  run_campaign("meshopt", seeds, 1000);
}

}  // namespace
}  // namespace polycodec::test

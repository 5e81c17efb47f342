// SPDX-License-Identifier: MIT
// Rows that become text in blocks: what is wrong is the same with any number of threads.
#include <polycodec/builder.hpp>

#include "chunks.hpp"
#include "core/io/source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace polycodec;

constexpr std::int32_t block_points = 60'000;
constexpr std::size_t block_faces = 200'000;

/// An OBJ value of points and triangles, which views the columns.
struct Triangles {
  std::vector<float> x;
  std::vector<std::int32_t> corners;
  Value value;

  explicit Triangles(std::vector<std::int32_t> all) : corners(std::move(all)) {
    test::Numbers numbers;
    for (std::int32_t i = 0; i < block_points; ++i)
      x.push_back(static_cast<float>(numbers.below(1 << 24)) / 999);
    value = Value::build([&](Builder& out) {
      const std::string_view names[] = {"x", "y", "z"};
      const polycodec_array* column = out.vector(std::span<const float>(x));
      const polycodec_array* points[] = {column, column, column};
      const std::int64_t shape[] = {static_cast<std::int64_t>(corners.size() / 3), 3};
      const std::string_view face_names[] = {"v"};
      const polycodec_array* faces[] = {out.ndarray(
          bytes_of(std::span<const std::int32_t>(corners)), POLYCODEC_DTYPE_INT32, 4, shape)};
      return out.object({{"v", Builder::array(out.record(x.size(), names, points))},
                         {"f", Builder::array(out.record(corners.size() / 3, face_names, faces))}});
    });
  }
  Triangles(const Triangles&) = delete;
  Triangles& operator=(const Triangles&) = delete;
};

std::vector<std::int32_t> good_corners() {
  test::Numbers numbers;
  std::vector<std::int32_t> corners(block_faces * 3);
  for (std::int32_t& corner : corners)
    corner = static_cast<std::int32_t>(numbers.below(std::uint32_t{block_points}));
  return corners;
}

/// What comes of a call on each number of threads, which must be the same: text, or an error.
std::string written(const Value& value, const CallOptions& options,
                    const Codec& codec = test::codecs().codec("obj")) {
  std::string first;
  for (const std::uint32_t threads : {1u, 2u, 7u}) {
    CallOptions call = options;
    call.threads = threads;
    std::string made;
    try {
      made = codec.encode_to_string(value.view(), call);
    } catch (const Error& error) {
      made = std::to_string(static_cast<int>(error.code())) + " " + error.describe();
    }
    if (threads == 1) first = made;
    EXPECT_TRUE(first == made) << threads << " threads: " << first.substr(0, 200) << " and "
                               << made.substr(0, 200);
  }
  return first;
}

TEST(TextBlocks, AreTheTextOfAllRowsInOrder) {
  const std::vector<std::int32_t> corners = good_corners();
  const Triangles mesh(corners);
  const std::string text = written(mesh.value, {});
  std::string faces;
  for (std::size_t i = 0; i < corners.size(); ++i)
    faces += (i % 3 == 0 ? "f " : " ") + std::to_string(corners[i] + 1) + (i % 3 == 2 ? "\n" : "");
  ASSERT_GT(text.size(), faces.size());
  EXPECT_TRUE(text.ends_with(faces));
  EXPECT_EQ(test::lines_of(text).size(), std::size_t{block_points} + block_faces + 1);
}

/// Threads other than that of the writer fill blocks that nobody writes meanwhile.
TEST(TextBlocks, OfAnExecutorOfOtherThreadsAreInOrder) {
  RegistryOptions options;
  options.executor = [](std::uint64_t n, const std::function<void(std::uint64_t)>& task) {
    std::vector<std::thread> all;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(n, 3); ++i) all.emplace_back(task, i);
    for (std::thread& each : all) each.join();
  };
  const Registry others = Registry::open(options);
  std::vector<std::int32_t> corners = good_corners();
  for (int i = 0; i < 2; ++i) {
    const std::vector<std::int32_t> again = corners;
    corners.insert(corners.end(), again.begin(), again.end());
  }
  const Triangles mesh(corners);
  static_cast<void>(written(mesh.value, {}, others.codec("obj")));
  corners.back() = -5;
  const Triangles bad(corners);
  const std::string error = written(bad.value, {}, others.codec("obj"));
  EXPECT_NE(error.find("$.f[" + std::to_string(corners.size() / 3 - 1) + "]"), std::string::npos)
      << error.substr(0, 200);
}

std::string text_of(auto number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

TEST(TextBlocks, RowsThatAreNotPlainKeepTheirPlace) {
  constexpr std::size_t points = 50'000, lists = 60'000;
  test::Numbers numbers;
  std::vector<float> x(points);
  for (std::size_t i = 0; i < points; ++i)
    x[i] = i % 1000 == 0 ? std::ldexp(1.0f, static_cast<int>(i / 1000) - 60)
                         : static_cast<float>(numbers.below(1u << 20)) / 4096 - 100;
  std::vector<std::int32_t> items(lists * 4);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = static_cast<std::int32_t>(numbers.below(1u << 26)) * (i % 999 == 0 ? -20 : 1);
  const Value value = Value::build([&](Builder& out) {
    const std::string_view names[] = {"x", "y"};
    const polycodec_array* column = out.vector(std::span<const float>(x));
    const polycodec_array* columns[] = {column, column};
    const std::int64_t shape[] = {static_cast<std::int64_t>(lists), 4};
    const std::string_view list_names[] = {"list"};
    const polycodec_array* list[] = {out.ndarray(bytes_of(std::span<const std::int32_t>(items)),
                                                 POLYCODEC_DTYPE_INT32, 4, shape)};
    return out.object({{"point", Builder::array(out.record(points, names, columns))},
                       {"row", Builder::array(out.record(lists, list_names, list))}});
  });
  std::string expected;
  for (const float number : x) expected += text_of(number) + " " + text_of(number) + "\n";
  for (std::size_t i = 0; i < items.size(); ++i)
    expected += (i % 4 == 0 ? "4 " : " ") + text_of(items[i]) + (i % 4 == 3 ? "\n" : "");
  const std::string text =
      written(value, {}, test::codecs().codec_with_json("ply", R"({"format": "ascii"})"));
  EXPECT_TRUE(text.ends_with("end_header\n" + expected)) << text.substr(0, 400);
}

TEST(TextBlocks, CornersOfAllKindsAreWritten) {
  test::Numbers numbers;
  const auto some = [&](std::uint32_t count) { return std::to_string(1 + numbers.below(count)); };
  std::string text;
  for (int i = 0; i < 200; ++i) text += "v " + std::to_string(i) + " 0.5 1\n";
  for (int i = 0; i < 100; ++i) text += "vt " + std::to_string(i) + " 0.25\n";
  for (int i = 0; i < 50; ++i) text += "vn 0 " + std::to_string(i) + " 1\n";
  std::uint32_t kind = 0;
  for (int i = 0; i < 70'000; ++i) {
    // Runs of one kind, now and then with a corner that lacks an index, or with very many corners.
    if (numbers.below(20) == 0) kind = numbers.below(4);
    const std::uint32_t corners = 3 + numbers.below(i % 97 == 0 ? 90u : 3u);
    text += "f";
    for (std::uint32_t k = 0; k < corners; ++k) {
      const bool lacks = k != 0 && i % 53 == 0 && numbers.below(2) == 0;
      text += " " + some(200);
      if (kind != 0 && !lacks) text += "/";
      if (kind % 2 != 0 && !lacks) text += some(100);
      if (kind >= 2 && !lacks) text += "/" + some(50);
    }
    text += "\n";
  }
  const Value value = test::codecs().codec("obj").decode(Source::view(text));
  EXPECT_TRUE(written(value, {}) == text);
}

TEST(TextBlocks, RowsOfSeveralIntegersAndListsAreWritten) {
  constexpr std::size_t rows = 50'000;
  test::Numbers numbers;
  std::string text =
      "ply\nformat ascii 1.0\nelement face 50000\nproperty int flag\n"
      "property list uchar int a\nproperty list uchar uint b\nproperty uint last\nend_header\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_odd = i % 71 == 0;
    text +=
        std::to_string(static_cast<std::int64_t>(numbers.below(1u << 20)) - (is_odd ? 1 << 19 : 0));
    for (int list = 0; list < 2; ++list) {
      const std::uint32_t count = numbers.below(is_odd ? 80u : 5u);
      text += " " + std::to_string(count);
      for (std::uint32_t k = 0; k < count; ++k)
        text += " " + std::to_string(numbers.below(1u << 26));
    }
    text += " " + std::to_string(numbers.below(i % 77 == 0 ? 1u << 31 : 1000u)) + "\n";
  }
  const Codec codec = test::codecs().codec_with_json("ply", R"({"format": "ascii"})");
  EXPECT_TRUE(written(codec.decode(Source::view(text)), {}, codec) == text);
}

TEST(TextBlocks, TheFirstErrorIsThatOfTheEarliestRow) {
  for (const std::size_t row : {std::size_t{3}, std::size_t{70'000}, block_faces - 1}) {
    std::vector<std::int32_t> corners = good_corners();
    corners[row * 3 + 1] = block_points + 7;
    for (std::size_t later = row + 1; later < block_faces; later += 1 + row)
      corners[later * 3] = -5;
    const Triangles mesh(corners);
    const std::string error = written(mesh.value, {});
    EXPECT_NE(error.find("$.f[" + std::to_string(row) + "].v[1]"), std::string::npos)
        << error.substr(0, 200);
  }
}

TEST(TextBlocks, BoundsAndCancellationHoldAcrossThreads) {
  const Triangles mesh(good_corners());
  const Value& value = mesh.value;
  const auto starts_with_code = [](const std::string& text, Status code) {
    return text.starts_with(std::to_string(static_cast<int>(code)) + " ");
  };
  CallOptions call;
  Limits limits;
  limits.max_output_bytes = 3'000'000;
  call.limits = limits;
  EXPECT_TRUE(starts_with_code(written(value, call), Status::limit));
  limits = {};
  limits.max_work = 1'000'000;
  call.limits = limits;
  EXPECT_TRUE(starts_with_code(written(value, call), Status::limit));
  std::atomic<bool> cancel{true};
  call.limits = Limits{};
  call.cancel = &cancel;
  EXPECT_TRUE(starts_with_code(written(value, call), Status::cancelled));
}

}  // namespace

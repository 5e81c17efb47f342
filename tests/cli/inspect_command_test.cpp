// SPDX-License-Identifier: MIT
// Figures of `polycodec inspect`: the same for any number of threads, and for numbers at the ends
// of their types.
#include <polycodec/byte_order.hpp>

#include "command.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

class InspectCommand : public Command {
 protected:
  /// The columns of a file.
  Json columns(const std::string& file, const std::string& threads = "1") {
    const Finished done = run({"inspect", file, "--json", "--threads", threads});
    EXPECT_EQ(done.status, 0) << done.err;
    return Json::parse(done.out)["columns"];
  }
  Json columns_of(const std::string& type, const std::string& value) {
    write("typed.json", R"({"type": ")" + type + R"(", "value": )" + value + "}");
    return columns("typed.json");
  }
};

template <class T>
void append(std::string& bytes, T number) {
  char big[sizeof number];
  store(big, number, std::endian::big);
  bytes.append(big, sizeof big);
}

// As many as several threads share, in columns of which each is every 17th byte of the file.
TEST_F(InspectCommand, ThreadsDoNotChangeFigures) {
  constexpr int rows = 400'000;
  std::string bytes = "ply\nformat binary_big_endian 1.0\nelement vertex " + std::to_string(rows) +
                      "\nproperty double x\nproperty float y\nproperty int n\nproperty uchar c\n"
                      "end_header\n";
  long double sum = 0;
  std::array<std::uint64_t, 16> bins{};
  for (int i = 0; i < rows; ++i) {
    double x = std::sin(i) * i;
    if (i % 1000 == 1) x = std::numeric_limits<double>::quiet_NaN();
    append(bytes, x);
    if (!std::isnan(x)) sum += x;
    append(bytes, i == 70'000 ? std::numeric_limits<float>::infinity() : static_cast<float>(i % 7));
    append(bytes, std::int32_t{i % 16 - 8});
    bytes.push_back(static_cast<char>(i));
    ++bins[static_cast<std::size_t>(i % 16)];
  }
  write("a.ply", bytes);
  const Json one = columns("a.ply");
  for (const char* threads : {"2", "7", "16"}) EXPECT_EQ(columns("a.ply", threads), one) << threads;
  ASSERT_EQ(one.size(), 4u);
  EXPECT_EQ(one[0]["nan"], 400);
  EXPECT_NEAR(one[0]["mean"].get<double>(), static_cast<double>(sum / (rows - 400)), 1e-9);
  EXPECT_EQ(one[1]["maximum"], "inf");
  EXPECT_NEAR(one[1]["mean"].get<double>(), 3, 1e-3);
  EXPECT_EQ(one[2]["minimum"], "-8");
  EXPECT_EQ(one[2]["mean"], -0.5);
  EXPECT_EQ(one[2]["histogram"], Json(bins));
  EXPECT_EQ(one[3]["maximum"], "255");
}

// Rows of numbers have a way of their own to the logical address.
TEST_F(InspectCommand, LogicalAddressesOfTablesDoNotDependOnByteOrder) {
  const auto header = [](const std::string& format) {
    return "ply\nformat " + format +
           " 1.0\nelement vertex 40\nproperty double x\nproperty short n\n"
           "property uchar c\nend_header\n";
  };
  std::string text = header("ascii"), bytes = header("binary_big_endian");
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i) + ".5 " + std::to_string(-i) + " " + std::to_string(i) + "\n";
    append(bytes, i + 0.5);
    append(bytes, static_cast<std::int16_t>(-i));
    bytes.push_back(static_cast<char>(i));
  }
  write("a.ply", text);
  write("b.ply", bytes);
  const Finished bounded = run({"hash", "--logical", "a.ply", "--limits", R"({"max_work": 1500})"});
  EXPECT_NE(bounded.err.find("$.vertex["), std::string::npos) << bounded.err;
  const Finished one = run({"hash", "--logical", "a.ply"}),
                 other = run({"hash", "--logical", "b.ply"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(one.out.substr(0, 64), other.out.substr(0, 64));
}

TEST_F(InspectCommand, FiguresHoldAtTheEndsOfTypes) {
  const Json wide = columns_of("3 * float64", "[-1.7e308, 1.7e308, 1.7e308]")[0];
  EXPECT_DOUBLE_EQ(wide["mean"].get<double>(), 1.7e308 / 3);
  EXPECT_EQ(wide["histogram"][0], 1);
  EXPECT_EQ(wide["histogram"][15], 2);
  const Json narrow = columns_of("3 * float64", "[0, 5e-324, 5e-324]")[0];
  EXPECT_EQ(narrow["histogram"][0], 1);
  EXPECT_EQ(narrow["histogram"][15], 2);
  // Doubles have no room for the lower digits.
  const Json close =
      columns_of("3 * int64", "[9223372036854775800, 9223372036854775807, 9223372036854775804]")[0];
  EXPECT_EQ(close["minimum"], "9223372036854775800");
  EXPECT_EQ(close["maximum"], "9223372036854775807");
  EXPECT_EQ(close["histogram"][9], 1);
  const Json all = columns_of("2 * int64", "[-9223372036854775808, 9223372036854775807]")[0];
  EXPECT_EQ(all["histogram"][0], 1);
  EXPECT_EQ(all["histogram"][15], 1);
  // -1 is on the lower side of the middle by one.
  const Json few =
      columns_of("4 * int64", "[-9223372036854775808, 9223372036854775807, -1, -2]")[0];
  EXPECT_EQ(few["histogram"][7], 2);
}

TEST_F(InspectCommand, FiguresAreOfTheRowsThatTheValueShows) {
  const Json some = columns_of("5 * ?int16", "[3, null, null, 5, 7]")[0];
  EXPECT_EQ(some["count"], 3);
  EXPECT_EQ(some["missing"], 2);
  EXPECT_EQ(some["mean"], 5);
  const Json matrix = columns_of("3 * ?2 * float32", "[[1, 2], null, [3, 6]]")[0];
  EXPECT_EQ(matrix["mean"], 3);
  EXPECT_EQ(matrix["maximum"], "6");
  const Json none = columns_of("2 * ?int16", "[null, null]");
  for (const Json& column : none) EXPECT_EQ(column["count"], 0);
}

}  // namespace
}  // namespace polycodec::test

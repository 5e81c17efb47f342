// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "core/schema/schema.hpp"
#include "core/schema/unit_database.hpp"

#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using polycodec::Error;
using polycodec::Status;
using polycodec::schema::canonical_units;
using polycodec::schema::same_units;
using polycodec::schema::UnitConversion;

struct Canonical {
  const char* text;
  const char* canonical;  ///< null: unknown
};

class CanonicalUnits : public testing::TestWithParam<Canonical> {};
TEST_P(CanonicalUnits, AreAsYggdrasilWritesThem) {
  const auto made = canonical_units(GetParam().text);
  if (GetParam().canonical == nullptr)
    EXPECT_FALSE(made.has_value()) << *made;
  else
    EXPECT_EQ(made, GetParam().canonical) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Rows, CanonicalUnits,
    testing::Values(
        // what the facts state
        Canonical{"kg m s-2", "kg*m*(s**-2)"}, Canonical{"kg*m/s^2", "kg*m*(s**-2)"},
        Canonical{"kg*m*(s**-2)", "kg*m*(s**-2)"}, Canonical{"meters", "m"}, Canonical{"h", "hr"},
        Canonical{"umol", "\xce\xbcmol"}, Canonical{"mumol", "\xce\xbcmol"},
        Canonical{"\xc2\xb5mol", "\xce\xbcmol"}, Canonical{"\xce\xbcmol", "\xce\xbcmol"},
        Canonical{"m s-2", "m*(s**-2)"}, Canonical{"m2", "m**2"}, Canonical{"2*m", "2*m"},
        Canonical{"%", "%"}, Canonical{"n/a", ""}, Canonical{"", ""}, Canonical{"are", "a"},
        Canonical{"molar", "M"}, Canonical{"celcius", "degC"}, Canonical{"farenheit", "degF"},
        // rejected by yggdrasil
        Canonical{"inch", nullptr}, Canonical{"mg/L", nullptr}, Canonical{"bit", nullptr},
        Canonical{"byte", nullptr}, Canonical{"USD", nullptr}, Canonical{"not_a_unit_xyz", nullptr},
        // whole names go before prefixes
        Canonical{"min", "min"}, Canonical{"cd", "cd"}, Canonical{"Pa", "Pa"},
        Canonical{"ft", "ft"}, Canonical{"mol", "mol"}, Canonical{"dam", "dam"},
        Canonical{"kilometers", "km"}, Canonical{"mas", "mas"}, Canonical{"kft", nullptr},
        Canonical{"Ohm", "ohm"}, Canonical{"kiloOhm", "kohm"}, Canonical{"k\xce\xa9", "kohm"},
        Canonical{"M\xe2\x84\xa6", "Mohm"}, Canonical{"degree", "deg"}, Canonical{"percent", "%"},
        Canonical{"degree_Celsius", "degC"}, Canonical{"kilo", nullptr},
        Canonical{"\xc2\xb0\x43", "degC"},
        // the grammar
        Canonical{"m*m", "m**2"}, Canonical{"m/m", ""}, Canonical{"m/s/s", "m*(s**-2)"},
        Canonical{"(m/s)**2", "(m**2)*(s**-2)"}, Canonical{"m**0.5", "m**0.5"},
        Canonical{"m**(1/2)", "m**0.5"}, Canonical{"m**(1/3)", "m**(1/3)"},
        Canonical{"m ** (-2)", "m**-2"}, Canonical{"1e3 m", "1000*m"}, Canonical{"g^0", ""},
        Canonical{"m**", nullptr}, Canonical{"*m", nullptr}, Canonical{"m)", nullptr},
        Canonical{"(m", nullptr}, Canonical{"m**1/0", nullptr}, Canonical{"m**(1/0)", nullptr},
        Canonical{"0*m", nullptr}, Canonical{"m**99999999999", nullptr},
        Canonical{"m//s", nullptr}));

TEST(Units, KnowEveryNameOfTheList) {
  for (const char* name :
       {"m",      "g",      "s",       "A",         "K",   "cd",   "mol",      "rad",   "dyn",
        "erg",    "Ba",     "G",       "statC",     "Mx",  "J",    "W",        "Hz",    "N",
        "C",      "T",      "Pa",      "bar",       "V",   "F",    "H",        "Wb",    "lm",
        "lx",     "cal",    "yr",      "d",         "hr",  "min",  "pc",       "au",    "ly",
        "eV",     "Sv",     "M",       "ft",        "yd",  "mi",   "fur",      "mil",   "lbf",
        "lb",     "atm",    "hp",      "oz",        "ton", "slug", "psi",      "smoot", "deg",
        "arcmin", "arcsec", "mas",     "hourangle", "sr",  "amu",  "Angstrom", "degC",  "degF",
        "degR",   "BTU",    "B",       "Np",        "ac",  "a",    "ha",       "Jy",    "ohm",
        "statC",  "counts", "photons", "lat",       "long"}) {
    const auto made = canonical_units(name);
    ASSERT_TRUE(made.has_value()) << name;
    EXPECT_EQ(canonical_units(*made), made) << name << ": the canonical text is canonical";
  }
}

TEST(Units, AreTheSameOnlyIfTheySayTheSame) {
  EXPECT_TRUE(same_units("meters", "m"));
  EXPECT_TRUE(same_units("", "n/a"));
  EXPECT_FALSE(same_units("cm", "m"));
  EXPECT_TRUE(same_units("furlong_per_fortnight", "furlong_per_fortnight"));
  EXPECT_FALSE(same_units("inch", "byte"));
}

struct Row {
  const char* from;
  const char* to;
  double before, after;
};
class Conversions : public testing::TestWithParam<Row> {};
TEST_P(Conversions, GiveTheNumber) {
  const Row& row = GetParam();
  const auto conversion = UnitConversion::between(row.from, row.to);
  EXPECT_DOUBLE_EQ(conversion.apply(row.before), row.after);
  std::array<double, 3> many{row.before, row.before, row.before};
  conversion.apply(many);
  EXPECT_DOUBLE_EQ(many[2], row.after);
}
INSTANTIATE_TEST_SUITE_P(Rows, Conversions,
                         testing::Values(Row{"cm", "m", 150, 1.5}, Row{"km", "m", 1.5, 1500},
                                         Row{"m", "m", 2, 2}, Row{"degC", "K", 25, 298.15},
                                         Row{"K", "degC", 0, -273.15},
                                         Row{"degF", "degC", 212, 100}, Row{"hr", "s", 2, 7200},
                                         Row{"min", "hr", 90, 1.5}, Row{"ft", "m", 10, 3.048},
                                         Row{"N", "kg*m/s**2", 3, 3}, Row{"J", "erg", 1, 1e7},
                                         Row{"deg", "rad", 180, 3.14159265358979323846},
                                         Row{"%", "", 50, 0.5}, Row{"m**0.5", "cm**0.5", 1, 10},
                                         Row{"degC/m", "K/m", 4, 4}, Row{"umol", "nmol", 1, 1000},
                                         Row{"cal", "J", 1, 4.184}, Row{"2*m", "m", 3, 6},
                                         Row{"m2", "cm2", 1, 10000}));

TEST(UnitConversion, OfPrefixesIsExact) {
  const auto conversion = UnitConversion::between("cm", "m");
  EXPECT_EQ(conversion.multiplier(), 1);
  EXPECT_EQ(conversion.divisor(), 100);
  EXPECT_EQ(UnitConversion::between("min", "hr").divisor(), 60);
  EXPECT_TRUE(UnitConversion::between("meters", "m").is_identity());
  EXPECT_TRUE(UnitConversion::between("degC", "K").has_offset());
}

// Each in units that say the same, with the factor that its definition gives.
INSTANTIATE_TEST_SUITE_P(
    Definitions, Conversions,
    testing::Values(Row{"Ohm", "V/A", 1, 1}, Row{"lm", "cd*sr", 1, 1}, Row{"lx", "lm/m2", 1, 1},
                    Row{"sr", "rad**2", 1, 1}, Row{"deg**2", "sr", 1, 3.0461741978670857e-4},
                    Row{"degree", "arcmin", 1, 60}, Row{"arcmin", "arcsec", 1, 60},
                    Row{"arcsec", "mas", 1, 1000}, Row{"hourangle", "deg", 1, 15},
                    Row{"rad/s", "deg/s", 1, 57.295779513082323}, Row{"%", "", 1, 0.01},
                    Row{"", "%", 0.5, 50}, Row{"%*m", "cm", 1, 1}, Row{"Hz", "s-1", 1, 1},
                    Row{"dyn", "N", 1, 1e-5}, Row{"Ba", "Pa", 1, 0.1}, Row{"G", "T", 1, 1e-4},
                    Row{"statC", "C", 1, 3.3356409519815204e-10}, Row{"Mx", "Wb", 1, 1e-8},
                    Row{"W", "J/s", 1, 1}, Row{"bar", "Pa", 1, 1e5}, Row{"V", "W/A", 1, 1},
                    Row{"F", "C/V", 1, 1}, Row{"H", "Wb/A", 1, 1}, Row{"Sv", "J/kg", 1, 1},
                    Row{"M", "mol/m3", 1, 1000}, Row{"yr", "d", 1, 365.25}, Row{"d", "hr", 1, 24},
                    Row{"pc", "m", 1, 3.0856775814913673e16}, Row{"au", "m", 1, 149597870700},
                    Row{"ly", "m", 1, 9460730472580800}, Row{"eV", "J", 1, 1.602176634e-19},
                    Row{"yd", "ft", 1, 3}, Row{"mi", "ft", 1, 5280}, Row{"fur", "mi", 8, 1},
                    Row{"mil", "ft", 12000, 1}, Row{"lbf", "N", 1, 4.4482216152605},
                    Row{"lb", "kg", 1, 0.45359237}, Row{"atm", "Pa", 1, 101325},
                    Row{"hp", "W", 1, 745.69987158227022}, Row{"oz", "lb", 16, 1},
                    Row{"ton", "lb", 1, 2000}, Row{"slug", "lb", 1, 32.174048556430442},
                    Row{"psi", "Pa", 1, 6894.7572931683608}, Row{"BTU", "J", 1, 1055.05585262},
                    Row{"amu", "kg", 1, 1.66053906660e-27}, Row{"Angstrom", "nm", 10, 1},
                    Row{"degR", "K", 9, 5}, Row{"ac", "ft**2", 1, 43560}, Row{"a", "m2", 1, 100},
                    Row{"ha", "a", 1, 100}, Row{"Jy", "W*m-2*Hz-1", 1, 1e-26}));

Status refused(const char* from, const char* to, std::string& detail) {
  try {
    UnitConversion::between(from, to);
  } catch (const Error& error) {
    detail = error.detail();
    return error.code();
  }
  return Status::ok;
}

TEST(UnitConversion, RefusesWhatIsNone) {
  std::string detail;
  EXPECT_EQ(refused("m", "s", detail), Status::type);
  EXPECT_EQ(detail, "units.incompatible");
  EXPECT_EQ(refused("s", "Hz", detail), Status::type) << "a reciprocal is another unit";
  EXPECT_EQ(refused("", "m", detail), Status::type);
  EXPECT_EQ(refused("inch", "m", detail), Status::unsupported);
  EXPECT_EQ(detail, "units.unknown");
  EXPECT_EQ(refused("lat", "deg", detail), Status::unsupported);
}

// UDUNITS-2 takes angles for numbers.
TEST(UnitConversion, KnowsAnglesFromNumbers) {
  std::string detail;
  for (const auto& [from, to] :
       std::initializer_list<std::pair<const char*, const char*>>{{"rad", "sr"},
                                                                  {"lm", "cd"},
                                                                  {"%", "deg"},
                                                                  {"%", "rad"},
                                                                  {"deg", "sr"},
                                                                  {"lx", "cd/m2"},
                                                                  {"rad/s", "Hz"},
                                                                  {"rad", "1"},
                                                                  {"deg", "2"},
                                                                  {"%", "sr"},
                                                                  {"deg", "degC"},
                                                                  {"sr**0.5", "sr"}}) {
    EXPECT_EQ(refused(from, to, detail), Status::type) << from << " " << to;
    EXPECT_EQ(refused(to, from, detail), Status::type) << to << " " << from;
    EXPECT_EQ(detail, "units.incompatible");
  }
}

TEST(UnitConversion, WorksInManyThreads) {
  std::vector<std::thread> threads;
  std::array<double, 4> results{};
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&results, i] {
      for (int k = 0; k < 50; ++k) results[i] = UnitConversion::between("degF", "K").apply(32);
    });
  for (auto& thread : threads) thread.join();
  for (const double result : results) EXPECT_DOUBLE_EQ(result, 273.15);
}

// In a process of its own, because the database is read once.
TEST(UnitDatabaseDeathTest, IsNamedWhereItCannotBeRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("UDUNITS2_XML_PATH", "/nonexistent/udunits2.xml", 1);
        std::string detail;
        bool good = refused("hr", "s", detail) == Status::io && detail == "units.database";
        try {
          UnitConversion::between("ft", "m");
        } catch (const Error& error) {
          good = good && error.message().find("/nonexistent/udunits2.xml") != std::string::npos &&
                 error.message().find("UDUNITS2_XML_PATH") != std::string::npos;
        }
        // What needs no database still works.
        good = good && UnitConversion::between("cm", "m").apply(150) == 1.5 &&
               canonical_units("hours") == "hr";
        std::exit(good ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(UnitDatabase, IsNotWhereTheVariableOfAPrivilegedProcessPoints) {
  using polycodec::schema::database_path;
  EXPECT_EQ(database_path(nullptr, false, false), nullptr);
  EXPECT_EQ(database_path(nullptr, true, false), nullptr);
  EXPECT_EQ(database_path(nullptr, false, true), nullptr);
  EXPECT_STREQ(database_path(nullptr, true, true), POLYCODEC_UNIT_DATABASE);
  EXPECT_STREQ(database_path("/own.xml", false, false), "/own.xml");
  EXPECT_EQ(database_path("/own.xml", true, false), nullptr);
  EXPECT_STREQ(database_path("/own.xml", true, true), "/own.xml");
}

// A copy of this program that belongs to somebody else runs with that owner's rights.
TEST(UnitDatabase, IgnoresTheVariableInAProgramOfAnotherOwner) {
  if (std::getenv("POLYCODEC_TEST_CHILD") != nullptr) {
    std::string detail;
    if (::getauxval(AT_SECURE) == 0) std::_Exit(2);
    std::_Exit(refused("hr", "s", detail) == Status::ok ? 0 : 1);
  }
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  namespace fs = std::filesystem;
  std::string directory = (fs::temp_directory_path() / "polycodec-XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  ASSERT_EQ(::chmod(directory.c_str(), 0755), 0);
  const std::string program = directory + "/test";
  fs::copy_file("/proc/self/exe", program);
  ASSERT_EQ(::chown(program.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("UDUNITS2_XML_PATH", "/nonexistent/udunits2.xml", 1);
    ::setenv("POLYCODEC_TEST_CHILD", "1", 1);
    ::execl(program.c_str(), program.c_str(),
            "--gtest_filter=UnitDatabase.IgnoresTheVariableInAProgramOfAnotherOwner", nullptr);
    std::_Exit(2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  fs::remove_all(directory);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 1)
    GTEST_SKIP() << "such programs do not run here";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace

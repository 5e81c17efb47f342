// SPDX-License-Identifier: MIT
// `polycodec schema`: infer, validate, normalize.
#include "command.hpp"

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;

constexpr const char* meters = R"({"type":"scalar","subtype":"float","precision":8,"units":"m"})";
constexpr const char* centimeters = R"({"type": "annotated[int32, units='cm']", "value": 150})";

TEST_F(Command, SchemaInfer) {
  EXPECT_EQ(run({"schema", "infer", vector("nd_i4_le_2x3")}).out,
            R"({"type":"ndarray","subtype":"int","precision":4,"shape":[2,3]})"
            "\n");
  EXPECT_EQ(run({"schema", "infer", "--minimal", vector("nd_i4_le_2x3")}).out,
            R"({"type":"ndarray","subtype":"int","precision":4})"
            "\n");
  EXPECT_NE(
      run({"schema", "infer", "--pretty", "-"}, centimeters).out.find("\n  \"units\": \"cm\""),
      std::string::npos);
}

TEST_F(Command, SchemaValidateTellsEveryProblem) {
  write("m.json", meters);
  const Finished bad = run({"schema", "validate", "m.json", "-"}, centimeters);
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.out.find("$: wanted is float"), std::string::npos) << bad.out << bad.err;
  write("o.json",
        R"({"properties":{"a":{"maximum":1},"b":{"deprecated":"use a"}},"required":["c"]})");
  const Finished json = run({"schema", "validate", "o.json", "-", "--json"},
                            R"({"type": "{a: int64, b: int64}", "value": {"a": 2, "b": 3}})");
  EXPECT_EQ(json.status, 1) << json.err;
  const Json object = Json::parse(json.out);
  EXPECT_FALSE(object["ok"]);
  ASSERT_EQ(object["problems"].size(), 2u);
  EXPECT_EQ(object["problems"][0]["path"], "$.a");
  EXPECT_EQ(object["problems"][1]["keyword"], "required");
  EXPECT_EQ(object["warnings"][0]["reason"], "use a");
  EXPECT_EQ(
      run({"schema", "validate", "o.json", "-"}, R"({"type": "{c: int64}", "value": {"c": 2}})")
          .status,
      0);
}

TEST_F(Command, SchemasNameRegisteredTypes) {
  write("c.json", R"({"types": {"lab.point": "{x: float64, y: float64}"}})");
  write("s.json", R"({"type": "lab.point"})");
  const auto validate = [&](const std::string& value) {
    return run({"schema", "validate", "s.json", "-", "--config", "c.json"}, value);
  };
  const Finished good =
      validate(R"({"type": "{x: float64, y: float64}", "value": {"x": 1.0, "y": 2.5}})");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  const Finished bad =
      validate(R"({"type": "{x: float64, z: float64}", "value": {"x": 1.0, "z": 2.5}})");
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.out.find("wanted is 'lab.point'"), std::string::npos) << bad.out << bad.err;
}

TEST_F(Command, SchemaNormalize) {
  write("m.json", meters);
  EXPECT_EQ(run({"schema", "normalize", "m.json", "-"}, centimeters).out,
            R"({"type": "annotated[float64, units='m']", "value": 1.5})"
            "\n");
  write("i.json", R"({"type":"scalar","subtype":"int","precision":4,"units":"m"})");
  const Finished refused = run({"schema", "normalize", "i.json", "-"}, centimeters);
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("150 is 1.5 in the wanted unit"), std::string::npos) << refused.err;
  EXPECT_EQ(run({"schema", "normalize", "i.json", "-", "--rounding", "all"}, centimeters).out,
            R"({"type": "annotated[int32, units='m']", "value": 2})"
            "\n");
  write("d.json", R"({"type":"object","properties":{"x":{"default":5}}})");
  const std::string empty = R"({"type": "{}", "value": {}})";
  EXPECT_NE(run({"schema", "normalize", "d.json", "-"}, empty).out.find("\"x\": 5"),
            std::string::npos);
  EXPECT_EQ(run({"schema", "normalize", "d.json", "-", "--defaults", "none"}, empty).out,
            empty + "\n");
  EXPECT_EQ(run({"schema", "normalize", "d.json", "-", "--defaults", "some"}, empty).status, 2);
  EXPECT_EQ(run({"schema", "normalize", "d.json", "-", "-o", "out.msgpack"}, empty).status, 0);
  EXPECT_NE(run({"decode", "out.msgpack"}).out.find("\"x\": 5"), std::string::npos);
}

TEST_F(Command, SchemaThatIsWrongIsRefused) {
  write("s.json", R"({"type":"scalar","subtype":"quaternion"})");
  const Finished bad = run({"schema", "validate", "s.json", "-"}, centimeters);
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.err.find("$.subtype"), std::string::npos) << bad.err;
}

}  // namespace

// SPDX-License-Identifier: MIT
// What normalization does, a row for each statement of what yggdrasil does and of where we differ.
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include "core/value/value.hpp"
#include "rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::schema {
namespace {

struct Row {
  const char* name;
  const char* schema;
  const char* type;   ///< of the value, in type notation
  const char* value;  ///< its JSON
  const char* result;
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

constexpr const char* int_1 = R"({"type":"scalar","subtype":"int","precision":1})";
constexpr const char* int_4 = R"({"type":"scalar","subtype":"int","precision":4})";
constexpr const char* uint_4 = R"({"type":"scalar","subtype":"uint","precision":4})";
constexpr const char* float_4 = R"({"type":"scalar","subtype":"float","precision":4})";
constexpr const char* float_8 = R"({"type":"scalar","subtype":"float","precision":8})";
constexpr const char* meters = R"({"type":"scalar","subtype":"float","precision":8,"units":"m"})";
constexpr const char* int_meters = R"({"type":"scalar","subtype":"int","precision":4,"units":"m"})";

class Normalized : public testing::TestWithParam<Row> {};
TEST_P(Normalized, IsWhatTheSchemaWants) {
  const Row& row = GetParam();
  EXPECT_EQ(normalized(row.schema, value_of(row.type, row.value)), row.result);
}

INSTANTIATE_TEST_SUITE_P(
    Casts, Normalized,
    testing::Values(
        Row{"int to float", float_8, "int32", "5", R"({"type": "float64", "value": 5.0})"},
        Row{"plain integer to float", float_4, "int64", "5",
            R"({"type": "float32", "value": 5.0})"},
        Row{"integer fits number", R"({"type":"number"})", "int64", "5",
            R"({"type": "int64", "value": 5})"},
        Row{"number to complex", R"({"type":"complex"})", "float64", "1.5",
            R"({"type": "complex[float64]", "value": {"$complex": [1.5, 0.0]}})"},
        Row{"complex without imaginary part to float", float_8, "complex[float64]",
            R"({"$complex":[2.5,0.0]})", R"({"type": "float64", "value": 2.5})"},
        Row{"complex with imaginary part to float", float_8, "complex[float64]",
            R"({"$complex":[2.5,1.0]})", "range schema.precision $"},
        Row{"float with integral value to int", int_4, "float64", "5.0",
            R"({"type": "int32", "value": 5})"},
        Row{"float with integral value to integer", R"({"type":"integer"})", "float64", "5.0",
            R"({"type": "int64", "value": 5})"},
        Row{"5.5 to int", int_4, "float64", "5.5", "range schema.precision $"},
        Row{"nan to int", int_4, "float64", R"({"$float":"nan"})", "range schema.precision $"},
        Row{"inf to int", int_4, "float64", R"({"$float":"inf"})", "range schema.precision $"},
        Row{"negative to uint", uint_4, "int64", "-1", "range schema.precision $"},
        Row{"out of range", int_1, "int64", "128", "range schema.precision $"},
        Row{"least of range", int_1, "int64", "-128", R"({"type": "int8", "value": -128})"},
        Row{"below range", int_1, "int64", "-129", "range schema.precision $"},
        Row{"int64 that holds 5 to int32", int_4, "int64", "5", R"({"type": "int32", "value": 5})"},
        Row{"uint64 beyond int64", R"({"type":"scalar","subtype":"int","precision":8})", "uint64",
            "18446744073709551615", "range schema.precision $"},
        Row{"2 to the 63 to int64", R"({"type":"scalar","subtype":"int","precision":8})", "float64",
            "9223372036854775808.0", "range schema.precision $"},
        Row{"float64 to float32 rounds", float_4, "float64", "0.1",
            R"({"type": "float32", "value": 0.1})"},
        Row{"float64 beyond float32", float_4, "float64", "1e300", "range schema.precision $"},
        Row{"infinity to float32", float_4, "float64", R"({"$float":"-inf"})",
            R"({"type": "float32", "value": {"$float": "-inf"}})"},
        Row{"float32 to float16", R"({"type":"scalar","subtype":"float","precision":2})", "float32",
            "1.0", R"({"type": "float16", "value": 1.0})"},
        Row{"subtype alone keeps the precision", R"({"type":"int"})", "int8", "5",
            R"({"type": "int8", "value": 5})"},
        Row{"subtype alone widens", R"({"type":"float"})", "int8", "5",
            R"({"type": "float64", "value": 5.0})"},
        Row{"long double", R"({"type":"scalar","subtype":"float","precision":16})", "float64",
            "1.0", "unsupported schema.precision $"},
        Row{"a boolean is not a number", float_8, "bool", "true", "type schema.type $"},
        Row{"null is no number", float_8, "null", "null", "type schema.type $"},
        Row{"number is no text", R"({"type":"string"})", "int64", "5", "type schema.type $"}));

INSTANTIATE_TEST_SUITE_P(
    Texts, Normalized,
    testing::Values(
        Row{"numeric text to integer", R"({"type":"integer"})", "string", R"("5")",
            R"({"type": "int64", "value": 5})"},
        Row{"numeric text to number", R"({"type":"number"})", "string", R"("2.5")",
            R"({"type": "float64", "value": 2.5})"},
        Row{"numeric text to typed scalar", int_4, "string", R"("5")",
            R"({"type": "int32", "value": 5})"},
        Row{"other text to integer", R"({"type":"integer"})", "string", R"("5x")",
            "type schema.type $"},
        Row{"word for nan to number", R"({"type":"number"})", "string", R"("nan")",
            "type schema.type $"},
        Row{"empty text to integer", R"({"type":"integer"})", "string", R"("")",
            "type schema.type $"},
        Row{"text fits scalar string", R"({"type":"scalar","subtype":"string"})", "string",
            R"("a")", R"({"type": "string", "value": "a"})"},
        Row{"text to encoded scalar", R"({"type":"scalar","subtype":"string","encoding":"UCS4"})",
            "string", R"("a")", R"({"type": "annotated[string, encoding='UCS4']", "value": "a"})"},
        Row{"unicode", R"({"type":"unicode"})", "string", R"("a")",
            R"({"type": "annotated[string, encoding='UCS4']", "value": "a"})"},
        Row{"bytes to string", R"({"type":"string"})", "bytes", R"({"$bytes":"aGk="})",
            R"({"type": "string", "value": "hi"})"},
        Row{"bytes that are no text to string", R"({"type":"string"})", "bytes",
            R"({"$bytes":"/w=="})", "range schema.encoding $"},
        Row{"text to bytes", R"({"type":"bytes"})", "string", R"("hi")",
            R"({"type": "bytes", "value": {"$bytes": "aGk="}})"},
        Row{"text beyond ASCII", R"({"type":"scalar","subtype":"string","encoding":"ASCII"})",
            "string", R"("é")", "range schema.encoding $"},
        Row{"text longer than precision", R"({"type":"scalar","subtype":"string","precision":2})",
            "bytes", R"({"$bytes":"YWJj"})", "invalid schema.precision $"},
        Row{"precision counts bytes of the encoding",
            R"({"type":"scalar","subtype":"string","precision":7,"encoding":"UCS4"})", "string",
            R"("ab")", "invalid schema.precision $"}));

INSTANTIATE_TEST_SUITE_P(
    Units, Normalized,
    testing::Values(
        Row{"150 cm to 1.5 m", meters, "annotated[float64, units='cm']", "150.0",
            R"({"type": "annotated[float64, units='m']", "value": 1.5})"},
        Row{"degC to K", R"({"type":"scalar","subtype":"float","units":"K"})",
            "annotated[float64, units='degC']", "25.0",
            R"({"type": "annotated[float64, units='K']", "value": 298.15})"},
        Row{"units are added", meters, "float64", "2.0",
            R"({"type": "annotated[float64, units='m']", "value": 2.0})"},
        Row{"units are added to an integer", int_meters, "int64", "2",
            R"({"type": "annotated[int32, units='m']", "value": 2})"},
        Row{"incompatible units", meters, "annotated[float64, units='s']", "1.0",
            "type units.incompatible $"},
        Row{"unknown units", meters, "annotated[float64, units='inch']", "1.0",
            "unsupported units.unknown $"},
        Row{"unknown units are kept where none are asked for", float_4,
            "annotated[float64, units='inch']", "1.0",
            R"({"type": "annotated[float32, units='inch']", "value": 1.0})"},
        Row{"the same unknown unit", R"({"type":"scalar","units":"inch"})",
            "annotated[float64, units='inch']", "1.0",
            R"({"type": "annotated[float64, units='inch']", "value": 1.0})"},
        Row{"another name of the same unit", meters, "annotated[float64, units='meters']", "1.0",
            R"({"type": "annotated[float64, units='meters']", "value": 1.0})"},
        Row{"int 150 cm is no int of meters", int_meters, "annotated[int32, units='cm']", "150",
            "range schema.units $"},
        Row{"int 300 cm is int 3 m", int_meters, "annotated[int32, units='cm']", "300",
            R"({"type": "annotated[int32, units='m']", "value": 3})"},
        Row{"float 300 cm is int 3 m", int_meters, "annotated[float64, units='cm']", "300.0",
            R"({"type": "annotated[int32, units='m']", "value": 3})"},
        Row{"large integers are exact",
            R"({"type":"scalar","subtype":"int","precision":8,"units":"mm"})",
            "annotated[int64, units='m']", "9007199254740993",
            R"({"type": "annotated[int64, units='mm']", "value": 9007199254740993000})"},
        Row{"overflow by units", int_meters, "annotated[int64, units='km']", "9223372036854775807",
            "range schema.units $"},
        Row{"int feet are no int of meters", int_meters, "annotated[int32, units='ft']", "10",
            "range schema.units $"},
        Row{"int degC to int K", R"({"type":"scalar","subtype":"int","units":"K"})",
            "annotated[int32, units='degC']", "25", "range schema.units $"},
        Row{"int degF to int degC", R"({"type":"scalar","subtype":"int","units":"degC"})",
            "annotated[int32, units='degF']", "212",
            R"({"type": "annotated[int32, units='degC']", "value": 100})"},
        Row{"complex with units", R"({"type":"complex","units":"g"})",
            "annotated[complex[float64], units='kg']", R"({"$complex":[1.5,-2.0]})",
            R"({"type": "annotated[complex[float64], units='g']", "value": {"$complex": [1500.0, -2000.0]}})"},
        Row{"a plain number has no unit", R"({"type":"number"})", "annotated[float64, units='m']",
            "1.0", "type schema.type $"}));

INSTANTIATE_TEST_SUITE_P(
    Arrays, Normalized,
    testing::Values(
        Row{"elements are cast", R"({"type":"ndarray","subtype":"float","precision":4})",
            "3 * int64", "[1,2,3]", R"({"type": "3 * float32", "value": [1.0, 2.0, 3.0]})"},
        Row{"elements out of range", R"({"type":"ndarray","subtype":"int","precision":1})",
            "2 * 2 * int64", "[[1,2],[3,400]]", "range schema.precision $[1][1]"},
        Row{"units of arrays", R"({"type":"ndarray","units":"m"})",
            "annotated[2 * float64, units='cm']", "[100.0,250.0]",
            R"({"type": "annotated[2 * float64, units='m']", "value": [1.0, 2.5]})"},
        Row{"int arrays with units", R"({"type":"ndarray","units":"m"})",
            "annotated[2 * int64, units='cm']", "[100,250]", "range schema.units $[1]"},
        Row{"units are added to arrays", R"({"type":"ndarray","units":"m"})", "2 * float64",
            "[1.0,2.0]", R"({"type": "annotated[2 * float64, units='m']", "value": [1.0, 2.0]})"},
        Row{"scalar to one-element array", R"({"type":"ndarray"})", "float64", "1.0",
            "type schema.type $"},
        Row{"list to ndarray", R"({"type":"ndarray"})", "(float64, string)",
            R"({"$tuple":[1.0,"a"]})", "type schema.type $"},
        Row{"one-element array to scalar", float_8, "1 * float64", "[1.0]", "type schema.type $"},
        Row{"allowSingular", R"({"type":"ndarray","allowSingular":true})", "float64", "1.0",
            R"({"type": "1 * float64", "value": [1.0]})"},
        Row{"allowWrapped", R"({"type":"scalar","allowWrapped":true})", "1 * float64", "[1.0]",
            R"({"type": "float64", "value": 1.0})"},
        Row{"allowWrapped with two", R"({"type":"scalar","allowWrapped":true})", "2 * float64",
            "[1.0,2.0]", "type schema.type $"},
        Row{"wrong shape", R"({"type":"ndarray","shape":[3]})", "2 * float64", "[1.0,2.0]",
            "invalid schema.shape $"},
        Row{"wrong ndim", R"({"type":"ndarray","ndim":2})", "2 * float64", "[1.0,2.0]",
            "invalid schema.ndim $"},
        Row{"wrong length", R"({"type":"1darray","length":3})", "2 * float64", "[1.0,2.0]",
            "invalid schema.length $"},
        Row{"two dimensions are no 1darray", R"({"type":"1darray"})", "1 * 1 * float64", "[[1.0]]",
            "type schema.type $"},
        Row{"empty array", R"({"type":"ndarray","subtype":"int","precision":2})", "0 * float64",
            "[]", R"({"type": "0 * int16", "value": []})"},
        Row{"texts to another encoding",
            R"({"type":"ndarray","subtype":"string","encoding":"UCS4"})",
            "2 * fixed_string[2, 'utf8']", R"(["é","ab"])",
            R"({"type": "2 * fixed_string[2, 'utf32']", "value": ["é", "ab"]})"},
        Row{"texts in two dimensions", R"({"type":"ndarray","subtype":"unicode"})",
            "1 * 2 * fixed_string[2, 'utf8']", R"([["a","bc"]])",
            R"({"type": "1 * 2 * fixed_string[2, 'utf32']", "value": [["a", "bc"]]})"},
        Row{"bytes to texts", R"({"type":"ndarray","subtype":"string","encoding":"ASCII"})",
            "1 * fixed_bytes[2]", R"([{"$bytes":"aGk="}])",
            R"({"type": "annotated[1 * fixed_string[2], encoding='ASCII']", "value": ["hi"]})"},
        Row{"bytes that are no texts", R"({"type":"ndarray","subtype":"string","encoding":"UTF8"})",
            "1 * fixed_bytes[1]", R"([{"$bytes":"/w=="}])", "range schema.encoding $[0]"},
        Row{"texts too wide", R"({"type":"ndarray","subtype":"string","precision":1})",
            "1 * fixed_string[3, 'utf8']", R"(["ab"])", "range schema.precision $"},
        Row{"texts with padding to spare", R"({"type":"ndarray","subtype":"string","precision":2})",
            "1 * fixed_string[9, 'utf8']", R"(["ab"])",
            R"({"type": "1 * fixed_string[2]", "value": ["ab"]})"},
        Row{"items of a leaf in one go",
            R"({"type":"array","items":{"type":"scalar","subtype":"int","precision":2}})",
            "3 * int64", "[1,2,3]", R"({"type": "3 * int16", "value": [1, 2, 3]})"}));

INSTANTIATE_TEST_SUITE_P(
    Containers, Normalized,
    testing::Values(
        Row{"allowSingular list", R"({"type":"array","allowSingular":true})", "string", R"("a")",
            R"({"type": "1 * string", "value": {"$list": ["a"]}})"},
        Row{"allowSingular object",
            R"({"type":"object","allowSingular":true,"properties":{"x":{"type":"integer"}}})",
            "int64", "5", R"({"type": "{x: int64}", "value": {"x": 5}})"},
        Row{"allowSingular object by name",
            R"({"type":"object","allowSingular":"y","properties":{"x":{},"y":{"type":"integer"}}})",
            "int64", "5", R"({"type": "{y: int64}", "value": {"y": 5}})"},
        Row{"allowWrapped object", R"({"type":"integer","allowWrapped":"x"})", "{x: int64}",
            R"({"x":5})", R"({"type": "int64", "value": 5})"},
        Row{"allowWrapped under another name", R"({"type":"integer","allowWrapped":"y"})",
            "{x: int64}", R"({"x":5})", "type schema.type $"},
        Row{"alias",
            R"({"type":"object","properties":{"x":{"type":"integer","aliases":["ex","X"]}}})",
            "{X: int64}", R"({"X":5})", R"({"type": "{x: int64}", "value": {"x": 5}})"},
        Row{"alias and the real key", R"({"type":"object","properties":{"x":{"aliases":["X"]}}})",
            "{X: int64, x: int64}", R"({"X":5,"x":6})", "invalid schema.aliases $.X"},
        Row{"two aliases", R"({"type":"object","properties":{"x":{"aliases":["X","ex"]}}})",
            "{X: int64, ex: int64}", R"({"X":5,"ex":6})", "invalid schema.aliases $.ex"},
        Row{"default of a required property",
            R"({"type":"object","properties":{"x":{"default":5}},"required":["x"]})", "{}", "{}",
            R"({"type": "{x: int64}", "value": {"x": 5}})"},
        Row{"default of another property", R"({"type":"object","properties":{"x":{"default":5}}})",
            "{}", "{}", R"({"type": "{x: int64}", "value": {"x": 5}})"},
        Row{"a default is normalized",
            R"({"type":"object","properties":{"x":{"type":"scalar","subtype":"float","precision":4,"units":"m","default":5}}})",
            "{}", "{}", R"({"type": "{x: annotated[float32, units='m']}", "value": {"x": 5.0}})"},
        Row{"required without default",
            R"({"type":"object","properties":{"x":{}},"required":["x"]})", "{}", "{}",
            "invalid schema.required $"},
        Row{"table row",
            R"({"type":"array","items":[{"type":"scalar","subtype":"string","title":"name"},
             {"type":"scalar","subtype":"int","precision":4,"units":"umol","title":"count"},
             {"type":"scalar","subtype":"float","precision":8,"units":"cm","title":"size"}]})",
            "(string, int64, float64)", R"({"$tuple":["one",1,1.0]})",
            R"x({"type": "(string, annotated[int32, units='umol'], annotated[float64, units='cm'])", "value": {"$tuple": ["one", 1, 1.0]}})x"},
        Row{"table by columns",
            R"({"type":"array","items":[{"type":"ndarray","subtype":"float","precision":8,"units":"m"},
             {"type":"ndarray","subtype":"int","precision":2}]})",
            "2 * {x: float32, y: int64}", R"([{"x":1.5,"y":2},{"x":2.5,"y":3}])",
            R"({"type": "2 * {x: annotated[float64, units='m'], y: int16}", "value": [{"x": 1.5, "y": 2}, {"x": 2.5, "y": 3}]})"},
        Row{"items", R"({"type":"array","items":{"type":"integer"}})", "(float64, string)",
            R"({"$tuple":[1.0,"2"]})",
            R"x({"type": "(int64, int64)", "value": {"$tuple": [1, 2]}})x"},
        Row{"path of an item", R"({"properties":{"a":{"items":{"type":"integer"}}}})",
            "{a: (float64, string)}", R"({"a":{"$tuple":[1.0,"x"]}})", "type schema.type $.a[1]"},
        Row{"pattern properties", R"({"patternProperties":{"^n_":{"type":"number"}}})",
            "{n_x: string, s: string}", R"({"n_x":"1.5","s":"2"})",
            R"({"type": "{n_x: float64, s: string}", "value": {"n_x": 1.5, "s": "2"}})"},
        Row{"additional properties", R"({"additionalProperties":{"type":"integer"}})",
            "{x: string}", R"({"x":"2"})", R"({"type": "{x: int64}", "value": {"x": 2}})"},
        Row{"anyOf prefers what fits as it is",
            R"({"anyOf":[{"type":"integer"},{"type":"string"}]})", "string", R"("5")",
            R"({"type": "string", "value": "5"})"},
        Row{"anyOf takes the first that can be made",
            R"({"anyOf":[{"type":"boolean"},{"type":"integer"}]})", "string", R"("5")",
            R"({"type": "int64", "value": 5})"},
        Row{"anyOf of none", R"({"anyOf":[{"type":"boolean"},{"type":"integer"}]})", "string",
            R"("x")", "invalid schema.anyOf $"},
        Row{"oneOf that two can be made", R"({"oneOf":[{"type":"number"},{"type":"integer"}]})",
            "string", R"("5")", "invalid schema.oneOf $"},
        Row{"type list", R"({"type":["null","integer"]})", "string", R"("5")",
            R"({"type": "int64", "value": 5})"},
        Row{"allOf adds up", R"({"allOf":[{"type":"number"},{"minimum":3}]})", "string", R"("5")",
            R"({"type": "int64", "value": 5})"},
        Row{"minimum holds after the cast",
            R"({"type":"scalar","subtype":"int","precision":4,"minimum":6})", "string", R"("5")",
            "invalid schema.minimum $"},
        Row{"minimum holds after the units", R"({"type":"scalar","units":"m","maximum":2})",
            "annotated[float64, units='cm']", "250.0", "invalid schema.maximum $"},
        Row{"references", R"({"$ref":"#/definitions/n","definitions":{"n":{"type":"integer"}}})",
            "string", R"("5")", R"({"type": "int64", "value": 5})"}));

// The unit of a list, an array or a column holds for the numbers in it: they are converted or
// refused, and never get another label.
constexpr const char* each_meters =
    R"({"type":"array","items":{"type":"scalar","subtype":"float","units":"m"}})";
constexpr const char* two_meters =
    R"({"type":"array","items":[{"type":"scalar","units":"m"},{"type":"scalar","units":"m"}]})";
INSTANTIATE_TEST_SUITE_P(
    UnitsOfContainers, Normalized,
    testing::Values(
        Row{"array, one schema", each_meters, "annotated[2 * float64, units='cm']", "[100.0,200.0]",
            R"({"type": "annotated[2 * float64, units='m']", "value": [1.0, 2.0]})"},
        Row{"array, list of schemas", two_meters, "annotated[2 * float64, units='cm']",
            "[100.0,200.0]",
            R"x({"type": "2 * annotated[float64, units='m']", "value": {"$list": [1.0, 2.0]}})x"},
        Row{"mass, one schema", each_meters, "annotated[2 * float64, units='kg']", "[1.0,2.0]",
            "type units.incompatible $"},
        Row{"mass, list of schemas", two_meters, "annotated[2 * float64, units='kg']", "[1.0,2.0]",
            "type units.incompatible $[0]"},
        Row{"items after the list of schemas",
            R"({"type":"array","items":[{"units":"m"}],"additionalItems":{"units":"km"}})",
            "annotated[2 * float64, units='cm']", "[100.0,100000.0]",
            R"x({"type": "(annotated[float64, units='m'], annotated[float64, units='km'])", "value": [1.0, 1.0]})x"},
        Row{"items without a schema keep the unit", R"({"items":[{"units":"m"}]})",
            "annotated[2 * float64, units='cm']", "[100.0,200.0]",
            R"x({"type": "(annotated[float64, units='m'], annotated[float64, units='cm'])", "value": [1.0, 200.0]})x"},
        Row{"items that are cast keep the unit",
            R"({"items":[{"subtype":"int","precision":4},{}]})", "annotated[2 * int64, units='cm']",
            "[1,2]",
            R"x({"type": "(annotated[int32, units='cm'], annotated[int64, units='cm'])", "value": [1, 2]})x"},
        Row{"a list with a unit", each_meters, "annotated[(float64, float64), units='cm']",
            R"({"$tuple":[100.0,200.0]})",
            R"x({"type": "(annotated[float64, units='m'], annotated[float64, units='m'])", "value": {"$tuple": [1.0, 2.0]}})x"},
        Row{"an own unit goes first", each_meters,
            "annotated[(annotated[float64, units='km'], float64), units='cm']",
            R"({"$tuple":[1.0,200.0]})",
            R"x({"type": "(annotated[float64, units='m'], annotated[float64, units='m'])", "value": {"$tuple": [1000.0, 2.0]}})x"},
        Row{"two dimensions", R"({"items":{"items":{"units":"m"}}})",
            "annotated[1 * 2 * float64, units='cm']", "[[100.0,200.0]]",
            R"x({"type": "1 * 2 * annotated[float64, units='m']", "value": {"$list": [[1.0, 2.0]]}})x"},
        Row{"an array in a list with a unit", R"({"items":[{"type":"ndarray","units":"m"}]})",
            "annotated[(2 * float64,), units='cm']", R"({"$tuple":[[100.0,200.0]]})",
            R"x({"type": "(annotated[2 * float64, units='m'])", "value": {"$tuple": [[1.0, 2.0]]}})x"},
        Row{"rows with columns of other units",
            R"({"items":{"type":"object","properties":{"x":{"type":"scalar","units":"m"}}}})",
            "1 * {x: annotated[float64, units='cm'], y: annotated[int64, units='s']}",
            R"([{"x":150.0,"y":2}])",
            R"x({"type": "1 * {x: annotated[float64, units='m'], y: annotated[int64, units='s']}", "value": {"$list": [{"x": 1.5, "y": 2}]}})x"},
        Row{"optional items",
            R"({"items":{"anyOf":[{"type":"null"},{"type":"scalar","units":"m"}]}})",
            "2 * ?annotated[float64, units='cm']", "[null,150.0]",
            R"x({"type": "2 * ?annotated[float64, units='m']", "value": {"$list": [null, 1.5]}})x"},
        Row{"a table in a unit",
            R"({"type":"array","items":[{"type":"ndarray","units":"m"},{"type":"ndarray"}]})",
            "annotated[1 * {x: float64, y: float64}, units='cm']", R"([{"x":100.0,"y":3.0}])",
            R"x({"type": "1 * {x: annotated[float64, units='m'], y: annotated[float64, units='cm']}", "value": [{"x": 1.0, "y": 3.0}]})x"},
        Row{"members of an object with a unit",
            R"({"properties":{"x":{"type":"scalar","units":"m"}}})",
            "annotated[{x: float64, y: float64}, units='cm']", R"({"x":100.0,"y":3.0})",
            R"x({"type": "{x: annotated[float64, units='m'], y: annotated[float64, units='cm']}", "value": {"x": 1.0, "y": 3.0}})x"},
        Row{"units without a type are added", R"({"items":{"units":"m"}})", "2 * float64",
            "[1.0,2.0]", R"({"type": "annotated[2 * float64, units='m']", "value": [1.0, 2.0]})"},
        Row{"no plain numbers", R"({"type":"array","items":{"type":"number"}})",
            "annotated[2 * float64, units='cm']", "[1.0,2.0]", "type schema.type $[0]"},
        Row{"texts of digits", R"({"items":{"type":"scalar","subtype":"float","units":"m"}})",
            "annotated[(string,), units='cm']", R"({"$tuple":["150"]})",
            R"x({"type": "(annotated[float64, units='m'])", "value": {"$tuple": [1.5]}})x"},
        Row{"texts with a unit are no plain numbers", R"({"type":"integer"})",
            "annotated[string, units='cm']", R"("150")", "type schema.type $"},
        Row{"unwrapped", R"({"type":"scalar","units":"m","allowWrapped":true})",
            "annotated[1 * float64, units='cm']", "[150.0]",
            R"({"type": "annotated[float64, units='m']", "value": 1.5})"},
        Row{"wrapped in a list with a unit",
            R"({"items":{"type":"ndarray","allowSingular":true,"units":"m"}})",
            "annotated[(float64,), units='cm']", R"({"$tuple":[150.0]})",
            R"x({"type": "(annotated[1 * float64, units='m'])", "value": {"$tuple": [[1.5]]}})x"}));

// Random lists, arrays and objects with units at every level: each number measures the same after.
class RandomLengths {
 public:
  explicit RandomLengths(unsigned seed) : random_(seed) {}
  std::vector<double> meters;  ///< of the numbers in their order

  polycodec_node make(Builder& out, double unit, unsigned depth) {
    constexpr std::pair<const char*, double> units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"km", 1e3}};
    const auto& [name, own] = units[random_() % 3];
    const bool has_unit = random_() % 2 == 0;
    const polycodec_node made = proper(out, has_unit ? own : unit, depth);
    if (!has_unit) return made;
    return out.annotated(made, out.object({{"units", out.string_copy(name)}}));
  }

 private:
  double number(double unit) {
    const auto made = static_cast<double>(random_() % 1000);
    meters.push_back(made * unit);
    return made;
  }
  polycodec_node proper(Builder& out, double unit, unsigned depth) {
    const auto size = random_() % 4;
    switch (depth == 0 ? random_() % 2 : random_() % 4) {
      case 0:
        return Builder::real(number(unit));
      case 1: {
        auto* numbers = out.allocate<double>(2);
        numbers[0] = number(unit);
        numbers[1] = number(unit);
        return Builder::array(out.vector(std::span<const double>(numbers, 2)));
      }
      case 2: {
        std::vector<Member> members;
        for (unsigned i = 0; i < size; ++i)
          members.push_back({out.copy_text(std::to_string(i)), make(out, unit, depth - 1)});
        return out.object(std::span<const Member>(members));
      }
      default: {
        std::vector<polycodec_node> items;
        for (unsigned i = 0; i < size; ++i) items.push_back(make(out, unit, depth - 1));
        return out.list(std::span<const polycodec_node>(items));
      }
    }
  }
  std::mt19937 random_;
};

void append_numbers(const View& item, std::vector<double>& numbers) {
  if (item.is_number()) return numbers.push_back(item.as_double());
  for (std::uint64_t i = 0; i < item.size(); ++i) append_numbers(item.child(i), numbers);
}

TEST(Normalize, KeepsWhatEachNumberMeasures) {
  const Schema schema = Schema::parse(R"({"anyOf":[
    {"type":"scalar","units":"m"},
    {"type":"array","items":{"$ref":"#"}},
    {"type":"object","additionalProperties":{"$ref":"#"}}]})");
  for (unsigned seed = 0; seed < 500; ++seed) {
    RandomLengths random(seed);
    const Value value = Value::build([&](Builder& out) { return random.make(out, 1, 3); });
    const Value made =
        Value::build([&](Builder& out) { return normalize(schema, value.view(), out); });
    std::vector<double> numbers;
    append_numbers(View(made.view()), numbers);
    ASSERT_EQ(numbers.size(), random.meters.size()) << to_text(value.view());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_DOUBLE_EQ(numbers[i], random.meters[i])
          << to_text(value.view()) << " to " << to_text(made.view());
  }
}

TEST(Validate, KnowsTheUnitOfTheContainer) {
  const Value lengths = value_of("annotated[2 * float64, units='cm']", "[1.0,2.0]");
  EXPECT_EQ(problems(each_meters, lengths), "units $[0]");
  EXPECT_EQ(problems(two_meters, lengths), "units $[0], units $[1]");
  EXPECT_EQ(problems(R"({"items":{"units":"cm"}})", lengths), "");
  EXPECT_EQ(problems(R"({"items":{"type":"number"}})", lengths), "type $[0]");
}

TEST(Infer, SaysTheUnitOfTheContainer) {
  const Value value = value_of("annotated[2 * ?int64, units='cm']", "[1,null]");
  const Schema schema = infer(value.view());
  EXPECT_EQ(
      schema.to_json(),
      R"({"type":"array","items":{"anyOf":[{"type":"scalar","subtype":"int","precision":8,"units":"cm"},{"type":"null"}]}})");
  EXPECT_EQ(problems(schema.to_json(), value), "");
}

TEST(Normalize, RoundsWhereItIsAskedTo) {
  NormalizeOptions options;
  options.rounding = Rounding::all;
  const auto to = [&](const char* type, const char* value) {
    return normalized(int_meters, value_of(type, value), options);
  };
  EXPECT_EQ(to("annotated[int32, units='cm']", "149"),
            R"({"type": "annotated[int32, units='m']", "value": 1})");
  EXPECT_EQ(to("annotated[int32, units='cm']", "150"),
            R"({"type": "annotated[int32, units='m']", "value": 2})");
  EXPECT_EQ(to("annotated[int32, units='cm']", "250"),
            R"({"type": "annotated[int32, units='m']", "value": 2})");
  EXPECT_EQ(to("annotated[int32, units='cm']", "-151"),
            R"({"type": "annotated[int32, units='m']", "value": -2})");
  EXPECT_EQ(to("annotated[int32, units='ft']", "10"),
            R"({"type": "annotated[int32, units='m']", "value": 3})");
  EXPECT_EQ(to("float64", "5.5"), R"({"type": "annotated[int32, units='m']", "value": 6})");
}

TEST(Normalize, RoundsNothingWhereItMustNot) {
  NormalizeOptions options;
  options.rounding = Rounding::none;
  EXPECT_EQ(normalized(float_4, value_of("float64", "0.1"), options), "range schema.precision $");
  EXPECT_EQ(normalized(float_4, value_of("float64", "0.5"), options),
            R"({"type": "float32", "value": 0.5})");
  EXPECT_EQ(normalized(float_8, value_of("int64", "9007199254740993"), options),
            "range schema.precision $");
  EXPECT_EQ(normalized(float_8, value_of("int64", "9007199254740992"), options),
            R"({"type": "float64", "value": 9007199254740992.0})");
}

TEST(Normalize, FillsDefaultsAsAsked) {
  const char* schema =
      R"({"type":"object","properties":{"a":{"default":1},"b":{"default":2}},"required":["a"]})";
  NormalizeOptions options;
  options.defaults = Defaults::required;
  EXPECT_EQ(normalized(schema, value_of("{}", "{}"), options),
            R"({"type": "{a: int64}", "value": {"a": 1}})");
  options.defaults = Defaults::none;
  EXPECT_EQ(normalized(schema, value_of("{}", "{}"), options), "invalid schema.required $");
}

TEST(Normalize, LeavesWhatFits) {
  const Schema schema =
      Schema::parse(R"({"type":"object","properties":{"x":{"type":"ndarray","subtype":"float"}}})");
  const Value value = value_of("{x: 3 * float64}", R"({"x":[1.0,2.0,3.0]})");
  const Value made =
      Value::build([&](Builder& out) { return normalize(schema, value.view(), out); });
  EXPECT_EQ(made.view().find("x")->as_array().data, value.view().find("x")->as_array().data);
}

TEST(Normalize, ReadsStridedAndSwappedArrays) {
  const std::array<std::byte, 8> bytes{std::byte{0}, std::byte{1}, std::byte{9}, std::byte{9},
                                       std::byte{0}, std::byte{2}, std::byte{9}, std::byte{9}};
  const Value value = Value::build([&](Builder& out) {
    return Builder::array(out.strided(bytes_of(std::span(bytes)), bytes.data(), 2, 4,
                                      POLYCODEC_DTYPE_INT16, 2, POLYCODEC_BIG_ENDIAN));
  });
  const Schema schema = Schema::parse(R"({"type":"ndarray","subtype":"int","precision":4})");
  const Value made =
      Value::build([&](Builder& out) { return normalize(schema, value.view(), out); });
  EXPECT_EQ(to_text(made.view()), R"({"type": "2 * int32", "value": [1, 2]})");
}

TEST(Normalize, GivesTheValueBackWhereItFails) {
  Value value = value_of("string", R"("x")");
  EXPECT_THROW((void)normalize(Schema::parse(R"({"type":"integer"})"), std::move(value)), Error);
  EXPECT_EQ(to_text(value.view()), R"({"type": "string", "value": "x"})");
}

TEST(Normalize, WarnsOfAliasesAndDeprecation) {
  std::vector<Problem> warnings;
  NormalizeOptions options;
  options.warnings = &warnings;
  normalized(R"({"properties":{"x":{"aliases":["X"]},"y":{"deprecated":"use x"}}})",
             value_of("{X: int64, y: int64}", R"({"X":1,"y":2})"), options);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].path, "$.X");
  EXPECT_EQ(warnings[1].reason, "use x");
}

TEST(Normalize, MarksMeshes) {
  const std::string made = normalized(
      R"({"type":"ply"})", value_of("{vertex: 1 * {x: float32}}", R"({"vertex":[{"x":1.0}]})"));
  EXPECT_NE(made.find("type='ply'"), std::string::npos) << made;
}

TEST(Normalize, NormalizesArgumentsOfInstances) {
  const Schema schema = Schema::parse(
      R"({"type":"instance","class":"m:C","args":[{"type":"integer"}],"kwargs":{"a":{"type":"number"}}})");
  Value value = Value::build([](Builder& out) {
    return out.extension("yggdrasil.instance",
                         out.object({{"class", out.string_copy("m:C")},
                                     {"args", out.list({out.string_copy("5")})},
                                     {"kwargs", out.object({{"a", out.string_copy("1.5")}})}}));
  });
  const Value made = normalize(schema, std::move(value));
  const NodeView payload(made.view().as_extension().payload);
  EXPECT_EQ(payload.at("args")[0].as_int64(), 5);
  EXPECT_EQ(payload.at("kwargs").at("a").as_double(), 1.5);
}

}  // namespace
}  // namespace polycodec::schema

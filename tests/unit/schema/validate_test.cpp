// SPDX-License-Identifier: MIT
// What validation finds: the keywords of JSON Schema draft 4, and yggdrasil's.
#include <polycodec/builder.hpp>

#include "rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace polycodec::schema {
namespace {

struct Row {
  const char* schema;
  const char* type;
  const char* value;
  const char* problems;  ///< keywords and paths
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.schema << " " << row.value;
}
class Validated : public testing::TestWithParam<Row> {};
TEST_P(Validated, FindsTheProblems) {
  const Row& row = GetParam();
  EXPECT_EQ(problems(row.schema, value_of(row.type, row.value)), row.problems);
}

INSTANTIATE_TEST_SUITE_P(
    Draft4, Validated,
    testing::Values(
        Row{"{}", "int64", "5", ""},
        Row{R"({"type":"any"})", "datetime[unit='s']", R"({"$datetime":"2020-01-01T00:00:00Z"})",
            ""},
        Row{R"({"type":["integer","null"]})", "null", "null", ""},
        Row{R"({"type":["integer","null"]})", "string", R"("x")", "type $"},
        Row{R"({"type":"integer"})", "float64", "5.0", "type $"},
        Row{R"({"type":"number"})", "uint8", "5", ""}, Row{R"({"minimum":3})", "int64", "3", ""},
        Row{R"({"minimum":3,"exclusiveMinimum":true})", "int64", "3", "minimum $"},
        Row{R"({"maximum":3})", "float64", "3.5", "maximum $"},
        Row{R"({"maximum":3,"exclusiveMaximum":true})", "int64", "3", "maximum $"},
        Row{R"({"minimum":9007199254740993})", "int64", "9007199254740992", "minimum $"},
        Row{R"({"minimum":9007199254740993})", "float64", "9007199254740994.0", ""},
        Row{R"({"maximum":18446744073709551615})", "uint64", "18446744073709551615", ""},
        Row{R"({"minimum":-0.5})", "int64", "-1", "minimum $"},
        Row{R"({"minimum":-0.5})", "int64", "0", ""},
        Row{R"({"minimum":0})", "float64", R"({"$float":"nan"})", "minimum $"},
        Row{R"({"minimum":0})", "string", R"("x")", ""},
        Row{R"({"multipleOf":0.1})", "float64", "0.3", ""},
        Row{R"({"multipleOf":3})", "int64", "10", "multipleOf $"},
        Row{R"({"minLength":2})", "string", R"("é")", "minLength $"},
        Row{R"({"maxLength":1})", "string", R"("é")", ""},
        Row{R"({"pattern":"b+"})", "string", R"("abba")", ""},
        Row{R"({"pattern":"^b+$"})", "string", R"("abba")", "pattern $"},
        Row{R"({"items":{"type":"integer"}})", "(int64, string)", R"({"$tuple":[1,"x"]})",
            "type $[1]"},
        Row{R"({"items":[{"type":"integer"}],"additionalItems":false})", "(int64, string)",
            R"({"$tuple":[1,"x"]})", "additionalItems $"},
        Row{R"({"items":[{"type":"integer"}],"additionalItems":{"type":"null"}})",
            "(int64, string)", R"({"$tuple":[1,"x"]})", "type $[1]"},
        Row{R"({"items":[{"type":"integer"}]})", "(int64, string)", R"({"$tuple":[1,"x"]})", ""},
        Row{R"({"minItems":3})", "2 * int64", "[1,2]", "minItems $"},
        Row{R"({"maxItems":1})", "2 * int64", "[1,2]", "maxItems $"},
        Row{R"({"uniqueItems":true})", "(int64, float64)", R"({"$tuple":[1,1.0]})",
            "uniqueItems $"},
        Row{R"({"uniqueItems":true})", "({a: int64, b: int64}, {b: int64, a: int64})",
            R"({"$tuple":[{"a":1,"b":2},{"b":2,"a":1}]})", "uniqueItems $"},
        Row{R"({"uniqueItems":true})", "(int64, string)", R"({"$tuple":[1,"1"]})", ""},
        Row{R"({"properties":{"a":{"type":"integer"}}})", "{a: string}", R"({"a":"x"})",
            "type $.a"},
        Row{R"({"required":["a","b"]})", "{a: string}", R"({"a":"x"})", "required $"},
        Row{R"({"additionalProperties":false,"properties":{"a":{}}})", "{a: int64, b: int64}",
            R"({"a":1,"b":2})", "additionalProperties $.b"},
        Row{R"({"additionalProperties":{"type":"null"}})", "{b: int64}", R"({"b":2})", "type $.b"},
        Row{R"({"patternProperties":{"^x":{"type":"null"}},"additionalProperties":false})",
            "{xy: int64}", R"({"xy":2})", "type $.xy"},
        Row{R"({"minProperties":1})", "{}", "{}", "minProperties $"},
        Row{R"({"maxProperties":1})", "{a: int64, b: int64}", R"({"a":1,"b":2})",
            "maxProperties $"},
        Row{R"({"dependencies":{"a":["b"]}})", "{a: int64}", R"({"a":1})", "dependencies $"},
        Row{R"({"dependencies":{"a":{"required":["b"]}}})", "{a: int64}", R"({"a":1})",
            "required $"},
        Row{R"({"dependencies":{"a":["b"]}})", "{c: int64}", R"({"c":1})", ""},
        Row{R"({"enum":[1,"x",null]})", "float64", "1.0", ""},
        Row{R"({"enum":[1,"x",null]})", "int64", "2", "enum $"},
        Row{R"({"enum":[{"a":1,"b":2}]})", "{b: int64, a: int64}", R"({"b":2,"a":1})", ""},
        Row{R"({"allOf":[{"minimum":3},{"maximum":1}]})", "int64", "2", "minimum $, maximum $"},
        Row{R"({"anyOf":[{"minimum":3},{"maximum":1}]})", "int64", "2", "anyOf $"},
        Row{R"({"anyOf":[{"minimum":3},{"maximum":1}]})", "int64", "4", ""},
        Row{R"({"oneOf":[{"minimum":3},{"minimum":2}]})", "int64", "4", "oneOf $"},
        Row{R"({"oneOf":[{"minimum":3},{"minimum":2}]})", "int64", "2", ""},
        Row{R"({"not":{"type":"integer"}})", "int64", "2", "not $"},
        Row{R"({"properties":{"next":{"$ref":"#"},"v":{"type":"integer"}}})",
            "{next: {next: {v: string}}}", R"({"next":{"next":{"v":"x"}}})", "type $.next.next.v"},
        Row{R"({"format":"email"})", "string", R"("x")", ""},
        Row{R"({"unknown keyword":5})", "string", R"("x")", ""},
        // All problems are found.
        Row{R"({"properties":{"a":{"minimum":5},"b":{"minimum":5}},"required":["c"]})",
            "{a: int64, b: int64}", R"({"a":1,"b":2})", "minimum $.a, minimum $.b, required $"}));

// Decimals are exact: the first rows are those of the official suite of JSON Schema.
INSTANTIATE_TEST_SUITE_P(
    MultipleOf, Validated,
    testing::Values(
        Row{R"({"multipleOf":2})", "int64", "10", ""},
        Row{R"({"multipleOf":2})", "int64", "7", "multipleOf $"},
        Row{R"({"multipleOf":2})", "string", R"("foo")", ""},
        Row{R"({"multipleOf":1.5})", "int64", "0", ""},
        Row{R"({"multipleOf":1.5})", "float64", "4.5", ""},
        Row{R"({"multipleOf":1.5})", "float64", "-4.5", ""},
        Row{R"({"multipleOf":1.5})", "int64", "35", "multipleOf $"},
        Row{R"({"multipleOf":0.0001})", "float64", "0.0075", ""},
        Row{R"({"multipleOf":0.0001})", "float64", "0.00751", "multipleOf $"},
        Row{R"({"multipleOf":0.123456789})", "float64", "1e308", "multipleOf $"},
        Row{R"({"multipleOf":1e-8})", "int64", "12391239123", ""},
        Row{R"({"multipleOf":0.5})", "float64", "1e308", ""},
        // Rounded quotients are integers here, and none where they should be.
        Row{R"({"multipleOf":3.5})", "int64", "9007199254740993", "multipleOf $"},
        Row{R"({"multipleOf":2.0})", "int64", "9007199254740993", "multipleOf $"},
        Row{R"({"multipleOf":0.1})", "float64", "1000000000000000.1", ""},
        Row{R"({"multipleOf":0.2})", "float64", "1000000000000000.1", "multipleOf $"},
        Row{R"({"multipleOf":1e-323})", "float64", "1e308", ""},
        Row{R"({"multipleOf":1e308})", "float64", "1e-308", "multipleOf $"},
        Row{R"({"multipleOf":0.1})", "3 * float64", "[0.1,0.3,4.35]", "multipleOf $[2]"},
        Row{R"({"multipleOf":0.1})", "float32", "0.3", ""},
        Row{R"({"multipleOf":0.1})", "float16", "0.3", ""},
        Row{R"({"multipleOf":3})", "int128", "170141183460469231731687303715884105727",
            "multipleOf $"},
        Row{R"({"multipleOf":7})", "uint128", "340282366920938463463374607431768211445", ""},
        Row{R"({"multipleOf":170141183460469231731687303715884105727})", "uint128",
            "340282366920938463463374607431768211454", ""},
        Row{R"({"multipleOf":7})", "extension['yggdrasil.integer', string]",
            R"({"$ext":["yggdrasil.integer","7000000000000000000000000000000000000000000007"]})",
            ""},
        Row{R"({"multipleOf":7})", "extension['yggdrasil.integer', string]",
            R"({"$ext":["yggdrasil.integer","-7000000000000000000000000000000000000000000008"]})",
            "multipleOf $"},
        Row{R"({"multipleOf":2})", "float64", R"({"$float":"inf"})", "multipleOf $"},
        Row{R"({"multipleOf":2})", "float64", R"({"$float":"nan"})", "multipleOf $"}));

INSTANTIATE_TEST_SUITE_P(
    LongIntegers, Validated,
    testing::Values(
        Row{R"({"maximum":18446744073709551616})", "uint128", "18446744073709551617", "maximum $"},
        Row{R"({"minimum":18446744073709551616})", "uint128", "18446744073709551617", ""},
        Row{R"({"maximum":1e38})", "uint128", "100000000000000000000000000000000000001",
            "maximum $"},
        Row{R"({"maximum":10})", "extension['yggdrasil.integer', string]",
            R"({"$ext":["yggdrasil.integer","7000000000000000000000000000000000000000000007"]})",
            "maximum $"},
        Row{R"({"minimum":-1e300})", "extension['yggdrasil.integer', string]",
            R"({"$ext":["yggdrasil.integer","-7000000000000000000000000000000000000000000007"]})",
            ""}));

// An id is the address of its schema: the cases of the official suite, and ours.
INSTANTIATE_TEST_SUITE_P(
    Identifiers, Validated,
    testing::
        Values(
            Row{R"x({"definitions":{"id_in_enum":{"enum":[{"id":"https://localhost:1234/my_identifier.json","type":"null"}]},"real_id_in_schema":{"id":"https://localhost:1234/my_identifier.json","type":"string"},"zzz_id_in_const":{"const":{"id":"https://localhost:1234/my_identifier.json","type":"null"}}},"anyOf":[{"$ref":"#/definitions/id_in_enum"},{"$ref":"https://localhost:1234/my_identifier.json"}]})x",
                "{id: string, type: string}",
                R"({"id":"https://localhost:1234/my_identifier.json","type":"null"})", ""},
            Row{R"x({"definitions":{"id_in_enum":{"enum":[{"id":"https://localhost:1234/my_identifier.json","type":"null"}]},"real_id_in_schema":{"id":"https://localhost:1234/my_identifier.json","type":"string"},"zzz_id_in_const":{"const":{"id":"https://localhost:1234/my_identifier.json","type":"null"}}},"anyOf":[{"$ref":"#/definitions/id_in_enum"},{"$ref":"https://localhost:1234/my_identifier.json"}]})x",
                "string", R"("a string to match #/definitions/id_in_enum")", ""},
            Row{R"x({"definitions":{"id_in_enum":{"enum":[{"id":"https://localhost:1234/my_identifier.json","type":"null"}]},"real_id_in_schema":{"id":"https://localhost:1234/my_identifier.json","type":"string"},"zzz_id_in_const":{"const":{"id":"https://localhost:1234/my_identifier.json","type":"null"}}},"anyOf":[{"$ref":"#/definitions/id_in_enum"},{"$ref":"https://localhost:1234/my_identifier.json"}]})x",
                "int64", R"(1)", "anyOf $"},
            Row{R"x({"id":"http://localhost:1234/sibling_id/base/","definitions":{"foo":{"id":"http://localhost:1234/sibling_id/foo.json","type":"string"},"base_foo":{"id":"foo.json","type":"number"}},"allOf":[{"id":"http://localhost:1234/sibling_id/","$ref":"foo.json"}]})x",
                "string", R"("a")", "type $"},
            Row{R"x({"id":"http://localhost:1234/sibling_id/base/","definitions":{"foo":{"id":"http://localhost:1234/sibling_id/foo.json","type":"string"},"base_foo":{"id":"foo.json","type":"number"}},"allOf":[{"id":"http://localhost:1234/sibling_id/","$ref":"foo.json"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"id":"http://localhost:1234/tree","type":"object","properties":{"meta":{"type":"string"},"nodes":{"type":"array","items":{"$ref":"node"}}},"required":["meta","nodes"],"definitions":{"node":{"id":"http://localhost:1234/node","type":"object","properties":{"value":{"type":"number"},"subtree":{"$ref":"tree"}},"required":["value"]}}})x",
                "{meta: string, nodes: ({value: int64, subtree: {meta: string, nodes: ({value: "
                "float64})}})}",
                R"({"meta":"root","nodes":{"$tuple":[{"value":1,"subtree":{"meta":"child","nodes":{"$tuple":[{"value":1.1}]}}}]}})",
                ""},
            Row{R"x({"id":"http://localhost:1234/tree","type":"object","properties":{"meta":{"type":"string"},"nodes":{"type":"array","items":{"$ref":"node"}}},"required":["meta","nodes"],"definitions":{"node":{"id":"http://localhost:1234/node","type":"object","properties":{"value":{"type":"number"},"subtree":{"$ref":"tree"}},"required":["value"]}}})x",
                "{meta: string, nodes: ({value: int64, subtree: {meta: string, nodes: ({value: "
                "string})}})}",
                R"({"meta":"root","nodes":{"$tuple":[{"value":1,"subtree":{"meta":"child","nodes":{"$tuple":[{"value":"string is invalid"}]}}}]}})",
                "type $.nodes[0].subtree.nodes[0].value"},
            Row{R"x({"allOf":[{"$ref":"#foo"}],"definitions":{"A":{"id":"#foo","type":"integer"}}})x",
                "int64", R"(1)", ""},
            Row{R"x({"allOf":[{"$ref":"#foo"}],"definitions":{"A":{"id":"#foo","type":"integer"}}})x",
                "string", R"("a")", "type $"},
            Row{R"x({"id":"http://localhost:1234/root","allOf":[{"$ref":"http://localhost:1234/nested.json#foo"}],"definitions":{"A":{"id":"nested.json","definitions":{"B":{"id":"#foo","type":"integer"}}}}})x",
                "int64", R"(1)", ""},
            Row{R"x({"id":"http://localhost:1234/root","allOf":[{"$ref":"http://localhost:1234/nested.json#foo"}],"definitions":{"A":{"id":"nested.json","definitions":{"B":{"id":"#foo","type":"integer"}}}}})x",
                "string", R"("a")", "type $"},
            Row{R"x({"id":"http://example.com/a.json","definitions":{"x":{"id":"http://example.com/b/c.json","not":{"definitions":{"y":{"id":"d.json","type":"number"}}}}},"allOf":[{"$ref":"http://example.com/b/d.json"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"id":"http://example.com/a.json","definitions":{"x":{"id":"http://example.com/b/c.json","not":{"definitions":{"y":{"id":"d.json","type":"number"}}}}},"allOf":[{"$ref":"http://example.com/b/d.json"}]})x",
                "string", R"("a")", "type $"},
            Row{R"x({"id":"file:///folder/file.json","definitions":{"foo":{"type":"number"}},"allOf":[{"$ref":"#/definitions/foo"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"id":"file:///folder/file.json","definitions":{"foo":{"type":"number"}},"allOf":[{"$ref":"#/definitions/foo"}]})x",
                "string", R"("a")", "type $"},
            Row{R"x({"id":"file:///c:/folder/file.json","definitions":{"foo":{"type":"number"}},"allOf":[{"$ref":"#/definitions/foo"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"id":"file:///c:/folder/file.json","definitions":{"foo":{"type":"number"}},"allOf":[{"$ref":"#/definitions/foo"}]})x",
                "string", R"("a")", "type $"},
            Row{R"x({"definitions":{"A":{"id":"a/b.json","definitions":{"n":{"type":"number"}}}},"allOf":[{"$ref":"a/b.json#/definitions/n"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"definitions":{"A":{"id":"a/b.json","definitions":{"n":{"type":"number"}}}},"allOf":[{"$ref":"a/b.json#/definitions/n"}]})x",
                "string", R"("a")", "type $"},
            Row{R"x({"id":"http://a/b/c/d;p?q","definitions":{"A":{"id":"../g?y#s","type":"number"}},"allOf":[{"$ref":"http://a/b/g?y#s"},{"$ref":"//a/b/./g?y#s"},{"$ref":"/b/../b/g?y#s"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"id":"http://a/b/c/d;p?q","definitions":{"A":{"id":"../g?y#s","type":"number"}},"allOf":[{"$ref":"http://a/b/g?y#s"},{"$ref":"//a/b/./g?y#s"},{"$ref":"/b/../b/g?y#s"}]})x",
                "string", R"("a")", "type $, type $, type $"},
            Row{R"x({"definitions":{"A":{"id":"urn:x:1","definitions":{"n":{"type":"number"}},"allOf":[{"$ref":"#/definitions/n"}]}},"$comment":"the whole of A","allOf":[{"$ref":"urn:x:1"}]})x",
                "int64", R"(1)", ""},
            Row{R"x({"definitions":{"A":{"id":"urn:x:1","definitions":{"n":{"type":"number"}},"allOf":[{"$ref":"#/definitions/n"}]}},"$comment":"the whole of A","allOf":[{"$ref":"urn:x:1"}]})x",
                "string", R"("a")", "type $"}));

// As yggdrasil has it: units without a type are those of numbers that have one.
INSTANTIATE_TEST_SUITE_P(
    UnitsWithoutType, Validated,
    testing::Values(Row{R"({"units":"m"})", "float64", "5.0", ""},
                    Row{R"({"units":"m"})", "2 * int32", "[1,2]", ""},
                    Row{R"({"units":"m"})", "string", R"("x")", ""},
                    Row{R"({"units":"m"})", "annotated[float64, units='m']", "5.0", ""},
                    Row{R"({"units":"m"})", "annotated[float64, units='cm']", "5.0", "units $"},
                    Row{R"({"type":"scalar","units":"m"})", "float64", "5.0", "units $"}));

INSTANTIATE_TEST_SUITE_P(
    Typed, Validated,
    testing::Values(
        Row{R"({"type":"scalar","subtype":"int","precision":4})", "int32", "5", ""},
        Row{R"({"type":"scalar","subtype":"int","precision":4})", "int64", "5", "precision $"},
        Row{R"({"type":"scalar","subtype":"int"})", "uint8", "5", "subtype $"},
        Row{R"({"type":"int"})", "int16", "5", ""},
        Row{R"({"type":"uint"})", "int16", "5", "type $"},
        Row{R"({"type":"float"})", "float16", "5.0", ""},
        Row{R"({"type":"complex"})", "complex[float32]", R"({"$complex":[1.0,2.0]})", ""},
        Row{R"({"type":"bytes"})", "bytes", R"({"$bytes":"aGk="})", ""},
        Row{R"({"type":"bytes"})", "string", R"("hi")", "type $"},
        Row{R"({"type":"scalar","subtype":"string","encoding":"UTF8"})", "string", R"("hi")", ""},
        Row{R"({"type":"scalar","subtype":"string","encoding":"UTF8"})", "bytes",
            R"({"$bytes":"aGk="})", "encoding $"},
        Row{R"({"type":"scalar","subtype":"string","precision":3})", "string", R"("hi")", ""},
        Row{R"({"type":"scalar","subtype":"string","precision":1})", "string", R"("hi")",
            "precision $"},
        Row{R"({"type":"scalar","units":"m"})", "annotated[float64, units='m']", "5.0", ""},
        Row{R"({"type":"scalar","units":"m"})", "annotated[float64, units='meters']", "5.0", ""},
        Row{R"({"type":"scalar","units":"m"})", "annotated[float64, units='cm']", "5.0", "units $"},
        Row{R"({"type":"scalar","units":"m"})", "float64", "5.0", "units $"},
        Row{R"({"type":"scalar","units":""})", "float64", "5.0", ""},
        // Bounds hold for typed scalars, with and without units, and for elements.
        Row{R"({"type":"scalar","minimum":6})", "int8", "5", "minimum $"},
        Row{R"({"type":"scalar","units":"m","maximum":4})", "annotated[float32, units='m']", "5.0",
            "maximum $"},
        Row{R"({"type":"ndarray","minimum":2})", "2 * 2 * int16", "[[2,3],[1,4]]",
            "minimum $[1][0]"},
        Row{R"({"type":"ndarray","maximum":2})", "3 * float64", R"([1.0,{"$float":"nan"},2.0])",
            "maximum $[1]"},
        Row{R"({"type":"ndarray","minimum":1,"maximum":4})", "2 * 2 * uint64", "[[2,3],[1,4]]", ""},
        Row{R"({"type":"ndarray","multipleOf":2})", "3 * int64", "[2,3,4]", "multipleOf $[1]"},
        Row{R"({"items":{"type":"number","maximum":2}})", "3 * float32", "[1.0,2.0,3.0]",
            "maximum $[2]"},
        Row{R"({"type":"ndarray","subtype":"float","precision":8,"shape":[2]})", "2 * float64",
            "[1.0,2.0]", ""},
        Row{R"({"type":"ndarray","subtype":"float","precision":4})", "2 * float64", "[1.0,2.0]",
            "precision $"},
        Row{R"({"type":"ndarray","shape":[2,1]})", "2 * float64", "[1.0,2.0]", "shape $"},
        Row{R"({"type":"ndarray","ndim":1,"length":2})", "2 * float64", "[1.0,2.0]", ""},
        Row{R"({"type":"1darray","length":2})", "2 * float64", "[1.0,2.0]", ""},
        Row{R"({"type":"ndarray"})", "float64", "1.0", "type $"},
        Row{R"({"type":"ndarray"})", "2 * bool", "[true,false]", "type $"},
        Row{R"({"type":"array","items":{"type":"boolean"}})", "2 * bool", "[true,false]", ""},
        Row{R"({"type":"array","items":{"type":"integer"}})", "2 * bool", "[true,false]",
            "type $[0]"},
        Row{R"({"type":"ndarray","pattern":"^a"})", "2 * fixed_string[2]", R"(["ab","b"])",
            "pattern $[1]"},
        Row{R"({"type":"class"})", "extension['yggdrasil.class', string]",
            R"({"$ext":["yggdrasil.class","m:C"]})", ""},
        Row{R"({"type":"class","class":"m:D"})", "extension['yggdrasil.class', string]",
            R"({"$ext":["yggdrasil.class","m:C"]})", "class $"},
        Row{R"({"type":"function"})", "extension['yggdrasil.class', string]",
            R"({"$ext":["yggdrasil.class","m:C"]})", "type $"},
        Row{R"({"type":"instance","args":[{"type":"string"}],"kwargs":{"a":{"type":"integer"}}})",
            "extension['yggdrasil.instance', {class: string, args: (int64,), kwargs: {a: string}}]",
            R"({"$ext":["yggdrasil.instance",{"class":"m:C","args":{"$tuple":[1]},"kwargs":{"a":"x"}}]})",
            "type $.args[0], type $.kwargs.a"},
        Row{R"({"type":"ply"})", "annotated[{a: int64}, type='ply']", R"({"a":1})", ""},
        Row{R"({"type":"obj"})", "annotated[{a: int64}, type='ply']", R"({"a":1})", "type $"},
        Row{R"({"type":"array","items":[{"type":"ndarray","subtype":"float","title":"x"}]})",
            "1 * {x: float64}", R"([{"x":1.0}])", ""},
        Row{R"({"type":"array","items":[{"type":"ndarray","subtype":"int","title":"y"}]})",
            "1 * {x: float64}", R"([{"x":1.0}])", "title $.x, subtype $.x"},
        Row{R"({"type":"array","items":{"type":"object","properties":{"x":{"maximum":1}}}})",
            "2 * {x: float64}", R"([{"x":1.0},{"x":2.0}])", "maximum $[1].x"}));

TEST(Validate, NamesThePlaceAndTheReason) {
  const auto problem =
      first_problem(Schema::parse(R"({"properties":{"a":{"type":"scalar","units":"m"}}})"),
                    value_of("{a: annotated[float64, units='cm']}", R"({"a":1.0})").view());
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->path, "$.a");
  EXPECT_EQ(problem->reason, "the number is in 'cm', and wanted is 'm'");
}

TEST(Validate, EndsWithTheNumberOfProblemsAskedFor) {
  ValidateOptions options;
  options.max_problems = 2;
  EXPECT_EQ(validate(Schema::parse(R"({"items":{"type":"null"}})"),
                     value_of("3 * string", R"(["a","b","c"])").view(), options)
                .size(),
            2u);
}

TEST(Validate, OfDeepValuesEndsAtTheLimit) {
  Value value = Value::build([](Builder& out) {
    polycodec_node node = Builder::null();
    for (int i = 0; i < 300; ++i) node = out.list({node});
    return node;
  });
  const Schema schema = Schema::parse(R"({"anyOf":[{"type":"null"},{"items":{"$ref":"#"}}]})");
  Limits limits;
  limits.max_depth = 100;
  EXPECT_THROW((void)first_problem(schema, value.view(), limits), Error);
  limits.max_depth = 1000;
  EXPECT_FALSE(first_problem(schema, value.view(), limits));
}

TEST(Validate, OfManyUniqueItemsTakesLinearTime) {
  const Value value = Value::build([](Builder& out) {
    polycodec_node* nodes = nullptr;
    const auto made = out.list(200000, &nodes);
    for (int i = 0; i < 200000; ++i) nodes[i] = Builder::integer(i);
    return made;
  });
  EXPECT_FALSE(first_problem(Schema::parse(R"({"uniqueItems":true})"), value.view()));
}

TEST(Validate, ElementsWithinBoundsAreReadOnce) {
  std::vector<double> numbers(100000, 1.0);
  numbers[77777] = 9;
  const Value value = Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers))); });
  EXPECT_EQ(first_problem(Schema::parse(R"({"type":"ndarray","maximum":5})"), value.view())->path,
            "$[77777]");
  EXPECT_FALSE(first_problem(Schema::parse(R"({"type":"ndarray","maximum":9})"), value.view()));
}

}  // namespace
}  // namespace polycodec::schema

// SPDX-License-Identifier: MIT
//! Views agree with the library's own text, whatever the layout.
use polycodec::host::Value;
use polycodec::{Data, View};

/// The value as JSON, read through views alone.
fn json(view: View<'_>) -> String {
    let list = |open: char, items: Vec<String>, close: char| format!("{}{}{}", open, items.join(", "), close);
    match view.data() {
        Data::Null => "null".into(),
        Data::Boolean(b) => b.to_string(),
        Data::Signed(n) => n.to_string(),
        Data::Unsigned(n) => n.to_string(),
        Data::Float32(n) => format!("{:?}", n),
        Data::Float64(n) => format!("{:?}", n),
        Data::String(text) => format!("{:?}", text),
        Data::List(items) => list('[', items.iter().map(json).collect(), ']'),
        Data::Tuple(items) => format!("{{\"$tuple\": {}}}", list('[', items.iter().map(json).collect(), ']')),
        Data::Object(object) => {
            list('{', object.iter().map(|(name, v)| format!("{:?}: {}", name, json(v))).collect(), '}')
        }
        Data::Union(tag, inner) => format!("{{\"$union\": [{}, {}]}}", tag, json(inner.view())),
        Data::Duration(time) => format!("{{\"$timedelta\": [{}, \"s\"]}}", time.count),
        Data::Extension(name, inner) => format!("{{\"$ext\": [{:?}, {}]}}", name, json(inner.view())),
        other => panic!("{:?}", other),
    }
}

#[test]
fn every_layout_reads_as_it_prints() {
    for (notation, text) in [
        ("2 * union[int32, string]", r#"{"$array": [{"$union": [1, "x"]}, {"$union": [0, 5]}]}"#),
        ("union[void, string]", r#"{"$union": [1, "x"]}"#),
        ("2 * ?{x: int64, y: var * ?string}", r#"{"$array": [{"x": 1, "y": ["a", null]}, null]}"#),
        ("2 * (int64, string)", r#"{"$array": [{"$tuple": [1, "a"]}, {"$tuple": [2, "b"]}]}"#),
        ("3 * 2 * float16", r#"{"$array": [[1.5, 2.5], [0.0, -1.0], [3.0, 4.0]]}"#),
        ("2 * var * var * bool", r#"{"$array": [[[true], []], []]}"#),
        ("2 * fixed_string[4]", r#"{"$array": ["ab", "abcd"]}"#),
        ("timedelta[unit='s']", r#"{"$timedelta": [-3, "s"]}"#),
        ("2 * timedelta[unit='s']", r#"{"$array": [{"$timedelta": [1, "s"]}, {"$timedelta": [2, "s"]}]}"#),
        (
            "6 * any",
            r#"[null, true, 18446744073709551615, {"a": [1, {"b": "c"}]}, {"$ext": ["x", 1]}, {"$tuple": [1]}]"#,
        ),
        ("0 * {x: int64}", r#"{"$array": []}"#),
    ] {
        let value = Value::parse_as(text, notation, None).unwrap();
        // Marks of arrays are no part of the items.
        let printed = value.to_json().unwrap();
        let items = printed.trim().strip_prefix("{\"$array\": ").and_then(|rest| rest.strip_suffix('}'));
        assert_eq!(json(value.view()), items.unwrap_or_else(|| printed.trim()), "{}", notation);
    }
}

// SPDX-License-Identifier: MIT
//! What is found where: the vectors that `polycodec/items.h` is held to as well.

use super::array::{child, item_at, list_range, union_item};
use crate::abi::{layout, Array};
use crate::host::Value;
use std::ptr;

/// The arrays of a value, each before its children.
fn collect<'a>(array: &'a Array, all: &mut Vec<&'a Array>) {
    all.push(array);
    if !matches!(array.layout, layout::NDARRAY | layout::DOCUMENT) {
        for c in 0..array.n_children {
            collect(child(array, c), all);
        }
    }
}

fn shown(array: &Array, i: u64, arrays: &[&Array]) -> String {
    let number = arrays.iter().position(|a| ptr::eq(*a, array)).unwrap();
    format!("{}:{}", number, i)
}

/// The lines of a value, as the file has them.
fn lines_of(arrays: &[&Array]) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, &array) in arrays.iter().enumerate() {
        let all = |word: &str, of: &dyn Fn(u64) -> String| {
            (0..array.length).fold(format!("{} {}", word, n), |line, i| line + " " + &of(i))
        };
        lines.push(all("items", &|i| match item_at(array, i) {
            Some((found, at)) => shown(found, at, arrays),
            None => "-".into(),
        }));
        if matches!(array.layout, layout::LIST_OFFSETS | layout::LIST_VIEW | layout::LIST_FIXED) {
            lines.push(all("lists", &|i| {
                let (begin, end) = list_range(array, i);
                format!("{}-{}", begin, end)
            }));
        }
        if array.layout == layout::UNION {
            lines.push(all("members", &|i| {
                let (tag, member, at) = union_item(array, i);
                format!("{} {}", tag, shown(member, at, arrays))
            }));
        }
    }
    lines
}

#[test]
fn items_are_where_the_vectors_say() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/items/places.txt");
    let text = std::fs::read_to_string(file).expect(file);
    let mut values = 0;
    for vector in text.split("value ").skip(1) {
        let mut wanted = vector.lines();
        let hex = wanted.next().unwrap();
        let frame: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        let value = Value::from_frames(vec![frame], None).unwrap();
        let mut arrays = Vec::new();
        collect(value.view().list().and_then(|list| list.whole_array()).expect(hex), &mut arrays);
        assert_eq!(lines_of(&arrays), wanted.collect::<Vec<_>>(), "{}", hex);
        values += 1;
    }
    assert!(values > 40, "{} values", values);
}

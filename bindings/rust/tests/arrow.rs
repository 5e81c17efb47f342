// SPDX-License-Identifier: MIT
//! Values to and from `arrow`.
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Int32Array, StructArray};
use polycodec::host::Value;

#[test]
fn columns_go_to_arrow_without_a_copy() {
    let value = Value::parse_as("[0.5, 1.5, 2.5]", "3 * float64", None).unwrap();
    let place = value.view().as_slice::<f64>().unwrap().as_ptr();
    let array = value.to_arrow().unwrap();
    drop(value);
    let numbers = array.as_primitive::<Float64Type>();
    assert_eq!(numbers.values().as_ref(), [0.5, 1.5, 2.5]);
    assert_eq!(numbers.values().as_ptr(), place, "the array views the value, and keeps it");
}

#[test]
fn arrays_of_arrow_become_values() {
    let array = Int32Array::from(vec![Some(1), None, Some(3)]);
    let value = Value::from_arrow(&array).unwrap();
    drop(array);
    assert_eq!(value.type_notation().unwrap(), "3 * ?int32");
    assert_eq!(value.to_json().unwrap().trim(), "[1, null, 3]");
    let back = value.to_arrow().unwrap();
    assert_eq!(back.as_primitive::<Int32Type>(), &Int32Array::from(vec![Some(1), None, Some(3)]));
}

#[test]
fn records_become_structs() {
    let text = r#"[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]"#;
    let value = Value::parse_as(text, "2 * {x: int16, y: string}", None).unwrap();
    let array = value.to_arrow().unwrap();
    let records: &StructArray = array.as_struct();
    assert_eq!(records.column_names(), ["x", "y"]);
    assert!(Value::from_arrow(&array).unwrap().equals(&value).unwrap());
}

// SPDX-License-Identifier: MIT
//! Arrays as views of `ndarray`.
use polycodec::host::Value;

#[test]
fn arrays_of_any_dimension_are_views() {
    let text = r#"{"$array": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}"#;
    let value = Value::parse_as(text, "2 * 3 * float64", None).unwrap();
    let list = value.view().list().unwrap();
    let view = list.as_ndarray::<f64>().unwrap();
    assert_eq!((view.shape(), view[[1, 2]], view.sum()), (&[2, 3][..], 6.0, 21.0));
    assert_eq!(view.as_ptr(), list.get(0).unwrap().as_slice::<f64>().unwrap().as_ptr(), "nothing is copied");
    assert!(list.as_ndarray::<f32>().is_none());
    let row = list.get(1).unwrap().list().unwrap().as_ndarray::<f64>().unwrap();
    assert_eq!(row.as_slice(), Some(&[4.0, 5.0, 6.0][..]));

    let empty = Value::parse_as(r#"{"$array": []}"#, "0 * int32", None).unwrap();
    assert_eq!(empty.view().list().unwrap().as_ndarray::<i32>().unwrap().shape(), [0]);
    let words = Value::parse_as(r#"["a"]"#, "1 * string", None).unwrap();
    assert!(words.view().list().unwrap().as_ndarray::<u8>().is_none());
}

// SPDX-License-Identifier: MIT
//! Items of columnar arrays, by layout. Where an item is found is what `polycodec/items.h` says; both are held to
//! `tests/vectors/items`.

use super::{number, time, Data, Inner, InnerRepr, List, Object, Other, Place, View};
use crate::abi::{self, dtype, layout, Array, Column};
use std::marker::PhantomData;

/// Item `i` of a column that gives structure. A u64 above `i64::MAX` gives that, which no index reaches.
fn at(column: &Column, i: u64) -> i64 {
    // SAFETY: of a checked array every item that a layout uses lies in the column's memory.
    unsafe {
        let p = column.data.cast::<u8>().offset(i as isize * column.stride as isize);
        match column.dtype as u8 {
            dtype::BOOLEAN | dtype::UINT8 => i64::from(*p),
            dtype::INT8 => i64::from(p.cast::<i8>().read()),
            dtype::INT16 => i64::from(p.cast::<i16>().read_unaligned()),
            dtype::UINT16 => i64::from(p.cast::<u16>().read_unaligned()),
            dtype::INT32 => i64::from(p.cast::<i32>().read_unaligned()),
            dtype::UINT32 => i64::from(p.cast::<u32>().read_unaligned()),
            dtype::UINT64 => p.cast::<u64>().read_unaligned().min(i64::MAX as u64) as i64,
            _ => p.cast::<i64>().read_unaligned(),
        }
    }
}

pub(super) fn child(array: &Array, i: u32) -> &Array {
    // SAFETY: `children` of a checked array has n_children items, none NULL.
    unsafe { &**array.children.add(i as usize) }
}

/// An array as one value: a list, but an NDARRAY without dimensions is its element.
pub(super) fn whole(array: &Array) -> View<'_> {
    if array.layout == layout::NDARRAY && array.ndim == 0 {
        return element(array, place(array, 0));
    }
    View::new(Data::List(List::of_array(array, 0, array.length)))
}

/// Where item `i` of the first dimension of an NDARRAY lies.
pub(super) fn place(array: &Array, i: u64) -> Place<'_> {
    step(array, Place(array.data.cast(), PhantomData), 0, i)
}

/// `i` steps along dimension `dim` from an element of an NDARRAY.
pub(super) fn step<'a>(array: &Array, from: Place<'a>, dim: u32, i: u64) -> Place<'a> {
    if dim >= array.ndim {
        return from;
    }
    // SAFETY: `strides` has ndim items. The pointer is read only for an index below the shape.
    Place(unsafe { from.0.wrapping_offset(i as isize * *array.strides.add(dim as usize) as isize) }, PhantomData)
}

pub(super) fn item(array: &Array, i: u64) -> View<'_> {
    let (array, i) = match item_at(array, i) {
        Some(found) => found,
        None => return View::new(Data::Null),
    };
    View::new(match array.layout {
        layout::NDARRAY => {
            let at = place(array, i);
            match array.ndim {
                0 | 1 => return element(array, at),
                _ => Data::List(List::of_part(array, 1, at)),
            }
        }
        layout::LIST_OFFSETS | layout::LIST_VIEW | layout::LIST_FIXED => {
            let (begin, end) = list_range(array, i);
            return list_item(array, begin, end - begin);
        }
        layout::RECORD if array.names.is_null() => Data::Tuple(List::of_row(array, i)),
        layout::RECORD => Data::Object(Object::of_row(array, i)),
        layout::UNION => {
            let (tag, member, at) = union_item(array, i);
            Data::Union(tag, Inner(InnerRepr::Item(member, at)))
        }
        // SAFETY: `nodes` of a checked DOCUMENT has `length` items.
        layout::DOCUMENT => return View::of_node(unsafe { &*array.nodes.add(i as usize) }),
        _ => Data::Null,
    })
}

/// The array that item `i` of any array lies in, behind all that only chooses items, and its index there. `None`: it is
/// missing. A loop, so that nesting takes no stack.
pub(super) fn item_at(mut array: &Array, mut i: u64) -> Option<(&Array, u64)> {
    loop {
        match array.layout {
            layout::OPTION_BYTES | layout::OPTION_BITS => {
                if !is_present(array, i) {
                    return None;
                }
                array = child(array, 0);
            }
            layout::INDEXED => {
                let index = at(&array.first, i);
                if index < 0 {
                    return None;
                }
                i = index as u64;
                array = child(array, 0);
            }
            layout::CHUNKED => {
                let (chunk, start) = chunk_of(array, i);
                i -= start;
                array = child(array, chunk);
            }
            _ => return Some((array, i)),
        }
    }
}

/// Where item `i` of a list begins and ends in child 0.
pub(super) fn list_range(array: &Array, i: u64) -> (u64, u64) {
    match array.layout {
        layout::LIST_OFFSETS => (at(&array.first, i) as u64, at(&array.first, i + 1) as u64),
        layout::LIST_VIEW => (at(&array.first, i) as u64, at(&array.second, i) as u64),
        _ => (i * array.list_size, (i + 1) * array.list_size),
    }
}

/// The tag of item `i` of a union, and what it holds: the item of a child.
pub(super) fn union_item(array: &Array, i: u64) -> (i64, &Array, u64) {
    let tag = at(&array.second, i);
    (tag, child(array, tag as u32), at(&array.first, i) as u64)
}

fn is_present(array: &Array, i: u64) -> bool {
    let set = if array.layout == layout::OPTION_BYTES {
        at(&array.first, i) != 0
    } else {
        let bit = if array.flags & abi::ARRAY_BITS_LSB != 0 { i % 8 } else { 7 - i % 8 };
        at(&array.first, i / 8) >> bit & 1 != 0
    };
    set == (array.flags & abi::ARRAY_MASK_VALID != 0)
}

/// The child that holds item `i`, and where that child starts.
fn chunk_of(array: &Array, i: u64) -> (u32, u64) {
    let (mut low, mut high) = (0, array.n_children);
    if array.first.data.is_null() {
        let mut start = 0;
        for c in 0..high {
            let length = child(array, c).length;
            if i - start < length {
                return (c, start);
            }
            start += length;
        }
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if at(&array.first, u64::from(middle)) as u64 <= i {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, at(&array.first, u64::from(low)) as u64)
}

fn list_item(array: &Array, from: u64, len: u64) -> View<'_> {
    let items = child(array, 0);
    if array.flags & (abi::ARRAY_STRING | abi::ARRAY_BINARY) == 0 {
        return View::new(Data::List(List::of_array(items, from, len)));
    }
    // SAFETY: the child of text is a contiguous array of bytes, and the range lies in it.
    let bytes = unsafe { abi::slice(place(items, from).0, len) };
    View::new(if array.flags & abi::ARRAY_STRING != 0 { Data::of_text(bytes) } else { Data::Binary(bytes) })
}

/// One element of an NDARRAY.
pub(super) fn element<'a>(array: &'a Array, at: Place<'a>) -> View<'a> {
    let big = array.byte_order != 0;
    // SAFETY: the elements of a checked array lie in its buffer; `read` needs no alignment.
    let bytes = unsafe { abi::slice(at.0, u64::from(array.item_size)) };
    View::new(match array.dtype {
        dtype::BOOLEAN => Data::Boolean(bytes[0] != 0),
        dtype::INT8 => Data::Signed(i64::from(bytes[0] as i8)),
        dtype::INT16 => Data::Signed(i64::from(number::read::<2>(bytes, big) as i16)),
        dtype::INT32 => Data::Signed(i64::from(number::read::<4>(bytes, big) as i32)),
        dtype::INT64 => Data::Signed(number::read::<8>(bytes, big) as i64),
        dtype::UINT8 | dtype::UINT16 | dtype::UINT32 | dtype::UINT64 => {
            Data::Unsigned(number::read_any(bytes, big) as u64)
        }
        dtype::FLOAT16 => Data::Float32(number::half_to_f32(number::read::<2>(bytes, big) as u16)),
        dtype::FLOAT32 => Data::Float32(f32::from_bits(number::read::<4>(bytes, big) as u32)),
        dtype::FLOAT64 => Data::Float64(f64::from_bits(number::read::<8>(bytes, big) as u64)),
        dtype::TIMESTAMP64 => Data::Timestamp(time::Time::of_count(number::read::<8>(bytes, big) as i64, array.unit)),
        dtype::DURATION64 => Data::Duration(time::Time::of_raw(abi::Time {
            count: number::read::<8>(bytes, big) as i64,
            nanoseconds: 0,
            unit: array.unit,
        })),
        dtype::FIXED_BYTES => Data::Binary(bytes),
        dtype::FIXED_UTF8 => {
            let used = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
            Data::of_text(&bytes[..used])
        }
        _ => wide_of(array.dtype, bytes, big),
    })
}

/// # Safety
/// `data` has the bytes of an element of `dtype`, during `'a`.
pub(super) unsafe fn wide<'a>(dtype: u8, data: *const u8, big_endian: bool) -> Data<'a> {
    let size = match dtype {
        16 => 4,
        17 => 8,
        _ => 16,
    };
    wide_of(dtype, abi::slice(data, size), big_endian)
}

fn wide_of(dtype: u8, bytes: &[u8], big_endian: bool) -> Data<'_> {
    match dtype {
        dtype::INT128 => Data::Signed128(number::read::<16>(bytes, big_endian) as i128),
        dtype::UINT128 => Data::Unsigned128(number::read::<16>(bytes, big_endian)),
        _ => Data::Other(Other { dtype, bytes, big_endian }),
    }
}

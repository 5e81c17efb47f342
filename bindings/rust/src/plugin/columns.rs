// SPDX-License-Identifier: MIT
//! Columns: arrays of numbers, booleans, times, text, lists and records, without a node for each item.

use super::growing::Growing;
use super::{Builder, ByteOrder, Call, Items, Node};
use crate::abi::{self, dtype, kind, layout};
use crate::{Error, Number, Result, Status, TimeUnit};
use std::mem::size_of;
use std::ptr;

/// The type of the elements of an array, as they lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    dtype: u8,
    size: u32,
    unit: u32,
}

impl Element {
    /// A byte that is 0 or 1.
    pub const BOOLEAN: Element = Element::new(dtype::BOOLEAN, 1);
    /// A number of 16 bits with a fraction.
    pub const FLOAT16: Element = Element::new(dtype::FLOAT16, 2);
    /// A number of 128 bits with a fraction.
    pub const FLOAT128: Element = Element::new(dtype::FLOAT128, 16);
    /// Two numbers of 16 bits, the real part first.
    pub const COMPLEX32: Element = Element::new(dtype::COMPLEX32, 4);
    /// Two of `f32`, the real part first.
    pub const COMPLEX64: Element = Element::new(dtype::COMPLEX64, 8);
    /// Two of `f64`, the real part first.
    pub const COMPLEX128: Element = Element::new(dtype::COMPLEX128, 16);

    const fn new(dtype: u8, size: u32) -> Element {
        Element { dtype, size, unit: 0 }
    }

    /// Returns the element for numbers of type `T`.
    pub fn of<T: Number>() -> Element {
        Element::new(T::DTYPE, size_of::<T>() as u32)
    }

    /// Returns an `i64` that counts units since 1970.
    pub fn timestamp(unit: TimeUnit) -> Element {
        Element { dtype: dtype::TIMESTAMP64, size: 8, unit: unit as u32 }
    }

    /// Returns an `i64` that counts units.
    pub fn duration(unit: TimeUnit) -> Element {
        Element { dtype: dtype::DURATION64, size: 8, unit: unit as u32 }
    }

    /// Returns this number of bytes.
    pub fn fixed_bytes(size: u32) -> Element {
        Element::new(dtype::FIXED_BYTES, size)
    }

    /// Returns this number of bytes of UTF-8, padded with zeros.
    pub fn fixed_utf8(size: u32) -> Element {
        Element::new(dtype::FIXED_UTF8, size)
    }

    /// Returns this number of bytes, a multiple of 2, of UTF-16, padded with zeros.
    pub fn fixed_utf16(size: u32) -> Element {
        Element::new(dtype::FIXED_UTF16, size)
    }

    /// Returns this number of bytes, a multiple of 4, of UTF-32, padded with zeros.
    pub fn fixed_utf32(size: u32) -> Element {
        Element::new(dtype::FIXED_UTF32, size)
    }
}

impl Element {
    fn has_rules(self) -> bool {
        matches!(self.dtype, dtype::BOOLEAN | dtype::FIXED_UTF8 | dtype::FIXED_UTF16 | dtype::FIXED_UTF32)
    }

    fn accepts(self, bytes: &[u8], order: ByteOrder) -> bool {
        let unit = |unit: &[u8]| crate::view::read_number(unit, order == ByteOrder::Big) as u32;
        match self.dtype {
            dtype::BOOLEAN => bytes[0] < 2,
            dtype::FIXED_UTF8 => std::str::from_utf8(bytes).is_ok(),
            dtype::FIXED_UTF16 => {
                bytes.len() % 2 == 0
                    && char::decode_utf16(bytes.chunks(2).map(|two| unit(two) as u16)).all(|c| c.is_ok())
            }
            dtype::FIXED_UTF32 => {
                bytes.len() % 4 == 0 && bytes.chunks(4).all(|four| char::from_u32(unit(four)).is_some())
            }
            _ => true,
        }
    }
}

/// Numbers of a column that is being built, in the value's memory.
#[derive(Debug)]
pub struct Numbers<'a, T> {
    items: Growing<'a, T>,
}

impl<'a, T: Number> Numbers<'a, T> {
    /// Returns no numbers.
    pub fn new() -> Numbers<'a, T> {
        Numbers { items: Growing::new() }
    }

    /// Adds a number.
    pub fn push(&mut self, call: &mut Call<'a>, number: T) -> Result<()> {
        call.charge(1)?;
        self.items.push(call, number)
    }
}

impl<T: Number> Default for Numbers<'_, T> {
    fn default() -> Self {
        Numbers::new()
    }
}

/// Text of a column that is being built, in the value's memory.
#[derive(Debug)]
pub struct Strings<'a> {
    bytes: Growing<'a, u8>,
    ends: Growing<'a, i64>,
}

impl<'a> Strings<'a> {
    /// Returns no items.
    pub fn new() -> Strings<'a> {
        Strings { bytes: Growing::new(), ends: Growing::new() }
    }

    /// Adds an item.
    pub fn push(&mut self, call: &mut Call<'a>, text: &str) -> Result<()> {
        call.charge(1 + text.len() as u64 / 16)?;
        if self.ends.len == 0 {
            self.ends.push(call, 0)?;
        }
        self.bytes.extend(call, text.as_bytes())?;
        self.ends.push(call, self.bytes.len as i64)
    }
}

impl Default for Strings<'_> {
    fn default() -> Self {
        Strings::new()
    }
}

fn invalid<T>(message: String) -> Result<T> {
    Err(Error::new(Status::Malformed, message))
}

/// The array of a column.
fn array_of<'a>(column: Node<'a>, what: &str) -> Result<&'a abi::Array> {
    if column.raw.kind != kind::ARRAY {
        return Err(Error::new(Status::Type, format!("{} is not a column: make it by a function of columns", what)));
    }
    // SAFETY: an ARRAY node points to its array, which lives as long as the node.
    Ok(unsafe { &*column.raw.as_.array })
}

impl<'a> Builder<'a> {
    /// Returns an array of elements that views `bytes`, which need no alignment. The last dimension varies fastest.
    ///
    /// Fails with `Malformed` for booleans that are neither 0 nor 1 and for text that is not valid.
    pub fn array(&mut self, bytes: &'a [u8], element: Element, order: ByteOrder, shape: &[u64]) -> Result<Node<'a>> {
        let size = u64::from(element.size);
        let count = shape.iter().try_fold(size, |n, &dim| n.checked_mul(dim));
        if count != Some(bytes.len() as u64) {
            return invalid(format!("shape {:?} of {}-byte elements does not fit {} bytes", shape, size, bytes.len()));
        }
        let mut strides = vec![0; shape.len()];
        let mut stride = size as i64;
        for (place, &dim) in strides.iter_mut().zip(shape).rev() {
            *place = stride;
            // Without elements strides mean nothing, so they may wrap.
            stride = stride.wrapping_mul(dim.max(1) as i64);
        }
        self.strided(bytes, 0, element, order, shape, &strides)
    }

    /// Returns an array of elements of which the first is at `bytes[offset]`, and which are `strides` bytes apart: rows of a file become
    /// columns. Strides may be negative or 0. Fails as [`Builder::array`].
    pub fn strided(
        &mut self,
        bytes: &'a [u8],
        offset: u64,
        element: Element,
        order: ByteOrder,
        shape: &[u64],
        strides: &[i64],
    ) -> Result<Node<'a>> {
        if shape.is_empty() || shape.len() > 64 || shape.len() != strides.len() {
            return invalid(format!(
                "{} dimensions with {} strides: must be 1 to 64 of both",
                shape.len(),
                strides.len()
            ));
        }
        if shape.iter().any(|&dim| dim > i64::MAX as u64) {
            return invalid(format!("shape {:?} is too large", shape));
        }
        // The first and the last byte, from all steps down and all steps up.
        let (mut low, mut high) = (i128::from(offset), i128::from(offset) + i128::from(element.size));
        for (&dim, &stride) in shape.iter().zip(strides) {
            let way = i128::from(dim.max(1) - 1) * i128::from(stride);
            if way < 0 {
                low += way;
            } else {
                high += way;
            }
        }
        let is_empty = shape.contains(&0) || element.size == 0;
        if !is_empty && (low < 0 || high > bytes.len() as i128) {
            return invalid(format!(
                "elements at {} with shape {:?} and strides {:?} leave the {} bytes",
                offset,
                shape,
                strides,
                bytes.len()
            ));
        }
        if !is_empty && element.has_rules() {
            self.check_elements(bytes, offset as usize, element, order, shape, strides)?;
        }
        let mut array = empty_array(layout::NDARRAY, shape[0]);
        array.dtype = element.dtype;
        array.byte_order = order as u8;
        array.data = if is_empty { bytes.as_ptr() } else { bytes[offset as usize..].as_ptr() }.cast();
        array.buffer = bytes.as_ptr().cast();
        array.buffer_size = bytes.len() as u64;
        array.ndim = shape.len() as u32;
        array.item_size = element.size;
        array.unit = element.unit;
        let shape: Vec<i64> = shape.iter().map(|&dim| dim as i64).collect();
        array.shape = self.copy_slice(&shape)?;
        array.strides = self.copy_slice(strides)?;
        self.place_array(array)
    }

    fn check_elements(
        &mut self,
        bytes: &[u8],
        offset: usize,
        element: Element,
        order: ByteOrder,
        shape: &[u64],
        strides: &[i64],
    ) -> Result<()> {
        let count = shape.iter().try_fold(1u64, |n, &dim| n.checked_mul(dim)).unwrap_or(u64::MAX);
        self.charge(count.saturating_mul(1 + u64::from(element.size) / 16))?;
        for i in 0..count {
            let (mut left, mut at) = (i, offset as i64);
            for (&dim, &stride) in shape.iter().zip(strides).rev() {
                at += (left % dim) as i64 * stride;
                left /= dim;
            }
            if !element.accepts(&bytes[at as usize..at as usize + element.size as usize], order) {
                let what = if element == Element::BOOLEAN { "a boolean: must be 0 or 1" } else { "valid text" };
                return invalid(format!("element {} of an array, at byte {} of its bytes, is not {}", i, at, what));
            }
        }
        Ok(())
    }

    /// Returns an array of numbers that are copied to the value's memory.
    pub fn copy_numbers<T: Number>(&mut self, numbers: &[T]) -> Result<Node<'a>> {
        let copy = self.copy_slice(numbers)?;
        self.own_numbers(copy, numbers.len() as u64)
    }

    /// Returns an array of numbers.
    pub fn numbers<T: Number>(&mut self, numbers: Numbers<'a, T>) -> Result<Node<'a>> {
        self.own_numbers(numbers.items.items, numbers.items.len)
    }

    fn own_numbers<T: Number>(&mut self, numbers: *const T, len: u64) -> Result<Node<'a>> {
        // SAFETY: the numbers are in the value's memory.
        let bytes = unsafe { abi::slice(numbers.cast::<u8>(), len * size_of::<T>() as u64) };
        self.array(bytes, Element::of::<T>(), ByteOrder::NATIVE, &[len])
    }

    /// Returns an array of booleans.
    pub fn copy_booleans(&mut self, booleans: &[bool]) -> Result<Node<'a>> {
        let len = booleans.len() as u64;
        let copy = self.copy_slice(booleans)?;
        // SAFETY: the copy is in the value's memory.
        let bytes = unsafe { abi::slice(copy.cast::<u8>(), len) };
        self.array(bytes, Element::BOOLEAN, ByteOrder::NATIVE, &[len])
    }

    /// Returns an array of text.
    pub fn strings(&mut self, strings: Strings<'a>) -> Result<Node<'a>> {
        // SAFETY: the bytes are in the value's memory.
        let bytes = unsafe { abi::slice(strings.bytes.items as *const u8, strings.bytes.len) };
        let offsets = if strings.ends.len == 0 { self.copy_slice(&[0i64])? } else { strings.ends.items };
        self.text(abi::ARRAY_STRING, bytes, offsets, strings.ends.len.saturating_sub(1))
    }

    /// Returns an array of text without a copy: item `i` is `text[offsets[i]..offsets[i + 1]]`.
    pub fn strings_at(&mut self, text: &'a str, offsets: &[u64]) -> Result<Node<'a>> {
        self.charge(offsets.len() as u64)?;
        if let Some(i) =
            offsets.iter().position(|&at| !usize::try_from(at).map_or(false, |at| text.is_char_boundary(at)))
        {
            return invalid(format!("offset {} ({}) does not begin a character of the text", i, offsets[i]));
        }
        self.text_at(abi::ARRAY_STRING, text.as_bytes(), offsets)
    }

    /// Returns an array of byte strings without a copy: item `i` is `bytes[offsets[i]..offsets[i + 1]]`.
    pub fn byte_strings_at(&mut self, bytes: &'a [u8], offsets: &[u64]) -> Result<Node<'a>> {
        self.text_at(abi::ARRAY_BINARY, bytes, offsets)
    }

    fn text_at(&mut self, flag: u8, bytes: &'a [u8], offsets: &[u64]) -> Result<Node<'a>> {
        self.check_offsets(offsets, bytes.len() as u64)?;
        let copy = self.copy_slice(offsets)?;
        self.text(flag, bytes, copy.cast(), offsets.len() as u64 - 1)
    }

    fn text(&mut self, flag: u8, bytes: &'a [u8], offsets: *const i64, length: u64) -> Result<Node<'a>> {
        let items = self.array(bytes, Element::of::<u8>(), ByteOrder::NATIVE, &[bytes.len() as u64])?;
        let mut array = self.over(layout::LIST_OFFSETS, length, &[items])?;
        array.flags = flag;
        array.first = column(offsets, dtype::INT64);
        self.place_array(array)
    }

    /// Returns lists as a column: item `i` is items `offsets[i]..offsets[i + 1]` of the column `items`.
    pub fn lists(&mut self, items: Node<'a>, offsets: &[u64]) -> Result<Node<'a>> {
        self.check_offsets(offsets, array_of(items, "what lists hold")?.length)?;
        let mut array = self.over(layout::LIST_OFFSETS, offsets.len() as u64 - 1, &[items])?;
        array.first = column(self.copy_slice(offsets)?, dtype::UINT64);
        self.place_array(array)
    }

    /// Returns `count` lists of `size` items each as a column.
    pub fn fixed_lists(&mut self, items: Node<'a>, size: u64, count: u64) -> Result<Node<'a>> {
        let length = array_of(items, "what lists hold")?.length;
        if count.checked_mul(size).map_or(true, |all| all > length) {
            return invalid(format!("{} lists of {} items need more than the {} that there are", count, size, length));
        }
        let mut array = self.over(layout::LIST_FIXED, count, &[items])?;
        array.list_size = size;
        self.place_array(array)
    }

    /// Returns the column with items missing where `present` is false.
    pub fn optional(&mut self, items: Node<'a>, present: &[bool]) -> Result<Node<'a>> {
        let length = array_of(items, "what is optional")?.length;
        if length != present.len() as u64 {
            return invalid(format!("{} marks of presence do not fit {} items", present.len(), length));
        }
        let mut array = self.over(layout::OPTION_BYTES, length, &[items])?;
        array.flags = abi::ARRAY_MASK_VALID;
        array.first = column(self.copy_slice(present)?, dtype::BOOLEAN);
        self.place_array(array)
    }

    /// Returns a column whose item `i` is item `index[i]` of `items`, such as a dictionary, or missing where that is negative.
    pub fn indexed(&mut self, items: Node<'a>, index: &[i64]) -> Result<Node<'a>> {
        let length = array_of(items, "what is indexed")?.length;
        self.charge(index.len() as u64)?;
        if let Some(i) = index.iter().position(|&at| at >= 0 && at as u64 >= length) {
            return invalid(format!("index {} ({}) is not below the {} items", i, index[i], length));
        }
        let mut array = self.over(layout::INDEXED, index.len() as u64, &[items])?;
        array.first = column(self.copy_slice(index)?, dtype::INT64);
        self.place_array(array)
    }

    /// Returns the columns one after another as one column.
    pub fn chunked(&mut self, chunks: &[Node<'a>]) -> Result<Node<'a>> {
        let mut offsets = vec![0u64];
        for chunk in chunks {
            let length = array_of(*chunk, "a chunk")?.length;
            offsets.push(offsets[offsets.len() - 1].saturating_add(length));
        }
        let mut array = self.over(layout::CHUNKED, offsets[chunks.len()], chunks)?;
        array.first = column(self.copy_slice(&offsets)?, dtype::UINT64);
        self.place_array(array)
    }

    /// Returns items of any kind as a column, for records.
    pub fn documents(&mut self, items: Items<'a>) -> Result<Node<'a>> {
        let mut array = empty_array(layout::DOCUMENT, items.len());
        array.nodes = items.nodes.items;
        self.place_array(array)
    }

    /// Returns `length` records with the columns, which have that many items.
    pub fn records(&mut self, length: u64, columns: &[(&str, Node<'a>)]) -> Result<Node<'a>> {
        let mut names = Vec::new();
        let mut children = Vec::new();
        for (name, node) in columns {
            let n = array_of(*node, &format!("column '{}'", name))?.length;
            if n != length {
                return invalid(format!("column '{}' has {} items: expected {}", name, n, length));
            }
            names.push(abi::Bytes::of(self.copy(name.as_bytes())?));
            children.push(*node);
        }
        let mut array = self.over(layout::RECORD, length, &children)?;
        array.names = self.copy_slice(&names)?;
        self.place_array(array)
    }

    fn check_offsets(&mut self, offsets: &[u64], length: u64) -> Result<()> {
        self.charge(offsets.len() as u64)?;
        let last = match offsets.last() {
            Some(last) => *last,
            None => return invalid("no offsets: expected one more than items".into()),
        };
        match offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            Some(i) => invalid(format!(
                "offset {} ({}) is less than the one before it ({})",
                i + 1,
                offsets[i + 1],
                offsets[i]
            )),
            None if last > length => invalid(format!("the last offset ({}) exceeds the {} items", last, length)),
            None => Ok(()),
        }
    }

    /// An array over children.
    fn over(&mut self, layout: u8, length: u64, children: &[Node<'a>]) -> Result<abi::Array> {
        let mut pointers = Vec::new();
        for child in children {
            pointers.push(array_of(*child, "a child")? as *const abi::Array);
        }
        let mut array = empty_array(layout, length);
        array.n_children = children.len() as u32;
        array.children = self.copy_slice(&pointers)?;
        Ok(array)
    }
}

fn column<T>(items: *const T, dtype: u8) -> abi::Column {
    abi::Column { data: items.cast(), stride: size_of::<T>() as i64, dtype: dtype.into(), reserved: 0 }
}

fn empty_array(layout: u8, length: u64) -> abi::Array {
    let absent = abi::Column { data: ptr::null(), stride: 0, dtype: 0, reserved: 0 };
    abi::Array {
        struct_size: size_of::<abi::Array>() as u32,
        layout,
        dtype: 0,
        byte_order: 0,
        flags: 0,
        length,
        data: ptr::null(),
        buffer: ptr::null(),
        buffer_size: 0,
        ndim: 0,
        item_size: 0,
        unit: 0,
        n_children: 0,
        shape: ptr::null(),
        strides: ptr::null(),
        first: absent,
        second: absent,
        list_size: 0,
        children: ptr::null(),
        names: ptr::null(),
        nodes: ptr::null(),
        metadata: ptr::null(),
    }
}

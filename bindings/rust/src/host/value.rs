// SPDX-License-Identifier: MIT
//! Values of the library.

use super::sink::Sink;
use super::{sys, text_bytes, Registry};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::{Number, Result, View};
use std::marker::PhantomData;
use std::os::raw::c_char;
use std::ptr;

/// A value, which never changes. It borrows memory of the program for `'a`.
pub struct Value<'a> {
    pub(super) raw: *mut sys::Value,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: host.h: all calls with finished values are thread-safe, and holders may end on any thread.
unsafe impl Send for Value<'_> {}
unsafe impl Sync for Value<'_> {}

impl<'a> Value<'a> {
    pub(super) fn of_raw(raw: *mut sys::Value) -> Value<'a> {
        Value { raw, life: PhantomData }
    }

    /// Returns the whole value.
    pub fn view(&self) -> View<'_> {
        // SAFETY: the library has checked the value, which lives as long as this handle.
        unsafe { View::of_raw(sys::polycodec_value_root(self.raw)) }
    }

    /// Finds a part of the value: `$.vertex.x` is a member or a column, `$.list[3]` an item.
    pub fn find(&self, path: &str) -> Result<View<'_>> {
        let mut item = abi::Item { node: ptr::null(), array: ptr::null(), index: 0 };
        // SAFETY: as in view(); the item is one of the value.
        unsafe {
            check(|e| sys::polycodec_value_find(self.raw, text_bytes(path), &mut item, e))?;
            Ok(View::of_item(item))
        }
    }

    /// Returns a part of the value as a value of its own, without a copy. See [`Value::find`].
    pub fn part(&self, path: &str) -> Result<Value<'a>> {
        let mut item = abi::Item { node: ptr::null(), array: ptr::null(), index: 0 };
        let mut raw = ptr::null_mut();
        // SAFETY: the item is one of the value, which the part keeps.
        unsafe {
            check(|e| sys::polycodec_value_find(self.raw, text_bytes(path), &mut item, e))?;
            check(|e| sys::polycodec_value_part(self.raw, &item, 0, u64::MAX, &mut raw, e))?;
        }
        Ok(Value::of_raw(raw))
    }

    /// Copies the numbers at a path, however they are stored. `Range` for one that is not exactly a `T`, and for one that is missing.
    pub fn numbers<T: Number>(&self, path: &str) -> Result<Vec<T>> {
        let mut numbers: Vec<T> = Vec::new();
        let read = |numbers: *mut T, capacity| {
            let (path, dtype, mut n) = (text_bytes(path), T::DTYPE.into(), 0);
            // SAFETY: the numbers have this room.
            check(|e| unsafe {
                sys::polycodec_value_numbers(
                    self.raw,
                    path,
                    dtype,
                    numbers.cast(),
                    capacity,
                    ptr::null_mut(),
                    &mut n,
                    e,
                )
            })
            .map(|_| n)
        };
        let n = read(ptr::null_mut(), 0)?;
        numbers.reserve_exact(n as usize);
        read(numbers.as_mut_ptr(), n)?;
        // SAFETY: all of them are written.
        unsafe { numbers.set_len(n as usize) };
        Ok(numbers)
    }

    /// Copies the strings at a path, however they are stored. `Range` for one that is missing.
    pub fn strings(&self, path: &str) -> Result<Vec<String>> {
        let (sink, mut n) = (Sink::new(abi::SINK_CONTIGUOUS)?, 0);
        let read = |ends: *mut u64, capacity, n: &mut u64| {
            // SAFETY: the ends have this room.
            check(|e| unsafe {
                sys::polycodec_value_texts(self.raw, text_bytes(path), sink.0, ends, capacity, ptr::null_mut(), n, e)
            })
        };
        read(ptr::null_mut(), 0, &mut n)?;
        let mut ends = vec![0u64; n as usize];
        read(ends.as_mut_ptr(), n, &mut n)?;
        let (text, mut start) = (sink.to_text()?, 0);
        let cut = |end: u64| text[std::mem::replace(&mut start, end as usize)..end as usize].to_string();
        Ok(ends.into_iter().map(cut).collect())
    }

    /// Returns whether columns or rows of the value may have been left out.
    pub fn is_partial(&self) -> bool {
        // SAFETY: the handle is good.
        unsafe { sys::polycodec_value_is_partial(self.raw) != 0 }
    }

    /// Returns the value with its type in typed JSON, which reads back as equal items in the usual layouts.
    pub fn to_text(&self) -> Result<String> {
        self.printed(0)
    }

    /// Returns the same with marks of how the value is stored. It reads back bit for bit.
    pub fn to_exact_text(&self) -> Result<String> {
        self.printed(sys::TEXT_EXACT)
    }

    /// Returns the value as plain JSON.
    pub fn to_json(&self) -> Result<String> {
        self.printed(sys::TEXT_PLAIN)
    }

    fn printed(&self, flags: u32) -> Result<String> {
        let size = std::mem::size_of::<sys::TextOptions>() as u32;
        let options = sys::TextOptions { struct_size: size, flags, indent: 0, width: 0 };
        // SAFETY: the handle is good.
        Sink::text(|sink, error| unsafe { sys::polycodec_value_print(self.raw, ptr::null(), &options, sink, error) })
    }

    /// Returns the type, such as `3 * float64`.
    pub fn type_notation(&self) -> Result<String> {
        // SAFETY: the handle is good.
        Sink::text(|sink, error| unsafe { sys::polycodec_value_type(self.raw, ptr::null(), sink, error) })
    }

    /// Returns whether both values are equal in type, data and metadata.
    pub fn equals(&self, other: &Value<'_>) -> Result<bool> {
        let mut differences = 0;
        // SAFETY: the handles are good.
        check(|e| unsafe {
            let (options, sink) = (ptr::null(), ptr::null_mut());
            sys::polycodec_value_compare(self.raw, other.raw, options, &mut differences, sink, e)
        })?;
        Ok(differences == 0)
    }

    /// Returns a content address, 64 hexadecimal digits.
    pub fn content_address(&self, registry: &Registry, address: Address) -> Result<String> {
        let mut digest = [0 as c_char; 65];
        // SAFETY: the digest has the room that the library wants.
        check(|e| unsafe {
            sys::polycodec_value_address(
                registry.raw,
                self.raw,
                address as i32,
                digest.as_mut_ptr(),
                ptr::null_mut(),
                e,
            )
        })?;
        Ok(digest[..64].iter().map(|&c| c as u8 as char).collect())
    }
}

/// What a content address is equal under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Kinds, types and values.
    Exact = 0,
    /// Lists, arrays and tuples of equal items share it.
    Logical = 1,
}

impl Value<'static> {
    /// Reads plain JSON or typed JSON.
    pub fn parse(text: &str) -> Result<Value<'static>> {
        Value::parse_as(text, "", None)
    }

    /// Reads the JSON of a value of the type `notation`, which may name types of a registry.
    pub fn parse_as(text: &str, notation: &str, registry: Option<&Registry>) -> Result<Value<'static>> {
        let mut raw = ptr::null_mut();
        let registry = registry.map_or(ptr::null_mut(), |registry| registry.raw);
        let notation = if notation.is_empty() { Bytes::EMPTY } else { text_bytes(notation) };
        // SAFETY: nothing views the text after the call.
        check(|e| unsafe { sys::polycodec_value_parse(registry, text_bytes(text), notation, &mut raw, e) })?;
        Ok(Value::of_raw(raw))
    }
}

impl Clone for Value<'_> {
    fn clone(&self) -> Self {
        // SAFETY: this handle is a holder.
        Value::of_raw(unsafe { sys::polycodec_value_retain(self.raw) })
    }
}

impl Drop for Value<'_> {
    fn drop(&mut self) {
        // SAFETY: this handle is one holder.
        unsafe { sys::polycodec_value_release(self.raw) }
    }
}

// SPDX-License-Identifier: MIT
//! What a decoder builds: nodes in the memory of the value.

use super::call::Budget;
use super::{ByteOrder, Items, Node};
use crate::abi::{self, dtype, kind, layout, NodeAs};
use crate::error::check;
use crate::{Error, Number, Result, Status, Time};
use std::mem::{align_of, size_of};
use std::os::raw::c_void;
use std::ptr;

/// Builds a value. It charges the budget for what it makes.
#[derive(Debug)]
pub struct Builder<'a> {
    pub(super) budget: Budget<'a>,
}

impl<'a> Builder<'a> {
    /// # Safety
    /// The call is that of the host, its arena lives during `'a`, and nothing else uses it as long as the result.
    pub(super) unsafe fn of_raw(call: *mut abi::Call) -> Builder<'a> {
        Builder { budget: Budget::of_raw(call) }
    }

    /// Charges work that builds nothing. See [`Budget::charge`].
    pub fn charge(&mut self, units: u64) -> Result<()> {
        self.budget.charge(units)
    }

    /// Runs `body` one level deeper, or fails at the limit. Wrap each recursion in it.
    pub fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.budget.enter()?;
        let result = body(self);
        self.budget.leave();
        result
    }

    /// Returns text that is copied to the value's memory.
    pub fn copy_str(&mut self, text: &str) -> Result<Node<'a>> {
        let copy = self.copy(text.as_bytes())?;
        Ok(Node::new(kind::STRING, 0, text.len() as u64, NodeAs { data: copy.cast() }))
    }

    /// Returns bytes that are copied to the value's memory.
    pub fn copy_bytes(&mut self, bytes: &[u8]) -> Result<Node<'a>> {
        let copy = self.copy(bytes)?;
        Ok(Node::new(kind::BINARY, 0, bytes.len() as u64, NodeAs { data: copy.cast() }))
    }

    /// Returns a list of the items.
    pub fn list(&mut self, items: Items<'a>) -> Node<'a> {
        Node::new(kind::LIST, 0, items.len, NodeAs { nodes: items.nodes })
    }

    /// Returns a tuple of the items.
    pub fn tuple(&mut self, items: Items<'a>) -> Node<'a> {
        Node::new(kind::TUPLE, 0, items.len, NodeAs { nodes: items.nodes })
    }

    /// Returns an object. The items are key, value, key, value, and every key is text.
    pub fn object(&mut self, members: Items<'a>) -> Result<Node<'a>> {
        self.budget.charge(members.len / 2)?;
        // SAFETY: the first `len` nodes are written.
        let nodes = unsafe { abi::slice(members.nodes as *const abi::Node, members.len) };
        if let Some(key) = nodes.iter().step_by(2).position(|key| key.kind != kind::STRING) {
            return Err(Error::new(Status::Malformed, format!("key {} of an object is not text", key)));
        }
        members.pairs().map(|n| Node::new(kind::OBJECT, 0, n, NodeAs { nodes: members.nodes }))
    }

    /// Returns a map. The items are key, value, key, value.
    pub fn map(&mut self, pairs: Items<'a>) -> Result<Node<'a>> {
        pairs.pairs().map(|n| Node::new(kind::MAP, 0, n, NodeAs { nodes: pairs.nodes }))
    }

    /// Returns a timestamp.
    pub fn timestamp(&mut self, time: Time) -> Result<Node<'a>> {
        let time = self.place_one(time.to_raw())?;
        Ok(Node::new(kind::TIMESTAMP, dtype::TIMESTAMP64, 0, NodeAs { time }))
    }

    /// Returns a duration.
    pub fn duration(&mut self, time: Time) -> Result<Node<'a>> {
        let time = self.place_one(time.to_raw())?;
        Ok(Node::new(kind::DURATION, dtype::DURATION64, 0, NodeAs { time }))
    }

    /// Returns a node with metadata. The items are an object and the node, which has no metadata yet.
    pub fn annotated(&mut self, items: Items<'a>) -> Result<Node<'a>> {
        // SAFETY: the first `len` nodes are written.
        let nodes = unsafe { abi::slice(items.nodes as *const abi::Node, items.len) };
        match nodes {
            [metadata, node] if metadata.kind == kind::OBJECT && node.kind != kind::ANNOTATED => {
                let annotated = self.place_one(abi::Annotated { node, metadata })?;
                Ok(Node::new(kind::ANNOTATED, 0, 0, NodeAs { annotated }))
            }
            _ => {
                let message = "invalid metadata: must be an object, of a node that has none yet";
                Err(Error::new(Status::Malformed, message))
            }
        }
    }

    /// Returns an array of numbers that views `bytes`, which need no alignment. The last dimension varies fastest.
    pub fn array<T: Number>(&mut self, bytes: &'a [u8], order: ByteOrder, shape: &[u64]) -> Result<Node<'a>> {
        let size = size_of::<T>() as u64;
        let count = shape.iter().try_fold(size, |n, &dim| n.checked_mul(dim));
        if count != Some(bytes.len() as u64) || shape.is_empty() || shape.len() > 64 {
            let message = format!("shape {:?} of {}-byte numbers does not fit {} bytes", shape, size, bytes.len());
            return Err(Error::new(Status::Malformed, message));
        }
        let dims = self.alloc::<i64>(shape.len() as u64 * 2)?;
        let mut stride = size as i64;
        for (i, &dim) in shape.iter().enumerate().rev() {
            // SAFETY: `dims` has room for shape and strides.
            unsafe {
                dims.add(i).write(dim as i64);
                dims.add(shape.len() + i).write(stride);
            }
            // Without elements strides mean nothing, so they may wrap.
            stride = stride.wrapping_mul(dim.max(1) as i64);
        }
        let mut array = empty_array(layout::NDARRAY, shape[0]);
        array.dtype = T::DTYPE;
        array.byte_order = order as u8;
        array.data = bytes.as_ptr().cast();
        array.buffer = bytes.as_ptr().cast();
        array.buffer_size = bytes.len() as u64;
        array.ndim = shape.len() as u32;
        array.item_size = size as u32;
        array.shape = dims;
        // SAFETY: as above.
        array.strides = unsafe { dims.add(shape.len()) };
        let array = self.place_one(array)?;
        Ok(Node::new(kind::ARRAY, 0, 0, NodeAs { array }))
    }

    /// Returns an array of numbers that are copied to the value's memory.
    pub fn copy_numbers<T: Number>(&mut self, numbers: &[T]) -> Result<Node<'a>> {
        // SAFETY: numbers have no padding, and the copy lives as long as the value.
        let bytes = unsafe {
            let bytes = std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), std::mem::size_of_val(numbers));
            let copy = self.copy_aligned(bytes, align_of::<T>())?;
            abi::slice(copy as *const u8, bytes.len() as u64)
        };
        self.array::<T>(bytes, ByteOrder::NATIVE, &[numbers.len() as u64])
    }

    /// Returns an array of records with the columns, which are arrays of the same length.
    pub fn records(&mut self, columns: &[(&str, Node<'a>)]) -> Result<Node<'a>> {
        let names = self.alloc::<abi::Bytes>(columns.len() as u64)?;
        let children = self.alloc::<*const abi::Array>(columns.len() as u64)?;
        let mut length = None;
        for (i, (name, column)) in columns.iter().enumerate() {
            if column.raw.kind != kind::ARRAY {
                return Err(Error::new(Status::Type, format!("column '{}' is not an array", name)));
            }
            // SAFETY: an ARRAY node points to its array; names and children have room for all columns.
            unsafe {
                let array = column.raw.as_.array;
                if *length.get_or_insert((*array).length) != (*array).length {
                    return Err(Error::new(Status::Malformed, format!("column '{}' has another length", name)));
                }
                let text = self.copy(name.as_bytes())?;
                names.add(i).write(abi::Bytes { data: text.cast(), size: name.len() as u64 });
                children.add(i).write(array);
            }
        }
        let mut array = empty_array(layout::RECORD, length.unwrap_or(0));
        array.n_children = columns.len() as u32;
        array.children = children;
        array.names = names;
        let array = self.place_one(array)?;
        Ok(Node::new(kind::ARRAY, 0, 0, NodeAs { array }))
    }

    pub(super) fn place(&mut self, node: Node<'a>) -> Result<*const abi::Node> {
        self.place_one(node.raw)
    }

    fn place_one<T>(&mut self, object: T) -> Result<*const T> {
        let memory = self.alloc::<T>(1)?;
        // SAFETY: the memory has the size and alignment of a T.
        unsafe { memory.write(object) };
        Ok(memory)
    }

    fn copy(&mut self, bytes: &[u8]) -> Result<*mut u8> {
        self.copy_aligned(bytes, 1)
    }

    fn copy_aligned(&mut self, bytes: &[u8], align: usize) -> Result<*mut u8> {
        self.budget.charge(bytes.len() as u64 / 16)?;
        let memory = self.alloc_bytes(bytes.len() as u64, align)?;
        // SAFETY: fresh memory of this size.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }

    fn alloc<T>(&mut self, count: u64) -> Result<*mut T> {
        self.budget.charge(1 + count)?;
        Ok(self.alloc_bytes(count * size_of::<T>() as u64, align_of::<T>())?.cast())
    }

    fn alloc_bytes(&mut self, size: u64, align: usize) -> Result<*mut u8> {
        // SAFETY: [cursor, limit) is free memory of the arena.
        unsafe {
            let arena = (*self.budget.raw).arena;
            let cursor = (*arena).cursor;
            let gap = cursor.align_offset(align) as u64;
            let free = ((*arena).limit as usize).wrapping_sub(cursor as usize) as u64;
            if !cursor.is_null() && gap <= free && size <= free - gap {
                (*arena).cursor = cursor.add((gap + size) as usize);
                return Ok(cursor.add(gap as usize));
            }
            let mut memory: *mut c_void = ptr::null_mut();
            check(|error| ((*arena).grow)(arena, size, align as u64, &mut memory, error))?;
            Ok(memory.cast())
        }
    }
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

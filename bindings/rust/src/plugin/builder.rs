// SPDX-License-Identifier: MIT
//! What a decoder builds: nodes in the memory of the value. The columns are in columns.rs.

use super::{Call, Items, Node};
use crate::abi::{self, dtype, kind, NodeAs};
use crate::{Error, Number, Result, Status, Time, View};
use std::mem::size_of;
use std::ops::{Deref, DerefMut};

/// Builds a value. It is the [`Call`] of a decoder, and charges for what it makes.
#[derive(Debug)]
pub struct Builder<'a> {
    call: Call<'a>,
}

impl<'a> Deref for Builder<'a> {
    type Target = Call<'a>;

    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

impl<'a> DerefMut for Builder<'a> {
    fn deref_mut(&mut self) -> &mut Call<'a> {
        &mut self.call
    }
}

impl<'a> Builder<'a> {
    /// # Safety
    /// The call is that of the host, its arena lives during `'a`, and nothing else uses it as long as the result.
    pub(crate) unsafe fn of_raw(call: *mut abi::Call) -> Builder<'a> {
        Builder { call: Call::of_raw(call) }
    }

    /// Runs `body` one level deeper, or fails at the limit. Wrap each recursion in it.
    pub fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enter()?;
        let result = body(self);
        self.leave();
        result
    }

    /// Returns a number of its own width.
    pub fn number<T: Number>(&mut self, number: T) -> Result<Node<'a>> {
        let size = size_of::<T>();
        let mut bytes = [0u8; 16];
        // SAFETY: a number has at most 16 bytes.
        unsafe { bytes.as_mut_ptr().cast::<T>().write_unaligned(number) };
        if size == 16 {
            let data = self.copy(&bytes)?.as_ptr().cast();
            return Ok(Node::new(kind::WIDE, T::DTYPE, 0, NodeAs { data }));
        }
        let (order, mut as_) = (cfg!(target_endian = "big"), NodeAs { u64: 0 });
        let bits = crate::view::read_number(&bytes[..size], order) as u64;
        let unused = 64 - 8 * size as u32;
        let kind = match T::DTYPE {
            dtype::FLOAT32 => {
                as_.f32 = f32::from_bits(bits as u32);
                kind::FLOAT
            }
            dtype::FLOAT64 => {
                as_.u64 = bits;
                kind::FLOAT
            }
            dtype::INT8..=dtype::INT64 => {
                as_.i64 = (bits << unused) as i64 >> unused;
                kind::SIGNED
            }
            _ => {
                as_.u64 = bits;
                kind::UNSIGNED
            }
        };
        Ok(Node::new(kind, T::DTYPE, 0, as_))
    }

    /// Returns text that is copied to the value's memory.
    pub fn copy_str(&mut self, text: &str) -> Result<Node<'a>> {
        let data = self.copy(text.as_bytes())?.as_ptr().cast();
        Ok(Node::new(kind::STRING, 0, text.len() as u64, NodeAs { data }))
    }

    /// Returns bytes that are copied to the value's memory.
    pub fn copy_bytes(&mut self, bytes: &[u8]) -> Result<Node<'a>> {
        self.copy(bytes).map(Node::bytes)
    }

    /// Returns a list of the items.
    pub fn list(&mut self, items: Items<'a>) -> Node<'a> {
        Node::new(kind::LIST, 0, items.len(), NodeAs { nodes: items.nodes.items })
    }

    /// Returns a tuple of the items.
    pub fn tuple(&mut self, items: Items<'a>) -> Node<'a> {
        Node::new(kind::TUPLE, 0, items.len(), NodeAs { nodes: items.nodes.items })
    }

    /// Returns an object. The items are key, value, key, value, and every key is text.
    pub fn object(&mut self, members: Items<'a>) -> Result<Node<'a>> {
        self.charge(members.len() / 2)?;
        let nodes = members.nodes.as_slice();
        if let Some(key) = nodes.iter().step_by(2).position(|key| key.kind != kind::STRING) {
            return Err(Error::new(Status::Malformed, format!("key {} of an object is not text", key)));
        }
        members.pairs().map(|n| Node::new(kind::OBJECT, 0, n, NodeAs { nodes: members.nodes.items }))
    }

    /// Returns a map. The items are key, value, key, value.
    pub fn map(&mut self, pairs: Items<'a>) -> Result<Node<'a>> {
        pairs.pairs().map(|n| Node::new(kind::MAP, 0, n, NodeAs { nodes: pairs.nodes.items }))
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

    /// Returns one alternative of a union.
    pub fn tagged(&mut self, tag: i64, node: Node<'a>) -> Result<Node<'a>> {
        let node = self.place(node)?;
        let tagged = self.place_one(abi::Tagged { tag, node })?;
        Ok(Node::new(kind::UNION, 0, 0, NodeAs { tagged }))
    }

    /// Returns a payload under a name that this codec knows.
    pub fn extension(&mut self, name: &str, payload: Node<'a>) -> Result<Node<'a>> {
        let (name, payload) = (abi::Bytes::of(self.copy(name.as_bytes())?), self.place(payload)?);
        let extension = self.place_one(abi::Extension { name, payload })?;
        Ok(Node::new(kind::EXTENSION, 0, 0, NodeAs { extension }))
    }

    /// Returns a node, also a column, with metadata: an object. The node has none yet.
    pub fn with_metadata(&mut self, node: Node<'a>, metadata: Node<'a>) -> Result<Node<'a>> {
        let message = "invalid metadata: must be an object, of a node that has none yet";
        let invalid = || Err(Error::new(Status::Malformed, message));
        if metadata.raw.kind != kind::OBJECT || node.raw.kind == kind::ANNOTATED {
            return invalid();
        }
        let metadata = self.place(metadata)?;
        if node.raw.kind == kind::ARRAY {
            // SAFETY: an ARRAY node points to its array.
            let mut array = unsafe { std::ptr::read(node.raw.as_.array) };
            if !array.metadata.is_null() {
                return invalid();
            }
            array.metadata = metadata;
            return self.place_array(array);
        }
        let node = self.place(node)?;
        let annotated = self.place_one(abi::Annotated { node, metadata })?;
        Ok(Node::new(kind::ANNOTATED, 0, 0, NodeAs { annotated }))
    }

    /// Returns the view of a node, such as the result of a function.
    pub fn view(&mut self, node: Node<'a>) -> Result<View<'a>> {
        let node = self.place(node)?;
        // SAFETY: nodes of builders and of the host are good as long as the value.
        Ok(unsafe { View::of_raw(node) })
    }

    pub(super) fn place_array(&mut self, array: abi::Array) -> Result<Node<'a>> {
        let array = self.place_one(array)?;
        Ok(Node::new(kind::ARRAY, 0, 0, NodeAs { array }))
    }
}

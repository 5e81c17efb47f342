// SPDX-License-Identifier: MIT
//! Nodes that need no memory but their own.

use crate::abi::{self, dtype, kind, NodeAs};
use std::marker::PhantomData;

/// One node of a value. It may borrow from the input, from the builder's memory, and from constants.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Node<'a> {
    pub(super) raw: abi::Node,
    life: PhantomData<&'a u8>,
}

/// The order of the bytes of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ByteOrder {
    /// The least byte comes first.
    Little = 0,
    /// The greatest byte comes first.
    Big = 1,
}

impl ByteOrder {
    /// The order of this machine.
    pub const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };
}

impl<'a> Node<'a> {
    pub(super) fn new(kind: u8, dtype: u8, size: u64, as_: NodeAs) -> Node<'a> {
        Node { raw: abi::Node::new(kind, dtype, size, as_), life: PhantomData }
    }

    /// # Safety
    /// What the node points to lives, unchanged, during `'a`.
    pub(super) unsafe fn of_raw(raw: abi::Node) -> Node<'a> {
        Node { raw, life: PhantomData }
    }

    /// Returns the null value.
    pub fn null() -> Node<'a> {
        Node::new(kind::NULL, 0, 0, NodeAs { u64: 0 })
    }

    /// Returns a boolean.
    pub fn boolean(value: bool) -> Node<'a> {
        Node::new(kind::BOOLEAN, 0, 0, NodeAs { u64: u64::from(value) })
    }

    /// Returns an integer of 64 bits.
    pub fn signed(value: i64) -> Node<'a> {
        Node::new(kind::SIGNED, dtype::INT64, 0, NodeAs { i64: value })
    }

    /// Returns an unsigned integer of 64 bits.
    pub fn unsigned(value: u64) -> Node<'a> {
        Node::new(kind::UNSIGNED, dtype::UINT64, 0, NodeAs { u64: value })
    }

    /// Returns a number of 64 bits.
    pub fn float(value: f64) -> Node<'a> {
        Node::new(kind::FLOAT, dtype::FLOAT64, 0, NodeAs { f64: value })
    }

    /// Returns a number of 32 bits.
    pub fn float32(value: f32) -> Node<'a> {
        let mut as_ = NodeAs { u64: 0 };
        as_.f32 = value;
        Node::new(kind::FLOAT, dtype::FLOAT32, 0, as_)
    }

    /// Returns text, without a copy.
    pub fn str(text: &'a str) -> Node<'a> {
        Node::new(kind::STRING, 0, text.len() as u64, NodeAs { data: text.as_ptr().cast() })
    }

    /// Returns bytes, without a copy.
    pub fn bytes(bytes: &'a [u8]) -> Node<'a> {
        Node::new(kind::BINARY, 0, bytes.len() as u64, NodeAs { data: bytes.as_ptr().cast() })
    }
}

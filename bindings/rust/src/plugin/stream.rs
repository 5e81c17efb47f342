// SPDX-License-Identifier: MIT
//! Values that follow each other.

use super::{Builder, Node, Output};
use crate::{abi, Result, View};

/// What [`Codec::open_reader`](super::Codec::open_reader) returns: reads values one after another, with what they share.
pub trait StreamReader: Send + 'static {
    /// Reads the next value of the bytes of the step. `None`: there is none yet, or the stream has ended.
    fn next<'a>(&mut self, step: &mut Step<'a>, out: &mut Builder<'a>) -> Result<Option<Node<'a>>>;
}

/// What [`Codec::open_writer`](super::Codec::open_writer) returns: writes values one after another.
pub trait StreamWriter: Send + 'static {
    /// Writes the next value. The output may borrow from the value.
    fn append<'a>(&mut self, value: View<'a>, out: &mut Output<'a>) -> Result<()>;

    /// Writes what ends the stream.
    fn finish<'a>(&mut self, out: &mut Output<'a>) -> Result<()> {
        let _ = out;
        Ok(())
    }
}

/// One step through a stream.
#[derive(Debug)]
pub struct Step<'a> {
    bytes: &'a [u8],
    is_last: bool,
    pub(super) consumed: u64,
    pub(super) wanted: u64,
}

impl<'a> Step<'a> {
    /// # Safety
    /// The bytes of the step live during `'a`.
    pub(super) unsafe fn of_raw(raw: &abi::Step) -> Step<'a> {
        Step { bytes: raw.bytes.as_slice(), is_last: raw.final_ != 0, consumed: 0, wanted: 0 }
    }

    /// Returns what was not consumed yet. It may hold less or more than one value.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns whether no byte follows [`Step::bytes`].
    pub fn is_last(&self) -> bool {
        self.is_last
    }

    /// Says that the first `size` bytes are done with.
    pub fn consume(&mut self, size: u64) {
        self.consumed = size;
    }

    /// Says that there is no value yet, and how many bytes from the new front it takes at least.
    pub fn want(&mut self, size: u64) {
        self.wanted = size;
    }
}

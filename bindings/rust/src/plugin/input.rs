// SPDX-License-Identifier: MIT
//! What a decoder reads.

use super::{Blobs, File};
use crate::{abi, Error, Object, Result, Status, View};

/// What an input consists of, and what a codec reads or writes. The default is [`Parts::BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts(pub(super) u32);

impl Parts {
    /// All bytes, in memory.
    pub const BYTES: Parts = Parts(abi::INPUT_BYTES);
    /// The bytes by offset, for codecs that read parts only. No output is a file.
    pub const FILE: Parts = Parts(abi::INPUT_FILE);
    /// The blobs of a store.
    pub const STORE: Parts = Parts(abi::INPUT_STORE);
    /// The directory of the file, beside bytes or file.
    pub const COMPANIONS: Parts = Parts(abi::INPUT_COMPANIONS);

    /// Returns both.
    pub const fn and(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }
}

/// The input of one call.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    raw: &'a abi::Input,
}

impl<'a> Input<'a> {
    /// # Safety
    /// What `raw` names lives, unchanged, during `'a`.
    pub(super) unsafe fn of_raw(raw: &abi::Input) -> Input<'_> {
        Input { raw }
    }

    /// Returns the bytes, which live as long as the value.
    pub fn bytes(&self) -> &'a [u8] {
        // SAFETY: as in of_raw().
        unsafe { self.raw.bytes.as_slice() }
    }

    /// Returns the file, for codecs whose `INPUTS` name it.
    pub fn file(&self) -> Option<&'a File> {
        // SAFETY: as in of_raw().
        unsafe { File::of_raw(self.raw.file) }
    }

    /// Returns the blobs of the store, or the directory of the file, for codecs whose `INPUTS` name them.
    pub fn blobs(&self) -> Option<&'a Blobs> {
        // SAFETY: as in of_raw().
        unsafe { Blobs::of_raw(self.raw.store) }
    }

    /// Returns which named value of the blobs to read. Nothing: the only one.
    pub fn member(&self) -> &str {
        // SAFETY: as in of_raw().
        std::str::from_utf8(unsafe { self.raw.member.as_slice() }).unwrap_or("")
    }

    /// Returns the bytes of the whole source, of which [`super::Codec::SNIFF`] gets the first, if that is known.
    pub fn total(&self) -> Option<u64> {
        Some(self.raw.total).filter(|&total| total != u64::MAX)
    }

    /// Returns a reader at the first byte.
    pub fn reader(&self) -> Reader<'a> {
        Reader::new(self.bytes())
    }

    /// Reads with `body`, and fails with `Trailing` if it leaves bytes.
    pub fn read_all<T>(&self, body: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        let mut reader = self.reader();
        let result = body(&mut reader)?;
        reader.finish().map(|_| result)
    }

    /// Returns a file name for messages and hints, or nothing.
    pub fn name(&self) -> &str {
        // SAFETY: as in of_raw().
        std::str::from_utf8(unsafe { self.raw.name.as_slice() }).unwrap_or("")
    }
}

impl std::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Input({} bytes, {:?})", self.bytes().len(), self.name())
    }
}

/// A position in the input. It never leaves the input.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Returns a reader at the first of the bytes.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// Returns the offset of the next byte, for errors.
    pub fn offset(&self) -> u64 {
        self.at as u64
    }

    /// Returns the bytes that are left, without a step.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Returns whether no byte is left.
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Returns the next `size` bytes, or `Truncated`. `what` is what they are, for the message.
    pub fn take(&mut self, size: u64, what: &str) -> Result<&'a [u8]> {
        match usize::try_from(size).ok().filter(|&size| size <= self.bytes.len() - self.at) {
            Some(size) => {
                self.at += size;
                Ok(&self.bytes[self.at - size..self.at])
            }
            None => {
                let left = self.bytes.len() - self.at;
                let message = format!("the input ends in {} ({} bytes left): expected {} bytes", what, left, size);
                Err(Error::new(Status::Truncated, message).at(self.bytes.len() as u64))
            }
        }
    }

    /// Returns the next `N` bytes, for `from_le_bytes` of the numbers.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut result = [0; N];
        result.copy_from_slice(self.take(N as u64, what)?);
        Ok(result)
    }

    /// Returns the next byte.
    pub fn u8(&mut self, what: &str) -> Result<u8> {
        Ok(self.array::<1>(what)?[0])
    }

    /// Returns the next `size` bytes as text, or `Malformed` if they are not UTF-8.
    pub fn text(&mut self, size: u64, what: &str) -> Result<&'a str> {
        let start = self.offset();
        let bytes = self.take(size, what)?;
        std::str::from_utf8(bytes).map_err(|error| {
            let message = format!("{} is not UTF-8 after {} bytes", what, error.valid_up_to());
            Error::new(Status::Malformed, message).at(start + error.valid_up_to() as u64)
        })
    }

    /// Fails with `Trailing` if bytes are left.
    pub fn finish(&self) -> Result<()> {
        if self.is_at_end() {
            return Ok(());
        }
        let message = format!("{} bytes follow the value: expected the end of the input", self.rest().len());
        Err(Error::new(Status::Trailing, message).at(self.offset()))
    }

    /// Returns an error at the next byte.
    pub fn error(&self, code: Status, message: impl Into<String>) -> Error {
        Error::new(code, message).at(self.offset())
    }
}

/// The options of a codec, checked against the schema of its manifest.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a>(pub(super) Option<Object<'a>>);

impl<'a> Options<'a> {
    /// Returns the option `name`, or `None` if it is not given.
    pub fn get(&self, name: &str) -> Option<View<'a>> {
        self.0.and_then(|object| object.get(name))
    }
}

// SPDX-License-Identifier: MIT
//! Filters: bytes to bytes, such as compressors and checksums.

use super::{Call, Input, Options, Output, Sniff};
use crate::abi::{self, Bytes};
use crate::{Error, Result, Status};

/// A filter with its options. Several threads use one at the same time.
pub trait Filter: Sized + Send + Sync + 'static {
    /// The name, as in the manifest.
    const NAME: &'static str;
    /// Whether the filter has [`Filter::decode`].
    const CAN_DECODE: bool = true;
    /// Whether the filter has [`Filter::encode`].
    const CAN_ENCODE: bool = true;
    /// As [`Codec::SNIFF`](super::Codec::SNIFF).
    const SNIFF: Option<fn(&Input<'_>) -> Sniff> = None;

    /// Makes the filter from options that the host has checked against the schema of the manifest.
    fn open(options: &Options<'_>) -> Result<Self>;

    /// Writes the pieces, one after another, in the format of the filter.
    fn encode<'a>(&self, pieces: Pieces<'a>, out: &mut Output<'a>) -> Result<()> {
        let _ = (pieces, out);
        Err(Error::new(Status::Unsupported, "this filter only decodes: it has no encoder; choose another filter"))
    }

    /// Undoes it. `expected` is the number of bytes that the caller knows, and any other number is malformed.
    fn decode<'a>(&self, bytes: &'a [u8], expected: Option<u64>, out: &mut Output<'a>) -> Result<()> {
        let _ = (bytes, expected, out);
        Err(Error::new(Status::Unsupported, "this filter only encodes: it has no decoder; choose another filter"))
    }

    /// Returns what the bytes say about the size of the result, if they do. Hosts do not rely on it.
    fn decoded_size(&self, bytes: &[u8], call: &mut Call<'_>) -> Result<Option<u64>> {
        let _ = (bytes, call);
        Ok(None)
    }
}

/// The bytes that a filter is to encode: pieces, one after another.
#[derive(Clone, Copy, Debug)]
pub struct Pieces<'a>(&'a [Piece]);

#[repr(transparent)]
struct Piece(Bytes);

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.size)
    }
}

impl<'a> Pieces<'a> {
    /// # Safety
    /// The pieces, and what they name, live during `'a`.
    pub(super) unsafe fn of_raw(pieces: *const Bytes, n: u64) -> Pieces<'a> {
        Pieces(abi::slice(pieces.cast(), n))
    }

    /// Returns the pieces in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        // SAFETY: as in of_raw().
        self.0.iter().map(|piece| unsafe { piece.0.as_slice() })
    }

    /// Returns the number of bytes of all pieces.
    pub fn size(&self) -> u64 {
        self.0.iter().map(|piece| piece.0.size).sum()
    }

    /// Returns all bytes in one place: the only piece itself, or a copy in the memory of the call.
    pub fn contiguous(&self, call: &mut Call<'a>) -> Result<&'a [u8]> {
        if self.0.len() == 1 {
            return Ok(self.iter().next().unwrap_or(&[]));
        }
        let mut all = super::growing::Growing::new();
        for piece in self.iter() {
            call.charge(1 + piece.len() as u64 / 16)?;
            all.extend(call, piece)?;
        }
        // SAFETY: the copy is in the memory of the call.
        Ok(unsafe { abi::slice(all.items as *const u8, all.len) })
    }
}

// SPDX-License-Identifier: MIT
//! Values in pieces for a wire, see docs/frames.md.

use super::source::release_owner;
use super::{sys, Limits, Value};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::Result;
use std::marker::PhantomData;
use std::ptr;

/// A value as a header and its buffers, which are not copied.
pub struct Frames<'a> {
    raw: *mut sys::Message,
    pieces: *const Bytes,
    n: u64,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: frames do not change once they are made, and keep their value.
unsafe impl Send for Frames<'_> {}
unsafe impl Sync for Frames<'_> {}

impl Frames<'_> {
    /// Returns the pieces, the header first.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        // SAFETY: the pieces live as long as the frames.
        unsafe { abi::slice(self.pieces, self.n).iter().map(|piece| piece.as_slice()) }
    }
}

impl Drop for Frames<'_> {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_value_to_frames().
        unsafe { sys::polycodec_message_free(self.raw) }
    }
}

impl<'a> Value<'a> {
    /// Takes the value apart, without copies of large arrays.
    pub fn to_frames(&self) -> Result<Frames<'a>> {
        let mut frames = Frames { raw: ptr::null_mut(), pieces: ptr::null(), n: 0, life: PhantomData };
        // SAFETY: results go to `frames`, which keep the value.
        unsafe {
            check(|error| sys::polycodec_value_to_frames(self.raw, &mut frames.raw, error))?;
            check(|error| sys::polycodec_message_part(frames.raw, 0, &mut frames.pieces, &mut frames.n, error))?;
        }
        Ok(frames)
    }
}

impl Value<'static> {
    /// Puts a value together from pieces, which it keeps. They are checked as any input.
    pub fn from_frames<T>(pieces: Vec<T>, limits: Option<Limits>) -> Result<Value<'static>>
    where
        T: AsRef<[u8]> + Send + Sync + 'static,
    {
        let limits = limits.map(Limits::to_raw);
        let limits = limits.as_ref().map_or(ptr::null(), |limits| limits);
        let bytes: Vec<Bytes> = pieces.iter().map(|piece| Bytes::of(piece.as_ref())).collect();
        let owner = Box::into_raw(Box::new(pieces));
        let mut raw = ptr::null_mut();
        // SAFETY: the vector is not touched until release, so its pieces stay where they are.
        check(|error| unsafe {
            sys::polycodec_value_from_frames(
                bytes.as_ptr(),
                bytes.len() as u64,
                0,
                owner.cast(),
                Some(release_owner::<Vec<T>>),
                limits,
                &mut raw,
                error,
            )
        })?;
        Ok(Value::of_raw(raw))
    }
}

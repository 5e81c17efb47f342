// SPDX-License-Identifier: MIT
//! The library's sinks.

use super::sys;
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::Result;
use std::ptr;

pub(super) struct Sink(pub *mut abi::Sink);

impl Sink {
    pub fn new(flags: u32) -> Result<Sink> {
        let mut sink = ptr::null_mut();
        // SAFETY: results go to `sink`.
        check(|error| unsafe { sys::polycodec_sink_create(flags, 0, &mut sink, error) })?;
        Ok(Sink(sink))
    }

    /// Returns what `write` writes as text.
    pub fn text(write: impl FnOnce(*mut abi::Sink, *mut abi::Error) -> i32) -> Result<String> {
        let sink = Sink::new(abi::SINK_CONTIGUOUS)?;
        check(|error| write(sink.0, error))?;
        sink.to_text()
    }

    /// Returns what the sink holds as text.
    pub fn to_text(&self) -> Result<String> {
        let mut bytes = Bytes::EMPTY;
        // SAFETY: the bytes live until the next call with the sink, and are copied before.
        unsafe {
            check(|error| sys::polycodec_sink_bytes(self.0, &mut bytes, error))?;
            Ok(String::from_utf8_lossy(bytes.as_slice()).into_owned())
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_sink_create().
        unsafe { sys::polycodec_sink_free(self.0) }
    }
}

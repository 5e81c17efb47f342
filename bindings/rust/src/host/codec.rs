// SPDX-License-Identifier: MIT
//! Opened codecs and what they encode.

use super::sink::Sink;
use super::{sys, CallOptions, Source, Value};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::Result;
use std::marker::PhantomData;
use std::ptr;

/// A codec with its options and filters.
pub struct Codec {
    pub(super) raw: *mut sys::OpenedCodec,
}

// SAFETY: host.h: all calls with opened codecs are thread-safe, and holders may end on any thread.
unsafe impl Send for Codec {}
unsafe impl Sync for Codec {}

impl Codec {
    /// Decodes all of a source.
    pub fn decode<'a>(&self, source: &Source<'a>, options: &CallOptions<'_>) -> Result<Value<'a>> {
        let mut raw = ptr::null_mut();
        // SAFETY: the handles are good during the call; the value keeps the source.
        options.run(|call, error| unsafe {
            sys::polycodec_opened_codec_decode(self.raw, source.raw, call, &mut raw, error)
        })?;
        Ok(Value::of_raw(raw))
    }

    /// Lists the named values of a source that is a store, without decoding them: an object of their names.
    /// [`CallOptions::member`] decodes one of them.
    pub fn list<'a>(&self, source: &Source<'a>, options: &CallOptions<'_>) -> Result<Value<'a>> {
        let mut raw = ptr::null_mut();
        // SAFETY: the handles are good during the call; the value keeps the source.
        options.run(|call, error| unsafe {
            sys::polycodec_opened_codec_list(self.raw, source.raw, call, &mut raw, error)
        })?;
        Ok(Value::of_raw(raw))
    }

    /// Encodes a value. Large arrays are not copied.
    pub fn encode<'a>(&self, value: &Value<'a>, options: &CallOptions<'_>) -> Result<Encoded<'a>> {
        let sink = Sink::new(0)?;
        // SAFETY: the sink keeps the value.
        options.run(|call, error| unsafe {
            let (writer, result) = (ptr::null_mut(), ptr::null_mut());
            sys::polycodec_opened_codec_encode(self.raw, value.raw, call, sink.0, writer, result, error)
        })?;
        Encoded::of_sink(sink)
    }
}

impl Clone for Codec {
    fn clone(&self) -> Codec {
        // SAFETY: this handle is a holder.
        Codec { raw: unsafe { sys::polycodec_opened_codec_retain(self.raw) } }
    }
}

impl Drop for Codec {
    fn drop(&mut self) {
        // SAFETY: this handle is one holder.
        unsafe { sys::polycodec_opened_codec_release(self.raw) }
    }
}

/// The output of an encoder: pieces of memory, some of them parts of the value.
pub struct Encoded<'a> {
    _sink: Sink,
    segments: *const Bytes,
    n: u64,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: the sink is not called again before it is freed, and its memory does not change.
unsafe impl Send for Encoded<'_> {}
unsafe impl Sync for Encoded<'_> {}

impl<'a> Encoded<'a> {
    /// What the sink holds, which keeps the values that it views for `'a`.
    pub(super) fn of_sink(sink: Sink) -> Result<Encoded<'a>> {
        let (mut segments, mut n) = (ptr::null(), 0);
        // SAFETY: nothing calls the sink again before it is dropped.
        check(|error| unsafe { sys::polycodec_sink_segments(sink.0, &mut segments, &mut n, error) })?;
        Ok(Encoded { _sink: sink, segments, n, life: PhantomData })
    }

    /// Returns the pieces in order.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        // SAFETY: the segments are valid until the next call with the sink.
        unsafe { abi::slice(self.segments, self.n).iter().map(|piece| piece.as_slice()) }
    }

    /// Returns a copy of all bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        self.pieces().collect::<Vec<_>>().concat()
    }
}

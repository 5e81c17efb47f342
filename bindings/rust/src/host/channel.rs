// SPDX-License-Identifier: MIT
//! Messages, see docs/messages.md.

use super::sink::Sink;
use super::{sys, text_bytes, Registry, Source, Value};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::Result;
use std::marker::PhantomData;
use std::ptr;

/// One end of a channel, for one thread at a time.
pub struct Channel {
    raw: *mut sys::Channel,
}

// SAFETY: calls for one channel must not overlap, and need no thread of their own.
unsafe impl Send for Channel {}

/// A message to send. It keeps its value.
pub struct Message<'a> {
    raw: *mut sys::Message,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: messages do not change once they are made.
unsafe impl Send for Message<'_> {}
unsafe impl Sync for Message<'_> {}

/// A message that was received.
pub struct Received<'a> {
    /// The value.
    pub value: Value<'a>,
    /// The header as JSON; empty for a packet without one.
    pub header: String,
    /// 0, or the number of the control message that it is.
    pub control: i32,
}

impl Channel {
    /// Opens a channel. `options` is a JSON object with `codec`, `options`, `filters` and others of `polycodec/host.h`,
    /// or empty.
    pub fn open(registry: &Registry, options: &str) -> Result<Channel> {
        let mut raw = ptr::null_mut();
        // SAFETY: the channel keeps the registry; the text is read during the call.
        check(|e| unsafe { sys::polycodec_channel_open(registry.raw, text_bytes(options), ptr::null(), &mut raw, e) })?;
        Ok(Channel { raw })
    }

    /// Makes the message for a value. `header` is JSON of further members of the header, or empty.
    pub fn pack<'a>(&mut self, value: &Value<'a>, header: &str) -> Result<Message<'a>> {
        let mut raw = ptr::null_mut();
        // SAFETY: the message keeps the value.
        check(|e| unsafe { sys::polycodec_channel_pack(self.raw, value.raw, text_bytes(header), &mut raw, e) })?;
        Ok(Message { raw, life: PhantomData })
    }

    /// Takes a copy of bytes that were received: a piece of a stream of any size.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<()> {
        // SAFETY: the handle is good, and nobody else calls it.
        check(|e| unsafe { sys::polycodec_channel_feed(self.raw, Bytes::of(bytes), 0, e) })
    }

    /// Decodes the next message of what was fed, if all of it is there.
    pub fn receive(&mut self) -> Result<Option<Received<'static>>> {
        // SAFETY: as above. The value keeps a copy of the bytes.
        self.deliver(|channel, value, control, header, e| unsafe {
            sys::polycodec_channel_next(channel, value, control, header, e)
        })
    }

    /// Decodes a complete message or packet.
    pub fn unpack<'a>(&mut self, message: &Source<'a>) -> Result<Received<'a>> {
        // SAFETY: as above. The value keeps the source.
        let received = self.deliver(|channel, value, control, header, e| unsafe {
            sys::polycodec_channel_unpack(channel, message.raw, value, control, header, e)
        })?;
        Ok(received.expect("a complete message has a value"))
    }

    fn deliver<'a>(
        &mut self,
        call: impl FnOnce(*mut sys::Channel, *mut *mut sys::Value, *mut i32, *mut abi::Sink, *mut abi::Error) -> i32,
    ) -> Result<Option<Received<'a>>> {
        let header = Sink::new(abi::SINK_CONTIGUOUS)?;
        let (mut raw, mut control) = (ptr::null_mut(), 0);
        check(|e| call(self.raw, &mut raw, &mut control, header.0, e))?;
        if raw.is_null() {
            return Ok(None);
        }
        let value = Value::of_raw(raw);
        Ok(Some(Received { value, header: header.to_text()?, control }))
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_channel_open().
        unsafe { sys::polycodec_channel_free(self.raw) }
    }
}

impl Message<'_> {
    /// Returns the pieces of each part. A short message has one part.
    pub fn parts(&self) -> Vec<Vec<&[u8]>> {
        let mut parts = Vec::new();
        let (mut pieces, mut n) = (ptr::null(), 0);
        // SAFETY: the pieces live as long as the message. The function fails after the last part.
        unsafe {
            let e = ptr::null_mut();
            while sys::polycodec_message_part(self.raw, parts.len() as u64, &mut pieces, &mut n, e) == abi::OK {
                parts.push(abi::slice(pieces, n).iter().map(|piece| piece.as_slice()).collect());
            }
        }
        parts
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_channel_pack().
        unsafe { sys::polycodec_message_free(self.raw) }
    }
}

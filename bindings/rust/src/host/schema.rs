// SPDX-License-Identifier: MIT
//! Schemas, see docs/schemas.md.

use super::sink::Sink;
use super::{sys, text_bytes, Registry, Value};
use crate::abi;
use crate::error::check;
use crate::Result;
use std::ptr;

/// What values must be like.
pub struct Schema {
    raw: *mut sys::Schema,
}

// SAFETY: host.h: all calls with schemas are thread-safe, and holders may end on any thread.
unsafe impl Send for Schema {}
unsafe impl Sync for Schema {}

impl Schema {
    /// Reads a schema as JSON, which may name types of a registry.
    pub fn parse(json: &str, registry: Option<&Registry>) -> Result<Schema> {
        let mut raw = ptr::null_mut();
        let registry = registry.map_or(ptr::null_mut(), |registry| registry.raw);
        // SAFETY: the text is read during the call.
        check(|e| unsafe { sys::polycodec_schema_parse(registry, text_bytes(json), &mut raw, e) })?;
        Ok(Schema { raw })
    }

    /// Returns the schema that describes a value.
    pub fn infer(value: &Value<'_>) -> Result<Schema> {
        let mut raw = ptr::null_mut();
        // SAFETY: the handle is good during the call.
        check(|e| unsafe { sys::polycodec_schema_infer(value.raw, ptr::null(), &mut raw, e) })?;
        Ok(Schema { raw })
    }

    /// Returns the schema as JSON.
    pub fn to_json(&self) -> Result<String> {
        // SAFETY: the handle is good.
        Sink::text(|sink, error| unsafe { sys::polycodec_schema_print(self.raw, ptr::null(), sink, error) })
    }

    /// Returns `None` for a value that fits, else its problems: a JSON list of path, keyword and reason, at most 100.
    pub fn problems(&self, value: &Value<'_>) -> Result<Option<String>> {
        let sink = Sink::new(abi::SINK_CONTIGUOUS)?;
        let mut n = 0;
        // SAFETY: the handles are good during the call.
        check(|e| unsafe { sys::polycodec_schema_validate(self.raw, value.raw, ptr::null(), &mut n, sink.0, e) })?;
        Ok(if n == 0 { None } else { Some(sink.to_text()?) })
    }

    /// Makes a value that fits: numbers cast, units converted, defaults filled in. It views the first value.
    pub fn normalize<'a>(&self, value: &Value<'a>) -> Result<Value<'a>> {
        let mut raw = ptr::null_mut();
        // SAFETY: the handles are good during the call; the result keeps the value.
        check(|e| unsafe { sys::polycodec_schema_normalize(self.raw, value.raw, ptr::null(), &mut raw, e) })?;
        Ok(Value::of_raw(raw))
    }
}

impl Clone for Schema {
    fn clone(&self) -> Schema {
        // SAFETY: this handle is a holder.
        Schema { raw: unsafe { sys::polycodec_schema_retain(self.raw) } }
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // SAFETY: this handle is one holder.
        unsafe { sys::polycodec_schema_release(self.raw) }
    }
}

// SPDX-License-Identifier: MIT
//! Named values in one file.

use super::sink::Sink;
use super::{path_bytes, sys, text_bytes, CallOptions, Format, Registry, Value};
use crate::error::check;
use crate::Result;
use std::path::Path;
use std::ptr;

/// An archive, a directory or a file of a store format as a dictionary of values. For one thread at a time.
pub struct Collection<'c> {
    raw: *mut sys::Collection,
    options: Box<CallOptions<'c>>,
}

// SAFETY: calls for one collection must not overlap, and need no thread of their own.
unsafe impl Send for Collection<'_> {}

impl<'c> Collection<'c> {
    /// Opens the collection at `path`, which [`Collection::add`] makes if need be. Without a format content or name choose.
    pub fn open(
        registry: &Registry,
        path: impl AsRef<Path>,
        format: Option<&Format>,
        options: CallOptions<'c>,
    ) -> Result<Collection<'c>> {
        let mut all = Collection { raw: ptr::null_mut(), options: Box::new(options) };
        let raw: *mut *mut sys::Collection = &mut all.raw;
        let format = format.map(Format::to_raw);
        let format = format.as_ref().map_or(ptr::null(), |format| format);
        let path = path_bytes(path.as_ref());
        // SAFETY: registry and format are good during the call; the options live as long as the collection.
        all.options
            .run(|call, e| unsafe { sys::polycodec_collection_open(registry.raw, path, format, call, raw, e) })?;
        Ok(all)
    }

    /// Returns codec, container and the values with their blobs, as JSON. Decodes nothing.
    pub fn list(&self) -> Result<String> {
        // SAFETY: the handle is good.
        Sink::text(|sink, e| unsafe { sys::polycodec_collection_list(self.raw, sink, e) })
    }

    /// Decodes the value of this name, which views the file. [`super::Store::open`] of a [`super::Source::open`] with
    /// [`CallOptions::member`] decodes a copy.
    ///
    /// # Safety
    /// Nobody changes or truncates the file as long as the value lives. Collections replace files, and do not change them.
    pub unsafe fn read(&self, name: &str) -> Result<Value<'static>> {
        let mut raw = ptr::null_mut();
        self.options.finish(check(|e| sys::polycodec_collection_read(self.raw, text_bytes(name), &mut raw, e)))?;
        Ok(Value::of_raw(raw))
    }

    /// Adds a value, whose name must be free.
    pub fn add(&mut self, name: &str, value: &Value<'_>) -> Result<()> {
        // SAFETY: the handles are good during the call.
        self.options.finish(check(|e| unsafe {
            sys::polycodec_collection_put(self.raw, text_bytes(name), value.raw, 0, ptr::null_mut(), e)
        }))
    }

    /// Puts a value in the place of the one of this name. Returns the blobs that stay, as a JSON list: those of no recorded
    /// owner, unless `unowned`.
    pub fn replace(&mut self, name: &str, value: &Value<'_>, unowned: bool) -> Result<String> {
        self.change(name, value.raw, unowned)
    }

    /// Removes the value of this name, and returns the blobs that stay as [`Collection::replace`].
    pub fn remove(&mut self, name: &str, unowned: bool) -> Result<String> {
        self.change(name, ptr::null(), unowned)
    }

    fn change(&self, name: &str, value: *const sys::Value, unowned: bool) -> Result<String> {
        let flags = sys::COLLECTION_REPLACE | if unowned { sys::COLLECTION_UNOWNED } else { 0 };
        // SAFETY: the handles are good during the call.
        let kept = Sink::text(|sink, e| unsafe {
            sys::polycodec_collection_put(self.raw, text_bytes(name), value, flags, sink, e)
        });
        self.options.finish(Ok(()))?;
        kept
    }
}

impl Drop for Collection<'_> {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_collection_open(), or NULL.
        unsafe { sys::polycodec_collection_free(self.raw) }
    }
}
